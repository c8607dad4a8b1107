// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_TYPES_JOINT_HH
#define DUNE_IMPACT_SCENARIO_TYPES_JOINT_HH

#include <dune/impact/scenario/registry.hh>

/** \file
 * \ingroup impact_scenario_types
 * \brief Joints of a scenario
 */

namespace Dune::Impact {

  //! Refuse two joints to space at one place: they hold the same directions twice, with reactions
  //! that nothing determines
  void refuseDoubleJoints(const MethodInput& input);

} // namespace Dune::Impact

#endif
