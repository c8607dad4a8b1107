// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <iostream>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/rigid/rigidgap.hh>
#include <dune/impact/contact/rigid/rigidsurface.hh>
#include <dune/impact/timestep/explicit/criticalstep.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>
#include <dune/impact/timestep/midpoint/rigidstep.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "../explicit/explicitscene.hh"
#include "rules.hh"

/* Rigid bodies against solids, explicit and implicit: linear and angular momentum stay, energy
 * changes by what the ledger says, and the dissipative rule never gains. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  const Lame rubber = Lame::fromYoung(1e6, 0.3);
  constexpr double density = 1000, speed = 5;

  //! A block of 1 x 1 x 0.5 with its top at zero
  Solid<3>::Settings block(const AnyMaterial<3>& material, int n, int levels, bool lumped)
  {
    auto mesh = refineMesh(
      makeBox<3>({-0.5, -0.5, -0.5}, {0.5, 0.5, 0}, {n, n, std::max(1, n / 2)}, CellShape::cube),
      levels, "block");
    return {.name = "block",
            .mesh = std::move(mesh),
            .material = material,
            .density = density,
            .mass = lumped ? Solid<3>::Mass::lumped : Solid<3>::Mass::consistent};
  }

  RigidBody::Settings ball(double clearance = 0.01)
  {
    return {.name = "ball",
            .mass = BallShape::mass(0.2, 30),
            .shape = std::make_shared<BallShape>(0.2),
            .bodies = {{.position = {0.13, -0.07, 0.2 + clearance},
                        .velocity = {1.5, 0.5, -speed},
                        .spin = {3, -10, 2}}}};
  }

  //! A tilted box with an edge and a corner ahead
  RigidBody::Settings box(double height = 0.36)
  {
    const Vector3 size(0.3, 0.4, 0.5);
    return {.name = "box",
            .mass = BoxShape::mass(size, 60),
            .shape = std::make_shared<BoxShape>(size),
            .bodies = {{.position = {0.12, -0.1, height},
                        .rotation = stepQuaternion(RotationMap::exponential, {0.5, 0.3, 0.2}),
                        .velocity = {1, 0, -speed},
                        .spin = {2, 5, -3}}}};
  }

  //! Sizes of the momenta of the thrown body
  struct Sizes
  {
    double linear, angular;

    explicit Sizes(const RigidBody::Settings& body)
      : linear(body.mass.mass * speed)
      , angular(body.mass.mass * speed * 0.5)
    {}
  };

  // -- explicit
  // ------------------------------------------------------------------------------------

  void addPoints(Test::Scene& scene, const ContactLaw& law)
  {
    const RigidSide side(scene.system, 1);
    scene.add(std::make_unique<ImpulseGeometryPair>(
                std::make_unique<PointRigid>(pointsOf(scene.system, 0), side),
                std::make_unique<RigidToFace>(surfaceOf<3>(scene.system, 0), side)),
              law);
  }

  struct Outcome
  {
    Balance balance;
    double impulse = 0, dissipated = 0;
    int contacts = 0;
  };

  Outcome runExplicit(Test::Scene& scene, double end)
  {
    const double step =
      0.7 * criticalStep(scene.system, scene.contacts, 0, scene.system.initialState().q);
    CDLagrange stepper(scene.system, scene.contacts, 3, {.step = step});
    Outcome outcome;
    march(stepper, scene.system.initialState(), std::lround(end / step),
          [&](const State& from, const State& to, const StepReport& report) {
            const Record record = stepper.record(from, to);
            outcome.balance.observe(record);
            outcome.contacts += report.contacts;
            outcome.impulse += report.pairImpulse[0];
            outcome.dissipated = record.dissipated;
          });
    return outcome;
  }

  TestSuite testExplicitMomenta()
  {
    TestSuite test("explicit, free block");
    double linear = 0, angular = 0;
    for (const auto& thrown : {ball(), box()})
      for (double friction : {0.0, 0.4}) {
        Test::Scene scene{.dimension = 3};
        scene.system.add(
          std::make_unique<Solid<3>>(block(StVenantKirchhoff<3>{rubber}, 5, 0, true)));
        scene.system.add(std::make_unique<RigidBody>(thrown));
        addPoints(scene, {.friction = friction});
        const Outcome outcome = runExplicit(scene, 0.06);
        const Sizes size(thrown);
        test.check(outcome.contacts > 5 && outcome.impulse > 0.3 * size.linear, "they touch")
          << outcome.contacts << " " << outcome.impulse;
        test.check(outcome.balance.linear < 1e-12 * size.linear, "linear momentum")
          << thrown.name << ": " << outcome.balance.linear / size.linear;
        test.check(outcome.balance.angular < 1e-12 * size.angular, "angular momentum")
          << thrown.name << ": " << outcome.balance.angular / size.angular;
        test.check(outcome.dissipated > 0, "impacts of nodes lose energy") << outcome.dissipated;
        linear = std::max(linear, outcome.balance.linear / size.linear);
        angular = std::max(angular, outcome.balance.angular / size.angular);
      }
    std::cout << "explicit: linear and angular momentum " << linear << " " << angular << std::endl;
    return test;
  }

  //! The balance is exact for linear elasticity, on supports too
  TestSuite testExplicitLedger()
  {
    TestSuite test("explicit, block on supports");
    double largest = 0;
    for (const auto& thrown : {ball(), box()})
      for (const ContactLaw& law :
           {ContactLaw{}, ContactLaw{.friction = 0.4, .slip = Slip::midStep},
            ContactLaw{.restitution = 0.5}}) {
        Test::Scene scene{.dimension = 3};
        auto settings = block(LinearElastic<3>{rubber}, 5, 0, true);
        settings.supports = {{.patch = "zmin"}};
        scene.system.add(std::make_unique<Solid<3>>(settings));
        auto body = thrown;
        body.gravity = {0, 0, -9.81};
        scene.system.add(std::make_unique<RigidBody>(body));
        addPoints(scene, law);
        const Outcome outcome = runExplicit(scene, 0.06);
        test.check(outcome.contacts > 5, "they touch") << outcome.contacts;
        test.check(outcome.balance.energy < 1e-12 * outcome.balance.scale, "energy and ledger")
          << thrown.name << ": " << outcome.balance.energy / outcome.balance.scale;
        test.check(outcome.dissipated > 0, "contact loses energy")
          << outcome.dissipated / outcome.balance.scale;
        largest = std::max(largest, outcome.balance.energy / outcome.balance.scale);
      }
    std::cout << "explicit: energy and ledger " << largest << std::endl;
    return test;
  }

  // -- implicit
  // ------------------------------------------------------------------------------------

  struct ImplicitScene
  {
    System system;
    std::vector<Contact> contacts;
    std::unique_ptr<ImplicitStepper<3>> stepper;

    void touch(ObstacleGapKind kind)
    {
      const auto& mesh = solidOf<3>(system, 0).mesh();
      contacts.push_back(
        {"contact", std::make_unique<RigidGap>(makeContactSurface<3>(mesh, std::nullopt, 0, 0),
                                               RigidSide(system, 1), 0, kind)});
    }
  };

  struct ImplicitOutcome
  {
    Balance balance;
    double gain = -1e100, defect = 0, minGap = 1e100, impulse = 0, iterations = 0;
    Vec3 last = {0, 0, 0};
  };

  ImplicitOutcome run(ImplicitScene& scene, const ImplicitStepper<3>::Settings& settings, int steps)
  {
    scene.stepper = std::make_unique<ImplicitStepper<3>>(scene.system, scene.contacts, settings);
    ImplicitOutcome outcome;
    StepReport report;
    State state = scene.stepper->start(scene.system.initialState(), report), next;
    Record record = scene.stepper->record(state, state);
    outcome.balance.observe(record);
    for (int n = 0; n < steps; ++n, std::swap(state, next)) {
      scene.stepper->step(state, next, report);
      const Record now = scene.stepper->record(state, next);
      outcome.balance.observe(now);
      const double change = now.total() - record.total() - (now.externalWork - record.externalWork);
      outcome.gain = std::max(outcome.gain, change - scene.stepper->slack());
      outcome.defect =
        std::max(outcome.defect,
                 std::abs(change + now.dissipated - record.dissipated) - scene.stepper->slack());
      outcome.minGap = std::min(outcome.minGap, report.minGap);
      outcome.impulse += report.pairImpulse[0];
      outcome.iterations = std::max(outcome.iterations, double(report.solve.iterations));
      record = now;
    }
    const auto& body = dynamic_cast<const RigidBody&>(scene.system.body(1));
    outcome.last = body.centreOfMass(scene.system.configurationSlice(1, state.q));
    return outcome;
  }

  TestSuite testImplicit(const RigidBody::Settings& thrown, RuleName rule, ObstacleGapKind kind,
                         bool multigrid)
  {
    TestSuite test("implicit, " + thrown.name + ", rule " + std::to_string(int(rule)) +
                   (kind == ObstacleGapKind::nodal ? ", nodal" : ", weighted") +
                   (multigrid ? "" : ", direct"));
    ImplicitScene scene;
    scene.system.add(std::make_unique<Solid<3>>(block(StVenantKirchhoff<3>{rubber}, 3, 1, false)));
    scene.system.add(std::make_unique<RigidBody>(thrown));
    scene.touch(kind);
    const ImplicitOutcome outcome = run(scene,
                                        {.step = 1e-3,
                                         .rule = makeRule<3>(rule),
                                         .sqp = {.tolerance = 1e-13},
                                         .multigrid = multigrid},
                                        50);
    const Sizes size(thrown);
    test.check(outcome.impulse > 0.3 * size.linear, "they touch") << outcome.impulse;
    test.check(outcome.balance.linear < 1e-12 * size.linear, "linear momentum")
      << outcome.balance.linear / size.linear;
    if (rule != RuleName::modified)
      test.check(outcome.balance.angular < 1e-12 * size.angular, "angular momentum")
        << outcome.balance.angular / size.angular;
    test.check(outcome.defect < 1e-13 * outcome.balance.scale, "energy and ledger")
      << outcome.defect / outcome.balance.scale;
    if (rule == RuleName::dissipative)
      test.check(outcome.gain < 1e-13 * outcome.balance.scale, "no gain")
        << outcome.gain / outcome.balance.scale;
    if (rule != RuleName::midpoint)
      test.check(outcome.minGap > -1e-10, "no overlap") << outcome.minGap;
    std::cout << "implicit, " << thrown.name << ": linear and angular momentum "
              << outcome.balance.linear / size.linear << " "
              << outcome.balance.angular / size.angular << ", iterations " << outcome.iterations
              << std::endl;
    test.check(outcome.iterations <= 60, "iterations") << outcome.iterations;
    return test;
  }

  //! Weight, a pivot and returned energy
  TestSuite testPendulum()
  {
    TestSuite test("rigid pendulum hits a block");
    for (double returned : {0.0, 1.0}) {
      ImplicitScene scene;
      scene.system.add(
        std::make_unique<Solid<3>>(block(StVenantKirchhoff<3>{rubber}, 6, 0, false)));
      RigidBody::Settings body{.name = "pendulum",
                               .mass = BallShape::mass(0.2, 30),
                               .shape = std::make_shared<BallShape>(0.2),
                               .bodies = {{.position = {-0.72, 0, -0.2}, .spin = {0, -5, 0}}},
                               .pivot = Vec3{-0.25, 0, 0},
                               .gravity = {0, 0, -9.81}};
      body.mass.inertia[1] += 30 * 0.25 * 0.25;
      body.mass.inertia[2] += 30 * 0.25 * 0.25;
      // hangs down
      body.bodies[0].rotation =
        stepQuaternion(RotationMap::exponential, {0, 0.5 * 3.141592653589793, 0});
      scene.system.add(std::make_unique<RigidBody>(body));
      scene.touch(ObstacleGapKind::nodal);
      const ImplicitOutcome outcome =
        run(scene, {.step = 2e-3, .rule = makeRule<3>(RuleName::dissipative, returned)}, 60);
      test.check(outcome.impulse > 0, "they touch") << outcome.impulse;
      test.check(outcome.defect < 1e-12 * outcome.balance.scale, "energy and ledger")
        << outcome.defect / outcome.balance.scale;
      test.check(outcome.gain < 1e-9 * outcome.balance.scale, "no gain")
        << outcome.gain / outcome.balance.scale;
    }
    return test;
  }

  TestSuite testStepper()
  {
    ImplicitScene scene;
    scene.system.add(std::make_unique<Solid<3>>(block(StVenantKirchhoff<3>{rubber}, 2, 0, false)));
    scene.system.add(std::make_unique<RigidBody>(box()));
    scene.touch(ObstacleGapKind::nodal);
    ImplicitStepper<3> stepper(scene.system, scene.contacts, {.step = 1e-3});
    return checkStepper(stepper, scene.system.initialState(), {.steps = 30, .balance = 1e-9});
  }

  //! Equations of one rigid body: work, free motion, derivatives of the rotations
  TestSuite testRigidStep()
  {
    TestSuite test("rigid step");
    std::mt19937 random(5);
    const auto number = [&] { return std::uniform_real_distribution<double>(-1, 1)(random); };
    const RigidBody body({.name = "body",
                          .mass = {2, {1, 2, 2.5}},
                          .shape = std::make_shared<BallShape>(1),
                          .gravity = {1, -2, 3}});
    std::vector<double> q(10), p(6), v(6), y(6), q1(10), v1(6), R(6), p0(6), p1(6);
    body.initialise(q, p);
    for (double& x : v)
      x = number();
    const double h = 0.4, length = 0.7;
    const RigidStep step(body, q.data(), v.data(), h, length);
    step.predict(y.data());
    step.residual(y.data(), R.data());
    for (int c = 0; c < 3; ++c)
      test.check(std::abs(R[c] + 2 * Vec3{1, -2, 3}[c]) < 1e-14 && std::abs(R[3 + c]) < 1e-13,
                 "free motion balances")
        << R[c] << " " << R[3 + c];
    for (double& x : y)
      x += 0.3 * number();
    step.place(y.data(), q1.data());
    step.velocities(y.data(), v1.data());
    step.residual(y.data(), R.data());
    body.momentum(q, v, p0);
    body.momentum(q1, v1, p1);
    double work = 0;
    for (int i = 0; i < 6; ++i)
      work += R[i] * y[i];
    const auto energy = [&](const std::vector<double>& q, const std::vector<double>& p) {
      return body.kinetic(q, p) + body.potentials(0, q).sum();
    };
    test.check(std::abs(work - (energy(q1, p1) - energy(q, p0))) < 1e-13, "work of the forces")
      << work - (energy(q1, p1) - energy(q, p0));
    const Momenta m0 = body.momenta(q, p0), m1 = body.momenta(q1, p1);
    Vec3 force{R[0] + 2, R[1] - 4, R[2] + 6},
      middle = 0.5 * (toVec3(RigidPlace(q.data()).centre) + toVec3(RigidPlace(q1.data()).centre));
    const Vec3 moment = Vec3{R[3], R[4], R[5]} * length + cross(middle, force);
    test.check((m1.linear - m0.linear - force * h).two_norm() < 1e-13 &&
                 (m1.angular - m0.angular - moment * h).two_norm() < 1e-13,
               "impulse and angular impulse");
    for (const bool half : {false, true}) { // rotation by a change of y
      const Matrix3 tangent = half ? step.middleTangent(y.data()) : step.tangent(y.data());
      for (int c = 0; c < 3; ++c) {
        const auto rotation = [&](double e) {
          auto z = y;
          z[3 + c] += e;
          std::vector<double> at(10);
          half ? step.placeMiddle(z.data(), at.data()) : step.place(z.data(), at.data());
          return RigidPlace(at.data()).rotation;
        };
        const double e = 1e-5;
        const Vector3 turn = 2 * (rotation(e) * rotation(-e).conjugate()).vec() / (2 * e);
        test.check((turn - tangent.col(c)).norm() < 1e-9, "tangent of the rotation")
          << (turn - tangent.col(c)).norm();
      }
    }
    std::vector<double> middleQ(10), twice(10);
    step.placeMiddle(y.data(), middleQ.data());
    const Quaternion first = RigidPlace(middleQ.data()).rotation *
                             RigidPlace(q.data()).rotation.conjugate(),
                     second = RigidPlace(q1.data()).rotation *
                              RigidPlace(middleQ.data()).rotation.conjugate();
    test.check((first.coeffs() - second.coeffs()).norm() < 1e-15, "half of the rotation");
    return test;
  }

  /* A bar of hexahedra hits a free rigid body off its centre: impulse of the wave solution
   * M_eff v (1 - exp(-2 m/M_eff)), error within that of the midpoint rule for a bar of nodes. */
  TestSuite testBar()
  {
    TestSuite test("bar on rigid body");
    for (const auto& [elements, allowed] : {std::pair(50, 0.0199), std::pair(100, 0.0125)}) {
      ImplicitScene scene;
      const double gap = 1.037e-6, v = 1e-5, width = 0.1, step = 1.0 / elements;
      auto mesh =
        refineMesh(makeBox<3>({-1 - gap, -0.5 * width, -0.5 * width},
                              {-gap, 0.5 * width, 0.5 * width}, {elements, 1, 1}, CellShape::cube),
                   0, "bar");
      scene.system.add(std::make_unique<Solid<3>>(Solid<3>::Settings{
        .name = "bar",
        .mesh = std::move(mesh),
        .material = StVenantKirchhoff<3>{Lame::fromYoung(1 / (width * width), 0)},
        .density = 1 / (width * width),
        .mass = Solid<3>::Mass::lumped,
        .motion = {.velocity = {v, 0, 0}}}));
      scene.system.add(std::make_unique<RigidBody>(
        RigidBody::Settings{.name = "body",
                            .mass = {2, {1, 1, 0.5}},
                            .shape = std::make_shared<BoxShape>(Vector3(0.6, 2, 2)),
                            .bodies = {{.position = {0.3, -0.5, 0}}}}));
      const auto& bar = solidOf<3>(scene.system, 0).mesh();
      scene.contacts.push_back(
        {"tip", std::make_unique<RigidGap>(makeContactSurface<3>(bar, bar.findPatch("xmax"), 0, 0),
                                           RigidSide(scene.system, 1), 0, ObstacleGapKind::nodal)});
      const ImplicitOutcome outcome =
        run(scene, {.step = step, .multigrid = false}, std::lrint(2.6 / step));
      const double exact = v * (1 - std::exp(-2.0)), error = outcome.impulse / exact - 1;
      test.check(std::abs(error) < allowed, "impulse") << elements << ": " << error;
      test.check(outcome.balance.linear < 1e-12 * v && outcome.balance.angular < 1e-12 * 0.5 * v,
                 "momenta")
        << outcome.balance.linear / v << " " << outcome.balance.angular / v;
      // rounding of places of size one, times the force
      test.check(outcome.gain < 1e-15 * outcome.impulse / 2, "no gain")
        << outcome.gain / outcome.impulse;
      std::cout << "bar of " << elements << ": error of the impulse " << error << std::endl;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testExplicitMomenta());
  test.subTest(testExplicitLedger());
  test.subTest(testRigidStep());
  for (RuleName rule : {RuleName::dissipative, RuleName::midpoint, RuleName::modified})
    test.subTest(testImplicit(ball(), rule, ObstacleGapKind::nodal, true));
  test.subTest(testImplicit(box(), RuleName::dissipative, ObstacleGapKind::nodal, true));
  test.subTest(testImplicit(box(), RuleName::dissipative, ObstacleGapKind::weighted, false));
  test.subTest(testPendulum());
  test.subTest(testStepper());
  test.subTest(testBar());
  return test.exit();
}
