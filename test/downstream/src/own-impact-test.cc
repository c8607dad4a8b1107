// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/particle.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/geometry/obstacle.hh>
#include <dune/impact/material/test/checkmaterial.hh>
#include <dune/impact/scenario/simulation.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "ownregistry.hh"

/** \file
 * \brief Do the new types keep the promises of their interfaces?
 */

template<class Error, class F>
bool throws(F&& f)
{
  try {
    f();
  }
  catch (const Error&) {
    return true;
  }
  return false;
}

//! A ball of mass one falls from rest on the ground
struct Fall
{
  System system;
  std::vector<Contact> contacts;

  explicit Fall(ContactLaw law)
  {
    system.add(std::make_unique<Particle>(Particle::Settings{
      .name = "ball", .dimension = 1, .mass = 1, .position = {1, 0, 0}, .gravity = {-9.81, 0, 0}}));
    contacts.push_back({"ground",
                        std::make_unique<PointObstacle>(
                          std::vector{system.point(0, 0)},
                          std::make_shared<Plane>("ground", Vec3{0, 0, 0}, Vec3{1, 0, 0})),
                        std::move(law)});
  }
};

Dune::TestSuite testLaw()
{
  Dune::TestSuite test("law");
  const auto law = [](double speed) { return yieldRestitution(0.5, speed); };
  Fall fall({.restitutionLaw = law});
  Verlet stepper(fall.system, fall.contacts, 1, {.step = 1e-3});
  test.subTest(
    checkStepper(stepper, fall.system.initialState(), {.steps = 1500, .balance = 1e-12}));

  StepReport report;
  State from = stepper.start(fall.system.initialState(), report), to;
  int impacts = 0;
  for (int i = 0; i < 3000; ++i, std::swap(from, to)) {
    stepper.step(from, to, report);
    if (report.contacts == 0)
      continue;
    const double before = from.p[0] - 9.81e-3, e = -to.p[0] / before;
    test.check(std::abs(e - law(-before)) <= 1e-12, "restitution follows the law")
      << e << " " << law(-before);
    ++impacts;
  }
  test.check(impacts >= 3, "there are impacts") << impacts;

  Fall gain({.restitutionLaw = [](double) { return 1.5; }});
  Verlet wrong(gain.system, gain.contacts, 1, {.step = 1e-3});
  test.check(throws<RunError>([&] {
               State state = wrong.start(gain.system.initialState(), report), next;
               for (int i = 0; i < 1000; ++i, std::swap(state, next))
                 wrong.step(state, next, report);
             }),
             "a law that gives energy is refused");
  return test;
}

//! End of the contact of the block, which never gains energy in an implicit step
double contactEnd(const std::filesystem::path& file, const std::vector<std::string>& changes,
                  Dune::TestSuite& test)
{
  Simulation simulation(file, changes, ownRegistry());
  Stepper& stepper = simulation.stepper();
  StepReport report;
  State from = stepper.start(simulation.initialState(), report), to;
  double last = 0, energy = std::numeric_limits<double>::infinity();
  for (long i = 0; i < simulation.steps(); ++i, std::swap(from, to)) {
    stepper.step(from, to, report);
    const Record record = stepper.record(from, to);
    if (!stepper.staggered())
      test.check(record.total() <= energy * (1 + 1e-9), "no step raises the energy")
        << record.total() << " " << energy;
    energy = record.total();
    if (report.contacts > 0)
      last = to.time;
  }
  return last;
}

Dune::TestSuite testBlock(const std::filesystem::path& scenarios)
{
  Dune::TestSuite test("block");
  const auto file = scenarios / "fibre-block.ini";
  const double stiff = contactEnd(file, {}, test),
               soft = contactEnd(file, {"body.block.fibre-stiffness=1e-6"}, test);
  test.check(stiff < 0.75 * soft, "fibres make the block stiffer, contact is shorter")
    << stiff << " " << soft;
  const double explicitly = contactEnd(file, {"time.method=cd-lagrange", "time.step=0.01"}, test);
  test.check(std::abs(explicitly - stiff) < 0.1 * stiff,
             "the explicit method finds the same contact")
    << explicitly << " " << stiff;
  test.check(throws<InputError>(
               [&] { Simulation(file, {"body.block.fibre-direction=0 0"}, ownRegistry()); }),
             "a fibre without direction is refused");
  test.check(throws<InputError>([&] {
               Simulation(file, {"yield.dent.contact=block-on-ground", "yield.dent.speed=1"},
                          ownRegistry());
             }),
             "a law of restitution where there are no impacts is refused");
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  const Lame lame = Lame::fromYoung(1, 0.3);
  test.subTest(checkMaterial(Fibres<2>{lame, 5, {0.6, 0.8}}, "fibres in the plane"));
  test.subTest(checkMaterial(Fibres<3>{lame, 5, {2.0 / 3, -1.0 / 3, 2.0 / 3}}, "fibres in space"));
  test.subTest(checkMaterial(CustomMaterial<3>(Fibres<3>{lame, 5, {0, 1, 0}}),
                             "fibres behind the common type"));
  test.subTest(testLaw());

  test.subTest(testBlock(argc > 1 ? argv[1] : "."));
  return test.exit();
}
