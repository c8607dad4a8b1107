// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_FRAMES_MULTISYMPLECTICHISTORY_HH
#define DUNE_IMPACT_TIMESTEP_FRAMES_MULTISYMPLECTICHISTORY_HH

#include <cmath>

#include <dune/impact/common/energies.hh>
#include <dune/impact/common/state.hh>

/** \file
 * \ingroup impact_timestep_frames
 * \brief What steps of the multisymplectic method carry from one to the next
 */

namespace Dune::Impact {

  //! The blocks of State::history of Multisymplectic, and the numbers in them
  namespace MultisymplecticHistory {

    // What the method carries in addition to q and p
    inline constexpr HistoryBlock intervalBlock{0, "interval"}, closedBlock{1, "closed"},
      countBlock{2, "events"};

    // The interval that ends at the state, the potentials at the state, and the energy at the start
    enum : std::size_t {
      before,
      kinetic,
      elastic,
      potential,
      contact,
      elasticHere,
      potentialHere,
      contactHere,
      initialEnergy,
      intervalNumbers
    };

    // Events; those at the start of a step with the gap on the wrong side; at grid instants; steps
    // with several; times
    enum : std::size_t {
      events,
      reclosings,
      gridInstants,
      crowdedSteps,
      firstInstant,
      lastInstant,
      countNumbers
    };

    inline double& entry(State& state, std::size_t i)
    {
      return intervalBlock(state)[i];
    }
    inline double entry(const State& state, std::size_t i)
    {
      return intervalBlock(state)[i];
    }
    inline double& count(State& state, std::size_t i)
    {
      return countBlock(state)[i];
    }
    inline double& closed(State& state, std::size_t i)
    {
      return closedBlock(state)[i];
    }
    inline double closed(const State& state, std::size_t i)
    {
      return closedBlock(state)[i];
    }

    inline Potentials intervalPotentials(const State& state)
    {
      return {entry(state, elastic), entry(state, potential), entry(state, contact)};
    }

    //! Size of the terms of the interval energy, for their rounding
    inline double energySize(const State& state)
    {
      return std::abs(entry(state, kinetic)) + std::abs(entry(state, elastic)) +
             std::abs(entry(state, potential)) + std::abs(entry(state, contact));
    }

    inline void setPotentials(State& state, const Potentials& v)
    {
      entry(state, elasticHere) = v.elastic;
      entry(state, potentialHere) = v.potential;
      entry(state, contactHere) = v.contact;
    }

  } // namespace MultisymplecticHistory

} // namespace Dune::Impact

#endif
