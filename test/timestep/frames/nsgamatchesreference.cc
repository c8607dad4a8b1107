// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <numbers>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/beam.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/contact/beam/beamobstacle.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "nsgareference.hh"
#include "nsgascene.hh"

using namespace Dune;
using namespace Dune::Impact;

constexpr double pi = std::numbers::pi;

TestSuite testBall()
{
  TestSuite test("bouncing ball");
  for (const auto& c : NsgaReference::balls) {
    Scene scene;
    scene.system.add(std::make_unique<Particle>(Particle::Settings{
      .name = "ball", .dimension = 1, .position = {1, 0, 0}, .gravity = {-10, 0, 0}}));
    scene.wall(0, 0, {0, 0, 0}, {1, 0, 0}, 1, c.restitution);
    auto exact = [&](double t) { // flights get shorter by e
      double v = std::sqrt(20.0), begin = std::sqrt(0.2);
      if (t <= begin)
        return 1 - 5 * t * t;
      for (int i = 0; i < 200; ++i) {
        v *= c.restitution;
        if (t <= begin + v / 5)
          return v * (t - begin) - 5 * (t - begin) * (t - begin);
        begin += v / 5;
      }
      return 0.0;
    };
    std::vector<double> q{1};
    double smallest = 1;
    const State end =
      scene.run({.step = c.step}, int(std::lround(3 / c.step)),
                [&](const State&, const State& to, const StepReport& report, const Nsga&) {
                  q.push_back(position(scene.system, to, 0, 0)[0]);
                  smallest = std::min({smallest, q.back(), report.minGap});
                });
    double error = 0;
    std::vector<double> apex;
    for (std::size_t i = 0; i < q.size(); ++i) {
      error += std::abs(q[i] - exact(double(i) * c.step)) / double(q.size());
      if (i > 0 && i + 1 < q.size() && q[i] > q[i - 1] && q[i] >= q[i + 1] && apex.size() < 4)
        apex.push_back(q[i]);
    }
    test.check(smallest >= -1e-15, "the ball does not enter the wall") << smallest;
    test.check(std::abs(error - c.error) <= 1e-3 * c.error + 1e-15, "mean error")
      << c.restitution << " " << c.step << ": " << error << " instead of " << c.error;
    test.check(apex.size() == c.apex.size(), "number of flights") << apex.size();
    for (std::size_t i = 0; i < apex.size(); ++i)
      test.check(std::abs(apex[i] - c.apex[i]) <= 1e-8, "height") << apex[i] - c.apex[i];
    test.check(std::abs(q.back() - c.position) <= 1e-5 && std::abs(end.p[0] - c.velocity) <= 1e-4,
               "at the end")
      << q.back() << " " << end.p[0];
  }
  return test;
}

TestSuite testBlock()
{
  TestSuite test("block on an incline");
  for (const auto& c : NsgaReference::blocks) {
    Scene scene;
    scene.system.add(std::make_unique<Particle>(
      Particle::Settings{.name = "block",
                         .dimension = 2,
                         .mass = 2,
                         .velocity = {c.start, 0, 0},
                         .gravity = {10 * std::sin(c.angle), -10 * std::cos(c.angle), 0}}));
    scene.wall(0, 0, {0, 0, 0}, {0, 1, 0}, 2, 0, 0.3);
    const State end = scene.run({.step = c.step, .positionFriction = c.positionFriction},
                                int(std::lround(1 / c.step)), [](auto&&...) {});
    const double x = position(scene.system, end, 0, 0)[0];
    test.check(std::abs(x - c.way) <= 1e-8, "way")
      << c.step << " " << c.positionFriction << ": " << x << " instead of " << c.way;
    test.check(std::abs(end.p[0] - c.speed) <= 1e-5, "speed")
      << end.p[0] << " instead of " << c.speed;
    test.check(!c.positionFriction || std::abs(x - c.exact) <= 1e-8, "exact way");
  }
  return test;
}

