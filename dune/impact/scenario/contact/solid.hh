// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_CONTACT_SOLID_HH
#define DUNE_IMPACT_SCENARIO_CONTACT_SOLID_HH

#include <dune/impact/contact/impulse/nodetoface.hh>
#include <dune/impact/contact/law/rccm.hh>
#include <dune/impact/scenario/keys.hh>
#include <dune/impact/scenario/scene.hh>

/** \file
 * \ingroup impact_scenario_contact
 * \brief Contact of solids with explicit methods, from a section of a scenario file
 */

namespace Dune::Impact {

  //! One side of a contact: a solid, and the patch that is named; empty means its boundary
  struct SolidSide
  {
    std::size_t body;
    std::string patch;
  };

  //! The surface that a side names, its nodes numbered as those of the body
  template<int dim>
  BodySurface<dim> bodySurface(const Section& section, const Scene& scene, const std::string& key,
                               const SolidSide& side);

  //! What a contact of solids is made of
  struct SolidRows
  {
    std::unique_ptr<ImpulseGeometry> coupling;
    std::shared_ptr<const RccmInterface> interface;
  };

  //! Nodes of a solid in front of an obstacle
  SolidRows solidOnObstacleRows(const Section& section, const Scene& scene, const SolidSide& first,
                                std::shared_ptr<const Obstacle> obstacle);

  //! Two solids, with method = node-to-face, or dual-mortar, whose gaps are the last surface
  //! contact of the scene
  SolidRows solidOnSolidRows(const Section& section, const Scene& scene, const SolidSide& first,
                             const SolidSide& second);

  //! The keys of law = rccm
  std::vector<Key> rccmKeys();

} // namespace Dune::Impact

#endif
