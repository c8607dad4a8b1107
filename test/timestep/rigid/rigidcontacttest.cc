// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checknumbers.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "rigidscenes.hh"

/** \file
 * \brief Contact of rigid bodies: rest, sliding, rolling, stacks and heaps against closed forms
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace RigidScenes;

const Quaternion turned = stepQuaternion(RotationMap::exponential, {0.3, -0.5, 0.8});

TestSuite testSteppers()
{
  TestSuite test("checkStepper");
  for (bool mid : {false, true}) {
    Scene scene;
    scene.add({.name = "balls",
               .mass = BallShape::mass(0.5, 1),
               .shape = std::make_shared<BallShape>(0.5),
               .bodies = {{.position = {0, 0, 0.6}, .velocity = {1, 0, -1}, .spin = {1, 2, 3}},
                          {.position = {1.2, 0, 0.7}}},
               .gravity = {0, 0, -9.81}});
    scene.add(
      {.name = "box",
       .mass = BoxShape::mass({1, 1, 1}, 2),
       .shape = std::make_shared<BoxShape>(Vector3(1, 1, 1)),
       .bodies = {{.position = {2.6, 0.2, 0.8}, .rotation = turned, .velocity = {-1, 0, 0}}},
       .gravity = {0, 0, -9.81}});
    scene.touch(0, 0, {.restitution = 0.5, .friction = 0.3, .slip = Slip::midStep});
    scene.touch(0, 1, {.restitution = 0.9, .friction = 0.3, .slip = Slip::midStep});
    scene.touchObstacle(0, std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1}),
                        {.restitution = 0.2, .friction = 0.2, .slip = Slip::midStep});
    scene.touchObstacle(1, std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1}),
                        {.restitution = 1});
    EnergyMomentum stepper(scene.system, scene.contacts,
                           {.step = 5e-3, .mid = mid, .projection = !mid});
    test.subTest(
      checkStepper(stepper, scene.system.initialState(), {.steps = 200, .balance = 1e-12}));
  }
  Scene scene = rodInBox({.stiffness = 1});
  EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-4});
  test.subTest(
    checkStepper(stepper, scene.system.initialState(), {.steps = 300, .balance = 1e-12}));
  return test;
}

//! A load at a point works along the way of that point
TestSuite testLoads()
{
  TestSuite test("loads");
  Scene scene;
  scene.add({.name = "body",
             .mass = {1, {0.2, 0.3, 0.25}},
             .shape = std::make_shared<BoxShape>(Vector3(1, 1.2, 0.8)),
             .bodies = {{.rotation = turned}}});
  scene.system.add(std::make_unique<Load>(
    scene.system.point(0, 3),
    std::array<Expression, 3>{Expression("2*sin(3*t)"), Expression("1"), Expression("-t")}));
  for (RotationMap map : {RotationMap::exponential, RotationMap::cayley}) {
    EnergyMomentum stepper(scene.system, scene.contacts, {.step = 0.02, .map = map});
    test.subTest(
      checkStepper(stepper, scene.system.initialState(), {.steps = 200, .balance = 1e-13}));
  }
  return test;
}

/* On a slope of angle a a block slides with the acceleration g (sin a - mu cos a) or sticks; a ball
 * rolls with 5/7 g sin a if mu >= 2/7 tan a, else it slides with g (sin a - mu cos a) and turns
 * with 5/2 mu g cos a / r. The plane is horizontal and gravity leans. */
