// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_RECORD_HH
#define DUNE_IMPACT_COMMON_RECORD_HH

#include <dune/impact/common/energies.hh>
#include <dune/impact/common/state.hh>

/** \file
 * \ingroup impact_common
 * \brief A row of the history
 */

namespace Dune::Impact {

  /** \brief One row of the history
   *
   * For methods with momenta between the instants, energies and momenta belong to the
   * interval that ends at `time`, and the accumulated work is that of the impulses before
   * `time`: in each row total + dissipated - externalWork is the same number if the method
   * obeys its energy balance.
   */
  struct Record
  {
    long step = 0;
    double time = 0;
    double kinetic = 0;
    Potentials stored;
    Momenta momenta;
    double dissipated = 0;
    double externalWork = 0;
    //! what dissipated is made of, negative for losses: contact without friction, friction, and the
    //! defects of the step in the bulk of the bodies
    double contactWork = 0, frictionWork = 0, bulkWork = 0;

    //! The row of a state: its step and time, and the work that its ledger shows
    static Record of(const State& state)
    {
      Record record;
      record.step = state.step;
      record.time = state.time;
      record.dissipated = state.ledger.shownDissipation;
      record.externalWork = state.ledger.shownExternalWork;
      record.contactWork = state.ledger.shownContactWork;
      record.frictionWork = state.ledger.shownFrictionWork;
      record.bulkWork = state.ledger.shownBulkWork;
      return record;
    }

    //! The energy the method is about
    double total() const { return kinetic + stored.sum(); }
  };

} // namespace Dune::Impact

#endif