//! A block and a box that stick stay exactly where they are
TestSuite testStickDoesNotCreep()
{
  TestSuite test("stick does not creep");
  const Vec3 gravity = {10 * std::sin(0.2), 0, -10 * std::cos(0.2)};
  Scene scene;
  scene.system.add(std::make_unique<Particle>(
    Particle::Settings{.name = "block", .dimension = 3, .mass = 2, .gravity = gravity}));
  scene.wall(0, 0, {0, 0, 0}, {0, 0, 1}, 3, 0, 0.3);
  double way = 0, gap = 0;
  scene.run({.step = 0.01}, 10000,
            [&](const State&, const State& to, const StepReport& report, const Nsga&) {
              way = std::max(way, position(scene.system, to, 0, 0).two_norm());
              gap = std::min(gap, report.minGap);
            });
  test.check(way <= 1e-14 && gap >= -1e-14, "a block in 10000 steps") << way << " " << gap;

  Scene boxes;
  const RigidMass mass = BoxShape::mass({1, 1, 0.5}, 3);
  boxes.system.add(std::make_unique<RigidBody>(
    RigidBody::Settings{.name = "box",
                        .mass = mass,
                        .shape = std::make_shared<BoxShape>(Vector3(1, 1, 0.5)),
                        .bodies = {{.position = {0, 0, 0.25}}},
                        .gravity = gravity}));
  std::vector<PointHandle> corners;
  for (std::size_t i : boxes.system.body(0).patch(""))
    corners.push_back(boxes.system.point(0, i));
  const auto onFloor = std::make_shared<PointObstacle>(
    corners, std::make_shared<Plane>("floor", Vec3{0, 0, 0}, Vec3{0, 0, 1}));
  boxes.contacts.push_back(
    {"floor", std::make_shared<PointGapSlip>(boxes.system, onFloor, 3), {.friction = 0.3}});
  double force = 0;
  way = 0;
  const State end = boxes.run(
    {.step = 0.01}, 2000,
    [&](const State&, const State& to, const StepReport& report, const Nsga&) {
      way = std::max(
        way, (position(boxes.system, to, 0, 0) - boxes.system.body(0).reference(0)).two_norm());
      force = report.impulse[2] / 0.01;
    });
  test.check(way <= 1e-11, "a box on four corners in 2000 steps") << way;
  test.check(std::abs(force - 30 * std::cos(0.2)) <= 1e-8, "the floor carries it") << force;
  test.check(Nsga::counts(end).frictionless == 0 && Nsga::counts(end).halved == 0,
             "without exceptions");
  return test;
}

TestSuite testBar()
{
  TestSuite test("bar on a wall");
  for (const auto& c : NsgaReference::bars) {
    Scene scene;
    scene.system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                         .length = 10,
                                                         .elements = c.n,
                                                         .young = 900,
                                                         .position = {1, 0, 0},
                                                         .motion = {.velocity = {-10, 0, 0}}}));
    scene.wall(0, 0, {0, 0, 0}, {1, 0, 0}, 1, 0);
    const double h = 0.5 * (10.0 / double(c.n)) / 30;
    double first = 0, last = 0, sum = 0, squares = 0, impulse = 0, smallest = 1, middle = 0,
           nearest = 1, end = 0, time = 0;
    int count = 0;
    const State state = scene.run(
      {.step = h}, int(std::lround(1 / h)),
      [&](const State& from, const State& to, const StepReport& report, const Nsga& stepper) {
        const double force = report.impulse[0] / h;
        impulse += report.impulse[0];
        smallest = std::min(smallest, report.minGap);
        if (force > 1e-6) {
          first = first == 0 ? to.time : first;
          last = to.time;
        }
        time += h; // as there: on the edge of the window sums of steps and multiples differ
        if (time > 0.15 && time < 0.7) {
          sum += force;
          squares += force * force;
          ++count;
        }
        end = energy(stepper, from, to) / 500;
        if (std::abs(to.time - 0.4) < nearest) {
          nearest = std::abs(to.time - 0.4);
          middle = end;
        }
      });
    const double mean = sum / count, deviation = std::sqrt(squares / count - mean * mean);
    std::vector<double> p(state.p.size());
    scene.system.momentum(state.q, state.p, p);
    auto near = [&](double value, double reference, double tolerance, const char* what) {
      test.check(std::abs(value - reference) <= tolerance, what)
        << c.n << " elements: " << value << " instead of " << reference;
    };
    near(first, c.first, 1e-9, "first contact");
    near(last, c.last, 1e-9, "last contact");
    near(mean, c.mean, 1e-6, "mean force");
    near(deviation, c.deviation, 1e-4, "deviation of the force");
    near(impulse, c.impulse, 1e-6, "impulse");
    near(scene.system.momenta(state.q, p).linear[0] / 10, c.speed, 1e-7, "speed of the centre");
    near(end, c.energy, 1e-8, "energy at the end");
    near(middle, c.middleEnergy, 1e-8, "energy in the middle");
    test.check(smallest >= -1e-12, "the gap is never negative") << smallest;
  }
  return test;
}

