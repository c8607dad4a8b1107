// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_SO3_HH
#define DUNE_IMPACT_GEOMETRY_SO3_HH

#include <array>
#include <cmath>

#include <Eigen/Dense>

/** \file
 * \ingroup impact_geometry
 * \brief Rotations: exponential and Cayley map, their inverses and tangents
 *
 * Both maps take a vector w to a rotation R(w). The right-trivialised tangent T(w) and the
 * left-trivialised one are defined by
 *
 *     d/dt R(w(t)) R(w)^T = hat(T(w) w'),     R(w)^T d/dt R(w(t)) = hat(T(-w) w'),
 *
 * so the left one is the right one at -w, for both maps. Formulas use
 *
 *     s = |w|^2,   phi_k(s) = sum_j (-s)^j / (2j + k)!
 *
 * with phi_0 = cos|w|, phi_1 = sin|w|/|w|, phi_2 = (1 - cos|w|)/s, ...: they have no
 * singularity at zero.
 */

namespace Dune::Impact {

  using Vector3 = Eigen::Vector3d;
  using Matrix3 = Eigen::Matrix3d;

  //! The matrix of the cross product: hat(w) x = w x x
  inline Matrix3 hat(const Vector3& w)
  {
    Matrix3 m;
    m << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
    return m;
  }

  //! Twice the axial vector of the skew part: (m32 - m23, m13 - m31, m21 - m12)
  inline Vector3 twiceVee(const Matrix3& m)
  {
    return {m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)};
  }

  /** \brief phi_0 ... phi_7 at s >= 0
   *
   * Below s = 4 by the series, summed until terms vanish; above by phi_{k+2} = (1/k! - phi_k)/s,
   * which there loses no digits.
   */
  std::array<double, 8> phiFunctions(double s);

  /** \brief The exponential map of SO(3): a rotation by the angle |w| about w
   *
   *     R(w) = I + phi_1 hat(w) + phi_2 hat(w)^2,   T(w) = I + phi_2 hat(w) + phi_3 hat(w)^2
   */
  struct RotationExponential
  {
    static Matrix3 map(const Vector3& w)
    {
      const auto phi = phiFunctions(w.squaredNorm());
      const Matrix3 W = hat(w);
      return Matrix3::Identity() + phi[1] * W + phi[2] * (W * W);
    }

    /** \brief The rotation vector with |w| <= pi
     *
     * By the quaternion (a, b): w = 2 atan2(|b|, a) b/|b|, accurate near the identity and near
     * the angle pi. At pi itself w and -w are the same rotation and one of them is returned.
     */
    static Vector3 inverse(const Matrix3& R);

    static Matrix3 tangent(const Vector3& w)
    {
      const auto phi = phiFunctions(w.squaredNorm());
      const Matrix3 W = hat(w);
      return Matrix3::Identity() + phi[2] * W + phi[3] * (W * W);
    }

    //! T^{-1} = I - 1/2 hat(w) + b hat(w)^2 with b = (phi_3 - 2 phi_4)/(2 phi_2); singular at |w| =
    //! 2 pi
    static Matrix3 tangentInverse(const Vector3& w);

    //! The matrix of u -> d/dw (T(w) a) u, with phi_k' = -1/2 (phi_{k+1} - k phi_{k+2})
    static Matrix3 tangentDerivative(const Vector3& w, const Vector3& a);

    //! The derivative of T(w) in the direction u: tangentDerivative(w, a) u = tangentAlong(w, u) a
    static Matrix3 tangentAlong(const Vector3& w, const Vector3& u);

    //! The matrix of v -> d/dw (tangentDerivative(w, a) u) v
    static Matrix3 tangentSecondDerivative(const Vector3& w, const Vector3& a, const Vector3& u);

  private:
    static double first(const std::array<double, 8>& phi, int k)
    {
      return -0.5 * (phi[k + 1] - k * phi[k + 2]);
    }
    static double second(const std::array<double, 8>& phi, int k)
    {
      return -0.5 * (first(phi, k + 1) - k * first(phi, k + 2));
    }
  };

  /** \brief The Cayley map of SO(3): a rotation by 2 arctan(|w|/2) about w; the angle pi is at
   * infinity
   *
   *     R(w) = (I - 1/2 hat(w))^{-1} (I + 1/2 hat(w)) = I + (hat(w) + 1/2 hat(w)^2)/(1 + s/4)
   *     T(w) = (I + 1/2 hat(w))/(1 + s/4),   T^{-1}(w) = I - 1/2 hat(w) + 1/4 w w^T
   */
  struct RotationCayley
  {
    static Matrix3 map(const Vector3& w)
    {
      const Matrix3 W = hat(w);
      return Matrix3::Identity() + (W + 0.5 * (W * W)) / (1 + 0.25 * w.squaredNorm());
    }

    //! w = 2/(1 + tr R) times twice the axial vector; infinite at the angle pi
    static Vector3 inverse(const Matrix3& R) { return 2 / (1 + R.trace()) * twiceVee(R); }

    static Matrix3 tangent(const Vector3& w)
    {
      return (Matrix3::Identity() + 0.5 * hat(w)) / (1 + 0.25 * w.squaredNorm());
    }

    static Matrix3 tangentInverse(const Vector3& w);

    //! The matrix of u -> d/dw (T^{-1}(w) a) u
    static Matrix3 tangentInverseDerivative(const Vector3& w, const Vector3& a);

    //! The same of T: from T^{-1} T a = a
    static Matrix3 tangentDerivative(const Vector3& w, const Vector3& a);

    //! (I - 1/2 hat(w))^{-1} u, the translation of the Cayley map of SE(3)
    static Vector3 solve(const Vector3& w, const Vector3& u)
    {
      return (u + 0.5 * w.cross(u) + 0.25 * w.dot(u) * w) / (1 + 0.25 * w.squaredNorm());
    }

    //! The matrix of solve()
    static Matrix3 solver(const Vector3& w);
  };

} // namespace Dune::Impact

#endif
