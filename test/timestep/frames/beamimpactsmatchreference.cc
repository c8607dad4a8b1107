// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include "beamimpacts.hh"
#include "beamreference.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* A beam falls on a plane: frames, velocities, contact instants and impulses of two independent
 * implementations, energy within their errors, momenta to rounding. */

void checkStart(TestSuite& test, const Scene& scene, const BeamReference& expected)
{
  const State initial = scene.system.initialState();
  std::vector<double> v(initial.p.size());
  scene.system.velocity(initial.q, initial.p, v);
  for (const BeamStartNode& node : expected.start) {
    const Frame g = theBeam(scene).frame(initial.q, node.node);
    const Matrix3 R =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(node.rotation.data());
    const Vector6 xi = Eigen::Map<const Vector6>(v.data() + 6 * node.node);
    test.check((g.rotation - R).norm() <= 1e-14 && (g.position - node.position).norm() <= 1e-14,
               "frame of the start")
      << node.node;
    test.check((xi - parts(node.omega, node.gamma)).norm() <= 1e-9, "velocity of the start")
      << node.node << ": " << (xi - parts(node.omega, node.gamma)).norm();
  }
}

void checkSnapshot(TestSuite& test, const Scene& scene, const Multisymplectic& stepper,
                   const BeamSnapshot& expected, const State& from, const State& to)
{
  const RecordedMomenta recordedMomenta = stepper.recordedMomenta(from, to);
  const double energy = stepper.record(from, to).total();
  test.check(std::abs(energy - expected.energy) <= 1e-9 * expected.energy, "energy")
    << "step " << to.step << ": " << energy - expected.energy;
  for (const BeamNode& node : expected.nodes) {
    const Vector3 r = theBeam(scene).frame(to.q, node.node).position;
    const Vector6 xi = Eigen::Map<const Vector6>(recordedMomenta.p.data() + 6 * node.node);
    test.check((r - node.position).cwiseAbs().maxCoeff() <= expected.positionTolerance, "position")
      << "step " << to.step << ", node " << node.node << ": "
      << (r - node.position).cwiseAbs().maxCoeff();
    const double off = (xi - parts(node.omega, node.gamma)).cwiseAbs().maxCoeff();
    test.check(off <= expected.velocityTolerance, "velocity")
      << "step " << to.step << ", node " << node.node << ": " << off;
  }
}

TestSuite testRun(const BeamReference& expected)
{
  TestSuite test(expected.name);
  const Scene scene = fallingBeam(expected.elements, expected.nextTime);
  Multisymplectic stepper(scene.system, scene.contacts,
                          {.step = expected.step, .firstInterval = true});
  checkStart(test, scene, expected);
  const BeamRun run =
    runBeam(scene, stepper, expected.steps, [&](const State& from, const State& to) {
      for (const BeamSnapshot& recordedMomenta : expected.snapshots)
        if (recordedMomenta.step == to.step)
          checkSnapshot(test, scene, stepper, recordedMomenta, from, to);
      if (to.step == 1) {
        const Momenta m = stepper.record(from, to).momenta;
        const Vector3 p(m.linear[0], m.linear[1], m.linear[2]);
        test.check((p - expected.momentum).norm() <= 1e-10 &&
                     std::abs(m.angular[2] - expected.angularMomentum) <= 1e-10,
                   "momenta")
          << m.linear << ", " << m.angular[2];
      }
    });
  std::cout << expected.name << ": " << run.contacts.size() << " contacts, energy "
            << run.lowestEnergy << " to " << run.highestEnergy << ", momenta " << run.linearDrift
            << ", " << run.angularDrift << "\n";
  test.check(std::abs(run.energy - expected.energy) <= 1e-10 * expected.energy,
             "energy of the first interval")
    << run.energy - expected.energy;
  test.check(run.contacts.size() == std::size_t(expected.contacts), "number of contacts")
    << run.contacts.size() << " instead of " << expected.contacts;
  for (std::size_t i = 0; i < std::min(expected.first.size(), run.contacts.size()); ++i) {
    const auto& [time, contact, node, impulse] = run.contacts[i];
    test.check(node == expected.first[i].node &&
                 std::abs(time - expected.first[i].time) <= expected.first[i].tolerance,
               "contact")
      << i << ": node " << node << ", off by " << time - expected.first[i].time;
    test.check(std::abs(impulse - expected.first[i].impulse) <= 1e-7 * expected.first[i].impulse,
               "impulse")
      << i << ": " << impulse - expected.first[i].impulse;
  }
  test.check(run.lowestEnergy >= expected.lowestEnergy - 1e-6 &&
               run.highestEnergy <= expected.highestEnergy + 1e-6,
             "energy error")
    << run.lowestEnergy << " to " << run.highestEnergy;
  test.check(run.linearDrift <= 1e-11 && run.angularDrift <= 1e-11, "momenta are kept")
    << run.linearDrift << ", " << run.angularDrift;
  test.check(orthogonalityDefect(scene, run.last) <= 1e-12, "rotations stay orthogonal")
    << orthogonalityDefect(scene, run.last);
  test.check(run.last.ledger.noRoots == 0, "every impact finds its impulse")
    << run.last.ledger.noRoots;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("beamimpactsmatchreference");
  for (const BeamReference& expected : beamReferences)
    test.subTest(testRun(expected));
  return test.exit();
}
