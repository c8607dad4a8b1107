// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <iostream>
#include <optional>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/rigid/energymomentum.hh>

#include "rigidscenes.hh"

/** \file
 * \brief Impacts of rigid bodies never gain energy, with any restitution, number of contacts, and
 * friction on the mid-step slip
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace RigidScenes;

//! What random impacts did to the energy
struct Gains
{
  double largest = 0;  //!< of T+/T- - 1
  double loss = 0;     //!< largest of 1 - T+/T-
  double momentum = 0; //!< largest relative change of the linear and angular momentum
  int gaining = 0, impacts = 0, several = 0;
  int unsolved = 0; //!< impacts whose impulses were not found
};

/* A body with six random nodes that overlap the inside of a free box, or lie in front of one or
 * several of its walls, with random mass, inertia, motion, restitution and friction. */
Gains randomImpacts(int count, bool friction, Slip slip, bool elastic, unsigned seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1), unit(0, 1);
  const auto vector = [&](double scale) {
    return Vec3{scale * uniform(random), scale * uniform(random), scale * uniform(random)};
  };
  const auto inertia = [&] {
    // of masses on the axes
    const double a = 0.1 + unit(random), b = 0.1 + unit(random), c = 0.1 + unit(random);
    return Vec3{b + c, c + a, a + b};
  };
  Gains gains;
  while (gains.impacts < count) {
    Scene scene;
    std::vector<Vector3> nodes;
    for (int i = 0; i < 6; ++i)
      nodes.push_back(toEigen(vector(0.6)));
    const Quaternion rotation = stepQuaternion(RotationMap::exponential, toEigen(vector(3)));
    scene.add({.name = "body",
               .mass = {std::exp(3 * uniform(random)), inertia()},
               .shape = std::make_shared<FacetShape>(nodes, 0, std::vector<Polygon>{}),
               .bodies = {{.position = vector(0.7),
                           .rotation = rotation,
                           .velocity = vector(1),
                           .spin = vector(3)}}});
    scene.add({.name = "box",
               .mass = {std::exp(3 * uniform(random)), inertia()},
               .shape = std::make_shared<HollowBoxShape>(Vector3(2, 2, 2)),
               .bodies = {{.velocity = vector(0.5), .spin = vector(1)}}});
    scene.touch(0, 1,
                {.restitution = elastic ? 1 : unit(random),
                 .friction = friction ? std::exp(2 * uniform(random) - 1) : 0,
                 .slip = slip});
    EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-12});
    std::optional<Run> started;
    Record before;
    try {
      started.emplace(scene.system, stepper);
      before = started->record();
      started->step();
    }
    // Coulomb's law for several contacts has no solution, or none was found
    catch (const RunError&) {
      ++gains.unsolved;
      continue;
    }
    const Run& run = *started;
    if (run.acted.contacts == 0)
      continue;
    const Record after = run.record();
    ++gains.impacts;
    gains.several += run.acted.contacts > 1;
    const double gain = after.kinetic / before.kinetic - 1;
    gains.gaining += gain > 1e-12;
    gains.largest = std::max(gains.largest, gain);
    gains.loss = std::max(gains.loss, -gain);
    const double size = before.momenta.linear.two_norm() + run.linear(0).norm();
    gains.momentum =
      std::max({gains.momentum, (after.momenta.linear - before.momenta.linear).two_norm() / size,
                (after.momenta.angular - before.momenta.angular).two_norm() /
                  (size + run.angular(0).norm())});
  }
  return gains;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const Gains smooth = randomImpacts(20000, false, Slip::postImpact, false, 1);
  test.check(smooth.largest < 1e-13, "impacts without friction never gain energy")
    << smooth.largest;
  test.check(smooth.loss > 0.5 && smooth.several > 1000, "they are general")
    << smooth.loss << " " << smooth.several;
  test.check(smooth.momentum < 1e-13, "momenta stay") << smooth.momentum;
  test.check(smooth.unsolved == 0, "impulses without friction are always found") << smooth.unsolved;

  const Gains elastic = randomImpacts(5000, false, Slip::postImpact, true, 2);
  test.check(elastic.largest < 1e-13 && elastic.loss < 1e-13 && elastic.unsolved == 0,
             "elastic impacts keep the energy")
    << elastic.largest << " " << elastic.loss;

  const Gains mid = randomImpacts(100000, true, Slip::midStep, false, 3);
  test.check(mid.largest < 1e-9, "friction on the mid-step slip never gains energy")
    << mid.largest << " of " << mid.impacts;
  test.check(mid.momentum < 1e-12, "momenta stay with friction") << mid.momentum;
  test.check(mid.several > 1000, "several contacts at once") << mid.several;
  test.check(mid.unsolved == 0,
             "impulses with friction on the mid-step slip, for which there always are some, are "
             "found")
    << mid.unsolved << " of " << mid.impacts;

  const Gains post = randomImpacts(5000, true, Slip::postImpact, true, 4);
  test.check(post.unsolved <= 0.012 * post.impacts,
             "impulses with friction on the slip after elastic impacts, for which there need not "
             "be any, are found but for a few in a thousand")
    << post.unsolved << " of " << post.impacts;
  test.check(post.largest > 0.01,
             "friction on the slip after elastic impacts can gain, that is why there is a choice")
    << post.largest << ", " << post.gaining << " of " << post.impacts;
  std::cout << "no impulses found: " << mid.unsolved << " of " << mid.impacts
            << " (mid-step slip), " << post.unsolved << " of " << post.impacts
            << " (slip after elastic impacts)\n";
  return test.exit();
}
