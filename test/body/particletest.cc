// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/particle.hh>
#include <dune/impact/body/test/checkbody.hh>

using namespace Dune;
using namespace Dune::Impact;

TestSuite testDimension(int dimension, const Vec3& gravity)
{
  TestSuite test("dimension " + std::to_string(dimension));
  const Particle particle({.name = "ball",
                           .dimension = dimension,
                           .mass = 2.5,
                           .radius = 0.1,
                           .position = {3, -2, 1},
                           .velocity = {0.5, 2, -1},
                           .gravity = gravity});
  std::vector<double> q(dimension, 7), p(dimension, 7);
  particle.initialise(q, p);
  for (int c = 0; c < dimension; ++c) {
    test.check(q[c] == 0, "starts without displacement");
    test.check(p[c] == 2.5 * Vec3{0.5, 2, -1}[c], "starts with its velocity") << p[c];
    q[c] = 0.3 * (c + 1);
  }
  test.subTest(checkBody(particle, q, p, 0, {.length = 0.5, .dimension = dimension}));

  double force = 0, kinetic = 0;
  std::vector<double> f(dimension, 0);
  particle.addForce(0, q, 1, f);
  for (int c = 0; c < dimension; ++c) {
    force = std::max(force, std::abs(f[c] - 2.5 * gravity[c]));
    kinetic += 0.5 * p[c] * p[c] / 2.5;
  }
  test.check(force == 0, "weight is mass times gravity") << force;
  test.check(std::abs(particle.kinetic(q, p) - kinetic) < 1e-15 * kinetic,
             "kinetic energy is p^2/(2m)");
  test.check(particle.radius(0) == 0.1 && particle.mass() == 2.5 && particle.pointCount() == 1,
             "mass and radius");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("particle");
  for (int dimension : {1, 2, 3}) {
    test.subTest(testDimension(dimension, {0, 0, 0}));
    test.subTest(testDimension(dimension, {-1, 9.81, 2}));
  }
  const Particle ball({.name = "ball"});
  test.check(ball.patch("").size() == 1 && ball.patch("centre-of-mass").size() == 1 &&
               ball.patch("left").empty(),
             "places of a particle");
  return test.exit();
}
