// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_DOWNSTREAM_VERLET_HH
#define DUNE_IMPACT_DOWNSTREAM_VERLET_HH

#include <dune/impact/scenario/registry.hh>
#include <dune/impact/timestep/impulse/contactimpulses.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \brief A stepper of one's own: velocity Verlet with impacts at the ends of the steps
 */

using namespace Dune::Impact;

/** \brief Velocity Verlet with contact impulses
 *
 *     p* = p_0 + h/2 F(q_0),   q_1 = q_0 + h M^{-1} p*,   p_1 = p* + h/2 F(q_1) + G^T r
 *
 * with impulses r at the points whose gap at q_1 is not above the tolerance. Positions and momenta
 * live at the same instants. Momenta are exact, the energy of elastic bodies is kept up to h^2.
 */
class Verlet : public Stepper
{
public:
  struct Settings
  {
    double step;
    double gapTolerance = 0;
  };

  //! System and contacts must outlive the stepper
  Verlet(const System& system, const std::vector<Contact>& contacts, int dimension,
         const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , impulses_(system, contacts, dimension)
  {}

  State start(const State& initial, StepReport& report) override
  {
    State state = initial;
    state.history = {{"impulse", 1, {}}};
    report.begin(system_.bodyCount(), contacts_.size(), 0);
    impulses_.collect({state.time, 0, settings_.step}, state.q, settings_.gapTolerance);
    impulses_.reportGaps(report);
    return state;
  }

  void step(const State& from, State& to, StepReport& report) override
  {
    const double h = settings_.step;
    to = from;
    to.step = from.step + 1;
    to.time = double(to.step) * h;
    half_ = from.p;
    system_.addForce(from.time, from.q, 0.5 * h, half_);
    system_.drift(from.q, half_, h, to.q, to.p);
    system_.addForce(to.time, to.q, 0.5 * h, to.p);

    report.begin(system_.bodyCount(), contacts_.size(), h);
    impulses_.collect({to.time, h, h}, to.q, settings_.gapTolerance);
    impulses_.reportGaps(report);
    before_ = to.p;
    impulses_.kick(to.q, before_, to.p, to.history[0].values, report, to.ledger);
  }

  Record record(const State&, const State& to) const override
  {
    return {.step = to.step,
            .time = to.time,
            .kinetic = system_.kinetic(to.q, to.p),
            .stored = system_.potentials(to.time, to.q),
            .momenta = system_.momenta(to.q, to.p),
            .dissipated = to.ledger.dissipation(),
            .externalWork = to.ledger.externalWork};
  }

  RecordedMomenta recordedMomenta(const State&, const State& to) const override
  {
    return {to.q, to.p};
  }
  bool staggered() const override { return false; }
  bool variableStep() const override { return false; }

private:
  const System& system_;
  const std::vector<Contact>& contacts_;
  Settings settings_;
  ContactImpulses impulses_;
  std::vector<double> half_, before_; //!< scratch
};

//! `method = verlet` in scenario files
inline MethodType verletMethod()
{
  return {.name = "verlet",
          .summary = "velocity Verlet with impacts at the ends of the steps",
          .keys = {},
          .bodies = {"particle", "bar", "plane", "cavity", "sphere", "cylinder"},
          .conditionallyStable = true,
          .restitutionLaws = true,
          .build = [](const MethodInput& input) -> std::unique_ptr<Stepper> {
            if (!input.scene.system.masslessContacts().empty())
              input.section.fail("method", "verlet cannot handle ends without mass");
            for (const auto& interaction : input.scene.system.interactions())
              if (interaction->external())
                input.section.fail("method", "verlet keeps no account of the work of loads");
            return std::make_unique<Verlet>(
              input.scene.system, input.scene.contacts, input.scene.dimension,
              Verlet::Settings{.step = input.step, .gapTolerance = input.gapTolerance});
          }};
}

#endif
