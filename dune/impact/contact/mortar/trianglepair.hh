// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_TRIANGLEPAIR_HH
#define DUNE_IMPACT_CONTACT_MORTAR_TRIANGLEPAIR_HH

#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <dune/common/fvector.hh>

#include <dune/impact/common/jet.hh>
#include <dune/impact/contact/mortar/clippedtriangle.hh>
#include <dune/impact/contact/mortar/facetmoments.hh>
#include <dune/impact/geometry/trianglerule.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Gap and integrals of a triangle in front of another one, for any type of number
 *
 * A non-mortar triangle a with the nodal normals n, and a mortar triangle b:
 *
 *     e1 = a1 - a0,  e2 = a2 - a0,  N_f = e1 x e2,  J = |N_f|,  m = (b1 - b0) x (b2 - b0)
 *     N = (1 - xi_1 - xi_2, xi_1, xi_2),  x = sum N_i a_i,  dS = J dxi
 *
 * The foot point y = x + s N_f of x on the plane of the mortar triangle lies on the normal of
 * the facet, and the gap is measured there along the interpolated normal, which is not
 * normalised, or along that of the facet:
 *
 *     s = m . (b0 - x) / m . N_f,    g = s W,    W = N_f . sum N_i n_i   or   W = J
 *
 * s and W are affine in xi, hence g is a polynomial of degree two on a triangle, or one.
 */

namespace Dune::Impact::Triangles {

  template<class T>
  using Point = FieldVector<T, 3>;

  template<class T>
  Point<T> minus(const Point<T>& v, const Point<T>& w)
  {
    return {v[0] - w[0], v[1] - w[1], v[2] - w[2]};
  }

  template<class T>
  T dot(const Point<T>& v, const Point<T>& w)
  {
    return v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
  }

