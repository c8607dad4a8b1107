// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <numbers>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>

#include "barimpacts.hh"
#include "beamimpacts.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* Impacts without a real root, contacts that close again, impacts at a grid instant, and several in
 * one step: each is built, handled as promised, and counted. */

//! A bar whose right end touches a wall
Scene barAtWall(bool contact)
{
  Scene scene;
  scene.system.add(
    std::make_unique<Bar>(Bar::Settings{.name = "bar", .length = 1, .elements = 10}));
  if (contact)
    scene.add(std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::right)}, wall(1, -1)));
  return scene;
}

/* The end touches and creeps into the wall while the bar is full of waves. If the interval without
 * impulse gains more energy than the little approach can explain, no impulse keeps the energy. Then
 * the mirror root gives the energy of the interval without impulse, or a larger impulse keeps the
 * end out of the wall. */
TestSuite testNoRoot()
{
  TestSuite test("no real root");
  const Scene scene = barAtWall(true), free = barAtWall(false);
  Multisymplectic stepper(scene.system, scene.contacts, {.step = 0.05}),
    without(free.system, free.contacts, {.step = 0.05});
  std::mt19937 random(5);
  int mirrored = 0, raised = 0, roots = 0;
  for (int i = 0; i < 400; ++i) {
    State initial = scene.system.initialState();
    initial.q = randomNumbers(11, 0.01, random);
    initial.p = randomNumbers(11, 0.01, random);
    initial.q[10] = 0;
    // of the last element, k = 10
    const double weight = 0.5 * 0.05, pull = -10 * (0 - initial.q[9]);
    initial.p[10] = -weight * pull + 1e-6 * (i % 10 + 1); // creeps after the kick
    StepReport report;
    const State from = stepper.start(initial, report);
    State to, expected;
    stepper.step(from, to, report);
    without.step(without.start(initial, report), expected, report);
    if (stepper.instants().empty())
      continue;
    const double energy = Multisymplectic::intervalEnergy(to),
                 before = Multisymplectic::intervalEnergy(from),
                 unbalanced = Multisymplectic::intervalEnergy(expected);
    if (to.ledger.noRoots == 0) {
      ++roots;
      test.check(std::abs(energy - before) <= 1e-12 * before, "with a root the energy is kept")
        << energy - before;
      continue;
    }
    test.check(unbalanced > before, "without impulse the interval would gain energy")
      << unbalanced - before;
    test.check(stepper.instants()[0].impulse > 0 && to.q[10] <= 1e-16, "the end is not in the wall")
      << to.q[10];
    if (to.q[10] < -1e-14) {
      ++mirrored;
      test.check(std::abs(energy - unbalanced) <= 1e-11 * before,
                 "the defect is that of the interval without impulse")
        << energy - unbalanced;
    }
    else {
      ++raised;
      test.check(std::abs(energy - unbalanced) <= 1e-3 * before,
                 "the defect is near that of the interval without impulse")
        << energy - unbalanced;
    }
  }
  std::cout << mirrored + raised << " impacts without a real root, " << raised
            << " of them with a raised impulse, " << roots << " with a root\n";
  test.check(mirrored > 10 && raised > 10 && roots > 10, "all are tried")
    << mirrored << ", " << raised << ", " << roots;
  return test;
}

//! A contact of ends without mass that was released but overlaps closes at the beginning of the
//! next step
TestSuite testReclosing()
{
  TestSuite test("closes again");
  BarReference data = barReferences[1];
  const Scene scene = barImpact(data, 0.001);
  Multisymplectic stepper(scene.system, scene.contacts, {.step = barStep});
  StepReport report;
  State from = stepper.start(scene.system.initialState(), report), to;
  while (from.history[1].values[0] == 0) { // until the contact is closed
    stepper.step(from, to, report);
    std::swap(from, to);
  }
  test.require(from.history[1].name == "closed" &&
                 scene.system.masslessContacts()[0]->overlap(0, from.q) > 0,
               "the ends overlap");
  test.check(figure(stepper.statistics(from), "reclosings") == 0, "nothing is counted before");
  from.history[1].values[0] = 0; // as if a weak contact had been released
  stepper.step(from, to, report);
  test.check(to.history[1].values[0] == 1 && figure(stepper.statistics(to), "reclosings") == 1,
             "it closes and is counted")
    << figure(stepper.statistics(to), "reclosings");
  test.check(stepper.instants().size() == 1 && stepper.instants()[0].time == from.time,
             "at the beginning of the step");
  test.check(figure(stepper.statistics(to), "grid_instants") == 0,
             "which is no impact at a grid instant");
  test.check(report.pairImpulse[0] > 0, "and its force acts");
  return test;
}

