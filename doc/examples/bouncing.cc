// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/geometry/obstacle.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>

/** \file
 * \brief A ball bounces down to rest: body, contact, stepper, and the energy every half second
 *
 * Run: build/doc/examples/bouncing. The README quotes main() and its output, and a test compares.
 * Source: Gravouil et al., CD-Lagrange (bouncing ball); src/scenarios/bouncing-particle.ini.
 */

using namespace Dune::Impact;

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  System system;
  const std::size_t ball = system.add(std::make_unique<Particle>(Particle::Settings{
    .name = "ball", .dimension = 1, .mass = 1, .position = {1, 0, 0}, .gravity = {-9.81, 0, 0}}));

  const auto floor = std::make_shared<Plane>("floor", Vec3{0, 0, 0}, Vec3{1, 0, 0});
  std::vector<Contact> contacts;
  contacts.push_back({"ball-on-floor",
                      std::make_unique<PointObstacle>(std::vector{system.point(ball, 0)}, floor),
                      {.restitution = 0.8}});

  CDLagrange stepper(system, contacts, 1, {.step = 1e-3});
  StepReport report;
  State from = stepper.start(system.initialState(), report), to;
  for (int i = 1; i <= 2000; ++i) {
    stepper.step(from, to, report);
    const Record record = stepper.record(from, to);
    if (i % 500 == 0)
      std::cout << "t = " << record.time << "  energy " << record.total()
                << "  energy + dissipated " << record.total() + record.dissipated << std::endl;
    std::swap(from, to);
  }
}
