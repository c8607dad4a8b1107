// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_TRIANGLEDERIVATIVE_HH
#define DUNE_IMPACT_CONTACT_MORTAR_TRIANGLEDERIVATIVE_HH

#include <array>
#include <span>

#include <dune/impact/contact/mortar/trianglecover.hh>
#include <dune/impact/contact/mortar/visibility.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief First derivatives of integrals over the part of a triangle that sees one mortar triangle
 */

namespace Dune::Impact::Triangles {

  //! Gradients by a_0, a_1, a_2, n_0, n_1, n_2, b_0, b_1, b_2
  using Gradient = std::array<Point<double>, 9>;

  inline Gradient zeroGradient()
  {
    Gradient gradient;
    gradient.fill(Point<double>(0));
    return gradient;
  }

  //! Values of a pair at the corners of the facet, with the places eta_k of the foot points on the
  //! mortar triangle
  struct Pair : PairValues<double>
  {
    std::array<Point<double>, 3> a, n;
    bool smoothed;
    std::array<std::array<double, 3>, 3> eta; //!< [k][i]: eta_k at corner i

    Pair(const Nodes<double>& nodes, bool smoothed)
      : PairValues<double>(nodes, smoothed)
      , a(nodes.a)
      , n(nodes.n)
      , smoothed(smoothed)
    {
      const Point<double> d1 = nodes.b[1] - nodes.b[0], d2 = nodes.b[2] - nodes.b[0];
      const double mm = m.two_norm2();
      for (int i = 0; i < 3; ++i) {
        Point<double> w = nodes.a[i] - nodes.b[0];
        w.axpy(s[i], N);
        eta[1][i] = (Impact::cross(w, d2) * m) / mm;
        eta[2][i] = (Impact::cross(d1, w) * m) / mm;
        eta[0][i] = 1 - eta[1][i] - eta[2][i];
      }
    }
  };

  //! J sum_ik s_i W_k mu_ijk
  double gapMoment(const Pair& pair, const Monomials<double>& mu, int j);

  /** \brief Add the derivative of b_j, times a factor, over a polygon that does not move
   *
   *     ds = m . (sum eta_k db_k - sum N_i da_i - s dN_f) / m . N_f
   *     dg = W ds + s dW,   dW = n . dN_f + N_f . dn   or   dW = dJ = n_f . dN_f
   *     db_j = int N_j (J dg + g dJ)
   *
   * \param column where each of the nine nodes is in the row
   */
  void addGapGradient(double factor, const Pair& pair, const Monomials<double>& mu, int j,
                      const std::array<std::size_t, 9>& column, std::span<Point<double>> row);

  //! The derivative of J = |N_f|, dJ = n_f . dN_f
  Gradient areaGradient(const Pair& pair);

  /** \brief The derivative of the weight of a pair
   *
   *     c = -m . N_f / |m| J,
   *     dc = -((N_f - mN m / |m|^2) . dm + (m - mN N_f / J^2) . dN_f) / |m| J
   */
  Gradient facingGradient(const Pair& pair, const std::array<Point<double>, 3>& b,
                          const Visibility& facing);

  //! The integrands of the moments of FacetMoments at a place
  std::array<double, FacetMoments<3>::count> integrands(const Pair& pair,
                                                        const std::array<double, 3>& N);

  //! A point of a side that moves: weight of Gauss, shape functions, and the derivative V of the
  //! area that the side sweeps there
  struct SweptPoint
  {
    double weight;
    std::array<double, 3> N;
    Gradient V;
  };

  /** \brief Three Gauss points of the side from corner i of a polygon, which a mortar edge carries
   *
   * V = v_1 E_2 - v_2 E_1 with the side E and the velocity v of its points.
   */
  std::array<SweptPoint, 3> sweptPoints(const Pair& pair, const Piece& piece, std::size_t i);

} // namespace Dune::Impact::Triangles

#endif
