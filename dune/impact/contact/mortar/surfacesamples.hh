// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_SURFACESAMPLES_HH
#define DUNE_IMPACT_CONTACT_MORTAR_SURFACESAMPLES_HH

#include <array>
#include <vector>

#include <dune/impact/contact/mortar/weightedgaps.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Points of a surface at which a distance is measured
 */

namespace Dune::Impact {

  //! How the distance to an obstacle or a rigid body is turned into gaps of nodes
  enum class ObstacleGapKind {
    nodal,   //!< distance of the node
    weighted //!< integral with the function of the dual basis
  };

  /** \brief Sample points x_q = sum_a N_qa x_a of a surface, with weights W_qp for the nodes p
   *
   * With a distance g a gap of node p is c_p = sum_q W_qp g(x_q):
   *
   *     nodal:     c_p = D_p g(x_p)
   *     weighted:  c_p = int psi_p g(x) dS
   *
   * Integrals are over the reference surface, D_p = int N_p. The dual basis of a facet is
   * psi_i = sum_j A_ij N_j with A = D M^-1, M_ij = int N_i N_j, so that int psi_i N_j = delta_ij
   * D_i.
   */
  template<int dim>
  class SurfaceSamples
  {
  public:
    static constexpr int corners = SolidMesh<dim>::facetCorners;

    //! A point of the surface
    struct Sample
    {
      std::array<Index, corners> node; //!< of the surface
      int count;
      std::array<double, corners> value, weight; //!< N_qa and W_qa

      //! W_qp
      double weightOf(std::size_t p) const
      {
        for (int a = 0; a < count; ++a)
          if (node[a] == Index(p))
            return weight[a];
        return 0;
      }
    };

    SurfaceSamples(ContactSurface<dim> surface, ObstacleGapKind kind);

    const ContactSurface<dim>& surface() const { return surface_; }
    double area(std::size_t p) const { return area_[p]; } //!< D_p
    const std::vector<Sample>& samples() const { return samples_; }

    //! Nodes that the gap of p depends on, increasing
    const std::vector<Index>& neighbours(std::size_t p) const { return neighbours_[p]; }

    //! Samples of the gap of p
    const std::vector<Index>& samplesOf(std::size_t p) const { return samplesOf_[p]; }

    //! A row with zeros for the nodes that the gap of p depends on
    void clearRow(std::size_t p, std::vector<NodeEntry<dim>>& row) const;

    //! row_a += factor N_qa for the nodes a of a sample, in the row of p
    void addToRow(std::size_t p, const Sample& sample, const FieldVector<double, dim>& factor,
                  std::vector<NodeEntry<dim>>& row) const;

  private:
    void addFacetSamples(const typename ContactSurface<dim>::Facet& facet);

    ContactSurface<dim> surface_;
    std::vector<double> area_;
    std::vector<Sample> samples_;
    std::vector<std::vector<Index>> neighbours_, samplesOf_;
  };

  extern template class SurfaceSamples<2>;
  extern template class SurfaceSamples<3>;

} // namespace Dune::Impact

#endif