TestSuite testSlope()
{
  TestSuite test("slope");
  const double g = 9.81, r = 0.1;
  for (bool mid : {false, true})
    for (const double angle : {0.2, 0.6})
      for (const double friction : {0.1, 0.5}) {
        const Vec3 gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
        const auto floor = std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1});
        const double step = 1e-3, end = 0.5;
        // in `mid` the place of contact is that of the end of the step: first order
        const double factor = mid ? 6 : 2;
        Scene scene;
        scene.add({.name = "ball",
                   .mass = BallShape::mass(r, 0.3),
                   .shape = std::make_shared<BallShape>(r),
                   .bodies = {{.position = {0, 0, r}}},
                   .gravity = gravity});
        scene.add({.name = "box",
                   .mass = BoxShape::mass({0.2, 0.2, 0.1}, 0.5),
                   .shape = std::make_shared<BoxShape>(Vector3(0.2, 0.2, 0.1)),
                   .bodies = {{.position = {0, 1, 0.05}}},
                   .gravity = gravity});
        scene.touchObstacle(0, floor, {.friction = friction});
        scene.touchObstacle(1, floor, {.friction = friction});
        EnergyMomentum stepper(scene.system, scene.contacts,
                               {.step = step, .gapTolerance = 1e-12, .mid = mid});
        Run run(scene.system, stepper);
        while (run.state.time < end - 0.5 * step)
          run.step();
        const bool rolls = friction >= 2.0 / 7 * std::tan(angle),
                   sticks = friction >= std::tan(angle);
        const double sliding = g * (std::sin(angle) - friction * std::cos(angle));
        const double ball = rolls ? 5.0 / 7 * g * std::sin(angle) : sliding,
                     box = sticks ? 0 : sliding;
        const double spin = (rolls ? ball : 2.5 * friction * g * std::cos(angle)) / r * end;
        test.check(std::abs(run.velocity(0)[0] - ball * end) < factor * g * step,
                   "speed of the ball")
          << run.velocity(0)[0] << " " << ball * end;
        test.check(std::abs(run.spin(0)[1] - spin) < 2.5 * factor * g * step / r,
                   "spin of the ball")
          << run.spin(0)[1] << " " << spin;
        test.check(std::abs(run.place(0).centre[0] - 0.5 * ball * end * end) <
                     factor * g * step * end,
                   "way of the ball")
          << run.place(0).centre[0] << " " << 0.5 * ball * end * end;
        test.check(std::abs(run.velocity(1)[0] - box * end) < 2 * g * step, "speed of the box")
          << run.velocity(1)[0] << " " << box * end;
        test.check(std::abs(run.place(1).centre[0] - 0.5 * box * end * end) < 2 * g * step * end,
                   "way of the box")
          << run.place(1).centre[0] << " " << 0.5 * box * end * end;
        test.check(std::abs(run.place(0).centre[2] - r) < (mid ? 0.02 * step : 1e-9) &&
                     std::abs(run.place(1).centre[2] - 0.05) < 1e-9,
                   "nothing sinks")
          << run.place(0).centre[2] - r << " " << run.place(1).centre[2] - 0.05;
      }
  return test;
}

/* A ball that starts sliding on a plane rolls after the time 2 v/(7 mu g) with 5/7 of its speed; a
 * block stops after v^2/(2 mu g). */
TestSuite testSliding()
{
  TestSuite test("sliding");
  const double g = 9.81, r = 0.1, v = 1, mu = 0.25, step = 2.5e-4;
  const auto floor = std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1});
  Scene scene;
  scene.add({.name = "ball",
             .mass = BallShape::mass(r, 0.3),
             .shape = std::make_shared<BallShape>(r),
             .bodies = {{.position = {0, 0, r}, .velocity = {v, 0, 0}}},
             .gravity = {0, 0, -g}});
  scene.add({.name = "box",
             .mass = BoxShape::mass({0.2, 0.2, 0.1}, 0.5),
             .shape = std::make_shared<BoxShape>(Vector3(0.2, 0.2, 0.1)),
             .bodies = {{.position = {0, 1, 0.05}, .velocity = {v, 0, 0}}},
             .gravity = {0, 0, -g}});
  scene.touchObstacle(0, floor, {.friction = mu});
  scene.touchObstacle(1, floor, {.friction = mu});
  EnergyMomentum stepper(scene.system, scene.contacts, {.step = step, .gapTolerance = 1e-12});
  Run run(scene.system, stepper);
  double rolling = 0;
  while (run.state.time < 0.6) {
    run.step();
    if (rolling == 0 && std::abs(run.velocity(0)[0] - r * run.spin(0)[1]) < 1e-9)
      rolling = run.state.time;
  }
  test.check(std::abs(rolling - 2 * v / (7 * mu * g)) < 2 * step, "the ball begins to roll")
    << rolling << " " << 2 * v / (7 * mu * g);
  test.check(std::abs(run.velocity(0)[0] - 5.0 / 7 * v) < 1e-9, "speed of rolling")
    << run.velocity(0)[0];
  test.check(std::abs(run.place(1).centre[0] - v * v / (2 * mu * g)) < 2 * v * step,
             "way of the block")
    << run.place(1).centre[0] << " " << v * v / (2 * mu * g);
  test.check(run.velocity(1).norm() < g * step && run.spin(1).norm() < 1e-9, "the block is at rest")
    << run.velocity(1).transpose();
  return test;
}

Scene stack(int boxes, double friction, double offset = 0)
{
  Scene scene;
  RigidBody::Settings settings{.name = "boxes",
                               .mass = BoxShape::mass({1, 1, 1}, 1),
                               .shape = std::make_shared<BoxShape>(Vector3(1, 1, 1)),
                               .bodies = {},
                               .gravity = {0, 0, -9.81}};
  for (int i = 0; i < boxes; ++i)
    settings.bodies.push_back({.position = {offset * (i % 2), 0, 0.5 + i}});
  scene.add(settings);
  scene.touch(0, 0, {.friction = friction});
  scene.touchObstacle(0, std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1}),
                      {.friction = friction});
  return scene;
}

