// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_SLIPROW_HH
#define DUNE_IMPACT_CONTACT_MORTAR_SLIPROW_HH

#include <optional>
#include <span>
#include <vector>

#include <dune/impact/common/nodeentry.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/contact/mortar/weightedgaps.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief The slip of a contact point between two configurations, and the forces conjugate to it
 */

namespace Dune::Impact {

  //! One end of a step, as friction sees it
  template<int dim>
  struct SlipEnd
  {
    const typename WeightedGaps<dim>::Gap* gap;
    std::span<const NodeWeight> mortar; //!< j and m_pj
    std::span<const NodeWeight> shares; //!< a and q_pa
  };

  /** \brief The row T_p with the slip s_p = T_p D of a contact point, D = z - x
   *
   * Let r_p be the mean over x and z of weight_p slope_p n_p, the force of a unit multiplier on the
   * mortar side, r its direction, and m_pj the mean of the mortar weights. The plain slip
   *
   *     T~_p D = |r_p| (1 - r r^T) (D_p - sum_j m_pj D_j)
   *
   * is a vector normal to r. The force of a traction l is T^T l: l |r_p| at p, and opposite at the
   * mortar nodes. With |r_p| in front a traction |l| <= beta mu means |tangential resultant| <=
   * beta |normal resultant| exactly.
   *
   * **Bodies on both sides.** T~_p has no resultant, but a moment of the size of the gap, and turns
   * of the pair look like slip. T_p = T~_p P, where P takes resultant and moment about the mean
   * configuration m away with the weights q_a of the shares: for each row f of T~_p
   *
   *     f_a -= q_a sum f / sum q,    f_a -= q_a theta x y_a,    J theta = sum y_a x f_a,
   *     J = sum q_a (|y_a|^2 1 - y_a y_a^T),   y_a = m_a - centroid of the m_a with weights q_a.
   *
   * z_a = R x_a + b with an angle below pi means D_a = W m_a + b' with a skew matrix W: rows
   * without resultant and moment about m vanish for every *finite* rigid motion of the pair. Both
   * properties are one: momenta are kept exactly, and a pair that turns does not slip. The weights
   * vanish with the nodes that leave the facets of p, hence s_p is a continuous function of x and
   * z. The corners of the facets of p have the weight one, so that J is regular also above a single
   * mortar node.
   *
   * **Obstacle.** T_p D = |r_p| (1 - r r^T) (D_p - V) with the motion V of the obstacle.
   *
   * **Rigid body.** T_p D = |r_p| (1 - r r^T) (D_p - dX - Theta x (m_p - X_m)) with the motion dX
   * of the centre, the Cayley vector Theta of the rotation and the mean X_m of the centre: the
   * reaction acts at m_p.
   */
  template<int dim>
  class SlipRow
  {
  public:
    using Vector = FieldVector<double, dim>;
    using Matrix = FieldMatrix<double, dim, dim>;

    /** \brief Make the row of a point that has a gap at x and at z
     *
     * \param m position of a node in the mean configuration; asked for nodes of shares
     * \param turn node of the turn of a rigid mortar side and m_p - X_m
     */
    template<class Middle>
    const std::vector<NodeMatrix<dim>>& make(const SlipEnd<dim>& atX, const SlipEnd<dim>& atZ,
                                             Middle&& m, const std::optional<NodeTurn<dim>>& turn)
    {
      makePlain(atX, atZ, turn);
      if (atX.shares.empty() && atZ.shares.empty())
        return row_;
      addShares(atX.shares);
      addShares(atZ.shares);
      arm_.clear();
      for (const auto& entry : row_)
        arm_.push_back(m(entry.node));
      removeRigid();
      return row_;
    }

    //! r_p; its length times the slip of a rigid motion of one side is s_p
    const Vector& axis() const { return axis_; }

  private:
    void makePlain(const SlipEnd<dim>& atX, const SlipEnd<dim>& atZ,
                   const std::optional<NodeTurn<dim>>& turn);
    void addShares(std::span<const NodeWeight> shares);
    void removeRigid();
    std::size_t place(std::size_t node);

    Vector axis_;
    std::vector<NodeMatrix<dim>> row_;
    std::vector<double> share_; //!< q_a per entry of the row
    std::vector<Vector> arm_;   //!< per entry: m_a, then y_a
  };

  extern template class SlipRow<2>;
  extern template class SlipRow<3>;

} // namespace Dune::Impact

#endif
