// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_DISCRETEGRADIENT_HH
#define DUNE_IMPACT_CONTACT_MORTAR_DISCRETEGRADIENT_HH

#include <span>
#include <vector>

#include <dune/impact/common/nodeentry.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Discrete gradient of a gap between two configurations
 */

namespace Dune::Impact {

  /** \brief A row that does the work of the gap: row . D = c(z) - c(x)
   *
   * With D = z - x on the nodes of the row, less the motion of the obstacle if there is one, and
   * the mean g of the derivatives at x and at z
   *
   *     C^ = P g + e q/|q|^2,   q = P D,   e = c(z) - c(x) - P g . D.
   *
   * For a gap between bodies P removes translations and rotations about the mean configuration
   * m = (x + z)/2, so that the forces have no resultant and no moment about m. For a gap to an
   * obstacle P is the identity.
   */
  template<int dim>
  class DiscreteGradient
  {
  public:
    /** \brief Make the row
     *
     * \param atX, atZ  derivatives of the gap
     * \param x, z      displacements of all nodes
     * \param positions positions of all nodes at zero displacement; empty for an obstacle
     * \param obstacleIncrement     motion of the obstacle in the step
     * \param change    c(z) - c(x)
     * \param length    of the mesh; shorter motions than round-off of it need no correction
     */
    const std::vector<NodeEntry<dim>>& row(std::span<const NodeEntry<dim>> atX,
                                           std::span<const NodeEntry<dim>> atZ, ConstSpan x,
                                           ConstSpan z,
                                           std::span<const FieldVector<double, dim>> positions,
                                           const FieldVector<double, dim>& obstacleIncrement,
                                           double change, double length);

  private:
    using Vector = FieldVector<double, dim>;

    void add(std::span<const NodeEntry<dim>> entries);
    void buildArms(ConstSpan x, ConstSpan z, std::span<const Vector> positions);
    void removeRigid(std::vector<NodeEntry<dim>>& field) const;

    std::vector<NodeEntry<dim>> row_, q_;
    std::vector<Vector> arm_; //!< positions in m from their centroid
  };

  extern template class DiscreteGradient<2>;
  extern template class DiscreteGradient<3>;

} // namespace Dune::Impact

#endif
