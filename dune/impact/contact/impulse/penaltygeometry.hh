// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_IMPULSE_PENALTYGEOMETRY_HH
#define DUNE_IMPACT_CONTACT_IMPULSE_PENALTYGEOMETRY_HH

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dune/impact/contact/impulse/contactpoints.hh>
#include <dune/impact/geometry/obstacle.hh>
#include <dune/impact/geometry/rigidshape.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief Nodes of rigid bodies and what they see, for contact by springs
 */

namespace Dune::Impact {

  //! A node of a rigid body and the one thing that it can touch: a facet, a centre or an obstacle
  struct PenaltyNode
  {
    ContactMember first;                 //!< the rigid body of the node
    std::optional<ContactMember> second; //!< the other rigid body; without one an obstacle
    Vector3 node;                        //!< in body axes, from the centre
    double radius;
    Polygon polygon = {};             //!< in body axes of the second body; empty for centres
    Vector3 centre = Vector3::Zero(); //!< of a ball or shell in body axes of the second body
    double offset = 0; //!< its radius, negative for a shell that is touched from inside
    std::shared_ptr<const Obstacle> obstacle = {};
    bool nodeIsFirst = true; //!< the node belongs to the first side of the contact
  };

  /** \brief Contact of rigid bodies as pairs of a node and a facet, a centre or an obstacle
   *
   * The pairs do not change in a run, so that a spring between the two can carry its gap from step
   * to step.
   */
  class PenaltyGeometry
  {
  public:
    virtual ~PenaltyGeometry() = default;

    //! All pairs; InputError with one sentence if the shapes have none that a spring can follow
    virtual std::vector<PenaltyNode> penaltyNodes() const = 0;
  };

} // namespace Dune::Impact

#endif