//! The angle of the rod with exact impacts, by the Runge-Kutta method with small steps
double exactAngle(double t)
{
  double theta = 1, omega = 0, time = 0;
  const int n = int(std::ceil(t / 1e-4));
  const double h = t / std::max(n, 1);
  auto rate = [](double x) { return -15 * std::sin(x); };
  auto step = [&](double h, double& x, double& w) {
    const double a1 = rate(x), x2 = x + 0.5 * h * w, w2 = w + 0.5 * h * a1, a2 = rate(x2),
                 x3 = x + 0.5 * h * w2, w3 = w + 0.5 * h * a2, a3 = rate(x3), x4 = x + h * w3,
                 w4 = w + h * a3, a4 = rate(x4);
    x += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  };
  for (int i = 0; i < n; ++i, time += h) {
    double x = theta, w = omega;
    step(h, x, w);
    if (x < 0) { // the instant of the impact
      double low = 0, high = h;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        double y = theta, u = omega;
        step(middle, y, u);
        (y < 0 ? high : low) = middle;
      }
      step(low, theta, omega);
      omega = -omega;
      step(h - low, theta, omega);
    }
    else {
      theta = x;
      omega = w;
    }
  }
  return theta;
}

//! A rigid rod that hangs at its upper end: by the fixed point of the body, and by the multipliers
//! of a joint
TestSuite testRigidPendulum()
{
  TestSuite test("rigid pendulum");
  for (const auto& c : NsgaReference::rigidPendulums)
    for (bool pivot : {true, false}) {
      Scene scene;
      const double I = 1.0 / 12 + (pivot ? 0.25 : 0);
      const Quaternion start(Eigen::AngleAxisd(-1, Vector3::UnitY()));
      const auto shape = std::make_shared<FacetShape>(
        std::vector<Vector3>{{0, 0, -0.5}, {0, 0, 0.5}}, 0, std::vector<Polygon>{});
      RigidBody::Settings settings{.name = "rod",
                                   .mass = {1, {I, I, 1e-3}},
                                   .shape = shape,
                                   .bodies = {{.rotation = start}},
                                   .gravity = {0, 0, -10}};
      if (pivot)
        settings.pivot = Vec3{0, 0, 0.5};
      else {
        const Vector3 centre = start * Vector3(0, 0, -0.5);
        settings.bodies[0].position = {centre[0], centre[1], centre[2]};
      }
      scene.system.add(std::make_unique<RigidBody>(settings));
      if (!pivot)
        scene.system.add(std::make_unique<FrameJoint>(
          scene.system.point(0, 1), scene.system.initialState().q, FrameJoint::Kind::spherical));
      scene.wall(0, 0, {0, 0, 0}, {1, 0, 0}, 3, 1);
      double error = 0, drift = 0, smallest = 1, theta = 0;
      int steps = 0;
      const State end =
        scene.run({.step = c.step}, int(std::lround(2 / c.step)),
                  [&](const State&, const State& to, const StepReport& report, const Nsga&) {
                    const Vec3 tip = position(scene.system, to, 0, 0);
                    theta = std::atan2(tip[0], -tip[2]);
                    if (pivot || steps % 10 == 0)
                      error += std::abs(theta - exactAngle(to.time)) * (pivot ? 1 : 10);
                    drift = std::max(drift, position(scene.system, to, 0, 1).two_norm());
                    smallest = std::min({smallest, tip[0], report.minGap});
                    ++steps;
                  });
      error /= steps;
      // with a joint the centre moves along its velocity, not on a circle
      const double digits = pivot ? 1e-7 : 0.02;
      test.check(std::abs(error - c.meanError) <= (pivot ? 1e-4 : 0.1) * c.meanError,
                 "mean error of the angle")
        << pivot << " " << c.step << ": " << error << " instead of " << c.meanError;
      test.check(std::abs(theta - c.angle) <= digits, "angle at the end")
        << pivot << ": " << theta << " instead of " << c.angle;
      test.check(std::abs(-end.p[4] - c.rate) <= digits * 5, "its rate")
        << -end.p[4] << " instead of " << c.rate;
      test.check(drift <= 1e-13, "the joint holds") << pivot << ": " << drift;
      test.check(smallest >= -1e-12, "no overlap") << smallest;
    }
  return test;
}

