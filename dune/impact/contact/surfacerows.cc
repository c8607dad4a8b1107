// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/contact/surfacerows.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();

    template<int dim>
    Vec3 toSpace(const FieldVector<double, dim>& x)
    {
      Vec3 result(0);
      std::copy(x.begin(), x.end(), result.begin());
      return result;
    }

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
    void addSlip(std::size_t dof, const Vec3& x, std::span<const Partner> partners, const Vec3& t, SparseVector& entries)
    {
      Vec3 centre(0), offset = x;
      for (const Partner& p : partners) {
        centre.axpy(1.0 / double(partners.size()), p.position);
        offset.axpy(-p.weight, p.position);
      }
      const Vec3 moment = cross(offset, t);
      Mat3 J(0);
      for (const Partner& p : partners) {
        const Vec3 r = p.position - centre;
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k)
            J[i][k] += (i == k) * r.two_norm2() - r[i] * r[k];
      }
      if (dim == 2) { // turns in the plane only
        J[0][0] = J[1][1] = 1;
        J[0][1] = J[1][0] = 0;
      }
      Vec3 theta(0);
      if (partners.size() >= std::size_t(dim))
        J.solve(theta, moment);
      addEntries<dim>(dof, t, entries);
      for (const Partner& p : partners) {
        Vec3 value = cross(theta, p.position - centre);
        value *= -1;
        value.axpy(-p.weight, t);
        addEntries<dim>(p.dof, value, entries);
      }
    }

    //! The closest point of the segment from a to b: its parameter
    template<class Vector>
    double closestOnSegment(const Vector& x, const Vector& a, const Vector& b)
    {
      const Vector e = b - a;
      return std::clamp((e * (x - a)) / e.two_norm2(), 0.0, 1.0);
    }

    //! Shape functions of a triangle or a quadrilateral whose corners go around
    template<int corners>
    std::array<double, corners> facetShape(int count, double u, double v)
    {
      if (count == 2)
        return {1 - u, u};
      if constexpr (corners == 4) {
        if (count == 4)
          return {(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v};
        return {1 - u - v, u, v};
      }
      return {};
    }

    /* The foot of the perpendicular on a facet in space, if it lies within: for a triangle in closed
     * form; for a bilinear facet by Newton's method for (x - y(u,v)) . dy = 0, which for a parallelogram
     * takes one step. */
    bool perpendicular(const Vec3& x, const std::array<Vec3, 4>& y, int count, double& u, double& v)
    {
      u = v = count == 3 ? 0 : 0.5;
      const Vec3 twist = count == 3 ? Vec3(0) : y[0] - y[1] + y[2] - y[3];
      const Vec3 a0 = y[1] - y[0], b0 = count == 3 ? y[2] - y[0] : y[3] - y[0];
      for (int iteration = 0; iteration < 20; ++iteration) {
        Vec3 a = a0, b = b0, r = x - y[0];
        a.axpy(v, twist);
        b.axpy(u, twist);
        r.axpy(-u, a0);
        r.axpy(-v, b0);
        r.axpy(-u * v, twist);
        const double aa = a.two_norm2(), bb = b.two_norm2(), ab = a * b - r * twist, ra = r * a, rb = r * b;
        const double determinant = aa * bb - ab * ab;
        if (!(determinant > 0))
          return false;
        const double du = (bb * ra - ab * rb) / determinant, dv = (aa * rb - ab * ra) / determinant;
        u += du;
        v += dv;
        if (twist.two_norm2() == 0 || std::abs(du) + std::abs(dv) < 1e-14)
          break;
        if (!(std::abs(u) < 10 && std::abs(v) < 10))
          return false;
      }
      return count == 3 ? u >= 0 && v >= 0 && u + v <= 1 : u >= 0 && v >= 0 && u <= 1 && v <= 1;
    }

    //! The normal of a facet at a place, outwards
    Vec3 facetNormal(const std::array<Vec3, 4>& y, int count, double u, double v)
    {
      Vec3 a = y[1] - y[0], b = count == 4 ? y[3] - y[0] : y[2] - y[0];
      if (count == 4) {
        const Vec3 twist = y[0] - y[1] + y[2] - y[3];
        a.axpy(v, twist);
        b.axpy(u, twist);
      }
      const Vec3 n = cross(a, b);
      return n / n.two_norm();
    }

    //! Closest point of a facet in space: its local coordinates
    std::array<double, 2> closestOnFacet(const Vec3& x, const std::array<Vec3, 4>& y, int count)
    {
      double u, v;
      if (perpendicular(x, y, count, u, v))
        return {u, v};
      static constexpr std::array<std::array<double, 2>, 3> triangle = {{{0, 0}, {1, 0}, {0, 1}}};
      static constexpr std::array<std::array<double, 2>, 4> square = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
      double best = infinity;
      std::array<double, 2> result = {0, 0};
      for (int k = 0; k < count; ++k) {
        const int l = (k + 1) % count;
        const double s = closestOnSegment(x, y[k], y[l]);
        Vec3 r = x - y[k];
        r.axpy(-s, y[l] - y[k]);
        if (r.two_norm2() < best) {
          best = r.two_norm2();
          const auto& from = count == 3 ? triangle[k] : square[k];
          const auto& to = count == 3 ? triangle[l] : square[l];
          result = {from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1])};
        }
      }
      return result;
    }

    //! Normal and tangents into a row
    void setAxes(const Vec3& normal, Row& row)
    {
      const auto t = tangents(normal);
      row.axes = {normal, t[0], t[1]};
    }

  } // namespace

  template<int dim>
  NodeToFace<dim>::NodeToFace(std::size_t contact, BodySurface<dim> first, BodySurface<dim> second, std::optional<GapWindow> window, int threads)
    : contact_(contact)
    , first_(std::move(first))
    , second_(std::move(second))
    , window_(window ? *window : defaultWindow<dim>(first_.surface, second_.surface))
    , threads_(threadCount(threads))
  {
    std::vector<Box<dim>> boxes;
    for (const auto& facet : second_.surface.facets) {
      Box<dim>& box = boxes.emplace_back();
      for (Index i : facet.corners())
        box.add(second_.surface.reference[i]);
    }
    tree_ = BoxTree<dim>(boxes);
  }

  template<int dim>
  std::optional<typename NodeToFace<dim>::Foot> NodeToFace<dim>::foot(const Vector& x, std::size_t facet, const std::vector<Vector>& y) const
  {
    const auto& f = second_.surface.facets[facet];
    Foot result{.facet = facet};
    Vector outward;
    if constexpr (dim == 2) {
      const Vector e = y[f.node[1]] - y[f.node[0]];
      result.local[0] = closestOnSegment(x, y[f.node[0]], y[f.node[1]]);
      outward = Vector{e[1], -e[0]} / e.two_norm();
    }
    else {
      std::array<Vec3, 4> corner;
      for (int k = 0; k < f.count; ++k)
        corner[k] = y[f.node[k]];
      result.local = closestOnFacet(x, corner, f.count);
      outward = facetNormal(corner, f.count, result.local[0], result.local[1]);
    }
    result.weight = facetShape<corners>(f.count, result.local[0], result.local[1]);
    Vector d = x;
    for (int k = 0; k < f.count; ++k)
      d.axpy(-result.weight[k], y[f.node[k]]);
    const double distance = d.two_norm(), height = outward * d;
    result.height = std::abs(height);
    result.gap = std::copysign(distance, height);
    // within the facet both directions are the same but for rounding, which would be all there is at a gap of zero
    result.normal = std::abs(height) >= (1 - 1e-9) * distance ? outward : d * (1 / result.gap);
    if (!(result.gap > window_.lower && result.gap < window_.upper))
      return std::nullopt;
    return result;
  }

  template<int dim>
  std::vector<std::optional<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::feet(ConstSpan q) const
  {
    std::vector<Vector> x(first_.surface.node.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = first_.position(i, q);
    return feet(q, x);
  }

  //! Call found(i, foot) for each foot of place i; places are looked at on several threads
  template<int dim>
  template<class F>
  void NodeToFace<dim>::search(ConstSpan q, const std::vector<Vector>& x, F&& found) const
  {
    const std::size_t n = x.size();
    const double reach = std::max(window_.upper, -window_.lower);
    std::vector<Vector> y(second_.surface.node.size());
    Box<dim> box;
    for (std::size_t i = 0; i < n; ++i)
      box.add(x[i]);
    box = box.inflated(reach);
    bool near = false;
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = second_.position(i, q);
    std::vector<Box<dim>> leaves(second_.surface.facets.size());
    for (std::size_t f = 0; f < leaves.size(); ++f) {
      for (Index i : second_.surface.facets[f].corners())
        leaves[f].add(y[i]);
      near = near || leaves[f].overlaps(box);
    }
    if (!near)
      return;
    typename BoxTree<dim>::Boxes boxes;
    tree_.refit(leaves, boxes);
    parallelFor(n, threads_, [&](std::size_t i) {
      Box<dim> own;
      own.add(x[i]);
      tree_.query(boxes, own.inflated(reach), [&](std::size_t facet) {
        if (const auto result = foot(x[i], facet, y))
          found(i, *result);
      });
    }, 256);
  }

  template<int dim>
  std::vector<std::optional<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::feet(ConstSpan q, const std::vector<Vector>& x) const
  {
    const double slack = 1e-9 * std::max(window_.upper, -window_.lower);
    std::vector<std::optional<Foot>> result(x.size());
    search(q, x, [&](std::size_t i, const Foot& found) {
      // of facets that share the closest point the one that faces the node most, which knows on which side it is
      const double difference = result[i] ? std::abs(found.gap) - std::abs(result[i]->gap) : 0;
      if (!result[i] || difference < -slack || (difference <= slack && found.height > result[i]->height))
        result[i] = found;
    });
    return result;
  }

  template<int dim>
  std::vector<std::vector<typename NodeToFace<dim>::Foot>> NodeToFace<dim>::allFeet(ConstSpan q, const std::vector<Vector>& x) const
  {
    std::vector<std::vector<Foot>> result(x.size());
    search(q, x, [&](std::size_t i, const Foot& found) { result[i].push_back(found); });
    for (auto& feet : result)
      std::sort(feet.begin(), feet.end(), [](const Foot& a, const Foot& b) { return a.facet < b.facet; });
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
    const auto all = feet(q);
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
        partners.push_back({second_.dof(facet.node[k]), foot.weight[k], toSpace<dim>(second_.position(facet.node[k], q))});
      Row& row = rows.add();
      row.contact = contact_;
      row.slot = i;
      row.gap = foot.gap;
      row.firstBody = first_.body.bodyIndex;
      row.secondBody = long(second_.body.bodyIndex);
      setAxes(toSpace<dim>(foot.normal), row);
      rows.addFunctional([&](SparseVector& entries) {
        addEntries<dim>(first_.dof(i), row.axes[0], entries);
        for (const Partner& p : partners)
          addEntries<dim>(p.dof, row.axes[0] * -p.weight, entries);
      });
      for (int c = 1; c < rows.components(); ++c)
        rows.addFunctional([&](SparseVector& entries) { addSlip<dim>(first_.dof(i), toSpace<dim>(first_.position(i, q)), partners, row.axes[c], entries); });
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
    GapSet<dim> set;
    coupling_.addGaps(at.time, q, 0, set);
    double smallest = infinity;
    std::vector<Partner> partners;
    const auto place = [&](std::size_t node) { // of the system; its reference is that of its body
      const PointHandle& side = dof(node) >= first_.velocityOffset && dof(node) < first_.velocityOffset + first_.body->velocitySize() ? first_ : *second_;
      return PointHandle{side.body, side.bodyIndex, (dof(node) - side.velocityOffset) / dim, side.configurationOffset, side.velocityOffset}.position(q);
    };
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
      setAxes(toSpace<dim>(set[p].normal) * -1.0, row); // the first side is pushed against its outward normal
      const FieldVector<double, dim> drift = [&] {
        auto path = coupling_.obstacleDisplacement(at.time + at.stepAfter);
        return path -= coupling_.obstacleDisplacement(at.time);
      }();
      const FieldVector<double, dim> drifted = [&] {
        auto path = coupling_.obstacleDisplacement(at.time);
        return path -= coupling_.obstacleDisplacement(at.time - at.stepBefore);
      }();
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
      partners.clear();
      for (const auto& mortar : set.mortar(p))
        partners.push_back({dof(mortar.node), mortar.weight, place(mortar.node)});
      for (int c = 1; c < rows.components(); ++c)
        rows.addFunctional([&](SparseVector& entries) { addSlip<dim>(dof(set[p].node), place(set[p].node), partners, row.axes[c], entries); });
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
