// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_CONTACTSOLVER_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_CONTACTSOLVER_HH

#include <vector>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/solver/impulse/activeset.hh>
#include <dune/impact/solver/impulse/alartcurniernewton.hh>
#include <dune/impact/solver/impulse/condensednewton.hh>
#include <dune/impact/solver/impulse/contactproblem.hh>
#include <dune/impact/solver/impulse/nonsmoothgaussseidel.hh>
#include <dune/impact/solver/impulse/proximalnewton.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Solvers for the impulses of many contacts
 */

namespace Dune::Impact {

  //! A Delassus matrix as the product of its factors, formed only when a method asks for it
  class DelassusFactors
  {
  public:
    virtual const FactoredDelassus& factors() = 0;

  protected:
    ~DelassusFactors() = default;
  };

  /** \brief Solves contact problems
   *
   * In all methods r holds blockSize numbers per contact. On entry it is the first guess, and
   * the only memory of earlier solves: the object itself keeps nothing but scratch memory, so
   * that problems of similar size are solved without allocation. One object per thread.
   *
   * Methods in their order, the next one where the ones before have not converged:
   *
   * 0. no contact approaches: r = 0; uncoupled contacts: closed form; no friction: ActiveSet
   * 1. NonsmoothGaussSeidel, up to 2000 sweeps as long as 64 of them halve the residual
   * 2. with friction AlartCurnierNewton, or CondensedNewton where many contacts share few dofs
   * 3. ProximalNewton
   * 4. if the residual is not acceptable, up to 36 unknowns with friction: continuation in the
   *    coefficients of friction, and Newton's method from many places; else sweeps up to the
   *    largest number
   *
   * The best impulses are the result. Those of every method obey the bounds of contact however
   * inexact they are, see boundImpulses(), and the residual reported is that of the result. It is
   * converged, see acceptedResidual(), acceptable, see acceptableResidual(), or a failure: the
   * caller has to decide.
   *
   * If the data are not finite the result is r = 0 with an infinite residual, not converged. A
   * problem without solution (contacts that cannot move and yet approach) ends not converged
   * with its residual. Scaling b or H by powers of two scales r exactly.
   */
  class ContactSolver
  {
  public:
    explicit ContactSolver(const ContactSettings& settings = {}) : settings_(settings) {}

    const ContactSettings& settings() const { return settings_; }
    void setStop(StopToken stop) { settings_.stop = stop; }

    //! By the methods above; proximal points are faster with the factors of the matrix at hand
    SolveReport solveContact(const ContactProblem& problem, Span r,
                             DelassusFactors* factors = nullptr);

    //! The same for a matrix that is never formed as a whole
    SolveReport solveContact(const FactoredProblem& problem, Span r);

    //! The same; `product` receives H r
    SolveReport solveContact(const LumpedProblem& problem, Span r, Span product);

    //! One contact after the other, for a matrix with isDiagonal(); the first guess is not used
    template<class Matrix>
    SolveReport solveDiagonal(const ContactProblemWith<Matrix>& problem, Span r);

    /** \brief Nonlinear block Gauss-Seidel, accelerated, see NonsmoothGaussSeidel
     *
     * Without friction sweeps alone converge for every solvable problem; with friction they are the
     * method of Jean and Moreau (1987), which has no proof of convergence.
     */
    template<class Matrix>
    SolveReport solveProjectedGaussSeidel(const ContactProblemWith<Matrix>& problem, Span r);

    //! Active set, for problems without friction, see ActiveSet
    SolveReport solveActiveSet(const ContactProblem& problem, Span r);

  private:
    template<class Matrix>
    class Best;

    NonsmoothGaussSeidel<Delassus>& sweeps(const ContactProblem&) { return sweeps_; }
    NonsmoothGaussSeidel<FactoredDelassus>& sweeps(const FactoredProblem&)
    {
      return factoredSweeps_;
    }
    NonsmoothGaussSeidel<LumpedDelassus>& sweeps(const LumpedProblem&) { return lumpedSweeps_; }

    template<class Matrix>
    SolveReport sweep(const ContactProblemWith<Matrix>& problem, int most, bool whileFast, Span r);
    template<class Matrix>
    SolveReport solveProximal(const ContactProblemWith<Matrix>& problem,
                              const FactoredDelassus& factors, bool afterNewton, Span r);
    template<class Matrix>
    void solveHard(const ContactProblemWith<Matrix>& problem, const FactoredDelassus& factors,
                   bool afterNewton, Best<Matrix>& best);
    SolveReport solveFriction(const ContactProblem& problem, Span r, DelassusFactors* factors);
    SolveReport solveFrictionless(const ContactProblem& problem, Span r, DelassusFactors* factors);
    void searchFew(const ContactProblem& problem, Best<Delassus>& best);

    ContactSettings settings_;
    ActiveSet activeSet_;
    NonsmoothGaussSeidel<Delassus> sweeps_;
    NonsmoothGaussSeidel<FactoredDelassus> factoredSweeps_;
    NonsmoothGaussSeidel<LumpedDelassus> lumpedSweeps_;
    ContactProducts products_;
    AlartCurnierNewton newton_;
    CondensedNewton sharedNewton_;
    ProximalNewton proximalNewton_;
    FactoredDelassus factors_; // of a matrix that comes without
    std::vector<double> backup_;
  };

} // namespace Dune::Impact

#endif
