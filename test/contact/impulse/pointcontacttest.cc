// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/contact/test/checkimpulsegeometry.hh>

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::epsilon;

//! The components that exist in a dimension
Vec3 inSpace(Vec3 x, int dimension)
{
  for (int c = dimension; c < 3; ++c)
    x[c] = 0;
  return x;
}

//! A bar and two balls; the second ball is in front of the right end of the bar
System scene(int dimension)
{
  System system;
  system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                 .dimension = dimension,
                                                 .length = 1,
                                                 .elements = 3,
                                                 .area = 0.1,
                                                 .position = {0, 0, 0},
                                                 .axis = inSpace({1, 0.5, 0.25}, dimension)}));
  system.add(std::make_unique<Particle>(
    Particle::Settings{.name = "ball",
                       .dimension = dimension,
                       .mass = 2,
                       .radius = 0.2,
                       .position = inSpace({-1, 0.5, 0.25}, dimension)}));
  system.add(std::make_unique<Particle>(
    Particle::Settings{.name = "target",
                       .dimension = dimension,
                       .mass = 3,
                       .radius = 0.1,
                       .position = inSpace({1.25, 0.5, 0.25}, dimension)}));
  return system;
}

std::vector<double> general(const System& system, double size)
{
  std::mt19937 random(7);
  return Test::randomNumbers(system.configurationSize(), size, random);
}

std::vector<std::shared_ptr<Obstacle>> obstacles(int dimension)
{
  const Vec3 centre = inSpace({0.5, 3, -1}, dimension), normal = inSpace({1, 2, 2}, dimension);
  std::vector<std::shared_ptr<Obstacle>> result{std::make_shared<Plane>("plane", centre, normal)};
  result.push_back(std::make_shared<Cavity>("cavity", centre, 9));
  result.push_back(std::make_shared<Sphere>("sphere", centre, 0.5));
  if (dimension == 2)
    result.push_back(std::make_shared<Cylinder>("cylinder", centre, Vec3{0, 0, 1}, 0.5));
  if (dimension == 3)
    result.push_back(std::make_shared<Cylinder>("cylinder", centre, Vec3{1, -1, 0.5}, 0.5));
  return result;
}

TestSuite testObstacles(int dimension, bool moved)
{
  TestSuite test("points and obstacles in dimension " + std::to_string(dimension) +
                 (moved ? ", moved" : ""));
  const System system = scene(dimension);
  const auto q = general(system, 0.1);
  for (const auto& obstacle : obstacles(dimension)) {
    if (moved)
      obstacle->setMotion({Expression("0.3*sin(t)"),
                           dimension > 1 ? Expression("t^2") : Expression(),
                           dimension > 2 ? Expression("-t") : Expression()});
    const PointObstacle coupling({system.point(0, 0), system.point(0, 3), system.point(1, 0)},
                                 obstacle);
    test.subTest(checkImpulseGeometry(coupling, system, q,
                                      {.dimension = dimension, .length = 0.2, .time = 0.5}));

    std::vector<double> gaps(3);
    coupling.gaps(0.5, q, gaps);
    const PointHandle ball = system.point(1, 0);
    test.check(gaps[2] == obstacle->distance(0.5, ball.reference(), ball.displacement(q)).gap - 0.2,
               obstacle->name() + ": the gap of a ball begins at its surface");

    // rates of a body that moves along are zero
    const Instant at{0.5, 0.1, 0.2};
    ContactPoints rows;
    rows.clear(dimension);
    coupling.addPoints(at, q, 1e9, rows);
    for (const double h : {-at.stepBefore, at.stepAfter}) {
      const Vec3 velocity = obstacle->velocity(at.time, h);
      std::vector<double> v(system.velocitySize());
      for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = velocity[i % dimension];
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (int c = 0; c < dimension; ++c) {
          const double drive =
            h < 0 ? rows[i].obstacleVelocityBefore[c] : rows[i].obstacleVelocityAfter[c];
          test.check(std::abs(dot(rows.functional(i, c), v) + drive) <= 32 * epsilon,
                     obstacle->name() + ": bodies that move along have no rates");
          test.check(moved || drive == 0, obstacle->name() + ": an obstacle at rest has no drive");
        }
    }
    test.check(rows.size() == 3 && rows[0].first.body == 0 && rows[2].first.body == 1 &&
                 !rows[2].second && coupling.firstBody() == 0 && !coupling.secondBody(),
               "rows know their bodies");
  }
  return test;
}

