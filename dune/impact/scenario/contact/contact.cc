// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/contact/law/masslesstip.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/contact/rigid/rigidcontact.hh>
#include <dune/impact/scenario/contact/beam.hh>
#include <dune/impact/scenario/contact/rigid.hh>
#include <dune/impact/scenario/contact/solid.hh>
#include <dune/impact/scenario/registry.hh>
#include <dune/impact/scenario/suggest.hh>
#include <dune/impact/scenario/supports.hh>

namespace Dune::Impact {

  namespace {

    //! One side of a contact: a body, and the part of it that is named
    struct ContactSide
    {
      std::size_t body;
      std::string part;
      const Bar* bar; //!< null if it is not a bar
    };

    ContactSide readSide(const Section& section, const Scene& scene, const std::string& key)
    {
      const Reference reference = section.reference(key);
      const auto found = scene.bodies.find(reference.name);
      if (found == scene.bodies.end())
        section.fail(
          key, fmt::format(
                 "must be a body that can move, {} is an obstacle; an obstacle is the second side",
                 reference.name));
      return {found->second, reference.part,
              dynamic_cast<const Bar*>(&scene.system.body(found->second))};
    }

    const RigidBody* rigid(const Scene& scene, const ContactSide& side)
    {
      return dynamic_cast<const RigidBody*>(&scene.system.body(side.body));
    }

    //! The end of a bar that a side means: the named one, or the one that faces the direction
    Bar::End endOf(const Section& section, const std::string& key, const ContactSide& side,
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
                        const ContactSide& side, double direction)
    {
      if (side.bar)
        return scene.system.point(side.body,
                                  side.bar->endNode(endOf(section, key, side, direction)));
      return scene.points(section, key, side.body, side.part).front();
    }

    bool masslessEnd(const Section& section, const std::string& key, const ContactSide& side,
                     double direction)
    {
      return side.bar && side.bar->massless(endOf(section, key, side, direction));
    }

    Vec3 centre(const Scene& scene, const ContactSide& side)
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

    //! A tip without mass can be held by one contact only
    void addClosure(const Section& section, Scene& scene, std::unique_ptr<MasslessTip> closure)
    {
      for (const auto& other : scene.system.masslessContacts())
        if (closure->sharesTip(static_cast<const MasslessTip&>(*other)))
          section.fail(
            "first", fmt::format("an end without mass can have one contact only, it has {} already",
                                 scene.contacts[other->contact()].name));
      scene.system.add(std::move(closure));
    }

    MasslessTip::Side tipSide(const Section& section, const Scene& scene, const std::string& key,
                              const ContactSide& side, double direction)
    {
      const PointHandle point = pointOf(section, scene, key, side, direction);
      if (side.bar)
        return MasslessTip::side(point, *side.bar, endOf(section, key, side, direction));
      return {side.body, point.configurationOffset + point.point,
              point.velocityOffset + point.point, std::nullopt, 0};
    }

    //! Two bodies on a line: the left one touches with its right side
    std::unique_ptr<ImpulseGeometry> pairOnLine(const Section& section, Scene& scene,
                                                const ContactSide& first, const ContactSide& second,
                                                const ContactLaw& law)
    {
      const double direction = centre(scene, second)[0] < centre(scene, first)[0] ? -1 : 1;
      const PointHandle a = pointOf(section, scene, "first", first, direction);
      const PointHandle b = pointOf(section, scene, "second", second, -direction);
      const std::size_t contact = scene.contacts.size();
      if (!masslessEnd(section, "first", first, direction) &&
          !masslessEnd(section, "second", second, -direction))
        return std::make_unique<FacePoint>(contact, a, b, Vec3{direction, 0, 0});
      refuseLawOfMassless(section, law);
      const double gap =
        direction * (b.reference()[0] - a.reference()[0]) - a.radius() - b.radius();
      addClosure(section, scene,
                 std::make_unique<MasslessTip>(
                   contact, tipSide(section, scene, "first", first, direction),
                   tipSide(section, scene, "second", second, -direction), direction, gap));
      return nullptr;
    }