TestSuite testFlexiblePendulum()
{
  TestSuite test("flexible pendulum");
  for (const auto& c : NsgaReference::flexiblePendulums) {
    const FlexiblePendulum scene(c.n, 0);
    double first = 0, before = 0, impulse = 0, smallest = 1, end = 0, last = 0;
    int steps = 0;
    const State state = scene.run(
      {.step = 0.002}, 600,
      [&](const State& from, const State& to, const StepReport& report, const Nsga& stepper) {
        end = energy(stepper, from, to);
        if (report.impulse[0] > 0) {
          if (first == 0) {
            first = to.time;
            before = last;
          }
          ++steps;
        }
        last = end;
        impulse += report.impulse[0];
        smallest = std::min(smallest, report.minGap);
      });
    const Vec3 tip = position(scene.system, state, 0, c.n);
    auto near = [&](double value, double reference, double tolerance, const char* what) {
      test.check(std::abs(value - reference) <= tolerance, what)
        << c.n << " elements: " << value << " instead of " << reference;
    };
    near(first, c.firstContact, 1e-9, "first contact");
    near(before, c.energyBefore, 1e-7, "energy before it");
    test.check(std::abs(steps - c.contactSteps) <= 1, "steps in contact")
      << steps << " instead of " << c.contactSteps;
    near(impulse, c.impulse, 1e-4, "impulse");
    near(tip[0], c.tip[0], 1e-3, "end of the beam");
    near(tip[2], c.tip[2], 1e-3, "end of the beam");
    near(end, c.energyEnd, 1e-4, "energy at the end");
    test.check(smallest >= -1e-11, "no overlap") << smallest;
    test.check(std::abs(position(scene.system, state, 0, 0).two_norm()) <= 1e-13,
               "the hinge holds");
  }
  return test;
}

TestSuite testTwist()
{
  TestSuite test("dynamic twisting");
  for (const auto& c : NsgaReference::twists) {
    const Twist scene(c.n, c.mortar ? BeamConstraints::mortar : BeamConstraints::midpoints, 0.2);
    std::size_t row = 0;
    double smallest = 1, torque = 0, strain = 0, normal = 0, way = 0;
    const State end = scene.run(
      {.step = 2e-4}, 100,
      [&](const State& from, const State& to, const StepReport& report, const Nsga& stepper) {
        smallest = std::min(smallest, report.minGap);
        if (row == c.rows.size() || c.rows[row].step != to.step)
          return;
        const auto& expected = c.rows[row++];
        torque = std::max(torque, std::abs(scene.torque(to, report, c.n) - expected.torque));
        strain =
          std::max(strain, std::abs(stepper.record(from, to).stored.elastic - expected.strain));
        normal = std::max(normal, std::abs(report.pairImpulse[0] / 2e-4 - expected.normal));
        const Vec3 x = position(scene.system, to, 0, c.n / 2);
        way = std::max(
          way, (x - Vec3{expected.middle[0], expected.middle[1], expected.middle[2]}).two_norm());
      });
    const std::string name = std::to_string(c.n) + (c.mortar ? " mortar: " : " midpoints: ");
    test.check(row == c.rows.size(), "all rows");
    test.check(torque <= 1e-3 * c.rows.back().torque, "torque")
      << name << torque / c.rows.back().torque;
    test.check(strain <= 1e-3 * c.rows.back().strain, "strain energy")
      << name << strain / c.rows.back().strain;
    test.check(way <= 1e-2, "middle of the first beam") << name << way;
    test.check(smallest >= (c.mortar ? -1e-2 : -1e-10),
               "no overlap, for mortar one per cent of the radius between the nodes")
      << name << smallest;
    std::cout << name << "torque " << torque / c.rows.back().torque << ", strain "
              << strain / c.rows.back().strain << ", normal force " << normal / c.rows.back().normal
              << ", middle " << way << ", gap " << smallest << ", frictionless "
              << Nsga::counts(end).frictionless << ", halved " << Nsga::counts(end).halved
              << std::endl;
  }
  return test;
}

