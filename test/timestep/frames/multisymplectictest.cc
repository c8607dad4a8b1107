// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/test/checkstepper.hh>

#include "barimpacts.hh"
#include "beamimpacts.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

//! The case of a number and an integrator
const BarReference& barCase(int number, bool prolonged)
{
  for (const BarReference& reference : barReferences)
    if (reference.number == number && reference.prolonged == prolonged)
      return reference;
  throw std::logic_error("no such case");
}

//! Runs with many events: steps repeat in any order
TestSuite testContract()
{
  TestSuite test("contract");
  for (bool prolonged : {false, true}) {
    const Scene scene = barImpact(barCase(3, prolonged), 0.1);
    for (EnergyTarget target : {EnergyTarget::local, EnergyTarget::global}) {
      Multisymplectic stepper(scene.system, scene.contacts, {.step = barStep, .target = target});
      test.subTest(checkStepper(stepper, scene.system.initialState(), {.steps = 1300}));
    }
  }
  const Scene scene = fallingBeam(5, 4e-5);
  Multisymplectic stepper(scene.system, scene.contacts, {.step = 4e-5, .firstInterval = true});
  StepReport report;
  State broken = stepper.start(scene.system.initialState(), report);
  broken.p[7] = std::numeric_limits<double>::infinity();
  test.subTest(
    checkStepper(stepper, scene.system.initialState(), {.steps = 1400, .failing = broken}));
  return test;
}

//! Largest difference
double off(ConstSpan a, ConstSpan b)
{
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    result = std::max(result, std::abs(a[i] - b[i]));
  return result;
}

//! Where the given velocities belong to
TestSuite testStart()
{
  TestSuite test("start");
  const Scene scene = fallingBeam(5, 4e-5);
  const State initial = scene.system.initialState();
  std::vector<double> given(initial.p.size());
  scene.system.velocity(initial.q, initial.p, given);
  for (bool firstInterval : {false, true}) {
    Multisymplectic stepper(scene.system, scene.contacts,
                            {.step = 4e-5, .firstInterval = firstInterval});
    StepReport report;
    const State start = stepper.start(initial, report);
    State to;
    stepper.step(start, to, report);
    const RecordedMomenta next = stepper.recordedMomenta(start, to);
    const std::vector<double> shown(next.p.begin(), next.p.end());
    const RecordedMomenta row = stepper.recordedMomenta(start, start);
    test.check(firstInterval ? off(shown, given) <= 1e-10 : off(shown, given) > 1e-3,
               "the first interval has the given velocity")
      << off(shown, given);
    test.check(off(row.p, given) <= 1e-10, "the row of the start shows it");
    test.check(row.velocities, "rows show velocities");
    const double change =
      std::abs(Multisymplectic::intervalEnergy(start) / Multisymplectic::intervalEnergy(to) - 1);
    test.check(firstInterval ? change <= 1e-14 : change > 1e-14 && change <= 1e-3,
               "energy of the start: that of the first interval, or that of the instant")
      << change;
  }
  return test;
}

//! With the energy of the start as target the energy error shrinks, to the values of an independent
//! implementation
TestSuite testGlobalTarget()
{
  TestSuite test("global target");
  const std::array<double, 6> expected = {1.2e-4, 5.8e-5, 3.2e-4, 1.6e-4, 1.2e-4, 9.9e-5};
  for (int number = 1; number <= 6; ++number) {
    const Scene scene = barImpact(barCase(number, false));
    Multisymplectic stepper(scene.system, scene.contacts,
                            {.step = barStep, .target = EnergyTarget::global});
    const BarRun run = runBars(scene, stepper);
    const double factor = number == 3 ? 3 : 1.1, error = run.energyError,
                 value = expected[std::size_t(number - 1)];
    test.check(error <= factor * value && error >= value / factor, "energy error")
      << "case " << number << ": " << error << " instead of " << value;
    test.check(run.momentumDrift <= 1e-13, "momentum") << run.momentumDrift;
  }
  return test;
}

TestSuite testLimits()
{
  TestSuite test("limits");
  const Scene scene = barImpact(barCase(1, false));
  Multisymplectic stepper(scene.system, scene.contacts, {.step = barStep, .maxEvents = 0});
  std::string message;
  try {
    runBars(scene, stepper);
  }
  catch (const RunError& error) {
    message = error.what();
  }
  test.check(message.find("contact 0") != std::string::npos &&
               message.find("impacts in one step") != std::string::npos,
             "too many impacts in one step end the run")
    << message;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("multisymplectictest");
  test.subTest(testContract());
  test.subTest(testStart());
  test.subTest(testGlobalTarget());
  test.subTest(testLimits());
  return test.exit();
}
