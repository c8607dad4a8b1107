// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_RIGIDMOTION_HH
#define DUNE_IMPACT_GEOMETRY_RIGIDMOTION_HH

#include <limits>
#include <optional>

#include <dune/impact/common/types.hh>
#include <dune/impact/geometry/so3.hh>

/** \file
 * \ingroup impact_geometry
 * \brief One step of the rotation of a rigid body after Simo and Wong
 *
 * A step turns the body by the rotation vector Theta in body axes, Lambda_1 = Lambda_0 Q(Theta).
 * With the principal moments of inertia J and the angular momenta at both ends in the axes of the
 * beginning, Pi0 = Lambda_0^T h_0 and Pi1 = Lambda_0^T h_1,
 *
 *     Theta = h/2 J^{-1} (Pi0 + Q(-Theta) Pi1)                                            (S)
 *
 * says that the mean of the angular velocities at both ends is Theta/h. Then the rotational energy
 * changes exactly by the work theta . moment, for both maps Q, and a material point moves by
 *
 *     x_1 - x_0 = X_1 - X_0 + theta x R,   R = zeta (R_0 + R_1)/2,
 *     zeta = tan(|theta|/2)/(|theta|/2) (exponential), 1 (Cayley).
 */

namespace Dune::Impact {

  using Quaternion = Eigen::Quaterniond;

  //! From the rotation vector of a step to its rotation
  enum class RotationMap { exponential, cayley };

  inline Vector3 toEigen(const Vec3& x)
  {
    return {x[0], x[1], x[2]};
  }
  inline Vec3 toVec3(const Vector3& x)
  {
    return {x[0], x[1], x[2]};
  }

  //! Largest angle of a step with the exponential map, a little below pi, where zeta is infinite
  constexpr double largestStepAngle = 3.1;

  //! The two numbers in Q(w) a = a + first w x a + second w x (w x a), as functions of |w|^2
  struct RotationCoefficients
  {
    double first, second;

    RotationCoefficients(RotationMap map, double s)
    {
      if (map == RotationMap::cayley) {
        first = 1 / (1 + 0.25 * s);
        second = 0.5 * first;
      }
      else if (s < 1e-6) { // two terms of the series are exact here
        first = 1 - s * (1.0 / 6) * (1 - s * (1.0 / 20));
        second = 0.5 * (1 - s * (1.0 / 12) * (1 - s * (1.0 / 30)));
      }
      else if (s < 1e-2) { // the series up to s^6/15! are exact here
        first = 1 - s * (1.0 / 6) *
                      (1 - s * (1.0 / 20) *
                             (1 - s * (1.0 / 42) * (1 - s * (1.0 / 72) * (1 - s * (1.0 / 110)))));
        second =
          0.5 * (1 - s * (1.0 / 12) *
                       (1 - s * (1.0 / 30) *
                              (1 - s * (1.0 / 56) * (1 - s * (1.0 / 90) * (1 - s * (1.0 / 132))))));
      }
      else {
        const double t = std::sqrt(s), half = std::sin(0.5 * t);
        first = std::sin(t) / t;
        second = 2 * half * half / s;
      }
    }
  };

  //! Q(w) a
  inline Vector3 rotate(RotationMap map, const Vector3& w, const Vector3& a)
  {
    const RotationCoefficients c(map, w.squaredNorm());
    const Vector3 wa = w.cross(a);
    return a + c.first * wa + c.second * w.cross(wa);
  }

  //! The tangent T of so3.hh: d/dt Q(w(t)) Q(w)^T = hat(T(w) w')
  inline Matrix3 rotationTangent(RotationMap map, const Vector3& w)
  {
    return map == RotationMap::cayley ? RotationCayley::tangent(w)
                                      : RotationExponential::tangent(w);
  }

  //! The unit quaternion of Q(w)
  inline Quaternion stepQuaternion(RotationMap map, const Vector3& w)
  {
    const double s = w.squaredNorm();
    if (map == RotationMap::cayley) {
      const double f = 1 / std::sqrt(1 + 0.25 * s);
      return {f, 0.5 * f * w[0], 0.5 * f * w[1], 0.5 * f * w[2]};
    }
    // sin(t/2)/(t/2) and (1 - cos(t/2))/(t/2)^2
    const RotationCoefficients half(RotationMap::exponential, 0.25 * s);
    const double f = 0.5 * half.first;
    return {1 - 0.25 * s * half.second, f * w[0], f * w[1], f * w[2]};
  }

  //! zeta as above
  inline double armFactor(RotationMap map, double s)
  {
    if (map == RotationMap::cayley)
      return 1;
    const RotationCoefficients half(RotationMap::exponential, 0.25 * s);
    return half.first / (1 - 0.25 * s * half.second);
  }

  /** \brief Solve (S)
   *
   * For small angles by the fixed point, whose error shrinks by about half the angle per sweep;
   * else by Newton's method with the derivative I - h/2 J^{-1} hat(a) T(-Theta) of the residual,
   * a = Q(-Theta) Pi1, and halved steps while the residual grows. Nothing is returned if that
   * fails or the angle exceeds largestStepAngle with the exponential map.
   */
  inline std::optional<Vector3> solveRotation(RotationMap map, const Vector3& inverseInertia,
                                              const Vector3& Pi0, const Vector3& Pi1, double h)
  {
    const Vector3 c = 0.5 * h * inverseInertia;
    const auto image = [&](const Vector3& Theta) -> Vector3 {
      return c.cwiseProduct(Pi0 + rotate(map, -Theta, Pi1));
    };
    Vector3 Theta = c.cwiseProduct(Pi0 + Pi1);
    const double size = Theta.squaredNorm();
    if (size == 0)
      return Theta;
    if (size < 1e-3) {
      double last = std::numeric_limits<double>::infinity();
      for (int sweep = 0; sweep < 60; ++sweep) {
        const Vector3 next = image(Theta);
        const double change = (next - Theta).squaredNorm();
        Theta = next;
        if (change <= 1e-33 * size || (change >= 0.5 * last && change <= 1e-30 * size))
          return Theta;
        if (!(change < 0.9 * last))
          break;
        last = change;
      }
      Theta = c.cwiseProduct(Pi0 + Pi1);
    }
    Vector3 F = Theta - image(Theta);
    double residual = F.norm();
    // of the angle; below the second one rounding may hold the residual up
    const double accepted = 1e-15, last = 1e-13;
    for (int iteration = 0; iteration < 50 && residual > accepted * Theta.norm(); ++iteration) {
      const Vector3 a = rotate(map, -Theta, Pi1);
      const Matrix3 A =
        Matrix3::Identity() - c.asDiagonal() * hat(a) * rotationTangent(map, -Theta);
      const Vector3 step = A.inverse() * F;
      double factor = 1, next = 0;
      Vector3 trial;
      for (;; factor *= 0.5) {
        trial = Theta - factor * step;
        const Vector3 G = trial - image(trial);
        next = G.norm();
        if (next < residual || factor < 1e-4) {
          F = G;
          break;
        }
      }
      if (!(next < residual)) {
        if (residual <= last * Theta.norm())
          break;
        return {};
      }
      Theta = trial;
      residual = next;
    }
    if (!(residual <= last * Theta.norm()) ||
        (map == RotationMap::exponential && Theta.norm() > largestStepAngle))
      return {};
    return Theta;
  }

  //! x += dx, where the compensation c carries the digits that x has lost (Kahan)
  inline void addCompensated(double& x, double& c, double dx)
  {
    const double y = dx - c;
    const double t = x + y;
    c = (t - x) - y;
    x = t;
  }

} // namespace Dune::Impact

#endif
