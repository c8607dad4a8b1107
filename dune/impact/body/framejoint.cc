// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <stdexcept>

#include <dune/impact/body/framejoint.hh>
#include <dune/impact/geometry/rigidmotion.hh>

namespace Dune::Impact {

  namespace {

    //! Rows that span the directions across an axis
    Eigen::Matrix<double, 2, 3> across(const Vector3& axis)
    {
      const Vector3 a = axis.unitOrthogonal();
      Eigen::Matrix<double, 2, 3> rows;
      rows << a.transpose(), axis.normalized().cross(a).transpose();
      return rows;
    }

    const FrameBody& framesOf(const PointHandle& point)
    {
      const auto* body = dynamic_cast<const FrameBody*>(point.body);
      if (!body)
        throw std::logic_error("a joint needs bodies that have frames");
      return *body;
    }

    //! Entries of v -> sign * (direction . velocity of the material at a place in space that moves
    //! with the frame of a point)
    void addPlace(const PointHandle& point, ConstSpan q, const Vector3& place,
                  const Vector3& direction, double sign, SparseVector& entries)
    {
      const Vec3 x = point.position(q);
      const Vector3 d = sign * direction, arm = place - Vector3(x[0], x[1], x[2]);
      point.body->addPointFunctional(point.slice(q), point.point, toVec3(d), point.velocityOffset,
                                     entries);
      if (!arm.isZero(0))
        framesOf(point).addTurnFunctional(point.slice(q), point.point, toVec3(arm.cross(d)),
                                          point.velocityOffset, entries);
    }

    void addTurn(const PointHandle& point, ConstSpan q, const Vector3& direction, double sign,
                 SparseVector& entries)
    {
      framesOf(point).addTurnFunctional(point.slice(q), point.point, toVec3(sign * direction),
                                        point.velocityOffset, entries);
    }

    void append(int row, SparseVector& functional, Triplets& entries)
    {
      for (const auto& [dof, value] : functional)
        entries.emplace_back(row, int(dof), value);
      functional.clear();
    }

  } // namespace

  Frame FaceMotion::face(double t) const
  {
    return {RotationExponential::map({rotation_[0](t), rotation_[1](t), rotation_[2](t)}),
            {position_[0](t), position_[1](t), position_[2](t)}};
  }

  const FrameBody& FrameJoint::frames(const PointHandle& point)
  {
    return framesOf(point);
  }

  //! The rows of turning_ are the directions in the frame of the node about which it must not turn:
  //! three for a clamp, two across the axis for a hinge, zero for a spherical joint.
  FrameJoint::FrameJoint(const PointHandle& node, ConstSpan q0, Kind kind, const Vector3& axis,
                         Holder holder, std::optional<Vector3> place)
    : node_(node)
    , holder_(std::move(holder))
  {
    if (place) {
      const Frame g = pointFrame(node_, q0);
      local_.position = g.rotation.transpose() * (*place - g.position);
    }
    initial_ = frame(q0);
    hinge_ = kind == Kind::hinge;
    constant_ = frames(node).bodyAxes() && local_.position.isZero(0);
    axis_ = initial_.rotation.transpose() * axis.normalized();
    if (holder_.other)
      initial_ = relative(pointFrame(*holder_.other, q0), initial_);
    if (kind == Kind::spherical)
      turning_.resize(0, 3);
    else if (kind == Kind::hinge)
      turning_ = across(axis_);
    else
      turning_ = Matrix3::Identity();
  }

  //! h = k k(0)^{-1} g(0) at another body, F(t) F(0)^{-1} g(0) at a moved face, g(0) in space
  Frame FrameJoint::target(double t, ConstSpan q) const
  {
    if (holder_.other)
      return pointFrame(*holder_.other, q) * initial_;
    return holder_.motion ? (*holder_.motion)(t)*initial_ : initial_;
  }

  //! In the axes of g: R^T (r - r_h), then -turning_ times a x R^T R_h a for a hinge with the axis
  //! a and times log(R^T R_h) for a clamp
  void FrameJoint::residual(double t, ConstSpan q, Span c) const
  {
    const Frame g = frame(q), h = target(t, q);
    Eigen::Map<Vector3>(c.data()) = g.rotation.transpose() * (g.position - h.position);
    const Matrix3 back = g.rotation.transpose() * h.rotation;
    const Vector3 turned =
      hinge_ ? Vector3(axis_.cross(back * axis_)) : RotationExponential::inverse(back);
    Eigen::Map<Eigen::VectorXd>(c.data() + 3, turning_.rows()) = -turning_ * turned;
  }

  /* Of the node of a beam in its own axes; the other body, and other places, through their
   * functionals. */
  void FrameJoint::addPoints(double, ConstSpan q, std::size_t first, Triplets& entries) const
  {
    const int dof = int(node_.velocityOffset + 6 * node_.point), row = int(first),
              turns = int(turning_.rows());
    if (constant_) {
      for (int i = 0; i < 3; ++i)
        entries.emplace_back(row + i, dof + 3 + i, 1);
      for (int i = 0; i < turns; ++i)
        for (int j = 0; j < 3; ++j)
          entries.emplace_back(row + 3 + i, dof + j, turning_(i, j));
      if (!holder_.other)
        return;
    }
    const Frame g = frame(q);
    SparseVector functional;
    for (int i = 0; i < 3 + turns; ++i) {
      const Vector3 direction =
        i < 3 ? Vector3(g.rotation.col(i)) : Vector3(g.rotation * turning_.row(i - 3).transpose());
      if (!constant_)
        i < 3 ? addPlace(node_, q, g.position, direction, 1, functional)
              : addTurn(node_, q, direction, 1, functional);
      if (holder_.other)
        i < 3 ? addPlace(*holder_.other, q, g.position, direction, -1, functional)
              : addTurn(*holder_.other, q, direction, -1, functional);
      append(row + i, functional, entries);
    }
  }

