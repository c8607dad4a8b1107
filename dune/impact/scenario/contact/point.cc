// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <fmt/format.h>

#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/contact/law/masslesstip.hh>
#include <dune/impact/scenario/contact/builders.hh>

namespace Dune::Impact {

  namespace {

    //! The end of a bar that a side means: the named one, or the one that faces the direction
    Bar::End endOf(const Section& section, const std::string& key, const SideInput& side,
                   double direction)
    {
      if (side.part.empty())
        return direction > 0 ? Bar::right : Bar::left;
      if (side.part != "left" && side.part != "right")
        section.fail(
          key, fmt::format("a bar touches with its ends left and right, not with {}", side.part));
      return side.part == "left" ? Bar::left : Bar::right;
    }

    //! The point of a side that touches in the given direction (of the first axis, or of the bar)
    PointHandle pointOf(const Section& section, const Scene& scene, const std::string& key,
                        const SideInput& side, double direction)
    {
      if (side.bar)
        return scene.system.point(side.body,
                                  side.bar->endNode(endOf(section, key, side, direction)));
      return scene.points(section, key, side.body, side.part).front();
    }

    bool masslessEnd(const Section& section, const std::string& key, const SideInput& side,
                     double direction)
    {
      return side.bar && side.bar->massless(endOf(section, key, side, direction));
    }

    Vec3 centre(const Scene& scene, const SideInput& side)
    {
      const State state = scene.system.initialState();
      return scene.system.body(side.body).centreOfMass(
        scene.system.configurationSlice(side.body, state.q));
    }

    void refuseLawOfMassless(const Section& section, const ContactLaw& law)
    {
      if (law.restitution != 0)
        section.fail("restitution", "must be 0 for an end without mass, which has no impact");
    }

    //! A massless contact of the system; an end without mass can be held by one contact only
    ContactGeometry massless(const Section& section, Scene& scene,
                             std::shared_ptr<const MasslessTip> tip)
    {
      const auto ends = tip->masslessEnds();
      for (const Contact& other : scene.contacts)
        if (const auto* taken = other.geometry.find<MasslessContact>())
          for (std::size_t end : taken->masslessEnds())
            if (std::find(ends.begin(), ends.end(), end) != ends.end())
              section.fail("first",
                           fmt::format("an end without mass can have one contact only, it has {} "
                                       "already",
                                       other.name));
      scene.system.add(tip);
      return ContactGeometry(tip).lacks<ImpulseGeometry>("an end without mass has no impact");
    }

    MasslessTip::Side tipSide(const Section& section, const Scene& scene, const std::string& key,
                              const SideInput& side, double direction)
    {
      const PointHandle point = pointOf(section, scene, key, side, direction);
      if (side.bar)
        return MasslessTip::side(point, *side.bar, endOf(section, key, side, direction));
      return {side.body, point.configurationOffset + point.point,
              point.velocityOffset + point.point, std::nullopt, 0};
    }

    //! Two bodies on a line: the left one touches with its right side
    ContactGeometry pairOnLine(const Section& section, Scene& scene, const SideInput& first,
                               const SideInput& second, const ContactLaw& law)
    {
      const double direction = centre(scene, second)[0] < centre(scene, first)[0] ? -1 : 1;
      const PointHandle a = pointOf(section, scene, "first", first, direction);
      const PointHandle b = pointOf(section, scene, "second", second, -direction);
      if (!masslessEnd(section, "first", first, direction) &&
          !masslessEnd(section, "second", second, -direction))
        return std::make_unique<FacePoint>(a, b, Vec3{direction, 0, 0});
      refuseLawOfMassless(section, law);
      const double gap =
        direction * (b.reference()[0] - a.reference()[0]) - a.radius() - b.radius();
      return massless(section, scene,
                      std::make_shared<MasslessTip>(
                        tipSide(section, scene, "first", first, direction),
                        tipSide(section, scene, "second", second, -direction), direction, gap));
    }

