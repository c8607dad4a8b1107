// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/system.hh>
#include <dune/impact/contact/beam/beamcontact.hh>
#include <dune/impact/contact/beam/beamobstacle.hh>
#include <dune/impact/contact/test/checkgapslip.hh>
#include <dune/impact/solver/impulse/coulombprojection.hh>

#include "beamcontactreference.hh"

using namespace Dune;
using namespace Dune::Impact;
namespace Reference = BeamContactReference;
using Numbers = std::vector<double>;
using Dense = Eigen::MatrixXd;

const Matrix3 alongX = (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();

Dense rowWise(const Numbers& x, int columns)
{
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
    x.data(), int(x.size()) / columns, columns);
}

//! Columns of the reference, (linear, angular) with the axis first, from those of the module
Dense toReference()
{
  Dense P = Dense::Zero(24, 24);
  const int from[] = {4, 5, 3, 1, 2, 0};
  for (int block = 0; block < 24; block += 6)
    for (int i = 0; i < 6; ++i)
      P(block + i, block + from[i]) = 1;
  return P;
}

double error(const Dense& a, const Dense& b)
{
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

BeamPiece piece(const Frame& a, const Frame& b)
{
  return {a, Exponential::inverse(relative(a, b))};
}

//! Numbers of an independent implementation
TestSuite testReference()
{
  TestSuite test("a point against an independent implementation");
  const Dense P = toReference();
  const Eigen::VectorXd dq = P * rowWise(Reference::dq, 1);
  const Vector3 places[] = {{0, 0, 0.021}, {0.2, 0, 0.021}, {0, 0, 0}, {0.2, 0, 0}};
  Frame before[4], now[4];
  for (int i = 0; i < 4; ++i) {
    before[i] = {alongX, places[i]};
    now[i] = before[i] * Exponential::map(dq.segment<6>(6 * i));
  }
  const BeamPiece two = piece(now[2], now[3]);
  const Vector3 x = piece(now[0], now[1]).frame(0.5).position;
  double eta = 0.5;
  for (int i = 0; i < 20; ++i) {
    const PartnerEquation equation(BeamPartner::closest, two, eta, x);
    eta -= equation.value / equation.slope;
  }
  test.check(std::abs(eta - Reference::eta) <= 1e-13, "closest point") << eta - Reference::eta;
  const Vector3 l(Reference::lam.data());
  const BeamPoint point({piece(now[0], now[1]), piece(before[0], before[1]), 0.01}, 0.5,
                        {two, piece(before[2], before[3]), 0.01},
                        {eta, false, BeamPartner::closest}, l);
  test.check(error(point.g, rowWise(Reference::gN_gT1_gT2, 1)) <= 1e-12, "gap and slip")
    << error(point.g, rowWise(Reference::gN_gT1_gT2, 1));
  test.check(error(point.normal, rowWise(Reference::n, 1)) <= 1e-13, "normal");
  test.check(error(point.rows, rowWise(Reference::B, 24) * P.transpose()) <= 1e-12, "B")
    << error(point.rows, rowWise(Reference::B, 24) * P.transpose());
  test.check(error(point.derivative, rowWise(Reference::dg, 24) * P.transpose()) <= 1e-10,
             "derivative")
    << error(point.derivative, rowWise(Reference::dg, 24) * P.transpose());
  const Dense K = P * rowWise(Reference::dBTlam_dq, 24) * P.transpose();
  test.check(error(point.stiffness, K) <= 1e-10, "derivative of the force")
    << error(point.stiffness, K);
  test.check((point.derivative.row(0) - point.rows.row(0)).cwiseAbs().maxCoeff() <= 1e-14,
             "of the gap it is B");
  return test;
}

//! Two crossing curved beams
struct Crossing
{
  System system;
  std::unique_ptr<BeamContact> contact;
  Numbers q, previous;

  explicit Crossing(BeamConstraints constraints, const Frame& motion = {},
                    const Frame& motionBefore = {})
  {
    const BeamSection section = circularSection(0.05, {.young = 1e6, .poisson = 0.3, .density = 1});
    auto beam = [&](const std::string& name, std::size_t n, const Frame& first,
                    const Vector6& strain) {
      system.add(std::make_unique<Beam>(Beam::Settings{
        .name = name,
        .length = 1,
        .elements = n,
        .section = section,
        .formulation = BeamFormulation::exponential,
        .frames = constantStrainFrames(first, strain, 1, n, BeamFormulation::exponential)}));
    };
    beam("one", 3, {RotationExponential::map({0.2, 0.1, 0.3}), {0.02, 0.11, 0.02}},
         parts({0.4, 0.2, 0.5}, {0.01, 0.02, 1}));
    beam("two", 4, {RotationExponential::map({-0.1, 0.2, 0}), {0, 0, -0.1}},
         parts({-0.3, 0.5, 0.2}, {0, -0.02, 1.1}));
    contact = std::make_unique<BeamContact>(system, 0, 1, constraints);
    const State state = system.initialState();
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-0.02, 0.02);
    Numbers dq(system.velocitySize());
    for (double& x : dq)
      x = uniform(random);
    previous = moved(state.q, motionBefore);
    Numbers bent(state.q.size());
    system.retract(state.q, dq, bent);
    q = moved(bent, motion);
  }

  //! The configuration moved as a rigid body
  Numbers moved(const Numbers& from, const Frame& motion) const
  {
    Numbers result(from.size()), dq(system.velocitySize());
    for (std::size_t b = 0; b < 2; ++b) {
      const auto& beam = dynamic_cast<const Beam&>(system.body(b));
      const PointHandle handle = system.point(b, 0);
      for (std::size_t a = 0; a < beam.nodes(); ++a) {
        const Frame g = beam.frame(handle.slice(from), a);
        Eigen::Map<Vector6>(dq.data() + handle.velocityOffset + 6 * a) =
          Exponential::inverse(relative(g, motion * g));
      }
    }
    system.retract(from, dq, result);
    return result;
  }
};

