// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_FRAMEJOINT_HH
#define DUNE_IMPACT_BODY_FRAMEJOINT_HH

#include <array>
#include <optional>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/constraint.hh>
#include <dune/impact/body/interaction.hh>

/** \file
 * \ingroup impact_body
 * \brief Joints between a node of a beam and a frame that is fixed or moved
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
      : position_(std::move(position)), rotation_(std::move(rotation))
    {}

    Frame operator()(double t) const { return face(t) * face(0).inverse(); }

  private:
    Frame face(double t) const;

    std::array<Expression, 3> position_, rotation_;
  };

  /** \brief Hold the node of a beam with the frame g at the frame h(t) = F(t) F(0)^{-1} g(0)
   *
   * The rows are constant in the frame of the node, so that increments g exp(x) with E x = 0 stay on
   * the constraint:
   *
   *     spherical:  R^T (r - r_h) = 0
   *     hinge:      the same, and the components across the axis a of -a x R^T R_h a are zero
   *     clamp:      the same, and log(R_h^T R) = 0
   */
  class FrameJoint : public Constraint
  {
  public:
    enum class Kind { clamp, spherical, hinge };

    //! The frame of the node in the configuration q0 of the system is the one that is held; axis of a hinge: spatial, at q0
    FrameJoint(const PointHandle& node, ConstSpan q0, Kind kind, const Vector3& axis = Vector3::UnitZ(), std::optional<FaceMotion> motion = {});

    std::size_t rows() const override { return std::size_t(turning_.rows()) + 3; }
    bool angular(std::size_t row) const override { return row >= 3; }
    void residual(double t, ConstSpan q, Span c) const override;
    void addRows(double t, ConstSpan q, std::size_t first, Triplets& entries) const override;
    void addReactions(ConstSpan q, ConstSpan lambda, std::vector<Reaction>& reactions) const override;

    //! The node that is held
    const PointHandle& node() const { return node_; }

    //! The frame that is held, at a time
    Frame target(double t) const { return motion_ ? (*motion_)(t) * initial_ : initial_; }

  private:
    Frame frame(ConstSpan q) const { return beam_->frame(node_.slice(q), node_.point); }

    PointHandle node_;
    const Beam* beam_;
    Frame initial_;
    Vector3 axis_; //!< of a hinge, in the frame of the node
    bool hinge_;
    Eigen::Matrix<double, Eigen::Dynamic, 3> turning_; //!< directions in which the node must not turn, in its frame
    std::optional<FaceMotion> motion_;
  };

} // namespace Dune::Impact

#endif
