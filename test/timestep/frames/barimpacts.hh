// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_FRAMES_BARIMPACTS_HH
#define DUNE_IMPACT_TEST_TIMESTEP_FRAMES_BARIMPACTS_HH

#include <dune/impact/timestep/frames/multisymplectic.hh>

#include "../scenes.hh"
#include "barreference.hh"

/** \file
 * \brief Two bars that meet in x between 0 and the initial gap, as scenes for the multisymplectic
 * integrator
 */

namespace Dune::Impact::Test {

  constexpr double barStep = 0.015;
  constexpr long barSteps = 2667;

  //! Bar A ends at 0, bar B begins at the gap; area 1, density is the mass per length
  inline Scene barImpact(const BarReference& data, double gap = 1)
  {
    Scene scene;
    const auto tip = data.prolonged ? Bar::Tip::masslessSplit : Bar::Tip::massive;
    Bar::Settings a{.name = "A",
                    .length = 10,
                    .elements = 50,
                    .position = {-10, 0, 0},
                    .tip = {Bar::Tip::massive, tip},
                    .motion = {.velocity = {data.speedA, 0, 0}}};
    Bar::Settings b{.name = "B",
                    .length = data.lengthB,
                    .elements = std::size_t(std::lround(data.lengthB / data.elementB)),
                    .young = data.youngB,
                    .density = data.massB,
                    .position = {gap, 0, 0},
                    .tip = {tip, Bar::Tip::massive},
                    .motion = {.velocity = {data.speedB, 0, 0}}};
    scene.system.add(std::make_unique<Bar>(a));
    scene.system.add(std::make_unique<Bar>(b));
    if (data.prolonged)
      scene.addMassless(std::make_shared<MasslessTip>(scene.side(0, Bar::right),
                                                      scene.side(1, Bar::left), 1.0, gap));
    else
      scene.add(std::make_unique<FacePoint>(scene.end(0, Bar::right), scene.end(1, Bar::left),
                                            Vec3{1, 0, 0}));
    return scene;
  }

  //! What a run shows
  struct BarRun
  {
    std::vector<Multisymplectic::ContactInstant> instants;
    double energy = 0;      //!< at the start
    double energyError = 0; //!< largest, relative
    double endError = 0;
    double momentumDrift = 0;
    double minGap = std::numeric_limits<double>::infinity();
    State last;
    std::vector<MethodStatistic> statistics;
  };

  inline double figure(const std::vector<MethodStatistic>& statistics, const std::string& name)
  {
    for (const MethodStatistic& f : statistics)
      if (f.name == name)
        return f.value;
    return std::numeric_limits<double>::quiet_NaN();
  }

  //! Run and observe(from, to) each step
  template<class Observe>
  BarRun runBars(const Scene& scene, Multisymplectic& stepper, long steps, Observe&& observe)
  {
    BarRun run;
    const State initial = scene.system.initialState();
    StepReport report;
    const State first = stepper.start(initial, report);
    run.energy = Multisymplectic::intervalEnergy(first);
    const double momentum = scene.system.momenta(initial.q, initial.p).linear[0];
    run.last =
      march(stepper, initial, steps, [&](const State& from, const State& to, const StepReport& r) {
        run.endError = Multisymplectic::intervalEnergy(to) / run.energy - 1;
        run.energyError = std::max(run.energyError, std::abs(run.endError));
        run.momentumDrift = std::max(
          run.momentumDrift, std::abs(scene.system.momenta(to.q, to.p).linear[0] - momentum));
        run.minGap = std::min(run.minGap, r.minGap);
        run.instants.insert(run.instants.end(), stepper.instants().begin(),
                            stepper.instants().end());
        observe(from, to);
      });
    run.statistics = stepper.statistics(run.last);
    return run;
  }

  inline BarRun runBars(const Scene& scene, Multisymplectic& stepper, long steps = barSteps)
  {
    return runBars(scene, stepper, steps, [](const State&, const State&) {});
  }

} // namespace Dune::Impact::Test

#endif
