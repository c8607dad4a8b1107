// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_IMPULSEBOUNDS_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_IMPULSEBOUNDS_HH

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/solver/impulse/contactproblem.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief What holds for contact impulses however inexact they are
 */

namespace Dune::Impact {

  /** \brief Make impulses of any method obey the bounds of the laws of contact, and judge them
   *
   * First contact by contact: impulses push, r_N >= 0, and stay in the cone, |r_T| <= mu r_N, also
   * as floating point numbers. Then together: laws of contact bound the work of impulses by
   * r.(b + H r) <= 0. Impulses that miss this are made shorter,
   *
   *     r <- s r,    s = -r.b / (r.H r),
   *
   * the length at which their work vanishes; any shorter ones have it too, and stay in the cones.
   * So no energy is gained that the law would not give, whatever the residual. Exact solutions
   * change by round-off; what has converged has converged also if that doubles its residual.
   *
   * \param tolerance   of the verdict
   * \param iterations  for the report
   * \param r           impulses; changed by as little as needed
   * \param products    receives H r of the result
   * \return            the residual of the result
   */
  template<class Matrix>
  SolveReport boundImpulses(const ContactProblemWith<Matrix>& problem, double tolerance,
                            int iterations, Span r, ContactProducts& products);

} // namespace Dune::Impact

#endif
