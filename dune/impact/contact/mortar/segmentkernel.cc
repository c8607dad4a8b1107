// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/geometry/quadraturerules.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/segmentkernel.hh>

namespace Dune::Impact {

  using namespace Segments;

  namespace {

    using Vector = FieldVector<double, 2>;
    using Kernel = FacetKernel<2>;

    // Places on an edge, in [0, 1]: projections that miss an end by rounding, and what may be left
    // uncovered.
    constexpr double snap = 1e-11;
    constexpr double uncovered = 1e-8;

    // Interpolated normals shorter than this belong to an edge between sharp bends, or to one with
    // a node without normal (1/2).
    constexpr double shortestNormal = 0.6;

    double snapped(double xi)
    {
      if (std::abs(xi) < snap)
        return 0;
      return std::abs(xi - 1) < snap ? 1 : xi;
    }

    //! Largest |gap| of the points of a segment, by which segments are ordered
    double gapSize(const Kernel::Segment& segment)
    {
      double size = 0;
      for (const auto& point : segment.points)
        size = std::max(size, std::abs(point.gap));
      return size;
    }

    //! 1 in front of a corner, -1 behind it, by the sum of the unit normals of the edges that meet
    //! there
    double sideOfCorner(std::span<const MortarFacet<2>> mortar, Index node, const Vector& direction)
    {
      Vector normal(0);
      for (const auto& edge : mortar)
        if (edge.node[0] == node || edge.node[1] == node) {
          const Vector t = edge.y[1] - edge.y[0];
          normal += rot(t) / t.two_norm();
        }
      return normal * direction < 0 ? -1 : 1;
    }

    //! Nodes become columns
    void number(Kernel::Result& result)
    {
      auto& nodes = result.moments.mortar;
      const auto columnOf = [&](std::size_t node) {
        const auto place = std::find(nodes.begin(), nodes.end(), Index(node));
        const std::size_t column = 4 + (place - nodes.begin());
        if (place == nodes.end())
          nodes.push_back(Index(node));
        return column;
      };
      for (auto& segment : result.segments) {
        for (auto& column : segment.column)
          column = columnOf(column);
        for (auto& point : segment.points)
          for (auto& column : point.column)
            column = columnOf(column);
      }
    }

    //! Cover of the edge: full if segments of weight one cover it up to rounding, otherwise cut.
    //! The fraction is the sum of the lengths times the weights.
    void setCover(Kernel::Result& result)
    {
      auto& [moments, segments] = result;
      if (segments.empty())
        return;
      double length = 0;
      bool whole = true;
      for (const auto& segment : segments) {
        length += segment.length();
        moments.fraction += segment.weight * segment.length();
        whole = whole && segment.weight == 1;
      }
      moments.cover = whole && length > 1 - uncovered ? Cover::full : Cover::cut;
    }

  } // namespace

  Kernel::FacetKernel(const MortarSettings& settings, const GapWindow& window, int)
    : gap_(settings.gap)
    , facing_(settings.facing)
    , window_(window)
    , whole_(settings.facetPoints > 0)
  {
    if (gap_ == MortarGapKind::facetNormal)
      throw InputError("the facet-normal gap is possible only in three dimensions");
    if (whole_ && gap_ != MortarGapKind::closestPoint)
      throw InputError(
        "a fixed number of points per facet is possible only with the closest-point gap");
    const int points = whole_ ? settings.facetPoints : 3;
    for (const auto& point : QuadratureRules<double, 1>::rule(GeometryTypes::line, 2 * points - 1))
      rule_.push_back({point.position()[0], point.weight()});
  }

  double Kernel::reach() const
  {
    return std::max(window_.upper, -window_.lower) / shortestNormal;
  }

  Box<2> Kernel::searchBox(const std::array<Vector, 2>& corners) const
  {
    Box<2> box;
    for (const Vector& corner : corners)
      box.add(corner);
    return box.inflated(reach());
  }

  /* Image of a mortar edge on the facet: the projections of b_1 and b_0 along the interpolated
   * normal, in this order because the edges run against each other, clipped to [0, 1]. A clipped
   * end is a corner of the facet and does not move. Nothing without visibility weight. */
  std::optional<Kernel::Segment> Kernel::makeSegment(const NonmortarFacet<2>& facet,
                                                     const MortarFacet<2>& mortar) const
  {
    const auto end = tryProject(facet.a, facet.n, mortar.y[0]),
               begin = tryProject(facet.a, facet.n, mortar.y[1]);
    if (!begin || !end)
      return std::nullopt;
    const double lo = snapped(*begin), hi = snapped(*end);
    Segment segment{.b = mortar.y,
                    .column = {mortar.node[0], mortar.node[1]},
                    .ends = {std::max(lo, 0.0), std::min(hi, 1.0)},
                    .moves = {lo > 0, hi < 1},
                    .weight = facing_.weight(facingCosine(facet.a, mortar.y)).value,
                    .points = {}};
    if (!(segment.length() > snap) || !(segment.weight > 0))
      return std::nullopt;
    return segment;
  }

  //! Gap along the normal: y = x + s n on the line of the mortar edge, g = s |n|, and the place eta
  //! = (y - b_0) . t/|t|^2 with t = b_1 - b_0. False if n meets the edge from behind, m . n >= 0.
  bool Kernel::setRayPoint(const NonmortarFacet<2>& facet, const MortarFacet<2>& mortar,
                           Point& point) const
  {
    const Vector x = interpolate(facet.a, point.xi), n = interpolate(facet.n, point.xi),
                 t = mortar.y[1] - mortar.y[0];
    const double s = rayLength(x, n, mortar.y);
    point.z = mortar.y;
    point.column = {mortar.node[0], mortar.node[1]};
    point.gap = s * n.two_norm();
    point.eta = ((x + s * n - mortar.y[0]) * t) / t.two_norm2();
    return rot(t) * n < 0;
  }

