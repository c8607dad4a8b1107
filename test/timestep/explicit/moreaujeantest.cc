// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/timestep/explicit/moreaujean.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "../scenes.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

TestSuite testContract()
{
  TestSuite test("contract");
  for (double e : {0.0, 0.5, 1.0})
    for (double gravity : {0.0, -0.2}) {
      const Scene scene = barBetweenWalls(8, e, gravity);
      MoreauJean stepper(scene.system, scene.contacts, 1, {.step = 0.1});
      test.check(!stepper.staggered() && !stepper.variableStep(), "kind of the method");
      test.subTest(
        checkStepper(stepper, scene.system.initialState(), {.steps = 200, .balance = 1e-12}));
      MoreauJean damped(scene.system, scene.contacts, 1, {.step = 0.1, .theta = 1});
      test.subTest(checkStepper(damped, scene.system.initialState(), {.steps = 200}));
    }

  // a spring in a circle: the step is nonlinear; one that ends in a point has no force
  const Scene scene = rotatingSpring();
  MoreauJean stepper(scene.system, scene.contacts, 2, {.step = 0.05});
  StepReport report;
  State failing = stepper.start(scene.system.initialState(), report);
  failing.q = {-1.5, 0};
  test.subTest(
    checkStepper(stepper, scene.system.initialState(), {.steps = 200, .failing = failing}));
  return test;
}

TestSuite testLoad()
{
  TestSuite test("load and moved wall");
  Scene scene = barBetweenWalls(5, 0.5);
  scene.system.add(std::make_unique<Load>(
    scene.system.point(0, 3), std::array{Expression("0.3*cos(2*t)"), Expression(), Expression()}));
  auto moved = wall(1.1, -1);
  moved->setMotion({Expression("0.03*sin(2*t)"), Expression(), Expression()});
  scene.contacts[1].geometry =
    std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::right)}, moved);
  MoreauJean stepper(scene.system, scene.contacts, 1, {.step = 0.05});
  test.subTest(
    checkStepper(stepper, scene.system.initialState(), {.steps = 500, .balance = 1e-12}));
  return test;
}

//! Half model of two bars: a steel bar of 50 elements on a wall
TestSuite testSteelBar()
{
  TestSuite test("steel bar on a wall");
  Scene scene;
  scene.system.add(std::make_unique<Bar>(Steel::bar(50)));
  scene.add(std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::right)},
                                            wall(Steel::length + Steel::distance, -1)));
  const double tau = 7.855898763774052e-07;
  MoreauJean stepper(scene.system, scene.contacts, 1, {.step = tau, .gapTolerance = 1e-12});
  double first = 0, last = 0, impulse = 0, firstImpulse = 0, energy = 0, velocity = 0;
  march(stepper, scene.system.initialState(), long(2e-4 / tau + 1e-9),
        [&](const State& from, const State& to, const StepReport& report) {
          if (report.contacts > 0) {
            if (first == 0) {
              first = to.time;
              firstImpulse = report.pairImpulse[0];
            }
            last = to.time;
            impulse += report.pairImpulse[0];
          }
          energy = stepper.record(from, to).total();
          velocity = to.p.back() / scene.bar(0).nodeMass(50);
        });
  const auto expect = [&](double value, double reference, const char* what) {
    test.check(std::abs(value - reference) <= 1e-9 * std::abs(reference), what)
      << value << " instead of " << reference;
  };
  expect(first, 4.0850673571625075e-05, "first impulse: time");
  expect(firstImpulse, 0.08231690102444741, "first impulse");
  expect(last, 0.00013983499799517812, "last impulse: time");
  expect(impulse, 12.672215997292081, "sum of impulses");
  expect(energy, 15.863882872438476, "energy at the end");
  expect(velocity, -5.503893424043782, "velocity of the contact node at the end");
  return test;
}

//! Rounding of large displacements must not be taken for a failure of Newton's method
TestSuite testFarFlight()
{
  TestSuite test("far flight");
  Scene scene;
  scene.system.add(std::make_unique<Bar>(Steel::bar(50)));
  scene.system.add(std::make_unique<Load>(
    scene.system.point(0, 0), std::array{Expression("1e4"), Expression(), Expression()}));
  for (double distance : {0.0, 1.0, 1000.0}) {
    MoreauJean stepper(scene.system, scene.contacts, 1, {.step = 1e-6});
    State initial = scene.system.initialState();
    for (double& u : initial.q)
      u += distance;
    bool thrown = false;
    try {
      march(stepper, initial, 200, [](const State&, const State&, const StepReport&) {});
    }
    catch (const RunError&) {
      thrown = true;
    }
    test.check(!thrown, "a bar far from where it started can be stepped") << distance;
  }
  return test;
}

//! A matrix that cannot be factorised is refused each time, and does not spoil later steps
TestSuite testSingular()
{
  TestSuite test("singular matrix");
  Scene scene;
  scene.system.add(std::make_unique<Particle>(
    Particle::Settings{.name = "mass", .dimension = 1, .mass = 1, .position = {1, 0, 0}}));
  // M + h^2 K/4 = 0 for h = 1
  scene.system.add(std::make_unique<Spring>(scene.system.point(0, 0), Vec3(0), -4.0, 0.0));
  MoreauJean stepper(scene.system, scene.contacts, 1, {.step = 1});
  StepReport report;
  const State from = stepper.start(scene.system.initialState(), report);
  std::vector<std::string> messages;
  for (int i = 0; i < 2; ++i)
    try {
      State to;
      stepper.step(from, to, report);
    }
    catch (const RunError& error) {
      messages.push_back(error.what());
    }
  test.check(messages.size() == 2 && messages[0] == messages[1],
             "a singular step fails in the same way each time")
    << (messages.empty() ? "" : messages.back());
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("moreaujean");
  test.subTest(testContract());
  test.subTest(testLoad());
  test.subTest(testSteelBar());
  test.subTest(testFarFlight());
  test.subTest(testSingular());
  const Scene massless = masslessOnWall(4);
  test.check(
    throws<InputError>([&] { MoreauJean(massless.system, massless.contacts, 1, {.step = 1e-7}); }),
    "ends without mass are refused");
  return test.exit();
}
