// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_BEAM_POINTGAPSLIP_HH
#define DUNE_IMPACT_CONTACT_BEAM_POINTGAPSLIP_HH

#include <memory>

#include <dune/impact/body/system.hh>
#include <dune/impact/contact/beam/gapslip.hh>
#include <dune/impact/contact/impulse/impulsegeometry.hh>

/** \file
 * \ingroup impact_contact_beam
 * \brief Contact of points, balls and rigid bodies for methods that solve for configurations
 */

namespace Dune::Impact {

  /** \brief Contact points as gaps and slips of a step
   *
   * The gap is that of the point. The slip since the previous configuration is the tangential
   * functional of the point, taken at the end of the step, applied to the increment from there to
   * here: t.(x - x_prev) for points that only move, and up to the square of the angle of a step for
   * bodies that turn. The derivative of g is taken to be the rows, and that of B^T l to be zero;
   * both are exact for points and planes, and leave out terms of the size of a step otherwise.
   *
   * Points with a gap of more than twice the largest motion since the previous configuration are
   * not looked at.
   */
  class PointGapSlip : public GapSlipGeometry
  {
  public:
    //! The system must outlive the object
    PointGapSlip(const System& system, std::shared_ptr<const ImpulseGeometry> points,
                 int dimension);

    std::size_t multipliers() const override { return points_->multipliers(); }
    void evaluate(double t, double h, ConstSpan q, ConstSpan previous, ConstSpan l,
                  GapSlip& rows) const override;
    double weight(std::size_t) const override { return 1; }
    double reach() const override { return std::numeric_limits<double>::infinity(); }
    double stiffness() const override { return 0; }
    int components() const override { return dimension_; }
    std::size_t firstBody() const override { return points_->firstBody(); }
    std::optional<std::size_t> secondBody() const override { return points_->secondBody(); }

  private:
    //! The largest way of a point of the two bodies
    double motion(ConstSpan q, ConstSpan previous) const;

    const System& system_;
    std::shared_ptr<const ImpulseGeometry> points_;
    int dimension_;
  };

} // namespace Dune::Impact

#endif
