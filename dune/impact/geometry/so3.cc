// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/geometry/so3.hh>

namespace Dune::Impact {

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

  Matrix3 RotationExponential::tangentDerivative(const Vector3& w, const Vector3& a)
  {
    const auto phi = phiFunctions(w.squaredNorm());
    const double d2 = first(phi, 2), d3 = first(phi, 3);
    const Vector3 wa = w.cross(a), wwa = w.cross(wa);
    return -phi[2] * hat(a) - phi[3] * (hat(wa) + hat(w) * hat(a)) +
           (2 * (d2 * wa + d3 * wwa)) * w.transpose();
  }

  Matrix3 RotationExponential::tangentAlong(const Vector3& w, const Vector3& u)
  {
    const auto phi = phiFunctions(w.squaredNorm());
    const Matrix3 W = hat(w), U = hat(u);
    return phi[2] * U + phi[3] * (W * U + U * W) +
           2 * w.dot(u) * (first(phi, 2) * W + first(phi, 3) * (W * W));
  }

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

  Matrix3 RotationCayley::tangentInverseDerivative(const Vector3& w, const Vector3& a)
  {
    return 0.5 * hat(a) + 0.25 * (w.dot(a) * Matrix3::Identity() + w * a.transpose());
  }

  Matrix3 RotationCayley::tangentDerivative(const Vector3& w, const Vector3& a)
  {
    const Matrix3 T = tangent(w);
    return -T * tangentInverseDerivative(w, T * a);
  }

  Matrix3 RotationCayley::solver(const Vector3& w)
  {
    return (Matrix3::Identity() + 0.5 * hat(w) + 0.25 * w * w.transpose()) /
           (1 + 0.25 * w.squaredNorm());
  }

} // namespace Dune::Impact
