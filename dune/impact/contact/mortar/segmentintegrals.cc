// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/contact/mortar/segmentkernel.hh>

/* What the segments of an edge contribute to its moments, with first derivatives by hand and second
 * ones by jets. */

namespace Dune::Impact {

  using namespace Segments;

  namespace {

    using Vector = FieldVector<double, 2>;
    using Kernel = FacetKernel<2>;

    constexpr int moments = FacetMoments<2>::count;

    //! Gradients by a_0, a_1, n_0, n_1, b_0, b_1, z_0, z_1
    using Gradient = std::array<Vector, 8>;

    Gradient zeroGradient()
    {
      Gradient gradient;
      gradient.fill(Vector(0));
      return gradient;
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

  } // namespace

  /* Moments q_k = sum of w f_k(xi, g) over the points of all segments, with w = point.weight
   * segment.weight h J, h = hi - lo and J = |a_1 - a_0|. An end that is the projection of a mortar
   * node moves with the nodes: the first end is that of b_1, the second that of b_0. */
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

  /* Second derivative of sum_k factors_k q_k. The closest-point gap depends also on the edge z of
   * the closest point, which need not be the mortar edge b of the segment: eight points in place
   * of six. */
  void Kernel::addCurvature(const NonmortarFacet<2>& facet, const Result& result,
                            std::span<const double> factors, LocalCurvature<2>& sum) const
  {
    for (const Segment& segment : result.segments)
      if (gap_ == MortarGapKind::closestPoint)
        addSegmentCurvature<8>(facet, segment, facing_, factors, sum);
      else
        addSegmentCurvature<6>(facet, segment, facing_, factors, sum);
  }

} // namespace Dune::Impact
