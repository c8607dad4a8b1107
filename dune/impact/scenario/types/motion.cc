// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  namespace {

    //! All components of an obstacle
    void moveObstacle(const Section& section, Obstacle& obstacle)
    {
      std::array<Expression, 3> displacement;
      const auto given = section.expressions("displacement");
      for (std::size_t c = 0; c < given.size(); ++c) {
        if (!given[c])
          section.fail("displacement", "a component of an obstacle cannot be free, write 0");
        displacement[c] = *given[c];
      }
      obstacle.setMotion(displacement);
    }

    //! Sections of a beam that a rigid face carries along
    void moveBeam(const Section& section, Scene& scene, const Reference& reference)
    {
      if (!section.has("frame"))
        section.fail("displacement",
                     "sections of a beam with formulation = exponential are moved by `frame`");
      if (section.has("displacement"))
        section.fail("displacement", "has no meaning together with `frame`");
      const auto given = section.expressions("frame");
      std::array<Expression, 3> position, rotation;
      for (std::size_t c = 0; c < 6; ++c) {
        if (!given[c])
          section.fail("frame", "a component of a frame cannot be free; use a joint");
        (c < 3 ? position : rotation)[c % 3] = *given[c];
      }
      if (reference.part.empty())
        section.fail("body", fmt::format("must name the part of {} that is moved, as in {}.left",
                                         reference.name, reference.name));
      const State initial = scene.system.initialState();
      for (const PointHandle& point :
           scene.points(section, "body", scene.bodies.at(reference.name), reference.part))
        scene.system.add(std::make_unique<FrameJoint>(
          point, initial.q, FrameJoint::Kind::clamp, Vector3::UnitZ(),
          FrameJoint::Holder{.motion = FaceMotion(position, rotation)}));
    }

    //! What the system refuses is said of the part
    void prescribe(const Section& section, Scene& scene, const PointHandle& point, int component,
                   const Expression& displacement)
    {
      try {
        scene.system.prescribe(point, component, displacement);
      }
      catch (const InputError& error) {
        section.fail("body", error.what());
      }
    }

    //! Some components of points of a body, all of which must start where they are
    void moveBody(const Section& section, Scene& scene, const Reference& reference)
    {
      const std::size_t body = scene.bodies.at(reference.name);
      if (dynamic_cast<const RigidBody*>(&scene.system.body(body)))
        section.fail(
          "body",
          fmt::format("{} is rigid: only obstacles and points of bodies that deform can be moved",
                      reference.name));
      if (reference.part.empty() && scene.system.body(body).pointCount() > 1)
        section.fail("body", fmt::format("must name the part of {} that is moved, as in {}.left",
                                         reference.name, reference.name));
      const auto given = section.expressions("displacement");
      if (std::none_of(given.begin(), given.end(),
                       [](const auto& component) { return component.has_value(); }))
        section.fail("displacement", "leaves all components free, so that nothing is moved");
      const State initial = scene.system.initialState();
      for (const PointHandle& point : scene.points(section, "body", body, reference.part))
        for (std::size_t c = 0; c < given.size(); ++c)
          if (given[c]) {
            if (!point.body->carriesMass(point.point))
              section.fail("body", fmt::format("{} is an end without mass, which cannot be moved",
                                               reference.part));
            if ((*given[c])(0) != 0)
              section.fail("displacement",
                           fmt::format("must be zero at t = 0, got {}", (*given[c])(0)));
            if (point.displacement(initial.q)[c] != 0)
              section.fail("body",
                           fmt::format("{} starts deformed, so that its parts cannot be moved",
                                       reference.name));
            if (point.body->held(point.point, int(c)))
              section.fail("body",
                           fmt::format("{}.{} is clamped or on rollers, so that it cannot be moved",
                                       reference.name, reference.part));
            prescribe(section, scene, point, int(c), *given[c]);
          }
    }

  } // namespace

  void registerMotion(Registry& registry)
  {
    registry.add(SectionType{
      .name = "motion",
      .summary = "a prescribed displacement of an obstacle, a particle or a part of a body",
      .keys = {{.name = "body",
                .meaning =
                  "the obstacle or body, with the part that is moved, for example bar.left",
                .kind = Kind::name,
                .allowed = {"body"},
                .required = true,
                .parts = true},
               {.name = "displacement",
                .meaning =
                  "displacement per component, expressions in t; `free` leaves a component alone",
                .unit = "L",
                .kind = Kind::expressionVector,
                .computed = "needed unless there is a frame"},
               {.name = "frame",
                .meaning =
                  "position and rotation vector of a rigid face, expressions in t: the part of a "
                  "beam moves with the face as if it had been glued to it at the start",
                .unit = "L[3], 1",
                .kind = Kind::expressionVector,
                .size = "6",
                .computed = "none"}},
      .build = [](const Section& section, Scene& scene) {
        const Reference reference = section.reference("body");
        if (const auto obstacle = scene.findObstacle(reference.name))
          return moveObstacle(section, *scene.obstacles[*obstacle]);
        if (const auto* beam =
              dynamic_cast<const Beam*>(&scene.system.body(scene.bodies.at(reference.name)));
            beam && beam->formulation() == BeamFormulation::exponential)
          return moveBeam(section, scene, reference);
        if (section.has("frame"))
          section.fail("frame", "moves sections of beams with formulation = exponential only");
        moveBody(section, scene, reference);
      }});
  }

} // namespace Dune::Impact
