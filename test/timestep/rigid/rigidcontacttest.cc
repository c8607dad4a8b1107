// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/contact/test/checkimpulsegeometry.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "rigidscenes.hh"

/** \file
 * \brief Contact of rigid bodies: the concepts, and rest, sliding, rolling and stacks against
 * closed forms
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace RigidScenes;

const Quaternion turned = stepQuaternion(RotationMap::exponential, {0.3, -0.5, 0.8});

RigidBody::Settings body(std::shared_ptr<const RigidShape> shape, const Vec3& position,
                         const Vec3& velocity = {0, 0, 0},
                         const Quaternion& rotation = Quaternion::Identity())
{
  return {.name = "body",
          .mass = {1, {0.2, 0.3, 0.25}},
          .shape = shape,
          .bodies = {{.position = position, .rotation = rotation, .velocity = velocity}}};
}

//! Pairs of shapes that overlap a little or not at all, in general position
TestSuite testCouplings()
{
  TestSuite test("couplings");
  const auto ball = std::make_shared<BallShape>(0.5);
  const auto box = std::make_shared<BoxShape>(Vector3(1, 1.2, 0.8));
  const auto rod = std::make_shared<RodShape>(1, 0.1, 4);
  const auto mesh = std::make_shared<TriangleShape>(
    std::vector<Vector3>{{1, 0, -0.3}, {-0.5, 0.8, -0.3}, {-0.5, -0.8, -0.3}, {0, 0, 1}},
    std::vector<TriangleShape::Triangle>{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
  struct Pair
  {
    const char* name;
    std::shared_ptr<const RigidShape> first, second;
    Vec3 position;
  };
  for (const Pair& pair :
       {Pair{"balls", ball, ball, {0.5, 0.6, 0.5}}, Pair{"ball on box", ball, box, {0.4, 0.9, 0.5}},
        Pair{"box on ball", box, ball, {0.4, 0.9, 0.5}},
        Pair{"rod on ball", rod, ball, {0.3, 0.5, 0.3}},
        Pair{"ball in shell", ball, std::make_shared<ShellShape>(2, 2.1), {0.9, 0.8, 0.7}},
        Pair{
          "rod in box", rod, std::make_shared<HollowBoxShape>(Vector3(2, 3, 2)), {0.7, 0.9, -0.4}},
        Pair{"ball on mesh", ball, mesh, {0.7, 0.3, 0.6}},
        Pair{"rod on mesh", rod, mesh, {0.7, 0.3, 0.6}},
        Pair{"box on rod", box, rod, {0.1, 0.2, 0.5}},
        Pair{"crossed rods", rod, std::make_shared<RodShape>(1.2, 0.05, 3), {0.03, 0.02, 0.12}}}) {
    Scene scene;
    scene.add(body(pair.first, pair.position, {}, turned));
    scene.add(body(pair.second, {0.02, 0.01, -0.03}));
    scene.touch(0, 1, {});
    TestSuite sub(pair.name);
    sub.subTest(checkImpulseGeometry(*scene.contacts[0].geometry.find<ImpulseGeometry>(),
                                     scene.system, scene.system.initialState().q,
                                     {.length = 0.05, .tangentialMoments = true}));
    test.subTest(sub);
  }
  Scene scene;
  scene.system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                       .dimension = 3,
                                                       .length = 1,
                                                       .elements = 2,
                                                       .area = 1,
                                                       .young = 1,
                                                       .density = 1,
                                                       .position = {-1.2, 0.1, 0.2},
                                                       .axis = {1, 0.2, 0.1}}));
  scene.add(body(box, {0.3, 0, 0}, {}, turned));
  PointRigid coupling({scene.system.point(0, 2)}, RigidSide(scene.system, 1));
  test.subTest(
    checkImpulseGeometry(coupling, scene.system, scene.system.initialState().q, {.length = 0.05}));
  return test;
}

//! Boxes: faces, edges, corners
TestSuite testBoxes()
{
  TestSuite test("boxes");
  std::vector<BoxContact> contacts;
  Vector3 normal;
  const PlacedBox lower{Vector3::Zero(), Matrix3::Identity(), Vector3(0.5, 0.5, 0.5)};
  const auto upper = [](const Vector3& centre, const Vector3& rotation) {
    return PlacedBox{centre, RotationExponential::map(rotation), Vector3(0.5, 0.5, 0.5)};
  };
  double apart = boxContacts(upper({0.2, 0.1, 1 - 1e-6}, {0, 0, 0}), lower, 0, normal, contacts);
  test.check(contacts.size() == 4 && normal == Vector3(0, 0, 1) && std::abs(apart + 1e-6) < 1e-15,
             "face on face")
    << contacts.size() << " " << apart;
  double area = 0;
  for (const BoxContact& c : contacts)
    area += (c.place[0] - 0.1) * (c.place[1] - 0.05);
  test.check(std::abs(area) < 1e-15, "corners of the common rectangle") << area;
  boxContacts(upper({0, 0, 1}, {0, 0, std::acos(-1) / 4}), lower, 1e-12, normal, contacts);
  test.check(contacts.size() == 8, "an octagon") << contacts.size();
  apart =
    boxContacts(upper({0, 0, 0.5 + std::sqrt(0.75) - 1e-3}, {0, 0, 0}), lower, 0, normal, contacts);
  const Matrix3 corner =
    Quaternion::FromTwoVectors(Vector3(-1, -1, -1), Vector3(0, 0, -1)).toRotationMatrix();
  apart =
    boxContacts(PlacedBox{{0.1, 0.2, 0.5 + std::sqrt(0.75) - 1e-3}, corner, Vector3(0.5, 0.5, 0.5)},
                lower, 0, normal, contacts);
  test.check(contacts.size() == 1 && std::abs(apart + 1e-3) < 1e-12 &&
               (contacts[0].place - Vector3(0.1, 0.2, 0.5 - 0.5e-3)).norm() < 1e-12,
             "corner on face")
    << contacts.size() << " " << apart;
  const double a = std::acos(-1) / 4, half = std::sqrt(0.5);
  const PlacedBox first{
    {0, 0, 2 * half - 1e-3}, RotationExponential::map({a, 0, 0}), Vector3(0.5, 0.5, 0.5)},
    second{Vector3::Zero(), RotationExponential::map({0, a, 0}), Vector3(0.5, 0.5, 0.5)};
  apart = boxContacts(first, second, 0, normal, contacts);
  test.check(contacts.size() == 1 && std::abs(apart + 1e-3) < 1e-12 &&
               (normal - Vector3(0, 0, 1)).norm() < 1e-12 &&
               (contacts[0].place - Vector3(0, 0, half - 0.5e-3)).norm() < 1e-12,
             "edge on edge")
    << contacts.size() << " " << apart << " " << normal.transpose();
  test.check(boxContacts(upper({3, 0, 0}, {0.1, 0.2, 0.3}), lower, 0, normal, contacts) > 1 &&
               contacts.empty(),
             "boxes apart");
  return test;
}

//! A rod falls across another rod, or across the edge of a box, between its points: it bounces, and
//! energy and momenta stay
TestSuite testCrossedLines()
{
  TestSuite test("crossed lines");
  const auto rod = std::make_shared<RodShape>(1, 0.02, 3);
  const Quaternion across = stepQuaternion(RotationMap::exponential, {0, 0, 1.3}),
                   tilted = stepQuaternion(RotationMap::exponential, {0.7853981633974483, 0, 0});
  struct Case
  {
    const char* name;
    std::shared_ptr<const RigidShape> shape;
    Quaternion rotation;
    double height;
  };
  for (const Case& c : {Case{"rod", rod, Quaternion::Identity(), 0.04},
                        Case{"edge", std::make_shared<BoxShape>(Vector3(1, 0.2, 0.2)), tilted,
                             0.02 + 0.1 * std::sqrt(2.0)}})
    for (bool mid : {false, true}) {
      Scene scene;
      scene.add({.name = "falling",
                 .mass = RodShape::mass(1, 0.02, 1),
                 .shape = rod,
                 .bodies = {{.position = {0.2, 0.23, c.height + 0.0105},
                             .rotation = across,
                             .velocity = {0, 0, -1}}}});
      scene.add({.name = "lying",
                 .mass = {2, {0.1, 0.2, 0.3}},
                 .shape = c.shape,
                 .bodies = {{.rotation = c.rotation}}});
      scene.touch(0, 1, {.restitution = 1});
      EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-3, .mid = mid});
      Run run(scene.system, stepper);
      const Record first = run.record();
      double lowest = 0;
      int contacts = 0;
      for (int n = 0; n < 40; ++n) {
        run.step();
        lowest = std::min(lowest, run.report.minGap);
        contacts += run.report.contacts;
      }
      const Record last = run.record();
      test.check(contacts > 0 && lowest > -2e-3, "they touch and do not pass")
        << c.name << ": " << contacts << " " << lowest;
      test.check(std::abs(last.kinetic / first.kinetic - 1) < 1e-13 &&
                   (last.momenta.angular - first.momenta.angular).two_norm() < 1e-13 &&
                   (last.momenta.linear - first.momenta.linear).two_norm() < 1e-13,
                 "energy and momenta")
        << c.name << ": " << last.kinetic / first.kinetic - 1;
    }
  return test;
}

//! The surface of a box in triangles
std::shared_ptr<TriangleShape> meshedBox(const Vector3& size)
{
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(0.5 * Vector3(k & 1 ? size[0] : -size[0], k & 2 ? size[1] : -size[1],
                                    k & 4 ? size[2] : -size[2]));
  return std::make_shared<TriangleShape>(corners, std::vector<TriangleShape::Triangle>{{0, 4, 6},
                                                                                       {0, 6, 2},
                                                                                       {1, 3, 7},
                                                                                       {1, 7, 5},
                                                                                       {0, 1, 5},
                                                                                       {0, 5, 4},
                                                                                       {2, 6, 7},
                                                                                       {2, 7, 3},
                                                                                       {0, 2, 3},
                                                                                       {0, 3, 1},
                                                                                       {4, 5, 7},
                                                                                       {4, 7, 6}});
}

/* Two bars that cross, edge on edge or face on face, far from their corners: as meshes, and as a
 * mesh and a box, they do what boxes do, with and without friction. */