    //! Two bodies in the plane or in space
    std::unique_ptr<ImpulseGeometry> pairInSpace(const Section& section, const Scene& scene,
                                                 const ContactSide& first,
                                                 const ContactSide& second, const ContactLaw& law)
    {
      const std::size_t contact = scene.contacts.size();
      if (!first.bar) {
        if (second.bar)
          section.fail("first", "in a contact of a bar and a particle the bar is the first side");
        const PointHandle a = scene.system.point(first.body, 0),
                          b = scene.system.point(second.body, 0);
        if (!(a.radius() + b.radius() > 0))
          section.fail("first",
                       "particles touch in dimension 2 and 3 only if one of them has a radius");
        return std::make_unique<BallPair>(contact, a, b);
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
        contact, scene.system.point(first.body, first.bar->endNode(end)),
        scene.system.point(first.body, first.bar->endNeighbour(end)),
        pointOf(section, scene, "second", second, otherDirection), first.bar->sectionRadius());
    }

    //! The end of a bar in one dimension that faces a plane, without mass
    std::unique_ptr<ImpulseGeometry> masslessOnPlane(const Section& section, Scene& scene,
                                                     const ContactSide& first,
                                                     std::shared_ptr<const Obstacle> obstacle,
                                                     double direction, const ContactLaw& law)
    {
      refuseLawOfMassless(section, law);
      const PointHandle tip = pointOf(section, scene, "first", first, direction);
      const double gap = obstacle->distance(0, tip.reference(), Vec3(0)).gap;
      addClosure(section, scene,
                 std::make_unique<MasslessTip>(scene.contacts.size(),
                                               tipSide(section, scene, "first", first, direction),
                                               obstacle, direction, gap));
      return nullptr;
    }

    std::unique_ptr<ImpulseGeometry> withObstacle(const Section& section, Scene& scene,
                                                  const ContactSide& first,
                                                  std::shared_ptr<const Obstacle> obstacle,
                                                  const ContactLaw& law)
    {
      const auto* plane = dynamic_cast<const Plane*>(obstacle.get());
      if (scene.dimension == 1 && first.bar && first.bar->hasMasslessPoints() && !plane)
        section.fail("second", "the end of a bar without mass can touch a plane or a body only");
      if (scene.dimension == 1 && first.bar && plane) {
        const double direction = -plane->normal()[0];
        if (masslessEnd(section, "first", first, direction))
          return masslessOnPlane(section, scene, first, obstacle, direction, law);
        return std::make_unique<PointObstacle>(
          scene.contacts.size(), std::vector{pointOf(section, scene, "first", first, direction)},
          obstacle);
      }
      if (const RigidBody* body = rigid(scene, first)) {
        if (!first.part.empty())
          section.fail("first", "a rigid body touches with all of its nodes, it has no parts");
        if (body->shape().nodes().empty())
          section.fail("first",
                       fmt::format("{} has no nodes that could touch an obstacle", body->name()));
      }
      return std::make_unique<PointObstacle>(
        scene.contacts.size(), scene.points(section, "first", first.body, first.part), obstacle);
    }

    //! The surface of a solid that a side names: a patch, or the whole boundary
    template<int dim>
    ContactSurface<dim> surfaceOf(const Section& section, const Scene& scene,
                                  const std::string& key, const ContactSide& side)
    {
      const auto& solid = dynamic_cast<const Solid<dim>&>(scene.system.body(side.body));
      const auto patch = side.part.empty() ? std::nullopt : solid.mesh().findPatch(side.part);
      if (!side.part.empty() && !patch)
        section.fail(key, missingPatch(solid.name() + " has no patch", side.part, "it has",
                                       solid.patchNames()));
      return makeContactSurface<dim>(solid.mesh(), patch, side.body,
                                     scene.system.point(side.body, 0).configurationOffset / dim);
    }

    //! Surface of a solid in front of an obstacle
    template<int dim>
    void surfaceOnObstacle(const Section& section, Scene& scene, const ContactSide& first,
                           std::shared_ptr<const Obstacle> obstacle)
    {
      const auto kind = section.word("method", "point") == "point" ? ObstacleGapKind::nodal
                                                                   : ObstacleGapKind::weighted;
      scene.surfaceContacts<dim>().push_back(
        {section.label(), std::make_unique<ObstacleGap<dim>>(
                            surfaceOf<dim>(section, scene, "first", first), obstacle, kind)});
    }

