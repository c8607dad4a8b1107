// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/beam/beamcontact.hh>

/* Shear jumps at nodes that carry forces: the axis of a beam has kinks there. With partner =
 * section a point that moves along the beam has a partner that moves continuously over the kink,
 * on its inner side, where two points of the axis are closest, and on its outer side, where the
 * node is; the closest point jumps on the inner side. The derivatives are those of the gap and the
 * slip there. */

using namespace Dune;
using namespace Dune::Impact;

using Numbers = std::vector<double>;

constexpr std::size_t pieces = 4;
constexpr double radius = 0.05;

//! A straight beam, in front of another one whose middle node is moved sideways and not turned
struct Kinked
{
  System system;
  Numbers q;

  Kinked(double shift, double distance, double along)
  {
    const BeamSection section =
      circularSection(radius, {.young = 1e6, .poisson = 0.3, .density = 1});
    for (const Vector3& place : {Vector3(distance, 0, along), Vector3(0, 0, 0)})
      system.add(std::make_unique<Beam>(Beam::Settings{
        .name = "beam",
        .length = 1,
        .elements = pieces,
        .section = section,
        .formulation = BeamFormulation::exponential,
        .frames = constantStrainFrames({Matrix3::Identity(), place}, straightStrain(), 1, pieces,
                                       BeamFormulation::exponential)}));
    const State state = system.initialState();
    Numbers dq(system.velocitySize(), 0);
    dq[system.point(1, 0).velocityOffset + 6 * (pieces / 2) + 3] = shift;
    q.resize(state.q.size());
    system.retract(state.q, dq, q);
  }
};

//! Smallest distance of a point and the axis of the kinked beam
double distance(const Kinked& scene, const Vector3& x)
{
  double smallest = 1;
  for (const BeamPiece& piece : beamPieces(dynamic_cast<const Beam&>(scene.system.body(1)),
                                           scene.system.point(1, 0), scene.q))
    for (int i = 0; i <= 4000; ++i)
      smallest = std::min(smallest, (piece.frame(i / 4000.0).position - x).norm());
  return smallest;
}

//! Largest way of the partner of a point that moves by `step` along the kinked beam, and the
//! largest difference of its distance and the smallest one
struct Passage
{
  double jump = 0, excess = 0;

  Passage(BeamPartner kind, double side, double shear, double step)
  {
    const double L = 1.0 / pieces;
    const Kinked scene(shear * L, side * 2 * radius, 0);
    const BeamContact contact(scene.system, 0, 1, BeamConstraints::nodes, kind);
    const auto axis = beamPieces(dynamic_cast<const Beam&>(scene.system.body(1)),
                                 scene.system.point(1, 0), scene.q);
    double before = -1;
    for (double z = 0.5 - 0.2 * L; z <= 0.5 + 0.2 * L; z += step) {
      const Vector3 x(side * 2 * radius, 0, z);
      const auto partner = contact.partner(scene.q, x).value();
      const double place = L * (double(partner.element) + partner.eta);
      if (before >= 0)
        jump = std::max(jump, std::abs(place - before));
      before = place;
      excess = std::max(excess, (axis[partner.element].frame(partner.eta).position - x).norm() -
                                  distance(scene, x));
    }
  }
};

TestSuite testContinuity()
{
  TestSuite test("partners move continuously");
  const double shear = 0.02, step = 1e-3 / pieces;
  for (double side : {-1.0, 1.0}) { // inner, outer side of the kink
    const Passage passage(BeamPartner::section, side, shear, step);
    std::cout << "side " << side << ": largest way of the partner " << passage.jump / step
              << " of that of the point, distance larger by " << passage.excess << "\n";
    test.check(passage.jump <= 1.1 * step, "no jump") << side << ": " << passage.jump / step;
    // d (1/cos(shear) - 1) at the distance d of the axes, which is at most 2 radius + shift
    const double d = 2 * radius + shear / pieces;
    test.check(passage.excess <= 0.51 * d * shear * shear,
               "and the distance is nearly the smallest")
      << side << ": " << passage.excess;
  }
  // from one side of the node to the other, each as far from it as the kink is steep
  const Passage closest(BeamPartner::closest, -1, shear, step);
  test.check(closest.jump >= 2 * radius * shear, "the closest point jumps")
    << closest.jump / step << " of the way of the point";
  return test;
}

TestSuite testDerivatives()
{
  TestSuite test("derivatives near a kink");
  const double L = 1.0 / pieces;
  for (double along : {-0.03 * L, -0.01 * L, 0.02 * L, 0.04 * L})
    for (double side : {-1.0, 1.0}) {
      const Kinked scene(0.02 * L, side * 2 * radius, along);
      const BeamContact contact(scene.system, 0, 1, BeamConstraints::nodes, BeamPartner::section);
      const std::size_t n = scene.system.velocitySize(), m = 3 * contact.multipliers();
      const Numbers previous = scene.system.initialState().q, l(m, 0.7);
      GapSlip rows, other;
      contact.evaluate(0, 0, scene.q, previous, l, rows);
      const auto zero = [](std::size_t i, std::size_t j) {
        return Eigen::MatrixXd(Eigen::MatrixXd::Zero(Eigen::Index(i), Eigen::Index(j)));
      };
      Eigen::MatrixXd D = zero(m, n), E = D, K = zero(n, n), S = K;
      for (const auto& entry : rows.derivative)
        D(entry.row(), entry.col()) += entry.value();
      for (const auto& entry : rows.stiffness)
        K(entry.row(), entry.col()) += entry.value();
      const double step = 1e-6;
      for (std::size_t j = 0; j < n; ++j)
        for (double sign : {-1.0, 1.0}) {
          Numbers dq(n, 0), q(scene.q.size());
          dq[j] = sign * step;
          scene.system.retract(scene.q, dq, q);
          contact.evaluate(0, 0, q, previous, l, other);
          for (std::size_t i = 0; i < m; ++i)
            E(Eigen::Index(i), Eigen::Index(j)) += sign * other.g[i] / (2 * step);
          for (const auto& entry : other.rows)
            S(entry.col(), Eigen::Index(j)) +=
              sign * entry.value() * l[std::size_t(entry.row())] / (2 * step);
        }
      test.check((D - E).cwiseAbs().maxCoeff() <= 1e-7, "of gaps and slips")
        << along << " " << side << ": " << (D - E).cwiseAbs().maxCoeff();
      test.check((K - S).cwiseAbs().maxCoeff() <= 1e-6 * K.cwiseAbs().maxCoeff(), "of forces")
        << along << " " << side << ": " << (K - S).cwiseAbs().maxCoeff() / K.cwiseAbs().maxCoeff();
    }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("sectionspasskinks");
  test.subTest(testContinuity());
  test.subTest(testDerivatives());
  return test.exit();
}
