// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_SEGMENTKERNEL_HH
#define DUNE_IMPACT_CONTACT_MORTAR_SEGMENTKERNEL_HH

#include <span>
#include <vector>

#include <dune/impact/contact/mortar/facetkernel.hh>
#include <dune/impact/contact/mortar/segment.hh>
#include <dune/impact/geometry/boxtree.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Integration over edges: mortar contact in two dimensions
 */

namespace Dune::Impact {

  /** \brief Cuts an edge into segments that see one mortar edge each
   *
   * The nodes of a mortar edge are projected onto the edge along the interpolated normals; the
   * image, clipped to [0, 1], is a segment with three Gauss points. A segment counts if its gaps
   * lie in the window. Of two segments that overlap the nearer one counts.
   *
   *     smoothed normal:  y = x + s n,  s = m . (b_0 - x) / m . n,  g = s |n|
   *     closest point:    g = distance to the closest of the mortar edges, < 0 behind them
   *
   * Segments whose mortar edge turns away count with the weight of Visibility. The derivatives are
   * those of the discrete sums, ends of segments included.
   */
  template<>
  class FacetKernel<2>
  {
  public:
    using Vector = FieldVector<double, 2>;

    //! A sample with its gap, and the mortar edge whose shape functions belong to it
    struct Point : Segments::Sample
    {
      std::array<Vector, 2> z;
      std::array<std::size_t, 2> column; //!< of the corners of z
      double xi, gap, eta;               //!< eta: place on z
    };

    //! The part of a facet that faces one mortar edge
    struct Segment
    {
      std::array<Vector, 2> b;           //!< mortar edge
      std::array<std::size_t, 2> column; //!< of its nodes
      std::array<double, 2> ends;        //!< in [0, 1], increasing
      std::array<bool, 2> moves;         //!< an end is the projection of b_1, b_0 and not a corner
      double weight;                     //!< by Visibility
      std::vector<Point> points;

      double length() const { return ends[1] - ends[0]; }
    };

    //! Integrals over a facet, and the segments they are sums of
    struct Result
    {
      FacetMoments<2> moments;
      std::vector<Segment> segments;

      void clearParts() { segments.clear(); }
    };

    FacetKernel(const MortarSettings& settings, const GapWindow& window, int layers = 1);

    double reach() const;
    Box<2> searchBox(const std::array<Vector, 2>& corners) const;
    Result evaluate(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                    bool derivatives) const;
    void evaluate(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                  bool derivatives, bool parts, Result& result) const;
    void addCurvature(const NonmortarFacet<2>& facet, const Result& result,
                      std::span<const double> factors, LocalCurvature<2>& sum) const;

    //! Smallest gap of the points of the rule, and where it is
    double smallestGap(const NonmortarFacet<2>& facet, const Result& result, Vector& place) const;

  private:
    struct GaussPoint
    {
      double position, weight;
    };

    std::optional<Segment> makeSegment(const NonmortarFacet<2>& facet,
                                       const MortarFacet<2>& mortar) const;
    bool addPoints(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                   std::size_t index, Segment& segment) const;
    bool setRayPoint(const NonmortarFacet<2>& facet, const MortarFacet<2>& mortar,
                     Point& point) const;
    bool setClosestPoint(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                         Point& point) const;
    void addWholeEdge(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                      Result& result) const;
    void addSegments(const NonmortarFacet<2>& facet, std::span<const MortarFacet<2>> mortar,
                     Result& result) const;
    void integrate(const NonmortarFacet<2>& facet, bool derivatives, Result& result) const;

    MortarGapKind gap_;
    Visibility facing_;
    GapWindow window_;
    bool whole_; //!< no segments
    std::vector<GaussPoint> rule_;
  };

} // namespace Dune::Impact

#endif
