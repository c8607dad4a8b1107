// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>

#include <fmt/format.h>

#if HAVE_ODE
#include <ode/ode.h>
#endif
#if HAVE_BULLET
#include <btBulletDynamicsCommon.h>
#endif

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/body/particle.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>

#include "../timestep/rigid/rigidscenes.hh"
#include "clocks.hh"

/** \file
 * \brief Speed of rigid bodies: the rod in the box, beside ODE and Bullet where they are installed,
 * many points on a plate, and many balls
 *
 *     benchmark-rigid [steps of the rod, 1000000] [most balls, 10000]
 *
 * Without steps there is no rod.
 *
 * Besides it tells how much energy friction adds in single steps, over twice as many steps.
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace RigidScenes;

void rod(bool mid, long steps)
{
  Scene scene = rodInBox({.restitution = 1});
  EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-6, .mid = mid});
  Run run(scene.system, stepper);
  const Record first = run.record();
  double energy = 0, momentum = 0;
  long impacts = 0;
  bool touched = false;
  const double begin = processSeconds();
  for (long n = 0; n < steps; ++n) {
    run.step();
    const Record r = run.record();
    energy = std::max(energy, std::abs(r.kinetic / first.kinetic - 1));
    momentum = std::max(momentum, std::abs(r.momenta.angular[1] / first.momenta.angular[1] - 1));
    impacts += run.report.contacts > 0 && !touched;
    touched = run.report.contacts > 0;
  }
  fmt::print("rod in box, {:4}  {:6.0f} ns per step with diagnostics, {} impacts, energy {:.1e}, "
             "angular momentum {:.1e}\n",
             mid ? "mid" : "kick", 1e9 * (processSeconds() - begin) / double(steps), impacts,
             energy, momentum);
}

//! Friction 0.3 on the slip after impacts, or on the mid-step slip: the largest gain of energy in
//! one step
void rodWithFriction(double restitution, Slip slip, long steps)
{
  Scene scene = rodInBox({.restitution = restitution, .friction = 0.3, .slip = slip});
  EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-6});
  Run run(scene.system, stepper);
  const Record first = run.record();
  Record last = first;
  double gain = -1, momentum = 0;
  const double begin = processSeconds();
  for (long n = 0; n < steps; ++n) {
    run.step();
    const Record r = run.record();
    gain = std::max(gain, (r.kinetic - last.kinetic) / first.kinetic);
    momentum = std::max(momentum, std::abs(r.momenta.angular[1] / first.momenta.angular[1] - 1));
    last = r;
  }
  fmt::print("rod with friction, e = {}, {:11}  {:6.0f} ns per step, largest gain {:.2e} of the "
             "energy, energy left {:.3f}, angular momentum {:.1e}\n",
             restitution, slip == Slip::midStep ? "mid-step" : "post-impact",
             1e9 * (processSeconds() - begin) / double(steps), gain, last.kinetic / first.kinetic,
             momentum);
}

#if HAVE_ODE
void rodOde(long steps)
{
  dInitODE2(0);
  const dWorldID world = dWorldCreate();
  const dSpaceID space = dSimpleSpaceCreate(nullptr);
  const dJointGroupID joints = dJointGroupCreate(0);
  const dBodyID rod = dBodyCreate(world), box = dBodyCreate(world);
  dMass mass;
  const double m = 7e-6;
  dMassSetParameters(&mass, m, 0, 0, 0, m * 0.02 / 12, m * 1.01 / 12, m * 1.01 / 12, 0, 0, 0);
  dBodySetMass(rod, &mass);
  dMassSetParameters(&mass, 1.68e-3, 0, 0, 0, 1.8666667e-3, 1.8666667e-3, 1.8666667e-3, 0, 0, 0);
  dBodySetMass(box, &mass);
  dBodySetLinearVel(rod, 50, 2, 0);
  dBodySetAngularVel(rod, 0, 40, 0);
  const double initial = 0.5 * m * 2504 + 0.5 * m * 1.01 / 12 * 1600;
  const double begin = processSeconds();
  double energy = 0;
  for (long n = 0; n < steps; ++n) {
    for (int k = 0; k < 6; ++k) { // the same nodes and walls
      dVector3 x, y;
      dBodyGetRelPointPos(rod, 0.2 * k - 0.5, 0, 0, x);
      dBodyGetPosRelPoint(box, x[0], x[1], x[2], y);
      for (int c = 0; c < 3; ++c)
        if (std::abs(y[c]) > 1) {
          dContact contact{};
          contact.surface.mode = dContactBounce;
          contact.surface.bounce = 1;
          contact.geom.depth = std::abs(y[c]) - 1;
          std::copy_n(x, 3, contact.geom.pos);
          dVector3 normal;
          dBodyVectorToWorld(box, c == 0 ? (y[0] > 0 ? -1 : 1) : 0,
                             c == 1 ? (y[1] > 0 ? -1 : 1) : 0, c == 2 ? (y[2] > 0 ? -1 : 1) : 0,
                             normal);
          std::copy_n(normal, 3, contact.geom.normal);
          dJointAttach(dJointCreateContact(world, joints, &contact), rod, box);
        }
    }
    dWorldStep(world, 1e-6);
    dJointGroupEmpty(joints);
    const dReal *v = dBodyGetLinearVel(rod), *w = dBodyGetAngularVel(rod);
    energy = 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
             0.5 * m * 1.01 / 12 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  }
  fmt::print("the same, ODE     {:6.0f} ns per step, energy of the rod {:.3f} of its first\n",
             1e9 * (processSeconds() - begin) / double(steps), energy / initial);
  dJointGroupDestroy(joints);
  dSpaceDestroy(space);
  dWorldDestroy(world);
  dCloseODE();
}
#endif

#if HAVE_BULLET
void rodBullet(long steps)
{
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity({0, 0, 0});
  btSphereShape point(0.001);
  btCompoundShape rodShape, boxShape;
  for (int k = 0; k < 6; ++k)
    rodShape.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0.2 * k - 0.5, 0, 0)),
                           &point);
  btBoxShape wall(btVector3(1, 1, 1));
  for (int c = 0; c < 3; ++c)
    for (int side : {-2, 2}) {
      btVector3 at(0, 0, 0);
      at[c] = side;
      boxShape.addChildShape(btTransform(btQuaternion::getIdentity(), at), &wall);
    }
  const double m = 7e-6;
  using Info = btRigidBody::btRigidBodyConstructionInfo;
  btRigidBody rod(
    Info(btScalar(m), nullptr, &rodShape, btVector3(m * 0.02 / 12, m * 1.01 / 12, m * 1.01 / 12)));
  btRigidBody box(Info(btScalar(1.68e-3), nullptr, &boxShape,
                       btVector3(1.8666667e-3, 1.8666667e-3, 1.8666667e-3)));
  for (btRigidBody* body : {&rod, &box}) {
    body->setRestitution(1);
    body->setFriction(0);
    body->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(body);
  }
  rod.setLinearVelocity({50, 2, 0});
  rod.setAngularVelocity({0, 40, 0});
  const double initial = 0.5 * m * 2504 + 0.5 * m * 1.01 / 12 * 1600, begin = processSeconds();
  for (long n = 0; n < steps; ++n)
    world.stepSimulation(1e-6, 0);
  const double energy = 0.5 * m * rod.getLinearVelocity().length2() +
                        0.5 * m * 1.01 / 12 * rod.getAngularVelocity().length2();
  fmt::print("the same, Bullet  {:6.0f} ns per step, energy of the rod {:.3f} of its first\n",
             1e9 * (processSeconds() - begin) / double(steps), energy / initial);
  world.removeRigidBody(&rod);
  world.removeRigidBody(&box);
}
#endif

//! Ten layers of balls that fall on each other, walls around them; returns seconds per step once
//! they touch
double balls(long count, double tolerance)
{
  Scene scene;
  const double r = 0.01;
  RigidBody::Settings settings{.name = "balls",
                               .mass = BallShape::mass(r, 1e-3),
                               .shape = std::make_shared<BallShape>(r),
                               .bodies = {},
                               .gravity = {0, 0, -9.81}};
  const long side = std::lround(std::sqrt(0.1 * double(count)));
  std::mt19937 random(1);
  const auto shift = [&] { return 0.0015 * (double(random()) / 4294967296.0 - 0.5); };
  for (long i = 0; i < count; ++i)
    settings.bodies.push_back(
      {.position = {0.022 * double(i % side) + shift(), 0.022 * double(i / side % side) + shift(),
                    0.011 + 0.0212 * double(i / side / side)}});
  scene.add(settings);
  const ContactLaw law{.friction = 0.3};
  const double width = 0.022 * double(side - 1) + 0.012;
  scene.touch(0, 0, law);
  for (const auto& [point, normal] :
       {std::pair(Vec3{0, 0, 0}, Vec3{0, 0, 1}), std::pair(Vec3{-0.012, 0, 0}, Vec3{1, 0, 0}),
        std::pair(Vec3{0, -0.012, 0}, Vec3{0, 1, 0}), std::pair(Vec3{width, 0, 0}, Vec3{-1, 0, 0}),
        std::pair(Vec3{0, width, 0}, Vec3{0, -1, 0})})
    scene.touchObstacle(0, std::make_shared<Plane>("wall", point, normal), law);
  EnergyMomentum stepper(scene.system, scene.contacts,
                         {.step = 5e-4, .contactTolerance = tolerance});
  Run run(scene.system, stepper);
  double gain = 0;
  const auto step = [&] {
    const Ledger before = run.state.ledger;
    run.step();
    gain = std::max(gain, run.state.ledger.contactWork + run.state.ledger.frictionWork -
                            before.contactWork - before.frictionWork);
  };
  for (int n = 0; n < 300; ++n) // until they touch
    step();
  const int steps = 100;
  double contacts = 0, iterations = 0, missed = 0, residual = 0;
  const double begin = processSeconds();
  for (int n = 0; n < steps; ++n) {
    step();
    contacts += run.report.contacts;
    iterations += run.report.solve.iterations;
    missed += !run.report.solve.converged;
    residual = std::max(residual, run.report.solve.residual);
  }
  const double each = (processSeconds() - begin) / steps;
  fmt::print("{:6} balls       {:9.3f} ms per step, {:.2f} us per ball, {:.2f} contacts per ball, "
             "{:.0f} sweeps, residual {:.1e}, {} steps above {}, largest gain of a step {:.2f} of "
             "the sum of M (g h)^2/8\n",
             count, 1e3 * each, 1e6 * each / double(count), contacts / steps / double(count),
             iterations / steps, residual, missed, tolerance,
             gain / (double(count) * 1e-3 * 9.81 * 9.81 * 25e-8 / 8));
  return each;
}

/* Points fly up against a rigid plate: the matrix of the contact problem is diagonal but for rank
 * six, and every row is coupled with every other one. Returns seconds per solution. */