TestSuite testBalls(int dimension)
{
  TestSuite test("two balls in dimension " + std::to_string(dimension));
  const System system = scene(dimension);
  const auto q = general(system, 0.1);
  const BallPair coupling(system.point(1, 0), system.point(2, 0));
  test.subTest(checkImpulseGeometry(coupling, system, q, {.dimension = dimension, .length = 0.2}));
  const Vec3 d = system.point(1, 0).position(q) - system.point(2, 0).position(q);
  double gap;
  coupling.gaps(0, q, Span(&gap, 1));
  test.check(std::abs(gap - (d.two_norm() - 0.3)) <= 8 * epsilon, "gap is distance minus radii");
  ContactPoints rows;
  rows.clear(1);
  coupling.addPoints({}, q, 9, rows);
  test.check(rows[0].first.body == 1 && rows[0].second->body == 2 && coupling.secondBody() == 2,
             "rows know their bodies");
  test.check(rows[0].axes[0] * d > 0, "the first ball is pushed away from the second");
  return test;
}

TestSuite testFaceOnLine()
{
  TestSuite test("point in front of a face in dimension 1");
  const System system = scene(1);
  const auto q = general(system, 0.1);
  const FacePoint right(system.point(0, 3), system.point(2, 0), {1, 0, 0}),
    left(system.point(0, 0), system.point(1, 0), {-1, 0, 0});
  for (const auto* coupling : {&right, &left})
    test.subTest(checkImpulseGeometry(*coupling, system, q, {.dimension = 1, .length = 0.2}));
  double gap;
  right.gaps(0, q, Span(&gap, 1));
  test.check(std::abs(gap - (1.25 + q[5] - 0.1 - 1 - q[3])) <= 8 * epsilon, "gap to the right")
    << gap;
  left.gaps(0, q, Span(&gap, 1));
  test.check(std::abs(gap - (q[0] - (-1 + q[4] + 0.2))) <= 8 * epsilon, "gap to the left") << gap;

  // bodies far from the origin keep the digits of small displacements
  System far;
  for (double x : {1e6, 1e6})
    far.add(std::make_unique<Particle>(
      Particle::Settings{.name = "mass", .dimension = 1, .position = {x, 0, 0}}));
  const FacePoint pair(far.point(0, 0), far.point(1, 0), {1, 0, 0});
  const std::vector<double> small{1e-25, 3e-25};
  pair.gaps(0, small, Span(&gap, 1));
  test.check(gap == 3e-25 - 1e-25, "small displacements keep their digits") << gap;
  return test;
}

TestSuite testFaceInSpace(int dimension)
{
  TestSuite test("point in front of a face in dimension " + std::to_string(dimension));
  const System system = scene(dimension);
  for (double size : {0.0, 0.05, 0.1}) {
    const auto q = general(system, size); // the bar is bent: the normal follows its last element
    const FacePoint coupling(system.point(0, 3), system.point(0, 2), system.point(2, 0), 0.5);
    test.subTest(
      checkImpulseGeometry(coupling, system, q, {.dimension = dimension, .length = 0.05}));

    const Vec3 end = system.point(0, 3).position(q), behind = system.point(0, 2).position(q),
               other = system.point(2, 0).position(q);
    const Vec3 normal = (end - behind) / (end - behind).two_norm();
    double gap;
    coupling.gaps(0, q, Span(&gap, 1));
    test.check(std::abs(gap - (normal * (other - end) - 0.1)) <= 8 * epsilon,
               "gap along the axis of the last element")
      << gap;
    Vec3 beside = other - end;
    beside.axpy(-(normal * beside), normal);
    for (double factor : {0.9, 1.1}) {
      const FacePoint narrow(system.point(0, 3), system.point(0, 2), system.point(2, 0),
                             factor * beside.two_norm());
      narrow.gaps(0, q, Span(&gap, 1));
      test.check(std::isfinite(gap) == (factor > 1), "no contact beside the face");
    }
    ContactPoints rows;
    rows.clear(1);
    coupling.addPoints({}, q, 9, rows);
    test.check(rows[0].axes[0] * normal < 0 && rows[0].first.body == 0 && rows[0].second->body == 2,
               "the bar is pushed against its outward normal");
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("pointcontact");
  for (int dimension : {1, 2, 3})
    for (bool moved : {false, true})
      test.subTest(testObstacles(dimension, moved));
  for (int dimension : {2, 3}) {
    test.subTest(testBalls(dimension));
    test.subTest(testFaceInSpace(dimension));
  }
  test.subTest(testFaceOnLine());
  return test.exit();
}
