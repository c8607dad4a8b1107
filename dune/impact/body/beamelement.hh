// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_BEAMELEMENT_HH
#define DUNE_IMPACT_BODY_BEAMELEMENT_HH

#include <vector>

#include <dune/impact/geometry/se3.hh>

/** \file
 * \ingroup impact_body
 * \brief Between the nodes of a beam element with exponential interpolation
 *
 * With the frames g_A, g_B of the nodes, x = log(g_A^{-1} g_B) and s in [0,1]
 *
 *     g(s) = g_A exp(s x),   zeta(s) = zeta_A + Y(s) (zeta_B - zeta_A),
 *     Y(s) = s T(-s x) T^{-1}(-x)
 *
 * for the variation or velocity zeta of g, with the right-trivialised tangent T of exp. This uses
 * that T(x) and T(-x) commute with Ad(exp(x)), all being functions of the bracket with x. So
 * common velocities are interpolated as what they are, and Y' = Ad(exp(-s x)) T^{-1}(-x).
 * All vectors are (angular, linear) in the frame at s or at the node.
 */

namespace Dune::Impact {

  using Vector12 = Eigen::Matrix<double, 12, 1>;
  using Matrix12 = Eigen::Matrix<double, 12, 12>;

  //! A point of a rule on [0,1]
  struct GaussPoint
  {
    double s, weight;
  };

  //! The Gauss rule with that many points on [0,1]
  std::vector<GaussPoint> gaussRule(int points);

  //! Where a node with interpolated neighbours goes: Y and its derivatives
  struct BeamInterpolation
  {
    //! Y(s)
    static Matrix6 weight(double s, const Vector6& x);

    //! dY/ds
    static Matrix6 weightSlope(double s, const Vector6& x);

    //! The matrix of z -> d/dx (Y(s) y) z
    static Matrix6 weightDerivative(double s, const Vector6& x, const Vector6& y);

    //! The matrix of z -> d/dx (Y(s)^T y) z for a covector y
    static Matrix6 weightTransposedDerivative(double s, const Vector6& x, const Vector6& y);

    //! dx = forth zeta_A + back zeta_B: the variation of x, with forth = -T^{-1}(x), back =
    //! T^{-1}(-x)
    static Eigen::Matrix<double, 6, 12> relative(const Vector6& x);
  };

  /** \brief Consistent mass of an element: int Q^T J Q ds with zeta(s) = Q(s) (zeta_A, zeta_B)
   *
   * J is the diagonal inertia per length, the integral has three Gauss points.
   */
  Matrix12 consistentMass(const Vector6& x, double length, const Vector6& J);

  /** \brief Inertia force of an element: int Q^T (J (Q v' + Q' v) - ad(Q v)^T J Q v) ds
   *
   * v and v' are velocities and accelerations of the two nodes; Q' belongs to the motion v.
   */
  Vector12 inertiaForce(const Vector6& x, double length, const Vector6& J, const Vector12& v,
                        const Vector12& rate);

} // namespace Dune::Impact

#endif
