// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

#include "rules.hh"

/* Free flight of a stretched spinning disc, and bodies thrown on obstacles, with the three rules.
 */

using namespace Dune;
using namespace Dune::Impact;
using Test::makeRule, Test::RuleName;

namespace {

  const Lame soft = Lame::fromYoung(1.0, 0.3);

  template<int dim>
  struct Scene
  {
    System system;
    std::vector<Contact> contacts;
    std::unique_ptr<ImplicitStepper<dim>> stepper;
  };

  //! What a run showed
  struct Flight
  {
    double initialEnergy = 0, angularMomentum = 0, energyError = 0, largestRise = 0,
           momentumError = 0, angularError = 0;
    double overlap = 0, impulse = 0;
    double iterations = 0;
    double slack = 0;
  };

  template<int dim>
  Flight fly(Scene<dim>& scene, State state, long steps)
  {
    Flight flight;
    StepReport report;
    State next;
    const Record first = scene.stepper->record(state, state);
    flight.initialEnergy = first.total();
    flight.angularMomentum = first.momenta.angular[2];
    double last = first.total();
    for (long n = 0; n < steps; ++n) {
      scene.stepper->step(state, next, report);
      const Record record = scene.stepper->record(state, next);
      const double total = record.total() - record.externalWork;
      flight.energyError = std::max(flight.energyError, std::abs(total - first.total()));
      flight.largestRise = std::max(flight.largestRise, total - last);
      flight.momentumError = std::max(
        flight.momentumError, (record.momenta.linear - first.momenta.linear).infinity_norm());
      flight.angularError = std::max(
        flight.angularError, (record.momenta.angular - first.momenta.angular).infinity_norm());
      flight.iterations += double(report.solve.iterations) / double(steps);
      flight.overlap = std::max(flight.overlap, -report.minGap);
      flight.slack = std::max(flight.slack, scene.stepper->slack());
      for (double impulse : report.pairImpulse)
        flight.impulse += impulse;
      last = total;
      std::swap(state, next);
    }
    return flight;
  }

