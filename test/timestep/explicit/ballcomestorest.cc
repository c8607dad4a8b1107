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

/* A bouncing ball comes to rest after infinitely many impacts, at t0 (1 + e)/(1 - e). Then it lies
 * still: the impulse of each step is its weight, and it stays where the last impact found it. */
TestSuite testBall(double e, double tau)
{
  TestSuite test("e = " + std::to_string(e) + ", step " + std::to_string(tau));
  const double m = 0.5, g = 9.81, rest = std::sqrt(2 / g) * (1 + e) / (1 - e);
  Scene scene;
  scene.system.add(std::make_unique<Particle>(Particle::Settings{
    .name = "ball", .dimension = 1, .mass = m, .position = {1, 0, 0}, .gravity = {-g, 0, 0}}));
  scene.add(std::make_unique<PointObstacle>(std::vector{scene.system.point(0, 0)}, wall(0, 1)),
            {.restitution = e});
  CDLagrange stepper(scene.system, scene.contacts, 1, {.step = tau});
  double approach = 0, place = 0, moved = 0, weight = 0, lastImpact = 0;
  long resting = 0;
  march(stepper, scene.system.initialState(), long(rest / tau) + 600,
        [&](const State& from, const State& to, const StepReport& report) {
          if (1 + from.q[0] > 0 && report.contacts > 0) {
            approach = -from.p[0] / m;
            lastImpact = to.time;
          }
          if (to.time < rest + 300 * tau) // restitution dies out as e^n
            place = to.q[0];
          else {
            ++resting;
            moved = std::max(moved, std::abs(to.q[0] - place));
            weight = std::max(weight, std::abs(report.pairImpulse[0] / (m * g * tau) - 1));
          }
        });
  const double penetration = -(1 + place);
  std::cout << "e = " << e << ", step " << tau << ": last impact at " << lastImpact << " (" << rest
            << "), penetration " << penetration << " of " << tau * approach << ", moves by "
            << moved << ", weight off by " << weight << "\n";
  test.check(resting > 100 && lastImpact <= rest + tau,
             "the last impact is not later than the limit of impacts")
    << lastImpact << " " << rest;
  test.check(moved <= 1e-12, "it stays at rest") << moved;
  test.check(penetration >= 0 && penetration <= tau * approach,
             "it is not deeper than the last approach")
    << penetration << " of " << tau * approach;
  test.check(weight <= 1e-12, "the impulse of a step is the weight") << weight;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("ballcomestorest");
  for (double e : {0.0, 0.3, 0.8})
    for (double tau : {1e-2, 1e-3})
      test.subTest(testBall(e, tau));
  return test.exit();
}
