// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/contact/contactaxes.hh>
#include <dune/impact/contact/surfacerows.hh>
#include <dune/impact/geometry/closestpoint.hh>
#include <dune/impact/geometry/tospace.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();

    template<int dim>
    void addEntries(std::size_t dof, const Vec3& value, SparseVector& entries)
    {
      for (int c = 0; c < dim; ++c)
        entries.push_back({dof + c, value[c]});
    }

    //! Nodes of the other side with their share in a row
    struct Partner
    {
      std::size_t dof;
      double weight;
      Vec3 position;
    };

    /* The slip functional along t: t at the node, -N_j t at its partners, and on these a turn
     *
     *     theta x (x_j - c),   theta = -J^-1 m,
     *
     * about their centre c that takes away the moment m = (x - sum N_j y_j) x t of the rest; J is the
     * inertia tensor of the partners with mass one each. As the dual of an angular velocity
     * w = J^-1 sum (y_j - c) x v_j this is the slip given at the top of the header. */
    template<int dim>
    class SlipFunctional
    {
    public:
      //! The partners must outlive the object
      SlipFunctional(std::size_t dof, const Vec3& x, std::span<const Partner> partners)
        : dof_(dof), partners_(partners), centre_(0), offset_(x), inverse_(0)
      {
        for (const Partner& p : partners) {
          centre_.axpy(1.0 / double(partners.size()), p.position);
          offset_.axpy(-p.weight, p.position);
        }
        if (partners.size() < std::size_t(dim))
          return;
        for (const Partner& p : partners) {
          const Vec3 r = p.position - centre_;
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
              inverse_[i][k] += (i == k) * r.two_norm2() - r[i] * r[k];
        }
        if (dim == 2) { // turns in the plane only
          inverse_[0][0] = inverse_[1][1] = 1;
          inverse_[0][1] = inverse_[1][0] = 0;
        }
        inverse_.invert();
      }

      void add(const Vec3& t, SparseVector& entries) const
      {
        Vec3 theta;
        inverse_.mv(cross(offset_, t), theta);
        addEntries<dim>(dof_, t, entries);
        for (const Partner& p : partners_) {
          Vec3 value = cross(theta, p.position - centre_);
          value *= -1;
          value.axpy(-p.weight, t);
          addEntries<dim>(p.dof, value, entries);
        }
      }

    private:
      std::size_t dof_;
      std::span<const Partner> partners_;
      Vec3 centre_, offset_;
      Mat3 inverse_; //!< J^-1, zero where the partners do not span the space
    };

    //! The tangential functionals of a row
    template<int dim>
    void addSlips(const SlipFunctional<dim>& slip, const Row& row, RowSet& rows)
    {
      for (int c = 1; c < rows.components(); ++c)
        rows.addFunctional([&](SparseVector& entries) { slip.add(row.axes[c], entries); });
    }

    /* True if a triangle is surely farther away than a distance: the foot of the perpendicular has a negative barycentric
     * coordinate s/D, and is |s|/D heights of the triangle, sqrt(D)/|edge| each, behind that edge. Without a division or a root. */
    bool isBeyond(const Vec3& x, const Vec3& y0, const Vec3& y1, const Vec3& y2, double distance)
    {
      const Vec3 a = y1 - y0, b = y2 - y0, r = x - y0;
      const double aa = a.two_norm2(), bb = b.two_norm2(), ab = a * b, ra = r * a, rb = r * b;
      const double determinant = aa * bb - ab * ab, s = bb * ra - ab * rb, t = aa * rb - ab * ra, u = determinant - s - t;
      const double bound = distance * distance * determinant * (1 + 1e-6);
      return determinant > 1e-6 * aa * bb && ((s < 0 && s * s > bound * bb) || (t < 0 && t * t > bound * aa) || (u < 0 && u * u > bound * (aa + bb - 2 * ab)));
    }

  } // namespace

  template<int dim>
  NodeToFace<dim>::NodeToFace(std::size_t contact, BodySurface<dim> first, BodySurface<dim> second, std::optional<GapWindow> window, int threads)
    : contact_(contact)
    , first_(std::move(first))
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
  std::vector<FieldVector<double, dim>> NodeToFace<dim>::places(const BodySurface<dim>& side, ConstSpan q) const
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
  typename BoxTree<dim>::Boxes NodeToFace<dim>::treeBoxes(const std::vector<Vector>& x, const std::vector<Vector>& y) const
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
  double NodeToFace<dim>::closest(const Vector& x, const std::vector<Vector>& y, Foot& foot, std::array<Vector, corners>& corner, Vector& d) const
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

  template<int dim>
  std::optional<typename NodeToFace<dim>::Foot> NodeToFace<dim>::foot(const Vector& x, std::size_t facet, const std::vector<Vector>& y, double farthest) const
  {
    if constexpr (dim == 3)
      if (const auto& f = second_.surface.facets[facet]; f.count == 3 && isBeyond(x, y[f.node[0]], y[f.node[1]], y[f.node[2]], farthest))
        return std::nullopt;
    std::optional<Foot> result(Foot{.facet = facet});
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
      outward = facetNormal(corner, second_.surface.facets[facet].count, result->local[0], result->local[1]);
    const double height = outward * d;
    result->height = std::abs(height);
    result->gap = std::copysign(distance, height);
    // within the facet both directions are the same but for rounding, which would be all there is at a gap of zero
    result->normal = std::abs(height) >= (1 - 1e-9) * distance ? outward : d * (1 / result->gap);
    if (!(result->gap > window_.lower && result->gap < window_.upper))
      result.reset();
    return result;
  }

  //! Keep a foot unless it is not the nearest; returns the distance beyond which none can be
  template<int dim>
  double NodeToFace<dim>::improve(const Vector& x, std::size_t facet, const std::vector<Vector>& y, Nearest& nearest) const
  {
    const auto farthest = [&] { return nearest.feet.empty() ? reach() : nearest.distance + slack(); };
    if (const auto found = foot(x, facet, y, farthest())) {
      const double distance = std::abs(found->gap);
      nearest.distance = nearest.feet.empty() ? distance : std::min(nearest.distance, distance);
      nearest.feet.push_back(*found);
    }
    return farthest();
  }

  /* Of facets that share the closest point the one that faces the node most is taken, which knows on which side it is; of
   * several the first. So it does not matter in which order they were found. */
  template<int dim>
  std::optional<typename NodeToFace<dim>::Foot> NodeToFace<dim>::best(const Nearest& nearest) const
  {
    const Foot* result = nullptr;
    for (const Foot& foot : nearest.feet)
      if (std::abs(foot.gap) <= nearest.distance + slack())
        if (!result || foot.height > result->height || (foot.height == result->height && foot.facet < result->facet))
          result = &foot;
    return result ? std::optional(*result) : std::nullopt;
  }

  template<int dim>
  std::vector<std::optional<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::feet(ConstSpan q, const std::vector<Vector>& x) const
  {
    std::vector<std::optional<Foot>> result(x.size());
    const auto y = places(second_, q);
    if (const auto boxes = treeBoxes(x, y); !boxes.empty())
      parallelRanges(x.size(), threads_, [&](std::size_t begin, std::size_t end, int) {
        Nearest nearest;
        for (std::size_t i = begin; i < end; ++i) {
          nearest.feet.clear();
          tree_.queryNear(boxes, x[i], reach(), [&](std::size_t facet) { return improve(x[i], facet, y, nearest); });
          result[i] = best(nearest);
        }
      }, 256);
    return result;
  }

  /* Facets that can be the nearest of a node until something has moved by more than s = near_.motion(), see NearFacets.
   * The nearest facet is within the window whatever its side if its distance is; otherwise all within reach count. A
   * warped quadrilateral may have several places that are closest nearby, so that the distance of its box is the bound. */
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
        const double bound = second_.surface.facets[facet].count == 4 ? std::sqrt(facetBox(facet, y).distance2(x[i])) : closest(x[i], y, at, corner, d);
        if (bound <= radius)
          list.push_back({bound, std::uint32_t(facet)});
        return radius;
      });
    });
  }

  template<int dim>
  std::vector<std::optional<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::feet(ConstSpan q) const
  {
    return nearFeet(places(first_, q), places(second_, q));
  }

  //! The feet of the nodes of the first side, at x; facets with corners at y come from lists
  template<int dim>
  std::vector<std::optional<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::nearFeet(const std::vector<Vector>& x, const std::vector<Vector>& y) const
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
    parallelRanges(x.size(), threads_, [&](std::size_t begin, std::size_t end, int) {
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
    }, 256);
    return result;
  }

  template<int dim>
  std::vector<std::vector<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::allFeet(ConstSpan q, const std::vector<Vector>& x) const
  {
    std::vector<std::vector<Foot>> result(x.size());
    const auto y = places(second_, q);
    const auto boxes = treeBoxes(x, y);
    if (boxes.empty())
      return result;
    parallelFor(x.size(), threads_, [&](std::size_t i) {
      Box<dim> own;
      own.add(x[i]);
      tree_.query(boxes, own.inflated(reach()), [&](std::size_t facet) {
        if (const auto found = foot(x[i], facet, y, reach()))
          result[i].push_back(*found);
      });
      std::sort(result[i].begin(), result[i].end(), [](const Foot& a, const Foot& b) { return a.facet < b.facet; });
    }, 256);
    return result;
  }

  template<int dim>
  void NodeToFace<dim>::gaps(double, ConstSpan q, Span gaps) const
  {
    const auto all = feet(q);
    for (std::size_t i = 0; i < all.size(); ++i)
      gaps[i] = all[i] ? all[i]->gap : infinity;
  }

  template<int dim>
  double NodeToFace<dim>::addRows(const Instant&, ConstSpan q, double tolerance, RowSet& rows) const
  {
    double smallest = infinity;
    const auto x = places(first_, q), y = places(second_, q);
    const auto all = nearFeet(x, y);
    std::vector<Partner> partners;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i])
        continue;
      const Foot& foot = *all[i];
      smallest = std::min(smallest, foot.gap);
      if (!(foot.gap <= tolerance))
        continue;
      partners.clear();
      const auto& facet = second_.surface.facets[foot.facet];
      for (int k = 0; k < facet.count; ++k)
        partners.push_back({second_.dof(facet.node[k]), foot.weight[k], toSpace<dim>(y[facet.node[k]])});
      Row& row = rows.add();
      row.contact = contact_;
      row.slot = i;
      row.gap = foot.gap;
      row.firstBody = first_.body.bodyIndex;
      row.secondBody = long(second_.body.bodyIndex);
      row.axes = contactAxes(toSpace<dim>(foot.normal));
      rows.addFunctional([&](SparseVector& entries) {
        addEntries<dim>(first_.dof(i), row.axes[0], entries);
        for (const Partner& p : partners)
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
        result = std::max({result, side->surface.reference[i].infinity_norm(), side->position(i, q).infinity_norm()});
    return result;
  }

  template<int dim>
  MortarRows<dim>::MortarRows(std::size_t contact, const GapCoupling<dim>& coupling, PointHandle first, std::optional<PointHandle> second)
    : contact_(contact), coupling_(coupling), first_(first), second_(second)
  {}

  //! First velocity dof of a node of the system
  template<int dim>
  std::size_t MortarRows<dim>::dof(std::size_t node) const
  {
    const std::size_t place = node * dim;
    const bool first = place >= first_.configurationOffset && place < first_.configurationOffset + first_.body->configurationSize();
    const PointHandle& side = first || !second_ ? first_ : *second_;
    return place - side.configurationOffset + side.velocityOffset;
  }

  template<int dim>
  void MortarRows<dim>::gaps(double t, ConstSpan q, Span gaps) const
  {
    std::fill(gaps.begin(), gaps.end(), infinity);
    GapSet<dim> set;
    coupling_.addGaps(t, q, 0, set);
    for (std::size_t p = 0; p < set.size(); ++p)
      gaps[set[p].slot] = set[p].value / set[p].weight;
  }

  template<int dim>
  double MortarRows<dim>::addRows(const Instant& at, ConstSpan q, double tolerance, RowSet& rows) const
  {
    thread_local GapSet<dim> set; // keeps its memory
    set.clear();
    coupling_.addGaps(at.time, q, 0, set);
    double smallest = infinity;
    std::vector<Partner> partners;
    const auto place = [&](std::size_t node) { // of the system; its reference is that of its body
      const PointHandle& side = dof(node) >= first_.velocityOffset && dof(node) < first_.velocityOffset + first_.body->velocitySize() ? first_ : *second_;
      return PointHandle{side.body, side.bodyIndex, (dof(node) - side.velocityOffset) / dim, side.configurationOffset, side.velocityOffset}.position(q);
    };
    const auto path = [&](double from, double to) { // of an obstacle
      auto result = coupling_.obstacleDisplacement(to);
      return result -= coupling_.obstacleDisplacement(from);
    };
    const FieldVector<double, dim> drift = path(at.time, at.time + at.stepAfter), drifted = path(at.time - at.stepBefore, at.time);
    for (std::size_t p = 0; p < set.size(); ++p) {
      const double gap = set[p].value / set[p].weight;
      smallest = std::min(smallest, gap);
      if (!(gap <= tolerance))
        continue;
      Row& row = rows.add();
      row.contact = contact_;
      row.slot = set[p].slot;
      row.gap = gap;
      row.firstBody = first_.bodyIndex;
      row.secondBody = second_ ? long(second_->bodyIndex) : -1;
      row.axes = contactAxes(toSpace<dim>(set[p].direction) * -1.0); // the first side is pushed against the force on the other one
      for (int c = 0; c < rows.components(); ++c) {
        row.driveAfter[c] = second_ || at.stepAfter == 0 ? 0 : -(row.axes[c] * toSpace<dim>(drift)) / at.stepAfter;
        row.driveBefore[c] = second_ || at.stepBefore == 0 ? 0 : -(row.axes[c] * toSpace<dim>(drifted)) / at.stepBefore;
      }
      Vec3 push(0); // of a unit impulse on the first side
      rows.addFunctional([&](SparseVector& entries) {
        for (const auto& entry : set.derivative(p)) {
          const Vec3 value = toSpace<dim>(entry.value) / set[p].weight;
          const std::size_t begin = dof(entry.node);
          addEntries<dim>(begin, value, entries);
          if (begin >= first_.velocityOffset && begin < first_.velocityOffset + first_.body->velocitySize())
            push += value;
        }
      });
      if (rows.components() > 1) {
        partners.clear();
        for (const auto& mortar : set.mortar(p))
          partners.push_back({dof(mortar.node), mortar.weight, place(mortar.node)});
        addSlips(SlipFunctional<dim>(dof(set[p].node), place(set[p].node), partners), row, rows);
      }
      row.axes[0] = push;
    }
    return smallest;
  }

  template<int dim>
  double MortarRows<dim>::length(ConstSpan q) const
  {
    double result = 0;
    for (const auto* surface : {&coupling_.surface(), coupling_.mortarSurface()})
      for (std::size_t i = 0; surface && i < surface->node.size(); ++i)
        result = std::max({result, surface->reference[i].infinity_norm(), surface->position(i, q).infinity_norm()});
    return result;
  }

  template class NodeToFace<2>;
  template class NodeToFace<3>;
  template class MortarRows<2>;
  template class MortarRows<3>;

} // namespace Dune::Impact
