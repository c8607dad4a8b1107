// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_TRIANGLEKERNEL_HH
#define DUNE_IMPACT_CONTACT_MORTAR_TRIANGLEKERNEL_HH

#include <optional>
#include <span>
#include <vector>

#include <dune/impact/contact/mortar/facetkernel.hh>
#include <dune/impact/contact/mortar/trianglecover.hh>
#include <dune/impact/geometry/boxtree.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Integration over triangles: mortar contact in three dimensions
 */

namespace Dune::Impact {

  /** \brief Cuts a triangle into polygons that see one mortar triangle each
   *
   * Mortar triangles are projected into the plane of the facet, along its normal, and clipped
   * there; the images of neighbours tile the facet. A polygon counts if its distances along the
   * normal of the facet lie in the window. Of two polygons that overlap the nearer one counts.
   *
   * Derivatives are those with polygons that do not move: the gap is continuous across the images
   * of mortar edges, so that what one polygon gains at an edge its neighbour loses. The sum over
   * the polygons of a facet is an exact derivative, a single polygon's part is not. Only where the
   * mortar side ends or turns away nobody loses, or less, and the flux through the moving edge is
   * added:
   *
   *     d int f = int df + J int f (v_1 E_2 - v_2 E_1) dsigma
   *
   * along the edge E = Q - P with the velocity v of its points. Polygons whose mortar triangle
   * turns away count with the weight of Visibility.
   */
  template<>
  class FacetKernel<3>
  {
  public:
    using Vector = FieldVector<double, 3>;

    using Piece = Triangles::Piece;

    //! Integrals over a facet, and the pieces they are sums of
    struct Result
    {
      FacetMoments<3> moments;
      std::vector<Piece> pieces;

      void clearParts() { pieces.clear(); }
    };

    FacetKernel(const MortarSettings& settings, const GapWindow& window, int layers = 1);

    double reach() const;
    Box<3> searchBox(const std::array<Vector, 3>& corners) const;
    Result evaluate(const NonmortarFacet<3>& facet, std::span<const MortarFacet<3>> mortar,
                    bool derivatives) const;
    void evaluate(const NonmortarFacet<3>& facet, std::span<const MortarFacet<3>> mortar,
                  bool derivatives, bool parts, Result& result) const;
    void addCurvature(const NonmortarFacet<3>& facet, const Result& result,
                      std::span<const double> factors, LocalCurvature<3>& sum) const;

    //! Smallest gap of the corners of the polygons, and where it is
    double smallestGap(const NonmortarFacet<3>& facet, const Result& result, Vector& place) const;

  private:
    struct Plane;
    void addPiece(const NonmortarFacet<3>& facet, const Plane& plane, const MortarFacet<3>& mortar,
                  std::vector<Piece>& pieces) const;
    void setCover(Result& result) const;
    static void setMonomials(Piece& piece);
    void integrateCut(bool derivatives, Result& result) const;
    void integrate(bool derivatives, bool parts, Result& result) const;
    void addFrozenCurvature(const Piece& piece, std::span<const double> factors,
                            LocalCurvature<3>& sum) const;
    void addMovingCurvature(const Piece& piece, std::span<const double> factors,
                            LocalCurvature<3>& sum) const;

    bool smoothed_; //!< gap along nodal normals
    Visibility facing_;
    GapWindow window_;
    double weight_; //!< of a layer
  };

} // namespace Dune::Impact

#endif
