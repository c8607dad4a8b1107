// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/beamelement.hh>
#include <dune/impact/body/beamload.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checkbody.hh>
#include <dune/impact/body/test/checkconstraint.hh>
#include <dune/impact/body/test/checksystem.hh>

#include "beamelementreference.hh"

using namespace Dune;
using namespace Dune::Impact;
namespace Reference = BeamElementReference;
using Numbers = std::vector<double>;
using Dense = Eigen::MatrixXd;

Dense rowWise(const Numbers& x, int columns)
{
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
    x.data(), int(x.size()) / columns, columns);
}

//! (linear, angular) with the axis first -> (angular, linear) with the axis last
Matrix6 toModule()
{
  Matrix6 P = Matrix6::Zero();
  const int from[] = {4, 5, 3, 1, 2, 0};
  for (int i = 0; i < 6; ++i)
    P(i, from[i]) = 1;
  return P;
}

Matrix12 toModule2()
{
  Matrix12 P = Matrix12::Zero();
  P.topLeftCorner<6, 6>() = P.bottomRightCorner<6, 6>() = toModule();
  return P;
}

Vector6 six(const Numbers& x)
{
  return Eigen::Map<const Vector6>(x.data());
}

Frame toFrame(const Numbers& R, const Numbers& x)
{
  Matrix3 S;
  S << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  return {Matrix3(rowWise(R, 3)) * S, Vector3(x.data())};
}

template<class A, class B>
bool near(const A& a, const B& b, double tolerance)
{
  return (Dense(a) - Dense(b)).cwiseAbs().maxCoeff() <= tolerance * Dense(b).cwiseAbs().maxCoeff();
}

//! The maps of SE(3); the reference has the left-trivialised tangent, T(-x) here
TestSuite testMaps()
{
  TestSuite test("maps of SE(3)");
  const Vector6 h = swapParts(six(Reference::se3_h)), f = swapParts(six(Reference::se3_f));
  const Frame g = Exponential::map(h);
  test.check(near(g.rotation, rowWise(Reference::se3_exp_R, 3), 1e-15) &&
               near(g.position, rowWise(Reference::se3_exp_x, 1), 1e-15),
             "exponential");
  test.check((Exponential::inverse(g) - h).norm() <= 2e-15, "logarithm");
  test.check(near(swapParts(Exponential::tangent(-h)), rowWise(Reference::se3_T, 6), 2e-15),
             "tangent");
  test.check(
    near(swapParts(Exponential::tangentInverse(-h)), rowWise(Reference::se3_Tinv, 6), 2e-15),
    "inverse of the tangent");
  test.check(near(swapParts(Matrix6(-Exponential::tangentInverseTransposedDerivative(-h, f))),
                  rowWise(Reference::se3_D_TinvT_f, 6), 4e-15),
             "its derivative");
  return test;
}

//! A beam of one element with the section of the reference
Beam referenceBeam()
{
  const Vector6 strain = toModule() * six(Reference::d0) / Reference::length;
  const Vector6 J = toModule() * six(Reference::Mc_diag);
  return Beam({.name = "beam",
               .length = Reference::length,
               .elements = 1,
               .section = generalSection(toModule() * six(Reference::K_diag), J.head<3>(), J[5]),
               .formulation = BeamFormulation::exponential,
               .unstressed = strain,
               .frames = {toFrame(Reference::HA_R, Reference::HA_x),
                          toFrame(Reference::HB_R, Reference::HB_x)}});
}

Matrix12 denseStiffness(const Beam& beam, const Numbers& q)
{
  Triplets entries;
  beam.addStiffness(0, q, 0, entries);
  Matrix12 K = Matrix12::Zero();
  for (const auto& entry : entries)
    K(entry.row(), entry.col()) += entry.value();
  return K;
}

