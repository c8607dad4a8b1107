// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <Eigen/Dense>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>
#include <dune/impact/timestep/rigid/rigidmembers.hh>

#include "rigidreference.hh"
#include "rigidscenes.hh"

/** \file
 * \brief A bar that hits a rigid body, as an independent implementation has found it
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace RigidReference;
using namespace RigidScenes;

//! CD-Lagrange with a bar and a rigid body in one system
TestSuite testBar()
{
  TestSuite test("bar on rigid body");
  for (const BarOnBody& r : bars) {
    const double gap = 1.037e-6, speed = 1e-5, step = 0.8 / r.elements;
    Scene scene;
    scene.system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                         .dimension = 3,
                                                         .length = 1,
                                                         .elements = std::size_t(r.elements),
                                                         .area = 1,
                                                         .young = 1,
                                                         .density = 1,
                                                         .position = {-1 - gap, 0, 0},
                                                         .axis = {1, 0, 0},
                                                         .motion = {.velocity = {speed, 0, 0}}}));
    scene.add({.name = "body",
               .mass = {2, {1, 1, 0.5}},
               .shape = std::make_shared<BoxShape>(Vector3(0.6, 2, 2)),
               .bodies = {{.position = {0.3, -0.5, 0}}}});
    const std::vector<PointHandle> tip = {scene.system.point(0, std::size_t(r.elements))};
    scene.contacts.push_back(
      {"contact", std::make_unique<PointRigid>(tip, RigidSide(scene.system, 1)), {}});
    CDLagrange stepper(scene.system, scene.contacts, 3, {.step = step, .halfStepStart = false});
    Run run(scene.system, stepper);
    const Momenta first = scene.system.momenta(run.state.q, run.state.p);
    double impulse = 0, begin = 0, end = 0, deepest = 0;
    int steps = 0;
    for (int n = 0; n < int(std::lrint(2.6 / step)); ++n) {
      run.step();
      deepest = std::min(deepest, run.report.minGap);
      if (run.report.contacts == 0)
        continue;
      impulse += run.report.pairImpulse[0];
      begin = steps++ == 0 ? run.state.time : begin;
      end = run.state.time;
    }
    const std::size_t q = run.state.q.size() - RigidPlace::size,
                      p = run.state.p.size() - RigidBody::dofs;
    const auto& body = dynamic_cast<const RigidBody&>(scene.system.body(1));
    const Vector3 spin =
      body.angularVelocity(RigidPlace(&run.state.q[q]).rotation,
                           {run.state.p[p + 3], run.state.p[p + 4], run.state.p[p + 5]});
    test.check(std::abs(impulse / r.impulse - 1) < 1e-8, "impulse")
      << r.elements << ": " << impulse << " " << r.impulse;
    test.check(std::abs(run.state.p[p] / 2 / r.velocity - 1) < 1e-8 &&
                 std::abs(spin[2] / r.spin - 1) < 1e-8,
               "motion of the body")
      << run.state.p[p] / 2 << " " << spin[2];
    test.check(std::abs(begin - r.first) < 1e-12 && std::abs(end - r.last) < 1e-12 &&
                 steps == r.contactSteps,
               "instants of contact")
      << begin << " " << end << " " << steps;
    test.check(std::abs(-deepest / r.penetration - 1) < 1e-5, "penetration") << deepest;
    const double energy = scene.system.kinetic(run.state.q, run.state.p) +
                          scene.system.potentials(run.state.time, run.state.q).sum();
    test.check(std::abs(energy / (0.5 * speed * speed) / r.energy - 1) < 1e-8, "energy")
      << energy / (0.5 * speed * speed);
    const Momenta last = scene.system.momenta(run.state.q, run.state.p);
    test.check((last.linear - first.linear).two_norm() < 1e-13 * speed &&
                 (last.angular - first.angular).two_norm() < 1e-13 * 0.5 * speed,
               "momenta")
      << last.linear - first.linear << " " << last.angular - first.angular;
    const double exact = 1 - std::exp(-2.0);
    test.check(std::abs(impulse / (speed * exact) - 1) < 0.011, "impulse of the wave solution")
      << impulse / (speed * exact) - 1;
  }
  return test;
}

/* The bar with implicit midpoint steps, u axial only, against the rigid step of the variant `mid`:
 *
 *     (M + h^2/4 K) vm = M v - h/2 K u + 1/2 n r e_N,   u += h vm,   v = 2 vm - v,
 *     0 <= r  perp  w - (1 - e)/2 min(w-, 0) >= 0
 *
 * with the mean rate w of the gap, normal and place of the predicted configuration. */
