// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <dune/common/parallel/mpihelper.hh>

#include "../timestep/frames/beamimpacts.hh"
#include "clocks.hh"

/** \file
 * \brief Speed of the multisymplectic beam: nanoseconds per node and step, with the search for
 * contact
 *
 * The step is two thirds of the critical one. Processor time of the thread, best of several
 * repetitions, since other programs may run. The exit status is 1 if the limit is missed.
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  //! Shortest time of a step; the beam moves freely in all of them
  double secondsPerStep(std::size_t elements, long steps, int repetitions)
  {
    const Scene scene = fallingBeam(elements, 4e-5);
    Multisymplectic stepper(scene.system, scene.contacts, {.step = 1e-5, .firstInterval = true});
    StepReport report;
    State state = stepper.start(scene.system.initialState(), report), next;
    double best = 1e300;
    for (int i = 0; i < repetitions; ++i) {
      const double begin = threadSeconds();
      for (long k = 0; k < steps; ++k) {
        stepper.step(state, next, report);
        std::swap(state, next);
      }
      best = std::min(best, threadSeconds() - begin);
    }
    return best / double(steps);
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  const std::size_t elements = 1000;
  const double limit = 400e-9, node = secondsPerStep(elements, 10, 40) / double(elements + 1);
  fmt::print("beam, {} elements   {:8.1f} ns per node and step, at most {:.0f}; ratio {:.2f}\n",
             elements, 1e9 * node, 1e9 * limit, node / limit);
  return node <= limit ? 0 : 1;
}