TestSuite testElement()
{
  TestSuite test("element against an independent implementation");
  const Beam beam = referenceBeam();
  const Matrix12 P = toModule2();
  Numbers q(24), p(12), f(12, 0);
  beam.initialise(q, p);
  const Vector6 x = beam.relativeTwist(q, 0), J = toModule() * six(Reference::Mc_diag);
  test.check(near(x, toModule() * six(Reference::d), 1e-14), "relative motion");
  test.check(std::abs(beam.potentials(0, q).elastic - Reference::energy) <=
               1e-13 * Reference::energy,
             "energy");
  beam.addForce(0, q, -1, f);
  test.check(near(Eigen::Map<Vector12>(f.data()), P * rowWise(Reference::f_int, 1), 1e-13),
             "internal force");
  const Matrix12 K = denseStiffness(beam, q);
  test.check(near(K, P * rowWise(Reference::K_t, 12) * P.transpose(), 1e-13), "tangent");
  test.check((K - K.transpose()).norm() > 1e-3 * K.norm(),
             "it is not symmetric away from equilibrium");
  Eigen::Matrix<double, 6, 12> Q;
  const Matrix6 Y = BeamInterpolation::weight(0.3, x);
  Q << Matrix6::Identity() - Y, Y;
  test.check(near(Q, toModule() * rowWise(Reference::Q_at_xi_0p3, 12) * P.transpose(), 1e-14),
             "interpolation of velocities");
  test.check(near(consistentMass(x, Reference::length, J),
                  P * rowWise(Reference::M_consistent_3gauss, 12) * P.transpose(), 1e-14),
             "consistent mass");
  const Vector12 v = P * rowWise(Reference::v, 1), rate = P * rowWise(Reference::vdot, 1);
  test.check(near(inertiaForce(x, Reference::length, J, v, rate),
                  P * rowWise(Reference::f_inertia_3gauss, 1), 1e-13),
             "inertia force");
  return test;
}

//! Derivative of a function of a vector by central differences of fourth order
template<class F>
Dense difference(F&& f, const Vector6& x)
{
  const double h = 1e-3;
  Dense D(f(x).size(), 6);
  for (int j = 0; j < 6; ++j) {
    const Vector6 e = h * Vector6::Unit(j);
    D.col(j) = (8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * h);
  }
  return D;
}

TestSuite testInterpolation()
{
  TestSuite test("interpolation against differences");
  const Vector6 x = parts({0.3, -0.5, 0.8}, {0.2, -0.1, 1.3}),
                y = parts({1, 2, -0.5}, {-0.7, 0.3, 1.1});
  const double s = 0.37, h = 1e-3;
  using I = BeamInterpolation;
  test.check(near(I::weightDerivative(s, x, y),
                  difference([&](const Vector6& z) { return Vector6(I::weight(s, z) * y); }, x),
                  1e-10),
             "derivative of Y y");
  test.check(
    near(I::weightTransposedDerivative(s, x, y),
         difference([&](const Vector6& z) { return Vector6(I::weight(s, z).transpose() * y); }, x),
         1e-10),
    "derivative of Y^T y");
  const Matrix6 slope = (8 * (I::weight(s + h, x) - I::weight(s - h, x)) -
                         (I::weight(s + 2 * h, x) - I::weight(s - 2 * h, x))) /
                        (12 * h);
  test.check(near(I::weightSlope(s, x), slope, 1e-10), "derivative along the element");

  // The velocity between the nodes is that of the frame g_A exp(s x)
  const Frame a = Exponential::map(parts({0.5, 0.1, -0.4}, {1, 2, 3})), b = a * Exponential::map(x);
  Vector12 z;
  z << y, parts({-0.3, 0.9, 0.2}, {0.4, -1.2, 0.6});
  auto at = [&](double t) {
    const Frame ga = a * Exponential::map(t * z.head<6>()),
                gb = b * Exponential::map(t * z.tail<6>());
    return ga * Exponential::map(s * Exponential::inverse(relative(ga, gb)));
  };
  auto twist = [&](double t) { return Exponential::inverse(relative(at(0), at(t))); };
  const Vector6 expected = (8 * (twist(h) - twist(-h)) - (twist(2 * h) - twist(-2 * h))) / (12 * h);
  test.check(near(z.head<6>() + I::weight(s, x) * (z.tail<6>() - z.head<6>()), expected, 1e-10),
             "velocity between the nodes");
  return test;
}

