// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <fmt/format.h>

#include <dune/impact/scenario/contact/builders.hh>

namespace Dune::Impact {

  namespace {

    // Nodes nearer than this part of the scene to the other side touch it at the start.
    constexpr double touching = 1e-9;

    RccmLaw readRccm(const Section& section)
    {
      const RccmLaw law{.normalStiffness = section.real("normal-stiffness"),
                        .tangentialStiffness = section.real("tangential-stiffness"),
                        .modeMix = section.real("mode-mix"),
                        .elasticLimit = section.real("elastic-limit"),
                        .rupture = section.real("rupture"),
                        .delayTime = section.real("delay-time"),
                        .delayExponent = section.real("delay-exponent")};
      if (!(law.rupture > law.elasticLimit))
        section.fail("rupture",
                     fmt::format("must be larger than `elastic-limit`, got {:.6g} and {:.6g}",
                                 law.rupture, law.elasticLimit));
      return law;
    }

    /* Nodes that touch at the start are glued where a whole facet of them does: the area of a bond
     * is that of its shape function over such facets. bond(i) makes the bond of node i of the
     * surface. */
    template<int dim, class MakeBond>
    std::shared_ptr<const RccmInterface> makeInterface(const Section& section,
                                                       const BodySurface<dim>& side,
                                                       const std::vector<char>& touches,
                                                       std::shared_ptr<const Obstacle> obstacle,
                                                       MakeBond&& makeBond)
    {
      ContactSurface<dim> glued = side.surface;
      std::erase_if(glued.facets, [&](const auto& facet) {
        return !std::all_of(facet.corners().begin(), facet.corners().end(),
                            [&](Index i) { return touches[i]; });
      });
      if (glued.facets.empty())
        section.fail("law", "rccm glues what touches at the start, and no facet of `first` does");
      const auto area = nodeAreas(glued);
      std::vector<std::size_t> number(touches.size(), 0);
      std::vector<RccmInterface::Bond> bonds;
      for (std::size_t i = 0; i < touches.size(); ++i)
        if (area[i] > 0) {
          number[i] = bonds.size();
          bonds.push_back(makeBond(i));
          bonds.back().multiplier = i;
          bonds.back().area = area[i];
        }
      std::vector<std::vector<std::size_t>> facets;
      for (const auto& facet : glued.facets) {
        facets.emplace_back();
        for (Index i : facet.corners())
          facets.back().push_back(number[i]);
      }
      return std::make_shared<const RccmInterface>(readRccm(section), std::move(bonds),
                                                   std::move(obstacle), std::move(facets));
    }

    //! Derivatives of the shape functions of a line, triangle or bilinear facet by u and by v
    std::array<std::vector<double>, 2> slopes(int count, double u, double v)
    {
      if (count == 2)
        return {std::vector<double>{-1, 1}, {}};
      if (count == 3)
        return {std::vector<double>{-1, 1, 0}, std::vector<double>{-1, 0, 1}};
      return {std::vector<double>{v - 1, 1 - v, v, -v}, std::vector<double>{u - 1, -u, u, 1 - u}};
    }

  } // namespace

  //! Bonds of the nodes with a gap of at most `touching` times the length of the scene. An anchor
  //! is the place of its node at the start, relative to the obstacle if that moves.
  template<int dim>
  std::shared_ptr<const RccmInterface> glueToObstacle(const Section& section, const Scene& scene,
                                                      const SideInput& first,
                                                      std::shared_ptr<const Obstacle> obstacle)
  {
    const auto side = bodySurface<dim>(section, scene, "first", first);
    const State initial = scene.system.initialState();
    std::vector<char> touches;
    for (std::size_t i = 0; i < side.surface.node.size(); ++i) {
      const PointHandle point = side.point(i);
      touches.push_back(
        obstacle->distance(0, point.reference(), point.displacement(initial.q)).gap <=
        touching * scene.length());
    }
    return makeInterface<dim>(section, side, touches, obstacle, [&](std::size_t i) {
      const PointHandle point = side.point(i);
      const Vec3 place = point.position(initial.q);
      return RccmInterface::Bond{
        .multiplier = 0,
        .area = 0,
        .point = point,
        .anchor = obstacle->moves() ? place - obstacle->displacement(0) : place,
        .normal = obstacle->distance(0, point.reference(), point.displacement(initial.q)).normal};
    });
  }

  //! Bonds from nodes of the first solid to their projections on facets of the second: weights are
  //! the shape functions there, slopes their derivatives.
  template<int dim>
  std::shared_ptr<const RccmInterface> glueToSolid(const Section& section, const Scene& scene,
                                                   const NodeToFace<dim>& faces)
  {
    const State initial = scene.system.initialState();
    const auto feet = faces.feet(initial.q);
    std::vector<char> touches;
    for (const auto& foot : feet)
      touches.push_back(foot && foot->gap <= touching * scene.length());
    return makeInterface<dim>(section, faces.first(), touches, {}, [&](std::size_t i) {
      const auto& foot = *feet[i];
      const auto& facet = faces.second().surface.facets[foot.facet];
      RccmInterface::Bond bond{.multiplier = 0, .area = 0, .point = faces.first().point(i)};
      for (int k = 0; k < facet.count; ++k) {
        bond.facet.push_back(faces.second().point(facet.node[k]));
        bond.weight.push_back(foot.weight[k]);
      }
      bond.slope = slopes(facet.count, foot.local[0], foot.local[1]);
      return bond;
    });
  }

  template std::shared_ptr<const RccmInterface> glueToObstacle<2>(const Section&, const Scene&,
                                                                  const SideInput&,
                                                                  std::shared_ptr<const Obstacle>);
  template std::shared_ptr<const RccmInterface> glueToObstacle<3>(const Section&, const Scene&,
                                                                  const SideInput&,
                                                                  std::shared_ptr<const Obstacle>);
  template std::shared_ptr<const RccmInterface> glueToSolid<2>(const Section&, const Scene&,
                                                               const NodeToFace<2>&);
  template std::shared_ptr<const RccmInterface> glueToSolid<3>(const Section&, const Scene&,
                                                               const NodeToFace<3>&);

  std::vector<Key> rccmKeys()
  {
    const std::string law = "law = rccm";
    return {
      {.name = "normal-stiffness",
       .meaning = "traction per opening of the whole interface",
       .unit = "M/(L^(d-1) T^2)",
       .kind = Kind::positive,
       .when = law},
      {.name = "tangential-stiffness",
       .meaning = "traction per sliding of the whole interface",
       .unit = "M/(L^(d-1) T^2)",
       .kind = Kind::positive,
       .when = law},
      {.name = "mode-mix",
       .meaning = "share A of the sliding in the size of the jump, sqrt(opening^2 + A sliding^2)",
       .unit = "1",
       .fallback = "1",
       .kind = Kind::nonNegative,
       .when = law},
      {.name = "elastic-limit",
       .meaning = "size of the jump at which damage begins",
       .unit = "L",
       .kind = Kind::positive,
       .when = law},
      {.name = "rupture",
       .meaning = "size of the jump at which the interface is broken",
       .unit = "L",
       .kind = Kind::positive,
       .when = law},
      {.name = "delay-time",
       .meaning = "time scale of damage that lags behind the jump; 0: no delay",
       .unit = "T",
       .fallback = "0",
       .kind = Kind::nonNegative,
       .when = law},
      {.name = "delay-exponent",
       .meaning = "how fast delayed damage reaches its greatest rate",
       .unit = "1",
       .fallback = "1",
       .kind = Kind::positive,
       .when = law}};
  }

} // namespace Dune::Impact
