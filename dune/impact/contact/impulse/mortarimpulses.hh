// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_IMPULSE_MORTARIMPULSES_HH
#define DUNE_IMPACT_CONTACT_IMPULSE_MORTARIMPULSES_HH

#include <memory>
#include <optional>

#include <dune/impact/body/interaction.hh>
#include <dune/impact/contact/impulse/impulsegeometry.hh>
#include <dune/impact/contact/mortar/weightedgaps.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief Weighted gaps at the level of velocities
 */

namespace Dune::Impact {

  /** \brief Weighted gaps as contact points: g = c_p / weight_p, dg = dc_p / weight_p
   *
   * Weighted gaps number the nodes of the whole system, so the configuration of each body must
   * begin at a multiple of the dimension.
   */
  template<int dim>
  class MortarImpulses : public ImpulseGeometry
  {
  public:
    //! The sides by one of their points; without the second one it is an obstacle
    MortarImpulses(std::shared_ptr<const WeightedGapGeometry<dim>> gaps, PointHandle first,
                   std::optional<PointHandle> second);

    std::size_t firstBody() const override { return first_.bodyIndex; }
    std::optional<std::size_t> secondBody() const override
    {
      return second_ ? std::optional(second_->bodyIndex) : std::nullopt;
    }
    std::size_t multipliers() const override { return gaps_->multipliers(); }
    void gaps(double t, ConstSpan q, Span gaps) const override;
    double addPoints(const Instant& at, ConstSpan q, double tolerance,
                     ContactPoints& rows) const override;
    double length(ConstSpan q) const override;

  private:
    std::size_t dof(std::size_t node) const;
    bool isFirst(std::size_t dof) const;
    Vec3 place(std::size_t node, ConstSpan q) const;

    std::shared_ptr<const WeightedGapGeometry<dim>> gaps_;
    PointHandle first_;
    std::optional<PointHandle> second_;
  };

  extern template class MortarImpulses<2>;
  extern template class MortarImpulses<3>;

} // namespace Dune::Impact

#endif
