// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <fmt/format.h>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/impulse/mortarimpulses.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/scenario/contact/builders.hh>
#include <dune/impact/scenario/suggest.hh>
#include <dune/impact/scenario/supports.hh>

namespace Dune::Impact {

  template<int dim>
  BodySurface<dim> bodySurface(const Section& section, const Scene& scene, const std::string& key,
                               const SideInput& side)
  {
    const auto& solid = dynamic_cast<const Solid<dim>&>(scene.system.body(side.body));
    const auto patch = side.part.empty() ? std::nullopt : solid.mesh().findPatch(side.part);
    if (!side.part.empty() && !patch)
      section.fail(
        key, missingPatch(solid.name() + " has no patch", side.part, "it has", solid.patchNames()));
    return {makeContactSurface<dim>(solid.mesh(), patch, side.body, 0),
            scene.system.point(side.body, 0)};
  }

  template BodySurface<2> bodySurface(const Section&, const Scene&, const std::string&,
                                      const SideInput&);
  template BodySurface<3> bodySurface(const Section&, const Scene&, const std::string&,
                                      const SideInput&);

  bool isQuadratic(const Scene& scene, const SideInput& side)
  {
    const Body* body = &scene.system.body(side.body);
    const auto* plane = dynamic_cast<const Solid<2>*>(body);
    const auto* space = dynamic_cast<const Solid<3>*>(body);
    return (plane && plane->mesh().order() == 2) || (space && space->mesh().order() == 2);
  }

  void refuseSecondOrder(const Section& section, const Scene& scene, const SideInput& side)
  {
    if (!isQuadratic(scene, side))
      return;
    const std::string name = scene.system.body(side.body).name();
    if (section.word("law") == "rccm")
      section.fail("law", fmt::format("rccm is for solids of order 1, {} has order 2", name));
    if (section.word("method", "point") == "dual-mortar")
      section.fail("method",
                   fmt::format("dual-mortar is for solids of order 1, {} has order 2 and touches "
                               "with method = point or node-to-face",
                               name));
  }

  //! Gaps between -reach/2 and reach
  std::optional<GapWindow> readWindow(const Section& section)
  {
    if (!section.has("reach"))
      return {};
    const double reach = section.real("reach");
    return GapWindow{-0.5 * reach, reach};
  }

  namespace {

    //! The surface of a solid that a side names, its nodes numbered as those of the system
    template<int dim>
    ContactSurface<dim> surfaceOf(const Section& section, const Scene& scene,
                                  const std::string& key, const SideInput& side)
    {
      BodySurface<dim> result = bodySurface<dim>(section, scene, key, side);
      for (std::size_t& node : result.surface.node)
        node += result.body.configurationOffset / dim;
      return std::move(result.surface);
    }

    //! Why solids of second order have no weighted gaps
    constexpr const char* secondOrder =
      "weighted gaps need solids of order 1, those of order 2 touch with method = cd-lagrange";

    //! With method = point also the nodes themselves are contact points
    template<int dim>
    ContactGeometry onObstacle(const Section& section, const Scene& scene, const SideInput& first,
                               std::shared_ptr<const Obstacle> obstacle)
    {
      const std::string method = section.word("method", "point");
      if (method != "point" && method != "dual-mortar")
        section.fail("method", "must be point or dual-mortar for a solid in front of an obstacle");
      const bool nodal = method == "point";
      refuseSecondOrder(section, scene, first);
      if (isQuadratic(scene, first))
        return ContactGeometry(std::make_shared<PointObstacle>(
                                 scene.points(section, "first", first.body, first.part), obstacle))
          .lacks<WeightedGapGeometry<dim>>(secondOrder);
      ContactGeometry geometry(std::make_shared<ObstacleGap<dim>>(
        surfaceOf<dim>(section, scene, "first", first), obstacle,
        nodal ? ObstacleGapKind::nodal : ObstacleGapKind::weighted));
      if (nodal)
        geometry.offer(std::make_shared<PointObstacle>(
          scene.points(section, "first", first.body, first.part), obstacle));
      else
        geometry.lacks<ImpulseGeometry>("impulses of a solid on an obstacle need method = point");
      if (section.word("law") == "rccm")
        geometry.offer(glueToObstacle<dim>(section, scene, first, obstacle));
      return geometry;
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
                                                  const SideInput& side,
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
    std::shared_ptr<const WeightedGapGeometry<dim>> makeMortar(const Section& section,
                                                               const Scene& scene,
                                                               const SideInput& first,
                                                               const SideInput& second)
    {
      auto surface = surfaceOf<dim>(section, scene, "first", first),
           mortar = surfaceOf<dim>(section, scene, "second", second);
      MortarSettings settings;
      settings.gap = gapKind<dim>(section);
      settings.mirrored = readSymmetry<dim>(section, scene, first, surface);
      settings.window = readWindow(section);
      return std::make_shared<MortarGap<dim>>(std::move(surface), std::move(mortar), settings);
    }

    //! dual-mortar: weighted gaps, and the same at the level of velocities; node-to-face: contact
    //! points only
    template<int dim>
    ContactGeometry onSolid(const Section& section, const Scene& scene, const SideInput& first,
                            const SideInput& second)
    {
      const bool quadratic = isQuadratic(scene, first) || isQuadratic(scene, second);
      const std::string method = section.word("method", quadratic ? "node-to-face" : "dual-mortar");
      if (method != "dual-mortar" && method != "node-to-face")
        section.fail("method", "must be dual-mortar or node-to-face between solids");
      refuseSecondOrder(section, scene, first);
      refuseSecondOrder(section, scene, second);
      ContactGeometry geometry;
      if (method == "dual-mortar") {
        const auto gaps = makeMortar<dim>(section, scene, first, second);
        geometry.offer(gaps);
        geometry.offer(std::make_shared<MortarImpulses<dim>>(
          gaps, scene.system.point(first.body, 0), scene.system.point(second.body, 0)));
      }
      else
        geometry.lacks<WeightedGapGeometry<dim>>(
          quadratic ? secondOrder : "weighted gaps need method = dual-mortar");
      const bool adhesive = section.word("law") == "rccm";
      if (method == "dual-mortar" && !adhesive)
        return geometry;
      const auto faces = std::make_shared<NodeToFace<dim>>(
        bodySurface<dim>(section, scene, "first", first),
        bodySurface<dim>(section, scene, "second", second), readWindow(section));
      if (adhesive)
        geometry.offer(glueToSolid<dim>(section, scene, *faces));
      if (method == "node-to-face")
        geometry.offer(faces);
      return geometry;
    }

  } // namespace

  ContactGeometry solidOnObstacle(const Section& section, const Scene& scene,
                                  const SideInput& first, std::shared_ptr<const Obstacle> obstacle)
  {
    return scene.dimension == 2 ? onObstacle<2>(section, scene, first, obstacle)
                                : onObstacle<3>(section, scene, first, obstacle);
  }

  ContactGeometry solidOnSolid(const Section& section, const Scene& scene, const SideInput& first,
                               const SideInput& second)
  {
    if (!isSolid(scene, first) || !isSolid(scene, second))
      section.fail(isSolid(scene, first) ? "second" : "first", "must be a solid too");
    return scene.dimension == 2 ? onSolid<2>(section, scene, first, second)
                                : onSolid<3>(section, scene, first, second);
  }

} // namespace Dune::Impact
