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

/* Event steps change the length of steps again and again, which drives the highest modes of a mesh.
 * Over thousands of contacts of a bar with massless ends between two walls the energy of steps of
 * nominal length must stay near that of the start, and the ledger must know all that it changed. */

Scene masslessBetweenWalls(std::size_t elements, double distance)
{
  Scene scene;
  Bar::Settings settings = Steel::bar(elements);
  settings.tip = {Bar::Tip::masslessShifted, Bar::Tip::masslessShifted};
  scene.system.add(std::make_unique<Bar>(settings));
  for (double side : {1.0, -1.0})
    scene.addMassless(std::make_shared<MasslessTip>(
      scene.side(0, side > 0 ? Bar::right : Bar::left),
      wall(side > 0 ? Steel::length + distance : -distance, -side), side, distance));
  return scene;
}

struct Extremes
{
  double largest = 0, last = 0, balance = 0, events = 0; // energies relative to the first
};

Extremes run(const Scene& scene, double step, EventStep landing, long steps)
{
  CDLagrange stepper(scene.system, scene.contacts, 1, {.step = step, .landing = landing});
  Extremes result;
  double begin = 0;
  march(stepper, scene.system.initialState(), steps,
        [&](const State& from, const State& to, const StepReport&) {
          const Record record = stepper.record(from, to);
          if (to.step == 1)
            begin = record.total();
          const double energy = record.total() / begin;
          result.balance =
            std::max(result.balance, std::abs(energy + record.dissipated / begin - 1));
          if (std::abs(to.time - from.time - step) <= 1e-6 * step)
            result.largest = std::max(result.largest, result.last = energy);
          result.events = to.ledger.eventSteps;
        });
  return result;
}

TestSuite testRun(EventStep landing, double courant, std::size_t elements, double distance)
{
  const std::string name = std::string(landing == EventStep::both ? "both" : "release") +
                           ", Courant number " + std::to_string(courant) + ", " +
                           std::to_string(elements) + " elements";
  TestSuite test(name);
  const double step = courant * Steel::length / double(elements) / Steel::wave;
  const Extremes found = run(masslessBetweenWalls(elements, distance), step, landing, 60000);
  std::cout << name << ", " << distance << ": largest energy " << found.largest << ", at the end "
            << found.last << ", " << found.events << " event steps, balance " << found.balance
            << "\n";
  test.check(found.events > 20, "there are event steps") << found.events;
  test.check(found.largest < (courant > 0.95 ? 2.5 : 1.5), "the energy is bounded")
    << found.largest;
  test.check(found.last > 0.1, "the bar still moves") << found.last;
  test.check(found.balance < 1e-8, "the ledger has every change") << found.balance;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("eventstepskeeptheenergybounded");
  for (EventStep landing : {EventStep::release, EventStep::both})
    for (double courant : {0.5, 0.9, 0.99})
      for (std::size_t elements : {20u, 50u})
        for (double distance : {2e-5, 2e-4})
          test.subTest(testRun(landing, courant, elements, distance));
  return test.exit();
}
