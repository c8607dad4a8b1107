// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_MIDPOINTHISTORY_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_MIDPOINTHISTORY_HH

#include <utility>
#include <vector>

#include <dune/impact/common/state.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief What steps of the midpoint family carry from one to the next
 */

namespace Dune::Impact {

  //! The blocks of State::history of ImplicitStepper
  struct MidpointHistory
  {
    //! Multipliers mu, in the numbering of the model
    static constexpr HistoryBlock pressure{0, "pressure", 2};

    //! Size of the contact force of each multiplier
    static constexpr HistoryBlock force{1, "force", 2};

    //! Tangential multipliers l, dim numbers each; empty without friction
    static constexpr HistoryBlock tangential{5, "tangential"};

    //! Friction forces on the velocities of the system, then their sum on the first side of each
    //! contact; empty without friction
    static constexpr HistoryBlock frictionForce{6, "friction force"};

    //! \param numbers  of tangential multipliers, and of friction forces
    static void create(State& state, std::size_t multipliers,
                       std::pair<std::size_t, std::size_t> numbers = {0, 0})
    {
      state.history.clear();
      pressure.create(state, std::vector<double>(multipliers, 0));
      force.create(state, std::vector<double>(multipliers, 0));
      exact.create(state, {0});
      direct.create(state, {0});
      shifted.create(state, {0});
      tangential.create(state, std::vector<double>(numbers.first, 0));
      frictionForce.create(state, std::vector<double>(numbers.second, 0));
      frozen.create(state, {0, 0});
    }

    //! Number of steps that were solved with exact derivatives of the constraints
    static double& exactSteps(State& state) { return exact(state)[0]; }
    static double exactSteps(const State& state) { return exact(state)[0]; }

    //! Number of steps in which a factor took over from levels, see Linearisation
    static double& directSteps(State& state) { return direct(state)[0]; }
    static double directSteps(const State& state) { return direct(state)[0]; }

    //! Number of steps in which an indefinite matrix was shifted
    static double& shiftedSteps(State& state) { return shifted(state)[0]; }
    static double shiftedSteps(const State& state) { return shifted(state)[0]; }

    //! Number of steps whose friction bounds were frozen, and the largest force by which they miss
    //! Coulomb's law
    static double& frozenSteps(State& state) { return frozen(state)[0]; }
    static double frozenSteps(const State& state) { return frozen(state)[0]; }
    static double& frictionDefect(State& state) { return frozen(state)[1]; }
    static double frictionDefect(const State& state) { return frozen(state)[1]; }

  private:
    static constexpr HistoryBlock exact{2, "steps with exact derivatives"};
    static constexpr HistoryBlock direct{3, "steps with a direct solver"};
    static constexpr HistoryBlock shifted{4, "steps with a shifted matrix"};
    static constexpr HistoryBlock frozen{7, "steps with frozen friction"};
  };

} // namespace Dune::Impact

#endif