Dense dense(const Triplets& entries, std::size_t rows, std::size_t columns)
{
  Dense A = Dense::Zero(Eigen::Index(rows), Eigen::Index(columns));
  for (const auto& entry : entries)
    A(entry.row(), entry.col()) += entry.value();
  return A;
}

//! All that holds for every geometry; the multipliers of a beam of length one share its length
TestSuite check(const System& system, const GapSlipGeometry& geometry, const Numbers& q,
                const Numbers& previous, const std::string& name)
{
  TestSuite test(name);
  test.subTest(checkGapSlip(geometry, system, q, previous, {.time = 0.3, .step = 0.1}));
  double length = 0;
  for (std::size_t multiplier = 0; multiplier < geometry.multipliers(); ++multiplier)
    length += geometry.weight(multiplier);
  test.check(std::abs(length - 1) <= 1e-14, "the slots share the length");
  return test;
}

const BeamConstraints allConstraints[] = {BeamConstraints::midpoints, BeamConstraints::nodes,
                                          BeamConstraints::gaussTwo, BeamConstraints::mortar,
                                          BeamConstraints::dualMortar};

//! A whole coupling, all kinds of constraints
TestSuite testDerivatives()
{
  TestSuite test("derivatives against differences");
  for (const BeamConstraints kind : allConstraints) {
    const Crossing scene(kind);
    test.subTest(
      check(scene.system, *scene.contact, scene.q, scene.previous, std::to_string(int(kind))));
  }
  return test;
}

