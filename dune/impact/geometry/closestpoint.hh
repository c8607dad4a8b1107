// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_CLOSESTPOINT_HH
#define DUNE_IMPACT_GEOMETRY_CLOSESTPOINT_HH

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Closest points on segments, triangles and bilinear quadrilaterals
 */

namespace Dune::Impact {

  //! The closest point of the segment from a to b: its parameter
  template<class Vector>
  double closestOnSegment(const Vector& x, const Vector& a, const Vector& b)
  {
    const Vector e = b - a;
    return std::clamp((e * (x - a)) / e.two_norm2(), 0.0, 1.0);
  }

  //! Feet p + s u and q + t v of the common perpendicular of two segments
  struct CommonPerpendicular
  {
    double s, t;
    double square; //!< |u x v|^2
  };

  /** \brief Where two segments that cross are nearest, between their ends: from u.(w + t v - s u) =
   * 0 and the same with v, w = q - p
   *
   * Nothing if a foot is not between the ends, or if the segments are parallel.
   *
   * \param parallel  square of the sine of the angle up to which they count as such
   */
  template<class Vector>
  std::optional<CommonPerpendicular> commonPerpendicular(const Vector& u, const Vector& v,
                                                         const Vector& w, double parallel)
  {
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), determinant = uu * vv - uv * uv;
    if (!(determinant > parallel * uu * vv))
      return {};
    const double s = (vv * u.dot(w) - uv * v.dot(w)) / determinant,
                 t = (uv * u.dot(w) - uu * v.dot(w)) / determinant;
    if (!(s > 0 && s < 1 && t > 0 && t < 1))
      return {};
    return CommonPerpendicular{s, t, determinant};
  }

  //! Distance of the segments ab and cd: at an end of one of them unless the feet of the common
  //! perpendicular are inside of both
  template<class Vector>
  double segmentsDistance(const Vector& a, const Vector& b, const Vector& c, const Vector& d)
  {
    const auto fromEnd = [](const Vector& x, const Vector& p, const Vector& q) {
      Vector foot = p;
      foot.axpy(closestOnSegment(x, p, q), q - p);
      return (foot - x).two_norm();
    };
    const double distance =
      std::min({fromEnd(a, c, d), fromEnd(b, c, d), fromEnd(c, a, b), fromEnd(d, a, b)});
    const Vector u = b - a, v = d - c, w = c - a;
    const auto feet = commonPerpendicular(u, v, w, 1e-12);
    if (!feet)
      return distance;
    Vector across = w;
    across.axpy(feet->t, v);
    across.axpy(-feet->s, u);
    return std::min(distance, across.two_norm());
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

  //! A place x over a triangle: the foot of its perpendicular is y0 + u a + v b with (u, v) = (s,
  //! t)/determinant
  struct TrianglePlace
  {
    Vec3 a, b, r; //!< y1 - y0, y2 - y0, x - y0
    double aa, bb, ab, determinant, s, t;

    TrianglePlace(const Vec3& x, const Vec3& y0, const Vec3& y1, const Vec3& y2)
      : a(y1 - y0)
      , b(y2 - y0)
      , r(x - y0)
      , aa(a.two_norm2())
      , bb(b.two_norm2())
      , ab(a * b)
      , determinant(aa * bb - ab * ab)
    {
      const double ra = r * a, rb = r * b;
      s = bb * ra - ab * rb;
      t = aa * rb - ab * ra;
    }

    //! False if the sine of the angle at y0 is too small
    bool isRegular(double sine) const { return determinant > sine * sine * aa * bb; }

    /* True if the triangle is surely farther away than a distance: the foot has a negative
     * coordinate s/D, and is |s|/D heights of the triangle, sqrt(D)/|edge| each, behind that edge.
     * Without a division or a root. */
    bool isBeyond(double distance) const
    {
      const double w = determinant - s - t, bound = distance * distance * determinant * (1 + 1e-6);
      return isRegular(1e-3) && ((s < 0 && s * s > bound * bb) || (t < 0 && t * t > bound * aa) ||
                                 (w < 0 && w * w > bound * (aa + bb - 2 * ab)));
    }

    //! True if all barycentric coordinates of the foot are above a number
    bool isWithin(double least) const
    {
      return std::min({s, t, determinant - s - t}) > least * determinant;
    }

    //! (u, v), corrected once, so that x minus the foot is normal to the triangle but for rounding
    std::array<double, 2> coordinates() const
    {
      const double factor = 1 / determinant, u = s * factor, v = t * factor;
      Vec3 rest = r;
      rest.axpy(-u, a);
      rest.axpy(-v, b);
      const double ra = rest * a, rb = rest * b;
      return {u + (bb * ra - ab * rb) * factor, v + (aa * rb - ab * ra) * factor};
    }
  };

  //! The foot of the perpendicular on a triangle, if it lies within
  inline bool perpendicularOnTriangle(const Vec3& x, const std::array<Vec3, 4>& y, double& u,
                                      double& v)
  {
    const TrianglePlace place(x, y[0], y[1], y[2]);
    if (!(place.determinant > 0))
      return false;
    const auto [s, t] = place.coordinates();
    u = s;
    v = t;
    return u >= 0 && v >= 0 && u + v <= 1;
  }

  /** \brief The foot of the perpendicular on a bilinear facet, if it lies within
   *
   * Newton's method for (x - y(u,v)) . dy = 0, which for a parallelogram takes one step.
   */
  inline bool perpendicularOnQuadrilateral(const Vec3& x, const std::array<Vec3, 4>& y, double& u,
                                           double& v)
  {
    u = v = 0.5;
    const Vec3 twist = y[0] - y[1] + y[2] - y[3], a0 = y[1] - y[0], b0 = y[3] - y[0];
    for (int iteration = 0; iteration < 20; ++iteration) {
      Vec3 a = a0, b = b0, r = x - y[0];
      a.axpy(v, twist);
      b.axpy(u, twist);
      r.axpy(-u, a0);
      r.axpy(-v, b0);
      r.axpy(-u * v, twist);
      const double aa = a.two_norm2(), bb = b.two_norm2(), ab = a * b - r * twist, ra = r * a,
                   rb = r * b;
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
    return u >= 0 && v >= 0 && u <= 1 && v <= 1;
  }

  //! The normal of a facet at a place, outwards
  inline Vec3 facetNormal(const std::array<Vec3, 4>& y, int count, double u, double v)
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
  inline std::array<double, 2> closestOnFacet(const Vec3& x, const std::array<Vec3, 4>& y,
                                              int count)
  {
    double u, v;
    if (count == 3 ? perpendicularOnTriangle(x, y, u, v) : perpendicularOnQuadrilateral(x, y, u, v))
      return {u, v};
    static constexpr std::array<std::array<double, 2>, 3> triangle = {{{0, 0}, {1, 0}, {0, 1}}};
    static constexpr std::array<std::array<double, 2>, 4> square = {
      {{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    double best = std::numeric_limits<double>::infinity();
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

} // namespace Dune::Impact

#endif
