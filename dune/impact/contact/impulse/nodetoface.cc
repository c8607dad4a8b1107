// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/contact/impulse/contactaxes.hh>
#include <dune/impact/contact/impulse/nodetoface.hh>
#include <dune/impact/contact/impulse/slipfunctional.hh>
#include <dune/impact/geometry/closestpoint.hh>
#include <dune/impact/geometry/tospace.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();

    /* The slip of a node over the inside of a triangle, at the height g over its plane, needs no
     * inertia tensor as SlipFunctional does: the turn of a triangle is that of its plane, so that
     * the slip along t is (v - sum N_j v_j).t + g sum_j (grad N_j.t) (v_j.n) with grad N_j = n x
     * e_j / 2A, e_j the edge opposite to the corner j. Here g (grad N_j.t) for both tangents. */
    std::array<double, 2> leans(const std::array<Vec3, 3>& axes, const Vec3& edge,
                                double heightOverTwiceArea)
    {
      const Vec3 gradient = cross(axes[0], edge) * heightOverTwiceArea;
      return {gradient * axes[1], gradient * axes[2]};
    }

    // Feet with a barycentric coordinate below this one are at an edge
    constexpr double leastCoordinate = 1e-12;

  } // namespace

  template<int dim>
  NodeToFace<dim>::NodeToFace(BodySurface<dim> first, BodySurface<dim> second,
                              std::optional<GapWindow> window, int threads)
    : first_(std::move(first))
    , second_(std::move(second))
    , window_(window ? *window : defaultWindow<dim>(first_.surface, second_.surface))
    , threads_(threadCount(threads))
    , near_(0.05 * facetSize(second_.surface))
  {
    std::vector<Box<dim>> boxes;
    for (const auto& facet : second_.surface.facets) {
      Box<dim>& box = boxes.emplace_back();
      for (Index i : facet.corners())
        box.add(second_.surface.reference[i]);
    }
    tree_ = BoxTree<dim>(boxes);
  }

  //! Places of the nodes of a side
  template<int dim>
  std::vector<FieldVector<double, dim>> NodeToFace<dim>::places(const BodySurface<dim>& side,
                                                                ConstSpan q) const
  {
    std::vector<Vector> x(side.surface.node.size());
    const ConstSpan own = side.configuration(q);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = side.surface.position(i, own);
    return x;
  }

  //! The box of a facet with corners at y
  template<int dim>
  Box<dim> NodeToFace<dim>::facetBox(std::size_t facet, const std::vector<Vector>& y) const
  {
    Box<dim> box;
    for (Index i : second_.surface.facets[facet].corners())
      box.add(y[i]);
    return box;
  }

  //! Boxes of the tree for corners at y; none if all facets are out of reach of places x
  template<int dim>
  typename BoxTree<dim>::Boxes NodeToFace<dim>::treeBoxes(const std::vector<Vector>& x,
                                                          const std::vector<Vector>& y) const
  {
    Box<dim> box;
    for (const Vector& at : x)
      box.add(at);
    box = box.inflated(reach() + 2 * near_.motion());
    bool near = false;
    std::vector<Box<dim>> leaves(second_.surface.facets.size());
    for (std::size_t f = 0; f < leaves.size(); ++f) {
      leaves[f] = facetBox(f, y);
      near = near || leaves[f].overlaps(box);
    }
    typename BoxTree<dim>::Boxes boxes;
    if (near)
      tree_.refit(leaves, boxes);
    return boxes;
  }

  //! The closest point of a facet without normal and gap; returns its distance
  template<int dim>
  double NodeToFace<dim>::closest(const Vector& x, const std::vector<Vector>& y, Foot& foot,
                                  std::array<Vector, corners>& corner, Vector& d) const
  {
    const auto& f = second_.surface.facets[foot.facet];
    for (int k = 0; k < f.count; ++k)
      corner[k] = y[f.node[k]];
    if constexpr (dim == 2)
      foot.local[0] = closestOnSegment(x, corner[0], corner[1]);
    else
      foot.local = closestOnFacet(x, corner, f.count);
    foot.weight = facetShape<corners>(f.count, foot.local[0], foot.local[1]);
    d = x;
    for (int k = 0; k < f.count; ++k)
      d.axpy(-foot.weight[k], corner[k]);
    return d.two_norm();
  }

  //! The foot of a place over the inside of a triangle
  template<int dim>
  void NodeToFace<dim>::setWithin(const TrianglePlace& place, Foot& foot)
    requires(dim == 3)
  {
    const auto [u, v] = foot.local = place.coordinates();
    foot.weight = {1 - u - v, u, v};
    foot.normal = cross(place.a, place.b);
    foot.normal *= 1 / foot.normal.two_norm();
    foot.gap = foot.normal * place.r;
    foot.height = std::abs(foot.gap);
    foot.within = true;
  }

  /* Closest point y of a facet within `farthest`, with the gap +-|x - y| in the window. Over the
   * inside of a triangle n is the normal of the plane. Otherwise the sign is that of the height
   * over the facet, and n = (x - y)/g, or the outward normal of the facet where both agree up to
   * rounding. */
  template<int dim>
  std::optional<typename NodeToFace<dim>::Foot> NodeToFace<dim>::foot(const Vector& x,
                                                                      std::size_t facet,
                                                                      const std::vector<Vector>& y,
                                                                      double farthest) const
  {
    std::optional<Foot> result(Foot{.facet = facet});
    if constexpr (dim == 3)
      if (const auto& f = second_.surface.facets[facet]; f.count == 3) {
        const TrianglePlace place(x, y[f.node[0]], y[f.node[1]], y[f.node[2]]);
        if (place.isBeyond(farthest))
          return std::nullopt;
        if (place.isRegular(1e-3) && place.isWithin(leastCoordinate)) {
          setWithin(place, *result);
          if (!(result->height <= farthest && result->gap > window_.lower &&
                result->gap < window_.upper))
            result.reset();
          return result;
        }
      }
    std::array<Vector, corners> corner;
    Vector d;
    const double distance = closest(x, y, *result, corner, d);
    if (distance > farthest)
      return std::nullopt;
    Vector outward;
    if constexpr (dim == 2) {
      const Vector e = corner[1] - corner[0];
      outward = Vector{e[1], -e[0]} / e.two_norm();
    }
    else
      outward = facetNormal(corner, second_.surface.facets[facet].count, result->local[0],
                            result->local[1]);
    const double height = outward * d;
    result->height = std::abs(height);
    result->gap = std::copysign(distance, height);
    // within the facet both directions are the same up to rounding, and at a gap of zero d is
    // rounding only
    constexpr double rounding = 1e-12, nothing = 64 * std::numeric_limits<double>::epsilon();
    const double size = (corner[1] - corner[0]).infinity_norm() + x.infinity_norm(),
                 sideways2 = (d - outward * height).two_norm2();
    const int count = second_.surface.facets[facet].count;
    const bool inside =
      sideways2 <= rounding * rounding * size * size &&
      *std::min_element(result->weight.begin(), result->weight.begin() + count) > leastCoordinate;
    const bool along =
      inside || distance <= nothing * size || std::abs(height) >= (1 - 1e-9) * distance;
    result->normal = along ? outward : d * (1 / result->gap);
    if (!(result->gap > window_.lower && result->gap < window_.upper))
      result.reset();
    return result;
  }

  //! Keep a foot unless it is not the nearest; returns the distance beyond which none can be
  template<int dim>
  double NodeToFace<dim>::improve(const Vector& x, std::size_t facet, const std::vector<Vector>& y,
                                  Nearest& nearest) const
  {
    const auto farthest = [&] {
      return nearest.feet.empty() ? reach() : nearest.distance + slack();
    };
    if (const auto found = foot(x, facet, y, farthest())) {
      const double distance = std::abs(found->gap);
      nearest.distance = nearest.feet.empty() ? distance : std::min(nearest.distance, distance);
      nearest.feet.push_back(*found);
    }
    return farthest();
  }

  /* Of facets that share the closest point the one that faces the node most is taken, which knows
   * on which side it is; of several the first. So it does not matter in which order they were
   * found. */
  template<int dim>
  std::optional<typename NodeToFace<dim>::Foot> NodeToFace<dim>::best(const Nearest& nearest) const
  {
    const Foot* result = nullptr;
    for (const Foot& foot : nearest.feet)
      if (std::abs(foot.gap) <= nearest.distance + slack())
        if (!result || foot.height > result->height ||
            (foot.height == result->height && foot.facet < result->facet))
          result = &foot;
    return result ? std::optional(*result) : std::nullopt;
  }

  template<int dim>
  std::vector<std::optional<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::feet(
    ConstSpan q, const std::vector<Vector>& x) const
  {
    std::vector<std::optional<Foot>> result(x.size());
    const auto y = places(second_, q);
    if (const auto boxes = treeBoxes(x, y); !boxes.empty())
      parallelRanges(
        x.size(), threads_,
        [&](std::size_t begin, std::size_t end, int) {
          Nearest nearest;
          for (std::size_t i = begin; i < end; ++i) {
            nearest.feet.clear();
            tree_.queryNear(boxes, x[i], reach(),
                            [&](std::size_t facet) { return improve(x[i], facet, y, nearest); });
            result[i] = best(nearest);
          }
        },
        256);
    return result;
  }

  /* Facets that can be the nearest of a node until something has moved by more than s =
   * near_.motion(), see NearFacets. The nearest facet is within the window whatever its side if its
   * distance is; otherwise all within reach count. A warped quadrilateral may have several places
   * that are closest nearby, so that the distance of its box is the bound. */
  template<int dim>
  void NodeToFace<dim>::makeLists(const std::vector<Vector>& x, const std::vector<Vector>& y) const
  {
    const auto boxes = treeBoxes(x, y);
    const double s = near_.motion(), sure = std::min(window_.upper, -window_.lower) - 2 * s;
    std::array<Vector, corners> corner;
    Vector d;
    near_.assign(x, y, [&](std::size_t i, std::vector<typename NearFacets<dim>::Candidate>& list) {
      if (boxes.empty())
        return;
      double distance = reach() + 2 * s;
      Foot at;
      tree_.queryNear(boxes, x[i], distance, [&](std::size_t facet) {
        at.facet = facet;
        return distance = std::min(distance, closest(x[i], y, at, corner, d));
      });
      const double radius = (distance < sure ? distance + 4 * s : reach() + 2 * s) * (1 + 1e-9);
      tree_.queryNear(boxes, x[i], radius, [&](std::size_t facet) {
        at.facet = facet;
        const double bound = second_.surface.facets[facet].count == 4
                               ? std::sqrt(facetBox(facet, y).distance2(x[i]))
                               : closest(x[i], y, at, corner, d);
        if (bound <= radius)
          list.push_back({bound, std::uint32_t(facet)});
        return radius;
      });
    });
  }

  template<int dim>
  std::vector<std::optional<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::feet(
    ConstSpan q) const
  {
    return nearFeet(places(first_, q), places(second_, q));
  }

  //! The feet of the nodes of the first side, at x; facets with corners at y come from lists
  template<int dim>
  std::vector<std::optional<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::nearFeet(
    const std::vector<Vector>& x, const std::vector<Vector>& y) const
  {
    double approach = near_.approach(x, y);
    if (!std::isfinite(approach)) {
      makeLists(x, y);
      approach = 0;
    }
    std::vector<std::optional<Foot>> result(x.size());
    if (near_.empty())
      return result;
    approach += slack(); // much more than rounding
    parallelRanges(
      x.size(), threads_,
      [&](std::size_t begin, std::size_t end, int) {
        Nearest nearest;
        for (std::size_t i = begin; i < end; ++i) {
          nearest.feet.clear();
          double farthest = reach();
          for (const auto& candidate : near_[i]) {
            if (candidate.distance > farthest + approach)
              break;
            farthest = improve(x[i], candidate.facet, y, nearest);
          }
          result[i] = best(nearest);
        }
      },
      256);
    return result;
  }

  //! Feet of each place on all facets within the window, in the order of the facets
  template<int dim>
  std::vector<std::vector<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::allFeet(
    ConstSpan q, const std::vector<Vector>& x) const
  {
    std::vector<std::vector<Foot>> result(x.size());
    const auto y = places(second_, q);
    const auto boxes = treeBoxes(x, y);
    if (boxes.empty())
      return result;
    parallelFor(
      x.size(), threads_,
      [&](std::size_t i) {
        Box<dim> own;
        own.add(x[i]);
        tree_.query(boxes, own.inflated(reach()), [&](std::size_t facet) {
          if (const auto found = foot(x[i], facet, y, reach()))
            result[i].push_back(*found);
        });
        std::sort(result[i].begin(), result[i].end(),
                  [](const Foot& a, const Foot& b) { return a.facet < b.facet; });
      },
      256);
    return result;
  }

  template<int dim>
  void NodeToFace<dim>::gaps(double, ConstSpan q, Span gaps) const
  {
    const auto all = feet(q);
    for (std::size_t i = 0; i < all.size(); ++i)
      gaps[i] = all[i] ? all[i]->gap : infinity;
  }

  /* Weights of the contact point added last, of a node over the inside of a triangle: -N_j at the
   * corners, and for slips g (grad N_j . t) along both tangents, see leans(); e_0 x e_1 . n is
   * twice the area. */
  template<int dim>
  void NodeToFace<dim>::addInside(std::size_t node, const Foot& foot, const std::vector<Vector>& y,
                                  ContactPoints& rows) const
    requires(dim == 3)
  {
    const auto& corner = second_.surface.facets[foot.facet].node;
    const auto& axes = rows[rows.size() - 1].axes;
    const Vec3 edge[3] = {y[corner[2]] - y[corner[1]], y[corner[0]] - y[corner[2]],
                          y[corner[1]] - y[corner[0]]};
    const double heightOverTwiceArea = foot.gap / (cross(edge[0], edge[1]) * axes[0]);
    std::array<MortarEntry, 3> partners;
    for (int j = 0; j < 3; ++j) {
      partners[j] = {second_.dof(corner[j]), -foot.weight[j], {0, 0}};
      if (rows.components() > 1)
        partners[j].tiltWeight = leans(axes, edge[j], heightOverTwiceArea);
    }
    rows.addNodes(first_.dof(node), partners);
  }

  //! Contact points with gap <= tolerance: the normal functional n . (v_x - sum N_j v_j), and slips
  //! by addInside() over the inside of a triangle, otherwise by SlipFunctional
  template<int dim>
  double NodeToFace<dim>::addPoints(const Instant&, ConstSpan q, double tolerance,
                                    ContactPoints& rows) const
  {
    double smallest = infinity;
    const auto x = places(first_, q), y = places(second_, q);
    const auto all = nearFeet(x, y);
    std::vector<SlipPartner> partners;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i])
        continue;
      const Foot& foot = *all[i];
      smallest = std::min(smallest, foot.gap);
      if (!(foot.gap <= tolerance))
        continue;
      ContactPoint& row = rows.add();
      row.multiplier = i;
      row.gap = foot.gap;
      row.first = ContactMember(first_.body.bodyIndex);
      row.second = ContactMember(second_.body.bodyIndex);
      if (const Vec3 normal = toSpace<dim>(foot.normal); rows.components() > 1)
        row.axes = contactAxes(normal);
      else
        row.axes[0] = normal;
      if constexpr (dim == 3)
        if (foot.within) {
          addInside(i, foot, y, rows);
          continue;
        }
      partners.clear();
      const auto& facet = second_.surface.facets[foot.facet];
      for (int k = 0; k < facet.count; ++k)
        partners.push_back(
          {second_.dof(facet.node[k]), foot.weight[k], toSpace<dim>(y[facet.node[k]])});
      rows.addFunctional([&](SparseVector& entries) {
        addEntries<dim>(first_.dof(i), row.axes[0], entries);
        for (const SlipPartner& p : partners)
          addEntries<dim>(p.dof, row.axes[0] * -p.weight, entries);
      });
      if (rows.components() > 1)
        addSlips(SlipFunctional<dim>(first_.dof(i), toSpace<dim>(x[i]), partners), row, rows);
    }
    return smallest;
  }

  template<int dim>
  double NodeToFace<dim>::length(ConstSpan q) const
  {
    double result = 0;
    for (const auto* side : {&first_, &second_})
      for (std::size_t i = 0; i < side->surface.node.size(); ++i)
        result = std::max({result, side->surface.reference[i].infinity_norm(),
                           side->position(i, q).infinity_norm()});
    return result;
  }

  template class NodeToFace<2>;
  template class NodeToFace<3>;

} // namespace Dune::Impact
