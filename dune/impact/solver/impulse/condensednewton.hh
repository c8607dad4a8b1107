// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_CONDENSEDNEWTON_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_CONDENSEDNEWTON_HH

#include <vector>

#include <Eigen/Dense>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/common/solvereport.hh>
#include <dune/impact/solver/impulse/contactproblem.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Newton's method for many contacts that share few dofs
 */

namespace Dune::Impact {

  /** \brief Contact of many points with one rigid body, or with a few of them
   *
   * Each contact has dofs of its own (the node of a mesh) and dofs that it shares with others (the
   * six of a rigid body): H is block diagonal but for the rank m, the number of shared dofs. With
   * the velocities v that all impulses give to the shared dofs at hand, contacts do not know of
   * each other: r_i(v) is the solution of a contact that is alone, with the own part A_i of its
   * diagonal block,
   *
   *     A_i r_i + b_i + G_i v,      see solveLocalContact(),
   *
   * and v solves m equations, v = sum_i W_i r_i(v). Newton's method has the matrix 1 - sum_i W_i
   * r_i'(v) G_i, as the formula of Woodbury has it for contacts that all push. Its cost is that of
   * m + d sweeps, however light the rigid body is, while sweeps need the more the lighter it is
   * compared to what touches it. With friction there is no proof of convergence; with two tangents
   * and a body ten thousand times lighter than what touches it has been seen to fail.
   */
  class CondensedNewton
  {
  public:
    //! Most shared dofs
    static constexpr std::size_t limit = 60;

    //! Prepare a matrix, which must outlive the object's use; false if it is not of this kind
    bool setup(const FactoredDelassus& matrix);

    //! Improve r, for the matrix of the last successful setup(); it stays as it is if that fails
    SolveReport solve(const FactoredProblem& problem, const ContactSettings& settings, Span r);

  private:
    template<int d>
    double evaluate(const FactoredProblem& problem, bool derivative);
    template<int d>
    SolveReport solve(const FactoredProblem& problem, const ContactSettings& settings, Span r);
    template<int d>
    SolveReport solveOrGrow(const FactoredProblem& problem, const ContactSettings& settings,
                            Span r);

    using Matrix = Eigen::MatrixXd;
    using Vector = Eigen::VectorXd;

    //! A contact sees a shared dof
    struct Shared
    {
      std::uint32_t number; // among the shared dofs
      const double* values; // d numbers of G, d numbers of W
    };

    CompressedRows<Shared> shared_; // of each contact
    std::vector<double> own_;       // A_i
    std::vector<double> r_;
    Vector v_, mismatch_;
    Matrix slope_;
  };

} // namespace Dune::Impact

#endif