    template<int dim>
    MortarGapKind gapKind(const Section& section)
    {
      const std::string gap = section.word("gap");
      if (dim == 3 && gap == "closest-point")
        section.fail("gap", "must be smoothed-normal or facet-normal in dimension 3");
      if (dim == 2 && gap == "facet-normal")
        section.fail("gap", "must be smoothed-normal or closest-point in dimension 2");
      if (gap == "closest-point")
        return MortarGapKind::closestPoint;
      return gap == "facet-normal" ? MortarGapKind::facetNormal : MortarGapKind::smoothedNormal;
    }

    //! Per node of the surface of a solid: components that are normal to a plane of symmetry
    template<int dim>
    std::vector<std::array<bool, 3>> readSymmetry(const Section& section, const Scene& scene,
                                                  const ContactSide& side,
                                                  const ContactSurface<dim>& surface)
    {
      const auto words = section.words("symmetry");
      if (words.empty())
        return {};
      const auto& solid = dynamic_cast<const Solid<dim>&>(scene.system.body(side.body));
      const std::size_t firstNode = scene.system.point(side.body, 0).configurationOffset / dim;
      std::vector<std::array<bool, 3>> mirrored(surface.node.size(), {false, false, false});
      for (const std::string& word : words) {
        const Support plane = readSupport<dim>(section, "symmetry", solid.mesh(), word);
        // increasing
        const auto nodes =
          makeContactSurface<dim>(solid.mesh(), solid.mesh().findPatch(plane.patch), side.body,
                                  firstNode)
            .node;
        for (std::size_t p = 0; p < surface.node.size(); ++p)
          for (int c = 0; c < dim; ++c) {
            if (!plane.component[c] ||
                !std::binary_search(nodes.begin(), nodes.end(), surface.node[p]))
              continue;
            if (!solid.held(surface.node[p] - firstNode, c))
              section.fail(
                "symmetry",
                fmt::format(
                  "the rollers of {} must hold {}: nothing moves through a plane of symmetry",
                  solid.name(), word));
            mirrored[p][c] = true;
          }
      }
      return mirrored;
    }

    //! Surfaces of two solids
    template<int dim>
    std::unique_ptr<WeightedGapGeometry<dim>> makeMortar(const Section& section, const Scene& scene,
                                                         const ContactSide& first,
                                                         const ContactSide& second)
    {
      auto surface = surfaceOf<dim>(section, scene, "first", first),
           mortar = surfaceOf<dim>(section, scene, "second", second);
      MortarSettings settings;
      settings.gap = gapKind<dim>(section);
      settings.mirrored = readSymmetry<dim>(section, scene, first, surface);
      if (section.has("reach")) {
        const double reach = section.real("reach");
        settings.window = GapWindow{-0.5 * reach, reach};
      }
      return std::make_unique<MortarGap<dim>>(std::move(surface), std::move(mortar), settings);
    }

    //! True if one of the numbers is in both increasing lists
    bool haveCommon(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b)
    {
      std::vector<std::size_t> common;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      return !common.empty();
    }

    /* The mortar side of a contact may be the non-mortar side of another one, and so on, but not in
     * a circle: nodes follow the nodes of the mortar side. */
    template<int dim>
    void refuseCycle(const Section& section, const std::vector<SurfaceContact<dim>>& contacts)
    {
      const std::size_t last = contacts.size() - 1;
      std::vector<std::size_t> reached = {last};
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (std::size_t next = 0; next < contacts.size(); ++next) {
          const auto* mortar = contacts[reached[i]].coupling->mortarSurface();
          if (!mortar || !haveCommon(mortar->node, contacts[next].coupling->surface().node))
            continue;
          if (next == last)
            section.fail("second",
                         fmt::format("closes a circle with contact.{}: exchange first and second",
                                     contacts[reached[i]].name));
          if (std::find(reached.begin(), reached.end(), next) == reached.end())
            reached.push_back(next);
        }
    }

    template<int dim>
    void surfaceOnSurface(const Section& section, Scene& scene, const ContactSide& first,
                          const ContactSide& second)
    {
      auto& contacts = scene.surfaceContacts<dim>();
      contacts.push_back({section.label(), makeMortar<dim>(section, scene, first, second)});
      if (!scene.explicitMethod)
        refuseCycle<dim>(section, contacts);
    }

    bool isSolid(const Scene& scene, const ContactSide& side)
    {
      const Body* body = &scene.system.body(side.body);
      return dynamic_cast<const Solid<2>*>(body) || dynamic_cast<const Solid<3>*>(body);
    }

    bool isBeam(const Scene& scene, const ContactSide& side)
    {
      return dynamic_cast<const Beam*>(&scene.system.body(side.body)) != nullptr;
    }

