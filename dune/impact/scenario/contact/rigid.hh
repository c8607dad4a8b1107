// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_CONTACT_RIGID_HH
#define DUNE_IMPACT_SCENARIO_CONTACT_RIGID_HH

#include <dune/impact/scenario/contact/solid.hh>

/** \file
 * \ingroup impact_scenario_contact
 * \brief Contact of solids and rigid bodies, from a section of a scenario file
 */

namespace Dune::Impact {

  //! Rows of a solid and rigid bodies, for explicit methods
  std::unique_ptr<ImpulseGeometry> rigidOnSolidRows(const Section& section, const Scene& scene,
                                                    const SolidSide& first, std::size_t second);

  //! Gaps of a solid and a rigid body, for implicit methods, as a surface contact of the scene
  void rigidOnSolidGaps(const Section& section, Scene& scene, const SolidSide& first,
                        std::size_t second);

} // namespace Dune::Impact

#endif
