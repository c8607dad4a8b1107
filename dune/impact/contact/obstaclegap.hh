// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_OBSTACLEGAP_HH
#define DUNE_IMPACT_CONTACT_OBSTACLEGAP_HH

#include <array>
#include <memory>
#include <vector>

#include <dune/impact/contact/gapcoupling.hh>
#include <dune/impact/geometry/obstacle.hh>

/** \file
 * \ingroup impact_contact
 * \brief Gaps between a surface and an obstacle
 */

namespace Dune::Impact {

  //! How the distance to an obstacle is turned into gaps of nodes
  enum class ObstacleGapKind {
    nodal,   //!< distance of the node
    weighted //!< integral with the function of the dual basis
  };

  /** \brief A surface in front of an obstacle with the signed distance g
   *
   *     nodal:     c_p = D_p g(x_p)
   *     weighted:  c_p = int psi_p g(x) dS
   *
   * Integrals are over the reference surface, D_p = int N_p. The dual basis of a facet is
   * psi_i = sum_j A_ij N_j with A = D M^-1, M_ij = int N_i N_j, so that int psi_i N_j = delta_ij D_i.
   * In front of a plane both are the same.
   *
   * Both are sums over sample points of the surface, x_q = sum_a N_qa x_a:
   *
   *     c_p = sum_q W_qp g(x_q),   dc_p/dx_a = sum_q W_qp N_qa grad g(x_q)
   */
  template<int dim>
  class ObstacleGap : public GapCoupling<dim>
  {
  public:
    ObstacleGap(ContactSurface<dim> surface, std::shared_ptr<const Obstacle> obstacle, ObstacleGapKind kind);

    const ContactSurface<dim>& surface() const override { return surface_; }
    const ContactSurface<dim>* mortarSurface() const override { return nullptr; }
    void addGaps(double t, ConstSpan u, std::size_t slotOffset, GapSet<dim>& gaps) const override;
    void addCurvature(double t, ConstSpan u, std::span<const double> mu, std::vector<MatrixBlock<dim>>& blocks) const override;
    FieldVector<double, dim> obstacleDisplacement(double t) const override;

  private:
    static constexpr int corners = SolidMesh<dim>::facetCorners;

    struct Sample
    {
      std::array<Index, corners> node; //!< of the surface
      int count;
      std::array<double, corners> value, weight; //!< N_qa and W_qa
    };

    Obstacle::Distance distance(double t, ConstSpan u, const Sample& sample) const;
    void addFacetSamples(const typename ContactSurface<dim>::Facet& facet);

    ContactSurface<dim> surface_;
    std::shared_ptr<const Obstacle> obstacle_;
    std::vector<double> area_; //!< D_p
    std::vector<Sample> samples_;
    std::vector<std::vector<Index>> neighbours_; //!< per node: nodes that its gap depends on, increasing
    std::vector<std::vector<Index>> samplesOf_;  //!< per node: samples of its gap
  };

  extern template class ObstacleGap<2>;
  extern template class ObstacleGap<3>;

} // namespace Dune::Impact

#endif
