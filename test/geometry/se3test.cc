// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>
#include <numbers>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/geometry/se3.hh>

#include "derivatives.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

const Vector6 start = parts({0.3, -0.7, 0.2}, {1.1, 0.4, -0.9}),
              other = parts({0.5, 1.2, -0.4}, {-0.8, 0.6, 1.5});

using Matrix4 = Eigen::Matrix4d;

//! Homogeneous matrices of a frame and of a twist
Matrix4 matrix(const Frame& g)
{
  Matrix4 m = Matrix4::Identity();
  m.topLeftCorner<3, 3>() = g.rotation;
  m.topRightCorner<3, 1>() = g.position;
  return m;
}

Matrix4 matrix(const Vector6& x)
{
  Matrix4 m = Matrix4::Zero();
  m.topLeftCorner<3, 3>() = hat(x.head<3>());
  m.topRightCorner<3, 1>() = x.tail<3>();
  return m;
}

//! The twist of a homogeneous matrix that is nearly one
Vector6 twist(const Matrix4& m)
{
  return parts(0.5 * twiceVee(m.topLeftCorner<3, 3>()), m.topRightCorner<3, 1>());
}

TestSuite testGroup()
{
  TestSuite test("group");
  const Frame g = Cayley::map(start), f = Exponential::map(other);
  test.check(difference(matrix(g * f), matrix(g) * matrix(f)) <= 4 * epsilon, "product");
  test.check(difference(matrix(g.inverse() * g), Matrix4::Identity()) <= 8 * epsilon, "inverse");
  test.check(difference(matrix(relative(g, f)), matrix(g.inverse() * f)) <= 8 * epsilon,
             "relative frame");
  test.check(difference(adjoint(g, other),
                        twist(matrix(g) * matrix(other) * matrix(g).inverse())) <= 16 * epsilon,
             "adjoint action");
  test.check(difference(adjointMatrix(g) * other, adjoint(g, other)) <= 8 * epsilon,
             "matrix of the adjoint action");
  test.check(difference(adjointMatrix(g).transpose() * other, coadjoint(g, other)) <= 8 * epsilon,
             "coadjoint action is the transpose");
  test.check(difference(bracketMatrix(start) * other,
                        twist(matrix(start) * matrix(other) - matrix(other) * matrix(start))) <=
               8 * epsilon,
             "bracket");
  const auto along = [&](const Eigen::Matrix<double, 1, 1>& t) {
    return adjoint(Exponential::map(t[0] * start), other);
  };
  test.check(difference(jacobian(along, Eigen::Matrix<double, 1, 1>(0.0)),
                        bracketMatrix(start) * other) <= 1e-10,
             "the bracket is the derivative of the adjoint action");
  test.check(swapParts(swapParts(start)) == start && swapParts(start).head<3>() == start.tail<3>(),
             "order of the parts");
  test.check(difference(swapParts(adjointMatrix(g)) * swapParts(other),
                        swapParts(Vector6(adjointMatrix(g) * other))) <= 8 * epsilon,
             "order of the parts of matrices");
  return test;
}

//! What both maps promise, at a twist
template<class Map>
TestSuite testMap(const std::string& name, const Vector6& x)
{
  TestSuite test(name);
  const Frame g = Map::map(x);
  test.check(difference(Map::inverse(g), x) <= 64 * epsilon * x.norm(), "the inverse map")
    << difference(Map::inverse(g), x);
  test.check(difference(matrix(Map::map(-x)), matrix(g.inverse())) <= 32 * epsilon * (1 + x.norm()),
             "the opposite twist is the inverse frame");
  const auto right = [&](const Vector6& z) {
    return twist(matrix(Map::map(z)) * matrix(g.inverse()));
  };
  const auto left = [&](const Vector6& z) {
    return twist(matrix(g.inverse()) * matrix(Map::map(z)));
  };
  const auto check = [&](const auto& exact, const auto& value, const char* what) {
    test.check(difference(exact, value) <= 1e-10 * (1 + x.norm()), what)
      << difference(exact, value);
  };
  check(jacobian(right, x), Map::tangent(x), "right-trivialised tangent");
  check(jacobian(left, x), Map::tangent(-x), "left-trivialised tangent");
  test.check(difference(Map::tangent(x) * Map::tangentInverse(x), Matrix6::Identity()) <=
               64 * epsilon * (1 + x.norm()),
             "inverse tangent");
  test.check(difference(adjointMatrix(g) * Map::tangent(-x), Map::tangent(x)) <=
               64 * epsilon * (1 + x.norm()),
             "the adjoint action connects both tangents");
  check(jacobian([&](const Vector6& z) -> Vector6 { return Map::tangent(z) * other; }, x),
        Map::tangentDerivative(x, other), "derivative of the tangent");
  check(jacobian([&](const Vector6& z) -> Vector6 { return Map::tangentInverse(z) * other; }, x),
        Map::tangentInverseDerivative(x, other), "derivative of the inverse tangent");
  check(
    jacobian(
      [&](const Vector6& z) -> Vector6 { return Map::tangentInverse(z).transpose() * other; }, x),
    Map::tangentInverseTransposedDerivative(x, other),
    "derivative of the transposed inverse tangent");
  return test;
}