    /* A whole beam with a circular section touches an obstacle with its surface; a part of it, any
     * other beam, and every beam with method = point with the nodes of its axis. */
    bool touchesRound(const Section& section, const Scene& scene, const ContactSide& side)
    {
      const auto* beam = dynamic_cast<const Beam*>(&scene.system.body(side.body));
      if (!beam || beam->formulation() != BeamFormulation::exponential)
        return false;
      const bool surface = section.word("method", "point") != "point";
      if (surface && !side.part.empty())
        section.fail(
          "method", "must be point for a part of a beam, which touches with the nodes of its axis");
      if (surface && !(beam->section().radius > 0))
        section.fail(
          "method", fmt::format("must be point, because {} has no circular section", beam->name()));
      return surface || (!section.has("method") && side.part.empty() && beam->section().radius > 0);
    }

    void refuseAdhesion(const Section& section)
    {
      if (section.word("law") == "rccm")
        section.fail("law", "rccm is for solids with method = cd-lagrange");
    }

    void refuseImpactLaw(const Section& section, const ContactLaw& law)
    {
      refuseAdhesion(section);
      if (law.restitution != 0 || law.friction != 0)
        section.fail(law.friction != 0 ? "friction" : "restitution", "must be 0 for a solid");
    }

    void solidOnObstacle(const Section& section, Scene& scene, const ContactSide& first,
                         std::shared_ptr<const Obstacle> obstacle)
    {
      if (scene.dimension == 2)
        surfaceOnObstacle<2>(section, scene, first, obstacle);
      else
        surfaceOnObstacle<3>(section, scene, first, obstacle);
    }

    void solidOnSolid(const Section& section, Scene& scene, const ContactSide& first,
                      const ContactSide& second)
    {
      if (!isSolid(scene, first) || !isSolid(scene, second))
        section.fail(isSolid(scene, first) ? "second" : "first", "must be a solid too");
      const std::string method = section.word("method", "dual-mortar");
      if (scene.explicitMethod && method == "node-to-face")
        return;
      if (method != "dual-mortar")
        section.fail("method", scene.explicitMethod
                                 ? "must be dual-mortar or node-to-face between solids"
                                 : "must be dual-mortar between solids");
      if (scene.dimension == 2)
        surfaceOnSurface<2>(section, scene, first, second);
      else
        surfaceOnSurface<3>(section, scene, first, second);
    }

    void refuseMortar(const Section& section)
    {
      refuseAdhesion(section);
      if (section.word("method", "point") != "point")
        section.fail("method", "must be point: only solids have surfaces");
    }

    void checkRigidSides(const Section& section, const Scene& scene, const ContactSide& first,
                         const ContactSide& second)
    {
      if (!rigid(scene, second))
        section.fail("second", "must be the rigid body, exchange first and second");
      for (const auto& [key, side] : {std::pair("first", &first), std::pair("second", &second)})
        if (rigid(scene, *side) && !side->part.empty())
          section.fail(key, "a rigid body touches with all of its surface, it has no parts");
    }

