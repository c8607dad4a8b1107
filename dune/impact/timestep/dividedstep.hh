// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_DIVIDEDSTEP_HH
#define DUNE_IMPACT_TIMESTEP_DIVIDEDSTEP_HH

#include <utility>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep
 * \brief Steps that are divided where they cannot be solved
 */

namespace Dune::Impact {

  //! A step whose halves could not be solved either
  struct IndivisibleStep : RunError
  {
    using RunError::RunError;
  };

  /** \brief One step of length h that ends at a time, or two of half the length if it cannot be
   * solved
   *
   * \param solve     solve(state, h, end, report) makes a step, or throws RunError
   * \param remember  remember() is called before each attempt and returns undo(failed), which is
   * called with the report of one that failed when state and report are again what they were: it
   * takes back what else has changed
   *
   * Below minStep, and if it is an IndivisibleStep, the exception goes on; the state is then that
   * after the last part that was solved.
   */
  template<class Solve, class Remember>
  void divideStep(State& state, double h, double end, double minStep, StepReport& report,
                  Solve&& solve, Remember&& remember)
  {
    const State before = state;
    const StepReport reportBefore = report;
    auto undo = remember();
    try {
      solve(state, h, end, report);
    }
    catch (const IndivisibleStep&) {
      throw;
    }
    catch (const RunError&) {
      if (0.5 * h < minStep)
        throw;
      state = before;
      const StepReport failed = std::exchange(report, reportBefore);
      undo(failed);
      divideStep(state, 0.5 * h, end - 0.5 * h, minStep, report, solve, remember);
      divideStep(state, 0.5 * h, end, minStep, report, solve, remember);
    }
  }

} // namespace Dune::Impact

#endif
