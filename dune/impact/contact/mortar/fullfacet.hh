// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_FULLFACET_HH
#define DUNE_IMPACT_CONTACT_MORTAR_FULLFACET_HH

#include <span>

#include <dune/impact/contact/mortar/facetmoments.hh>
#include <dune/impact/contact/mortar/trianglecover.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Integrals over a triangle that is covered wholly
 */

namespace Dune::Impact::Triangles {

  /** \brief Moments of a facet that is covered wholly, with their derivatives
   *
   * The same as the sum over the pieces by PairValues and addGapGradient(), arranged for speed.
   * With the unit normal n_f of the facet, the heights h_i = J s_i of the mortar plane over its
   * corners, omega_k = n_f . n_k (or one) and nu = m / (m . n_f), each piece has
   *
   *     w_jl = sum_k omega_k mu_jlk,   g_jl = sum_k h_k mu_jlk,   beta_j = sum_l h_l w_jl,
   *
   * and J times the sums over the pieces are
   *
   *     b_j:            beta_j
   *     db_j by a_l:    -w_jl nu, and the derivative of byArea_j . N_f / J
   *     db_j by n_l:    g_jl n_f
   *     db_j by b_k:    (sum_i eta_k(i) w_ji) nu
   *     byArea_j:       beta_j (n_f - nu) + sum_l g_jl n_l    (or + n_f sum_l g_jl)
   *
   * Columns of the pieces must be set, and R and the derivatives of the moments be zero and large
   * enough.
   *
   * \param weight of a layer
   */
  void integrateWhole(std::span<const Piece> pieces, bool smoothed, double weight, bool derivatives,
                      FacetMoments<3>& moments);

} // namespace Dune::Impact::Triangles

#endif