//! Small angles: the map and its tangent are their expansions
template<class Map>
TestSuite testSmall(const std::string& name)
{
  TestSuite test(name);
  for (double size : {1e-3, 1e-5, 1e-8, 1e-160}) {
    const Vector6 x = parts(size * start.head<3>(), start.tail<3>());
    const Vector3 w = x.head<3>(), u = x.tail<3>();
    test.check((Map::map(x).position - (u + 0.5 * w.cross(u))).norm() <= size * size,
               "translation of a small rotation")
      << size;
    test.check(difference(Map::tangent(x), Matrix6(Matrix6::Identity() + 0.5 * bracketMatrix(x))) <=
                 2 * size,
               "tangent of a small rotation")
      << size;
    test.check((Map::inverse(Map::map(x)).template head<3>() - w).norm() <=
                 8 * epsilon * size + epsilon * epsilon,
               "a small rotation comes back")
      << size;
  }
  test.check(Map::tangent(Vector6::Zero()) == Matrix6(Matrix6::Identity()) &&
               Map::inverse(Frame{}) == Vector6::Zero(),
             "identity");
  return test;
}

//! Numbers of an independent implementation
TestSuite testReference()
{
  TestSuite test("reference");
  const Frame g = Cayley::map(start);
  Matrix3 R;
  R << 0.770562770562771, -0.264069264069264, -0.58008658008658, 0.0822510822510823,
    0.943722943722944, -0.32034632034632, 0.632034632034632, 0.199134199134199, 0.748917748917749;
  test.check(difference(g.rotation, R) <= 1e-14, "rotation of the Cayley map");
  test.check(
    difference(g.position, Vector3(1.18203463203463, 0.578138528138528, -0.3995670995671)) <= 1e-14,
    "translation of the Cayley map");
  Matrix6 D;
  D << 1.0225, 0.0475, 0.365, 0.0, 0.0, 0.0, -0.1525, 1.1225, 0.115, 0.0, 0.0, 0.0, -0.335, -0.185,
    1.01, 0.0, 0.0, 0.0, 0.115, -0.6425, -0.145, 1.0, 0.1, 0.35, 0.48, -0.0375, 0.57, -0.1, 1.0,
    0.15, 0.1325, -0.3925, -0.0125, -0.35, -0.15, 1.0;
  test.check(difference(Cayley::tangentInverse(start), D) <= 1e-15,
             "inverse tangent of the Cayley map");
  const Vector6 y = parts({0.05, -0.09, 0.02}, {30, -42, 61});
  test.check(difference(Cayley::tangentInverseTransposed(start, y), D.transpose() * y) <= 1e-13,
             "transposed inverse tangent");
  const auto pair = Cayley::tangentInverseTransposedPair(start, y);
  test.check(difference(pair[0], Cayley::tangentInverseTransposed(start, y)) <= 1e-13 &&
               difference(pair[1], Cayley::tangentInverseTransposed(-start, y)) <= 1e-13,
             "both transposed inverse tangents at once");
  const Vector6 expected = parts({35.0565367965368, 97.4857142857143, 33.9689177489178},
                                 {58.2164502164502, -35.4112554112554, 41.7359307359307});
  test.check(difference(coadjoint(g, y), expected) <= 1e-12, "coadjoint action")
    << difference(coadjoint(g, y), expected);
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("se3test");
  test.subTest(testGroup());
  for (double angle : {0.0, 1e-6, 0.3, 1.0, 2.0, 3.0}) {
    const Vector6 x = parts(angle * start.head<3>().normalized(), start.tail<3>());
    test.subTest(testMap<Exponential>("exponential, angle " + std::to_string(angle), x));
    test.subTest(testMap<Cayley>("Cayley, angle " + std::to_string(angle), x));
  }
  test.subTest(testSmall<Exponential>("exponential, small"));
  test.subTest(testSmall<Cayley>("Cayley, small"));
  const Frame half{
    RotationExponential::map((std::numbers::pi - 1e-9) * start.head<3>().normalized()),
    start.tail<3>()};
  test.check(difference(matrix(Exponential::map(Exponential::inverse(half))), matrix(half)) <=
               32 * epsilon,
             "a frame turned by almost pi comes back");
  test.subTest(testReference());
  return test.exit();
}