//! Bars with speeds and a gap that are powers of two meet exactly at a grid instant
TestSuite testGridInstant()
{
  TestSuite test("grid instant");
  for (bool prolonged : {false, true}) {
    BarReference data = barReferences[0];
    data.prolonged = prolonged;
    data.speedA = 0.125;
    data.speedB = -0.125;
    const double tau = 0x1p-6, gap = 64 * 0.25 * tau;
    const Scene scene = barImpact(data, gap), shifted = barImpact(data, gap + 0.3 * 0.25 * tau);
    Multisymplectic stepper(scene.system, scene.contacts, {.step = tau}),
      other(shifted.system, shifted.contacts, {.step = tau});
    const BarRun run = runBars(scene, stepper, 2560), usual = runBars(shifted, other, 2560);
    test.check(run.instants.front().time == 64 * tau, "the impact is at the grid instant")
      << run.instants.front().time / tau;
    test.check(figure(run.statistics, "grid_instants") >= 1 &&
                 figure(usual.statistics, "grid_instants") == 0,
               "it is counted")
      << figure(run.statistics, "grid_instants");
    test.check(run.energyError <= 4 * usual.energyError && run.momentumDrift <= 1e-13,
               "it is no worse than others")
      << run.energyError << " and " << usual.energyError;
    test.check(run.last.ledger.noRoots == 0, "it has a root");
  }
  return test;
}

//! Two bars hit two walls within one step, the second one earlier
TestSuite testTwoInOneStep()
{
  TestSuite test("two in one step");
  Scene scene;
  for (double shift : {0.0, 5.0})
    scene.system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                         .length = 1,
                                                         .elements = 10,
                                                         .position = {shift, 0, 0},
                                                         .motion = {.velocity = {0.5, 0, 0}}}));
  const double tau = 0.01;
  scene.add(std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::right)},
                                            wall(1 + 0.5 * 10.7 * tau, -1)));
  scene.add(std::make_unique<PointObstacle>(std::vector{scene.end(1, Bar::right)},
                                            wall(6 + 0.5 * 10.2 * tau, -1)));
  Multisymplectic stepper(scene.system, scene.contacts, {.step = tau});
  const BarRun run = runBars(scene, stepper, 11);
  test.require(run.instants.size() == 2, "both hit") << run.instants.size();
  test.check(run.instants[0].contact == 1 && run.instants[1].contact == 0, "in the order of time");
  test.check(std::abs(run.instants[0].time - 10.2 * tau) <= 1e-13 &&
               std::abs(run.instants[1].time - 10.7 * tau) <= 1e-13,
             "at their instants")
    << run.instants[0].time << ", " << run.instants[1].time;
  test.check(figure(run.statistics, "crowded_steps") == 1, "the step is counted");
  test.check(std::abs(run.endError) <= 1e-12, "both impacts keep the energy") << run.endError;
  return test;
}

//! A beam falls flat: all nodes touch at one instant, with intervals of length zero between their
//! impacts
TestSuite testFlatBeam()
{
  TestSuite test("flat beam");
  Scene scene{.dimension = 3};
  const std::size_t elements = 4;
  const Frame lying{RotationExponential::map({0, 0.5 * std::numbers::pi, 0}), {0, 0, 0.1}};
  Beam::Settings settings{
    .name = "beam",
    .length = 0.5,
    .elements = elements,
    .section = rectangularSection(0.05, 0.05, {.young = 1e6, .poisson = 0.35, .density = 1e3}),
    .frames = constantStrainFrames(lying, parts({0, 0, 0}, {0, 0, 1}), 0.5, elements)};
  settings.velocities = rigidVelocities(settings.frames, {.velocity = {0, 0, -1}});
  scene.system.add(std::make_unique<Beam>(settings));
  std::vector<PointHandle> points;
  for (std::size_t a = 0; a <= elements; ++a)
    points.push_back(scene.system.point(0, a));
  scene.add(std::make_unique<PointObstacle>(
    points, std::make_shared<Plane>("plane", Vec3{0, 0, 0}, Vec3{0, 0, 1})));
  Multisymplectic stepper(scene.system, scene.contacts, {.step = 3e-4});
  const BeamRun run = runBeam(scene, stepper, 400);
  test.check(run.contacts.size() == elements + 1, "every node hits once") << run.contacts.size();
  test.check(run.contacts.back().time - run.contacts.front().time <= 1e-12, "at one instant");
  const Momenta m = scene.system.momenta(run.last.q, run.last.p);
  test.check(std::abs(m.linear[2] - scene.system.body(0).mass()) <= 1e-10,
             "the beam rebounds as a whole")
    << m.linear[2];
  test.check(run.highestEnergy <= 1e-12 && run.lowestEnergy >= -1e-12, "the energy is kept")
    << run.lowestEnergy << " " << run.highestEnergy;
  test.check(figure(stepper.statistics(run.last), "crowded_steps") == 1, "one crowded step");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("rareimpactsarecounted");
  test.subTest(testNoRoot());
  test.subTest(testReclosing());
  test.subTest(testGridInstant());
  test.subTest(testTwoInOneStep());
  test.subTest(testFlatBeam());
  return test.exit();
}
