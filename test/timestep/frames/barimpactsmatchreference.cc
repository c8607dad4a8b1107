// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include "barimpacts.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* Six impacts of two bars with both integrators: the numbers of an independent implementation, and
 * momentum to rounding. */

//! Positions and velocities of the four nodes
void checkSnapshot(TestSuite& test, const Scene& scene, const Multisymplectic& stepper,
                   const BarSnapshot& expected, const State& from, const State& to)
{
  const std::size_t a = scene.bar(0).nodes(), b = scene.bar(1).nodes(),
                    split = scene.system.masslessContacts().size();
  const std::array<PointHandle, 4> nodes = {
    scene.system.point(0, 0), scene.system.point(0, a - 1 - split), scene.system.point(1, split),
    scene.system.point(1, b - 1)};
  const RecordedMomenta recordedMomenta = stepper.recordedMomenta(from, to);
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = nodes[i].position(to.q)[0],
                 v = recordedMomenta.p[nodes[i].velocityOffset + nodes[i].point];
    test.check(std::abs(x - expected.x[i]) <= expected.tolerance, "position")
      << "step " << to.step << ", node " << i << ": off by " << x - expected.x[i];
    if (expected.velocityTolerance)
      test.check(std::abs(v - expected.v[i]) <= *expected.velocityTolerance, "velocity")
        << "step " << to.step << ", node " << i << ": off by " << v - expected.v[i];
  }
}

TestSuite testCase(const BarReference& expected)
{
  TestSuite test("case " + std::to_string(expected.number) +
                 (expected.prolonged ? ", prolonged" : ", bounce"));
  const Scene scene = barImpact(expected);
  Multisymplectic stepper(scene.system, scene.contacts, {.step = barStep});
  const BarRun run = runBars(scene, stepper, barSteps, [&](const State& from, const State& to) {
    for (const BarSnapshot& recordedMomenta : expected.snapshots)
      if (recordedMomenta.step == to.step)
        checkSnapshot(test, scene, stepper, recordedMomenta, from, to);
  });
  const bool chaotic = expected.number == 3 && !expected.prolonged;
  std::cout << test.name() << ": " << run.instants.size() << " events, energy error "
            << run.energyError << ", momentum " << run.momentumDrift << "\n";
  test.check(std::abs(run.energy - expected.energy) <= 1e-14, "energy at the start") << run.energy;
  test.require(run.instants.size() >= expected.first.size(), "events");
  const long difference = std::abs(long(run.instants.size()) - expected.events);
  test.check(difference <= (expected.prolonged ? 0
                            : chaotic          ? 40
                                               : 2),
             "number of events")
    << run.instants.size() << " instead of " << expected.events;
  test.check(figure(run.statistics, "events") == double(run.instants.size()),
             "the summary counts the events");
  for (std::size_t i = 0; i < expected.first.size(); ++i) {
    test.check(std::abs(run.instants[i].time - expected.first[i][0]) <= 1e-9, "instant")
      << i << ": " << run.instants[i].time - expected.first[i][0];
    test.check(std::abs(run.instants[i].impulse - expected.first[i][1]) <= 1e-9, "impulse")
      << i << ": " << run.instants[i].impulse - expected.first[i][1];
  }
  for (std::size_t i = 0; i < expected.all.size() && i < run.instants.size(); ++i)
    test.check(std::abs(run.instants[i].time - expected.all[i]) <= 1e-8, "instant")
      << i << ": " << run.instants[i].time - expected.all[i];
  const double factor = chaotic ? 3 : 2;
  test.check(run.energyError <= factor * expected.energyError &&
               run.energyError >= expected.energyError / factor,
             "energy error")
    << run.energyError << ", expected " << expected.energyError;
  test.check(run.momentumDrift <= 1e-13, "momentum") << run.momentumDrift;
  if (!chaotic) {
    test.check(std::abs(run.instants.back().time - expected.last) <= 0.01, "last event")
      << run.instants.back().time << " instead of " << expected.last;
    test.check(run.last.ledger.noRoots == expected.noRoots &&
                 figure(run.statistics, "reclosings") == expected.reclosings,
               "counts of rare events")
      << run.last.ledger.noRoots << ", " << figure(run.statistics, "reclosings");
  }
  if (!expected.prolonged)
    test.check(run.minGap > 0, "no overlap at the end of any step") << run.minGap;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("barimpactsmatchreference");
  for (const BarReference& expected : barReferences)
    test.subTest(testCase(expected));
  return test.exit();
}
