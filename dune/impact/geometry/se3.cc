// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/geometry/se3.hh>

namespace Dune::Impact {

  Vector6 Exponential::inverse(const Frame& g)
  {
    const Vector3 w = SO::inverse(g.rotation);
    return parts(w, SO::tangentInverse(w) * g.position);
  }

  Matrix6 Exponential::tangent(const Vector6& x)
  {
    const Matrix3 T = SO::tangent(x.head<3>());
    Matrix6 A;
    A << T, Matrix3::Zero(), SO::tangentAlong(x.head<3>(), x.tail<3>()), T;
    return A;
  }

  Matrix6 Exponential::tangentInverse(const Vector6& x)
  {
    const Matrix3 T = SO::tangentInverse(x.head<3>());
    Matrix6 A;
    A << T, Matrix3::Zero(), -T * SO::tangentAlong(x.head<3>(), x.tail<3>()) * T, T;
    return A;
  }

  Matrix6 Exponential::tangentDerivative(const Vector6& x, const Vector6& y)
  {
    const Vector3 w = x.head<3>();
    const Matrix3 A = SO::tangentDerivative(w, y.head<3>());
    Matrix6 D;
    D << A, Matrix3::Zero(),
      SO::tangentSecondDerivative(w, y.head<3>(), x.tail<3>()) +
        SO::tangentDerivative(w, y.tail<3>()),
      A;
    return D;
  }

  Matrix6 Exponential::tangentInverseDerivative(const Vector6& x, const Vector6& y)
  {
    const Matrix6 inverse = tangentInverse(x);
    return -inverse * tangentDerivative(x, inverse * y);
  }

  Matrix6 Exponential::tangentTransposedDerivative(const Vector6& x, const Vector6& y)
  {
    const Vector3 w = -x.head<3>(), u = -x.tail<3>();
    const Matrix3 A = SO::tangentDerivative(w, y.tail<3>());
    Matrix6 D;
    D << -SO::tangentDerivative(w, y.head<3>()) - SO::tangentSecondDerivative(w, y.tail<3>(), u),
      -A, -A, Matrix3::Zero();
    return D;
  }

  Matrix6 Exponential::tangentInverseTransposedDerivative(const Vector6& x, const Vector6& y)
  {
    const Matrix6 transposed = tangentInverse(x).transpose();
    return -transposed * tangentTransposedDerivative(x, transposed * y);
  }

  std::array<Vector6, 2> Exponential::tangentInverseTransposedPair(const Vector6& x,
                                                                   const Vector6& y)
  {
    return {tangentInverse(x).transpose() * y, tangentInverse(-x).transpose() * y};
  }

  Matrix6 Cayley::tangent(const Vector6& x)
  {
    const Matrix3 T = SO::tangent(x.head<3>());
    Matrix6 A;
    A << T, Matrix3::Zero(), 0.5 * hat(x.tail<3>()) * T, SO::solver(x.head<3>());
    return A;
  }

  Matrix6 Cayley::tangentInverse(const Vector6& x)
  {
    const Matrix3 B = Matrix3::Identity() - 0.5 * hat(x.head<3>());
    Matrix6 A;
    A << SO::tangentInverse(x.head<3>()), Matrix3::Zero(), -0.5 * B * hat(x.tail<3>()), B;
    return A;
  }

  Matrix6 Cayley::tangentInverseDerivative(const Vector6& x, const Vector6& y)
  {
    const Vector3 w = x.head<3>(), u = x.tail<3>(), a = y.head<3>(), b = y.tail<3>();
    Matrix6 D;
    D << SO::tangentInverseDerivative(w, a), Matrix3::Zero(), 0.5 * hat(b) - 0.25 * hat(u.cross(a)),
      0.5 * (hat(a) - 0.5 * hat(w) * hat(a));
    return D;
  }

  Matrix6 Cayley::tangentDerivative(const Vector6& x, const Vector6& y)
  {
    const Matrix6 T = tangent(x);
    return -T * tangentInverseDerivative(x, T * y);
  }

  Matrix6 Cayley::tangentInverseTransposedDerivative(const Vector6& x, const Vector6& y)
  {
    const Vector3 w = x.head<3>(), u = x.tail<3>(), m = y.head<3>(), n = y.tail<3>();
    const Vector3 n1 = n + 0.5 * w.cross(n);
    Matrix6 D;
    D << 0.25 * (w.dot(m) * Matrix3::Identity() + w * m.transpose() - hat(u) * hat(n)) -
           0.5 * hat(m),
      -0.5 * hat(n1), -0.5 * hat(n), Matrix3::Zero();
    return D;
  }

  Matrix6 adjointMatrix(const Frame& g)
  {
    Matrix6 A;
    A << g.rotation, Matrix3::Zero(), hat(g.position) * g.rotation, g.rotation;
    return A;
  }

  Matrix6 bracketMatrix(const Vector6& x)
  {
    Matrix6 A;
    A << hat(x.head<3>()), Matrix3::Zero(), hat(x.tail<3>()), hat(x.head<3>());
    return A;
  }

} // namespace Dune::Impact
