// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/geometry/quadraturerules.hh>

#include <dune/impact/body/beamelement.hh>

namespace Dune::Impact {

  namespace {

    using Matrix6x12 = Eigen::Matrix<double, 6, 12>;

    //! Q(s) = (I - Y, Y)
    Matrix6x12 interpolation(const Matrix6& Y)
    {
      Matrix6x12 Q;
      Q << Matrix6::Identity() - Y, Y;
      return Q;
    }

  } // namespace

  std::vector<GaussPoint> gaussRule(int points)
  {
    std::vector<GaussPoint> rule;
    for (const auto& point : QuadratureRules<double, 1>::rule(GeometryTypes::line, 2 * points - 1,
                                                              QuadratureType::GaussLegendre))
      rule.push_back({point.position()[0], point.weight()});
    return rule;
  }

  //! Y(s) = s T(-s x) T^{-1}(-x)
  Matrix6 BeamInterpolation::weight(double s, const Vector6& x)
  {
    return s * Exponential::tangent(-s * x) * Exponential::tangentInverse(-x);
  }

  //! dY/ds = Ad(exp(-s x)) T^{-1}(-x)
  Matrix6 BeamInterpolation::weightSlope(double s, const Vector6& x)
  {
    return adjointMatrix(Exponential::map(-s * x)) * Exponential::tangentInverse(-x);
  }

  //! Product rule for s T(-s x) z, z = T^{-1}(-x) y; the inner derivatives are -s and -1
  Matrix6 BeamInterpolation::weightDerivative(double s, const Vector6& x, const Vector6& y)
  {
    const Vector6 z = Exponential::tangentInverse(-x) * y;
    return -s * (s * Exponential::tangentDerivative(-s * x, z) +
                 Exponential::tangent(-s * x) * Exponential::tangentInverseDerivative(-x, y));
  }

  //! Product rule for s T^{-T}(-x) z, z = T^T(-s x) y
  Matrix6 BeamInterpolation::weightTransposedDerivative(double s, const Vector6& x,
                                                        const Vector6& y)
  {
    const Vector6 z = Exponential::tangent(-s * x).transpose() * y;
    return -s * (s * Exponential::tangentInverse(-x).transpose() *
                   Exponential::tangentTransposedDerivative(-s * x, y) +
                 Exponential::tangentInverseTransposedDerivative(-x, z));
  }

  //! dx = -T^{-1}(x) zeta_A + T^{-1}(-x) zeta_B
  Matrix6x12 BeamInterpolation::relative(const Vector6& x)
  {
    Matrix6x12 P;
    P << -Exponential::tangentInverse(x), Exponential::tangentInverse(-x);
    return P;
  }

  //! int Q^T J Q ds in body axes; Q depends on x, so that the mass changes with the strain
  Matrix12 consistentMass(const Vector6& x, double length, const Vector6& J)
  {
    Matrix12 M = Matrix12::Zero();
    for (const auto& [s, weight] : gaussRule(3)) {
      const Matrix6x12 Q = interpolation(BeamInterpolation::weight(s, x));
      M += (weight * length) * (Q.transpose() * J.asDiagonal() * Q);
    }
    return M;
  }

  //! Q' v = (dY/dx dx) (zeta_B - zeta_A) with the rate dx = relative(x) v of the relative twist;
  //! the term ad(zeta)^T J zeta is due to the body axes.
  Vector12 inertiaForce(const Vector6& x, double length, const Vector6& J, const Vector12& v,
                        const Vector12& rate)
  {
    Vector12 f = Vector12::Zero();
    const Vector6 moving = BeamInterpolation::relative(x) * v;
    for (const auto& [s, weight] : gaussRule(3)) {
      const Matrix6x12 Q = interpolation(BeamInterpolation::weight(s, x));
      const Vector6 zeta = Q * v,
                    turned =
                      BeamInterpolation::weightDerivative(s, x, v.tail<6>() - v.head<6>()) * moving;
      const Vector6 force =
        J.cwiseProduct(Q * rate + turned) - bracketMatrix(zeta).transpose() * J.cwiseProduct(zeta);
      f += (weight * length) * (Q.transpose() * force);
    }
    return f;
  }

} // namespace Dune::Impact
