// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
// A method that does not find the capability it needs refuses the contact in one sentence, which
// names the method, the contact, what is missing, and the methods that what it has is for.
#include <config.h>

#include <functional>
#include <memory>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/particle.hh>
#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/contact/beam/gapslip.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>
#include <dune/impact/timestep/explicit/moreaujean.hh>
#include <dune/impact/timestep/frames/multisymplectic.hh>
#include <dune/impact/timestep/frames/nsga.hh>
#include <dune/impact/timestep/frames/staticstepper.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>

using namespace Dune;
using namespace Dune::Impact;

namespace {

  //! A geometry that knows gaps and slips only
  struct SlipsOnly : GapSlipGeometry
  {
    std::size_t multipliers() const override { return 1; }
    void evaluate(double, double, ConstSpan, ConstSpan, ConstSpan, GapSlip&) const override {}
    double weight(std::size_t) const override { return 1; }
    double reach() const override { return 1; }
    double stiffness() const override { return 1; }
    std::size_t firstBody() const override { return 0; }
    std::optional<std::size_t> secondBody() const override { return {}; }
  };

  System particle()
  {
    System system;
    system.add(std::make_unique<Particle>(
      Particle::Settings{.name = "ball", .dimension = 3, .mass = 1, .position = {0, 0, 1}}));
    return system;
  }

  System rigidBall()
  {
    System system;
    system.add(
      std::make_unique<RigidBody>(RigidBody::Settings{.name = "ball",
                                                      .mass = {1, {1, 1, 1}},
                                                      .shape = std::make_shared<BallShape>(0.5),
                                                      .bodies = {{.position = {0, 0, 1}}}}));
    return system;
  }

  //! What a method says of a contact, and what must be in it
  void checkRefusal(TestSuite& test, const std::string& method, const std::string& needed,
                    const std::string& instead, const std::function<void()>& build)
  {
    std::string said;
    try {
      build();
    }
    catch (const ContactRefused& error) {
      said = error.what();
    }
    for (const std::string& word : {method, needed, std::string("contact.touch"), instead})
      test.check(said.find(word) != std::string::npos, method + " says " + word) << said;
    test.check(said.find(". ") == std::string::npos && said.find('\n') == std::string::npos,
               method + " needs one sentence")
      << said;
  }

  std::shared_ptr<PointObstacle> onFloor(const System& system)
  {
    return std::make_shared<PointObstacle>(
      std::vector{system.point(0, 0)},
      std::make_shared<Plane>("floor", Vec3{0, 0, 0}, Vec3{0, 0, 1}));
  }

  TestSuite testImpulses()
  {
    TestSuite test("methods that need impulse points");
    const System system = particle(), rigid = rigidBall();
    const std::vector<Contact> contacts = {{"touch", std::make_shared<SlipsOnly>()}};
    const std::string needed = "impulse points", instead = "nsga";
    checkRefusal(test, "cd-lagrange", needed, instead,
                 [&] { CDLagrange(system, contacts, 3, {.step = 1}); });
    checkRefusal(test, "moreau-jean", needed, instead,
                 [&] { MoreauJean(system, contacts, 3, {.step = 1}); });
    checkRefusal(test, "multisymplectic", needed, instead,
                 [&] { Multisymplectic(system, contacts, {.step = 1}); });
    checkRefusal(test, "energy-momentum", needed, instead,
                 [&] { EnergyMomentum(rigid, contacts, {.step = 1}); });
    return test;
  }

  template<int dim>
  TestSuite testGaps()
  {
    TestSuite test("methods that need weighted gaps, dimension " + std::to_string(dim));
    const System system = particle();
    const std::vector<Contact> contacts = {{"touch", onFloor(system)}};
    const auto check = [&](std::shared_ptr<const MidpointRule<dim>> rule) {
      checkRefusal(test, rule->name(), "weighted gaps", "cd-lagrange",
                   [&] { ImplicitStepper<dim>(system, contacts, {.step = 1, .rule = rule}); });
    };
    check(std::make_shared<Midpoint<dim>>());
    check(std::make_shared<ModifiedMidpoint<dim>>());
    check(std::make_shared<DissipativeMidpoint<dim>>());
    check(std::make_shared<QuasiStatic<dim>>());
    return test;
  }

  TestSuite testSlips()
  {
    TestSuite test("methods that need gaps with finite slip");
    const System system = particle();
    std::vector<Contact> contacts = {{"touch", onFloor(system)}};
    contacts[0].geometry.lacks<GapSlipGeometry>("it is a test");
    checkRefusal(test, "nsga", "finite slip, which", "moreau-jean",
                 [&] { Nsga(system, contacts, {.step = 1}); });
    checkRefusal(test, "quasi-static", "because it is a test", "moreau-jean",
                 [&] { StaticStepper(system, contacts, {.step = 1}); });
    return test;
  }

  TestSuite testCapabilities()
  {
    TestSuite test("capabilities");
    const System system = particle();
    const Contact contact("touch", onFloor(system), {.friction = 0.3});
    test.check(contact.geometry.offers<ImpulseGeometry>() &&
                 contact.geometry.offers<PenaltyGeometry>() &&
                 !contact.geometry.offers<GapSlipGeometry>() &&
                 !contact.geometry.offers<WeightedGapGeometry<3>>(),
               "an object offers what it implements");
    test.check(contact.first.body == 0 && !contact.second.body, "sides are those of the geometry");
    test.check(&capability<ImpulseGeometry>(contact, "some method") ==
                 contact.geometry.find<ImpulseGeometry>(),
               "a stepper gets what it asks for");
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("contacts are refused in one sentence");
  test.subTest(testCapabilities());
  test.subTest(testImpulses());
  test.subTest(testGaps<2>());
  test.subTest(testGaps<3>());
  test.subTest(testSlips());
  return test.exit();
}