    //! Rigid bodies with each other, and points of other bodies with a rigid body
    std::unique_ptr<ImpulseGeometry> withRigid(const Section& section, const Scene& scene,
                                               const ContactSide& first, const ContactSide& second)
    {
      checkRigidSides(section, scene, first, second);
      const RigidSide other(scene.system, second.body);
      if (rigid(scene, first)) {
        if (first.body == second.body && other.body->count() == 1)
          section.fail("second", "must be another body than `first`, which is only one");
        auto coupling = std::make_unique<RigidContact>(scene.contacts.size(),
                                                       RigidSide(scene.system, first.body), other);
        if (coupling->multipliers() == 0)
          section.fail("second",
                       fmt::format("{} and {} have no surface that a node of the other could touch",
                                   scene.system.body(first.body).name(), other.body->name()));
        return coupling;
      }
      if (other.body->shape().surfaces() == 0)
        section.fail("second", fmt::format("{} has no surface", other.body->name()));
      std::vector<PointHandle> points;
      if (first.bar && first.part.empty())
        for (Bar::End end : {Bar::left, Bar::right})
          points.push_back(scene.system.point(first.body, first.bar->endNode(end)));
      else
        points = scene.points(section, "first", first.body, first.part);
      return std::make_unique<PointRigid>(scene.contacts.size(), std::move(points), other);
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

    void buildContact(const Section& section, Scene& scene)
    {
      const ContactLaw law = readLaw(section, scene.dimension);
      const ContactSide first = readSide(section, scene, "first");
      const Reference other = section.reference("second");
      std::unique_ptr<ImpulseGeometry> coupling;
      std::shared_ptr<const RccmInterface> interface;
      const auto take = [&](SolidRows rows) {
        coupling = std::move(rows.coupling);
        interface = std::move(rows.interface);
      };
      if (const auto obstacle = scene.obstacles.find(other.name);
          obstacle != scene.obstacles.end()) {
        if (isSolid(scene, first) && scene.explicitMethod)
          take(solidOnObstacleRows(section, scene, {first.body, first.part}, obstacle->second));
        else if (isSolid(scene, first)) {
          refuseImpactLaw(section, law);
          solidOnObstacle(section, scene, first, obstacle->second);
        }
        else if (touchesRound(section, scene, first))
          addBeamObstacle(section, scene, first.body, obstacle->second, law);
        else {
          refuseMortar(section);
          coupling = withObstacle(section, scene, first, obstacle->second, law);
        }
      }
      else {
        const ContactSide second = readSide(section, scene, "second");
        if (first.body == second.body && !rigid(scene, first))
          section.fail("second", "must be another body than `first`");
        if (isBeam(scene, first) || isBeam(scene, second))
          addBeamContact(section, scene, first.body, second.body, law);
        else if ((rigid(scene, first) || rigid(scene, second)) && !isSolid(scene, first) &&
                 !isSolid(scene, second)) {
          refuseMortar(section);
          coupling = withRigid(section, scene, first, second);
        }
        else if (rigid(scene, first) || rigid(scene, second)) {
          checkRigidSides(section, scene, first, second);
          refuseAdhesion(section);
          if (!scene.explicitMethod) {
            refuseImpactLaw(section, law);
            rigidOnSolidGaps(section, scene, {first.body, first.part}, second.body);
          }
          else
            coupling = rigidOnSolidRows(section, scene, {first.body, first.part}, second.body);
        }
        else if (isSolid(scene, first) || isSolid(scene, second)) {
          if (!scene.explicitMethod)
            refuseImpactLaw(section, law);
          solidOnSolid(section, scene, first, second);
          if (scene.explicitMethod)
            take(solidOnSolidRows(section, scene, {first.body, first.part},
                                  {second.body, second.part}));
        }
        else {
          refuseMortar(section);
          coupling = scene.dimension == 1 ? pairOnLine(section, scene, first, second, law)
                                          : pairInSpace(section, scene, first, second, law);
        }
      }
      const auto second = scene.bodies.find(other.name);
      scene.contactBodies.emplace_back(first.body,
                                       second == scene.bodies.end() ? -1 : long(second->second));
      scene.contacts.push_back({section.label(), std::move(coupling), law, std::move(interface)});
    }

  } // namespace

  void registerContact(Registry& registry)
  {
    SectionType type{
      .name = "contact",
      .summary = "two sides that can touch; without such a section bodies pass through each other",
      .keys =
        {{.name = "first",
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
            "`dual-mortar`. Of a solid and a rigid body: `point`, nodes of the solid against the "
            "rigid surface, `node-to-face`, nodes of the rigid body against facets of the solid, "
            "without the key both. Of two round beams with formulation = exponential, and of such "
            "a beam with an obstacle: `collocation` at points of the first beam, `mortar` (what is "
            "taken without the key) or `dual-mortar` in the mean at its nodes; a part of a beam "
            "(beam.right) and other beams touch an obstacle with the nodes of their axis, `point`",
          .kind = Kind::word,
          .allowed = {"point", "dual-mortar", "node-to-face", "mortar", "collocation"}},
         {.name = "points",
          .meaning = "points of the first beam for method = collocation; gauss-2 are two points "
                     "per element, which is one too many: for comparison",
          .fallback = "midpoints",
          .kind = Kind::word,
          .allowed = {"midpoints", "nodes", "gauss-2"},
          .when = "method = collocation"},
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
          .kind = Kind::words},
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
          .allowed = {"post-impact", "mid-step"}}},
      .build = buildContact};
    for (Key& key : rccmKeys())
      type.keys.push_back(std::move(key));
    registry.add(std::move(type));
  }

} // namespace Dune::Impact
