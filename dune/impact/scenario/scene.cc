// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/beam.hh>
#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/contact/rigid/rigidcontact.hh>
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

    //! A facet by coordinates: of an edge the first one, of a triangle those with a + b <= 1
    template<int dim>
    struct FacetPatch
    {
      std::vector<FieldVector<double, dim>> corner;

      bool has(double a, double b) const
      {
        return a >= 0 && b >= 0 && a <= 1 &&
               b <= (corner.size() == 2   ? 0
                     : corner.size() == 3 ? 1 - a
                                          : 1);
      }

      FieldVector<double, dim> operator()(double a, double b) const
      {
        const std::array<double, 4> weight =
          corner.size() == 4 ? std::array{(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b}
                             : std::array{1 - a - b, a, b, 0.0};
        FieldVector<double, dim> x(0);
        for (std::size_t k = 0; k < corner.size(); ++k)
          x.axpy(weight[k], corner[k]);
        return x;
      }
    };

    /* The smallest distance of a facet from an obstacle or a rigid body: at points of a grid, then
     * by ever smaller moves from the best of them. Distances change by no more than the place: a
     * facet whose middle is farther than its corners from there cannot be nearer than the best. */
    template<int dim, class Distance>
    void takeFacet(const FacetPatch<dim>& facet, Distance&& distance, Scene::Nearest& nearest)
    {
      constexpr int intervals = 8, halvings = 20;
      FieldVector<double, dim> middle(0);
      double radius = 0;
      for (const auto& x : facet.corner)
        middle.axpy(1.0 / double(facet.corner.size()), x);
      for (const auto& x : facet.corner)
        radius = std::max(radius, (x - middle).two_norm());
      if (distance(middle) - radius >= nearest.gap)
        return;
      std::array<double, 2> best = {0, 0};
      double smallest = std::numeric_limits<double>::infinity();
      const auto look = [&](double a, double b) {
        if (!facet.has(a, b))
          return false;
        const double found = distance(facet(a, b));
        if (!(found < smallest))
          return false;
        smallest = found;
        best = {a, b};
        return true;
      };
      for (int i = 0; i <= intervals; ++i)
        for (int j = 0; j <= intervals; ++j)
          look(double(i) / intervals, double(j) / intervals);
      double move = 0.5 / intervals;
      for (int n = 0; n < halvings && smallest < 0; move *= 0.5, ++n)
        for (bool better = true; better;) {
          const auto [a, b] = best;
          better = look(a + move, b) || look(a - move, b) || look(a, b + move) || look(a, b - move);
        }
      const Vec3 place = inSpace<dim>(facet(best[0], best[1]));
      take(nearest, smallest, &place);
    }

    //! Signed distances of nodes and facets from an obstacle or a rigid body
    template<int dim>
    void takeDistances(const WeightedGapGeometry<dim>& geometry, ConstSpan q,
                       Scene::Nearest& nearest)
    {
      const auto& surface = geometry.surface();
      const auto distance = [&](const FieldVector<double, dim>& x) {
        return geometry.distance(0, q, x).value_or(std::numeric_limits<double>::infinity());
      };
      for (std::size_t i = 0; i < surface.node.size(); ++i) {
        const Vec3 place = inSpace<dim>(surface.position(i, q));
        take(nearest, distance(surface.position(i, q)), &place);
      }
      for (const auto& facet : surface.facets) {
        FacetPatch<dim> patch;
        for (Index i : facet.corners())
          patch.corner.push_back(surface.position(i, q));
        takeFacet(patch, distance, nearest);
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

    /* The surface of a solid and an obstacle or a rigid body. As with two solids, facets may be as
     * deep in a round one as they are off a smooth surface, if no gap is below zero: the nodes of a
     * mesh that fits lie on it. */
    template<int dim>
    void takeSurface(const ContactGeometry& geometry, ConstSpan q, double tolerance,
                     Scene::Nearest& nearest)
    {
      const auto* gaps = geometry.find<WeightedGapGeometry<dim>>();
      if (!gaps)
        return;
      Scene::Nearest found;
      takeDistances<dim>(*gaps, q, found);
      if (found.gap < -tolerance && -found.gap <= facetSagitta(gaps->surface(), q) &&
          !hasNegativeGap<dim>(*gaps, q, tolerance))
        return;
      take(nearest, found.gap, found.place ? &*found.place : nullptr);
    }

    //! Nodes of a rigid body, which may have a radius, and the boundary of a solid
    void takeRigidNodes(const System& system, const ContactGeometry& geometry, ConstSpan q,
                        Scene::Nearest& nearest)
    {
      const auto number = geometry.secondBody();
      const auto* rigid = number ? dynamic_cast<const RigidBody*>(&system.body(*number)) : nullptr;
      const auto solid = boundary<3>(system, geometry.firstBody());
      if (!rigid || !solid || !isClosed(*solid))
        return;
      const RigidSide side(system, *number);
      const InsideTest<3> inside(*solid, q);
      for (std::size_t i = 0; i < rigid->count(); ++i) {
        const PlacedShape at(*rigid, side.configuration(q, i));
        for (const Vector3& node : rigid->shape().nodes()) {
          const Vec3 place = toVec3(at.toSpace(node));
          const double distance = inside.distance(place);
          take(nearest, (inside(place) ? -distance : distance) - rigid->shape().radius(), &place);
        }
      }
    }

  } // namespace

  //! The smallest gap of a contact at the start: of solids by their boundaries, of others from all
  //! forms of contact that the geometry offers.
  Scene::Nearest Scene::nearest(std::size_t contact) const
  {
    const State initial = system.initialState();
    const double tolerance = std::ldexp(length(), -40); // rounding of positions
    Nearest result;
    const ContactGeometry& geometry = contacts[contact].geometry;
    if (takeSolids<2>(system, geometry, initial.q, tolerance, result) ||
        takeSolids<3>(system, geometry, initial.q, tolerance, result))
      return result;
    takeSurface<2>(geometry, initial.q, tolerance, result);
    takeSurface<3>(geometry, initial.q, tolerance, result);
    takeRigidNodes(system, geometry, initial.q, result);
    if (const auto* points = geometry.find<ImpulseGeometry>()) {
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

  namespace {

    //! Smallest side of the box around points; sides of length zero do not count, up to rounding
    class Extent
    {
    public:
      void add(const Vec3& x, double radius)
      {
        for (int c = 0; c < 3; ++c) {
          low_[c] = std::min(low_[c], x[c] - radius);
          high_[c] = std::max(high_[c], x[c] + radius);
        }
      }

      double smallest() const
      {
        const Vec3 side = high_ - low_;
        const double largest = std::max({side[0], side[1], side[2]});
        double result = std::numeric_limits<double>::infinity();
        for (double length : side)
          if (length > std::ldexp(largest, -40))
            result = std::min(result, length);
        return result;
      }

    private:
      Vec3 low_ = Vec3(std::numeric_limits<double>::infinity()),
           high_ = Vec3(-std::numeric_limits<double>::infinity());
    };

    //! Smallest size of one body: of a rigid one in its own axes, of others in their reference
    double bodySize(const Body& body)
    {
      Extent extent;
      if (const auto* rigid = dynamic_cast<const RigidBody*>(&body)) {
        for (const auto& point : rigid->shape().picture().points)
          extent.add(toVec3(point), 0);
        for (const auto& node : rigid->shape().nodes())
          extent.add(toVec3(node), rigid->shape().radius());
        return extent.smallest();
      }
      for (std::size_t i = 0; i < body.pointCount(); ++i)
        extent.add(body.reference(i), body.radius(i));
      return extent.smallest();
    }

    //! Size of the cells of a solid at its boundary, infinite for other bodies
    template<int dim>
    double cellSize(const System& system, std::size_t body)
    {
      const auto surface = boundary<dim>(system, body);
      return surface ? facetSize(*surface) : std::numeric_limits<double>::infinity();
    }

    //! Shortest element of a bar or a beam, infinite for other bodies
    double elementSize(const Body& body)
    {
      double result = std::numeric_limits<double>::infinity();
      if (dynamic_cast<const Bar*>(&body) || dynamic_cast<const Beam*>(&body))
        for (std::size_t i = 1; i < body.pointCount(); ++i)
          result = std::min(result, (body.reference(i) - body.reference(i - 1)).two_norm());
      return result;
    }

  } // namespace

  std::string Scene::sideName(const ContactSide& side) const
  {
    return side.body ? system.body(*side.body).name() : obstacles[side.obstacle.value()]->name();
  }

  double Scene::smallestSize(std::size_t contact) const
  {
    double result = std::numeric_limits<double>::infinity();
    for (const auto& body : {contacts[contact].first.body, contacts[contact].second.body})
      if (body)
        result = std::min({result, bodySize(system.body(*body)), elementSize(system.body(*body)),
                           cellSize<2>(system, *body), cellSize<3>(system, *body)});
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
