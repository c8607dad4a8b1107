// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_MORTARGAP_HH
#define DUNE_IMPACT_CONTACT_MORTAR_MORTARGAP_HH

#include <optional>
#include <vector>

#include <dune/impact/contact/mortar/flatfacets.hh>
#include <dune/impact/contact/mortar/gapstencil.hh>
#include <dune/impact/contact/mortar/mortarsettings.hh>
#include <dune/impact/contact/mortar/normalfield.hh>
#include <dune/impact/contact/mortar/segmentkernel.hh>
#include <dune/impact/contact/mortar/trianglekernel.hh>
#include <dune/impact/contact/mortar/weightedgaps.hh>
#include <dune/impact/geometry/boxtree.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Gaps between two surfaces: dual-basis mortar contact
 */

namespace Dune::Impact {

  //! The smallest distance between two surfaces within the window; negative where they overlap
  template<int dim>
  struct WorstGap
  {
    double gap;
    FieldVector<double, dim> place; //!< on the non-mortar side
    std::size_t facet;              //!< of the non-mortar side
  };

  /** \brief Weighted gaps of the nodes p of the non-mortar side, at edges of the body one for each
   * face
   *
   *     c_p = int psi_p g ds   over the deformed non-mortar surface,
   *     D_p = int N_p ds,   m_pj = int psi_p N_j ds / D_p   for the nodes j of the mortar side,
   *
   * with the dual basis psi_p of its facets and the gap g to the mortar side. The kernel of the
   * dimension makes the integrals of a facet; here mortar facets are sought in a tree of boxes,
   * filtered by their facing, and integrals become gaps of nodes. A node has a gap if one of its
   * facets sees something. At an edge each face of a node has a gap of its own, the integral over
   * the facets of this face: what one face touches is not averaged with what another one sees at a
   * distance. A face for which what it sees has turned away so far that it has half faded, has no
   * gap if another face of the node faces the mortar side. Slots are the numbers of the normals,
   * see NormalField. Facets that look past an end or a silhouette of the mortar side count with the
   * part that sees it, or drop their nodes, as the settings say.
   *
   * Quadrilaterals are seen as triangles in two layers, see FlatFacets; gaps belong to their four
   * corners. Facets and nodes are evaluated on several threads, each into its own place, so that
   * results do not depend on the number of threads.
   *
   * Free flight costs one sweep over the positions of both surfaces.
   */
  template<int dim>
  class MortarGap : public WeightedGapGeometry<dim>
  {
  public:
    using Vector = FieldVector<double, dim>;

    MortarGap(ContactSurface<dim> surface, ContactSurface<dim> mortar,
              const MortarSettings& settings = {});

    const ContactSurface<dim>& surface() const override { return surface_; }
    const ContactSurface<dim>* mortarSurface() const override { return &mortar_; }
    std::size_t multipliers() const override { return normals_.size(); }
    std::size_t multiplierNode(std::size_t multiplier) const override
    {
      return normals_.node(Index(multiplier));
    }
    void addGaps(double t, ConstSpan u, std::size_t multiplierOffset,
                 WeightedGaps<dim>& gaps) const override;
    void addCurvature(double t, ConstSpan u, std::span<const double> mu,
                      std::vector<MatrixBlock<dim>>& blocks) const override;

    //! Where the surfaces are nearest or overlap most; nothing if they do not see each other
    std::optional<WorstGap<dim>> worstGap(ConstSpan u) const;

    const GapWindow& window() const { return window_; }

  private:
    using Kernel = FacetKernel<dim>;
    using Matrix = FieldMatrix<double, dim, dim>;

    //! A flat non-mortar facet and what it sees
    struct NearFacet
    {
      std::vector<std::size_t> found; //!< flat mortar facets near it, increasing
      bool derivatives;               //!< are wanted
      NonmortarFacet<dim> geometry;
      typename Kernel::Result result;
      std::optional<FacetGaps<dim>> gaps; //!< if it contributes
      double facing;                      //!< cosine to the mortar facet near it that faces it most
    };

    struct NodeNormal : NormalField<dim>::Normal
    {
      std::vector<Matrix> derivative; //!< by the nodes of the ring, where derivatives are wanted
    };

    //! Everything at one configuration
    struct Evaluation
    {
      std::vector<Vector> x, y;         //!< positions of both sides
      std::vector<Vector> mortarNormal; //!< unit normals of the flat mortar facets
      std::vector<NodeNormal> normal;   //!< of the non-mortar side, where needed
      std::vector<NearFacet> facets;    //!< all, or none if the sides are far from each other
      std::vector<Box<dim>> leaves;     //!< of the flat mortar facets
      typename BoxTree<dim>::Boxes boxes;
    };

    class Row;
    static constexpr std::size_t none = std::size_t(-1);

    //! Facets of multipliers without a weight need no derivatives; without weights all have them
    void evaluate(ConstSpan u, bool derivatives, std::span<const double> weights,
                  Evaluation& at) const;
    void setNearFacets(bool derivatives, std::span<const double> weights, Evaluation& at) const;
    void findFacets(bool derivatives, std::span<const double> weights, Evaluation& at) const;
    void setNormals(Evaluation& at) const;
    void setNearFacet(std::size_t facet, bool parts, Evaluation& at) const;
    MortarFacet<dim> mortarFacet(std::size_t facet, const Vector& n, const Evaluation& at) const;
    bool faces(const Vector& n, const Vector& m) const;
    void setMortarNeighbours();

    bool hasGap(const Evaluation& at, Index multiplier) const;
    bool seesMortar(const Evaluation& at, Index multiplier) const;
    bool isFaded(const Evaluation& at, Index multiplier) const;
    void makeRow(const Evaluation& at, Index multiplier, Row& row) const;
    void addFacetCurvature(const Evaluation& at, std::size_t facet, std::span<const double> mu,
                           std::vector<MatrixBlock<dim>>& blocks) const;
    void addNodeCurvature(const Evaluation& at, std::size_t facet,
                          const std::vector<Vector>& gradient, const LocalCurvature<dim>& local,
                          std::vector<MatrixBlock<dim>>& blocks) const;

    ContactSurface<dim> surface_, mortar_;
    FlatFacets<dim> flat_, flatMortar_;
    MortarSettings settings_;
    int threads_;
    GapWindow window_;
    Kernel kernel_;
    NormalField<dim> normals_;
    GapStencil<dim> pattern_;
    //! per flat mortar facet and side; none at its ends
    std::vector<std::array<std::size_t, dim>> mortarNeighbour_;
    BoxTree<dim> tree_; //!< of the flat mortar facets
  };

  extern template class MortarGap<2>;
  extern template class MortarGap<3>;

} // namespace Dune::Impact

#endif
