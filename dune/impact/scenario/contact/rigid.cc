// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/mortarsettings.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/contact/rigid/rigidgap.hh>
#include <dune/impact/contact/rigid/rigidsurface.hh>
#include <dune/impact/scenario/contact/rigid.hh>

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

  } // namespace

  std::unique_ptr<ImpulseGeometry> rigidOnSolidRows(const Section& section, const Scene& scene,
                                                    const SolidSide& first, std::size_t second)
  {
    const RigidSide other(scene.system, second);
    const RigidShape& shape = other.body->shape();
    const std::string method = section.has("method") ? section.word("method") : "";
    if (!method.empty() && method != "point" && method != "node-to-face")
      section.fail(
        "method",
        "must be point or node-to-face between a solid and a rigid body, or left out for both");
    if (method == "point" && shape.surfaces() == 0)
      section.fail("method",
                   fmt::format("must not be point: {} has no surface", other.body->name()));
    if (method == "node-to-face" && shape.nodes().empty())
      section.fail("method",
                   fmt::format("must not be node-to-face: {} has no nodes", other.body->name()));
    if (shape.surfaces() == 0 && shape.nodes().empty())
      section.fail("second", fmt::format("{} has neither a surface nor nodes", other.body->name()));
    refuseInside(section, scene, first.body, other);
    const std::size_t contact = scene.contacts.size();
    std::unique_ptr<ImpulseGeometry> points, faces;
    if (method != "node-to-face" && shape.surfaces() > 0)
      points = std::make_unique<PointRigid>(
        contact, scene.points(section, "first", first.body, first.patch), other);
    if (method != "point" && !shape.nodes().empty()) {
      std::optional<GapWindow> window;
      if (section.has("reach"))
        window = GapWindow{-0.5 * section.real("reach"), section.real("reach")};
      faces = std::make_unique<RigidToFace>(contact, bodySurface<3>(section, scene, "first", first),
                                            other, window);
    }
    if (points && faces)
      return std::make_unique<ImpulseGeometryPair>(std::move(points), std::move(faces));
    return points ? std::move(points) : std::move(faces);
  }

  void rigidOnSolidGaps(const Section& section, Scene& scene, const SolidSide& first,
                        std::size_t second)
  {
    const RigidSide other(scene.system, second);
    const RigidShape& shape = other.body->shape();
    const std::string method = section.word("method", "point");
    if (method != "point" && method != "dual-mortar")
      section.fail("method", "must be point or dual-mortar between a solid and a rigid body with "
                             "this method of time stepping");
    if (shape.surfaces() != 1)
      section.fail("second",
                   fmt::format("{} must have one smooth surface, that of a ball, box, thick rod, "
                               "shell or mesh, with this method of time stepping",
                               other.body->name()));
    if (other.body->count() > 1)
      section.fail("second",
                   fmt::format("{} must be one body, not copies, with this method of time stepping",
                               other.body->name()));
    refuseInside(section, scene, first.body, other);
    BodySurface<3> side = bodySurface<3>(section, scene, "first", first);
    const double facet = 0.5 * defaultWindow<3>(side.surface, side.surface).upper;
    if (facet > shape.extent())
      section.fail("first", fmt::format("has facets of size {:.3g}, between whose nodes {} of size "
                                        "{:.3g} would pass: the mesh must be finer",
                                        facet, other.body->name(), shape.extent()));
    for (std::size_t& node : side.surface.node)
      node += side.body.configurationOffset / 3;
    const auto kind = method == "point" ? ObstacleGapKind::nodal : ObstacleGapKind::weighted;
    const auto reach = section.has("reach") ? std::optional(section.real("reach")) : std::nullopt;
    scene.surfaceContacts3.push_back(
      {section.label(),
       std::make_unique<RigidGap>(std::move(side.surface), other, 0, kind, reach)});
  }

} // namespace Dune::Impact
