// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <dune/impact/timestep/frames/multisymplectic.hh>
#include <dune/impact/timestep/frames/multisymplectichistory.hh>

/** \file
 * \brief Events inside a step of Multisymplectic: gaps that change their sign, and their instants
 */

namespace Dune::Impact {

  using namespace MultisymplecticHistory;

  double Multisymplectic::gap(const Event& event, const State& state) const
  {
    if (event.kind == Event::contactSwitch)
      return -system_.masslessContacts()[event.index]->overlap(state.time, state.q);
    const ImpulseGeometry& geometry = *geometry_[event.index];
    std::vector<double> gaps(geometry.multipliers());
    geometry.gaps(state.time, state.q, gaps);
    return gaps[event.multiplier];
  }

  const std::string& Multisymplectic::contactName(const Event& event) const
  {
    return contacts_[event.kind == Event::bounce ? event.index : masslessNumber_[event.index]].name;
  }

  //! A length of the scene, whose rounding is that of the gap
  double Multisymplectic::length(const Event& event, ConstSpan q) const
  {
    if (event.kind == Event::bounce)
      return geometry_[event.index]->length(q);
    return std::accumulate(q.begin(), q.end(), 0.0,
                           [](double m, double x) { return std::max(m, std::abs(x)); });
  }

  //! True if the gap is on the wrong side: closed though open, or open though closed
  bool Multisymplectic::crossed(const Event& event, const State& state) const
  {
    const double g = gap(event, state);
    return event.kind == Event::contactSwitch && closed(state, event.index) != 0 ? g >= 0 : g < 0;
  }

  //! The events between an instant and the end of its interval, except the one at the instant;
  //! reports the gaps of the end
  void Multisymplectic::findCrossed(const State& to, const Event& pending, StepReport& report)
  {
    crossed_.clear();
    for (ContactReport& contact : report.contact)
      contact.gap = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (!geometry_[c])
        continue;
      gaps_.resize(geometry_[c]->multipliers());
      geometry_[c]->gaps(to.time, to.q, gaps_);
      for (std::size_t multiplier = 0; multiplier < gaps_.size(); ++multiplier) {
        report.contact[c].gap = std::min(report.contact[c].gap, gaps_[multiplier]);
        if (gaps_[multiplier] < 0 && !pending.is(Event::bounce, c, multiplier))
          crossed_.push_back({Event::bounce, c, multiplier});
      }
    }
    for (std::size_t i = 0; i < system_.masslessContacts().size(); ++i) {
      const Event event{Event::contactSwitch, i};
      double& smallest = report.contact[masslessNumber_[i]].gap;
      smallest = std::min(smallest, std::max(0.0, gap(event, to))); // closed ends touch
      if (!pending.is(Event::contactSwitch, i, 0) && crossed(event, to))
        crossed_.push_back(event);
    }
    report.findMinGap();
  }

  /* The root of h -> gap(advance over h), each with the impulse of the pending event that belongs
   * to its h; zero if the gap is on the wrong side already. */
  double Multisymplectic::instantOf(const Event& event, const Event& pending, const State& at,
                                    const State& end, double left)
  {
    const double here = gap(event, at), there = gap(event, end);
    if (here == 0 || (here > 0) == (there > 0))
      return 0;
    const auto gapAfter = [&](double h) {
      if (pending.kind == Event::none)
        advance(at, pending, 0, h, trial_);
      else
        go(at, pending, h, trial_);
      return gap(event, trial_);
    };
    return bracketedRoot(gapAfter, {0, here}, {left, there},
                         0.5 * std::numeric_limits<double>::epsilon() * length(event, at.q))
      .x;
  }

  /* Make an instant one of contact: for a bounce find the functional of the gap, for a contact
   * switch change the branch of the force. `done` is the time since the beginning of the step. */
  void Multisymplectic::enter(Event& event, double done, State& at) const
  {
    const double near = std::ldexp(settings_.step, -30), g = gap(event, at);
    const bool wrong =
      event.kind == Event::contactSwitch && closed(at, event.index) != 0 ? g > 0 : g < 0;
    if (count(at, events)++ == 0)
      count(at, firstInstant) = at.time;
    count(at, lastInstant) = at.time;
    count(at, reclosings) += done == 0 && wrong;
    count(at, gridInstants) +=
      !(done == 0 && wrong) && (done <= near || settings_.step - done <= near);
    if (event.kind == Event::contactSwitch) {
      const MasslessContact& massless = *system_.masslessContacts()[event.index];
      closed(at, event.index) = closed(at, event.index) == 0;
      system_.placeMasslessNodes(at.time, at.q, closedBlock(at));
      setPotentials(at, potentials(at));
      massless.addOverlapFunctional(at.q, event.functional);
      for (Entry& e : event.functional)
        e.value = -e.value;
    }
    else
      collect(event, at);
  }

  //! Functional and sides of a multiplier
  void Multisymplectic::collect(Event& event, const State& at) const
  {
    const double g = gap(event, at);
    ContactPoints rows;
    rows.clear(1);
    geometry_[event.index]->addPoints({at.time, 0, 0}, at.q, g, rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].multiplier == event.multiplier) {
        const auto functional = rows.functional(i, 0);
        event.functional.assign(functional.begin(), functional.end());
        event.normal = rows[i].unitImpulse(0);
      }
  }

} // namespace Dune::Impact
