// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_CONSTRAINT_HH
#define DUNE_IMPACT_BODY_CONSTRAINT_HH

#include <dune/impact/body/mechanicalsystem.hh>
#include <dune/impact/common/stepreport.hh>

/** \file
 * \ingroup impact_body
 * \brief Bilateral constraints: joints and prescribed frames
 */

namespace Dune::Impact {

  /** \brief Equations c(t, q) = 0 on the configuration of a system
   *
   * With the rows G = dc along retract() a multiplier lambda acts with the force G^T lambda. The
   * arrays are those of the whole system.
   */
  class Constraint
  {
  public:
    virtual ~Constraint() = default;

    virtual std::size_t rows() const = 0;

    //! True if a row is an angle, false if it is a length
    virtual bool angular(std::size_t row) const = 0;

    //! c(t, q), rows() numbers
    virtual void residual(double t, ConstSpan q, Span c) const = 0;

    //! Append the entries of G where c = 0; the first row has the given number
    virtual void addPoints(double t, ConstSpan q, std::size_t first, Triplets& entries) const = 0;

    //! What the multipliers do to the bodies
    virtual void addReactions(ConstSpan q, ConstSpan lambda,
                              std::vector<Reaction>& reactions) const = 0;
  };

} // namespace Dune::Impact

#endif
