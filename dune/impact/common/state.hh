// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_STATE_HH
#define DUNE_IMPACT_COMMON_STATE_HH

#include <string>
#include <utility>
#include <vector>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_common
 * \brief Everything that lives from one step to the next
 */

namespace Dune::Impact {

  /** \brief Accumulated work and counts
   *
   * All members are plain numbers that only grow out of accepted steps, so a dropped state
   * takes its ledger with it.
   */
  struct Ledger
  {
    double contactWork = 0;  //!< work of normal contact impulses, negative for a loss
    double frictionWork = 0; //!< work of tangential contact impulses, negative for a loss
    double damageWork = 0;   //!< energy that adhesion has lost by damage, negative
    //! energy defect of massless contacts and of adhesion that begin or end inside a step
    double switchWork = 0;
    //! energy defect of changing the step length (landing, adaptive steps)
    double stepWork = 0;
    double externalWork = 0; //!< work of loads, prescribed motion and moved obstacles
    double noRoots = 0;      //!< adaptive steps that found no length that keeps the energy
    double eventSteps = 0;   //!< steps shortened to end on a contact or release instant

    //! What a row of the history at this instant shows; see Record
    double shownDissipation = 0;
    double shownExternalWork = 0;
    double shownContactWork = 0; //!< of all that is contact, see workOfContact()
    double shownFrictionWork = 0;
    double shownBulkWork = 0;

    //! Energy lost up to the last impulse
    double dissipation() const
    {
      return 0 - (contactWork + frictionWork + damageWork + switchWork + stepWork);
    }

    //! Work of contact without friction: impulses, damage, begin and end of massless contact
    double workOfContact() const { return contactWork + damageWork + switchWork; }

    //! Let the row of the history at this instant show all work up to it
    void showAll()
    {
      shownDissipation = dissipation();
      shownExternalWork = externalWork;
      shownContactWork = workOfContact();
      shownFrictionWork = frictionWork;
      shownBulkWork = stepWork;
    }

    //! Let it show in addition what contact has lost since
    void showContactLoss(double loss)
    {
      shownDissipation += loss;
      shownContactWork -= loss;
    }

    friend bool operator==(const Ledger&, const Ledger&) = default;
  };

  //! Named numbers that a method must carry besides q and p, for example multipliers for a warm
  //! start
  struct Block
  {
    std::string name;
    int version = 1;
    std::vector<double> values;

    friend bool operator==(const Block&, const Block&) = default;
  };

  /** \brief The state of a simulation at one instant
   *
   * A checkpoint is this structure, a rejected step drops it, and nothing else lives across
   * steps: steppers and contacts may keep scratch memory but no memory of the past.
   */
  struct State
  {
    double time = 0;
    long step = 0;
    std::vector<double> q;      //!< configuration: one slice per body
    std::vector<double> p;      //!< momenta (explicit methods) or velocities (implicit ones)
    std::vector<Block> history; //!< what else the method carries; the order is the method's
    Ledger ledger;

    friend bool operator==(const State&, const State&) = default;
  };

  /** \brief A block of State::history by its place, its name and the version of its layout
   *
   * Methods declare their blocks as constants, create() them at the start and reach the numbers of
   * a state by calling the block.
   */
  struct HistoryBlock
  {
    std::size_t place;
    const char* name;
    int version = 1;

    void create(State& state, std::vector<double> values) const
    {
      if (state.history.size() <= place)
        state.history.resize(place + 1);
      state.history[place] = {name, version, std::move(values)};
    }

    std::vector<double>& operator()(State& state) const { return state.history[place].values; }
    const std::vector<double>& operator()(const State& state) const
    {
      return state.history[place].values;
    }
  };

} // namespace Dune::Impact

#endif
