// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/mortarsettings.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/contact/rigid/rigidgap.hh>
#include <dune/impact/contact/rigid/rigidsurface.hh>
#include <dune/impact/scenario/contact/builders.hh>

namespace Dune::Impact {

  namespace {

    /* A rigid body that lies in the solid as a whole is seen neither by the nodes of the solid nor
     * by its facets: its nodes, and its centre if the shape contains it, must lie outside. */
    void refuseInside(const Section& section, const Scene& scene, std::size_t first,
                      const RigidSide& second)
    {
      const auto& solid = dynamic_cast<const Solid<3>&>(scene.system.body(first));
      const State initial = scene.system.initialState();
      const ConstSpan u = scene.system.configurationSlice(first, initial.q);
      const auto boundary = makeContactSurface<3>(solid.mesh(), std::nullopt, first, 0);
      if (!isClosed(boundary))
        return;
      const InsideTest<3> inside(boundary, u);
      const RigidShape& shape = second.body->shape();
      std::vector<Vector3> points = shape.nodes();
      if (!shape.hollow() && shape.surfaces() > 0 && shape.nearest(Vector3::Zero()) < 0)
        points.push_back(Vector3::Zero());
      const double slack = 1e-9 * scene.length(); // nodes on the surface are on neither side
      for (std::size_t i = 0; i < second.body->count(); ++i) {
        const PlacedShape at(*second.body, second.configuration(initial.q, i));
        for (const Vector3& point : points)
          if (const Vec3 x = toVec3(at.toSpace(point)); inside(x) && inside.distance(x) > slack)
            section.fail("second",
                         fmt::format("{} lies in {} at the start, at {:.6g} {:.6g} {:.6g}",
                                     second.body->name(), solid.name(), x[0], x[1], x[2]));
      }
    }

    //! Contact points: nodes of the solid on the rigid surface (point), nodes of the rigid body on
    //! facets of the solid (node-to-face), without a method both
    std::unique_ptr<ImpulseGeometry> impulsesOf(const Section& section, const Scene& scene,
                                                const SideInput& first, const RigidSide& other,
                                                const std::string& method)
    {
      const RigidShape& shape = other.body->shape();
      std::unique_ptr<ImpulseGeometry> points, faces;
      if (method != "node-to-face" && shape.surfaces() > 0)
        points = std::make_unique<PointRigid>(
          scene.points(section, "first", first.body, first.part), other);
      if (method != "point" && !shape.nodes().empty())
        faces = std::make_unique<RigidToFace>(bodySurface<3>(section, scene, "first", first), other,
                                              readWindow(section));
      if (points && faces)
        return std::make_unique<ImpulseGeometryPair>(std::move(points), std::move(faces));
      return points ? std::move(points) : std::move(faces);
    }

    //! Why a solid and a rigid body have no weighted gaps; empty if they have
    std::string gapDefect(const BodySurface<3>& side, const RigidSide& other)
    {
      const RigidShape& shape = other.body->shape();
      if (shape.surfaces() != 1)
        return fmt::format("{} must have one smooth surface, that of a ball, box, thick rod, shell "
                           "or mesh",
                           other.body->name());
      if (other.body->count() > 1)
        return fmt::format("{} must be one body, not copies", other.body->name());
      const double facet = 0.5 * defaultWindow<3>(side.surface, side.surface).upper;
      if (facet > shape.extent())
        return fmt::format("{} has facets of size {:.3g}, between whose nodes {} of size {:.3g} "
                           "would pass: the mesh must be finer",
                           side.body.body->name(), facet, other.body->name(), shape.extent());
      return "";
    }

