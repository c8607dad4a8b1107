// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/scenario/scene.hh>
#include <dune/impact/scenario/suggest.hh>

namespace Dune::Impact {

  void Scene::add(std::unique_ptr<Body> body)
  {
    const std::string name = body->name();
    bodies[name] = system.add(std::move(body));
  }

  void Scene::add(std::shared_ptr<Obstacle> obstacle)
  {
    const auto place = std::find_if(obstacles.begin(), obstacles.end(), [&](const auto& other) {
      return obstacle->name() < other->name();
    });
    obstacles.insert(place, std::move(obstacle));
  }

  std::optional<std::size_t> Scene::findObstacle(const std::string& name) const
  {
    for (std::size_t i = 0; i < obstacles.size(); ++i)
      if (obstacles[i]->name() == name)
        return i;
    return {};
  }

  std::size_t Scene::body(const Section& section, const std::string& key) const
  {
    const std::string name = section.reference(key).name;
    const auto found = bodies.find(name);
    if (found == bodies.end())
      section.fail(key, fmt::format("must be a body that can move, {} is an obstacle", name));
    return found->second;
  }

  std::vector<PointHandle> Scene::points(const Section& section, const std::string& key,
                                         std::size_t body, const std::string& place) const
  {
    std::vector<PointHandle> result;
    for (std::size_t i : system.body(body).patch(place))
      result.push_back(system.point(body, i));
    if (result.empty())
      section.fail(key, missingPatch(system.body(body).name() + " has no place", place, "it has",
                                     system.body(body).patchNames()));
    return result;
  }

