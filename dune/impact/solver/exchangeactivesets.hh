// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_EXCHANGEACTIVESETS_HH
#define DUNE_IMPACT_SOLVER_EXCHANGEACTIVESETS_HH

/** \file
 * \ingroup impact_solver
 * \brief The loop of all active-set methods
 */

namespace Dune::Impact {

  //! How an active-set method has ended
  struct ActiveSetExchanges
  {
    enum class End {
      settled, //!< the active set stays the same: its solution solves the problem
      failed,  //!< the equations of an active set could not be solved
      limit    //!< too many sets: cycles end here
    };

    int solves = 0; //!< of equality problems that were solved
    End end = End::limit;
  };

  /** \brief Solve a problem with inequalities by a sequence of problems with equations
   *
   * An active set A is a guess of the inequalities that hold as equations. The loop is
   *
   *     solve the equations of A
   *     exchange: drop from A what has a negative multiplier, add what is violated
   *     until A stays the same
   *
   * The first guess of A is made before the call. What is exchanged at a time is a matter of the
   * method:
   *
   * - ActiveSet adds one contact per exchange and drops those that block the way to the solution
   *   (Lawson and Hanson): the energy falls with every set, none of them comes twice;
   * - KktSolver exchanges all at once and solves with a factor (primal-dual active sets);
   * - BoxMultigrid does the same and solves by a multigrid cycle, as the start of its iteration.
   *
   * Where all are exchanged at once sets can come again; only the limit ends such a cycle.
   *
   * \param limit    most equality problems
   * \param solve    false if the equations of A could not be solved
   * \param exchange true if A has changed
   */
  template<class Solve, class Exchange>
  ActiveSetExchanges exchangeActiveSets(int limit, Solve&& solve, Exchange&& exchange)
  {
    using End = ActiveSetExchanges::End;
    int solves = 0;
    for (; solves < limit; ++solves) {
      if (solves > 0 && !exchange())
        return {solves, End::settled};
      if (!solve())
        return {solves, End::failed};
    }
    return {solves, End::limit};
  }

} // namespace Dune::Impact

#endif
