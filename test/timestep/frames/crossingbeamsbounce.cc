// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>

#include "nsgascene.hh"

/* A beam falls across the middle of another one that is held at its ends. With an even number of
 * elements the beams cross at nodes, where impacts make kinks in both axes, with an odd one in the
 * middle of elements: with partner = section the run goes through the impacts in both cases. */

using namespace Dune;
using namespace Dune::Impact;

struct Crossing : Scene
{
  static constexpr double radius = 0.01, speed = 0.77;

  Crossing(std::size_t n, BeamConstraints constraints, double friction)
  {
    const double quarter = 0.5 * std::numbers::pi;
    const Frame frames[] = {
      {RotationExponential::map({0, quarter, 0}), {-0.5, 0, 2 * radius + 1e-3}},
      {RotationExponential::map({-quarter, 0, 0}), {0, -0.5, 0}}};
    for (std::size_t body : {0, 1}) {
      Beam::Settings settings{
        .name = body == 0 ? "high" : "low",
        .length = 1,
        .elements = n,
        .section = circularSection(radius, {.young = 1e9, .poisson = 0.3, .density = 1000}),
        .formulation = BeamFormulation::exponential,
        .gravity = {0, 0, -9.81}};
      settings.frames =
        constantStrainFrames(frames[body], straightStrain(), 1, n, settings.formulation);
      if (body == 0)
        settings.velocities = rigidVelocities(settings.frames, {.velocity = {0, 0, -speed}});
      system.add(std::make_unique<Beam>(settings));
    }
    for (std::size_t end : {std::size_t(0), n})
      system.add(std::make_unique<FrameJoint>(system.point(1, end), system.initialState().q,
                                              FrameJoint::Kind::clamp));
    contacts.push_back(
      {"touch",
       std::make_shared<BeamContact>(system, 0, 1, constraints, BeamPartner::section),
       {.friction = friction}});
  }
};

/* Depth of the crossing where the gaps that a multiplier sees are zero in the mean, for straight
 * beams at a right angle whose axes are z apart: points at the distances d have the weighted gaps
 * sum_i w_i (sqrt(z^2 + d_i^2) - 2 r) = 0. Less, with z = 2 r at d = 0, is penetration that the
 * points do not see. */
double unseen(const std::vector<std::pair<double, double>>& points)
{
  const double r = Crossing::radius;
  double low = 0, high = 2 * r;
  for (int i = 0; i < 60; ++i) {
    const double z = 0.5 * (low + high);
    double mean = 0;
    for (const auto& [w, d] : points)
      mean += w * (std::sqrt(z * z + d * d) - 2 * r);
    (mean > 0 ? high : low) = z;
  }
  return 2 * r - low;
}

//! The points of the multiplier next to the crossing in the middle of the beams
std::vector<std::pair<double, double>> pointsNear(std::size_t n, BeamConstraints constraints)
{
  const double L = 1.0 / double(n), node = n % 2 == 0 ? 0 : 0.5 * L;
  if (constraints != BeamConstraints::mortar) {
    const bool there = (constraints == BeamConstraints::nodes) == (n % 2 == 0);
    return {{1, there ? 0 : 0.5 * L}};
  }
  const double g = std::sqrt(0.6);
  std::vector<std::pair<double, double>> result;
  for (double side : {-1.0, 1.0}) // elements next to the node, s from 0 there to 1
    for (const auto& [s, w] : {std::pair(0.5 - 0.5 * g, 5.0), {0.5, 8.0}, {0.5 + 0.5 * g, 5.0}})
      result.push_back({w * (1 - s), std::abs(node + side * s * L)});
  return result;
}

TestSuite testRun(std::size_t n, BeamConstraints constraints, double friction)
{
  const std::string name = std::to_string(n) + " elements, method " +
                           std::to_string(int(constraints)) + ", friction " +
                           std::to_string(friction);
  TestSuite test(name);
  const Crossing scene(n, constraints, friction);
  double smallest = 1, impulse = 0;
  try {
    scene.run({.step = 1e-3}, 25,
              [&](const State&, const State& to, const StepReport& report, const Nsga&) {
                smallest = std::min(
                  smallest, scene.contacts[0].geometry.find<GapSlipGeometry>()->gapAnywhere(to.q));
                impulse += report.impulse[2];
              });
  }
  catch (const RunError& e) {
    test.check(false, "the run goes on") << e.what();
  }
  const double r = Crossing::radius, allowed = unseen(pointsNear(n, constraints)),
               momentum = 1000 * std::numbers::pi * r * r * Crossing::speed;
  std::cout << name << ": smallest gap anywhere " << smallest / r << " radii, unseen "
            << allowed / r << ", impulse " << impulse / momentum << " of the momentum\n";
  test.check(impulse > 0.2 * momentum, "the beams meet") << impulse / momentum;
  test.check(smallest >= -1.05 * allowed - 1e-4 * r, "and pass as far as the points do not see it")
    << smallest / r << " radii, " << allowed / r << " are not seen";
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("crossingbeamsbounce");
  for (std::size_t n : {40, 41}) {
    test.subTest(testRun(n, BeamConstraints::midpoints, 0));
    test.subTest(testRun(n, BeamConstraints::nodes, 0));
    test.subTest(testRun(n, BeamConstraints::mortar, 0.2));
  }
  return test.exit();
}