//! Power of the inertia force is the rate of the kinetic energy; a rigid motion has its exact
//! energy
TestSuite testInertia()
{
  TestSuite test("inertia");
  const Vector6 x = parts({0.3, -0.5, 0.8}, {0.2, -0.1, 1.3}),
                J = parts({0.1, 0.2, 0.3}, {2, 2, 2});
  Vector12 v, rate;
  v << parts({1, 2, -0.5}, {-0.7, 0.3, 1.1}), parts({-0.3, 0.9, 0.2}, {0.4, -1.2, 0.6});
  rate << parts({0.4, -1, 0.2}, {1.5, 0.2, -0.3}), parts({0.7, 0.1, -1.4}, {-0.6, 0.8, 0.5});
  auto kinetic = [&](double t) {
    const Frame b = Exponential::map(-(t * v.head<6>() + 0.5 * t * t * rate.head<6>())) *
                    Exponential::map(x) *
                    Exponential::map(t * v.tail<6>() + 0.5 * t * t * rate.tail<6>());
    const Vector12 w = v + t * rate;
    return 0.5 * w.dot(consistentMass(Exponential::inverse(b), 1.5, J) * w);
  };
  const double h = 1e-4,
               power =
                 (8 * (kinetic(h) - kinetic(-h)) - (kinetic(2 * h) - kinetic(-2 * h))) / (12 * h);
  test.check(std::abs(v.dot(inertiaForce(x, 1.5, J, v, rate)) - power) <= 1e-9 * std::abs(power),
             "power is the rate of the kinetic energy");

  const Vector6 rigid = parts({0.6, -0.2, 0.9}, {1, -0.5, 0.3});
  Vector12 both;
  both << rigid, adjoint(Exponential::map(-x), rigid);
  double exact = 0;
  for (const auto& [s, weight] : gaussRule(12)) {
    const Vector6 local = adjoint(Exponential::map(-s * x), rigid);
    exact += 0.5 * 1.5 * weight * local.dot(J.cwiseProduct(local));
  }
  double three = 0;
  for (const auto& [s, weight] : gaussRule(3)) {
    const Vector6 local = adjoint(Exponential::map(-s * x), rigid);
    three += 0.5 * 1.5 * weight * local.dot(J.cwiseProduct(local));
  }
  const double energy = 0.5 * both.dot(consistentMass(x, 1.5, J) * both);
  test.check(std::abs(energy - three) <= 1e-14 * energy, "energy of a rigid motion, same rule")
    << energy - three;
  test.check(std::abs(energy - exact) <= 1e-4 * energy, "energy of a rigid motion, exact integral")
    << energy / exact - 1;
  return test;
}

Beam::Settings bent(std::size_t elements)
{
  const Frame first{RotationExponential::map({0.5, 0.2, -0.3}), {0.4, -0.2, 0.7}};
  return {.name = "beam",
          .length = 0.5,
          .elements = elements,
          .section =
            rectangularSection(0.05, 0.04, {.young = 1e6, .poisson = 0.35, .density = 1e3}),
          .formulation = BeamFormulation::exponential,
          .unstressed = parts({0.5, -1, 2}, {0, 0, 1}),
          .frames = constantStrainFrames(first, parts({1, 4.5, 1}, {0.02, -0.03, 1.05}), 0.5,
                                         elements, BeamFormulation::exponential),
          .gravity = {1, -2, -10}};
}

//! A deformed configuration with momenta in all dofs
State general(const System& system)
{
  std::mt19937 random(5);
  State state = system.initialState(), moved = state;
  Numbers dq = Test::randomNumbers(system.velocitySize(), 0.1, random),
          v = Test::randomNumbers(system.velocitySize(), 1, random);
  for (std::size_t i = 0; i < dq.size(); ++i)
    dq[i] *= system.angular(i) ? 1 : 0.05;
  system.retract(state.q, dq, moved.q);
  system.momentum(moved.q, v, moved.p);
  return moved;
}

VectorExpression constant(double x, double y, double z)
{
  return {{Expression(x), Expression(y), Expression(z)}};
}