TestSuite testStack()
{
  TestSuite test("stack");
  for (const double friction : {0.0, 0.5})
    for (const double offset : {0.0, 0.2}) {
      Scene scene = stack(10, friction, offset);
      EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-3, .gapTolerance = 1e-12});
      Run run(scene.system, stepper);
      const State first = run.state;
      const int steps = 2000;
      for (int n = 0; n < steps; ++n)
        run.step();
      const double drift = Test::distance(run.state.q, first.q);
      test.check(drift < 1e-6 * steps / 1e5, "the boxes stay where they are")
        << "friction " << friction << " offset " << offset << ": " << drift;
      test.check(std::abs(run.acted.pairImpulse[1] / 1e-3 - 98.1) < 1e-9,
                 "the floor carries ten boxes")
        << run.acted.pairImpulse[1] / 1e-3;
    }
  return test;
}

//! Overlap that an impact leaves is removed, and the loss of energy entered
TestSuite testProjection()
{
  TestSuite test("projection");
  for (bool projection : {false, true}) {
    Scene scene;
    scene.add({.name = "box",
               .mass = BoxShape::mass({1, 1, 1}, 1),
               .shape = std::make_shared<BoxShape>(Vector3(1, 1, 1)),
               .bodies = {{.position = {0, 0, 0.6}, .velocity = {0, 0, -2}}},
               .gravity = {0, 0, -9.81}});
    scene.touchObstacle(0, std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1}), {});
    EnergyMomentum stepper(scene.system, scene.contacts, {.step = 0.013, .projection = projection});
    Run run(scene.system, stepper);
    const double first = run.record().total();
    for (int n = 0; n < 50; ++n)
      run.step();
    const Record last = run.record();
    const double depth = 0.5 - run.place(0).centre[2];
    test.check(projection ? std::abs(depth) < 1e-12 : depth > 1e-3, "depth at rest") << depth;
    test.check(std::abs(last.total() + last.dissipated - first) < 1e-13 * first, "ledger")
      << last.total() + last.dissipated - first;
  }
  return test;
}

/* A heap of balls with friction that settles: the law holds to its tolerance, contact adds no more
 * energy than M (g h)^2/8 per ball, and the ledger is exact. Tolerances that sweeps do not reach
 * are reached by other methods. */
TestSuite testHeap()
{
  TestSuite test("heap");
  Scene scene;
  const double r = 0.01, m = 1e-3, g = 9.81, h = 5e-4;
  RigidBody::Settings settings{.name = "balls",
                               .mass = BallShape::mass(r, m),
                               .shape = std::make_shared<BallShape>(r),
                               .bodies = {},
                               .gravity = {0, 0, -g}};
  for (int i = 0; i < 150; ++i)
    settings.bodies.push_back(
      {.position = {0.022 * (i % 5) + 3e-4 * (i % 7), 0.022 * (i / 5 % 5) - 3e-4 * (i % 11),
                    0.011 + 0.0212 * (i / 25)}});
  scene.add(settings);
  scene.touch(0, 0, {.friction = 0.3});
  for (const auto& [point, normal] :
       {std::pair(Vec3{0, 0, 0}, Vec3{0, 0, 1}), std::pair(Vec3{-0.014, 0, 0}, Vec3{1, 0, 0}),
        std::pair(Vec3{0, -0.014, 0}, Vec3{0, 1, 0}), std::pair(Vec3{0.102, 0, 0}, Vec3{-1, 0, 0}),
        std::pair(Vec3{0, 0.102, 0}, Vec3{0, -1, 0})})
    scene.touchObstacle(0, std::make_shared<Plane>("wall", point, normal), {.friction = 0.3});
  EnergyMomentum stepper(scene.system, scene.contacts, {.step = h, .contactTolerance = 1e-3});
  Run run(scene.system, stepper);
  const auto balance = [&] { return run.record().total() + run.record().dissipated; };
  const double first = balance(), allowed = 150 * m * (g * h) * (g * h) / 8;
  const auto advance = [&](int steps, double tolerance) {
    double mistake = 0, gain = 0;
    int missed = 0;
    for (int n = 0; n < steps; ++n) {
      const double before = run.state.ledger.dissipation();
      run.step();
      mistake = std::max(mistake, std::abs(balance() / first - 1));
      gain = std::max(gain, before - run.state.ledger.dissipation());
      missed += !run.report.solve.converged;
      test.check(run.report.solve.converged ? run.report.solve.residual <= 2 * tolerance
                                            : run.report.solve.residual > tolerance,
                 "the report tells if the tolerance was reached")
        << run.report.solve.residual;
    }
    test.check(mistake < 1e-12, "the ledger has the change of energy") << mistake;
    test.check(gain <= allowed, "contact adds no energy but that of resting bodies")
      << gain << " " << allowed;
    return missed;
  };
  std::vector<State> states;
  for (int n = 0; n < 20; ++n) {
    test.check(advance(20, 1e-3) == 0, "the law holds to its tolerance");
    states.push_back(run.state);
  }
  test.check(run.report.contacts > 250, "a heap") << run.report.contacts;

  // one step with other tolerances from some of the states
  StepReport report;
  State next;
  for (double tolerance : {1e-6, 1e-10}) {
    EnergyMomentum strict(scene.system, scene.contacts, {.step = h, .contactTolerance = tolerance});
    for (std::size_t n = 3; n < states.size(); n += 8) {
      strict.step(states[n], next, report);
      const Record record = strict.record(states[n], next);
      test.check(report.solve.converged && report.solve.residual <= 2 * tolerance,
                 "smaller tolerances are reached")
        << tolerance << ": " << report.solve.residual << " after " << report.solve.iterations;
      test.check(std::abs((record.total() + record.dissipated) / first - 1) < 1e-12,
                 "with an exact ledger");
    }
  }
  return test;
}

