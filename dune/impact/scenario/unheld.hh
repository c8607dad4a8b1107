// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_UNHELD_HH
#define DUNE_IMPACT_SCENARIO_UNHELD_HH

#include <span>
#include <string>

#include <dune/impact/scenario/scene.hh>

/** \file
 * \ingroup impact_scenario
 * \brief Static bodies that nothing holds
 */

namespace Dune::Impact {

  /** \brief A sentence about bodies that have no equilibrium, or an empty text
   *
   * Bodies that contacts, springs or joints connect are looked at together: nothing holds them if
   * supports, motions and joints leave a rigid motion free on which weight and loads do work at one
   * of the times, see freeRigidMotions(). A contact with an obstacle may hold all that touches it
   * and is given the benefit of the doubt, and so is a spring to a fixed point.
   */
  std::string unheldBodies(const Scene& scene, std::span<const double> times);

} // namespace Dune::Impact

#endif