TestSuite testMidpointBar()
{
  TestSuite test("bar on rigid body, implicit");
  for (const MidpointBar& r : midpointBars) {
    const int N = r.elements;
    const double gap = 1.037e-6, speed = 1e-5, step = 1.0 / N;
    Scene scene;
    scene.add({.name = "body",
               .mass = {2, {1, 1, 0.5}},
               .shape = std::make_shared<BoxShape>(Vector3(0.6, 2, 2)),
               .bodies = {{.position = {0.3, -0.5, 0}}}});
    const RigidMembers members(scene.system, RotationMap::exponential);
    State state = scene.system.initialState(), next = state;

    Eigen::VectorXd mass = Eigen::VectorXd::Constant(N + 1, 1.0 / N),
                    u = Eigen::VectorXd::Zero(N + 1), v = Eigen::VectorXd::Constant(N + 1, speed);
    mass[0] = mass[N] = 0.5 / N;
    if (r.massless) {
      mass[N - 1] += mass[N];
      mass[N] = 0;
    }
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(N + 1, N + 1);
    for (int i = 0; i < N; ++i) {
      K(i, i) += N;
      K(i + 1, i + 1) += N;
      K(i, i + 1) -= N;
      K(i + 1, i) -= N;
    }
    const Eigen::MatrixXd A = Eigen::MatrixXd(mass.asDiagonal()) + 0.25 * step * step * K;
    const Eigen::LDLT<Eigen::MatrixXd> factor(A);
    const Eigen::VectorXd unit = factor.solve(Eigen::VectorXd::Unit(N + 1, N));
    const double energy0 = 0.5 * speed * speed;
    double impulse = 0, first = 0, last = 0, worst = 0;
    int contacts = 0;
    for (int n = 0; n < int(std::lrint(2.6 / step)); ++n) {
      const Eigen::VectorXd free = factor.solve(mass.cwiseProduct(v) - 0.5 * step * K * u);
      double ignored;
      RigidIncrement move = members.advance(0, 0, step, state.q, state.p, Vector3::Zero(),
                                            Vector3::Zero(), next.q, next.p, ignored);
      const RigidPlace predicted(next.q.data());
      const Vector3 normal = predicted.rotation * Vector3(-1, 0, 0),
                    tip(-gap + u[N] + step * free[N], 0, 0);
      const double g = normal.dot(tip - predicted.centre) - 0.3;
      double impulseNow = 0;
      Eigen::VectorXd mean = free;
      if (g < 0) {
        const Vector3 place = tip - 0.5 * g * normal;
        const auto rate = [&] {
          return normal[0] * mean[N] - normal.dot(move.increment(place)) / step;
        };
        // w- from the velocities at the start of the step; without mass at the tip those of the
        // free step
        const Vector3 arm0 = place - move.middle(),
                      spin = members.body(0).angularVelocity(RigidPlace(state.q.data()).rotation,
                                                             {state.p[3], state.p[4], state.p[5]});
        const Vector3 before = 0.5 * Vector3(state.p[0], state.p[1], state.p[2]) + spin.cross(arm0);
        const double wBefore = r.massless ? rate() : normal[0] * v[N] - normal.dot(before);
        const double aim = 0.5 * (1 - r.restitution) * std::min(wBefore, 0.0);
        const Vector3 turn = arm0.cross(normal);
        const double H = 0.5 * (normal[0] * normal[0] * unit[N] + 0.5 +
                                turn.dot(members.inverseInertia(0, next.q) * turn));
        for (int pass = 0; pass < 200; ++pass) {
          const double better = std::max(0.0, impulseNow - (rate() - aim) / H);
          const bool done = std::abs(better - impulseNow) <= 1e-15 * better;
          impulseNow = better;
          mean = free + 0.5 * normal[0] * impulseNow * unit;
          const Vector3 on = -impulseNow * normal;
          const Vector3 middle =
            RigidPlace(state.q.data()).centre +
            0.5 * step * 0.5 * (Vector3(state.p[0], state.p[1], state.p[2]) + 0.5 * on);
          move = members.advance(0, 0, step, state.q, state.p, on, (place - middle).cross(on),
                                 next.q, next.p, ignored);
          if (done)
            break;
        }
      }
      u += step * mean;
      const double tipRate = mean[N];
      v = 2 * mean - v;
      if (r.massless)
        v[N] = tipRate;
      std::swap(state.q, next.q);
      std::swap(state.p, next.p);
      const double energy = 0.5 * v.dot(mass.cwiseProduct(v)) + 0.5 * u.dot(K * u) +
                            scene.system.kinetic(state.q, state.p);
      worst = std::max(worst, std::abs(energy / energy0 - 1));
      if (impulseNow > 0) {
        impulse += impulseNow;
        first = contacts++ == 0 ? (n + 1) * step : first;
        last = (n + 1) * step;
      }
    }
    const double velocity = 0.5 * state.p[0],
                 spin = members.body(0).angularVelocity(RigidPlace(state.q.data()).rotation,
                                                        {state.p[3], state.p[4], state.p[5]})[2];
    test.check(std::abs(impulse / r.impulse - 1) < 1e-8, "impulse")
      << N << ": " << impulse << " " << r.impulse;
    test.check(std::abs(velocity / r.velocity - 1) < 1e-8 && std::abs(spin / r.spin - 1) < 1e-8,
               "motion of the body")
      << velocity << " " << spin;
    test.check(contacts == r.contactSteps && std::abs(first - r.first) < 1e-12 &&
                 std::abs(last - r.last) < 1e-12,
               "instants of contact")
      << contacts << " " << first << " " << last;
    test.check(r.restitution == 1 ? worst < 1e-12 : std::abs(worst / r.energy - 1) < 1e-8, "energy")
      << worst << " " << r.energy;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testBar());
  test.subTest(testMidpointBar());
  return test.exit();
}
