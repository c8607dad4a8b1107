// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_MIDPOINTHISTORY_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_MIDPOINTHISTORY_HH

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
    using Values = std::vector<double>;

    static std::vector<Block> make(std::size_t multipliers)
    {
      const Values zeros(multipliers, 0);
      return {
        {"pressure", 2, zeros}, {"force", 2, zeros}, {"steps with exact derivatives", 1, {0}}};
    }

    //! Multipliers mu, in the numbering of the model
    static Values& pressure(State& state) { return state.history[pressureBlock].values; }
    static const Values& pressure(const State& state)
    {
      return state.history[pressureBlock].values;
    }

    //! Size of the contact force of each multiplier
    static Values& force(State& state) { return state.history[forceBlock].values; }
    static const Values& force(const State& state) { return state.history[forceBlock].values; }

    //! Number of steps that were solved with exact derivatives of the constraints
    static double& exactSteps(State& state) { return state.history[exactBlock].values[0]; }
    static double exactSteps(const State& state) { return state.history[exactBlock].values[0]; }

  private:
    enum : std::size_t { pressureBlock, forceBlock, exactBlock };
  };

} // namespace Dune::Impact

#endif
