// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_TRIANGLECOVER_HH
#define DUNE_IMPACT_CONTACT_MORTAR_TRIANGLECOVER_HH

#include <array>
#include <vector>

#include <dune/impact/contact/mortar/trianglepair.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief How polygons that see one mortar triangle each cover a triangle
 */

namespace Dune::Impact::Triangles {

  //! The part of a facet that sees one mortar triangle
  struct Piece
  {
    Nodes<double> nodes;
    //! of the mortar nodes; their numbers before they have columns
    std::array<std::size_t, 3> column;
    std::array<bool, 3> boundary; //!< as in MortarFacet
    int layer;
    Point<double> normal; //!< of the mortar triangle, as long as twice its area
    //! [k][i]: shape function k of the mortar triangle under corner i of the facet
    std::array<std::array<double, 3>, 3> eta;
    std::array<double, 3> height; //!< of its plane over the corners of the facet
    ClippedTriangle polygon;
    Monomials<double> mu; //!< where curvature or a cut facet needs them
    double weight;        //!< by Visibility
    double farthest;      //!< largest distance along the normal of the facet
  };

  /** \brief What may be left uncovered by rounding
   *
   * As a part of the facet, and as a length beside its sides, which are about one.
   */
  constexpr double uncovered = 1e-9;

  //! Of polygons of one layer that overlap the nearer ones stay, in their order
  void keepNearest(std::vector<Piece>& pieces);

  //! Areas times weights, as a part of the facet; layer is the weight of a layer
  double coveredFraction(const std::vector<Piece>& pieces, double layer);

  //! Is the side of a polygon from corner i on a mortar edge, and inside of the facet?
  bool isInner(const ClippedTriangle& polygon, std::size_t i);

  //! Does the mortar side end, or turn away, inside of the facet? Then the gap jumps there
  bool endsInside(const std::vector<Piece>& pieces);

  //! Do polygons end inside of the facet at a mortar edge that is none of its ends, for lack of a
  //! neighbour? Nodes or columns
  bool hasOpenSides(const std::vector<Piece>& pieces);

} // namespace Dune::Impact::Triangles

#endif