  //! Minus the velocity of the frame h, in the axes of g
  void FrameJoint::rate(double t, ConstSpan q, double h, Span rates) const
  {
    std::fill(rates.begin(), rates.end(), 0.0);
    if (!holder_.motion)
      return;
    const Frame before = target(t - h, q), after = target(t + h, q), g = frame(q);
    const Vector3 velocity = (after.position - before.position) / (2 * h);
    const Vector3 spin =
      RotationExponential::inverse(after.rotation * before.rotation.transpose()) / (2 * h);
    Eigen::Map<Vector3>(rates.data()) = -(g.rotation.transpose() * velocity);
    Eigen::Map<Eigen::VectorXd>(rates.data() + 3, turning_.rows()) =
      -turning_ * (g.rotation.transpose() * spin);
  }

  //! A clamp that is moved leaves no freedom: the node is where its face is
  void FrameJoint::place(double t, Span q) const
  {
    if (!holder_.motion || !constant_ || turning_.rows() != 3)
      return;
    const std::size_t size = node_.body->configurationSize();
    std::vector<double> dq(node_.body->velocitySize(), 0), moved(size);
    Eigen::Map<Vector6>(dq.data() + 6 * node_.point) =
      Exponential::inverse(relative(frame(q), target(t, q)));
    const Span slice = q.subspan(node_.configurationOffset, size);
    node_.body->retract(slice, dq, moved);
    std::copy(moved.begin(), moved.end(), slice.begin());
  }

  //! Multipliers are components in the axes of g: f = R lambda_r, m = R turning_^T lambda_theta
  FrameJoint::Wrench FrameJoint::wrench(ConstSpan q, ConstSpan lambda) const
  {
    const Matrix3 R = frame(q).rotation;
    return {R * Eigen::Map<const Vector3>(lambda.data()),
            R * (turning_.transpose() *
                 Eigen::Map<const Eigen::VectorXd>(lambda.data() + 3, turning_.rows()))};
  }

  /* In the axes of the node of a beam its own covector is constant. The other node k of a beam,
   * with d from it to the place, has the covector (-R_k^T (m + d x f), -R_k^T f); f and m turn with
   * the first node, so
   *
   *     d(R_k^T y) = R_k^T (dy - dtheta_k x y),   df = dtheta x f,   dm = dtheta x m,
   *     dd = dr - dr_k,
   *
   * with dr of the place. Rigid bodies, which only move in small steps, are left without this term.
   */
  void FrameJoint::addStiffness(ConstSpan q, ConstSpan lambda, Triplets& entries) const
  {
    if (!holder_.other || !constant_ || !frames(*holder_.other).bodyAxes())
      return;
    const auto [f, m] = wrench(q, lambda);
    const Frame g = frame(q), k = pointFrame(*holder_.other, q);
    const Vector3 d = g.position - k.position, y = m + d.cross(f);
    // rows: moment and force on the other node in space; columns: dtheta, dr, dtheta_k, dr_k in
    // space
    Eigen::Matrix<double, 6, 12> D;
    D << -hat(m) - hat(d) * hat(f), -hat(f), hat(y), hat(f), -hat(f), Matrix3::Zero(), hat(f),
      Matrix3::Zero();
    Eigen::Matrix<double, 12, 12> axes = Eigen::Matrix<double, 12, 12>::Zero();
    for (int i = 0; i < 4; ++i)
      axes.block<3, 3>(3 * i, 3 * i) = i < 2 ? g.rotation : k.rotation;
    Matrix6 back = Matrix6::Zero();
    back.topLeftCorner<3, 3>() = back.bottomRightCorner<3, 3>() = k.rotation.transpose();
    const Eigen::Matrix<double, 6, 12> block = back * D * axes;
    const int own = int(node_.velocityOffset + 6 * node_.point),
              other = int(holder_.other->velocityOffset + 6 * holder_.other->point);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 12; ++j)
        entries.emplace_back(other + i, (j < 6 ? own : other) + j % 6, block(i, j));
  }

  //! Force f and moment m + d x f about the point, with d from the point to the place of the joint;
  //! the opposite on the other body
  void FrameJoint::addReactions(ConstSpan q, ConstSpan lambda,
                                std::vector<Reaction>& reactions) const
  {
    const auto [force, moment] = wrench(q, lambda);
    const Vector3 place = frame(q).position;
    auto add = [&](const PointHandle& point, double sign) {
      const Vec3 x = point.position(q);
      const Vector3 turned = moment + (place - Vector3(x[0], x[1], x[2])).cross(force);
      reactions.push_back(
        {point.bodyIndex, point.point, toVec3(sign * force), toVec3(sign * turned)});
    };
    add(node_, 1);
    if (holder_.other)
      add(*holder_.other, -1);
  }

} // namespace Dune::Impact