    /* Two bodies in the plane or in space: balls, or the end of a bar and a point. A bar touches
     * with the end that faces the centre of mass of the other body, by the sign of
     * axis . (c_2 - c_1). */
    ContactGeometry pairInSpace(const Section& section, const Scene& scene, const SideInput& first,
                                const SideInput& second, const ContactLaw& law)
    {
      if (!first.bar) {
        if (second.bar)
          section.fail("first", "in a contact of a bar and a particle the bar is the first side");
        const PointHandle a = scene.system.point(first.body, 0),
                          b = scene.system.point(second.body, 0);
        if (!(a.radius() + b.radius() > 0))
          section.fail("first",
                       "particles touch in dimension 2 and 3 only if one of them has a radius");
        return std::make_unique<BallPair>(a, b);
      }
      if (law.friction > 0)
        section.fail("friction", "is not available between the end of a bar and another body");
      const Vec3 axis =
        first.bar->reference(first.bar->endNode(Bar::right)) - first.bar->reference(0);
      const double direction = axis * (centre(scene, second) - centre(scene, first));
      const Bar::End end = endOf(section, "first", first, direction);
      const double otherDirection =
        second.bar
          ? (second.bar->reference(second.bar->endNode(Bar::right)) - second.bar->reference(0)) *
              (centre(scene, first) - centre(scene, second))
          : 0;
      return std::make_unique<FacePoint>(
        scene.system.point(first.body, first.bar->endNode(end)),
        scene.system.point(first.body, first.bar->endNeighbour(end)),
        pointOf(section, scene, "second", second, otherDirection), first.bar->sectionRadius());
    }

    //! The end of a bar in one dimension that faces a plane, without mass
    ContactGeometry masslessOnPlane(const Section& section, Scene& scene, const SideInput& first,
                                    std::shared_ptr<const Obstacle> obstacle, double direction,
                                    const ContactLaw& law)
    {
      refuseLawOfMassless(section, law);
      const PointHandle tip = pointOf(section, scene, "first", first, direction);
      const double gap = obstacle->distance(0, tip.reference(), Vec3(0)).gap;
      return massless(
        section, scene,
        std::make_shared<MasslessTip>(tipSide(section, scene, "first", first, direction), obstacle,
                                      direction, gap));
    }

  } // namespace

  ContactGeometry pointOnObstacle(const Section& section, Scene& scene, const SideInput& first,
                                  std::shared_ptr<const Obstacle> obstacle, const ContactLaw& law)
  {
    const auto* plane = dynamic_cast<const Plane*>(obstacle.get());
    if (scene.dimension == 1 && first.bar && first.bar->hasMasslessPoints() && !plane)
      section.fail("second", "the end of a bar without mass can touch a plane or a body only");
    if (scene.dimension == 1 && first.bar && plane) {
      const double direction = -plane->normal()[0];
      if (masslessEnd(section, "first", first, direction))
        return masslessOnPlane(section, scene, first, obstacle, direction, law);
      return std::make_unique<PointObstacle>(
        std::vector{pointOf(section, scene, "first", first, direction)}, obstacle);
    }
    if (const RigidBody* body = asRigid(scene, first)) {
      if (!first.part.empty())
        section.fail("first", "a rigid body touches with all of its nodes, it has no parts");
      if (body->shape().nodes().empty())
        section.fail("first",
                     fmt::format("{} has no nodes that could touch an obstacle", body->name()));
    }
    return std::make_unique<PointObstacle>(scene.points(section, "first", first.body, first.part),
                                           obstacle);
  }

  ContactGeometry pointOnPoint(const Section& section, Scene& scene, const SideInput& first,
                               const SideInput& second, const ContactLaw& law)
  {
    return scene.dimension == 1 ? pairOnLine(section, scene, first, second, law)
                                : pairInSpace(section, scene, first, second, law);
  }

} // namespace Dune::Impact