double plate(std::size_t points, double friction)
{
  Scene scene;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  scene.add({.name = "plate",
             .mass = BoxShape::mass({2, 2, 0.2}, 3),
             .shape = std::make_shared<BoxShape>(Vector3(2, 2, 0.2)),
             .bodies = {{.velocity = {0, 0, -1}, .spin = {0.1, 0.2, 0.3}}}});
  std::vector<PointHandle> handles;
  for (std::size_t i = 0; i < points; ++i) {
    const Vec3 x{uniform(random), uniform(random), -0.1};
    const std::size_t body = scene.system.add(std::make_unique<Particle>(
      Particle::Settings{.name = "point",
                         .dimension = 3,
                         .mass = (1 + 0.9 * uniform(random)) / double(points),
                         .position = x,
                         .velocity = {uniform(random), uniform(random), uniform(random)}}));
    handles.push_back(scene.system.point(body, 0));
  }
  scene.contacts.push_back({"plate",
                            std::make_unique<PointRigid>(handles, RigidSide(scene.system, 0)),
                            {.friction = friction}});
  const State state = scene.system.initialState();
  ContactImpulses impulses(scene.system, scene.contacts, 3);
  StepReport report;
  int repetitions = 0;
  const double begin = processSeconds();
  for (; repetitions == 0 || processSeconds() - begin < 0.2; ++repetitions) {
    std::vector<double> p = state.p, list;
    Ledger ledger;
    report.begin(scene.system.bodyCount(), 1, 0);
    impulses.collect({0, 1e-3, 1e-3}, state.q, 1e-9);
    impulses.kick(state.q, state.p, p, list, report, ledger);
  }
  const double each = (processSeconds() - begin) / repetitions;
  fmt::print("{:6} points on a plate, friction {}: {:9.3f} ms, {:.2f} us per row, {} of {} act, {} "
             "sweeps, residual {:.1e}\n",
             points, friction, 1e3 * each, 1e6 * each / double(points), report.contacts,
             impulses.points().size(), report.solve.iterations, report.solve.residual);
  return each;
}

