// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/rigid/energymomentum.hh>

#include "rigidreference.hh"
#include "rigidscenes.hh"

/** \file
 * \brief Tops, penalty contact, rods in a box and friction as an independent implementation has
 * found them
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace RigidReference;
using namespace RigidScenes;

double smallest(ConstSpan x)
{
  return *std::min_element(x.begin(), x.end());
}

double distance(const Vector3& a, const Three& b)
{
  return (a - Vector3(b[0], b[1], b[2])).norm();
}

double distance(const Quaternion& a, const Four& b)
{
  return std::min((a.coeffs() - Quaternion(b[0], b[1], b[2], b[3]).coeffs()).norm(),
                  (a.coeffs() + Quaternion(b[0], b[1], b[2], b[3]).coeffs()).norm());
}

Matrix3 matrix(const std::array<double, 9>& a)
{
  Matrix3 m;
  m << a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8];
  return m;
}

//! Largest errors of a run, and the order that they show when the step is halved
struct TopRun
{
  double rotationError, spinError, axisError, energy = 0, momentum = 0;
  Vector3 spin;
};

TopRun runTop(const RigidBody::Settings& settings, bool cayley, int steps, double end,
              const Matrix3& rotation, const Three& spin, const Vec3& conserved)
{
  Scene scene;
  scene.add(settings);
  EnergyMomentum stepper(
    scene.system, scene.contacts,
    {.step = end / steps, .map = cayley ? RotationMap::cayley : RotationMap::exponential});
  TopRun result;
  Run run(scene.system, stepper);
  const Record first = run.record();
  for (int n = 0; n < steps; ++n) {
    run.step();
    const Record r = run.record();
    result.energy =
      std::max(result.energy, std::abs(r.total() - first.total()) / std::abs(first.total()));
    result.momentum =
      std::max(result.momentum, std::abs((r.momenta.angular - first.momenta.angular) * conserved) /
                                  first.momenta.angular.two_norm());
  }
  const Quaternion a = run.place(0).rotation;
  result.spin = a.conjugate() * run.spin(0);
  result.rotationError = (a.toRotationMatrix() - rotation).norm();
  result.spinError = distance(result.spin, spin);
  result.axisError = (a.toRotationMatrix().col(2) - rotation.col(2)).norm();
  return result;
}

TestSuite testTops()
{
  TestSuite test("tops");
  const Quaternion start(RotationExponential::map({0.1, -0.2, 0.3}));
  const RigidBody::Settings free{
    .name = "top",
    .mass = {1, {1, 2, 3}},
    .shape = std::make_shared<BallShape>(1),
    .bodies = {{.rotation = start, .spin = toVec3(start * Vector3(0.2, 2, 0.3))}}};
  double last = 0;
  for (const Top& top : freeTops) {
    const TopRun run =
      runTop(free, top.cayley, top.steps, 10, matrix(freeRotation), freeSpin, {0.3, 0.4, 0.5});
    test.check(std::abs(run.rotationError - top.rotationError) < 1e-10, "rotation of the free top")
      << top.steps << ": " << run.rotationError << " " << top.rotationError;
    test.check(std::abs(run.spinError - top.spinError) < 1e-10, "spin of the free top")
      << run.spinError << " " << top.spinError;
    test.check(distance(run.spin, top.spin) < 1e-11, "spin of the free top at the end")
      << distance(run.spin, top.spin);
    test.check(run.energy < 1e-14, "the free top keeps its energy") << run.energy;
    test.check(run.momentum == 0, "the free top keeps its angular momentum bit for bit")
      << run.momentum;
    if (top.steps > 100)
      test.check(std::abs(std::log2(last / run.rotationError) - 2) < 0.02, "second order")
        << std::log2(last / run.rotationError);
    last = run.rotationError;
  }
  const Quaternion tilted(RotationExponential::map({0.3, 0, 0}));
  const RigidBody::Settings heavy{
    .name = "top",
    .mass = {2, {5, 5, 1}},
    .shape = std::make_shared<BallShape>(1),
    .bodies = {{.rotation = tilted, .spin = toVec3(tilted * Vector3(0, 0, 50))}},
    .pivot = Vec3{0, 0, -1},
    .gravity = {0, 0, -10}};
  for (const Top& top : heavyTops) {
    const TopRun run =
      runTop(heavy, top.cayley, top.steps, 2, matrix(heavyRotation), heavySpin, {0, 0, 1});
    test.check(std::abs(run.rotationError - top.rotationError) < 1e-9, "rotation of the heavy top")
      << top.steps << ": " << run.rotationError << " " << top.rotationError;
    test.check(std::abs(run.spinError - top.spinError) < 1e-9, "spin of the heavy top")
      << run.spinError << " " << top.spinError;
    test.check(std::abs(run.axisError - top.axisError) < 1e-9, "axis of the heavy top")
      << run.axisError << " " << top.axisError;
    test.check(run.energy < 1e-14, "the heavy top keeps its energy") << run.energy;
    test.check(run.momentum < 1e-15, "the heavy top keeps its vertical angular momentum")
      << run.momentum;
  }
  for (const auto& [cayley, step] :
       {std::pair(false, 0.25), std::pair(true, 0.25), std::pair(false, 0.5), std::pair(true, 0.5),
        std::pair(true, 1.0)}) {
    RigidBody::Settings settings = free;
    settings.bodies = {{.spin = {0.2, 2, 0.3}}};
    test.check(
      runTop(settings, cayley, 100, 100 * step, Matrix3::Identity(), {}, {1, 0, 0}).energy < 1e-14,
      "large steps keep the energy")
      << step;
  }
  bool refused = false;
  try {
    RigidBody::Settings settings = free;
    settings.bodies = {{.spin = {0.2, 2, 0.3}}};
    runTop(settings, false, 100, 100, Matrix3::Identity(), {}, {1, 0, 0});
  }
  catch (const RunError&) {
    refused = true;
  }
  test.check(refused, "a step that turns too far is refused, not wrong");
  return test;
}

TestSuite testShell()
{
  TestSuite test("ball in shell");
  for (const Shell& reference : shells) {
    Scene scene;
    scene.add({.name = "ball",
               .mass = BallShape::mass(1, 0.274),
               .shape = std::make_shared<BallShape>(1),
               .bodies = {{.position = {0, 0, 2}, .velocity = {0, 1, 0}}}});
    scene.add({.name = "shell",
               .mass = ShellShape::mass(9, 9, 0.743),
               .shape = std::make_shared<ShellShape>(9, 9),
               .bodies = {{.position = {0, 0, 10}}}});
    scene.touch(0, 1, {.stiffness = 1e4, .dynamicGap = reference.dynamic});
    EnergyMomentum stepper(scene.system, scene.contacts, {.step = reference.step});
    Run run(scene.system, stepper);
    const Record first = run.record();
    double kinetic = 0, total = 0, momentum = 0, gap = 0, mismatch = 0, reported = 0;
    for (int n = 0; n < reference.steps; ++n) {
      run.step();
      const double distance = 8 - (run.place(0).centre - run.place(1).centre).norm();
      mismatch = std::max(mismatch, std::abs(smallest(stepper.carriedGaps(run.state)) - distance));
      reported = std::max(reported, std::abs(run.report.minGap - distance));
      const Record r = run.record();
      kinetic = std::max(kinetic, std::abs(r.kinetic / first.kinetic - 1));
      total = std::max(total, std::abs(r.total() / first.total() - 1));
      momentum = std::max(momentum, std::abs(r.momenta.angular[0] / first.momenta.angular[0] - 1));
      gap = std::min(gap, smallest(stepper.carriedGaps(run.state)));
    }
    test.check(total < 1e-12, "energy") << total;
    test.check(momentum < 1e-12, "angular momentum") << momentum;
    test.check(std::abs(kinetic / reference.dip - 1) < 1e-6, "dip of the kinetic energy")
      << kinetic << " " << reference.dip;
    test.check(std::abs(gap / reference.deepest - 1) < 1e-6, "deepest gap") << gap;
    test.check(reported < 1e-13, "the gap that is reported is that of the positions") << reported;
    test.check(mismatch < 1e-13 ||
                 (reference.dynamic && std::abs(mismatch / reference.mismatch - 1) < 0.05),
               "the gap is the true one, or as far from it as it must be")
      << mismatch << " " << reference.mismatch;
    test.check(distance(run.place(0).centre, reference.ball) < 1e-8 &&
                 distance(run.place(1).centre, reference.shell) < 1e-8,
               "positions")
      << distance(run.place(0).centre, reference.ball) << " "
      << distance(run.place(1).centre, reference.shell);
    test.check(distance(run.velocity(0), reference.ballVelocity) < 1e-6, "velocity")
      << distance(run.velocity(0), reference.ballVelocity);
  }
  return test;
}

TestSuite testFacet()
{
  TestSuite test("rod on plate");
  for (const Facet& reference : facets) {
    Scene scene;
    const Quaternion a(RotationExponential::map({0.2, 0.1, 0}));
    scene.add({.name = "rod",
               .mass = {1, {0.02, 0.09, 0.1}},
               .shape = std::make_shared<RodShape>(1, 0, 6),
               .bodies = {{.position = {0.1, -0.05, 0.55},
                           .rotation = a,
                           .velocity = {0.3, 0.1, -2},
                           .spin = toVec3(a * Vector3(2, 12, 1))}}});
    const Polygon square{{-1.5, -1.5, 0}, {1.5, -1.5, 0}, {1.5, 1.5, 0}, {-1.5, 1.5, 0}};
    scene.add({.name = "plate",
               .mass = {3, {1, 1.2, 2}},
               .shape = std::make_shared<FacetShape>(std::vector<Vector3>{}, 0,
                                                     std::vector<Polygon>{square}),
               .bodies = {{.spin = {0.3, -0.4, 0.5}}}});
    scene.touch(0, 1, {.stiffness = 200});
    EnergyMomentum stepper(
      scene.system, scene.contacts,
      {.step = 0.02, .map = reference.cayley ? RotationMap::cayley : RotationMap::exponential});
    Run run(scene.system, stepper);
    const Record first = run.record();
    double total = 0, momentum = 0, ratio = 1, gap = 0;
    int contacts = 0;
    for (int n = 0; n < 30; ++n) {
      run.step();
      const Record r = run.record();
      total = std::max(total, std::abs(r.total() / first.total() - 1));
      momentum = std::max(
        {momentum,
         (r.momenta.angular - first.momenta.angular).two_norm() / first.momenta.angular.two_norm(),
         (r.momenta.linear - first.momenta.linear).two_norm() / first.momenta.linear.two_norm()});
      ratio = std::min(ratio, r.kinetic / first.kinetic);
      gap = std::min(gap, smallest(stepper.carriedGaps(run.state)));
      contacts += r.stored.contact > 0;
    }
    test.check(total < 1e-14 && momentum < 1e-14, "energy and momenta") << total << " " << momentum;
    test.check(contacts == reference.contactSteps, "steps with contact") << contacts;
    test.check(std::abs(ratio - reference.kineticRatio) < 1e-12 &&
                 std::abs(gap - reference.deepest) < 1e-12,
               "dip and depth")
      << ratio << " " << gap;
    test.check(distance(run.velocity(0), reference.rodVelocity) < 1e-12 &&
                 distance(run.velocity(1), reference.plateVelocity) < 1e-12,
               "velocities")
      << distance(run.velocity(0), reference.rodVelocity) << " "
      << distance(run.velocity(1), reference.plateVelocity);
    test.check(distance(run.angular(0), reference.rodAngular) < 1e-12 &&
                 distance(run.angular(1), reference.plateAngular) < 1e-12,
               "angular momenta");
    test.check(distance(run.place(0).centre, reference.rod) < 1e-12, "position")
      << distance(run.place(0).centre, reference.rod);
  }
  return test;
}

//! Impacts 1 to 5 of the rod in the box, in scales of the numbers themselves
TestSuite testRod(bool mid, const std::vector<Bounce>& references)
{
  TestSuite test(mid ? "rod in box, mid" : "rod in box, kick");
  Scene scene = rodInBox({.restitution = 1});
  EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-6, .mid = mid});
  Run run(scene.system, stepper);
  const Record first = run.record();
  std::size_t n = 0;
  while (n < references.size() && run.state.step < 400000) {
    run.step();
    if (run.acted.contacts == 0)
      continue;
    const Bounce& r = references[n++];
    const double tolerance = n == 1 ? 1e-12 : 1e-9;
    test.check(run.state.step - 1 == r.step, "step of the impact")
      << "impact " << n << ": " << run.state.step - 1 << " instead of " << r.step;
    const double p = 3.5e-4, h = 1e-4; // momenta of the rod at the start
    for (const auto& [name, error] :
         {std::pair("rod position", distance(run.place(0).centre, r.rodX)),
          std::pair("rod momentum", distance(run.linear(0), r.rodP) / p),
          std::pair("rod angular momentum", distance(run.angular(0), r.rodH) / h),
          std::pair("rod rotation", distance(run.place(0).rotation, r.rodQ)),
          std::pair("box position", distance(run.place(1).centre, r.boxX)),
          std::pair("box momentum", distance(run.linear(1), r.boxP) / p),
          std::pair("box angular momentum", distance(run.angular(1), r.boxH) / h),
          std::pair("box rotation", distance(run.place(1).rotation, r.boxQ))})
      test.check(error < tolerance, name) << "impact " << n << ": " << error;
    if (!mid && n <= events.size()) {
      const double time = double(r.step) * 1e-6;
      test.check(std::abs(time - events[n - 1].time) < 1e-5, "instant of the impact without steps")
        << time << " " << events[n - 1].time;
      test.check(distance(run.velocity(0), events[n - 1].rodVelocity) < 0.5,
                 "velocity without steps")
        << distance(run.velocity(0), events[n - 1].rodVelocity);
    }
  }
  test.check(n == references.size(), "number of impacts");
  const Record last = run.record();
  test.check(std::abs(last.kinetic / first.kinetic - 1) < 1e-13, "energy")
    << last.kinetic / first.kinetic - 1;
  test.check(std::abs(last.momenta.angular[1] / first.momenta.angular[1] - 1) < 1e-13,
             "angular momentum")
    << last.momenta.angular[1] / first.momenta.angular[1] - 1;
  return test;
}

//! Six nodes in a row hit a wall at once
TestSuite testFlat()
{
  TestSuite test("flat impact");
  struct Expected
  {
    double e, rod, rodSpin, box;
    Three boxSpin;
    double ratio;
  };
  for (const Expected& x :
       {Expected{1,
                 -9.907348822878024,
                 0.014925800661318895,
                 0.08294728676199177,
                 {-0.02239576742573778, 0, 0.014925800661324791},
                 1.0},
        Expected{0, 0.046325588560987896, 0.0074629003306594475, 0, {}, 0.0046325588560989}}) {
    for (bool mid : {false, true}) {
      Scene scene =
        rodInBox({.restitution = x.e}, {.position = {0.2, 1, 0.3}, .velocity = {0, 10, 0}});
      const double step = 1e-9; // of the variant mid, which moves a little before it acts
      EnergyMomentum stepper(scene.system, scene.contacts,
                             {.step = step, .gapTolerance = 1e-12, .mid = mid});
      Run run(scene.system, stepper);
      const double before = run.record().kinetic;
      run.step();
      const double tolerance = mid ? 1e-6 : 1e-12;
      test.check(std::abs(run.velocity(0)[1] - x.rod) < tolerance * 10, "velocity of the rod")
        << run.velocity(0)[1] << " " << x.rod;
      test.check(std::abs(run.spin(0)[2] - x.rodSpin) < tolerance, "spin of the rod")
        << run.spin(0)[2];
      if (x.e == 1) {
        test.check(std::abs(run.velocity(1)[1] - x.box) < tolerance, "velocity of the box")
          << run.velocity(1)[1];
        test.check(distance(run.spin(1), x.boxSpin) < tolerance, "spin of the box")
          << distance(run.spin(1), x.boxSpin);
      }
      test.check(std::abs(run.record().kinetic / before - x.ratio) <
                   1e-13 + (mid && x.e == 0 ? 1e-7 : 0),
                 "energy")
        << run.record().kinetic / before - x.ratio;
      test.check(run.acted.contacts >= 2 && run.acted.contacts <= 6, "two nodes are enough")
        << run.acted.contacts;
    }
  }
  return test;
}

TestSuite testFriction()
{
  TestSuite test("friction");
  const double time = 0.010942753715568142;
  for (const Friction& r : frictions) {
    // at the instant of the first impact
    const Quaternion turn = stepQuaternion(RotationMap::exponential, {0, 40 * time, 0});
    Scene scene = rodInBox({.restitution = r.restitution,
                            .friction = r.friction,
                            .slip = r.midStep ? Slip::midStep : Slip::postImpact},
                           {.position = {50 * time, 2 * time, 0},
                            .rotation = turn,
                            .velocity = {50, 2, 0},
                            .spin = {0, 40, 0}});
    EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-9, .gapTolerance = 1e-9});
    Run run(scene.system, stepper);
    const double before = run.record().kinetic;
    run.step();
    test.check(run.acted.contacts == 1, "one node touches") << run.acted.contacts;
    test.check(distance(toEigen(run.acted.impulse), r.impulse) < 1e-10 * 5e-4, "impulse")
      << distance(toEigen(run.acted.impulse), r.impulse);
    test.check(distance(run.velocity(0), r.velocity) < 1e-9 * 20 &&
                 distance(run.spin(0), r.spin) < 1e-9 * 100,
               "velocities")
      << distance(run.velocity(0), r.velocity) << " " << distance(run.spin(0), r.spin);
    test.check(std::abs(run.record().kinetic / before - r.energyRatio) < 1e-10, "energy")
      << run.record().kinetic / before - r.energyRatio;
  }
  for (const PlanarFriction& r : planarFrictions) {
    Scene scene;
    const double m = 7e-6, J = m * 1.01 / 12;
    scene.add({.name = "rod",
               .mass = {m, {J, J, J}},
               .shape = std::make_shared<RodShape>(1, 0, 2),
               .bodies = {{.rotation = stepQuaternion(RotationMap::exponential, {0, r.angle, 0}),
                           .velocity = {r.vx, 0, r.vz}}}});
    scene.touchObstacle(
      0, std::make_shared<Plane>("wall", Vec3{0.5 * std::cos(r.angle), 0, 0}, Vec3{-1, 0, 0}),
      {.restitution = r.restitution,
       .friction = r.friction,
       .slip = r.midStep ? Slip::midStep : Slip::postImpact});
    EnergyMomentum stepper(scene.system, scene.contacts, {.step = 1e-9, .gapTolerance = 1e-12});
    Run run(scene.system, stepper);
    const double before = run.record().kinetic;
    run.step();
    test.check(std::abs(-run.acted.impulse[0] / r.normal - 1) < 1e-9 &&
                 std::abs(run.acted.impulse[2] / r.tangential - 1) < 1e-9,
               "impulses on the wall")
      << run.acted.impulse;
    test.check(std::abs(run.velocity(0)[0] - r.vxAfter) < 1e-10 &&
                 std::abs(run.velocity(0)[2] - r.vzAfter) < 1e-10 &&
                 std::abs(run.spin(0)[1] - r.spinAfter) < 1e-9,
               "velocities after the wall")
      << run.velocity(0)[0] << " " << run.velocity(0)[2] << " " << run.spin(0)[1];
    test.check(std::abs(run.record().kinetic / before - r.energyRatio) < 1e-10,
               "energy after the wall")
      << run.record().kinetic / before;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testTops());
  test.subTest(testShell());
  test.subTest(testFacet());
  test.subTest(testRod(false, kicks));
  test.subTest(testRod(true, mids));
  test.subTest(testFlat());
  test.subTest(testFriction());
  return test.exit();
}
