// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/timestep/impulse/contactimpulses.hh>

#include "../scenes.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

//! Four balls that touch each other and a plane, whatever their positions; with friction they form
//! a chain
Scene cluster(int dimension, std::mt19937& random, const std::vector<ContactLaw>& laws)
{
  Scene scene{.dimension = dimension};
  std::uniform_real_distribution<double> uniform(0.1, 3);
  const std::size_t balls = 4;
  for (std::size_t i = 0; i < balls; ++i) {
    Vec3 x(0);
    for (int c = 0; c < dimension; ++c)
      x[c] = uniform(random);
    scene.system.add(std::make_unique<Particle>(Particle::Settings{.name = "ball",
                                                                   .dimension = dimension,
                                                                   .mass = uniform(random),
                                                                   .radius = 0.1,
                                                                   .position = x}));
  }
  const auto law = [&] { return laws[scene.next() % laws.size()]; };
  for (std::size_t i = 0; i < balls; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (i - j == 1 || (laws[0].friction == 0 && uniform(random) > 1))
        scene.add(std::make_unique<BallPair>(scene.system.point(i, 0), scene.system.point(j, 0)),
                  law());
  scene.add(std::make_unique<PointObstacle>(
              std::vector{scene.system.point(0, 0), scene.system.point(1, 0)}, wall(0, 1)),
            law());
  return scene;
}

//! Impulses alone never raise the energy, and the ledger tells how much it falls
TestSuite testEnergy(const std::string& name, int dimension, const std::vector<ContactLaw>& laws,
                     bool safe)
{
  TestSuite test("energy of impacts, " + name);
  std::mt19937 random(17);
  double worst = -1e9, mistake = 0, momentum = 0;
  int active = 0;
  for (int i = 0; i < 400; ++i) {
    const Scene scene = cluster(dimension, random, laws);
    const State state = scene.system.initialState();
    const auto before = randomNumbers(state.p.size(), 1, random);
    auto p = before;
    ContactImpulses impulses(scene.system, scene.contacts, dimension);
    std::vector<double> list;
    StepReport report;
    Ledger ledger;
    report.begin(scene.system.bodyCount(), scene.contacts.size(), 0);
    impulses.collect({0, 1, 1}, state.q, 1e9);
    impulses.kick(state.q, before, p, list, report, ledger);

    const double e0 = scene.system.kinetic(state.q, before), e1 = scene.system.kinetic(state.q, p);
    worst = std::max(worst, (e1 - e0) / e0);
    mistake = std::max(mistake, std::abs(e1 - e0 - ledger.contactWork - ledger.frictionWork) / e0);
    const Momenta m0 = scene.system.momenta(state.q, before), m1 = scene.system.momenta(state.q, p);
    Vec3 pairs(0);
    for (std::size_t b = 0; b < scene.system.bodyCount(); ++b)
      pairs += report.bodyImpulse[b];
    Vec3 change = m1.linear - m0.linear - pairs;
    momentum = std::max(momentum, change.infinity_norm());
    active += report.contacts;

    // restitution: rates after the impact obey the law of their row
    for (std::size_t r = 0; r < impulses.points().size(); ++r) {
      SparseVector velocity;
      scene.system.addVelocity(state.q, impulses.points().functional(r, 0), velocity);
      const double rate0 = dot(velocity, before), rate1 = dot(velocity, p),
                   e = scene.contacts[impulses.points()[r].contact].law.restitution;
      // the form that is safe row by row
      const bool guarded =
        laws.size() > 1 || (laws[0].friction > 0 && laws[0].slip == Slip::midStep);
      if (rate0 < 0 || !guarded)
        test.check(rate1 + e * rate0 >= -1e-11,
                   "the rate after the impact is at least -e times that before")
          << rate1 << " " << rate0;
      const double impulse = impulses.impulses()[r * impulses.points().components()];
      test.check(impulse >= 0, "contact only pushes");
      if (rate0 < 0)
        test.check(impulse * (rate1 + e * rate0) <= 1e-10,
                   "an impulse leaves exactly -e times the rate before")
          << impulse << " " << rate1 + e * rate0;
    }
  }
  test.check(active > 400, "there are impacts") << active;
  if (safe)
    test.check(worst <= 1e-12, "the energy is never raised") << worst;
  test.check(mistake <= 1e-11, "the ledger has the change of energy") << mistake;
  test.check(momentum <= 1e-12, "the report has the impulses") << momentum;
  return test;
}

//! Coulomb's law for one ball on a plane, against its formula
TestSuite testFriction()
{
  TestSuite test("friction");
  for (int dimension : {2, 3})
    for (Slip slip : {Slip::postImpact, Slip::midStep})
      for (double speed : {0.1, 5.0}) {
        Scene scene{.dimension = dimension};
        const double m = 2, mu = 0.3, e = 0.5;
        scene.system.add(std::make_unique<Particle>(
          Particle::Settings{.name = "ball",
                             .dimension = dimension,
                             .mass = m,
                             .velocity = {-1, speed, dimension == 3 ? -speed : 0}}));
        scene.add(
          std::make_unique<PointObstacle>(std::vector{scene.system.point(0, 0)}, wall(0, 1)),
          {.restitution = e, .friction = mu, .slip = slip});
        State state = scene.system.initialState();
        const auto before = state.p;
        ContactImpulses impulses(scene.system, scene.contacts, dimension);
        std::vector<double> list;
        StepReport report;
        Ledger ledger;
        report.begin(scene.system.bodyCount(), 1, 0);
        impulses.collect({0, 1, 1}, state.q, 0);
        impulses.kick(state.q, before, state.p, list, report, ledger);
        const double normal = m * (1 + e), size = speed * (dimension == 3 ? std::sqrt(2.0) : 1);
        const double wanted = m * size * (slip == Slip::midStep ? 2 : 1),
                     tangential = std::min(wanted, mu * normal);
        test.check(std::abs(state.p[0] - m * e) < 1e-14, "normal impulse") << state.p[0];
        const double after = (m * size - tangential) / m;
        test.check(std::abs(state.p[1] / m - speed / size * after) < 1e-13,
                   "friction opposes the slip and is at most mu times the normal impulse")
          << state.p[1] / m << " " << after;
        test.check(std::abs(ledger.frictionWork + 0.5 * tangential * (size + after)) < 1e-13,
                   "work of friction")
          << ledger.frictionWork;
        test.check(std::abs(ledger.contactWork + 0.5 * (1 - e) * normal) < 1e-14,
                   "work of the normal impulse")
          << ledger.contactWork;
        test.check(ledger.frictionWork <= 1e-15, "friction takes energy");
      }
  return test;
}

//! A wall that moves at speed w hits a ball at rest: it leaves with (1 + e) w
TestSuite testMovedObstacle()
{
  TestSuite test("moved obstacle");
  for (double e : {0.0, 0.4, 1.0}) {
    Scene scene;
    scene.system.add(
      std::make_unique<Particle>(Particle::Settings{.name = "ball", .dimension = 1, .mass = 2}));
    auto mover = wall(0, 1);
    mover->setMotion({Expression("3*t"), Expression(), Expression()});
    scene.add(std::make_unique<PointObstacle>(std::vector{scene.system.point(0, 0)}, mover),
              {.restitution = e});
    State state = scene.system.initialState();
    const auto before = state.p;
    ContactImpulses impulses(scene.system, scene.contacts, 1);
    std::vector<double> list;
    StepReport report;
    Ledger ledger;
    report.begin(scene.system.bodyCount(), 1, 0);
    impulses.collect({0, 0.5, 0.5}, state.q, 0);
    impulses.kick(state.q, before, state.p, list, report, ledger);
    const double v = 3 * (1 + e), energy = v * v, impulse = 2 * v;
    test.check(std::abs(state.p[0] / 2 - v) < 1e-14, "speed of the ball") << state.p[0] / 2;
    test.check(std::abs(ledger.externalWork - 3 * impulse) < 1e-13,
               "the wall gives impulse times its speed")
      << ledger.externalWork;
    test.check(std::abs(ledger.contactWork + ledger.externalWork - energy) < 1e-13,
               "the rest is lost in the impact")
      << ledger.contactWork;
    test.check(report.contacts == 1 && report.pairImpulse[0] == impulses.impulses()[0] &&
                 impulses.normalImpulse(list, 0, 0) == impulses.impulses()[0],
               "the impulse is reported and kept");
  }
  return test;
}

//! A prescribed dof takes impulses without moving, as if it had infinite mass
TestSuite testPrescribed()
{
  TestSuite test("prescribed dof");
  Scene scene;
  scene.system.add(std::make_unique<Particle>(
    Particle::Settings{.name = "ball", .dimension = 1, .mass = 2, .velocity = {-1, 0, 0}}));
  scene.system.add(std::make_unique<Particle>(
    Particle::Settings{.name = "driver", .dimension = 1, .mass = 5, .velocity = {3, 0, 0}}));
  scene.system.prescribe(scene.system.point(1, 0), 0, Expression("3*t"));
  scene.add(
    std::make_unique<FacePoint>(scene.system.point(0, 0), scene.system.point(1, 0), Vec3{-1, 0, 0}),
    {.restitution = 0.5});
  State state = scene.system.initialState();
  const auto before = state.p;
  ContactImpulses impulses(scene.system, scene.contacts, 1);
  std::vector<double> list;
  StepReport report;
  Ledger ledger;
  report.begin(scene.system.bodyCount(), 1, 0);
  impulses.collect({0, 1, 1}, state.q, 0);
  impulses.kick(state.q, before, state.p, list, report, ledger);
  test.check(std::abs(impulses.impulses()[0] - 12) < 1e-13, "impulse (1 + e) m (relative speed)")
    << impulses.impulses()[0];
  test.check(std::abs(state.p[0] / 2 - 5) < 1e-13,
             "the ball leaves with half of the relative speed")
    << state.p[0] / 2;
  test.check(std::abs(state.p[1] - before[1] + 12) < 1e-13,
             "the impulse on the prescribed dof is given to the stepper, which takes it away")
    << state.p[1];
  return test;
}

//! No rows: nothing happens, and nothing is kept for the next start
TestSuite testNothing()
{
  TestSuite test("no contact");
  const Scene scene = barBetweenWalls(3, 0.5);
  State state = scene.system.initialState();
  const auto before = state.p;
  ContactImpulses impulses(scene.system, scene.contacts, 1);
  std::vector<double> list{0, 7};
  StepReport report;
  Ledger ledger;
  report.begin(scene.system.bodyCount(), 2, 0);
  const double gap = impulses.collect({0, 1, 1}, state.q, 0);
  impulses.kick(state.q, before, state.p, list, report, ledger);
  test.check(std::abs(gap - 0.07) < 1e-15, "the smallest gap") << gap;
  test.check(state.p == before && list.empty() && ledger == Ledger{} && report.contacts == 0,
             "no impulse without contact");
  return test;
}

//! Only points in contact are remembered for the next start
TestSuite testWarmStart()
{
  TestSuite test("warm start");
  Scene scene;
  for (double x : {0.0, 1.0})
    scene.system.add(std::make_unique<Particle>(Particle::Settings{
      .name = "ball", .dimension = 1, .mass = 2, .position = {x, 0, 0}, .velocity = {-1, 0, 0}}));
  scene.add(std::make_unique<PointObstacle>(
    std::vector{scene.system.point(0, 0), scene.system.point(1, 0)}, wall(0, 1)));
  State state = scene.system.initialState();
  const auto before = state.p;
  ContactImpulses impulses(scene.system, scene.contacts, 1);
  std::vector<double> list{0, 7, 1, 7};
  StepReport report;
  Ledger ledger;
  report.begin(scene.system.bodyCount(), 1, 0);
  impulses.collect({0, 1, 1}, state.q, 0);
  impulses.kick(state.q, before, state.p, list, report, ledger);
  test.check(impulses.normalImpulse(list, 0, 0) == 2, "the impulse of a point in contact is kept")
    << list[1];
  test.check(impulses.normalImpulse(list, 0, 1) == 0 && list.size() == 2,
             "that of a point without contact is forgotten")
    << list.size();
  return test;
}

//! Converged, acceptable, or the end of the run with a message that names contact and key
TestSuite testRule()
{
  TestSuite test("stopping rule");
  const auto refusal = [](double residual, double tolerance) -> std::string {
    try {
      requireImpulses({.iterations = 7, .residual = residual, .converged = false}, tolerance,
                      "contact.c");
    }
    catch (const RunError& error) {
      return error.what();
    }
    return "";
  };
  test.check(refusal(9e-7, 1e-10).empty() && refusal(9e-7, 1e-13).empty(),
             "a millionth of the speed is acceptable");
  test.check(refusal(9e-4, 1e-6).empty() && refusal(9e-3, 1e-3).empty(),
             "and 1000 tolerances up to a hundredth");
  for (const auto& [residual, tolerance] :
       {std::pair(1.1e-6, 1e-10), {1.1e-3, 1e-6}, {1.1e-2, 1e-3}}) {
    const std::string message = refusal(residual, tolerance);
    test.check(message.starts_with("contact.c: ") &&
                 message.find("solver.contact-tolerance") != std::string::npos,
               "beyond that the run ends")
      << message;
  }
  test.check(refusal(std::numeric_limits<double>::infinity(), 1e-10).find("not finite") !=
               std::string::npos,
             "numbers that are not finite are named");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("contactimpulses");
  for (double e : {0.0, 0.5, 0.8, 1.0})
    test.subTest(testEnergy("e = " + std::to_string(e), 2, {{.restitution = e}}, true));
  test.subTest(testEnergy("different restitutions", 2,
                          {{.restitution = 1}, {.restitution = 0}, {.restitution = 0.6}}, true));
  test.subTest(testEnergy("different restitutions in space", 3,
                          {{.restitution = 1}, {.restitution = 0.2}}, true));
  test.subTest(testEnergy("mid-step friction", 2,
                          {{.restitution = 0.5, .friction = 0.3, .slip = Slip::midStep}}, true));
  test.subTest(testEnergy("mid-step friction in space", 3,
                          {{.restitution = 0.5, .friction = 0.3, .slip = Slip::midStep}}, true));
  test.subTest(testEnergy("post-impact friction", 2, {{.restitution = 0, .friction = 0.3}}, true));
  test.subTest(testFriction());
  test.subTest(testMovedObstacle());
  test.subTest(testPrescribed());
  test.subTest(testNothing());
  test.subTest(testWarmStart());
  test.subTest(testRule());
  return test.exit();
}
