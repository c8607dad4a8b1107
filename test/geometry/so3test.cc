// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>
#include <numbers>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/geometry/so3.hh>

#include "derivatives.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

const Vector3 axis = Vector3(0.3, -0.7, 0.2).normalized(), a(0.4, 1.3, -0.8), u(-0.9, 0.5, 0.6);

//! The series in extended precision
long double phiSeries(int k, long double s)
{
  long double term = 1, sum = 0;
  for (int n = 1; n <= k; ++n)
    term /= n;
  for (int n = k + 1; n < 120; n += 2) {
    sum += term;
    term *= -s / (n * (n + 1));
  }
  return sum;
}

TestSuite testPhi()
{
  TestSuite test("phi functions");
  for (double s : {0.0, 1e-300, 1e-16, 1e-8, 1e-3, 0.5, 3.999, 4.0, 9.8, 30.0}) {
    const auto phi = phiFunctions(s);
    for (int k = 0; k < 8; ++k) {
      const double exact = double(phiSeries(k, s));
      test.check(std::abs(phi[k] - exact) <=
                   32 * epsilon * std::max(std::abs(exact), double(phiSeries(k, 0)) / 16),
                 "phi function")
        << "k " << k << ", s " << s << ": " << phi[k] << " instead of " << exact;
    }
  }
  return test;
}

//! What both maps promise
template<class Map>
TestSuite testMap(const std::string& name)
{
  TestSuite test(name);
  for (double angle : {0.0, 1e-12, 1e-5, 0.1, 1.0, 2.0, 3.0}) {
    const Vector3 w = angle * axis;
    const Matrix3 R = Map::map(w);
    test.check(difference(R * R.transpose(), Matrix3::Identity()) <= 8 * epsilon &&
                 std::abs(R.determinant() - 1) <= 8 * epsilon,
               "the map gives rotations")
      << angle;
    test.check((R * axis - axis).norm() <= 8 * epsilon, "the axis stays") << angle;
    test.check(difference(Map::map(-w), R.transpose()) <= 4 * epsilon,
               "the opposite vector is the inverse rotation");
    test.check((Map::inverse(R) - w).norm() <= 64 * epsilon * angle + 4 * epsilon * epsilon,
               "the inverse map")
      << angle << ": " << (Map::inverse(R) - w).norm();

    const Matrix3 T = Map::tangent(w);
    const auto turn = [&](const Vector3& x) -> Vector3 {
      return 0.5 * twiceVee(Map::map(x) * R.transpose());
    };
    test.check(difference(jacobian(turn, w), T) <= 1e-10, "tangent")
      << angle << ": " << difference(jacobian(turn, w), T);
    const auto left = [&](const Vector3& x) -> Vector3 {
      return 0.5 * twiceVee(R.transpose() * Map::map(x));
    };
    test.check(difference(jacobian(left, w), Map::tangent(-w)) <= 1e-10, "left-trivialised tangent")
      << angle;
    test.check(difference(T * Map::tangentInverse(w), Matrix3::Identity()) <= 32 * epsilon,
               "inverse tangent")
      << angle;
    const Matrix3 D = jacobian([&](const Vector3& x) -> Vector3 { return Map::tangent(x) * a; }, w);
    test.check(difference(D, Map::tangentDerivative(w, a)) <= 1e-10, "derivative of the tangent")
      << angle << ": " << difference(D, Map::tangentDerivative(w, a));
  }
  return test;
}

TestSuite testExponential()
{
  TestSuite test("derivatives of the exponential");
  using Map = RotationExponential;
  for (double angle : {0.0, 1e-5, 0.7, 2.5, 4.0}) {
    const Vector3 w = angle * axis;
    test.check((Map::tangentAlong(w, u) * a - Map::tangentDerivative(w, a) * u).norm() <=
                 16 * epsilon,
               "derivative along a vector")
      << angle;
    const Matrix3 D =
      jacobian([&](const Vector3& x) -> Vector3 { return Map::tangentDerivative(x, a) * u; }, w);
    test.check(difference(D, Map::tangentSecondDerivative(w, a, u)) <= 1e-10, "second derivative")
      << angle << ": " << difference(D, Map::tangentSecondDerivative(w, a, u));
  }
  return test;
}

//! Rotation vectors near and at the angle pi
TestSuite testNearPi()
{
  TestSuite test("near pi");
  const double pi = std::numbers::pi;
  for (const Vector3& direction : {axis, Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1),
                                   Vector3(Vector3(1, 1e-9, 0).normalized())})
    for (double below : {1e-3, 1e-6, 1e-9, 1e-12, 0.0}) {
      const Matrix3 R = RotationExponential::map((pi - below) * direction);
      const Vector3 w = RotationExponential::inverse(R);
      test.check(difference(RotationExponential::map(w), R) <= 16 * epsilon, "exp(log R) = R")
        << below << ": " << difference(RotationExponential::map(w), R);
      test.check(w.norm() <= pi * (1 + epsilon), "the angle is at most pi") << w.norm();
      if (below > 1e-14)
        test.check((w - (pi - below) * direction).norm() <= 64 * epsilon, "log(exp w) = w below pi")
          << below << ": " << (w - (pi - below) * direction).norm();
    }
  const Vector3 beyond = RotationExponential::inverse(RotationExponential::map((pi + 0.1) * axis));
  test.check((beyond + (pi - 0.1) * axis).norm() <= 64 * epsilon,
             "beyond pi the shorter way is returned")
    << beyond.transpose();
  const Matrix3 R = RotationExponential::map((pi - 1e-4) * axis);
  test.check((RotationCayley::inverse(R) - 2 * std::tan(0.5 * (pi - 1e-4)) * axis).norm() <=
               1e-6 * RotationCayley::inverse(R).norm(),
             "the Cayley vector grows beyond all bounds");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("so3test");
  test.check(hat(a) * u == a.cross(u) && twiceVee(hat(a)) == 2 * a, "hat and its inverse");
  test.subTest(testPhi());
  test.subTest(testMap<RotationExponential>("exponential"));
  test.subTest(testMap<RotationCayley>("Cayley"));
  test.subTest(testExponential());
  test.subTest(testNearPi());
  return test.exit();
}