    void checkMethod(const Section& section, const RigidBody& body, const std::string& method)
    {
      const RigidShape& shape = body.shape();
      if (!method.empty() && method != "point" && method != "node-to-face" &&
          method != "dual-mortar")
        section.fail("method", "must be point, node-to-face or dual-mortar between a solid and a "
                               "rigid body, or left out");
      if (method == "point" && shape.surfaces() == 0)
        section.fail("method", fmt::format("must not be point: {} has no surface", body.name()));
      if (method == "node-to-face" && shape.nodes().empty())
        section.fail("method",
                     fmt::format("must not be node-to-face: {} has no nodes", body.name()));
      if (shape.surfaces() == 0 && shape.nodes().empty())
        section.fail("second", fmt::format("{} has neither a surface nor nodes", body.name()));
    }

  } // namespace

  void checkRigidSides(const Section& section, const Scene& scene, const SideInput& first,
                       const SideInput& second)
  {
    if (!asRigid(scene, second))
      section.fail("second", "must be the rigid body, exchange first and second");
    for (const auto& [key, side] : {std::pair("first", &first), std::pair("second", &second)})
      if (asRigid(scene, *side) && !side->part.empty())
        section.fail(key, "a rigid body touches with all of its surface, it has no parts");
  }

  ContactGeometry pointOnRigid(const Section& section, const Scene& scene, const SideInput& first,
                               const SideInput& second)
  {
    checkRigidSides(section, scene, first, second);
    const RigidSide other(scene.system, second.body);
    if (asRigid(scene, first)) {
      if (first.body == second.body && other.body->count() == 1)
        section.fail("second", "must be another body than `first`, which is only one");
      auto geometry = std::make_unique<RigidContact>(RigidSide(scene.system, first.body), other);
      if (geometry->multipliers() == 0)
        section.fail("second",
                     fmt::format("{} and {} have no surface that a node of the other could touch",
                                 scene.system.body(first.body).name(), other.body->name()));
      return geometry;
    }
    if (other.body->shape().surfaces() == 0)
      section.fail("second", fmt::format("{} has no surface", other.body->name()));
    std::vector<PointHandle> points;
    if (first.bar && first.part.empty())
      for (Bar::End end : {Bar::left, Bar::right})
        points.push_back(scene.system.point(first.body, first.bar->endNode(end)));
    else
      points = scene.points(section, "first", first.body, first.part);
    return std::make_unique<PointRigid>(std::move(points), other);
  }

  ContactGeometry solidOnRigid(const Section& section, const Scene& scene, const SideInput& first,
                               std::size_t second)
  {
    const RigidSide other(scene.system, second);
    const std::string method = section.has("method") ? section.word("method") : "";
    checkMethod(section, *other.body, method);
    refuseSecondOrder(section, scene, first);
    refuseInside(section, scene, first.body, other);
    ContactGeometry geometry;
    if (method == "dual-mortar")
      geometry.lacks<ImpulseGeometry>("impulses need method = point or node-to-face");
    else
      geometry.offer(
        std::shared_ptr<ImpulseGeometry>(impulsesOf(section, scene, first, other, method)));
    BodySurface<3> side = bodySurface<3>(section, scene, "first", first);
    const std::string defect =
      isQuadratic(scene, first)  ? "weighted gaps need a solid of order 1, one of order 2 touches "
                                   "with method = cd-lagrange"
      : method == "node-to-face" ? "weighted gaps need method = point or dual-mortar"
                                 : gapDefect(side, other);
    if (!defect.empty())
      return geometry.lacks<WeightedGapGeometry<3>>(defect);
    for (std::size_t& node : side.surface.node)
      node += side.body.configurationOffset / 3;
    const auto kind = method == "dual-mortar" ? ObstacleGapKind::weighted : ObstacleGapKind::nodal;
    // explicit methods have no use for the gaps, nor for their reach
    const auto reach = section.has("reach") && !scene.explicitMethod
                         ? std::optional(section.real("reach"))
                         : std::nullopt;
    return geometry.offer(
      std::make_shared<RigidGap>(std::move(side.surface), other, 0, kind, reach));
  }

} // namespace Dune::Impact
