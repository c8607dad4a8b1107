// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <stdexcept>

#include <dune/impact/body/framejoint.hh>

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

    Vec3 fromEigen(const Vector3& x)
    {
      return {x[0], x[1], x[2]};
    }

  } // namespace

  Frame FaceMotion::face(double t) const
  {
    return {RotationExponential::map({rotation_[0](t), rotation_[1](t), rotation_[2](t)}), {position_[0](t), position_[1](t), position_[2](t)}};
  }

  FrameJoint::FrameJoint(const PointHandle& node, ConstSpan q0, Kind kind, const Vector3& axis, std::optional<FaceMotion> motion)
    : node_(node), beam_(dynamic_cast<const Beam*>(node.body)), motion_(std::move(motion))
  {
    if (!beam_)
      throw std::logic_error("a joint needs the node of a beam");
    initial_ = frame(q0);
    hinge_ = kind == Kind::hinge;
    axis_ = initial_.rotation.transpose() * axis.normalized();
    if (kind == Kind::spherical)
      turning_.resize(0, 3);
    else if (kind == Kind::hinge)
      turning_ = across(axis_);
    else
      turning_ = Matrix3::Identity();
  }

  void FrameJoint::residual(double t, ConstSpan q, Span c) const
  {
    const Frame g = frame(q), h = target(t);
    Eigen::Map<Vector3>(c.data()) = g.rotation.transpose() * (g.position - h.position);
    const Matrix3 back = g.rotation.transpose() * h.rotation;
    const Vector3 turned = hinge_ ? Vector3(axis_.cross(back * axis_)) : RotationExponential::inverse(back);
    Eigen::Map<Eigen::VectorXd>(c.data() + 3, turning_.rows()) = -turning_ * turned;
  }

  void FrameJoint::addRows(double, ConstSpan, std::size_t first, Triplets& entries) const
  {
    const int dof = int(node_.velocityOffset + 6 * node_.point), row = int(first);
    for (int i = 0; i < 3; ++i)
      entries.emplace_back(row + i, dof + 3 + i, 1);
    for (int i = 0; i < int(turning_.rows()); ++i)
      for (int j = 0; j < 3; ++j)
        entries.emplace_back(row + 3 + i, dof + j, turning_(i, j));
  }

  void FrameJoint::addReactions(ConstSpan q, ConstSpan lambda, std::vector<Reaction>& reactions) const
  {
    const Matrix3 R = frame(q).rotation;
    const Vector3 force = R * Eigen::Map<const Vector3>(lambda.data());
    const Vector3 moment = R * (turning_.transpose() * Eigen::Map<const Eigen::VectorXd>(lambda.data() + 3, turning_.rows()));
    reactions.push_back({node_.bodyIndex, node_.point, fromEigen(force), fromEigen(moment)});
  }

} // namespace Dune::Impact
