// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/rigid/rigidcontact.hh>

/** \file
 * \brief Which nodes of rigid bodies see which facets and centres, for contact by springs
 */

namespace Dune::Impact {

  namespace {

    bool isRound(const RigidShape& shape)
    {
      return dynamic_cast<const BallShape*>(&shape) || dynamic_cast<const ShellShape*>(&shape);
    }

    //! Distance at which the surface of a ball begins, or minus that at which a shell begins
    double offset(const RigidShape& shape)
    {
      const auto* shell = dynamic_cast<const ShellShape*>(&shape);
      return shell ? -shell->inner() : shape.radius();
    }

    //! Append the centre of a ball or shell, then all facets, as seen by a node
    void addSeen(PenaltyNode seen, const RigidSide& surface, const std::vector<Polygon>& polygons,
                 std::vector<PenaltyNode>& result)
    {
      const Vector3 shift = surface.body->shapeOffset();
      if (isRound(surface.body->shape())) {
        seen.centre = shift;
        seen.offset = offset(surface.body->shape());
        result.push_back(seen);
      }
      for (const Polygon& polygon : polygons) {
        seen.polygon = polygon;
        for (Vector3& corner : seen.polygon)
          corner += shift;
        result.push_back(seen);
      }
    }

    //! Each node of all bodies of the one side with each facet, or the centre, of all bodies of the
    //! other
    void addNodes(const RigidSide& nodes, const RigidSide& surface, bool nodesFirst,
                  std::vector<PenaltyNode>& result)
    {
      const std::vector<Polygon> polygons = surface.body->shape().polygons();
      if (polygons.empty() && !isRound(surface.body->shape()))
        return;
      const RigidShape& shape = nodes.body->shape();
      for (std::size_t i = 0; i < nodes.body->count(); ++i)
        for (std::size_t j = nodes.body == surface.body ? i + 1 : 0; j < surface.body->count(); ++j)
          for (const Vector3& node : shape.nodes())
            addSeen({.first = ContactMember(nodes.bodyIndex, i),
                     .second = ContactMember(surface.bodyIndex, j),
                     .node = node + nodes.body->shapeOffset(),
                     .radius = shape.radius(),
                     .nodeIsFirst = nodesFirst},
                    surface, polygons, result);
    }

  } // namespace

  std::vector<PenaltyNode> RigidContact::penaltyNodes() const
  {
    const RigidShape &a = first_.body->shape(), &b = second_.body->shape();
    if (!exactMultipliers_)
      throw InputError("too many bodies for a penalty");
    for (const RigidShape* shape : {&a, &b})
      if (!isRound(*shape) && shape->surfaces() > 0 && !(shape->hollow() || shape->facets()))
        throw InputError("a penalty is available for balls, shells, hollow boxes, rods without "
                         "radius, and bodies with nodes and facets");
    if (self_ && !isRound(a))
      throw InputError("a penalty between bodies of one section is available for balls only");
    std::vector<PenaltyNode> result;
    const bool round = isRound(a) && isRound(b);
    if (round && a.nodes().empty()) {
      addNodes(second_, first_, false, result);
      return result;
    }
    addNodes(first_, second_, true, result);
    if (!round && !self_)
      addNodes(second_, first_, false, result);
    return result;
  }

} // namespace Dune::Impact