//! The beam is a mechanical system, with loads of all kinds: tangents against differences
TestSuite testConcept()
{
  TestSuite test("concept");
  {
    System system;
    system.add(std::make_unique<Beam>(bent(3)));
    const State state = general(system);
    const auto& beam = system.body(0);
    test.subTest(checkBody(beam, state.q, state.p, 0,
                           {.length = 0.02, .symmetricStiffness = false, .curvedDrift = true}));
    Numbers dq(system.velocitySize()), back(state.q.size());
    const State initial = system.initialState();
    system.difference(initial.q, state.q, dq);
    system.retract(initial.q, dq, back);
    test.check(Test::distance(back, state.q) <= 1e-14, "difference is the inverse of retract");
  }
  for (bool follower : {false, true}) {
    System system;
    system.add(std::make_unique<Beam>(bent(3)));
    system.add(std::make_unique<NodeLoad>(system.point(0, 2), constant(3, -1, 2),
                                          constant(0.1, 0.3, -0.2), follower));
    system.add(std::make_unique<LineLoad>(system.point(0, 0), constant(-4, 2, 7), follower));
    const State state = general(system);
    test.subTest(checkSystem(
      system, state.q, state.p, 0,
      {.length = 0.02, .externalLoads = true, .symmetricStiffness = false, .curvedDrift = true}));
  }
  return test;
}

//! Strains, forces and tangent do not see a rigid motion
TestSuite testObjectivity()
{
  TestSuite test("objectivity");
  const Frame motion = Exponential::map(parts({1.3, -0.4, 0.9}, {0.3, -0.8, 0.2}));
  Beam::Settings settings = bent(1);
  settings.gravity = {0, 0, 0};
  const Beam beam(settings);
  for (Frame& g : settings.frames)
    g = motion * g;
  const Beam moved(settings);
  Numbers q(24), q1(24), p(12), f(12, 0), f1(12, 0);
  beam.initialise(q, p);
  moved.initialise(q1, p);
  beam.addForce(0, q, 1, f);
  moved.addForce(0, q1, 1, f1);
  test.check(near(moved.strain(q1, 0), beam.strain(q, 0), 1e-13), "strain");
  test.check(Test::distance(f, f1) <= 1e-12 * Test::largest(f), "force")
    << Test::distance(f, f1) / Test::largest(f);
  test.check(near(denseStiffness(moved, q1), denseStiffness(beam, q), 1e-12), "tangent");
  return test;
}

//! Joints: residual zero at the start, rows are the derivative of the residual
TestSuite testJoints()
{
  TestSuite test("joints");
  System system;
  system.add(std::make_unique<Beam>(bent(2)));
  const State initial = system.initialState();
  const PointHandle node = system.point(0, 1);
  const FaceMotion motion({Expression("1+t"), Expression(2), Expression(0)},
                          {Expression(0), Expression("2*t"), Expression(0.3)});
  using Kind = FrameJoint::Kind;
  for (const Kind kind : {Kind::clamp, Kind::spherical, Kind::hinge}) {
    const FrameJoint joint(node, initial.q, kind, {1, 2, 3}, {.motion = motion});
    const std::size_t rows = kind == Kind::clamp ? 6 : kind == Kind::hinge ? 5 : 3;
    test.check(joint.rows() == rows, "number of rows");
    Numbers c(rows);
    joint.residual(0, initial.q, c);
    test.check(Test::largest(c) <= 1e-15, "holds at the start");

    // a node at the target of another time satisfies the joint there, turned about the axis for a
    // hinge
    const Beam& beam = dynamic_cast<const Beam&>(system.body(0));
    const Frame g0 = beam.frame(initial.q, 1);
    const Vector3 axis = g0.rotation.transpose() * Vector3(1, 2, 3).normalized();
    const double turn = kind == Kind::clamp ? 0 : 2.2;
    const Frame g =
      joint.target(0.4, initial.q) *
      Exponential::map(parts(kind == Kind::spherical ? Vector3(0.3, 1, -0.6) : Vector3(turn * axis),
                             Vector3::Zero()));
    Numbers dq(system.velocitySize(), 0), q(initial.q);
    Eigen::Map<Vector6>(dq.data() + 6) = Exponential::inverse(relative(g0, g));
    system.retract(initial.q, dq, q);
    joint.residual(0.4, q, c);
    test.check(Test::largest(c) <= 4e-15, "holds where the target is")
      << int(kind) << ": " << Test::largest(c);

    test.subTest(checkConstraint(joint, system, q, {.length = 0.1, .time = 0.4}));
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testMaps());
  test.subTest(testElement());
  test.subTest(testInterpolation());
  test.subTest(testInertia());
  test.subTest(testConcept());
  test.subTest(testObjectivity());
  test.subTest(testJoints());
  return test.exit();
}
