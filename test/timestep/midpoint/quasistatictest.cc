// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <iostream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/surfaceload.hh>

#include "solidscene.hh"

/* Static steps: bodies held by contact, prescribed motion, pressure that follows, obstacles that
 * move. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  template<int dim>
  typename Solid<dim>::Settings box(const AnyMaterial<dim>& material, int levels = 1)
  {
    std::array<int, dim> cells;
    cells.fill(2);
    return {.name = "box",
            .mesh = refineMesh(
              makeBox<dim>(FieldVector<double, dim>(0), FieldVector<double, dim>(1), cells), levels,
              "box"),
            .material = material,
            .density = 2};
  }

  //! The last state after a number of steps, with the report of the last one
  template<int dim>
  State run(SolidScene<dim>& scene, int steps, StepReport& report)
  {
    State state = scene.start(), next;
    for (int n = 0; n < steps; ++n, std::swap(state, next))
      scene.stepper->step(state, next, report);
    return state;
  }

  //! A ball above a plane has no support but contact: it comes down, and the plane carries its
  //! weight
  template<int dim>
  TestSuite testFloating()
  {
    TestSuite test("held by contact, dimension " + std::to_string(dim));
    SolidScene<dim> scene;
    auto ball = softBall<dim>(NeoHooke<dim>{soft}, 3, 1);
    ball.gravity = last<dim>(-1);
    scene.add(std::move(ball), std::make_shared<Plane>("floor", last<dim>(-10.7), last<dim>(1)));
    scene.build({.step = 1, .rule = makeRule<dim>(RuleName::quasiStatic)});
    StepReport report;
    const State state = run(scene, 1, report);
    const double weight = dynamic_cast<const Solid<dim>&>(scene.system.body(0)).mass();
    test.check(std::abs(report.impulse[dim - 1] - weight) < 1e-9 * weight,
               "contact carries the weight")
      << report.impulse[dim - 1] << " of " << weight;
    test.check(std::abs(report.minGap) < 1e-9, "it touches") << report.minGap;
    test.check(*std::max_element(state.p.begin(), state.p.end()) == 0, "no velocities");
    const Record record = scene.stepper->record(state, state);
    test.check(record.kinetic == 0 && record.stored.elastic > 0, "energies");
    return test;
  }

  /* Uniaxial strain: the top of a box on rollers goes down by a part of its height. Stored energy
   * and work are W(F) of the material. */
  template<int dim>
  TestSuite testMotion(const AnyMaterial<dim>& material, const char* name)
  {
    TestSuite test(std::string("prescribed motion, ") + name + ", dimension " +
                   std::to_string(dim));
    std::vector<double> lost;
    for (int steps : {2, 4, 8}) {
      SolidScene<dim> scene;
      auto settings = box<dim>(material);
      settings.supports = {{"xmin", {true, false, false}}, {"xmax", {true, false, false}}};
      if (dim == 3) {
        settings.supports.push_back({"ymin", {false, true, false}});
        settings.supports.push_back({"ymax", {false, true, false}});
      }
      const std::string low = dim == 2 ? "ymin" : "zmin", high = dim == 2 ? "ymax" : "zmax";
      std::array<bool, 3> vertical = {false, dim == 2, dim == 3};
      settings.supports.push_back({low, vertical});
      scene.add(std::move(settings));
      for (std::size_t node : dynamic_cast<const Solid<dim>&>(scene.system.body(0)).patch(high))
        scene.system.prescribe(scene.system.point(0, node), dim - 1, Expression("-0.1*t"));
      scene.build({.step = 1.0 / steps, .rule = makeRule<dim>(RuleName::quasiStatic)});
      StepReport report;
      const State state = run(scene, steps, report);
      const Record record = scene.stepper->record(state, state);
      const double strain = 0.5 * (0.9 * 0.9 - 1),
                   energy = 0.5 * (soft.lambda + 2 * soft.mu) * strain * strain;
      if (std::holds_alternative<StVenantKirchhoff<dim>>(material))
        test.check(std::abs(record.stored.elastic - energy) < 1e-10 * energy, "stored energy")
          << record.stored.elastic << " of " << energy;
      test.check(std::abs(record.total() + record.dissipated - record.externalWork) <
                   1e-10 * record.total(),
                 "ledger")
        << record.total() + record.dissipated - record.externalWork;
      lost.push_back(std::abs(record.dissipated) / record.total());
    }
    std::cout << test.name() << ": defect of the work " << lost[0] << " " << lost[1] << " "
              << lost[2] << std::endl;
    test.check(lost[1] < 0.3 * lost[0] && lost[2] < 0.3 * lost[1], "the work converges")
      << lost[0] << " " << lost[1] << " " << lost[2];
    return test;
  }

  //! A load that jumps does twice the work that a linear body stores; the rest is lost
  TestSuite testJump()
  {
    TestSuite test("load that jumps");
    SolidScene<2> scene;
    auto settings = box<2>(LinearElastic<2>{soft});
    settings.supports = {{"ymin"}};
    scene.add(std::move(settings));
    const auto& mesh = dynamic_cast<const Solid<2>&>(scene.system.body(0)).mesh();
    scene.system.add(std::make_unique<SurfaceLoad<2>>(
      mesh, *mesh.findPatch("ymax"), SurfaceLoad<2>::Offsets{},
      std::array<Expression, 3>{Expression(0.01), Expression(0.02), Expression()}));
    scene.build({.step = 1, .rule = makeRule<2>(RuleName::quasiStatic)});
    StepReport report;
    const State state = run(scene, 2, report);
    const Record record = scene.stepper->record(state, state);
    test.check(std::abs(record.externalWork - 2 * record.stored.elastic) <
                 1e-10 * record.externalWork,
               "work")
      << record.externalWork << " " << record.stored.elastic;
    test.check(std::abs(record.dissipated - record.stored.elastic) < 1e-10 * record.externalWork,
               "lost")
      << record.dissipated;
    return test;
  }

  //! A pressure that follows all of the surface of a box on rollers compresses it evenly
  template<int dim>
  TestSuite testFollower()
  {
    TestSuite test("pressure that follows, dimension " + std::to_string(dim));
    SolidScene<dim> scene;
    auto settings = box<dim>(NeoHooke<dim>{soft});
    settings.supports = {{"xmin", {true, false, false}}, {"ymin", {false, true, false}}};
    if (dim == 3)
      settings.supports.push_back({"zmin", {false, false, true}});
    scene.add(std::move(settings));
    const auto& mesh = dynamic_cast<const Solid<dim>&>(scene.system.body(0)).mesh();
    for (std::size_t patch = 0; patch < mesh.patches.size(); ++patch)
      scene.system.add(std::make_unique<SurfaceLoad<dim>>(
        mesh, int(patch), typename SurfaceLoad<dim>::Offsets{}, Expression("0.2*t"), true));
    scene.build({.step = 0.25, .rule = makeRule<dim>(RuleName::quasiStatic)});
    StepReport report;
    const State state = run(scene, 4, report);
    // all stretches are s: find it from the positions, then compare the pressure, -dW/ds = p
    // d(s^dim)/ds
    FieldVector<double, dim> low(1e9), high(-1e9);
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
      for (int c = 0; c < dim; ++c) {
        low[c] = std::min(low[c], mesh.nodes[i][c] + state.q[i * dim + c]);
        high[c] = std::max(high[c], mesh.nodes[i][c] + state.q[i * dim + c]);
      }
    const double s = high[0] - low[0];
    for (int c = 1; c < dim; ++c)
      test.check(std::abs(high[c] - low[c] - s) < 1e-9, "even compression")
        << s << " " << high[c] - low[c];
    const auto energy = [&](double stretch) {
      std::vector<double> u(mesh.nodes.size() * dim);
      for (std::size_t i = 0; i < u.size(); ++i)
        u[i] = (stretch - 1) * mesh.nodes[i / dim][i % dim];
      return dynamic_cast<const Solid<dim>&>(scene.system.body(0)).storedEnergy(u);
    };
    const double pressure =
      -(energy(s + 1e-5) - energy(s - 1e-5)) / (std::pow(s + 1e-5, dim) - std::pow(s - 1e-5, dim));
    test.check(std::abs(pressure - 0.2) < 1e-8, "pressure") << pressure;
    return test;
  }

  //! A plane that moves down on a box does the work that the box stores
  template<int dim>
  TestSuite testMovingObstacle()
  {
    TestSuite test("moving obstacle, dimension " + std::to_string(dim));
    SolidScene<dim> scene;
    auto settings = box<dim>(LinearElastic<dim>{soft});
    settings.supports = {{dim == 2 ? "ymin" : "zmin"}};
    auto press = std::make_shared<Plane>("press", last<dim>(1.01), last<dim>(-1));
    std::array<Expression, 3> motion;
    motion[dim - 1] = Expression("-0.05*t");
    press->setMotion(motion);
    scene.add(std::move(settings), press);
    scene.build({.step = 0.1, .rule = makeRule<dim>(RuleName::quasiStatic)});
    StepReport report;
    const State state = run(scene, 10, report);
    const Record record = scene.stepper->record(state, state);
    test.check(std::abs(report.minGap) < 1e-10 && report.contacts > 3, "it touches")
      << report.minGap;
    test.check(std::abs(record.total() + record.dissipated - record.externalWork) <
                 1e-10 * record.total(),
               "ledger");
    test.check(std::abs(record.dissipated) < 0.01 * record.total(), "nearly all work is stored")
      << record.dissipated << " of " << record.total();
    return test;
  }

  //! A plane presses on a box without weight and goes away again: the box stays at rest, however
  //! long nothing acts on it
  TestSuite testLeftAlone()
  {
    TestSuite test("left alone");
    SolidScene<2> scene;
    auto settings = box<2>(NeoHooke<2>{soft});
    settings.supports = {{"ymin"}};
    auto press = std::make_shared<Plane>("press", last<2>(1), last<2>(-1));
    press->setMotion({Expression(), Expression("-0.1*sin(t)"), Expression()});
    scene.add(std::move(settings), press);
    scene.build({.step = 0.1, .rule = makeRule<2>(RuleName::quasiStatic)});
    StepReport report;
    run(scene, 15, report);
    test.check(report.contacts > 3, "pressed") << report.contacts;
    const State state = run(scene, 60, report);
    double farthest = 0;
    for (double u : state.q)
      farthest = std::max(farthest, std::abs(u));
    test.check(report.contacts == 0 && farthest < 1e-15, "as it was at the start") << farthest;
    return test;
  }

  //! A step that takes too many iterations is halved; if it must not be, the run ends with a reason
  TestSuite testHalving()
  {
    TestSuite test("halving");
    const auto press = [](int maxIterations, double minStep) {
      auto scene = std::make_unique<SolidScene<2>>();
      auto settings = box<2>(NeoHooke<2>{soft});
      settings.supports = {{"ymin"}};
      scene->add(std::move(settings));
      for (std::size_t node : dynamic_cast<const Solid<2>&>(scene->system.body(0)).patch("ymax"))
        scene->system.prescribe(scene->system.point(0, node), 1, Expression("-0.15*t"));
      scene->build({.step = 1,
                    .rule = makeRule<2>(RuleName::quasiStatic),
                    .sqp = {.maxIterations = maxIterations},
                    .minStep = minStep});
      return scene;
    };
    StepReport report;
    const auto whole = press(100, 1);
    const State reference = run(*whole, 1, report);
    const int needed = report.solve.iterations;
    const auto halved = press(needed - 1, 1e-3);
    const State state = run(*halved, 1, report);
    test.check(state.step == 1 && state.time == 1, "one step");
    double difference = 0;
    for (std::size_t i = 0; i < state.q.size(); ++i)
      difference = std::max(difference, std::abs(state.q[i] - reference.q[i]));
    test.check(difference < 1e-9, "same equilibrium") << difference;
    test.check(report.solve.iterations > needed, "more iterations, in parts")
      << report.solve.iterations << " " << needed;
    const auto failing = press(needed - 1, 1);
    std::string reason;
    try {
      run(*failing, 1, report);
    }
    catch (const RunError& error) {
      reason = error.what();
    }
    test.check(reason.find("was not solved") != std::string::npos, "reason") << reason;
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testFloating<2>());
  test.subTest(testFloating<3>());
  test.subTest(testMotion<2>(StVenantKirchhoff<2>{soft}, "St. Venant-Kirchhoff"));
  test.subTest(testMotion<3>(StVenantKirchhoff<3>{soft}, "St. Venant-Kirchhoff"));
  test.subTest(testMotion<2>(NeoHooke<2>{soft}, "neo-Hooke"));
  test.subTest(testJump());
  test.subTest(testFollower<2>());
  test.subTest(testFollower<3>());
  test.subTest(testLeftAlone());
  test.subTest(testMovingObstacle<2>());
  test.subTest(testMovingObstacle<3>());
  test.subTest(testHalving());
  return test.exit();
}
