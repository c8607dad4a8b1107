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

/* Two bars with e = 0 lose the kinetic energy 1/2 m_c v^2 of their contact nodes when they meet,
 * with the impulse m_c v for every step length, and nothing afterwards. */
TestSuite testLoss(std::size_t elements, double courant)
{
  TestSuite test(std::to_string(elements) + " elements, Courant number " + std::to_string(courant));
  const Scene scene = twoBars(elements);
  const double tau = courant * Steel::length / double(elements) / Steel::wave;
  CDLagrange stepper(scene.system, scene.contacts, 1, {.step = tau, .gapTolerance = 1e-12});
  // of both bars
  const double mass = scene.bar(0).nodeMass(elements), loss = mass * Steel::speed * Steel::speed;
  double impulse = 0, first = 0, later = 0, energy = 0;
  long contacts = 0;
  const State end = march(stepper, scene.system.initialState(), long(2e-4 / tau),
                          [&](const State& from, const State& to, const StepReport& report) {
                            if (report.contacts > 0 && ++contacts == 1) {
                              impulse = report.pairImpulse[0];
                              first = -(to.ledger.contactWork - from.ledger.contactWork);
                            }
                            later = -to.ledger.contactWork - first;
                            energy = stepper.record(from, to).total();
                          });
  std::cout << elements << " elements, Courant number " << courant << ": impulse off by "
            << impulse / (mass * Steel::speed) - 1 << ", loss by " << first / loss - 1
            << ", lost later " << later / loss << " of it, in " << contacts << " kicks\n";
  test.check(contacts > 50, "the bars touch for a while") << contacts;
  test.check(std::abs(impulse - mass * Steel::speed) <= 1e-12 * mass * Steel::speed,
             "impulse m_c v")
    << impulse;
  test.check(std::abs(first - loss) <= 1e-12 * loss, "loss 1/2 m_c v^2 per bar") << first;
  test.check(std::abs(later) <= 1e-12 * loss, "then nothing is lost") << later;
  test.check(std::abs(energy - (2 * Steel::energy - loss)) <= 1e-12 * Steel::energy,
             "the energy has the loss")
    << energy;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("impactlosesthecontactnodes");
  for (double courant : {0.8, 0.25, 0.05})
    test.subTest(testLoss(49, courant));
  test.subTest(testLoss(50, 0.8));
  return test.exit();
}
