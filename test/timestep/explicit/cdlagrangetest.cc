// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/explicit/cdlagrange.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "../scenes.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

TestSuite check(const std::string& name, const Scene& scene, const CDLagrange::Settings& settings,
                const CheckStepperOptions& options)
{
  TestSuite test(name);
  CDLagrange stepper(scene.system, scene.contacts, scene.dimension, settings);
  test.check(stepper.staggered() && stepper.variableStep() == (settings.landing != EventStep::none),
             "kind of the method");
  test.subTest(checkStepper(stepper, scene.system.initialState(), options));
  return test;
}

TestSuite testBarBetweenWalls()
{
  TestSuite test("bar between walls");
  for (double e : {0.0, 0.5, 1.0})
    for (double gravity : {0.0, -0.2})
      test.subTest(check("e = " + std::to_string(e), barBetweenWalls(8, e, gravity), {.step = 0.1},
                         {.steps = 300, .balance = 1e-13}));
  return test;
}

//! A spring that shrinks to a point cannot be stepped on
TestSuite testSpring()
{
  const Scene scene = rotatingSpring();
  CDLagrange stepper(scene.system, scene.contacts, 2, {.step = 0.05});
  StepReport report;
  State failing = stepper.start(scene.system.initialState(), report);
  failing.q = {-1.5, 0};
  failing.p = {0, 0};
  return check("rotating spring", scene, {.step = 0.05}, {.steps = 200, .failing = failing});
}

//! A bar with everything: pulled at one end, moved at the other, gravity
Scene drivenBar(bool massless)
{
  Scene scene;
  Bar::Settings settings{
    .name = "bar",
    .length = 1,
    .elements = 8,
    .tip = {Bar::Tip::massive, massless ? Bar::Tip::masslessShifted : Bar::Tip::massive},
    .motion = {.velocity = {0.3, 0, 0}},
    .gravity = {0.1, 0, 0}};
  scene.system.add(std::make_unique<Bar>(settings));
  scene.system.prescribe(scene.end(0, Bar::left), 0, Expression("0.05*sin(3*t)"));
  scene.system.add(std::make_unique<Load>(
    scene.system.point(0, 4), std::array{Expression("0.3*cos(2*t)"), Expression(), Expression()}));
  if (massless)
    scene.addMassless(
      std::make_shared<MasslessTip>(scene.side(0, Bar::right), wall(1.07, -1), 1.0, 0.07));
  else
    scene.add(
      std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::right)}, wall(1.07, -1)),
      {.restitution = 0.5});
  return scene;
}

TestSuite testDriven()
{
  TestSuite test("driven bar");
  for (bool start : {true, false})
    test.subTest(check("massive", drivenBar(false), {.step = 0.1, .halfStepStart = start},
                       {.steps = 400, .balance = 1e-13}));
  for (EventStep landing : {EventStep::none, EventStep::release, EventStep::both})
    test.subTest(check("massless, landing " + std::to_string(int(landing)), drivenBar(true),
                       {.step = 0.1, .landing = landing}, {.steps = 400, .balance = 1e-12}));
  return test;
}

//! Massless tips on moved walls, with landing, and an impact of the massive end on the other wall
TestSuite testMovedWall()
{
  TestSuite test("massless end and moved wall");
  for (const char* motion : {"0", "-0.02*t", "0.03*sin(2*t)"})
    for (EventStep landing : {EventStep::none, EventStep::release, EventStep::both}) {
      Scene scene;
      scene.system.add(
        std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                            .length = 1,
                                            .elements = 8,
                                            .tip = {Bar::Tip::massive, Bar::Tip::masslessShifted},
                                            .motion = {.velocity = {0.3, 0, 0}}}));
      auto moved = wall(1.07, -1);
      moved->setMotion({Expression(std::string(motion)), Expression(), Expression()});
      scene.addMassless(std::make_shared<MasslessTip>(scene.side(0, Bar::right), moved, 1.0, 0.07));
      scene.add(
        std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::left)}, wall(-0.1, 1)),
        {.restitution = 0.5});
      if (landing != EventStep::none && std::string(motion).find("sin") != std::string::npos)
        continue; // the wall must move uniformly for a step to end on the instant
      test.subTest(
        check(std::string("wall at ") + motion + ", landing " + std::to_string(int(landing)), scene,
              {.step = 0.1, .landing = landing}, {.steps = 400, .balance = 1e-12}));
    }
  return test;
}