//! Run a measurement for growing sizes and print the exponents of growth
template<class F>
void growth(std::initializer_list<long> sizes, F&& measure)
{
  double before = 0, size = 0;
  for (long next : sizes) {
    const double time = measure(next);
    if (before > 0 && time > 0)
      fmt::print("       grows as n^{:.2f}\n",
                 std::log(time / before) / std::log(double(next) / size));
    before = time;
    size = double(next);
  }
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  const long steps = argc > 1 ? std::atol(argv[1]) : 1000000,
             most = argc > 2 ? std::atol(argv[2]) : 10000;
  if (steps > 0) {
    rod(false, steps);
    rod(true, steps);
#if HAVE_ODE
    rodOde(std::min(steps, 200000l));
#endif
#if HAVE_BULLET
    rodBullet(std::min(steps, 200000l));
#endif
    for (double restitution : {1.0, 0.8})
      for (Slip slip : {Slip::postImpact, Slip::midStep})
        rodWithFriction(restitution, slip, 2 * steps);
  }
  for (double friction : {0.0, 0.3})
    growth({100, 1000, 10000}, [&](long n) { return plate(std::size_t(n), friction); });
  for (double tolerance : {1e-2, 1e-3})
    growth({100, 1000, 10000}, [&](long n) { return n <= most ? balls(n, tolerance) : 0; });
}
