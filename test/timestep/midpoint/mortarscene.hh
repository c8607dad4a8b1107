// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_MIDPOINT_MORTARSCENE_HH
#define DUNE_IMPACT_TEST_TIMESTEP_MIDPOINT_MORTARSCENE_HH

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/placement.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

#include "rules.hh"

// A soft ball on a soft block, or two free discs, and runs of them in which every step is looked at

namespace Dune::Impact {

  using Test::makeRule, Test::RuleName;

  struct Setup
  {
    RuleName rule = RuleName::dissipative;
    double step = 1;
    double spin = 0.04; //!< clockwise: rolls forward
    Vec3 velocity = {2, 0, 0};
    Vec3 shift = {0, 0, 0}; //!< of the ball
    double gravity = 9.81e-3;
    double reach = 3;
    double returned = 0;
    double friction = 0;
    SqpSettings sqp = {};
    bool secondDisc = false; //!< a free disc instead of the block
    bool wholeEdges = false; //!< closest point with 8 points per edge, without segments
  };

  //! Bodies, contact and stepper of a set-up
  struct Scene
  {
    explicit Scene(const Setup& setup)
    {
      addBody("ball", "ball_coarse.msh", setup.shift, 0, setup);
      if (setup.secondDisc) {
        // turned by 0.3 about its centre (80, 52), which goes to (100, -46)
        const double c = std::cos(0.3), s = std::sin(0.3);
        addBody("other", "ball_coarse.msh", {100 - (80 * c - 52 * s), -46 - (80 * s + 52 * c), 0},
                0.3, setup);
      }
      else
        addBody("block", "block_coarse.msh", {0, 0, 0}, 0, setup);
      const auto& second = dynamic_cast<const Solid<2>&>(system.body(1)).mesh();
      const auto& first = dynamic_cast<const Solid<2>&>(system.body(0)).mesh();
      contacts.push_back(
        {"contact",
         std::make_unique<MortarGap<2>>(
           makeContactSurface<2>(first, first.findPatch("contact_nonmortar"), 0, 0),
           makeContactSurface<2>(
             second, second.findPatch(setup.secondDisc ? "contact_nonmortar" : "contact_mortar"), 1,
             first.nodes.size()),
           mortarSettings(setup)),
         {.friction = setup.friction}});
      ImplicitStepper<2>::Settings settings{
        .step = setup.step, .rule = makeRule<2>(setup.rule, setup.returned), .sqp = setup.sqp};
      stepper = std::make_unique<ImplicitStepper<2>>(system, contacts, settings);
    }

    static MortarSettings mortarSettings(const Setup& setup)
    {
      MortarSettings settings{.window = GapWindow{-setup.reach, setup.reach}};
      if (setup.wholeEdges) {
        settings.gap = MortarGapKind::closestPoint;
        settings.facetPoints = 8;
      }
      return settings;
    }

    void addBody(const std::string& name, const std::string& file, const Vec3& position,
                 double angle, const Setup& setup)
    {
      const bool moves = name == "ball";
      auto mesh = refineMesh(readGmsh<2>(std::string(DUNE_IMPACT_TEST_DATA) + "/" + file), 0, file);
      placeMesh<2>(mesh, position, {0, 0, angle});
      Solid<2>::Settings settings{.name = name,
                                  .mesh = std::move(mesh),
                                  .material = StVenantKirchhoff<2>{Lame::fromYoung(1.0, 0.3)},
                                  .density = 1e-4,
                                  .motion = {.velocity = moves ? setup.velocity : Vec3(0),
                                             .spin = {0, 0, moves ? -setup.spin : 0}},
                                  .gravity = {0, -setup.gravity, 0}};
      if (name == "block")
        settings.supports = {{.patch = "clamped"}};
      system.add(std::make_unique<Solid<2>>(std::move(settings)));
    }

    System system;
    std::vector<Contact> contacts;
    std::unique_ptr<ImplicitStepper<2>> stepper;
  };

  //! A step with everything to look at
  struct Step
  {
    const State& from;
    const State& to;
    const StepReport& report;
    Record record;
  };

  //! What a run showed
  struct Run
  {
    double initial = 0, change = 0, gain = 0, largestRise = 0, slack = 0, balance = 0, overlap = 0,
           work = 0;
    double momentum = 0, angular = 0;
    double contactIterations = 0;
    int contactSteps = 0, mostIterations = 0;
  };

  //! -mu.max(0, c(x)): the loss that the dissipative rule promises
  inline double promisedLoss(const Scene& scene, const Step& step)
  {
    WeightedGaps<2> gaps;
    scene.contacts[0].geometry.find<WeightedGapGeometry<2>>()->addGaps(step.from.time, step.from.q,
                                                                       0, gaps);
    double loss = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p)
      loss += step.to.history[0].values[gaps[p].multiplier] * std::max(0.0, gaps[p].value);
    return loss;
  }

  template<class Look>
  Run run(const Setup& setup, long steps, Look&& look)
  {
    Scene scene(setup);
    Run result;
    StepReport report;
    State state = scene.stepper->start(scene.system.initialState(), report), next;
    Record last = scene.stepper->record(state, state);
    const Record first = last;
    result.initial = first.kinetic + first.stored.elastic;
    for (long n = 0; n < steps; ++n) {
      scene.stepper->step(state, next, report);
      const Record record = scene.stepper->record(state, next);
      const Step step{state, next, report, record};
      const double work = next.ledger.contactWork - state.ledger.contactWork,
                   drift = next.ledger.stepWork - state.ledger.stepWork;
      double expected = work + drift;
      if (setup.rule == RuleName::dissipative && setup.returned == 0)
        expected =
          -promisedLoss(scene, step) + next.ledger.frictionWork - state.ledger.frictionWork;
      result.balance = std::max(result.balance, std::abs(record.total() - last.total() - expected) -
                                                  scene.stepper->slack());
      result.slack = std::max(result.slack, scene.stepper->slack());
      result.largestRise =
        std::max(result.largestRise, record.total() - last.total() - scene.stepper->slack());
      result.change = record.total() - first.total();
      result.gain = std::max(result.gain, result.change);
      result.overlap = std::max(result.overlap, -report.minGap);
      if (next.time > 19.9 && next.time < 30)
        result.work += work;
      result.momentum =
        std::max(result.momentum, (record.momenta.linear - first.momenta.linear).infinity_norm());
      result.angular =
        std::max(result.angular, (record.momenta.angular - first.momenta.angular).infinity_norm());
      if (report.contacts > 0) {
        ++result.contactSteps;
        result.contactIterations += report.solve.iterations;
      }
      result.mostIterations = std::max(result.mostIterations, report.solve.iterations);
      look(scene, step);
      last = record;
      std::swap(state, next);
    }
    result.contactIterations /= std::max(1, result.contactSteps);
    return result;
  }

  inline Run run(const Setup& setup, long steps)
  {
    return run(setup, steps, [](const Scene&, const Step&) {});
  }

  //! Balance of every step, and for the dissipative rule no rise of the energy
  inline void checkBalance(TestSuite& test, const std::string& name, const Setup& setup,
                           const Run& run)
  {
    const double roundOff = 1e-12 * run.initial;
    test.check(run.balance <= roundOff, name)
      << "energy balance of a step is wrong by " << run.balance;
    if (setup.rule == RuleName::dissipative)
      test.check(run.largestRise <= roundOff, name)
        << "energy rises by " << run.largestRise << " in a step";
    if (setup.rule != RuleName::midpoint)
      test.check(run.overlap < 1e-9, name) << "overlap " << run.overlap;
  }

} // namespace Dune::Impact

#endif
