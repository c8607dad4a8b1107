// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include "barimpacts.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* Exact contact of elastic bars (d'Alembert) lasts as long as a wave takes from the contact to the
 * far end and back, 2 L/c of the bar that ends the contact. */

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("contactlastsaroundtrip");
  // bar A ends the contact but for case 4, where bar B is half as long
  const std::array<double, 6> exact = {20, 20, 20, 10, 20, 20},
                              bounce = {20.02, 19.97, 19.47, 10.02, 20.11, 20.02},
                              prolonged = {20.17, 20.40, 19.64, 10.38, 20.31, 20.17};
  for (const BarReference& data : barReferences) {
    const Scene scene = barImpact(data);
    Multisymplectic stepper(scene.system, scene.contacts, {.step = barStep});
    const BarRun run = runBars(scene, stepper);
    const std::size_t i = std::size_t(data.number - 1);
    const double duration = run.instants.back().time - run.instants.front().time,
                 expected = (data.prolonged ? prolonged : bounce)[i];
    std::cout << "case " << data.number << (data.prolonged ? ", prolonged: " : ", bounce: ")
              << duration << ", exact " << exact[i] << "\n";
    const bool chaotic = data.number == 3 && !data.prolonged;
    test.check(std::abs(duration - expected) <= (chaotic ? 0.6 : 0.006), "duration of the contact")
      << "case " << data.number << ": " << duration << " instead of " << expected;
    test.check(std::abs(duration / exact[i] - 1) <= 0.04, "against the exact one")
      << duration << " and " << exact[i];
    test.check(figure(run.statistics, "first_instant") == run.instants.front().time &&
                 figure(run.statistics, "last_instant") == run.instants.back().time,
               "the summary has it");
    test.check(std::abs(run.instants.front().time - 1 / (data.speedA - data.speedB)) <= 1e-12,
               "beginning of the contact")
      << run.instants.front().time;
  }
  return test.exit();
}
