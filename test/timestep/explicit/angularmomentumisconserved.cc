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

/* Force and impulse act along x_{k+1}, where x_{k+1} x v = x_k x v: the angular momentum of the
 * rotating spring is constant, impacts included. */
int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("angularmomentumisconserved");
  const Scene scene = rotatingSpring();
  CDLagrange stepper(scene.system, scene.contacts, 2, {.step = 0.05});
  double worst = 0, lowest = 9, highest = 0;
  long impacts = 0;
  march(stepper, scene.system.initialState(), 2000,
        [&](const State& from, const State& to, const StepReport& report) {
          const Record record = stepper.record(from, to);
          worst = std::max(worst, std::abs(record.momenta.angular[2] - 1.5));
          lowest = std::min(lowest, record.total());
          highest = std::max(highest, record.total());
          impacts += report.contacts;
        });
  std::cout << "angular momentum off by " << worst << ", " << impacts << " impacts, energy in ["
            << lowest << ", " << highest << "]\n";
  test.check(worst <= 1e-13 * 1.5, "angular momentum is conserved") << worst;
  test.check(impacts == 72 || impacts == 73, "there are impacts") << impacts;
  test.check(lowest >= 2.2437 && highest <= 2.2615, "the energy stays in its band")
    << lowest << " to " << highest;
  return test.exit();
}
