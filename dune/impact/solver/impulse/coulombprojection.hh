// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_COULOMBPROJECTION_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_COULOMBPROJECTION_HH

#include <cmath>

#include <Eigen/Dense>

/** \file
 * \ingroup impact_solver_impulse
 * \brief The complementarity function of contact with Coulomb friction
 */

namespace Dune::Impact {

  enum class ContactSet : char { open, slip, stick };

  /** \brief Projection of xi = (xi_N, xi_T) to forces that contact can carry, and its derivative
   *
   *     P(xi) = (max(0, xi_N), xi_T cut to the length mu max(0, xi_N))
   *
   * With a gap g, a force l and a scaling p > 0 the equation l = P(l - p g) says: open and l = 0,
   * or g_N = 0 and either g_T = 0 (stick) or l_T = mu l_N e with e = xi_T/|xi_T| (slip). The
   * derivative
   *
   *     open: 0,   stick: I,
   *     slip: dP_N = dxi_N, dP_T = mu e dxi_N + mu xi_N/|xi_T| (I - e e^T) dxi_T
   *
   * is one of the generalised derivatives where P has kinks. A tie xi_N = 0 counts as contact.
   */
  struct CoulombProjection
  {
    Eigen::Vector3d value = Eigen::Vector3d::Zero();
    Eigen::Matrix3d derivative = Eigen::Matrix3d::Zero();
    ContactSet set = ContactSet::open;

    CoulombProjection(const Eigen::Vector3d& xi, double mu)
    {
      if (!(xi[0] >= 0))
        return;
      const Eigen::Vector2d t = xi.tail<2>();
      const double limit = mu * xi[0], size = t.norm();
      value[0] = xi[0];
      derivative(0, 0) = 1;
      set = ContactSet::slip;
      if (mu == 0)
        return;
      if (size <= limit) {
        set = ContactSet::stick;
        value.tail<2>() = t;
        derivative.setIdentity();
        return;
      }
      const Eigen::Vector2d e = t / size;
      value.tail<2>() = limit * e;
      derivative.block<2, 1>(1, 0) = mu * e;
      derivative.bottomRightCorner<2, 2>() =
        (limit / size) * (Eigen::Matrix2d::Identity() - e * e.transpose());
    }
  };

} // namespace Dune::Impact

#endif
