// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/geometry/se3.hh>

namespace Dune::Impact {

  //! Twist (w, u) of a frame (R, r): w is the rotation vector of R, u = T(w)^{-1} r
  Vector6 Exponential::inverse(const Frame& g)
  {
    const Vector3 w = SO::inverse(g.rotation);
    return parts(w, SO::tangentInverse(w) * g.position);
  }

  //! T(w, u) = [T(w), 0; Q(w, u), T(w)] with Q(w, u) = dT(w)/dw . u
  Matrix6 Exponential::tangent(const Vector6& x)
  {
    const Matrix3 T = SO::tangent(x.head<3>());
    Matrix6 A;
    A << T, Matrix3::Zero(), SO::tangentAlong(x.head<3>(), x.tail<3>()), T;
    return A;
  }

  //! T^{-1}(w, u) = [S, 0; -S Q(w, u) S, S] with S = T(w)^{-1}, by blocks
  Matrix6 Exponential::tangentInverse(const Vector6& x)
  {
    const Matrix3 T = SO::tangentInverse(x.head<3>());
    Matrix6 A;
    A << T, Matrix3::Zero(), -T * SO::tangentAlong(x.head<3>(), x.tail<3>()) * T, T;
    return A;
  }

  /* With y = (a, b) the product is T(x) y = (T(w) a, Q(w, u) a + T(w) b). Since Q(w, u) a = A u
   * with A = d(T(w) a)/dw, the derivative by u is (0, A), and that by w needs the second
   * derivative of T. The blocks are
   *
   *     [A, 0; d(A u)/dw + d(T(w) b)/dw, A]. */
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

  //! -T^{-1} D with the derivative D of T(x) z by x at the fixed vector z = T^{-1} y
  Matrix6 Exponential::tangentInverseDerivative(const Vector6& x, const Vector6& y)
  {
    const Matrix6 inverse = tangentInverse(x);
    return -inverse * tangentDerivative(x, inverse * y);
  }

  /* With y = (m, n) the product is T^T y = (T(-w) m + Q(-w, -u) n, T(-w) n): the derivatives of T
   * and Q are taken at (-w, -u), each with the sign -1 of the inner derivative. The block of m and
   * u is -d(T(-w) n)/dw because Q is linear in u. */
  Matrix6 Exponential::tangentTransposedDerivative(const Vector6& x, const Vector6& y)
  {
    const Vector3 w = -x.head<3>(), u = -x.tail<3>();
    const Matrix3 A = SO::tangentDerivative(w, y.tail<3>());
    Matrix6 D;
    D << -SO::tangentDerivative(w, y.head<3>()) - SO::tangentSecondDerivative(w, y.tail<3>(), u),
      -A, -A, Matrix3::Zero();
    return D;
  }

  //! -T^{-T} D with the derivative D of T^T(x) z by x at the fixed covector z = T^{-T} y
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

  //! T(w, u) = [T(w), 0; 1/2 hat(u) T(w), (I - 1/2 hat(w))^{-1}], the inverse by blocks of
  //! T^{-1}(w, u)
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

  /* With y = (a, b) and B = I - 1/2 hat(w) the product is T^{-1} y = (T(w)^{-1} a, B (b - 1/2 u x
   * a)), quadratic in x. Its derivative by w has the block 1/2 hat(b) - 1/4 hat(u x a), that by u
   * the block 1/2 B hat(a). */
  Matrix6 Cayley::tangentInverseDerivative(const Vector6& x, const Vector6& y)
  {
    const Vector3 w = x.head<3>(), u = x.tail<3>(), a = y.head<3>(), b = y.tail<3>();
    Matrix6 D;
    D << SO::tangentInverseDerivative(w, a), Matrix3::Zero(), 0.5 * hat(b) - 0.25 * hat(u.cross(a)),
      0.5 * (hat(a) - 0.5 * hat(w) * hat(a));
    return D;
  }

  //! -T D with the derivative D of T^{-1}(x) z by x at the fixed vector z = T y
  Matrix6 Cayley::tangentDerivative(const Vector6& x, const Vector6& y)
  {
    const Matrix6 T = tangent(x);
    return -T * tangentInverseDerivative(x, T * y);
  }

  /* Derivative of tangentInverseTransposed(): with n1 = n + 1/2 w x n
   *
   *     m' = m + 1/2 w x m + 1/4 w (w.m) + 1/2 u x n1,   n' = n1. */
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
