// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_FRICTIONCONTINUATION_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_FRICTIONCONTINUATION_HH

#include <algorithm>
#include <vector>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/solver/impulse/contactproblem.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Continuation of solutions of contact problems in the coefficients of friction
 */

namespace Dune::Impact {

  /** \brief Solve a contact problem by coefficients s mu with s growing from 0 to 1
   *
   * Solutions r(s) are mostly connected: each is the first guess of the next one. Where that is not
   * reached from it, the part of the way is halved, and one that was reached is followed by a part
   * of twice its size.
   *
   * \param part   the first part of the way: the dearer an attempt, the larger
   * \param r      impulses without friction, r(0); then those of s = 1, or of the last attempt
   * \param solve  (problem, r) -> SolveReport: improves r, and need not succeed
   * \return       the report of s = 1, and if that was not reached of r as it is; with the
   * iterations of all attempts
   */
  template<class Matrix, class Solve>
  SolveReport frictionContinuation(const ContactProblemWith<Matrix>& problem,
                                   const ContactSettings& settings, double part,
                                   std::vector<double>& r, Solve&& solve)
  {
    constexpr double smallest = 1.0 / 1024;
    std::vector<double> reached = r, friction(problem.friction.size());
    SolveReport report;
    int iterations = 0;
    double s = 0;
    while (s < 1 && part >= smallest) {
      const double next = std::min(1.0, s + part);
      std::transform(problem.friction.begin(), problem.friction.end(), friction.begin(),
                     [&](double mu) { return next * mu; });
      r = reached;
      report = solve(
        ContactProblemWith<Matrix>{problem.matrix, problem.b, friction, problem.velocityScale}, r);
      iterations += report.iterations;
      if (report.converged) {
        s = next;
        reached = r;
      }
      part *= report.converged ? 2 : 0.5;
    }
    if (s < 1)
      return contactReport(iterations, contactResidual(problem, r), velocityScale(problem),
                           settings.tolerance);
    report.iterations = iterations;
    return report;
  }

} // namespace Dune::Impact

#endif
