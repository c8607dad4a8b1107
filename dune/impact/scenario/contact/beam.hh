// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_CONTACT_BEAM_HH
#define DUNE_IMPACT_SCENARIO_CONTACT_BEAM_HH

#include <dune/impact/scenario/scene.hh>

/** \file
 * \ingroup impact_scenario_contact
 * \brief Contact sections of beams
 */

namespace Dune::Impact {

  //! Contact of two beams with a circular section and exponential formulation; others are refused
  void addBeamContact(const Section& section, Scene& scene, std::size_t first, std::size_t second,
                      const ContactLaw& law);

  //! The same between the surface of a round beam and an obstacle
  void addBeamObstacle(const Section& section, Scene& scene, std::size_t beam,
                       std::shared_ptr<const Obstacle> obstacle, const ContactLaw& law);

} // namespace Dune::Impact

#endif
