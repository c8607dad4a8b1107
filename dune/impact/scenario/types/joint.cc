// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>
#include <set>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/scenario/types/joint.hh>

namespace Dune::Impact {

  namespace {

    //! A body that has frames: a beam with exponential formulation, or one rigid body
    const Body& frameBody(const Section& section, const Scene& scene, const std::string& key,
                          std::size_t index)
    {
      const Body& body = scene.system.body(index);
      const auto* beam = dynamic_cast<const Beam*>(&body);
      const auto* rigid = dynamic_cast<const RigidBody*>(&body);
      if (!rigid && !(beam && beam->formulation() == BeamFormulation::exponential))
        section.fail(
          key, fmt::format(
                 "must be a beam with formulation = exponential or a rigid body, which {} is not",
                 body.name()));
      if (rigid && rigid->count() > 1)
        section.fail(key, fmt::format("must be one body, {} has copies", body.name()));
      if (rigid && rigid->hasPivot())
        section.fail(key, fmt::format("{} has a pivot, which is a joint already", body.name()));
      return body;
    }

    //! A point of a body, and for rigid bodies the place in space that is meant if it is not one of
    //! their points
    struct JointPlace
    {
      PointHandle point;
      std::optional<Vector3> place = {};
    };

    JointPlace readPlace(const Section& section, const Scene& scene, const std::string& key,
                         std::size_t body)
    {
      if (!dynamic_cast<const RigidBody*>(&scene.system.body(body)))
        return {scene.point(section, key, body, "left")};
      const std::size_t centre = scene.system.body(body).patch("centre-of-mass").front();
      if (!section.has(key))
        return {scene.system.point(body, centre)};
      if (const Place place = section.place(key); place.point)
        return {scene.system.point(body, centre),
                Vector3((*place.point)[0], (*place.point)[1], (*place.point)[2])};
      return {scene.point(section, key, body, "centre-of-mass")};
    }

    //! The point of the other body that the joint is fixed to: of a beam the named node or the one
    //! next to the place
    PointHandle readOther(const Section& section, const Scene& scene, std::size_t body,
                          const JointPlace& joint)
    {
      const std::size_t other = scene.body(section, "other");
      frameBody(section, scene, "other", other);
      if (other == body)
        section.fail("other", "must be another body than `body`");
      if (section.has("other-at"))
        return readPlace(section, scene, "other-at", other).point;
      const State initial = scene.system.initialState();
      Vec3 place = joint.point.position(initial.q);
      if (joint.place)
        place = {(*joint.place)[0], (*joint.place)[1], (*joint.place)[2]};
      std::size_t best = 0;
      double smallest = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < scene.system.body(other).pointCount(); ++i)
        if (const double distance =
              (scene.system.point(other, i).position(initial.q) - place).two_norm();
            distance < smallest) {
          smallest = distance;
          best = i;
        }
      return scene.system.point(other, best);
    }

    void buildJoint(const Section& section, Scene& scene)
    {
      const std::size_t body = scene.body(section, "body");
      frameBody(section, scene, "body", body);
      const std::string type = section.word("type");
      const auto kind = type == "clamp"   ? FrameJoint::Kind::clamp
                        : type == "hinge" ? FrameJoint::Kind::hinge
                                          : FrameJoint::Kind::spherical;
      if (section.has("axis") && type != "hinge")
        section.fail("axis", "has a meaning for a hinge only");
      Vector3 axis = Vector3::UnitZ();
      if (type == "hinge") {
        const Vec3 a = section.vector("axis");
        axis = {a[0], a[1], a[2]};
        if (!(axis.norm() > 0))
          section.fail("axis", "must not be zero");
      }
      const JointPlace joint = readPlace(section, scene, "at", body);
      FrameJoint::Holder holder;
      if (section.has("other"))
        holder.other = readOther(section, scene, body, joint);
      else if (section.has("other-at"))
        section.fail("other-at", "has no meaning without `other`");
      scene.system.add(std::make_unique<FrameJoint>(joint.point, scene.system.initialState().q,
                                                    kind, axis, std::move(holder), joint.place));
    }

  } // namespace

  void refuseDoubleJoints(const MethodInput& input)
  {
    std::set<std::pair<std::size_t, std::size_t>> held;
    for (const auto& constraint : input.scene.system.constraints())
      if (const auto* joint = dynamic_cast<const FrameJoint*>(constraint.get());
          joint && !joint->other() &&
          !held.insert({joint->node().bodyIndex, joint->node().point}).second)
        input.section.fail(
          "method",
          fmt::format("node {} of {} is held twice, by `clamped`, a joint or a moved frame",
                      joint->node().point, joint->node().body->name()));
  }

  void registerJoint(Registry& registry)
  {
    registry.add(SectionType{
      .name = "joint",
      .summary = "a joint of a section of a beam with formulation = exponential, or of a rigid "
                 "body, with space or with another such body, where it is at the start",
      .keys =
        {{.name = "type",
          .meaning =
            "clamp holds the frame, spherical its position only, hinge lets it turn about an axis",
          .kind = Kind::word,
          .allowed = {"clamp", "spherical", "hinge"},
          .required = true},
         {.name = "body",
          .meaning = "the beam or rigid body",
          .kind = Kind::name,
          .allowed = {"body"},
          .required = true},
         {.name = "at",
          .meaning =
            "where on the beam: left, right, the number of a node, or a point (the node next to "
            "it); of a rigid body any point, where it is at the start, or the number of a node",
          .unit = "L",
          .kind = Kind::place,
          .computed = "the left end of a beam, the centre of mass of a rigid body"},
         {.name = "axis",
          .meaning = "axis of a hinge at the start",
          .unit = "1",
          .kind = Kind::vector,
          .computed = "needed for a hinge"},
         {.name = "other",
          .meaning =
            "a beam or rigid body to which it is joined; without it the joint is fixed in space",
          .kind = Kind::name,
          .allowed = {"body"},
          .computed = "space"},
         {.name = "other-at",
          .meaning = "node of the other body that moves with the joint",
          .unit = "L",
          .kind = Kind::place,
          .computed = "the node next to the joint at the start"}},
      .build = buildJoint});
  }

} // namespace Dune::Impact