  //! x = X + stretch (X - 80, -(Y - 52)), v = (2, 0.3) + 0.04 (Y - 52, -(X - 80))
  Flight freeFlight(RuleName rule, const AnyMaterial<2>& material, double stretch, double step)
  {
    Scene<2> scene;
    Solid<2>::Settings settings{
      .name = "ball",
      .mesh =
        refineMesh(readGmsh<2>(std::string(DUNE_IMPACT_TEST_DATA) + "/ball_coarse.msh"), 0, "ball"),
      .material = material,
      .density = 1e-4};
    const auto nodes = settings.mesh.nodes;
    scene.system.add(std::make_unique<Solid<2>>(std::move(settings)));
    scene.stepper = std::make_unique<ImplicitStepper<2>>(
      scene.system, scene.contacts,
      ImplicitStepper<2>::Settings{
        .step = step, .rule = makeRule<2>(rule), .sqp = {.tolerance = 1e-12}});
    StepReport report;
    State state = scene.stepper->start(scene.system.initialState(), report);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double X = nodes[i][0] - 80, Y = nodes[i][1] - 52;
      state.q[2 * i] = stretch * X;
      state.q[2 * i + 1] = -stretch * Y;
      state.p[2 * i] = 2 + 0.04 * Y;
      state.p[2 * i + 1] = 0.3 - 0.04 * X;
    }
    return fly(scene, state, std::lround(40 / step));
  }

  TestSuite freeFlightReference()
  {
    TestSuite test("free flight");
    struct Case
    {
      const char* name;
      RuleName rule;
      AnyMaterial<2> material;
      double stretch, step, initial, error;
      bool exact;
    };
    const StVenantKirchhoff<2> stvk{soft};
    const NeoHooke<2> neo{soft};
    for (const Case& c : {Case{"dissipative 0.002 tau 1", RuleName::dissipative, stvk, 0.002, 1,
                               2.410566283303447, 0, true},
                          Case{"midpoint 0.002 tau 1", RuleName::midpoint, stvk, 0.002, 1,
                               2.410566283303447, 0.003329781958500533, false},
                          Case{"modified 0.002 tau 1", RuleName::modified, stvk, 0.002, 1,
                               2.410566283303447, 0.003329781958500533, false},
                          Case{"dissipative 0.02 tau 0.5", RuleName::dissipative, stvk, 0.02, 0.5,
                               4.799771717418376, 0, true},
                          Case{"midpoint 0.02 tau 0.5", RuleName::midpoint, stvk, 0.02, 0.5,
                               4.799771717418376, 0.048905810846583186, false},
                          Case{"midpoint 0.02 tau 0.25", RuleName::midpoint, stvk, 0.02, 0.25,
                               4.799771717418376, 0.04383930750190679, false},
                          Case{"dissipative 0.02 tau 1", RuleName::dissipative, stvk, 0.02, 1,
                               4.799771717418376, 0, true},
                          Case{"neo-Hooke midpoint 0.02 tau 1", RuleName::midpoint, neo, 0.02, 1,
                               4.799771926593962, 0.1034205731393234, false},
                          Case{"neo-Hooke dissipative 0.02 tau 1", RuleName::dissipative, neo, 0.02,
                               1, 4.799771926593962, 0, true},
                          Case{"neo-Hooke dissipative 0.05 tau 0.5", RuleName::dissipative, neo,
                               0.05, 0.5, 17.489611951468362, 0, true},
                          Case{"neo-Hooke midpoint 0.05 tau 0.5", RuleName::midpoint, neo, 0.05,
                               0.5, 17.489611951468362, 3.0742539614936213, false}}) {
      const Flight flight = freeFlight(c.rule, c.material, c.stretch, c.step);
      std::cout << c.name << ": dE " << flight.energyError << " dP " << flight.momentumError
                << " dL " << flight.angularError << " its " << flight.iterations << std::endl;
      test.check(std::abs(flight.initialEnergy - c.initial) < 1e-11 * c.initial, c.name)
        << "initial energy " << flight.initialEnergy << " expected " << c.initial;
      test.check(std::abs(flight.angularMomentum + 101.874895366559) < 1e-9, c.name)
        << "angular momentum " << flight.angularMomentum;
      if (c.exact)
        test.check(flight.energyError < 1e-11 * c.initial, c.name)
          << "energy changes by " << flight.energyError;
      else
        test.check(std::abs(flight.energyError - c.error) < 1e-6 * c.error, c.name)
          << "energy changes by " << flight.energyError << " expected " << c.error;
      test.check(flight.momentumError < 1e-11 && flight.angularError < 1e-9, c.name)
        << "momenta change by " << flight.momentumError << " and " << flight.angularError;
    }
    return test;
  }

  //! A ball that flies against a plane below it, with sideways speed and spin
  template<int dim>
  Flight throwOnPlane(RuleName rule, const AnyMaterial<dim>& material, int levels, double step,
                      long steps, bool multigrid, ObstacleGapKind kind = ObstacleGapKind::nodal)
  {
    Scene<dim> scene;
    typename Solid<dim>::Settings settings{
      .name = "ball",
      .mesh = refineMesh(makeBall<dim>(10, 2), levels, "ball"),
      .material = material,
      .density = 1e-4,
      .motion = {.velocity = {0.5, 0, 0}, .spin = {0, 0, 0.01}}};
    settings.motion.velocity[dim - 1] = -1;
    auto surface = makeContactSurface<dim>(settings.mesh, std::nullopt, 0, 0);
    scene.system.add(std::make_unique<Solid<dim>>(std::move(settings)));
    Vec3 point(0), normal(0);
    point[dim - 1] = -10.5;
    normal[dim - 1] = 1;
    scene.contacts.push_back(
      {"floor", std::make_unique<ObstacleGap<dim>>(
                  std::move(surface), std::make_shared<Plane>("floor", point, normal), kind)});
    scene.stepper = std::make_unique<ImplicitStepper<dim>>(
      scene.system, scene.contacts,
      typename ImplicitStepper<dim>::Settings{
        .step = step, .rule = makeRule<dim>(rule), .multigrid = multigrid});
    StepReport report;
    return fly(scene, scene.stepper->start(scene.system.initialState(), report), steps);
  }

  template<int dim>
  TestSuite bounce()
  {
    TestSuite test("bounce on a plane, dimension " + std::to_string(dim));
    const int levels = dim == 2 ? 2 : 1;
    for (const auto& [name, material] : {std::pair<const char*, AnyMaterial<dim>>{
                                           "St. Venant-Kirchhoff", StVenantKirchhoff<dim>{soft}},
                                         {"neo-Hooke", NeoHooke<dim>{soft}}})
      for (bool multigrid : {true, false}) {
        const Flight flight =
          throwOnPlane<dim>(RuleName::dissipative, material, levels, 0.2, 40, multigrid);
        std::cout << dim << "D " << name << (multigrid ? " multigrid" : " direct") << ": impulse "
                  << flight.impulse << " rise " << flight.largestRise << " slack " << flight.slack
                  << " overlap " << flight.overlap << " its " << flight.iterations << std::endl;
        test.check(flight.impulse > 0, name) << "there is contact";
        test.check(flight.largestRise <= flight.slack + 1e-13 * flight.initialEnergy, name)
          << "energy rises by " << flight.largestRise << ", slack " << flight.slack;
        test.check(flight.overlap < 1e-9, name) << "overlap " << flight.overlap;
      }
    for (RuleName rule : {RuleName::midpoint, RuleName::modified}) {
      const Flight flight =
        throwOnPlane<dim>(rule, StVenantKirchhoff<dim>{soft}, levels, 0.2, 40, true);
      const char* name = rule == RuleName::midpoint ? "midpoint" : "modified";
      std::cout << dim << "D " << name << ": impulse " << flight.impulse << " rise "
                << flight.largestRise << " overlap " << flight.overlap << " its "
                << flight.iterations << std::endl;
      test.check(flight.impulse > 0, name) << "there is contact";
      if (rule == RuleName::modified)
        test.check(flight.overlap < 1e-9, name) << "overlap " << flight.overlap;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(freeFlightReference());
  test.subTest(bounce<2>());
  test.subTest(bounce<3>());
  return test.exit();
}