//! A beam in front of obstacles, one of which moves
TestSuite testObstacles()
{
  TestSuite test("obstacles");
  const auto plane = std::make_shared<Plane>("plane", Vec3{-0.1, 0, 0}, Vec3{1, 0.2, 0.1});
  plane->setMotion({Expression("0.1*t"), Expression("0.2*t"), Expression(0.3)});
  const std::vector<std::shared_ptr<const Obstacle>> obstacles = {
    plane, std::make_shared<Cylinder>("cylinder", Vec3{-0.4, 0, 0.5}, Vec3{0.1, 1, 0.2}, 0.3),
    std::make_shared<Sphere>("sphere", Vec3{-0.5, 0, 0.5}, 0.3),
    std::make_shared<Cavity>("cavity", Vec3{0, 0, 0.5}, 2)};
  for (const auto& obstacle : obstacles)
    for (const BeamConstraints kind : allConstraints) {
      const Crossing scene(BeamConstraints::nodes);
      const BeamObstacle contact(scene.system, 0, obstacle, kind);
      test.subTest(check(scene.system, contact, scene.q, scene.previous,
                         obstacle->name() + " " + std::to_string(int(kind))));
    }
  // a beam that rolls on a plane does not slip, and one that moves along with it does not either
  System system;
  const double r = 0.05;
  const Matrix3 alongX = (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();
  system.add(std::make_unique<Beam>(
    Beam::Settings{.name = "roller",
                   .length = 1,
                   .elements = 2,
                   .section = circularSection(r, {.young = 1e6, .poisson = 0.3, .density = 1}),
                   .formulation = BeamFormulation::exponential,
                   .frames = constantStrainFrames({alongX, {0, 0, r}}, straightStrain(), 1, 2,
                                                  BeamFormulation::exponential)}));
  const State state = system.initialState();
  const auto floor = std::make_shared<Plane>("floor", Vec3{0, 0, 0}, Vec3{0, 0, 1});
  const BeamObstacle contact(system, 0, floor, BeamConstraints::nodes);
  for (double angle : {1e-3, 1e-4}) { // rolls towards -y
    Numbers dq(system.velocitySize(), 0), q(state.q.size());
    for (std::size_t a = 0; a < 3; ++a) {
      dq[6 * a + 2] = angle;
      dq[6 * a + 3] = -r * angle;
    }
    system.retract(state.q, dq, q);
    GapSlip rows;
    contact.evaluate(0, 1, q, state.q, Numbers(9, 0), rows);
    for (std::size_t s = 0; s < 3; ++s)
      test.check(std::hypot(rows.g[3 * s + 1], rows.g[3 * s + 2]) <= r * angle * angle,
                 "rolling is no slip but for the curvature")
        << rows.g[3 * s + 1] << " " << rows.g[3 * s + 2];
  }
  floor->setMotion({Expression("0.2*t"), Expression("-0.1*t"), Expression(0.0)});
  Numbers dq(system.velocitySize(), 0), q(state.q.size());
  for (std::size_t a = 0; a < 3; ++a) { // in body axes: x along the beam is the third
    dq[6 * a + 5] = 0.2 * 0.5;
    dq[6 * a + 3] = -0.1 * 0.5;
  }
  system.retract(state.q, dq, q);
  GapSlip rows;
  contact.evaluate(0.5, 0.5, q, state.q, Numbers{0, 0, 0, 1, 0, 0, 0, 0, 0}, rows);
  test.check(std::abs(rows.g[4]) <= 1e-15 && std::abs(rows.g[5]) <= 1e-15 &&
               std::abs(rows.g[3]) <= 1e-15,
             "no slip on a floor that carries it along");
  test.check((rows.force - Vec3{0, 0, 1}).two_norm() <= 1e-15, "the floor pushes up");
  test.check(std::abs(std::hypot(rows.obstacleVelocity[4], rows.obstacleVelocity[5]) -
                      std::hypot(0.2, 0.1)) <= 1e-14,
             "speed of the floor");
  return test;
}

//! Rigid motions change neither gaps nor slips, and forces do no work along them
TestSuite testObjectivity()
{
  TestSuite test("objectivity");
  {
    // two sections that touch: a common rigid motion between the configurations is no slip
    const Frame one{RotationExponential::map({0.2, 0.1, 0.3}), {0.02, 0.11, 0.02}},
      two{RotationExponential::map({0.1, 0.3, -0.2}), {0.01, -0.05, 0}};
    const Vector6 x1 = parts({0.1, 0.2, 0.3}, {0.01, 0, 0.5}),
                  x2 = parts({-0.2, 0.1, 0.1}, {0, 0.02, 0.6});
    const Frame rigid = Exponential::map(parts({0.4, -0.3, 0.2}, {0.1, 0.5, -0.2}));
    const double s = 0.4, eta = 0.45,
                 r = 0.5 *
                     (BeamPiece{one, x1}.frame(s).position - BeamPiece{two, x2}.frame(eta).position)
                       .norm();
    const BeamPoint point({{one, x1}, {rigid * one, x1}, r}, s, {{two, x2}, {rigid * two, x2}, r},
                          {eta, true, BeamPartner::closest}, Vector3::Zero());
    test.check(std::abs(point.g[0]) <= 1e-15 && point.g.tail<2>().norm() <= 1e-15,
               "no slip in a rigid motion")
      << point.g.tail<2>().norm();
  }
  const Frame motion = Exponential::map(parts({0.4, -0.3, 0.2}, {0.1, 0.5, -0.2})),
              other = Exponential::map(parts({0.1, 0.2, -0.5}, {-0.3, 0.1, 0.2}));
  for (const BeamConstraints kind : {BeamConstraints::midpoints, BeamConstraints::mortar}) {
    const Crossing scene(kind), both(kind, motion, other);
    const Numbers l(3 * scene.contact->multipliers(), 0.5);
    GapSlip a, b, rigid;
    scene.contact->evaluate(0, 0, scene.q, scene.q, l, a);
    both.contact->evaluate(0, 0, both.q, both.previous, l, rigid);
    for (std::size_t s = 0; s < scene.contact->multipliers(); ++s) {
      test.check(std::hypot(a.g[3 * s + 1], a.g[3 * s + 2]) <= 1e-15, "no slip without motion");
      test.check(std::abs(rigid.g[3 * s] - a.g[3 * s]) <= 1e-12, "gap")
        << rigid.g[3 * s] - a.g[3 * s];
    }
    // virtual work of a rigid motion
    const Dense B = dense(a.rows, l.size(), scene.system.velocitySize());
    for (int c = 0; c < 6; ++c) {
      Eigen::VectorXd v(Eigen::Index(scene.system.velocitySize()));
      for (std::size_t body = 0; body < 2; ++body) {
        const auto& beam = dynamic_cast<const Beam&>(scene.system.body(body));
        const PointHandle handle = scene.system.point(body, 0);
        for (std::size_t k = 0; k < beam.nodes(); ++k)
          v.segment<6>(Eigen::Index(handle.velocityOffset + 6 * k)) =
            adjoint(beam.frame(handle.slice(scene.q), k).inverse(), Vector6::Unit(c));
      }
      for (std::size_t s = 0; s < scene.contact->multipliers(); ++s)
        test.check(std::abs((B * v)[Eigen::Index(3 * s)]) <= 1e-12,
                   "normal forces do no work in a rigid motion")
          << (B * v)[Eigen::Index(3 * s)];
    }
  }
  return test;
}

//! The projection of Coulomb's law and its derivative
//! Two straight beams of length 1, one along z and one turned and shifted
double gapOf(const Vector3& turn, const Vector3& shift, std::size_t elements)
{
  System system;
  const BeamSection section = circularSection(0.01, {.young = 1e6, .poisson = 0.3, .density = 1});
  const Frame frames[] = {Frame{}, Frame{RotationExponential::map(turn), shift}};
  for (const Frame& frame : frames)
    system.add(std::make_unique<Beam>(
      Beam::Settings{.name = "beam",
                     .length = 1,
                     .elements = elements,
                     .section = section,
                     .formulation = BeamFormulation::exponential,
                     .frames = constantStrainFrames(frame, straightStrain(), 1, elements,
                                                    BeamFormulation::exponential)}));
  return BeamContact(system, 0, 1, BeamConstraints::midpoints).gapAnywhere(system.initialState().q);
}

TestSuite testCrossing()
{
  TestSuite test("beams that cross are seen between the points of contact");
  const double quarter = 0.5 * std::numbers::pi;
  for (const std::size_t elements : {1, 4, 7}) {
    const auto check = [&](double gap, double expected, const char* name) {
      test.check(std::abs(gap - expected) <= 1e-14, name) << gap << ", expected " << expected;
    };
    check(gapOf({quarter, 0, 0}, {0.015, 0.6, 0.4}, elements), -0.005, "at a right angle");
    check(gapOf({0.3, 0, 0}, {0.0025, 0.1, 0}, elements), -0.0175, "at a small angle");
    check(gapOf({0, 0, 0}, {0.018, 0, 0.37}, elements), -0.002, "side by side");
    check(gapOf({0, 0, 0}, {0, 0, 1.015}, elements), -0.005, "one behind the other");
  }
  test.check(std::isinf(gapOf({0, 0, 0}, {0, 1, 0}, 4)), "far apart");
  return test;
}

TestSuite testProjection()
{
  TestSuite test("projection");
  const double mu = 0.3;
  for (const Vector3& xi : {Vector3(1, 0.1, 0.2), Vector3(1, 0.5, -0.4), Vector3(-1, 0.5, 0.2),
                            Vector3(2, -0.1, 0.1)}) {
    const CoulombProjection at(xi, mu);
    Matrix3 D;
    for (int j = 0; j < 3; ++j)
      D.col(j) = (CoulombProjection(xi + 1e-6 * Vector3::Unit(j), mu).value -
                  CoulombProjection(xi - 1e-6 * Vector3::Unit(j), mu).value) /
                 2e-6;
    test.check((D - at.derivative).cwiseAbs().maxCoeff() <= 1e-8, "derivative");
    test.check(at.value.tail<2>().norm() <= mu * at.value[0] * (1 + 1e-15), "in the cone");
  }
  test.check(CoulombProjection({-1, 0, 0}, mu).set == ContactSet::open &&
               CoulombProjection({1, 0.1, 0}, mu).set == ContactSet::stick &&
               CoulombProjection({1, 1, 0}, mu).set == ContactSet::slip &&
               CoulombProjection({0, 0, 0}, mu).set == ContactSet::stick,
             "sets");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testReference());
  test.subTest(testDerivatives());
  test.subTest(testObstacles());
  test.subTest(testObjectivity());
  test.subTest(testCrossing());
  test.subTest(testProjection());
  return test.exit();
}
