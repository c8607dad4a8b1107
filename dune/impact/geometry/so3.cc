// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/geometry/so3.hh>

namespace Dune::Impact {

  /* Terms of the series follow from each other by the factor -s/(n (n + 1)), n = k + 1, k + 3,
   * ...; the sum ends where a term no longer changes it. For s >= 4 the recursion starts from
   * phi_0 = cos sqrt(s) and phi_1 = sin sqrt(s)/sqrt(s). */
  std::array<double, 8> phiFunctions(double s)
  {
    std::array<double, 8> phi;
    double inverseFactorial = 1; // 1/k!
    for (int k = 0; k < 8; ++k) {
      if (s < 4) {
        double term = inverseFactorial;
        phi[k] = term;
        for (int n = k + 1; phi[k] + (term *= -s / double(n * (n + 1))) != phi[k]; n += 2)
          phi[k] += term;
      }
      else if (k < 2)
        phi[k] = k == 0 ? std::cos(std::sqrt(s)) : std::sin(std::sqrt(s)) / std::sqrt(s);
      else
        phi[k] = (inverseFactorial * double(k * (k - 1)) - phi[k - 2]) / s;
      inverseFactorial /= k + 1;
    }
    return phi;
  }

  //! Angle 2 atan2(|v|, a) about v of the quaternion (a, v); (a, v) and (-a, -v) are the same
  //! rotation, and a >= 0 gives the angle of at most pi.
  Vector3 RotationExponential::inverse(const Matrix3& R)
  {
    Eigen::Quaterniond q(R);
    if (q.w() < 0)
      q.coeffs() *= -1;
    const double n = q.vec().stableNorm();
    return n > 0 ? Vector3(q.vec() * (2 * std::atan2(n, q.w()) / n)) : Vector3(Vector3::Zero());
  }

  Matrix3 RotationExponential::tangentInverse(const Vector3& w)
  {
    const auto phi = phiFunctions(w.squaredNorm());
    const Matrix3 W = hat(w);
    return Matrix3::Identity() - 0.5 * W + (phi[3] - 2 * phi[4]) / (2 * phi[2]) * (W * W);
  }

  //! Derivative of T(w) a = a + phi_2 w x a + phi_3 w x (w x a) by w, where phi_k depends on s =
  //! |w|^2: dphi_k = 2 phi_k' w . dw gives the product with w^T.
  Matrix3 RotationExponential::tangentDerivative(const Vector3& w, const Vector3& a)
  {
    const auto phi = phiFunctions(w.squaredNorm());
    const double d2 = first(phi, 2), d3 = first(phi, 3);
    const Vector3 wa = w.cross(a), wwa = w.cross(wa);
    return -phi[2] * hat(a) - phi[3] * (hat(wa) + hat(w) * hat(a)) +
           (2 * (d2 * wa + d3 * wwa)) * w.transpose();
  }

  //! dT = phi_2 U + phi_3 (W U + U W) + 2 (w . u)(phi_2' W + phi_3' W^2) for dw = u, with W =
  //! hat(w), U = hat(u)
  Matrix3 RotationExponential::tangentAlong(const Vector3& w, const Vector3& u)
  {
    const auto phi = phiFunctions(w.squaredNorm());
    const Matrix3 W = hat(w), U = hat(u);
    return phi[2] * U + phi[3] * (W * U + U * W) +
           2 * w.dot(u) * (first(phi, 2) * W + first(phi, 3) * (W * W));
  }

  /* Derivative by w of
   *
   *     tangentDerivative(w, a) u = phi_2 u x a + phi_3 (u x (w x a) + w x (u x a))
   *       + 2 (w . u)(phi_2' w x a + phi_3' w x (w x a)),
   *
   * with dphi_k = 2 phi_k' w . dw and dphi_k' = 2 phi_k'' w . dw. */
  Matrix3 RotationExponential::tangentSecondDerivative(const Vector3& w, const Vector3& a,
                                                       const Vector3& u)
  {
    const auto phi = phiFunctions(w.squaredNorm());
    const double d2 = first(phi, 2), d3 = first(phi, 3), dd2 = second(phi, 2), dd3 = second(phi, 3),
                 wu = w.dot(u);
    const Vector3 wa = w.cross(a), wwa = w.cross(wa), au = a.cross(u);
    const Matrix3 A = hat(a);
    return phi[3] * (hat(au) - hat(u) * A) - 2 * wu * (d2 * A + d3 * (hat(wa) + hat(w) * A)) +
           2 * (d2 * wa + d3 * wwa) * u.transpose() +
           (4 * wu * (dd2 * wa + dd3 * wwa) - 2 * d2 * au - 2 * d3 * (wa.cross(u) + w.cross(au))) *
             w.transpose();
  }

  Matrix3 RotationCayley::tangentInverse(const Vector3& w)
  {
    return Matrix3::Identity() - 0.5 * hat(w) + 0.25 * w * w.transpose();
  }

  //! Derivative by w of T^{-1}(w) a = a - 1/2 w x a + 1/4 w (w . a)
  Matrix3 RotationCayley::tangentInverseDerivative(const Vector3& w, const Vector3& a)
  {
    return 0.5 * hat(a) + 0.25 * (w.dot(a) * Matrix3::Identity() + w * a.transpose());
  }

  //! -T D with the derivative D of T^{-1}(w) z by w at the fixed vector z = T a
  Matrix3 RotationCayley::tangentDerivative(const Vector3& w, const Vector3& a)
  {
    const Matrix3 T = tangent(w);
    return -T * tangentInverseDerivative(w, T * a);
  }

  //! (I - 1/2 hat(w))^{-1} = (I + 1/2 hat(w) + 1/4 w w^T)/(1 + |w|^2/4)
  Matrix3 RotationCayley::solver(const Vector3& w)
  {
    return (Matrix3::Identity() + 0.5 * hat(w) + 0.25 * w * w.transpose()) /
           (1 + 0.25 * w.squaredNorm());
  }

} // namespace Dune::Impact
