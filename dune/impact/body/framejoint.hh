// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_FRAMEJOINT_HH
#define DUNE_IMPACT_BODY_FRAMEJOINT_HH

#include <array>
#include <optional>

#include <dune/impact/body/dynamics.hh>

/** \file
 * \ingroup impact_body
 * \brief Joints between a place of a beam or rigid body and a frame in space, moved or not, or
 * another body
 */

namespace Dune::Impact {

  /** \brief A rigid motion F(t) F(0)^{-1} of space
   *
   * F(t) = (exp(rotation(t)), position(t)): a face that is at F(0) at the start carries whatever
   * is fixed to it along.
   */
  class FaceMotion
  {
  public:
    FaceMotion(std::array<Expression, 3> position, std::array<Expression, 3> rotation)
      : position_(std::move(position))
      , rotation_(std::move(rotation))
    {}

    Frame operator()(double t) const { return face(t) * face(0).inverse(); }

  private:
    Frame face(double t) const;

    std::array<Expression, 3> position_, rotation_;
  };

  /** \brief Hold a place of a body with the frame g at a frame h
   *
   * The frame h is fixed, moved, h(t) = F(t) F(0)^{-1} g(0), or part of another body with the frame
   * k, h = k k(0)^{-1} g(0). The place is a material point of the body, its frame has the axes of
   * the body at the point it was made from. In the axes of g the rows are
   *
   *     spherical:  R^T (r - r_h) = 0
   *     hinge:      the same, and the components across the axis a of -a x R^T R_h a are zero
   *     clamp:      the same, and log(R_h^T R) = 0
   *
   * For the node of a beam that is held in space they are constant, so that increments g exp(x)
   * with E x = 0 stay on the constraint.
   */
  class FrameJoint
    : public Constraint
    , public MovingConstraint
  {
  public:
    enum class Kind { clamp, spherical, hinge };

    //! What holds the place: nothing stands for space
    struct Holder
    {
      std::optional<FaceMotion> motion;
      std::optional<PointHandle> other; //!< any point of another body that has a frame there
    };

    /** \brief The joint of a point
     *
     * What is held is the frame that the point has in the configuration q0 of the system; the axis
     * of a hinge is spatial, at q0. The place of a rigid body need not be one of its points: then
     * it is given in space, at q0.
     */
    FrameJoint(const PointHandle& node, ConstSpan q0, Kind kind, const Vector3& axis, Holder holder,
               std::optional<Vector3> place = {});

    //! A joint with space
    FrameJoint(const PointHandle& node, ConstSpan q0, Kind kind,
               const Vector3& axis = Vector3::UnitZ())
      : FrameJoint(node, q0, kind, axis, Holder())
    {}

    std::size_t rows() const override { return std::size_t(turning_.rows()) + 3; }
    bool angular(std::size_t row) const override { return row >= 3; }
    void residual(double t, ConstSpan q, Span c) const override;
    void addPoints(double t, ConstSpan q, std::size_t first, Triplets& entries) const override;
    void rate(double t, ConstSpan q, double h, Span rates) const override;
    void place(double t, Span q) const override;
    void addStiffness(ConstSpan q, ConstSpan lambda, Triplets& entries) const override;
    void addReactions(ConstSpan q, ConstSpan lambda,
                      std::vector<Reaction>& reactions) const override;

    //! The point that is held, and what holds it
    const PointHandle& node() const { return node_; }
    const std::optional<PointHandle>& other() const { return holder_.other; }

    //! The frame that holds it, at a time
    Frame target(double t, ConstSpan q) const;

  private:
    static const FrameBody& frames(const PointHandle& point);
    static Frame pointFrame(const PointHandle& point, ConstSpan q)
    {
      return frames(point).pointFrame(point.slice(q), point.point);
    }
    Frame frame(ConstSpan q) const { return pointFrame(node_, q) * local_; }

    //! Force and moment of the multipliers in space
    struct Wrench
    {
      Vector3 force, moment;
    };
    Wrench wrench(ConstSpan q, ConstSpan lambda) const;

    PointHandle node_;
    Frame local_;   //!< from the frame of the point to that of the place; a shift only
    Frame initial_; //!< what is held in space, or in the frame of the other body
    Vector3 axis_;  //!< of a hinge, in the frame of the node
    bool hinge_;
    bool constant_; //!< the rows are those of the node of a beam in its own axes
    //! directions in which the node must not turn, in its frame
    Eigen::Matrix<double, Eigen::Dynamic, 3> turning_;
    Holder holder_;
  };

} // namespace Dune::Impact

#endif
