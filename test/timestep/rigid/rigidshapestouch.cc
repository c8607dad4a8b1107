// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/contact/test/checkimpulsegeometry.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>

#include "rigidscenes.hh"

/** \file
 * \brief Contact points of rigid shapes: the concept, boxes in special positions, lines and meshes
 * that cross
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

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testCouplings());
  test.subTest(testBoxes());
  test.subTest(testCrossedLines());
  test.subTest(testCrossedMeshes());
  return test.exit();
}
