// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/common/version.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/geometry/obstacle.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>

/** \file
 * \brief A module of one's own: a ball bounces on the ground, stepped by hand
 *
 * With restitution one and a constant force, CD-Lagrange keeps its energy up to rounding.
 */

using namespace Dune::Impact;

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;

  System system;
  system.add(std::make_unique<Particle>(Particle::Settings{.name = "ball",
                                                           .dimension = 3,
                                                           .mass = 2,
                                                           .radius = 0.1,
                                                           .position = {0, 0, 1},
                                                           .velocity = {1, 0, 0},
                                                           .gravity = {0, 0, -9.81}}));

  std::vector<Contact> contacts;
  contacts.push_back({"ground",
                      std::make_unique<PointObstacle>(
                        std::vector{system.point(0, 0)},
                        std::make_shared<Plane>("ground", Vec3{0, 0, 0}, Vec3{0, 0, 1})),
                      {.restitution = 1}});

  CDLagrange stepper(system, contacts, 3, {.step = 1e-3});
  StepReport report;
  State from = stepper.start(system.initialState(), report), to;
  double first = std::nan(""), error = 0;
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    stepper.step(from, to, report);
    const Record row = stepper.record(from, to);
    if (i == 0)
      first = row.total();
    error = std::max(error, std::abs(row.total() - first) / first);
    hits += report.contacts;
    std::swap(from, to);
  }
  const Momenta momenta = system.momenta(from.q, from.p);
  std::cout << "dune-impact " << version() << ": " << hits << " hits, energy error " << error
            << ", momentum along the ground " << momenta.linear[0] << std::endl;
  test.check(hits > 0, "the ball reaches the ground") << hits;
  test.check(error < 1e-12, "energy is kept") << error;
  test.check(std::abs(momenta.linear[0] - 2) < 1e-12, "momentum along the ground is kept")
    << momenta.linear[0];
  return test.exit();
}
