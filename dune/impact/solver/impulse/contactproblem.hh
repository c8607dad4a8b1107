// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_CONTACTPROBLEM_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_CONTACTPROBLEM_HH

#include <span>
#include <vector>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/solver/impulse/delassus.hh>
#include <dune/impact/solver/impulse/delassusproducts.hh>
#include <dune/impact/solver/impulse/factoreddelassus.hh>
#include <dune/impact/solver/impulse/lumpeddelassus.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief The contact problem, its solution for a single contact, and its residual
 */

namespace Dune::Impact {

  /** \brief Which impulses keep the contacts from approaching?
   *
   * For each contact i with impulse r_i = (r_N, r_T) and velocity w = H r + b:
   * \f[
   *   0 \le r_N \perp w_N \ge 0, \qquad
   *   |r_T| \le \mu_i r_N, \quad r_T = -\mu_i r_N\, w_T/|w_T| \text{ if } w_T \ne 0.
   * \f]
   * H is symmetric positive semidefinite and may be singular: then r need not be unique, but
   * without friction w is. The problem only refers to its data, which must outlive it. H is given
   * by its block rows (Delassus) or as a product (FactoredDelassus, LumpedDelassus).
   */
  template<DelassusMatrix Matrix>
  struct ContactProblemWith
  {
    const Matrix& matrix;
    //! velocities without impulses, blockSize numbers per contact
    std::span<const double> b;
    std::span<const double> friction; //!< coefficient of each contact; empty means no friction
    double velocityScale = 0;         //!< tolerances are relative to it; 0 means the largest |b|
    //! largest sum of the sizes of the terms that a number of b is the sum of: b has its round-off
    double rateSize = 0;
  };

  using ContactProblem = ContactProblemWith<Delassus>;
  using FactoredProblem = ContactProblemWith<FactoredDelassus>;
  using LumpedProblem = ContactProblemWith<LumpedDelassus>;

  //! When to stop
  struct ContactSettings
  {
    double tolerance = 1e-10;  //!< wanted residual in units of the velocity scale
    int maxIterations = 10000; //!< sweeps or pivots
    int activeSetLimit = 200;  //!< most active contacts for which a dense factor is formed
    int plainSweeps = 0;       //!< sweeps, all of them forwards, before those that are accelerated
    StopToken stop = {};       //!< looked at in every iteration
    bool whileFast = false;    //!< no more sweeps once 64 of them do not halve the residual
    //! proximal points that do not halve an acceptable residual before it is taken
    int maxIdle = 3;
  };

  //! How far impulses are from a solution
  struct ContactResidual
  {
    double value = 0; //!< largest natural map of all contacts, a velocity
    //! round-off with which H r can be evaluated, a velocity
    double rounding = 0;
    double rateRounding = 0; //!< the same for b
  };

  //! The number that tolerances of this problem refer to; zero only if b = 0
  template<class Matrix>
  double velocityScale(const ContactProblemWith<Matrix>& problem);

  //! True if the coefficient of friction of every contact is zero
  template<class Matrix>
  bool isFrictionless(const ContactProblemWith<Matrix>& problem);

  //! True if there is no NaN and no infinite number in the data
  template<class Matrix>
  bool isFinite(const ContactProblemWith<Matrix>& problem);

  //! Coefficient of friction of contact i
  template<class Matrix>
  double friction(const ContactProblemWith<Matrix>& problem, std::size_t i)
  {
    return problem.friction.empty() ? 0.0 : problem.friction[i];
  }

  /** \brief Solve the contact problem of one contact, w = A r + q
   *
   * In closed form, but for sliding with two tangents and an anisotropic block, where a scalar
   * equation is solved to round-off. A solution exists if A_NN > 0; the separating one is taken
   * if there are several. If A_NN = 0 the result is r = 0.
   *
   * \param blockSize  d = 1, 2 or 3
   * \param A          d*d numbers, symmetric positive semidefinite
   * \param q          velocity without this impulse, d numbers
   * \param mu         coefficient of friction
   * \param r          the impulse, d numbers
   */
  void solveLocalContact(int blockSize, const double* A, const double* q, double mu, double* r);

  /** \brief Natural map of one contact, zero exactly where the law holds
   *
   * The larger of |min(A_NN r_N, w_N)| and |c r_T - proj(c r_T - w_T)|, where proj is the
   * projection to the disc of radius mu c r_N and c the mean diagonal entry of A.
   */
  double naturalMap(int blockSize, const double* A, double mu, const double* r, const double* w);

  //! Residual of all contacts
  template<class Matrix>
  ContactResidual contactResidual(const ContactProblemWith<Matrix>& problem, ConstSpan r);

  //! What the residual is computed from; keeps its memory
  struct ContactProducts
  {
    std::vector<double> u, sizes; //!< W r of a matrix H = G W, and |W| |r|
    std::vector<double> product;  //!< H r
  };

  //! The same; the round-off is estimated only if the residual is above `enough`, else it is zero
  template<class Matrix>
  ContactResidual contactResidual(const ContactProblemWith<Matrix>& problem, ConstSpan r,
                                  double enough, ContactProducts& products);

  /** \brief Largest residual that is good enough for a step: missing the tolerance is no reason to
   * stop
   *
   * In units of the velocity scale: a millionth, or 1000 tolerances up to a hundredth. Solutions of
   * redundant contacts differ by as much: which of two contacts carries a load that their gaps tell
   * apart by round-off is a matter of 1e-7 of the speed in a row of dominoes.
   */
  double acceptableResidual(double tolerance);

  /** \brief Largest residual that counts as zero, a velocity
   *
   * The tolerance, or the round-off of H r + b if that is larger. Round-off of H r above what is
   * acceptable is a sign of impulses that grow without bound, and not counted.
   */
  double acceptedResidual(const ContactResidual& residual, double scale, double tolerance);

  //! The verdict on a residual
  SolveReport contactReport(int iterations, const ContactResidual& residual, double scale,
                            double tolerance);

  //! Larger of two numbers, NaN if one of them is
  inline double largerOrNaN(double a, double b)
  {
    return a >= b || a != a ? a : b;
  }

} // namespace Dune::Impact

#endif