  template<class T>
  Point<T> cross(const Point<T>& v, const Point<T>& w)
  {
    return {v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]};
  }

  //! The points that an integral over a part of a facet depends on
  template<class T>
  struct Nodes
  {
    std::array<Point<T>, 3> a, n, b;
  };

  //! The nodes of a pair as 27 variables
  inline Nodes<Jet<27>> variables(const Nodes<double>& nodes)
  {
    Nodes<Jet<27>> result;
    int i = 0;
    for (auto [target, values] : {std::pair(&result.a, &nodes.a), std::pair(&result.n, &nodes.n),
                                  std::pair(&result.b, &nodes.b)})
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c)
          (*target)[k][c] = Jet<27>::variable((*values)[k][c], i++);
    return result;
  }

  //! (b1 - b0) x (b2 - b0): twice the area vector
  template<class T>
  Point<T> normalOf(const std::array<Point<T>, 3>& b)
  {
    return cross(minus(b[1], b[0]), minus(b[2], b[0]));
  }

  //! Orthogonal projection of y into the plane of a: xi_1 = (w x e2) . N_f / J^2, xi_2 = (e1 x w) .
  //! N_f / J^2, w = y - a0
  template<class T>
  Place<T> project(const std::array<Point<T>, 3>& a, const Point<T>& y)
  {
    const auto e1 = minus(a[1], a[0]), e2 = minus(a[2], a[0]), N = cross(e1, e2),
               w = minus(y, a[0]);
    const T JJ = dot(N, N);
    return {dot(cross(w, e2), N) / JJ, dot(cross(e1, w), N) / JJ};
  }

  //! Corners of a clipped triangle as functions of the nodes
  template<class T>
  Place<T> movingCorner(const Corner& corner, const std::array<Place<T>, 3>& image)
  {
    switch (corner.kind) {
    case Corner::Kind::nonmortar:
      return {T(corner.xi[0]), T(corner.xi[1])};
    case Corner::Kind::mortar:
      return image[corner.index];
    default:
      return crossing(image[edgeBegin(corner.index)], image[edgeEnd(corner.index)], corner.line);
    }
  }

  /** \brief Integrals of the products of up to three shape functions over a polygon in the plane of
   * xi
   *
   *     mu_i = int N_i,   mu_ij = int N_i N_j,   mu_ijk = int N_i N_j N_k
   *
   * All values of a facet are linear in them.
   */
  template<class T>
  struct Monomials
  {
    std::array<T, 3> one{};
    std::array<std::array<T, 3>, 3> two{};
    std::array<std::array<std::array<T, 3>, 3>, 3> three{};

    //! Add those of one place with a weight: products of three are made once, the rest follows in
    //! complete()
    void add(const T& weight, const std::array<T, 3>& N)
    {
      for (int i = 0; i < 3; ++i) {
        const T wi = weight * N[i];
        for (int j = 0; j <= i; ++j) {
          const T wij = wi * N[j];
          for (int k = 0; k <= j; ++k)
            three[i][j][k] += wij * N[k];
        }
      }
    }

    //! After the last add(): permutations, and the sums over N_0 + N_1 + N_2 = 1
    void complete()
    {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j)
          for (int k = 0; k <= j; ++k) {
            const T& value = three[i][j][k];
            three[i][k][j] = three[j][i][k] = three[j][k][i] = three[k][i][j] = three[k][j][i] =
              value;
          }
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
          two[i][j] = three[i][j][0] + three[i][j][1] + three[i][j][2];
        one[i] = two[i][0] + two[i][1] + two[i][2];
      }
    }
  };

  template<class T>
  std::array<T, 3> shapeFunctions(const Place<T>& xi)
  {
    return {T(1.0) - xi[0] - xi[1], xi[0], xi[1]};
  }

  //! Triangles of a fan that are smaller than this part of the facet are left out
  constexpr double smallestPart = 1e-14;

  /** \brief Monomials over a polygon: a fan of triangles from the first corner, four points each
   *
   * The polynomials have degree three, hence neither the fan nor the rule matters.
   */
  template<class T>
  Monomials<T> integrateMonomials(std::span<const Place<T>> corners, std::span<const Corner> values)
  {
    Monomials<T> mu;
    for (std::size_t k = 2; k < corners.size(); ++k) {
      if (doubleArea(values[0].xi, values[k - 1].xi, values[k].xi) < smallestPart)
        continue;
      const T half = 0.5 * doubleArea(corners[0], corners[k - 1], corners[k]);
      for (const auto& [place, weight] : fourPointRule()) {
        Place<T> xi;
        for (int c = 0; c < 2; ++c)
          xi[c] =
            place[0] * corners[0][c] + place[1] * corners[k - 1][c] + place[2] * corners[k][c];
        mu.add(weight * half, shapeFunctions(xi));
      }
    }
    mu.complete();
    return mu;
  }

  //! What an integrand over a facet depends on besides the place, with s_i and W_i at the corners
  template<class T>
  struct PairValues
  {
    Point<T> N, m;
    T J, mN; //!< mN = m . N_f
    std::array<T, 3> s, W;

    PairValues(const Nodes<T>& nodes, bool smoothed)
    {
      using std::sqrt;
      N = normalOf(nodes.a);
      m = normalOf(nodes.b);
      J = sqrt(dot(N, N));
      mN = dot(m, N);
      for (int i = 0; i < 3; ++i) {
        s[i] = dot(m, minus(nodes.b[0], nodes.a[i])) / mN;
        W[i] = smoothed ? dot(N, nodes.n[i]) : J;
      }
    }
  };

  //! c = -m . N_f / |m| J, see Visibility
  template<class T>
  T facingCosine(const PairValues<T>& pair)
  {
    using std::sqrt;
    return -pair.mN / (sqrt(dot(pair.m, pair.m)) * pair.J);
  }

  /** \brief sum_k f_k (moment k of FacetMoments) over a polygon
   *
   *     b_j = J sum_ik s_i W_k mu_ijk,   D_j = J mu_j,   M_ij = J mu_ij
   *
   * Monomials of type double belong to a polygon that does not move.
   */
  template<class T, class Number>
  T functional(const Nodes<T>& nodes, const Monomials<Number>& mu, bool smoothed,
               std::span<const double> f)
  {
    const PairValues<T> pair(nodes, smoothed);
    T sum(0.0);
    for (int i = 0; i < 3; ++i) {
      T byPlace(0.0);
      for (int k = 0; k < 3; ++k) {
        Number theta(0.0);
        for (int j = 0; j < 3; ++j)
          theta += f[FacetMoments<3>::b(j)] * mu.three[i][j][k];
        byPlace += pair.W[k] * theta;
      }
      sum += pair.s[i] * byPlace;
      Number area = f[FacetMoments<3>::D(i)] * mu.one[i];
      for (int j = 0; j <= i; ++j)
        area += f[FacetMoments<3>::M(i, j)] * mu.two[i][j];
      sum += T(area);
    }
    return pair.J * sum;
  }

} // namespace Dune::Impact::Triangles

#endif
