// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_FRAMEBODY_HH
#define DUNE_IMPACT_BODY_FRAMEBODY_HH

#include <dune/impact/body/mechanicalsystem.hh>
#include <dune/impact/geometry/se3.hh>

/** \file
 * \ingroup impact_body
 * \brief What joints and methods with accelerations ask of a body that turns
 */

namespace Dune::Impact {

  /** \brief A body whose points have frames
   *
   * A refinement of Body: a body that also derives from this class can have joints that hold
   * rotations, and its equation of motion is M(q) v' = F + gyroscopic force. A body that does not
   * derive from it has displacements only, and no such force.
   */
  class FrameBody
  {
  public:
    virtual ~FrameBody() = default;

    //! The frame of a point: axes of the section of a beam or of a rigid body, and its position
    virtual Frame pointFrame(ConstSpan q, std::size_t point) const = 0;

    //! Append the functional v -> direction . (spatial angular velocity at the point)
    virtual void addTurnFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                                   std::size_t offset, SparseVector& functional) const = 0;

    //! True if velocities and momenta of the points are in the axes of their frames, false if they
    //! are in space
    virtual bool bodyAxes() const = 0;

    /** \brief p += weight * the gyroscopic force at the velocity v
     *
     * It is what the equation of motion has besides F because the trivialisation or the inertia
     * turns, as -omega x J omega.
     */
    virtual void addGyroscopicForce(ConstSpan q, ConstSpan v, double weight, Span p) const = 0;

    //! Append the entries of minus its derivative by v, with the offset added to rows and columns
    virtual void addGyroscopicDamping(ConstSpan q, ConstSpan v, std::size_t offset,
                                      Triplets& entries) const = 0;

    //! Append the entries of T with retract(q, dq + x) = retract(retract(q, dq), T x) to first
    //! order in x
    virtual void addRetractTangent(ConstSpan dq, std::size_t offset, Triplets& entries) const = 0;
  };

} // namespace Dune::Impact

#endif
