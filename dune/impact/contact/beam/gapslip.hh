// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_BEAM_GAPSLIP_HH
#define DUNE_IMPACT_CONTACT_BEAM_GAPSLIP_HH

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <dune/impact/body/mechanicalsystem.hh>

/** \file
 * \ingroup impact_contact_beam
 * \brief Contact with friction for methods that solve for configurations
 */

namespace Dune::Impact {

  /** \brief Gaps and slips of a configuration
   *
   * Each multiplier has three components: the gap g_N along the normal, and the slips g_T1, g_T2
   * since the previous configuration. A force l (three components per multiplier) acts as the
   * covector B^T l. The derivative of g is B for the gap; for a finite slip it differs from B.
   */
  struct GapSlip
  {
    std::vector<double> g; //!< three per multiplier
    //! three per multiplier: rates of g at rest, of obstacles that move; empty if nothing moves
    std::vector<double> obstacleVelocity;
    //! per multiplier: it has a partner; an invalid multiplier carries no force
    std::vector<char> valid;
    Triplets derivative; //!< of g along retract(), rows 3 multiplier + component
    Triplets rows;       //!< B
    Triplets stiffness;  //!< d(B^T l)/dq
    //! smallest gap of all points of the surface that were looked at
    double minGap = std::numeric_limits<double>::infinity();
    Vec3 force = {0, 0, 0}; //!< sum of the forces l on the first side
  };

  /** \brief Geometry of contact with friction
   *
   * The arrays are those of the whole system. Like other geometries it knows no law and has no
   * memory.
   */
  class GapSlipGeometry
  {
  public:
    virtual ~GapSlipGeometry() = default;

    virtual std::size_t multipliers() const = 0;

    /** \brief Gaps and slips of q since `previous`, at the forces l
     *
     * Time t is that of q, and h the time since `previous`, which matters only for obstacles that
     * move.
     */
    virtual void evaluate(double t, double h, ConstSpan q, ConstSpan previous, ConstSpan l,
                          GapSlip& rows) const = 0;

    //! Smallest distance of the two sides anywhere, also between the multipliers; infinite if they
    //! are far apart or the multipliers see all of it
    virtual double gapAnywhere(ConstSpan /*q*/) const
    {
      return std::numeric_limits<double>::infinity();
    }

    //! Length that belongs to a multiplier: force divided by it is a line force
    virtual double weight(std::size_t multiplier) const = 0;

    //! No configuration may move further than this in one iteration, else sides are confused
    virtual double reach() const = 0;

    //! Force per length of a gap, by order of magnitude: what it takes to bend a body between two
    //! multipliers
    virtual double stiffness() const = 0;

    //! Components of a multiplier that there are: three, or fewer in one and two dimensions
    virtual int components() const { return 3; }

    //! What may help where no solution is found: the end of a sentence, or nothing
    virtual std::string remedy() const { return {}; }

    //! Number of the body of the first side, and that of the second unless it is an obstacle
    virtual std::size_t firstBody() const = 0;
    virtual std::optional<std::size_t> secondBody() const = 0;
  };

} // namespace Dune::Impact

#endif
