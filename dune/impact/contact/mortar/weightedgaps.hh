// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_WEIGHTEDGAPS_HH
#define DUNE_IMPACT_CONTACT_MORTAR_WEIGHTEDGAPS_HH

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/common/nodeentry.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/contact/mortar/contactsurface.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Weighted gaps: contact of surfaces for implicit methods
 */

namespace Dune::Impact {

  /** \brief Weighted gaps c_p of one configuration, each with its derivative
   *
   * Gap p belongs to a node of the non-mortar side, at an edge of the body to one of its faces
   * there. c_p is a distance times an area (a length in two dimensions), weight_p the area, so that
   * c_p / weight_p is a distance and a multiplier of c_p is a pressure. Besides the exact
   * derivative there is a simplified one, from which bounds are made: with the mortar nodes j of
   * the gap and their weights m_pj = (D^-1 M)_pj
   *
   *     c_p(x + d) ~ c_p - weight_p s_p n_p . (d_p - sum_j m_pj d_j)
   *
   * where weight_p s_p n_p is the sum of the derivatives by the mortar nodes: it is exact where the
   * sides move as a whole. On smooth surfaces n_p is about the normal and s_p about one, where an
   * edge digs in they are not. A gap to an obstacle has no mortar nodes. A rigid body on the mortar
   * side is a mortar node of weight one, its centre, and a turn: d_p is compared with d_centre +
   * d_turn x arm.
   *
   * Friction between bodies asks for more: the shares q_pa of the nodes around the contact point,
   * one at the corners of the facets of p, and at mortar nodes
   *
   *     q_pj = int N_j ds / int ds   over the facets of p,
   *
   * which vanish continuously as the mortar node is left behind (see SlipRow).
   */
  template<int dim>
  class WeightedGaps
  {
  public:
    using Vector = FieldVector<double, dim>;

    //! The weighted gap of a node
    struct Gap
    {
      std::size_t multiplier; //!< number that stays the same, for multipliers
      std::size_t node;       //!< of the system
      double value;           //!< c_p
      double weight;
      //! of the non-mortar side, outwards; at an edge of the body that of the face
      Vector normal;
      Vector direction; //!< n_p, of the force on the mortar side; a unit vector
      double slope = 1; //!< s_p
      std::optional<NodeTurn<dim>> turn = {}; //!< of a rigid mortar side
    };

    using Derivative = NodeEntry<dim>;

    using MortarNode = NodeWeight; //!< j and m_pj

    void clear()
    {
      gaps_.clear();
      derivatives_.clear();
      mortar_.clear();
      shares_.clear();
    }

    //! Add a gap whose derivative has the entries, each node once
    void add(const Gap& gap, std::span<const Derivative> entries,
             std::span<const MortarNode> mortar = {}, std::span<const NodeWeight> shares = {})
    {
      gaps_.push_back(gap);
      derivatives_.addRow(entries);
      mortar_.addRow(mortar);
      shares_.addRow(shares);
    }

    std::size_t size() const { return gaps_.size(); }
    const Gap& operator[](std::size_t p) const { return gaps_[p]; }

    std::span<const Derivative> derivative(std::size_t p) const { return derivatives_[p]; }
    std::span<const MortarNode> mortar(std::size_t p) const { return mortar_[p]; }

    //! q_pa of both sides, by nodes; nothing if the other side is an obstacle or a rigid body
    std::span<const NodeWeight> shares(std::size_t p) const { return shares_[p]; }

  private:
    std::vector<Gap> gaps_;
    NodalContactJacobian<dim> derivatives_;
    CompressedRows<MortarNode> mortar_;
    CompressedRows<NodeWeight> shares_;
  };

  /** \brief Where surfaces of bodies of nodes can touch; geometry only
   *
   * A multiplier belongs to a node of the non-mortar surface; a node may have several. Every
   * implementation must pass checkWeightedGaps().
   */
  template<int dim>
  class WeightedGapGeometry
  {
  public:
    virtual ~WeightedGapGeometry() = default;

    //! The non-mortar side
    virtual const ContactSurface<dim>& surface() const = 0;

    //! The mortar side; nothing if it is an obstacle or a rigid body
    virtual const ContactSurface<dim>* mortarSurface() const = 0;

    //! Number of the body of the first side, and that of the second unless it is an obstacle
    std::size_t firstBody() const { return surface().body; }
    virtual std::optional<std::size_t> secondBody() const
    {
      return mortarSurface() ? std::optional<std::size_t>(mortarSurface()->body) : std::nullopt;
    }

    /** \brief Append the gaps at the displacements u of all nodes of the system, multipliers
     * increasing from the offset
     *
     * Solids come first in u; rigid bodies follow with their configuration.
     */
    virtual void addGaps(double t, ConstSpan u, std::size_t multiplierOffset,
                         WeightedGaps<dim>& gaps) const = 0;

    /** \brief Append the second derivative of sum_p mu_p c_p, with a multiplier per multiplier
     *
     * Blocks may repeat a place; the sum is symmetric.
     */
    virtual void addCurvature(double t, ConstSpan u, std::span<const double> mu,
                              std::vector<MatrixBlock<dim>>& blocks) const = 0;

    /** \brief The row of a multiplier that does the work of its gap between two configurations, and
     * has no resultant and no moment
     *
     * Only geometries that know more than nodes make it themselves; of others it is made from their
     * derivatives. False if this one does not.
     */
    virtual bool discreteGradient(ConstSpan, ConstSpan, std::size_t,
                                  std::vector<NodeEntry<dim>>&) const
    {
      return false;
    }

    //! Displacement of the mortar side at a time if it is an obstacle that moves
    virtual FieldVector<double, dim> obstacleDisplacement(double) const
    {
      return FieldVector<double, dim>(0);
    }

    //! Signed distance of a place from the other side, if it is an obstacle or a rigid body
    virtual std::optional<double> distance(double, ConstSpan, const FieldVector<double, dim>&) const
    {
      return {};
    }

    //! Number of gaps that there can be; multiplier p belongs to node p of the surface unless a
    //! geometry says otherwise
    virtual std::size_t multipliers() const { return surface().node.size(); }

    //! Number in the surface of the node that a multiplier belongs to
    virtual std::size_t multiplierNode(std::size_t multiplier) const { return multiplier; }
  };

} // namespace Dune::Impact

#endif
