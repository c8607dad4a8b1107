// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_LAW_MASSLESSTIP_HH
#define DUNE_IMPACT_CONTACT_LAW_MASSLESSTIP_HH

#include <memory>
#include <optional>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/interaction.hh>
#include <dune/impact/geometry/obstacle.hh>

/** \file
 * \ingroup impact_contact_law
 * \brief Contact of bars whose ends have no mass, in one dimension
 */

namespace Dune::Impact {

  /** \brief A massless end against an obstacle, a massive end or another massless end
   *
   * The first side faces the direction s = +1 or -1. Without contact a massless end has the
   * displacement of its neighbour, so the overlap of the unloaded ends is
   *
   *     delta = s (u1 - u2) - g0,
   *
   * with the displacements u1, u2 of the massive nodes (or of the obstacle) behind the ends and
   * the gap g0 of the undeformed ends. With the compliances c1, c2 of the end elements (zero for
   * a massive end or an obstacle) the contact force is lambda = max(0, delta)/(c1 + c2), and the
   * ends retreat by c1 lambda and c2 lambda to meet at one place.
   */
  class MasslessTip : public MasslessContact
  {
  public:
    //! A side: the massive node behind the end, the end if it is massless, and the compliance of
    //! what is between them
    struct Side
    {
      std::size_t body;
      std::size_t massive;                 //!< index into q
      std::size_t dof;                     //!< index of the same node into p
      std::optional<std::size_t> massless; //!< index into q
      double compliance = 0;
    };

    //! The side of a bar end whose slices begin at the given point
    static Side side(const PointHandle& end, const Bar& bar, Bar::End which);

    //! Against another bar
    MasslessTip(const Side& first, const Side& second, double facing, double gap)
      : first_(first)
      , second_(second)
      , facing_(facing)
      , gap_(gap)
    {}

    //! Against an obstacle
    MasslessTip(const Side& first, std::shared_ptr<const Obstacle> obstacle, double facing,
                double gap)
      : first_(first)
      , obstacle_(std::move(obstacle))
      , facing_(facing)
      , gap_(gap)
    {}

    double overlap(double t, ConstSpan q) const override;
    double stiffness() const override
    {
      return 1 / (first_.compliance + (second_ ? second_->compliance : 0));
    }
    void addOverlapFunctional(ConstSpan q, SparseVector& functional) const override;
    void place(double t, Span q, bool closed) const override;
    void closeExactly(double t, Span q) const override;
    std::vector<std::size_t> masslessEnds() const override;

    Vec3 normal() const override { return {-facing_, 0, 0}; }
    std::size_t firstBody() const override { return first_.body; }
    std::optional<std::size_t> secondBody() const override
    {
      return second_ ? std::optional(second_->body) : std::nullopt;
    }

  private:
    Side first_;
    std::optional<Side> second_;
    std::shared_ptr<const Obstacle> obstacle_;
    double facing_;
    double gap_;
  };

} // namespace Dune::Impact

#endif
