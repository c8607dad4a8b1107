// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
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

    constexpr int moments = FacetMoments<2>::count;

    // Places on an edge, in [0, 1]: projections that miss an end by rounding, and what may be left
    // uncovered.
    constexpr double snap = 1e-11;
    constexpr double uncovered = 1e-8;

    // Interpolated normals shorter than this belong to an edge between sharp bends, or to one with
    // a node without normal (1/2).
    constexpr double shortestNormal = 0.6;

    //! Gradients by a_0, a_1, n_0, n_1, b_0, b_1, z_0, z_1
    using Gradient = std::array<Vector, 8>;

    Gradient zeroGradient()
    {
      Gradient gradient;
      gradient.fill(Vector(0));
      return gradient;
    }

    double snapped(double xi)
    {
      if (std::abs(xi) < snap)
        return 0;
      return std::abs(xi - 1) < snap ? 1 : xi;
    }

    double gapSize(const Kernel::Segment& segment)
    {
      double size = 0;
      for (const auto& point : segment.points)
        size = std::max(size, std::abs(point.gap));
      return size;
    }

    /** \brief Derivative of the projection xi of the mortar node b_k
     *
     *     dxi = -((dx - dy) x n + (x - y) x dn) / (x' x n + (x - y) x n')
     */
    Gradient projectionGradient(const NonmortarFacet<2>& facet, const Vector& y, int k, double xi)
    {
      const Vector x = interpolate(facet.a, xi), n = interpolate(facet.n, xi), w = x - y;
      const Vector dx = facet.a[1] - facet.a[0], dn = facet.n[1] - facet.n[0];
      const double factor = -1 / (cross(dx, n) + cross(w, dn));
      const std::array<double, 2> N{1 - xi, xi};
      Gradient gradient = zeroGradient();
      for (int i = 0; i < 2; ++i) {
        gradient[i].axpy(factor * N[i], rot(n));
        gradient[2 + i].axpy(-factor * N[i], rot(w));
      }
      gradient[4 + k].axpy(-factor, rot(n));
      return gradient;
    }

    //! A gap with its derivatives by the place on the edge and, the place fixed, by the nodes
    struct GapDerivative
    {
      double slope;
      Gradient gradient = zeroGradient();
    };

    /** \brief Derivative of g = s |n| along the normal
     *
     *     ds = m . (dy - dx - s dn) / m . n,   dg = |n| ds + s n . dn / |n|
     *
     * with y at its fixed place eta on the mortar edge; for the slope dy = 0, dx = x', dn = n'.
     */
    GapDerivative rayDerivative(const NonmortarFacet<2>& facet, const Kernel::Point& point)
    {
      const double xi = point.xi;
      const Vector n = interpolate(facet.n, xi);
      const double size = n.two_norm(), s = point.gap / size;
      Vector m = rot(Vector(point.z[1] - point.z[0]));
      m *= size / (m * n);
      Vector byNormal = n;
      byNormal *= s / size;
      byNormal.axpy(-s, m);
      GapDerivative result{byNormal * (facet.n[1] - facet.n[0]) - m * (facet.a[1] - facet.a[0])};
      const std::array<double, 2> N{1 - xi, xi}, eta{1 - point.eta, point.eta};
      for (int i = 0; i < 2; ++i) {
        result.gradient[i].axpy(-N[i], m);
        result.gradient[2 + i].axpy(N[i], byNormal);
        result.gradient[6 + i].axpy(eta[i], m);
      }
      return result;
    }

    //! Derivative of the distance to the closest point y: dg = nu . (dx - dy), y at its fixed
    //! place; the slope is nu . x'
    GapDerivative closestDerivative(const NonmortarFacet<2>& facet, const Kernel::Point& point)
    {
      const Vector t = point.z[1] - point.z[0];
      Vector nu = rot(t) / t.two_norm();
      if (point.place != FootPlace::face)
        nu = (interpolate(facet.a, point.xi) - point.z[point.place == FootPlace::corner0 ? 0 : 1]) /
             point.gap;
      GapDerivative result{nu * (facet.a[1] - facet.a[0])};
      const std::array<double, 2> N{1 - point.xi, point.xi}, eta{1 - point.eta, point.eta};
      for (int i = 0; i < 2; ++i) {
        result.gradient[i].axpy(N[i], nu);
        result.gradient[6 + i].axpy(-eta[i], nu);
      }
      return result;
    }

    //! Integrands of the moments, their derivatives by xi at fixed g, and by g
    struct Integrands
    {
      std::array<double, moments> value, slope, byGap;

      Integrands(double xi, double g)
        : value{(1 - xi) * g, xi * g, 1 - xi, xi, (1 - xi) * (1 - xi), xi * (1 - xi), xi * xi}
        , slope{-g, g, -1, 1, 2 * xi - 2, 1 - 2 * xi, 2 * xi}
        , byGap{1 - xi, xi}
      {}
    };

    //! Columns of the points that a gradient is taken by
    std::array<std::size_t, 8> gradientColumns(const Kernel::Segment& segment,
                                               const Kernel::Point& point)
    {
      return {0, 1, 2, 3, segment.column[0], segment.column[1], point.column[0], point.column[1]};
    }

    //! Points as variables, the first of which has the number i
    template<class Number>
    void setVariables(std::array<Segments::Point<Number>, 2>& target,
                      const std::array<Vector, 2>& values, int i)
    {
      for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 2; ++c)
          target[k][c] = Number::variable(values[k][c], 2 * (i + k) + c);
    }

    //! Second derivative of the contribution of a segment, by the first count of the eight points
    template<int count>
    void addSegmentCurvature(const NonmortarFacet<2>& facet, const Kernel::Segment& segment,
                             const Visibility& facing, std::span<const double> factors,
                             LocalCurvature<2>& sum)
    {
      using Number = Jet<2 * count>;
      Nodes<Number> nodes;
      setVariables(nodes.a, facet.a, 0);
      setVariables(nodes.n, facet.n, 2);
      setVariables(nodes.b, segment.b, 4);
      const auto ends = movingEnds(nodes, segment.ends, segment.moves);
      for (const auto& point : segment.points) {
        if constexpr (count == 8)
          setVariables(nodes.z, point.z, 6);
        Number value = integrate(nodes, ends, point, factors);
        if (segment.weight < 1)
          value = value * facing.weight(facingCosine(nodes.a, nodes.b));
        const auto column = gradientColumns(segment, point);
        for (int i = 0; i < count; ++i)
          for (int j = 0; j < count; ++j)
            for (int c = 0; c < 2; ++c)
              for (int d = 0; d < 2; ++d)
                sum(column[i], column[j])[c][d] += value.derivative(2 * i + c, 2 * j + d);
      }
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

    /** \brief The derivative of the weight of Visibility by a_0, a_1, n_0, n_1, b_0, b_1
     *
     *     c = -t . u / |t| |u|,
     *     dc = -((u - (t . u) t / |t|^2) . dt + (t - (t . u) u / |u|^2) . du) / |t| |u|
     *
     * with the edges t = a_1 - a_0 and u = b_1 - b_0.
     */
    Gradient facingGradient(const NonmortarFacet<2>& facet, const Kernel::Segment& segment,
                            const Visibility& facing)
    {
      const Vector t = facet.a[1] - facet.a[0], u = segment.b[1] - segment.b[0];
      const double lengths = t.two_norm() * u.two_norm();
      const double factor = -facing.weight(facingCosine(facet.a, segment.b)).first[0] / lengths;
      Vector byEdge = u, byMortar = t;
      byEdge.axpy(-(t * u) / t.two_norm2(), t);
      byMortar.axpy(-(t * u) / u.two_norm2(), u);
      Gradient gradient = zeroGradient();
      for (int k = 0; k < 2; ++k) {
        const double sign = k == 0 ? -factor : factor;
        gradient[k].axpy(sign, byEdge);
        gradient[4 + k].axpy(sign, byMortar);
      }
      return gradient;
    }

    //! Values of the moments, and R, from one point of weight w
    void addMoments(double w, const Kernel::Point& point, FacetMoments<2>& q)
    {
      const Integrands f(point.xi, point.gap);
      for (int k = 0; k < moments; ++k)
        q.value[k] += w * f.value[k];
      for (int j = 0; j < 2; ++j) {
        double* R = q.R.data() + j * q.mortar.size();
        R[point.column[0] - 4] += w * f.value[2 + j] * (1 - point.eta);
        R[point.column[1] - 4] += w * f.value[2 + j] * point.eta;
      }
    }

    /** \brief Derivatives of what addMoments() adds, w = weight h J
     *
     *     dq = weight (J f dh + h J (f_xi + f_g g') dxi + h J f_g dg + h f dJ) + dweight h J f
     *
     * with h = hi - lo, xi = lo + position h, J = |a_1 - a_0|; given dlo, dhi and dweight.
     */
    void addMomentDerivatives(const NonmortarFacet<2>& facet, const Kernel::Segment& segment,
                              const Kernel::Point& point, const std::array<Gradient, 2>& ends,
                              const Gradient& facing, FacetMoments<2>& q)
    {
      const Vector dx = facet.a[1] - facet.a[0];
      const double J = dx.two_norm(), weight = point.weight * segment.weight,
                   w = weight * segment.length() * J;
      const Integrands f(point.xi, point.gap);
      const GapDerivative g =
        point.closest ? closestDerivative(facet, point) : rayDerivative(facet, point);
      const auto column = gradientColumns(segment, point);
      for (int k = 0; k < q.moments(); ++k) {
        const auto row = q.row(k);
        const double byPlace = w * (f.slope[k] + f.byGap[k] * g.slope),
                     byLength = weight * J * f.value[k];
        for (int i = 0; i < 8; ++i) {
          row[column[i]].axpy(byPlace * (1 - point.position) - byLength, ends[0][i]);
          row[column[i]].axpy(byPlace * point.position + byLength, ends[1][i]);
          row[column[i]].axpy(w * f.byGap[k], g.gradient[i]);
          row[column[i]].axpy(point.weight * segment.length() * J * f.value[k], facing[i]);
        }
        row[0].axpy(-w * f.value[k] / (J * J), dx);
        row[1].axpy(w * f.value[k] / (J * J), dx);
      }
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

    //! Full, or cut
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

  //! Of the closest points on all edges the nearest; false if there is none, or if it is an end of
  //! the mortar side
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

  //! False if a gap is out of the window
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

  void Kernel::integrate(const NonmortarFacet<2>& facet, bool derivatives, Result& result) const
  {
    auto& q = result.moments;
    const double J = (facet.a[1] - facet.a[0]).two_norm();
    q.R.assign(2 * q.mortar.size(), 0);
    if (derivatives)
      q.derivative.assign(q.moments() * q.columns(), Vector(0));
    for (const Segment& segment : result.segments) {
      for (const Point& point : segment.points)
        addMoments(point.weight * segment.weight * segment.length() * J, point, q);
      if (!derivatives)
        continue;
      const std::array<Gradient, 2> ends{
        segment.moves[0] ? projectionGradient(facet, segment.b[1], 1, segment.ends[0])
                         : zeroGradient(),
        segment.moves[1] ? projectionGradient(facet, segment.b[0], 0, segment.ends[1])
                         : zeroGradient()};
      const Gradient facing =
        segment.weight < 1 ? facingGradient(facet, segment, facing_) : zeroGradient();
      for (const Point& point : segment.points)
        addMomentDerivatives(facet, segment, point, ends, facing, q);
    }
  }

  Kernel::Result Kernel::evaluate(const NonmortarFacet<2>& facet,
                                  std::span<const MortarFacet<2>> mortar, bool derivatives) const
  {
    Result result;
    evaluate(facet, mortar, derivatives, true, result);
    return result;
  }

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

  void Kernel::addCurvature(const NonmortarFacet<2>& facet, const Result& result,
                            std::span<const double> factors, LocalCurvature<2>& sum) const
  {
    for (const Segment& segment : result.segments)
      if (gap_ == MortarGapKind::closestPoint)
        addSegmentCurvature<8>(facet, segment, facing_, factors, sum);
      else
        addSegmentCurvature<6>(facet, segment, facing_, factors, sum);
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
