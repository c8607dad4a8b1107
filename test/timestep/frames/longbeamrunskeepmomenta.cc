// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include "beamimpacts.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* Long runs are chaotic: what can be compared are statistics. Contacts lie between 0.8 times the
 * smallest and 1.2 times the largest number of an independent implementation with perturbed data;
 * energy, momenta and rotations stay where they are, over up to 250 000 steps. */

struct LongRun
{
  std::size_t elements;
  double step;
  long steps;
  double nextTime;
  int fewest, most; //!< contacts
};

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("longbeamrunskeepmomenta");
  const std::vector<LongRun> runs = {
    {5, 4e-5, 12500, 4e-5, 5, 5},       {10, 4e-5, 12500, 4e-5, 13, 13},
    {20, 1e-5, 50000, 4e-5, 18, 18},    {10, 4e-5, 62500, 8e-5, 65, 80},
    {10, 2e-5, 125000, 8e-5, 53, 63},   {16, 2e-5, 125000, 8e-5, 96, 109},
    {10, 4e-5, 125000, 2e-4, 200, 222}, {10, 2e-5, 250000, 2e-4, 211, 251}};
  for (const LongRun& expected : runs)
    for (double factor : {1.0, 1 + 1e-9}) {
      const Scene scene = fallingBeam(expected.elements, expected.nextTime, factor);
      Multisymplectic stepper(scene.system, scene.contacts,
                              {.step = expected.step, .firstInterval = true});
      const BeamRun run = runBeam(scene, stepper, expected.steps);
      const double orthogonality = orthogonalityDefect(scene, run.last);
      std::cout << expected.elements << " elements, " << expected.steps
                << " steps: " << run.contacts.size() << " contacts, energy " << run.lowestEnergy
                << " to " << run.highestEnergy << ", momenta " << run.linearDrift << ", "
                << run.angularDrift << ", rotations " << orthogonality << ", without root "
                << run.last.ledger.noRoots << "\n";
      const double contacts = double(run.contacts.size());
      test.check(contacts >= 0.8 * expected.fewest && contacts <= 1.2 * expected.most,
                 "number of contacts")
        << contacts;
      test.check(run.lowestEnergy >= -5e-3 && run.highestEnergy <= 5e-3, "energy")
        << run.lowestEnergy << " to " << run.highestEnergy;
      test.check(run.linearDrift <= 1e-11 && run.angularDrift <= 1e-11,
                 "momenta that the plane cannot change")
        << run.linearDrift << ", " << run.angularDrift;
      test.check(orthogonality <= 1e-12, "rotations stay orthogonal") << orthogonality;
    }
  return test.exit();
}
