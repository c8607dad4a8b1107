// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_CONTACTSOLVER_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_CONTACTSOLVER_HH

#include <vector>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/solver/impulse/activeset.hh>
#include <dune/impact/solver/impulse/condensednewton.hh>
#include <dune/impact/solver/impulse/contactproblem.hh>
#include <dune/impact/solver/impulse/nonsmoothgaussseidel.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Solvers for the impulses of many contacts
 */

namespace Dune::Impact {

  /** \brief Solves contact problems
   *
   * In all methods r holds blockSize numbers per contact. On entry it is the first guess, and
   * the only memory of earlier solves: the object itself keeps nothing but scratch memory, so
   * that problems of similar size are solved without allocation. One object per thread.
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

    /** \brief The right method for the problem
     *
     * No contact approaches: r = 0. Uncoupled contacts: closed form. No friction and at most
     * activeSetLimit contacts: active set. Otherwise Gauss-Seidel, after which the active set
     * makes the result exact if there is no friction and few enough contacts are active. With
     * friction and few contacts Newton's method, see AlartCurnierNewton, where sweeps do not end
     * soon.
     */
    SolveReport solveContact(const ContactProblem& problem, Span r);

    //! By sweeps, which never have the matrix as a whole; where they do not end soon and there are
    //! few shared dofs by CondensedNewton
    SolveReport solveContact(const FactoredProblem& problem, Span r);

    //! By sweeps, or in closed form if contacts are not coupled; `product` receives H r
    SolveReport solveContact(const LumpedProblem& problem, Span r, Span product);

    //! One contact after the other, for a matrix with isDiagonal(); the first guess is not used
    template<class Matrix>
    SolveReport solveDiagonal(const ContactProblemWith<Matrix>& problem, Span r);

    /** \brief Nonlinear block Gauss-Seidel, accelerated, see NonsmoothGaussSeidel
     *
     * Without friction sweeps alone converge for every solvable problem; with friction they are the
     * method of Jean and Moreau (1987), which has no proof of convergence.
     */
    SolveReport solveProjectedGaussSeidel(const ContactProblem& problem, Span r);

    //! Active set, for problems without friction, see ActiveSet
    SolveReport solveActiveSet(const ContactProblem& problem, Span r);

  private:
    template<class Matrix>
    static SolveReport solveBySweeps(NonsmoothGaussSeidel<Matrix>& sweeps,
                                     const ContactProblemWith<Matrix>& problem,
                                     const ContactSettings& settings, Span r);
    SolveReport solveFriction(const ContactProblem& problem, Span r);
    void polish(const ContactProblem& problem, SolveReport& report, Span r);

    ContactSettings settings_;
    ActiveSet activeSet_;
    NonsmoothGaussSeidel<Delassus> sweeps_;
    NonsmoothGaussSeidel<FactoredDelassus> factoredSweeps_;
    NonsmoothGaussSeidel<LumpedDelassus> lumpedSweeps_;
    ContactProducts products_;
    CondensedNewton sharedNewton_;
    std::vector<double> backup_;
  };

} // namespace Dune::Impact

#endif
