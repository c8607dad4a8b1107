// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_RIGIDMOTIONS_HH
#define DUNE_IMPACT_BODY_RIGIDMOTIONS_HH

#include <span>

#include <Eigen/Core>

#include <dune/impact/body/system.hh>

/** \file
 * \ingroup impact_body
 * \brief Rigid motions that nothing prevents
 */

namespace Dune::Impact {

  /** \brief Rigid motions of a group of bodies that supports, prescribed dofs and joints leave free
   *
   * The group moves as one: 3 motions in the plane, 6 in space, as velocities V of the system at
   * the configuration q. A support holds v_k = 0 for a dof k, a joint G v = 0; the free motions are
   * the null space of the Gram matrix
   *
   *     sum_k V_k^T V_k + (G V)^T (G V).
   *
   * Lengths are in units of the size of the group, so that the rank does not depend on units.
   * Bodies are solids or beams; for others the result is empty, and nothing is said of them. What
   * springs and contacts hold is for the caller to know.
   *
   * \return velocities of the system, one column per free motion, scaled to the size of the group
   */
  Eigen::MatrixXd freeRigidMotions(const System& system, std::span<const std::size_t> group,
                                   ConstSpan q);

} // namespace Dune::Impact

#endif