//! A beam that is thrown along a floor slides and stops, one that falls comes to rest and is
//! carried
TestSuite testBeamOnFloor()
{
  TestSuite test("beam on a floor");
  const Matrix3 alongX = (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();
  const double r = 0.01, g = 10, mu = 0.3;
  for (const BeamConstraints constraints : {BeamConstraints::midpoints, BeamConstraints::mortar})
    for (double height : {0.0, 0.01}) {
      Scene scene;
      Beam::Settings settings{.name = "beam",
                              .length = 1,
                              .elements = 4,
                              .section =
                                circularSection(r, {.young = 1e8, .poisson = 0.3, .density = 1000}),
                              .formulation = BeamFormulation::exponential,
                              .gravity = {0, 0, -g}};
      settings.frames = constantStrainFrames({alongX, {0, 0, r + height}}, straightStrain(), 1, 4,
                                             settings.formulation);
      if (height == 0)
        settings.velocities = rigidVelocities(settings.frames, {.velocity = {1, 0, 0}});
      const double weight = settings.section.mass * g;
      scene.system.add(std::make_unique<Beam>(settings));
      scene.contacts.push_back(
        {"floor",
         std::make_shared<BeamObstacle>(
           scene.system, 0, std::make_shared<Plane>("floor", Vec3{0, 0, 0}, Vec3{0, 0, 1}),
           constraints),
         {.friction = mu}});
      double smallest = 0, force = 0, energy0 = 0;
      const State end = scene.run(
        {.step = 0.002}, 400,
        [&](const State& from, const State& to, const StepReport& report, const Nsga& stepper) {
          smallest = std::min(smallest, report.minGap);
          force = report.impulse[2] / 0.002;
          if (from.step == 0)
            energy0 = energy(stepper, from, from);
          if (energy(stepper, from, to) > energy0 + 1e-9 * weight)
            test.check(false, "no energy is made") << energy(stepper, from, to) - energy0;
        });
      double speed = 0;
      for (double v : end.p)
        speed = std::max(speed, std::abs(v));
      const std::string name =
        std::to_string(int(constraints)) + ", height " + std::to_string(height) + ": ";
      test.check(smallest >= (constraints == BeamConstraints::mortar ? -0.02 * r : -1e-9),
                 "no overlap, for mortar two per cent of the radius between the nodes")
        << name << smallest;
      test.check(std::abs(force - weight) <= 1e-3 * weight, "the floor carries the beam")
        << name << force / weight;
      test.check(speed <= 1e-3, "it is at rest") << name << speed;
      const double way = position(scene.system, end, 0, 2)[0] - 0.5,
                   expected = height == 0 ? 1 / (2 * mu * g) : 0;
      test.check(std::abs(way - expected) <= 0.02 * expected + 1e-8, "way")
        << name << way << " instead of " << expected;
    }
  return test;
}

//! Two rods, joined by a spherical joint and hung up: without numerical damping the energy stays
TestSuite testDoublePendulum()
{
  TestSuite test("double pendulum");
  double before = 0;
  for (double h : {2e-3, 1e-3}) {
    Scene scene;
    const double I = 1.0 / 12;
    const auto shape = std::make_shared<FacetShape>(std::vector<Vector3>{{0, 0, -0.5}, {0, 0, 0.5}},
                                                    0, std::vector<Polygon>{});
    const Quaternion turned(Eigen::AngleAxisd(-1, Vector3::UnitY()));
    const Vector3 elbow = turned * Vector3(0, 0, -1), upper = 0.5 * elbow,
                  lower = elbow + Vector3(0, -0.5, 0);
    const Quaternion across(Eigen::AngleAxisd(pi / 2, -Vector3::UnitX()));
    scene.system.add(std::make_unique<RigidBody>(RigidBody::Settings{
      .name = "upper",
      .mass = {1, {I, I, 1e-3}},
      .shape = shape,
      .bodies = {{.position = {upper[0], upper[1], upper[2]}, .rotation = turned}},
      .gravity = {0, 0, -10}}));
    scene.system.add(std::make_unique<RigidBody>(RigidBody::Settings{
      .name = "lower",
      .mass = {1, {I, I, 1e-3}},
      .shape = shape,
      .bodies = {{.position = {lower[0], lower[1], lower[2]}, .rotation = across}},
      .gravity = {0, 0, -10}}));
    const State initial = scene.system.initialState();
    scene.system.add(std::make_unique<FrameJoint>(scene.system.point(0, 1), initial.q,
                                                  FrameJoint::Kind::spherical));
    scene.system.add(std::make_unique<FrameJoint>(
      scene.system.point(1, 2), initial.q, FrameJoint::Kind::spherical, Vector3::UnitZ(),
      FrameJoint::Holder{.motion = {}, .other = scene.system.point(0, 0)}, elbow));
    double largest = 0, drift = 0, start = 0;
    scene.run(
      {.step = h, .rho = 1}, int(std::lround(1 / h)),
      [&](const State& from, const State& to, const StepReport&, const Nsga& stepper) {
        if (from.step == 0)
          start = energy(stepper, from, from);
        largest = std::max(largest, std::abs(energy(stepper, from, to) - start));
        drift = std::max(
          {drift, position(scene.system, to, 0, 1).two_norm(),
           (position(scene.system, to, 1, 1) - position(scene.system, to, 0, 0)).two_norm()});
      });
    std::cout << "double pendulum, step " << h << ": change of energy " << largest << " of "
              << std::abs(start) << ", drift " << drift << std::endl;
    test.check(largest <= 0.02 * 10, "energy") << largest;
    test.check(drift <= 1e-10, "joints hold") << drift;
    if (before > 0)
      test.check(largest <= 0.6 * before, "the error shrinks with the step")
        << before << " " << largest;
    before = largest;
  }
  return test;
}

//! Steps repeat, the ledger balances, and an impact with restitution on one node of a stiff beam
//! divides steps
TestSuite testStepper()
{
  TestSuite test("stepper");
  const FlexiblePendulum scene(4, 0.8);
  Nsga stepper(scene.system, scene.contacts, {.step = 0.002, .gapTolerance = 1e-12});
  State initial = scene.system.initialState();
  StepReport report;
  State state = stepper.start(initial, report), next;
  double smallest = 1, largest = -10;
  const double energy0 = stepper.record(state, state).total();
  for (int i = 0; i < 600; ++i) {
    stepper.step(state, next, report);
    smallest = std::min(smallest, report.minGap);
    largest = std::max(largest, stepper.record(state, next).total());
    std::swap(state, next);
  }
  test.check(smallest >= -1e-11, "no overlap with restitution") << smallest;
  test.check(largest <= energy0 + 0.02, "no energy is made") << largest - energy0;
  std::cout << "flexible pendulum, restitution 0.8: halved " << Nsga::counts(state).halved
            << ", energy " << stepper.record(state, state).total() << " from " << energy0
            << std::endl;

  // with few iterations steps must be divided, and the motion is the same
  const FlexiblePendulum free(4, 0);
  for (int iterations : {30, 3}) {
    Vec3 tip;
    const State end =
      free.run({.step = 0.004, .minStep = 0.004 / 1024, .maxIterations = iterations}, 100,
               [&](const State&, const State& to, const StepReport&, const Nsga&) {
                 tip = position(free.system, to, 0, 4);
               });
    static Vec3 before;
    if (iterations == 3) {
      test.check(Nsga::counts(end).halved > 0, "steps are divided");
      test.check((tip - before).two_norm() <= 1e-3, "and the motion is the same")
        << (tip - before).two_norm();
    }
    before = tip;
  }
  bool thrown = false;
  try {
    free.run({.step = 0.004, .minStep = 0.004, .maxIterations = 1}, 10, [](auto&&...) {});
  }
  catch (const RunError& error) {
    thrown = std::string(error.what()).find("smooth motion") != std::string::npos;
  }
  test.check(thrown, "a step that cannot be solved says why");
  test.subTest(checkStepper(stepper, initial, {.steps = 240, .balance = 1e-12}));
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testBall());
  test.subTest(testBlock());
  test.subTest(testStickDoesNotCreep());
  test.subTest(testBar());
  test.subTest(testRigidPendulum());
  test.subTest(testFlexiblePendulum());
  test.subTest(testTwist());
  test.subTest(testBeamOnFloor());
  test.subTest(testDoublePendulum());
  test.subTest(testStepper());
  return test.exit();
}
