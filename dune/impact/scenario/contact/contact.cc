// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/beam/pointgapslip.hh>
#include <dune/impact/scenario/contact/builders.hh>
#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  const RigidBody* asRigid(const Scene& scene, const SideInput& side)
  {
    return dynamic_cast<const RigidBody*>(&scene.system.body(side.body));
  }

  bool isSolid(const Scene& scene, const SideInput& side)
  {
    const Body* body = &scene.system.body(side.body);
    return dynamic_cast<const Solid<2>*>(body) || dynamic_cast<const Solid<3>*>(body);
  }

  bool isBeam(const Scene& scene, const SideInput& side)
  {
    return dynamic_cast<const Beam*>(&scene.system.body(side.body)) != nullptr;
  }

  namespace {

    SideInput readSide(const Section& section, const Scene& scene, const std::string& key)
    {
      const Reference reference = section.reference(key);
      const auto found = scene.bodies.find(reference.name);
      if (found == scene.bodies.end())
        section.fail(key, fmt::format("must be a body that can move, {} is an obstacle; an "
                                      "obstacle is the second side",
                                      reference.name));
      return {found->second, reference.part,
              dynamic_cast<const Bar*>(&scene.system.body(found->second))};
    }

    ContactLaw readLaw(const Section& section, int dimension)
    {
      ContactLaw law{.restitution = section.real("restitution"),
                     .friction = section.real("friction")};
      if (section.word("law") == "penalty") {
        law.stiffness = section.real("stiffness");
        law.dynamicGap = section.word("penalty-gap") == "dynamic";
        if (law.restitution != 0 || law.friction != 0)
          section.fail(law.friction != 0 ? "friction" : "restitution",
                       "must be 0 with a penalty, which is an elastic spring");
      }
      else if (section.has("stiffness"))
        section.fail("stiffness", "has no meaning without `law = penalty`");
      if (law.friction > 0 && dimension == 1)
        section.fail("friction", "has no meaning in dimension 1");
      if (law.friction > 0)
        law.slip = section.word("slip") == "mid-step" ? Slip::midStep : Slip::postImpact;
      return law;
    }

    void refuseAdhesion(const Section& section)
    {
      if (section.word("law") == "rccm")
        section.fail("law", "rccm is for solids with method = cd-lagrange");
    }

    //! Sides that are points have no other method
    void refuseSurfaces(const Section& section)
    {
      refuseAdhesion(section);
      if (section.word("method", "point") != "point")
        section.fail("method", "must be point: only solids have surfaces");
    }

    ContactGeometry withObstacle(const Section& section, Scene& scene, const SideInput& first,
                                 std::shared_ptr<const Obstacle> obstacle, const ContactLaw& law)
    {
      if (isSolid(scene, first))
        return solidOnObstacle(section, scene, first, std::move(obstacle));
      if (touchesRound(section, scene, first))
        return beamOnObstacle(section, scene, first.body, std::move(obstacle));
      refuseSurfaces(section);
      return pointOnObstacle(section, scene, first, std::move(obstacle), law);
    }

    ContactGeometry withBody(const Section& section, Scene& scene, const SideInput& first,
                             const SideInput& second, const ContactLaw& law)
    {
      const bool rigid = asRigid(scene, first) || asRigid(scene, second);
      const bool solid = isSolid(scene, first) || isSolid(scene, second);
      if (first.body == second.body && !asRigid(scene, first))
        section.fail("second", "must be another body than `first`");
      if (isBeam(scene, first) || isBeam(scene, second))
        return beamOnBeam(section, scene, first.body, second.body);
      if (rigid && solid) {
        checkRigidSides(section, scene, first, second);
        refuseAdhesion(section);
        return solidOnRigid(section, scene, first, second.body);
      }
      if (solid)
        return solidOnSolid(section, scene, first, second);
      refuseSurfaces(section);
      if (rigid)
        return pointOnRigid(section, scene, first, second);
      return pointOnPoint(section, scene, first, second, law);
    }

    //! Number of the patch of a solid that a side names; nothing for all of its boundary and for
    //! bodies of another kind
    std::optional<std::size_t> patchOf(const Scene& scene, const SideInput& side)
    {
      const auto find = [&](const auto* solid) -> std::optional<std::size_t> {
        const auto found = solid ? solid->mesh().findPatch(side.part) : std::nullopt;
        return found ? std::optional(std::size_t(*found)) : std::nullopt;
      };
      const Body* body = &scene.system.body(side.body);
      if (side.part.empty())
        return {};
      return scene.dimension == 2 ? find(dynamic_cast<const Solid<2>*>(body))
                                  : find(dynamic_cast<const Solid<3>*>(body));
    }

    //! The kinds of both sides choose the geometry. Contact points also serve methods that need
    //! gaps and slips, by PointGapSlip.
    void buildContact(const Section& section, Scene& scene)
    {
      const ContactLaw law = readLaw(section, scene.dimension);
      const SideInput first = readSide(section, scene, "first");
      const std::string other = section.reference("second").name;
      ContactGeometry geometry;
      ContactSide second;
      if (const auto obstacle = scene.findObstacle(other)) {
        geometry = withObstacle(section, scene, first, scene.obstacles[*obstacle], law);
        second.obstacle = obstacle;
      }
      else {
        const SideInput side = readSide(section, scene, "second");
        geometry = withBody(section, scene, first, side, law);
        second = {side.body, patchOf(scene, side), {}};
      }
      if (geometry.offers<ImpulseGeometry>() && !geometry.offers<GapSlipGeometry>())
        geometry.offer(std::make_shared<PointGapSlip>(
          scene.system, geometry.share<ImpulseGeometry>(), scene.dimension));
      Contact& contact = scene.contacts.emplace_back(section.label(), std::move(geometry), law);
      contact.first = {first.body, patchOf(scene, first), {}};
      contact.second = second;
    }

    //! The sides and how they find each other
    std::vector<Key> sideKeys()
    {
      return {
        {.name = "first",
         .meaning =
           "body, or body.part (for a bar left or right, for a solid a patch); of two solids the "
           "non-mortar side; of a rigid body and another one that is not, the other",
         .kind = Kind::name,
         .allowed = {"body"},
         .required = true,
         .parts = true},
        {.name = "second",
         .meaning = "the other body, or an obstacle; for copies of a rigid body the same body "
                    "means contact among them",
         .kind = Kind::name,
         .allowed = {"body"},
         .required = true,
         .parts = true},
        {.name = "method",
         .meaning =
           "how the sides find each other: `point` for particles, ends of bars and the nodes of "
           "solids in front of an obstacle; `dual-mortar`, gaps weighted with a dual basis, for "
           "surfaces of solids; `node-to-face`, nodes of the first side against facets of the "
           "second, for solids with cd-lagrange. Without the key `point`, between solids "
           "`dual-mortar`, with order = 2 `node-to-face`. Of a solid and a rigid body: `point`, "
           "nodes of the solid against the "
           "rigid surface, `node-to-face`, nodes of the rigid body against facets of the solid, "
           "without the key both. Of two round beams with formulation = exponential, and of such "
           "a beam with an obstacle: `collocation` at points of the first beam, `mortar` (what is "
           "taken without the key) or `dual-mortar` in the mean at its nodes; a part of a beam "
           "(beam.right) and other beams touch an obstacle with the nodes of their axis, `point`",
         .kind = Kind::word,
         .allowed = {"point", "dual-mortar", "node-to-face", "mortar", "collocation"}}};
    }

    //! What the sides see of each other
    std::vector<Key> gapKeys()
    {
      return {
        {.name = "points",
         .meaning = "points of the first beam for method = collocation; gauss-2 are two points "
                    "per element, which is one too many: for comparison",
         .fallback = "midpoints",
         .kind = Kind::word,
         .allowed = {"midpoints", "nodes", "gauss-2"},
         .when = "method = collocation"},
        {.name = "partner",
         .meaning =
           "of two beams: what a point of the first beam touches, the closest point of the "
           "axis of the second, or the axis in the section that the point lies in, which "
           "moves continuously where shear bends the axis at nodes",
         .fallback = "closest",
         .kind = Kind::word,
         .allowed = {"closest", "section"}},
        {.name = "gap",
         .meaning = "distance of the surfaces of solids: along the smoothed normals of the first "
                    "side, along the normals of its facets (dimension 3), or to the closest point "
                    "of the second (dimension 2)",
         .fallback = "smoothed-normal",
         .kind = Kind::word,
         .allowed = {"smoothed-normal", "facet-normal", "closest-point"}},
        {.name = "reach",
         .meaning = "distance within which surfaces of solids see each other, before contact; "
                    "half of it when they overlap",
         .unit = "L",
         .kind = Kind::positive,
         .computed = "two facets of the coarser side"},
        {.name = "symmetry",
         .meaning = "between solids: patches of the body of the first side that lie in planes of "
                    "symmetry, and the component normal to the plane, patch:component, as in "
                    "xmin:x; rollers hold it. Normals of nodes there are those of the whole body",
         .fallback = "",
         .kind = Kind::words}};
    }

    //! What happens where they touch
    std::vector<Key> lawKeys()
    {
      return {
        {.name = "law",
         .meaning =
           "what happens in contact: `unilateral`, no penetration but for the steps, with "
           "impacts; `penalty`, an elastic spring (rigid bodies); `rccm`, besides adhesion with "
           "damage of what touches at the start, for solids with cd-lagrange",
         .fallback = "unilateral",
         .kind = Kind::word,
         .allowed = {"unilateral", "penalty", "rccm"}},
        {.name = "stiffness",
         .meaning = "force of a penalty per penetration, at each point of contact",
         .unit = "M/T^2",
         .kind = Kind::positive,
         .computed = "needed with a penalty",
         .when = "law = penalty"},
        {.name = "penalty-gap",
         .meaning = "between balls and shells with a penalty: the exact gap in every step, or the "
                    "dynamic one, which grows by the motion along the normal of the middle of "
                    "each step; both keep the energy",
         .fallback = "exact",
         .kind = Kind::word,
         .allowed = {"exact", "dynamic"},
         .when = "law = penalty"},
        {.name = "restitution",
         .meaning = "ratio of the normal velocities after and before an impact",
         .unit = "1",
         .fallback = "0",
         .kind = Kind::fraction},
        {.name = "friction",
         .meaning = "coefficient of Coulomb friction (dimension 2 and 3)",
         .unit = "1",
         .fallback = "0",
         .kind = Kind::nonNegative},
        {.name = "slip",
         .meaning = "which slip friction opposes: that after the impact, or the mean of before "
                    "and after, which never raises the energy",
         .fallback = "post-impact",
         .kind = Kind::word,
         .allowed = {"post-impact", "mid-step"}}};
    }

  } // namespace

  void registerContact(Registry& registry)
  {
    SectionType type{
      .name = "contact",
      .summary = "two sides that can touch; without such a section bodies pass through each other",
      .keys = sideKeys(),
      .build = buildContact};
    for (const auto& keys : {gapKeys(), lawKeys(), rccmKeys()})
      type.keys.insert(type.keys.end(), keys.begin(), keys.end());
    registry.add(std::move(type));
  }

} // namespace Dune::Impact
