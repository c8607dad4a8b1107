// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_IMPULSE_IMPULSEGEOMETRY_HH
#define DUNE_IMPACT_CONTACT_IMPULSE_IMPULSEGEOMETRY_HH

#include <cstddef>
#include <optional>

#include <dune/impact/contact/impulse/contactpoints.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief Contact at the level of velocities: contact points of one configuration
 */

namespace Dune::Impact {

  //! An instant between two intervals: velocities of moved obstacles belong to one or the other
  struct Instant
  {
    double time = 0;
    double stepBefore = 0;
    double stepAfter = 0;
  };

  /** \brief Where two bodies, or a body and an obstacle, can touch
   *
   * It has a fixed number of multipliers (points that can touch) and delivers a contact point for
   * each whose gap is not above a tolerance. Every implementation
   * must pass checkImpulseGeometry(): the normal functional is the derivative of the gap.
   */
  class ImpulseGeometry
  {
  public:
    virtual ~ImpulseGeometry() = default;

    //! Number of the body of the first side, and that of the second unless it is an obstacle
    virtual std::size_t firstBody() const = 0;
    virtual std::optional<std::size_t> secondBody() const = 0;

    //! Number of points that can touch
    virtual std::size_t multipliers() const = 0;

    //! Gap of each multiplier; infinite where a multiplier has no partner
    virtual void gaps(double t, ConstSpan q, Span gaps) const = 0;

    /** \brief Append the points of all multipliers with gap <= tolerance
     *
     * \return the smallest gap of all multipliers
     */
    virtual double addPoints(const Instant& at, ConstSpan q, double tolerance,
                             ContactPoints& rows) const = 0;

    //! A length of the scene, from which tolerances are derived
    virtual double length(ConstSpan q) const = 0;
  };

} // namespace Dune::Impact

#endif