/* A ball between two walls that close in with the speed d of one of them, all of it elastic: the
 * mean speed of before and after must not be below d for the one wall, and not above 0 for the
 * other one. There are no such impulses, and the best ones miss both laws by d/2 of the speed. */
TestSuite testMissedTolerance(bool mid, double friction)
{
  TestSuite test(mid ? "a tolerance that is missed, mid" : "a tolerance that is missed, kick");
  const auto run = [&](double closing, double tolerance) -> std::string {
    Scene scene;
    scene.add({.name = "ball",
               .mass = BallShape::mass(0.1, 1),
               .shape = std::make_shared<BallShape>(0.1),
               .bodies = {{.velocity = {-1, 0, 0}}}});
    const ContactLaw law{.restitution = 1, .friction = friction, .slip = Slip::midStep};
    const auto moved = std::make_shared<Plane>("moved", Vec3{-0.1, 0, 0}, Vec3{1, 0, 0});
    moved->setMotion({Expression(fmt::format("{}*t", closing)), Expression(), Expression()});
    scene.touchObstacle(0, moved, law);
    scene.touchObstacle(0, std::make_shared<Plane>("fixed", Vec3{0.1, 0, 0}, Vec3{-1, 0, 0}), law);
    EnergyMomentum stepper(
      scene.system, scene.contacts,
      {.step = 1e-3, .gapTolerance = 0.01, .mid = mid, .contactTolerance = tolerance});
    try {
      Run ball(scene.system, stepper);
      for (int n = 0; n < 20; ++n) {
        ball.step();
        const SolveReport& solve = ball.report.solve;
        test.check(!solve.converged, "a missed tolerance is reported") << solve.residual;
        test.check(std::abs(solve.residual / (0.5 * closing) - 1) < 1e-3, "with the residual")
          << solve.residual << " instead of " << 0.5 * closing;
        const Record record = ball.record();
        test.check(std::abs(record.total() + record.dissipated - record.externalWork - 0.5) < 1e-14,
                   "the ledger is exact all the same");
      }
    }
    catch (const RunError& error) {
      return error.what();
    }
    return "";
  };
  test.check(run(1e-7, 1e-10).empty(), "a millionth of the speed is accepted");
  test.check(run(1e-5, 1e-8).empty(), "and 1000 tolerances");
  for (const auto& [closing, tolerance] : {std::pair(3e-6, 1e-10), std::pair(3e-5, 1e-8)}) {
    const std::string message = run(closing, tolerance);
    test.check(message.starts_with("wall: the contact impulses could not be found") &&
                 message.find("solver.contact-tolerance") != std::string::npos,
               "more is refused, with the name of the key")
      << closing << ": " << message;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testSteppers());
  test.subTest(testLoads());
  test.subTest(testSlope());
  test.subTest(testSliding());
  test.subTest(testStack());
  test.subTest(testProjection());
  test.subTest(testHeap());
  for (const bool mid : {false, true})
    for (const double friction : {0.0, 0.3})
      test.subTest(testMissedTolerance(mid, friction));
  return test.exit();
}