  /* Nearest of the closest points on all mortar edges. At a corner the sign of the gap comes from
   * the normals of both edges there. False without edges, or if the point is an end of the mortar
   * side. */
  bool Kernel::setClosestPoint(const NonmortarFacet<2>& facet,
                               std::span<const MortarFacet<2>> mortar, Point& point) const
  {
    const Vector x = interpolate(facet.a, point.xi);
    double least = std::numeric_limits<double>::infinity();
    const MortarFacet<2>* nearest = nullptr;
    for (const auto& edge : mortar) {
      const Vector t = edge.y[1] - edge.y[0];
      const double eta = std::clamp(((x - edge.y[0]) * t) / t.two_norm2(), 0.0, 1.0);
      const double distance = (x - interpolate(edge.y, eta)).two_norm();
      if (distance < least) {
        least = distance;
        nearest = &edge;
        point.eta = eta;
      }
    }
    if (!nearest)
      return false;
    point.closest = true;
    point.z = nearest->y;
    point.column = {nearest->node[0], nearest->node[1]};
    const bool inside = point.eta > 0 && point.eta < 1;
    const int corner = point.eta == 0 ? 0 : 1;
    // in a corner itself an edge tells the side
    if (!inside && least > snap * (facet.a[1] - facet.a[0]).two_norm()) {
      point.place = corner == 0 ? FootPlace::corner0 : FootPlace::corner1;
      point.sign = sideOfCorner(mortar, nearest->node[corner], x - point.z[corner]);
    }
    point.gap = footDistance(x, point.z, point.place, point.sign);
    return inside || !nearest->boundary[1 - corner];
  }

  //! Points of the rule on a segment; false if a gap is out of the window, or if a point does not
  //! see the mortar side
  bool Kernel::addPoints(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                         std::size_t index, Segment& segment) const
  {
    for (const auto& [position, weight] : rule_) {
      Point point;
      point.position = position;
      point.weight = weight;
      point.xi = segment.ends[0] + position * segment.length();
      bool seen;
      if (gap_ == MortarGapKind::smoothedNormal)
        seen = setRayPoint(facet, mortar[index], point);
      else
        seen = setClosestPoint(facet, mortar, point) || !whole_;
      if (!seen || !(point.gap > window_.lower && point.gap < window_.upper))
        return false;
      segment.points.push_back(point);
    }
    return true;
  }

  //! Segments of all mortar edges. Of segments that overlap the one with the smallest gapSize()
  //! stays, so that a surface hides what is behind it.
  void Kernel::addSegments(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                           Result& result) const
  {
    std::vector<Segment> found;
    for (std::size_t i = 0; i < mortar.size(); ++i)
      if (auto segment = makeSegment(facet, mortar[i]);
          segment && addPoints(facet, mortar, i, *segment))
        found.push_back(std::move(*segment));
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return gapSize(a) < gapSize(b); });
    auto& segments = result.segments;
    for (auto& segment : found) {
      const auto overlaps = [&](const Segment& other) {
        return std::min(segment.ends[1], other.ends[1]) - std::max(segment.ends[0], other.ends[0]) >
               uncovered;
      };
      if (std::none_of(segments.begin(), segments.end(), overlaps))
        segments.push_back(std::move(segment));
    }
    std::sort(segments.begin(), segments.end(),
              [](const auto& a, const auto& b) { return a.ends[0] < b.ends[0]; });
  }

  //! Whole edge as one segment with fixed ends; rejected unless all points see the mortar side
  void Kernel::addWholeEdge(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                            Result& result) const
  {
    Segment edge{
      .b = {}, .column = {}, .ends = {0, 1}, .moves = {false, false}, .weight = 1, .points = {}};
    if (!addPoints(facet, mortar, 0, edge)) {
      result.moments.cover = Cover::rejected;
      return;
    }
    edge.b = edge.points.front().z; // of no influence
    edge.column = edge.points.front().column;
    result.segments.push_back(std::move(edge));
  }

  Kernel::Result Kernel::evaluate(const NonmortarFacet<2>& facet,
                                  std::span<const MortarFacet<2>> mortar, bool derivatives) const
  {
    Result result;
    evaluate(facet, mortar, derivatives, true, result);
    return result;
  }

  //! Segments, cover, columns, then integrals. An edge between sharp bends, with an interpolated
  //! normal in the middle that is shorter than shortestNormal, is rejected.
  void Kernel::evaluate(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                        bool derivatives, bool parts, Result& result) const
  {
    result.moments.clear();
    result.segments.clear();
    if (interpolate(facet.n, 0.5).two_norm() < shortestNormal) {
      result.moments.cover = Cover::rejected;
      return;
    }
    if (whole_)
      addWholeEdge(facet, mortar, result);
    else
      addSegments(facet, mortar, result);
    setCover(result);
    number(result);
    if (result.moments.contributes())
      integrate(facet, derivatives, result);
    if (!parts)
      result.segments.clear();
  }

  double Kernel::smallestGap(const NonmortarFacet<2>& facet, const Result& result,
                             Vector& place) const
  {
    double least = std::numeric_limits<double>::infinity();
    for (const Segment& segment : result.segments)
      for (const Point& point : segment.points)
        if (point.gap < least) {
          least = point.gap;
          place = interpolate(facet.a, point.xi);
        }
    return least;
  }

} // namespace Dune::Impact
