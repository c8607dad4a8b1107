// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/geometry/rigidshape.hh>

using namespace Dune;
using namespace Dune::Impact;

//! The prism over a polygon in the plane whose triangles are given, all counter-clockwise
TriangleShape prism(const std::vector<std::array<double, 2>>& polygon,
                    const std::vector<std::array<std::size_t, 3>>& triangles, double height)
{
  const std::size_t n = polygon.size();
  std::vector<Vector3> corners;
  for (double z : {0.0, height})
    for (const auto& [x, y] : polygon)
      corners.emplace_back(x, y, z);
  std::vector<TriangleShape::Triangle> surface;
  for (const auto& [a, b, c] : triangles) {
    surface.push_back({a, c, b});
    surface.push_back({n + a, n + b, n + c});
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    surface.push_back({i, j, n + j});
    surface.push_back({i, n + j, n + i});
  }
  return TriangleShape(corners, surface);
}

//! Along the faces, across the edge, into the body
void checkInward(TestSuite& test, const RigidShape& shape)
{
  for (const auto& [ends, inward] : shape.sharpEdges()) {
    const Vector3 middle = 0.5 * (ends[0] + ends[1]), along = ends[1] - ends[0];
    const double small = 1e-3 * along.norm();
    for (const Vector3& in : inward) {
      test.check(std::abs(in.norm() - 1) < 1e-14 && std::abs(in.dot(along)) < 1e-14,
                 "a unit vector across the edge")
        << in.transpose();
      test.check(std::abs(shape.distance(0, middle + small * in).gap) < 1e-14, "along the face")
        << shape.distance(0, middle + small * in).gap;
    }
    test.check(shape.distance(0, middle + small * (inward[0] + inward[1])).gap < -0.5 * small,
               "between the faces is the body");
    test.check(shape.distance(0, middle - small * (inward[0] + inward[1])).gap > small,
               "and on the other side it is not");
  }
}

TestSuite testBox()
{
  TestSuite test("edges of a box");
  const Vector3 size(2, 0.3, 0.4);
  const BoxShape box(size);
  const TriangleShape mesh =
    prism({{-1, -0.15}, {1, -0.15}, {1, 0.15}, {-1, 0.15}}, {{0, 1, 2}, {0, 2, 3}}, 0.4);
  for (const RigidShape* shape :
       {static_cast<const RigidShape*>(&box), static_cast<const RigidShape*>(&mesh)}) {
    test.check(shape->edges().size() == 12 && shape->sharpEdges().size() == 12,
               "twelve, none inside of the faces")
      << shape->edges().size() << " " << shape->sharpEdges().size();
    checkInward(test, *shape);
  }
  return test;
}

//! An edge that looks inwards is one, but nothing straight can touch it from outside
TestSuite testAngle()
{
  TestSuite test("edges of a prism in the form of an L");
  const TriangleShape angle = prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
                                    {{3, 4, 5}, {3, 5, 0}, {3, 0, 1}, {3, 1, 2}}, 1);
  test.check(angle.edges().size() == 18 && angle.sharpEdges().size() == 17, "all but one are sharp")
    << angle.edges().size() << " " << angle.sharpEdges().size();
  const auto sharp = angle.sharpEdges();
  test.check(std::none_of(sharp.begin(), sharp.end(),
                          [](const SharpEdge& edge) {
                            return std::all_of(
                              edge.ends.begin(), edge.ends.end(),
                              [](const Vector3& end) { return end[0] == 1 && end[1] == 1; });
                          }),
             "the one that looks inwards is not");
  checkInward(test, angle);
  return test;
}

TestSuite testRound()
{
  TestSuite test("round shapes");
  test.check(BallShape(1).sharpEdges().empty() && BallShape(1).edges().empty(),
             "a ball has no edges");
  return test;
}

int main()
{
  TestSuite test;
  test.subTest(testBox());
  test.subTest(testAngle());
  test.subTest(testRound());
  return test.exit();
}
