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

/* A massless end has no impact. The energy changes only where contact begins or ends inside a
 * step and where the step changes, by known defects:
 *   onset +1/2 k d0 d1, release -1/2 k d0 d1, change of step -1/4 (h+ - h-) 1/2 (h+ + h-) F M^{-1}
 * F. Here they are computed from the states, not from the ledger. */

struct Expected
{
  EventStep landing;
  double energy, change, impulse, first, last, peak, shortest;
};

TestSuite testRun(const Expected& expected)
{
  TestSuite test("landing " + std::to_string(int(expected.landing)));
  const Scene scene = masslessOnWall(50);
  const double tau = 0.9 * Steel::length / 50 / Steel::wave;
  CDLagrange stepper(scene.system, scene.contacts, 1, {.step = tau, .landing = expected.landing});
  const MasslessContact& closure = *scene.system.masslessContacts()[0];
  StepReport report;
  State from = stepper.start(scene.system.initialState(), report), to;
  double begin = 0, energy = 0, impulse = 0, first = 0, last = 0, peak = 0, shortest = 1,
         predicted = 0, worst = 0, before = 0;
  const auto overlap = [&](const State& s) { return closure.overlap(s.time, s.q); };
  std::vector<double> force(from.p.size()), acceleration(from.p.size());
  while (from.time < 2e-4 - 1e-12) {
    stepper.step(from, to, report);
    const double h = to.time - from.time, d0 = overlap(from), d1 = overlap(to),
                 product = 0.5 * closure.stiffness() * d0 * d1;
    if (before > 0 && std::abs(h - before) > 1e-9 * tau) { // kick at the beginning of this interval
      std::fill(force.begin(), force.end(), 0);
      scene.system.addForce(from.time, from.q, 1, force);
      scene.system.velocity(from.q, force, acceleration);
      double square = 0;
      for (std::size_t i = 0; i < force.size(); ++i)
        square += force[i] * acceleration[i];
      predicted -= 0.25 * (h - before) * 0.5 * (h + before) * square;
    }
    if (d0 > 0 && d1 <= 0)
      predicted -= product;
    const Record record = stepper.record(from, to);
    energy = record.total();
    if (to.step == 1)
      begin = energy;
    worst = std::max(
      {worst, std::abs(energy - begin - predicted), std::abs(energy - begin + record.dissipated)});
    if (d0 <= 0 && d1 > 0) // enters with the kick at the end of this interval
      predicted += product;
    if (const double lambda = closure.force(to.time, to.q); lambda > 0) {
      first = first == 0 ? to.time : first;
      last = to.time;
      peak = std::max(peak, lambda);
      impulse += report.pairImpulse[0];
    }
    shortest = std::min(shortest, h);
    before = h;
    std::swap(from, to);
  }
  std::cout << "landing " << int(expected.landing) << ": change of energy " << energy - begin
            << ", defects off by " << worst / begin << " of the energy\n";
  test.check(worst <= 1e-12 * begin,
             "the energy changes by the predicted defects, and the ledger has them")
    << worst / begin;
  const auto compare = [&](double value, double reference, const char* what,
                           double tolerance = 1e-9) {
    test.check(std::abs(value - reference) <= tolerance * std::abs(reference), what)
      << value << " instead of " << reference;
  };
  compare(energy, expected.energy, "energy at the end", 1e-12);
  compare(energy - begin, expected.change, "change of energy");
  compare(impulse, expected.impulse, "impulse");
  compare(first, expected.first, "first force: time");
  compare(last, expected.last, "last force: time");
  compare(peak, expected.peak, "largest force");
  compare(shortest / tau, expected.shortest, "shortest step");
  test.check(from.ledger.eventSteps == double(int(expected.landing)), "number of landings")
    << from.ledger.eventSteps;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("masslesstiphasknowndefects");
  test.subTest(
    testRun({EventStep::none, 16.04337411660779, -0.026301008392209724, 12.812469340630258,
             4.0654276102530705e-05, 0.00013875481191515915, 168813.0963001793, 1.0}));
  test.subTest(testRun({EventStep::release, 16.02154262935681, -0.04813249564319122,
                        12.805804443040277, 4.0654276102530705e-05, 0.00013875481191515915,
                        168813.0963001793, 0.3012086321202073}));
  test.subTest(testRun({EventStep::both, 16.070084035614805, 0.0004089106148050803,
                        12.81150040513009, 4.0883788610924584e-05, 0.00013898432442355303,
                        172023.01607343723, 0.07105736768151288}));
  return test.exit();
}
