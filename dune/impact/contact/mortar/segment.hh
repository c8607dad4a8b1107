// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_SEGMENT_HH
#define DUNE_IMPACT_CONTACT_MORTAR_SEGMENT_HH

#include <array>
#include <cmath>
#include <optional>
#include <span>

#include <dune/common/fvector.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Projection, gap and integrals on a piece of an edge, for any type of number
 *
 * An edge x(xi) = N_0 a_0 + N_1 a_1, N = (1 - xi, xi), with the normal n(xi) = N_0 n_0 + N_1 n_1
 * interpolated between its nodes, and an edge of the mortar side from b_0 to b_1. Both have
 * their body on the left, so that they run against each other where they touch. The product
 * v x w = v_x w_y - v_y w_x is that of the plane, rot(t) = (t_y, -t_x) turns clockwise.
 */

namespace Dune::Impact::Segments {

  template<class T>
  using Point = FieldVector<T, 2>;

  template<class T>
  Point<T> minus(const Point<T>& v, const Point<T>& w)
  {
    return {v[0] - w[0], v[1] - w[1]};
  }

  template<class T>
  T dot(const Point<T>& v, const Point<T>& w)
  {
    return v[0] * w[0] + v[1] * w[1];
  }

  template<class T>
  T cross(const Point<T>& v, const Point<T>& w)
  {
    return v[0] * w[1] - v[1] * w[0];
  }

  template<class T>
  Point<T> rot(const Point<T>& t)
  {
    return {t[1], -t[0]};
  }

  template<class T>
  Point<T> interpolate(const std::array<Point<T>, 2>& a, const T& xi)
  {
    return {a[0][0] + xi * (a[1][0] - a[0][0]), a[0][1] + xi * (a[1][1] - a[0][1])};
  }

  //! Coefficients of r(xi) = (x(xi) - y) x n(xi) = r_0 + r_1 xi + r_2 xi^2
  template<class T>
  std::array<T, 3> projectionPolynomial(const std::array<Point<T>, 2>& a,
                                        const std::array<Point<T>, 2>& n, const Point<T>& y)
  {
    const auto w = minus(a[0], y), dx = minus(a[1], a[0]), dn = minus(n[1], n[0]);
    return {cross(w, n[0]), cross(w, dn) + cross(dx, n[0]), cross(dx, dn)};
  }

  //! Root of r where r' < 0: xi = -2 r_0 / (r_1 - sqrt(r_1^2 - 4 r_0 r_2)), also for r_2 = 0
  template<class T>
  T project(const std::array<Point<T>, 2>& a, const std::array<Point<T>, 2>& n, const Point<T>& y)
  {
    using std::sqrt;
    const auto r = projectionPolynomial(a, n, y);
    return -2.0 * r[0] / (r[1] - sqrt(r[1] * r[1] - 4.0 * r[0] * r[2]));
  }

  /** \brief project() where there is a projection
   *
   * At the root r' = -sqrt(discriminant). It is about minus the length of the edge, and zero
   * where y is the focal point of the normals; points near to it or behind it have no projection.
   */
  inline std::optional<double> tryProject(const std::array<Point<double>, 2>& a,
                                          const std::array<Point<double>, 2>& n,
                                          const Point<double>& y)
  {
    const auto r = projectionPolynomial(a, n, y);
    const double discriminant = r[1] * r[1] - 4 * r[0] * r[2];
    const double least = 0.01 * minus(a[1], a[0]).two_norm();
    if (!(r[1] < 0) || !(discriminant > least * least))
      return std::nullopt;
    return -2 * r[0] / (r[1] - std::sqrt(discriminant));
  }

  //! c = -t . u / |t| |u| with the edges t = a_1 - a_0 and u = b_1 - b_0, see Visibility
  template<class T>
  T facingCosine(const std::array<Point<T>, 2>& a, const std::array<Point<T>, 2>& b)
  {
    using std::sqrt;
    const auto t = minus(a[1], a[0]), u = minus(b[1], b[0]);
    return -dot(t, u) / sqrt(dot(t, t) * dot(u, u));
  }

  //! s of the intersection x + s n of a line with the line of the mortar edge: s = m . (b_0 - x) /
  //! m . n, m = rot(b_1 - b_0)
  template<class T>
  T rayLength(const Point<T>& x, const Point<T>& n, const std::array<Point<T>, 2>& b)
  {
    const auto m = rot(minus(b[1], b[0]));
    return dot(m, minus(b[0], x)) / dot(m, n);
  }

  //! Where the closest point of the mortar side lies
  enum class FootPlace { face, corner0, corner1 };

  //! Signed distance: to the line of the edge z, or to one of its corners with the sign of the side
  template<class T>
  T footDistance(const Point<T>& x, const std::array<Point<T>, 2>& z, FootPlace place, double sign)
  {
    using std::sqrt;
    if (place == FootPlace::face) {
      const auto t = minus(z[1], z[0]);
      return dot(rot(t), minus(x, z[0])) / sqrt(dot(t, t));
    }
    const auto d = minus(x, z[place == FootPlace::corner0 ? 0 : 1]);
    return sign * sqrt(dot(d, d));
  }

  //! The points that a piece of an edge depends on
  template<class T>
  struct Nodes
  {
    std::array<Point<T>, 2> a, n, b, z; //!< edge, normals, mortar edge, edge of the closest point
  };

  //! One point of a Gauss rule on [0, 1], and the closest point if that is how gaps are measured
  struct Sample
  {
    double position, weight;
    bool closest = false;
    FootPlace place = FootPlace::face;
    double sign = 1;
  };

  //! Ends of a piece of an edge: those that move are projections, the first of b_1, the second of
  //! b_0
  template<class T>
  std::array<T, 2> movingEnds(const Nodes<T>& nodes, const std::array<double, 2>& ends,
                              const std::array<bool, 2>& moves)
  {
    return {moves[0] ? project(nodes.a, nodes.n, nodes.b[1]) : T(ends[0]),
            moves[1] ? project(nodes.a, nodes.n, nodes.b[0]) : T(ends[1])};
  }

  /** \brief sum_k f_k (contribution of a sample to moment k) of a piece of an edge between two ends
   *
   * The moments are b_0, b_1, D_0, D_1, M_00, M_10, M_11 of FacetMoments; the contributions are
   * weight h J N_j g, weight h J N_j and weight h J N_i N_j at xi = lo + position h, with
   * h = hi - lo and J = |a_1 - a_0|.
   */
  template<class T>
  T integrate(const Nodes<T>& nodes, const std::array<T, 2>& ends, const Sample& sample,
              std::span<const double> f)
  {
    using std::sqrt;
    const T h = ends[1] - ends[0], xi = ends[0] + sample.position * h, N0 = T(1.0) - xi;
    const auto x = interpolate(nodes.a, xi), n = interpolate(nodes.n, xi),
               dx = minus(nodes.a[1], nodes.a[0]);
    const T g = sample.closest ? footDistance(x, nodes.z, sample.place, sample.sign)
                               : rayLength(x, n, nodes.b) * sqrt(dot(n, n));
    T sum = g * (f[0] * N0 + f[1] * xi) + f[2] * N0 + f[3] * xi;
    if (f[4] != 0 || f[5] != 0 || f[6] != 0)
      sum += f[4] * N0 * N0 + f[5] * xi * N0 + f[6] * xi * xi;
    return sample.weight * h * sqrt(dot(dx, dx)) * sum;
  }

} // namespace Dune::Impact::Segments

#endif
