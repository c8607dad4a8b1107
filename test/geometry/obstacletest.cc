// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <memory>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/geometry/drop.hh>
#include <dune/impact/geometry/obstacle.hh>

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::epsilon;

struct Case
{
  std::string name;
  std::shared_ptr<Obstacle> obstacle;
  double (*gap)(const Vec3&); //!< independent formula
};

const Vec3 centre{1, -2, 0.5}, axis{1, 2, 2};

//! A drop is the union of balls whose centres move along the axis and whose radii grow: the deepest
//! one counts
double dropGap(const Vec3& x)
{
  const auto depth = [&](double s) {
    Vec3 d = x - centre;
    d.axpy(-s / 3, axis);
    return 0.7 + s * std::sin(0.4) - d.two_norm();
  };
  double low = 0, high = 50;
  for (int i = 0; i < 200; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (depth(left) < depth(right) ? low : high) = depth(left) < depth(right) ? left : right;
  }
  return std::max(depth(0), depth(low));
}

std::vector<Case> cases()
{
  return {{"plane", std::make_shared<Plane>("plane", centre, axis),
           [](const Vec3& x) { return ((x[0] - 1) + 2 * (x[1] + 2) + 2 * (x[2] - 0.5)) / 3; }},
          {"cavity", std::make_shared<Cavity>("cavity", centre, 3),
           [](const Vec3& x) { return 3 - std::hypot(x[0] - 1, x[1] + 2, x[2] - 0.5); }},
          {"sphere", std::make_shared<Sphere>("sphere", centre, 0.7),
           [](const Vec3& x) { return std::hypot(x[0] - 1, x[1] + 2, x[2] - 0.5) - 0.7; }},
          {"cylinder", std::make_shared<Cylinder>("cylinder", centre, axis, 0.7),
           [](const Vec3& x) {
             const Vec3 turned = cross(x - centre, axis);
             return turned.two_norm() / 3 - 0.7;
           }},
          {"drop", std::make_shared<Drop>("drop", centre, axis, 0.7, 0.4), dropGap}};
}

TestSuite testCase(const Case& c)
{
  TestSuite test(c.name);
  std::mt19937 random(1);
  const auto point = [&](double size) {
    const auto x = Test::randomNumbers(3, size, random);
    return Vec3{x[0], x[1], x[2]};
  };
  for (int i = 0; i < 50; ++i) {
    const Vec3 reference = point(2), u = point(0.5), direction = point(1);
    const auto [gap, normal] = c.obstacle->distance(0, reference, u);
    test.check(std::abs(gap - c.gap(reference + u)) <= 64 * epsilon, "signed distance")
      << gap << " instead of " << c.gap(reference + u);
    test.check(std::abs(normal.two_norm() - 1) <= 8 * epsilon, "the normal is a unit vector");
    const Test::Difference slope([&](double x) {
      return c.obstacle->distance(0, reference, u + Vec3(direction) * (0.1 * x)).gap;
    });
    test.check(std::abs(0.1 * (normal * direction) - slope.value) <= 1e-9 + slope.rounding,
               "the normal is the gradient of the gap")
      << 0.1 * (normal * direction) << " instead of " << slope.value;
    const auto whole = c.obstacle->distance(0, reference + u, Vec3(0));
    test.check(std::abs(whole.gap - gap) <= 32 * epsilon,
               "only the sum of reference and displacement counts");
  }
  return test;
}

TestSuite testPicture(const Case& c)
{
  TestSuite test("picture of " + c.name);
  for (const int dimension : {2, 3}) {
    // the obstacles of the cases do not all lie in the plane
    if (dimension == 2 && c.name != "drop")
      continue;
    const Drop flat("drop", {0.3, -0.2, 0}, {1, 2, 0}, 0.7, 0.4);
    const Obstacle& obstacle = dimension == 2 ? static_cast<const Obstacle&>(flat) : *c.obstacle;
    const VisualizationData visual = obstacle.picture(0, {0.1, 0.2, 0}, 3, dimension);
    test.check(!visual.cells.empty(), "there is one");
    for (const Vec3& x : visual.points) {
      const double gap = obstacle.distance(0, x, Vec3(0)).gap;
      test.check(std::abs(gap) <= 64 * epsilon, "it lies on the surface") << gap;
      test.check(dimension == 3 || x[2] == 0, "it lies in the plane") << x[2];
    }
  }
  return test;
}

TestSuite testMotion(const Case& c)
{
  TestSuite test("moved " + c.name);
  const auto fixed = c.obstacle->distance(3, {0.5, 0.25, 1}, {0.1, 0.2, 0.3});
  test.check(c.obstacle->displacement(3) == Vec3(0) && c.obstacle->velocity(3, 0.1) == Vec3(0),
             "an obstacle without motion rests");
  c.obstacle->setMotion({Expression("t^2"), Expression("-t"), Expression("0.5")});
  const Vec3 w{9, -3, 0.5};
  test.check(c.obstacle->displacement(3) == w, "displacement") << c.obstacle->displacement(3);
  const auto moved = c.obstacle->distance(3, {0.5, 0.25, 1}, Vec3{0.1, 0.2, 0.3} + w);
  const Vec3 turn = moved.normal - fixed.normal;
  test.check(std::abs(moved.gap - fixed.gap) <= 64 * epsilon &&
               turn.infinity_norm() <= 64 * epsilon,
             "who moves along keeps the distance")
    << moved.gap - fixed.gap;
  const Vec3 after = c.obstacle->velocity(3, 0.5), before = c.obstacle->velocity(3, -0.5);
  test.check(after == Vec3{6.5, -1, 0} && before == Vec3{5.5, -1, 0},
             "mean velocities after and before an instant")
    << after << ", " << before;
  test.check(c.obstacle->velocity(3, 0) == Vec3(0), "no velocity without an interval");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("obstacle");
  for (const Case& c : cases()) {
    test.subTest(testCase(c));
    test.subTest(testPicture(c));
    test.subTest(testMotion(c));
  }
  // small displacements of a plane far away keep their digits
  const Plane plane("wall", {1, 0, 0}, {-1, 0, 0});
  test.check(plane.distance(0, {1, 0, 0}, {-1e-30, 0, 0}).gap == 1e-30,
             "a plane keeps the digits of small displacements");
  // no direction at the centre, but a unit normal
  for (const auto& c : cases())
    if (c.name != "plane")
      test.check(std::abs(c.obstacle->distance(0, centre, Vec3(0)).normal.two_norm() - 1) <=
                   epsilon,
                 c.name + " has a unit normal at its centre");
  return test.exit();
}
