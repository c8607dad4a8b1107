// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/explicit/cdlagrange.hh>

#include "../scenes.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* A block of mass m slides on a plane with v and is stopped by friction mu m g after v^2/(2 mu g),
 * up to v tau/2. */
TestSuite testBlock(int dimension, Slip slip, double tau, double expected)
{
  TestSuite test("dimension " + std::to_string(dimension) + ", step " + std::to_string(tau));
  Scene scene{.dimension = dimension};
  Vec3 down(0), up(0);
  down[dimension - 1] = -9.81;
  up[dimension - 1] = 1;
  scene.system.add(std::make_unique<Particle>(Particle::Settings{
    .name = "block", .dimension = dimension, .mass = 2, .velocity = {1, 0, 0}, .gravity = down}));
  scene.add(std::make_unique<PointObstacle>(std::vector{scene.system.point(0, 0)},
                                            std::make_shared<Plane>("floor", Vec3(0), up)),
            {.friction = 0.3, .slip = slip});
  CDLagrange stepper(scene.system, scene.contacts, dimension,
                     {.step = tau, .halfStepStart = false});
  double energy = 0;
  const State end = march(stepper, scene.system.initialState(), std::lround(1 / tau),
                          [&](const State& from, const State& to, const StepReport&) {
                            const Record record = stepper.record(from, to);
                            energy =
                              std::max(energy, std::abs(record.total() + record.dissipated - 1));
                          });
  const double exact = 1 / (2 * 0.3 * 9.81);
  std::cout << "dimension " << dimension << ", step " << tau << ": stops at " << end.q[0]
            << ", off by " << end.q[0] / expected - 1 << ", energy by " << energy << "\n";
  if (slip == Slip::postImpact)
    test.check(std::abs(end.q[0] - expected) <= 1e-10 * expected, "where it stops") << end.q[0];
  test.check(std::abs(end.q[0] - exact) <= 0.51 * tau, "half a step of the exact place")
    << end.q[0];
  if (slip == Slip::postImpact)
    test.check(std::abs(end.p[0]) <= 2e-12, "it has stopped") << end.p[0];
  test.check(energy <= 1e-11, "friction takes the energy") << energy;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("slidingblockstops");
  for (int dimension : {2, 3}) {
    test.subTest(testBlock(dimension, Slip::postImpact, 1e-3, 0.170394909999999));
    test.subTest(testBlock(dimension, Slip::postImpact, 1e-4, 0.16994466671001057));
  }
  return test.exit();
}