TestSuite testCrossedMeshes()
{
  TestSuite test("crossed meshes");
  const Vector3 sizeA(2, 0.3, 0.4), sizeB(0.35, 2, 0.3);
  test.check(meshedBox(sizeA)->edges().size() == 12 && meshedBox(sizeA)->sharpEdges().size() == 12,
             "twelve edges, and none inside of the faces");
  const auto turned = [](const Vector3& angle) {
    return stepQuaternion(RotationMap::exponential, angle);
  };
  for (const auto& [name, angleA, angleB, height, slip] :
       {std::tuple("edge on edge", Vector3(0.75, 0, 0.1), Vector3(0, 0.7, -0.2), 0.5, 0.02),
        {"face on face", Vector3(0, 0, 0.1), Vector3(0, 0, -0.2), 0.3605, 0.2},
        {"edge on face", Vector3(0.5, 0, 0.3), Vector3(0, 0, 0), 0.4, 0.1}})
    for (double friction : {0.0, 0.4}) {
      std::vector<std::vector<double>> ends;
      for (const auto& [meshA, meshB] : {std::pair(false, false), std::pair(true, true),
                                         std::pair(true, false), std::pair(false, true)}) {
        Scene scene;
        const auto shape = [&](bool mesh, const Vector3& size) -> std::shared_ptr<RigidShape> {
          return mesh ? std::shared_ptr<RigidShape>(meshedBox(size))
                      : std::make_shared<BoxShape>(size);
        };
        scene.add({.name = "upper",
                   .mass = BoxShape::mass(sizeA, 2),
                   .shape = shape(meshA, sizeA),
                   .bodies = {{.position = {0.05, 0.02, height},
                               .rotation = turned(angleA),
                               .velocity = {slip, -slip, -1}}}});
        scene.add({.name = "lower",
                   .mass = BoxShape::mass(sizeB, 3),
                   .shape = shape(meshB, sizeB),
                   .bodies = {{.rotation = turned(angleB)}}});
        scene.touch(0, 1, {.restitution = 0.5, .friction = friction, .slip = Slip::midStep});
        EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-3});
        Run run(scene.system, stepper);
        double touched = 0;
        for (int n = 0; n < 100; ++n) {
          run.step();
          touched += run.acted.contacts > 0;
        }
        test.check(touched > 0, std::string(name) + ": they touch");
        test.check(run.velocity(0)[2] > run.velocity(1)[2], std::string(name) + ": and part")
          << run.velocity(0)[2] << " " << run.velocity(1)[2];
        ends.push_back(run.state.q);
      }
      for (std::size_t k = 1; k < ends.size(); ++k) {
        double difference = 0;
        for (std::size_t i = 0; i < ends[0].size(); ++i)
          difference = std::max(difference, std::abs(ends[k][i] - ends[0][i]));
        test.check(difference < 1e-10, std::string(name) + ": meshes do what boxes do")
          << k << ", friction " << friction << ": " << difference;
      }
    }
  return test;
}

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
  scene.add(body(std::make_shared<BoxShape>(Vector3(1, 1.2, 0.8)), {0, 0, 0}, {}, turned));
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

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testCouplings());
  test.subTest(testBoxes());
  test.subTest(testCrossedLines());
  test.subTest(testCrossedMeshes());
  test.subTest(testSteppers());
  test.subTest(testLoads());
  test.subTest(testSlope());
  test.subTest(testSliding());
  test.subTest(testStack());
  test.subTest(testProjection());
  test.subTest(testHeap());
  return test.exit();
}