  PointHandle Scene::point(const Section& section, const std::string& key, std::size_t body,
                           const std::string& end) const
  {
    const bool rigid = dynamic_cast<const RigidBody*>(&system.body(body));
    const Place place =
      section.place(key, rigid || system.body(body).pointCount() == 1 ? "centre-of-mass" : end);
    if (place.node && std::size_t(*place.node) < system.body(body).pointCount())
      return system.point(body, std::size_t(*place.node));
    if (!place.point) {
      const auto found =
        points(section, key, body, place.node ? std::to_string(*place.node) : place.word);
      if (found.size() > 1)
        section.fail(
          key, fmt::format("must be one point of {}, the patch {} has {}", system.body(body).name(),
                           place.node ? std::to_string(*place.node) : place.word, found.size()));
      return found.front();
    }
    std::size_t best = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < system.body(body).pointCount(); ++i)
      if (const double distance = (system.body(body).reference(i) - *place.point).two_norm();
          distance < smallest) {
        smallest = distance;
        best = i;
      }
    return system.point(body, best);
  }

  PointHandle Scene::massivePoint(const Section& section, const std::string& key, std::size_t body,
                                  const std::string& end) const
  {
    const PointHandle result = point(section, key, body, end);
    if (!result.body->carriesMass(result.point))
      section.fail(key, fmt::format("is an end of {} without mass, on which no force can act",
                                    result.body->name()));
    return result;
  }

  namespace {

    //! Take the smaller one
    void take(Scene::Nearest& nearest, double gap, const Vec3* place)
    {
      if (gap >= nearest.gap)
        return;
      nearest.gap = gap;
      nearest.place = place ? std::optional(*place) : std::nullopt;
    }

    template<int dim>
    Vec3 inSpace(const FieldVector<double, dim>& x)
    {
      Vec3 place(0);
      std::copy(x.begin(), x.end(), place.begin());
      return place;
    }

    //! Is one of the gaps below zero as a distance, value/weight?
    template<int dim>
    bool hasNegativeGap(const WeightedGapGeometry<dim>& geometry, ConstSpan q, double tolerance)
    {
      WeightedGaps<dim> gaps;
      geometry.addGaps(0, q, 0, gaps);
      for (std::size_t p = 0; p < gaps.size(); ++p)
        if (gaps[p].value < -tolerance * gaps[p].weight)
          return true;
      return false;
    }

    //! Weighted gaps as distances, value/weight
    template<int dim>
    void takeGaps(const WeightedGapGeometry<dim>& geometry, ConstSpan q, Scene::Nearest& nearest)
    {
      WeightedGaps<dim> gaps;
      geometry.addGaps(0, q, 0, gaps);
      for (std::size_t p = 0; p < gaps.size(); ++p) {
        const Vec3 place =
          inSpace<dim>(geometry.surface().position(geometry.multiplierNode(gaps[p].multiplier), q));
        take(nearest, gaps[p].value / gaps[p].weight, &place);
      }
    }

    //! The whole boundary of a solid; nothing for other bodies
    template<int dim>
    std::optional<ContactSurface<dim>> boundary(const System& system, std::size_t body)
    {
      const auto* solid = dynamic_cast<const ImplicitBody<dim>*>(&system.body(body));
      if (!solid)
        return {};
      return makeContactSurface<dim>(solid->mesh(), std::nullopt, body,
                                     system.point(body, 0).configurationOffset / dim);
    }

    template<int dim>
    double shortestEdge(const ContactSurface<dim>& surface)
    {
      double edge = std::numeric_limits<double>::infinity();
      for (const auto& facet : surface.facets)
        edge = std::min(
          edge, (surface.reference[facet.node[0]] - surface.reference[facet.node[1]]).two_norm());
      return edge;
    }

    /* Two solids overlap if their boundaries do. Curved surfaces that lie on each other may overlap
     * by as much as their facets are off, if no weighted gap is below zero. Weighted gaps alone
     * decide nothing: the dual basis has negative values, and gaps far from a coarse surface can be
     * negative without any overlap. */
    template<int dim>
    bool takeSolids(const System& system, const ContactGeometry& geometry, ConstSpan q,
                    double tolerance, Scene::Nearest& nearest)
    {
      const auto number = geometry.secondBody();
      const auto first = boundary<dim>(system, geometry.firstBody()),
                 second = number ? boundary<dim>(system, *number) : std::nullopt;
      if (!first || !second)
        return false;
      const auto overlap = findOverlap<dim>(*first, *second, q, tolerance);
      if (!overlap)
        return true;
      const auto* gaps = geometry.find<WeightedGapGeometry<dim>>();
      const double partOfEdge = 0.1 * std::min(shortestEdge(*first), shortestEdge(*second)),
                   sagitta = std::max(facetSagitta(*first, q), facetSagitta(*second, q));
      if (gaps && overlap->depth <= std::min(partOfEdge, sagitta) &&
          !hasNegativeGap<dim>(*gaps, q, tolerance))
        return true;
      const Vec3 place = inSpace<dim>(overlap->place);
      take(nearest, -overlap->depth, &place);
      return true;
    }

    template<int dim>
    void takeSurface(const ContactGeometry& geometry, ConstSpan q, Scene::Nearest& nearest)
    {
      if (const auto* gaps = geometry.find<WeightedGapGeometry<dim>>())
        takeGaps<dim>(*gaps, q, nearest);
    }

  } // namespace

  //! The smallest gap of a contact at the start: of solids by their boundaries, of others from all
  //! forms of contact that the geometry offers; contact points of solids count for explicit methods
  //! only, where they act.
  Scene::Nearest Scene::nearest(std::size_t contact) const
  {
    const State initial = system.initialState();
    const double tolerance = std::ldexp(length(), -40); // rounding of positions
    Nearest result;
    const ContactGeometry& geometry = contacts[contact].geometry;
    if (takeSolids<2>(system, geometry, initial.q, tolerance, result) ||
        takeSolids<3>(system, geometry, initial.q, tolerance, result))
      return result;
    takeSurface<2>(geometry, initial.q, result);
    takeSurface<3>(geometry, initial.q, result);
    const bool weighted =
      geometry.offers<WeightedGapGeometry<2>>() || geometry.offers<WeightedGapGeometry<3>>();
    if (const auto* points = geometry.find<ImpulseGeometry>();
        points && (explicitMethod || !weighted)) {
      std::vector<double> gaps(points->multipliers());
      points->gaps(0, initial.q, gaps);
      for (double gap : gaps)
        take(result, gap, nullptr);
    }
    else if (const auto* slips = geometry.find<GapSlipGeometry>()) {
      GapSlip found;
      slips->evaluate(0, 0, initial.q, initial.q, std::vector<double>(3 * slips->multipliers(), 0),
                      found);
      take(result, found.minGap, nullptr);
    }
    if (const auto* massless = geometry.find<MasslessContact>())
      take(result, -massless->overlap(0, initial.q), nullptr);
    return result;
  }

  //! The largest coordinate or radius: rounding of gaps is measured by it.
  double Scene::length() const
  {
    double result = 0;
    for (const auto& obstacle : obstacles)
      result = std::max(result, obstacle->centre().infinity_norm());
    for (std::size_t body = 0; body < system.bodyCount(); ++body)
      for (std::size_t i = 0; i < system.body(body).pointCount(); ++i)
        result = std::max(
          {result, system.body(body).reference(i).infinity_norm(), system.body(body).radius(i)});
    return result;
  }

} // namespace Dune::Impact
