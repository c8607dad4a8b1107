// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_CONTACT_BUILDERS_HH
#define DUNE_IMPACT_SCENARIO_CONTACT_BUILDERS_HH

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/contact/impulse/nodetoface.hh>
#include <dune/impact/contact/law/rccm.hh>
#include <dune/impact/scenario/keys.hh>
#include <dune/impact/scenario/scene.hh>

/** \file
 * \ingroup impact_scenario_contact
 * \brief From a section `contact` of a scenario file to a contact geometry
 *
 * One function per kind of sides. Each offers all capabilities that its sides have, whatever the
 * method of time stepping: the stepper takes what it needs, or refuses the contact.
 */

namespace Dune::Impact {

  //! One side of a contact: a body, and the part of it that is named; empty means all of it
  struct SideInput
  {
    std::size_t body;
    std::string part;
    const Bar* bar = nullptr; //!< the body, if it is a bar
  };

  //! The side as a rigid body; null if it is something else
  const RigidBody* asRigid(const Scene& scene, const SideInput& side);

  bool isSolid(const Scene& scene, const SideInput& side);
  bool isBeam(const Scene& scene, const SideInput& side);

  //! Particles, ends of bars and nodes of rigid bodies in front of an obstacle
  ContactGeometry pointOnObstacle(const Section& section, Scene& scene, const SideInput& first,
                                  std::shared_ptr<const Obstacle> obstacle, const ContactLaw& law);

  //! Two particles or bars
  ContactGeometry pointOnPoint(const Section& section, Scene& scene, const SideInput& first,
                               const SideInput& second, const ContactLaw& law);

  //! A solid in front of an obstacle
  ContactGeometry solidOnObstacle(const Section& section, const Scene& scene,
                                  const SideInput& first, std::shared_ptr<const Obstacle> obstacle);

  //! Two solids
  ContactGeometry solidOnSolid(const Section& section, const Scene& scene, const SideInput& first,
                               const SideInput& second);

  //! Refuse two sides that are not points, or a solid, and a rigid body
  void checkRigidSides(const Section& section, const Scene& scene, const SideInput& first,
                       const SideInput& second);

  //! Rigid bodies with each other, and points of other bodies with a rigid body
  ContactGeometry pointOnRigid(const Section& section, const Scene& scene, const SideInput& first,
                               const SideInput& second);

  //! A solid and rigid bodies
  ContactGeometry solidOnRigid(const Section& section, const Scene& scene, const SideInput& first,
                               std::size_t second);

  //! True if a beam touches an obstacle with its round surface
  bool touchesRound(const Section& section, const Scene& scene, const SideInput& side);

  //! The round surface of a beam in front of an obstacle
  ContactGeometry beamOnObstacle(const Section& section, const Scene& scene, std::size_t beam,
                                 std::shared_ptr<const Obstacle> obstacle);

  //! Two beams with a circular section and exponential formulation; others are refused
  ContactGeometry beamOnBeam(const Section& section, const Scene& scene, std::size_t first,
                             std::size_t second);

  //! The surface of a solid that a side names, its nodes numbered as those of the body
  template<int dim>
  BodySurface<dim> bodySurface(const Section& section, const Scene& scene, const std::string& key,
                               const SideInput& side);

  //! Refuse what contacts of solids of second order do not have: law = rccm, method = dual-mortar
  void refuseSecondOrder(const Section& section, const Scene& scene, const SideInput& side);

  //! True for a solid of second order
  bool isQuadratic(const Scene& scene, const SideInput& side);

  //! The distance within which surfaces see each other, if it is given
  std::optional<GapWindow> readWindow(const Section& section);

  //! The bonds of law = rccm between a solid and an obstacle, or between two solids
  template<int dim>
  std::shared_ptr<const RccmInterface> glueToObstacle(const Section& section, const Scene& scene,
                                                      const SideInput& first,
                                                      std::shared_ptr<const Obstacle> obstacle);
  template<int dim>
  std::shared_ptr<const RccmInterface> glueToSolid(const Section& section, const Scene& scene,
                                                   const NodeToFace<dim>& faces);

  //! The keys of law = rccm
  std::vector<Key> rccmKeys();

} // namespace Dune::Impact

#endif
