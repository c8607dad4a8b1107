// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/body/framejoint.hh>
#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  namespace {

    void buildJoint(const Section& section, Scene& scene)
    {
      const std::size_t body = scene.body(section, "body");
      const auto* beam = dynamic_cast<const Beam*>(&scene.system.body(body));
      if (!beam || beam->formulation() != BeamFormulation::exponential)
        section.fail("body", fmt::format("must be a beam with formulation = exponential, which {} is not", scene.system.body(body).name()));
      const std::string type = section.word("type");
      const auto kind = type == "clamp" ? FrameJoint::Kind::clamp : type == "hinge" ? FrameJoint::Kind::hinge : FrameJoint::Kind::spherical;
      if (section.has("axis") && type != "hinge")
        section.fail("axis", "has a meaning for a hinge only");
      Vector3 axis = Vector3::UnitZ();
      if (type == "hinge") {
        const Vec3 a = section.vector("axis");
        axis = {a[0], a[1], a[2]};
        if (!(axis.norm() > 0))
          section.fail("axis", "must not be zero");
      }
      scene.system.add(std::make_unique<FrameJoint>(scene.point(section, "at", body, "left"), scene.system.initialState().q, kind, axis));
    }

  } // namespace

  void registerJoint(Registry& registry)
  {
    registry.add(SectionType{
      .name = "joint",
      .summary = "a support of a section of a beam with formulation = exponential, where it is at the start",
      .keys = {{.name = "type", .meaning = "clamp holds the section, spherical its position only, hinge lets it turn about an axis", .kind = Kind::word, .allowed = {"clamp", "spherical", "hinge"}, .required = true},
               {.name = "body", .meaning = "the beam", .kind = Kind::name, .allowed = {"body"}, .required = true},
               {.name = "at", .meaning = "where on the beam: left, right, the number of a node, or a point (the node next to it)", .unit = "L", .kind = Kind::place, .computed = "its left end"},
               {.name = "axis", .meaning = "axis of a hinge at the start", .unit = "1", .kind = Kind::vector, .computed = "needed for a hinge"}},
      .build = buildJoint});
  }

} // namespace Dune::Impact
