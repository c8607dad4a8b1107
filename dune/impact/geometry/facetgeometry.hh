// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_FACETGEOMETRY_HH
#define DUNE_IMPACT_GEOMETRY_FACETGEOMETRY_HH

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <dune/common/fvector.hh>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Points, lines and flat facets: distance, crossing, winding
 *
 * Facets are edges (two dimensions) or triangles (three), oriented outwards.
 */

namespace Dune::Impact {

  template<int dim>
  using FacetCorners = std::array<FieldVector<double, dim>, dim>;

  //! Distance of x from the segment pq
  template<int dim>
  double segmentDistance(const FieldVector<double, dim>& p, const FieldVector<double, dim>& q,
                         const FieldVector<double, dim>& x)
  {
    const auto t = q - p;
    const double length = t.two_norm2(),
                 s = length > 0 ? std::clamp(((x - p) * t) / length, 0.0, 1.0) : 0.0;
    auto foot = p;
    foot.axpy(s, t);
    return (x - foot).two_norm();
  }

  //! Distance of x from a facet: from its plane where the foot lies inside, else from its edges
  template<int dim>
  double facetDistance(const FacetCorners<dim>& a, const FieldVector<double, dim>& x)
  {
    if constexpr (dim == 3) {
      const Vec3 N = cross(a[1] - a[0], a[2] - a[0]);
      bool inside = N.two_norm2() > 0;
      for (int k = 0; k < 3; ++k)
        inside = inside && cross(a[(k + 1) % 3] - a[k], x - a[k]) * N >= 0;
      if (inside)
        return std::abs((x - a[0]) * N) / N.two_norm();
    }
    double distance = segmentDistance<dim>(a[0], a[1], x);
    for (int k = 1; k < dim && dim > 2; ++k)
      distance = std::min(distance, segmentDistance<dim>(a[k], a[(k + 1) % dim], x));
    return distance;
  }

  /** \brief Part of a facet in the winding number about x
   *
   * The angle or solid angle under which x sees the facet, as a part of the whole: summed over a
   * closed surface this is 1 inside and 0 outside. In three dimensions, with the directions r_i
   * to the corners: tan(omega / 2) = r_0 . (r_1 x r_2) / (1 + r_0 . r_1 + r_1 . r_2 + r_2 . r_0).
   */
  template<int dim>
  double windingPart(const FacetCorners<dim>& a, const FieldVector<double, dim>& x)
  {
    FacetCorners<dim> r;
    for (int k = 0; k < dim; ++k) {
      r[k] = a[k] - x;
      if (const double length = r[k].two_norm(); length > 0)
        r[k] /= length;
    }
    if constexpr (dim == 2)
      return std::atan2(r[0][0] * r[1][1] - r[0][1] * r[1][0], r[0] * r[1]) /
             (2 * std::numbers::pi);
    else
      return std::atan2(r[0] * cross(r[1], r[2]), 1 + r[0] * r[1] + r[1] * r[2] + r[2] * r[0]) /
             (2 * std::numbers::pi);
  }

  //! Where the segment pq crosses a facet, 0 at p and 1 at q
  template<int dim>
  std::optional<double> crossing(const FieldVector<double, dim>& p,
                                 const FieldVector<double, dim>& q, const FacetCorners<dim>& a)
  {
    const auto d = q - p, w = p - a[0];
    const auto isInside = [](double s) { return s >= 0 && s <= 1; };
    if constexpr (dim == 2) { // p + t d = a_0 + s e
      const auto e = a[1] - a[0];
      const double det = d[0] * e[1] - d[1] * e[0];
      const double t = -(w[0] * e[1] - w[1] * e[0]) / det, s = -(w[0] * d[1] - w[1] * d[0]) / det;
      if (det != 0 && isInside(t) && isInside(s))
        return t;
    }
    else { // p + t d = a_0 + r e + s f
      const Vec3 e = a[1] - a[0], f = a[2] - a[0], N = cross(e, f), wd = cross(d, w);
      const double det = d * N;
      const double t = -(w * N) / det, r = (f * wd) / det, s = -(e * wd) / det;
      if (det != 0 && isInside(t) && r >= 0 && s >= 0 && r + s <= 1)
        return t;
    }
    return std::nullopt;
  }

} // namespace Dune::Impact

#endif
