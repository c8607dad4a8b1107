// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/body/test/checkbody.hh>
#include <dune/impact/common/exceptions.hh>

using namespace Dune;
using namespace Dune::Impact;
using Numbers = std::vector<double>;

std::shared_ptr<const RigidShape> tetrahedron()
{
  return std::make_shared<TriangleShape>(
    std::vector<Vector3>{{1, 0, -0.3}, {-0.5, 0.8, -0.3}, {-0.5, -0.8, -0.3}, {0, 0, 1}},
    std::vector<TriangleShape::Triangle>{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
}

std::vector<std::pair<const char*, std::shared_ptr<const RigidShape>>> shapes()
{
  return {{"ball", std::make_shared<BallShape>(0.7)},
          {"shell", std::make_shared<ShellShape>(0.7, 0.8)},
          {"box", std::make_shared<BoxShape>(Vector3(1, 2, 0.5))},
          {"hollow box", std::make_shared<HollowBoxShape>(Vector3(1, 2, 0.5))},
          {"rod", std::make_shared<RodShape>(2, 0.1, 5)},
          {"thin rod", std::make_shared<RodShape>(2, 0, 3)},
          {"mesh", tetrahedron()},
          {"facets", std::make_shared<FacetShape>(
                       std::vector<Vector3>{{1, 2, 3}}, 0.1,
                       std::vector<Polygon>{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}})}};
}

TestSuite testConcept()
{
  TestSuite test("concept");
  std::mt19937 random(4);
  for (const auto& [name, shape] : shapes())
    for (bool pivot : {false, true}) {
      RigidBody::Settings settings{
        .name = name, .mass = {2, {0.5, 0.7, 0.9}}, .shape = shape, .gravity = {1, -2, -3}};
      for (int i = 0; i < 2; ++i)
        settings.bodies.push_back({.position = {0.3 + i, 0.2, -0.4},
                                   .rotation = Quaternion(0.5, 0.5, -0.5, 0.5),
                                   .velocity = {1, 0, 0.5},
                                   .spin = {0.3, 0.2, 1}});
      if (pivot)
        settings.pivot = Vec3{0, 0, -0.6};
      const RigidBody body(settings);
      Numbers q(body.configurationSize()), q1(q.size()), p(body.velocitySize());
      body.initialise(q, p);
      body.retract(q, Test::randomNumbers(p.size(), 0.3, random), q1);
      body.momentum(q1, Test::randomNumbers(p.size(), 1, random), p);
      test.subTest(checkBody(
        body, q1, p, 0,
        {.length = 0.1, .symmetricStiffness = false, .supported = pivot, .pivoted = pivot}));
      VisualizationData visual;
      Numbers v(p.size());
      body.velocity(q1, p, v);
      body.sample(q1, v, visual);
      test.check(!visual.cells.empty() &&
                   visual.pointFields[0].values.size() == 3 * visual.points.size() &&
                   visual.offsets.size() == visual.cells.size(),
                 "picture")
        << name;
    }
  return test;
}

//! Gradient of a distance, and the sizes of normals
TestSuite testDistances()
{
  TestSuite test("distances");
  std::mt19937 random(5);
  for (const auto& [name, shape] : shapes())
    for (int i = 0; i < 50; ++i)
      for (std::size_t s = 0; s < shape->surfaces(); ++s) {
        const Numbers r = Test::randomNumbers(3, 1.5, random);
        const Vector3 x(r[0], r[1], r[2]);
        const SurfaceDistance d = shape->distance(s, x);
        if (!std::isfinite(d.gap))
          continue;
        test.check(std::abs(d.normal.norm() - 1) < 1e-14, "unit normal") << name;
        Vector3 slope;
        const double h = 1e-6;
        for (int c = 0; c < 3; ++c)
          slope[c] = (shape->distance(s, x + h * Vector3::Unit(c)).gap -
                      shape->distance(s, x - h * Vector3::Unit(c)).gap) /
                     (2 * h);
        test.check(!slope.allFinite() || (slope - d.normal).norm() < 1e-4,
                   "the normal is the gradient of the distance")
          << name << ": " << slope.transpose() << " " << d.normal.transpose();
      }
  const auto mesh = tetrahedron();
  test.check(mesh->distance(0, {0, 0, 0}).gap < 0 && mesh->distance(0, {0, 0, 1.5}).gap == 0.5 &&
               std::abs(mesh->distance(0, {0, 0, -0.4}).gap - 0.1) < 1e-15,
             "inside, above a corner, below a face");
  return test;
}

TestSuite testMasses()
{
  TestSuite test("masses");
  const auto close = [&](const Vec3& a, const Vec3& b) {
    return (a - b).two_norm() <= 1e-14 * b.two_norm();
  };
  test.check(close(BoxShape::mass({1, 2, 3}, 12).inertia, {13, 10, 5}), "box");
  test.check(close(BallShape::mass(2, 5).inertia, Vec3(8)), "ball");
  test.check(close(ShellShape::mass(3, 3, 1).inertia, Vec3(6)), "thin shell is 2/3 m r^2");
  test.check(close(ShellShape::mass(0, 2, 5).inertia, Vec3(8)),
             "thick shell without a hole is a ball");
  test.check(close(HollowBoxShape::mass({2, 2, 2}, 1.68e-3).inertia, Vec3(5.0 / 18 * 1.68e-3 * 4)),
             "hollow cube is 5/18 m a^2");
  test.check(close(RodShape::mass(2, 0.1, 3).inertia,
                   {0.015, 3 * (0.0025 + 4.0 / 12), 3 * (0.0025 + 4.0 / 12)}),
             "cylinder");
  // a box of triangles, turned and shifted
  const Vector3 size(1, 2, 3), shift(4, -5, 6);
  const Matrix3 turn = RotationExponential::map({0.3, -0.7, 0.2});
  std::vector<Vector3> vertices;
  std::vector<TriangleShape::Triangle> triangles;
  for (const Polygon& face : BoxShape(size).polygons()) {
    const std::size_t n = vertices.size();
    for (const Vector3& x : face)
      vertices.push_back(shift + turn * x);
    triangles.push_back({n, n + 1, n + 2});
    triangles.push_back({n, n + 2, n + 3});
  }
  const VolumeProperties volume = volumeProperties(vertices, triangles);
  test.check(std::abs(volume.volume - 6) < 1e-13 && (volume.centre - shift).norm() < 1e-13,
             "volume and centre of triangles")
    << volume.volume;
  const Matrix3 expected =
    turn * toEigen(BoxShape::mass(size, 6).inertia).asDiagonal() * turn.transpose();
  test.check((volume.inertia - expected).norm() < 1e-12, "inertia of triangles")
    << (volume.inertia - expected).norm();
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testConcept());
  test.subTest(testDistances());
  test.subTest(testMasses());
  return test.exit();
}