//! Two bars with massless ends: landing must not get stuck in steps of rounding errors
TestSuite testLandingOfTwoBars()
{
  TestSuite test("landing of two bars");
  for (double offset : {0.0, 0.1, 0.3, 0.7}) {
    Scene scene;
    for (double side : {1.0, -1.0})
      scene.system.add(std::make_unique<Bar>(
        Bar::Settings{.name = "bar",
                      .length = 1,
                      .elements = side > 0 ? 7u : 5u,
                      .position = {side > 0 ? 0 : 1.05 + 0.01 * offset, 0, 0},
                      .tip = {side > 0 ? Bar::Tip::massive : Bar::Tip::masslessShifted,
                              side < 0 ? Bar::Tip::massive : Bar::Tip::masslessShifted},
                      .motion = {.velocity = {0.3 * side + 0.1, 0, 0}}}));
    scene.addMassless(std::make_shared<MasslessTip>(
      scene.side(0, Bar::right), scene.side(1, Bar::left), 1.0, 0.05 + 0.01 * offset));
    scene.add(std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::left)}, wall(-0.2, 1)),
              {.restitution = 1});
    scene.add(std::make_unique<PointObstacle>(std::vector{scene.end(1, Bar::right)}, wall(2.3, -1)),
              {.restitution = 1});
    CDLagrange stepper(scene.system, scene.contacts, 1, {.step = 0.1, .landing = EventStep::both});
    double shortest = 1;
    long landings = 0, tiny = 0;
    march(stepper, scene.system.initialState(), 20000,
          [&](const State& from, const State& to, const StepReport&) {
            shortest = std::min(shortest, to.time - from.time);
            tiny += to.time - from.time < 1e-9;
            landings = long(to.ledger.eventSteps);
          });
    test.check(landings > 50, "there are landings") << landings;
    test.check(tiny == 0, "no step is a rounding error")
      << tiny << " of " << landings << " landings, shortest " << shortest;
    test.subTest(check("two bars", scene, {.step = 0.1, .landing = EventStep::both},
                       {.steps = 500, .balance = 1e-12}));
  }
  return test;
}

//! A prescribed particle is the same as a moved obstacle
TestSuite testDriver()
{
  TestSuite test("driver");
  const Expression motion("0.2*sin(3*t)");
  Scene prescribed, obstacle;
  for (Scene* scene : {&prescribed, &obstacle})
    scene->system.add(std::make_unique<Particle>(Particle::Settings{.name = "ball",
                                                                    .dimension = 1,
                                                                    .mass = 2,
                                                                    .position = {0.3, 0, 0},
                                                                    .velocity = {-0.1, 0, 0},
                                                                    .gravity = {-1, 0, 0}}));
  prescribed.system.add(
    std::make_unique<Particle>(Particle::Settings{.name = "driver", .dimension = 1, .mass = 5}));
  prescribed.system.prescribe(prescribed.system.point(1, 0), 0, motion);
  prescribed.add(std::make_unique<FacePoint>(prescribed.system.point(0, 0),
                                             prescribed.system.point(1, 0), Vec3{-1, 0, 0}),
                 {.restitution = 0.6});
  auto moved = wall(0, 1);
  moved->setMotion({motion, Expression(), Expression()});
  obstacle.add(std::make_unique<PointObstacle>(std::vector{obstacle.system.point(0, 0)}, moved),
               {.restitution = 0.6});

  CDLagrange a(prescribed.system, prescribed.contacts, 1, {.step = 0.01}),
    b(obstacle.system, obstacle.contacts, 1, {.step = 0.01});
  std::vector<double> first, second;
  long impacts = 0;
  const auto see = [](std::vector<double>& list) {
    return [&list](const State&, const State& to, const StepReport&) {
      list.push_back(to.q[0]);
      list.push_back(to.p[0]);
      list.push_back(to.ledger.contactWork);
    };
  };
  march(a, prescribed.system.initialState(), 1000, see(first));
  march(b, obstacle.system.initialState(), 1000, see(second));
  march(b, obstacle.system.initialState(), 1000,
        [&](const State&, const State&, const StepReport& r) { impacts += r.contacts; });
  double worst = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    worst = std::max(worst, std::abs(first[i] - second[i]));
  test.check(impacts >= 5, "the ball is hit") << impacts;
  test.check(worst < 1e-10, "a prescribed particle is the same as a moved obstacle") << worst;
  test.subTest(check("prescribed", prescribed, {.step = 0.01}, {.steps = 500, .balance = 1e-12}));
  test.subTest(check("obstacle", obstacle, {.step = 0.01}, {.steps = 500, .balance = 1e-12}));
  return test;
}

//! Steps against the formulas, by hand
TestSuite testFormula()
{
  TestSuite test("first steps");
  Scene scene;
  scene.system.add(std::make_unique<Particle>(Particle::Settings{
    .name = "mass", .dimension = 1, .mass = 2, .position = {1, 0, 0}, .velocity = {0.5, 0, 0}}));
  scene.system.add(std::make_unique<Spring>(scene.system.point(0, 0), Vec3(0), 3.0, 0.0));
  for (bool half : {true, false}) {
    CDLagrange stepper(scene.system, scene.contacts, 1, {.step = 0.1, .halfStepStart = half});
    double x = 1, v = half ? 0.5 - 0.05 * 1.5 : 0.5;
    march(stepper, scene.system.initialState(), 50,
          [&](const State& from, const State& to, const StepReport& report) {
            test.check(std::abs(from.p[0] - 2 * v) < 1e-13, "momentum of the interval")
              << from.p[0];
            x += 0.1 * v;
            v -= 0.1 * 1.5 * x;
            test.check(std::abs(to.q[0] - (x - 1)) < 1e-13 &&
                         std::abs(to.time - 0.1 * double(to.step)) < 1e-14,
                       "position")
              << to.q[0];
            test.check(report.weight == 0.1 && report.contacts == 0, "report");
          });
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("cdlagrange");
  test.subTest(testBarBetweenWalls());
  test.subTest(testSpring());
  test.subTest(testDriven());
  test.subTest(testMovedWall());
  test.subTest(testLandingOfTwoBars());
  test.subTest(testDriver());
  test.subTest(testFormula());
  return test.exit();
}
