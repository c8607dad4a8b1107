// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <stdexcept>

#include <dune/impact/body/beamload.hh>

namespace Dune::Impact {

  namespace {

    const Beam* beamOf(const PointHandle& node)
    {
      const auto* beam = dynamic_cast<const Beam*>(node.body);
      if (!beam)
        throw std::logic_error("a load of beams on something else");
      return beam;
    }

    void addTo(SparseVector& force, std::size_t dof, const Vector6& covector)
    {
      for (int i = 0; i < 6; ++i)
        force.push_back({dof + std::size_t(i), covector[i]});
    }

    template<class Block>
    void addBlock(Triplets& entries, std::size_t row, std::size_t column, const Block& block)
    {
      for (int i = 0; i < int(block.rows()); ++i)
        for (int j = 0; j < int(block.cols()); ++j)
          entries.emplace_back(int(row) + i, int(column) + j, block(i, j));
    }

  } // namespace

  NodeLoad::NodeLoad(const PointHandle& node, VectorExpression force, VectorExpression moment,
                     bool follower)
    : node_(node)
    , beam_(beamOf(node))
    , force_(std::move(force))
    , moment_(std::move(moment))
    , follower_(follower)
  {}

  //! (R^T m, R^T F) of a dead load, (m, F) of a follower
  Vector6 NodeLoad::covector(double t, ConstSpan q) const
  {
    if (follower_)
      return parts(moment_(t), force_(t));
    const Matrix3 R = beam_->frame(node_.slice(q), node_.point).rotation;
    return parts(R.transpose() * moment_(t), R.transpose() * force_(t));
  }

  void NodeLoad::addForce(double t, ConstSpan q, SparseVector& force) const
  {
    addTo(force, node_.velocityOffset + 6 * node_.point, covector(t, q));
  }

  //! -d(R^T y) = -hat(R^T y) w for an angular increment w in body axes
  void NodeLoad::addStiffness(double t, ConstSpan q, Triplets& entries) const
  {
    if (follower_)
      return;
    const Vector6 y = covector(t, q);
    Eigen::Matrix<double, 6, 3> block;
    block << -hat(y.head<3>()), -hat(y.tail<3>());
    const std::size_t dof = node_.velocityOffset + 6 * node_.point;
    addBlock(entries, dof, dof, block);
  }

  LineLoad::LineLoad(const PointHandle& anyNode, VectorExpression force, bool follower)
    : node_(anyNode)
    , beam_(beamOf(anyNode))
    , force_(std::move(force))
    , length_(0)
    , follower_(follower)
    , rule_(gaussRule(3))
  {
    for (std::size_t e = 0; e < beam_->elements(); ++e)
      length_ += beam_->elementLength(e);
  }

  //! With y = weight ds (0, R(s)^T f) at a Gauss point the left node gets (I - Y)^T y, the right
  //! one Y^T y
  void LineLoad::addForce(double t, ConstSpan q, SparseVector& force) const
  {
    const ConstSpan own = node_.slice(q);
    const Vector3 f = force_(t) / length_;
    for (std::size_t e = 0; e < beam_->elements(); ++e) {
      const Vector6 x = beam_->relativeTwist(own, e);
      const Matrix3 R = beam_->frame(own, e).rotation;
      Vector6 left = Vector6::Zero(), right = Vector6::Zero();
      for (const auto& [s, weight] : rule_) {
        const Matrix3 turned =
          RotationExponential::map(s * x.head<3>()).transpose() * R.transpose();
        const Vector6 y = weight * beam_->elementLength(e) *
                          parts(Vector3::Zero(), follower_ ? f : Vector3(turned * f));
        const Vector6 share = BeamInterpolation::weight(s, x).transpose() * y;
        left += y - share;
        right += share;
      }
      addTo(force, node_.velocityOffset + 6 * e, left);
      addTo(force, node_.velocityOffset + 6 * (e + 1), right);
    }
  }

  /* d(Q^T y) = Q^T dy + (-1, 1) dY^T y, where dy = (0, hat(R^T f) w) with the angular part w of Q
   * zeta for a dead force, and dY follows the relative motion of the nodes. */
  void LineLoad::addStiffness(double t, ConstSpan q, Triplets& entries) const
  {
    const ConstSpan own = node_.slice(q);
    const Vector3 f = force_(t) / length_;
    for (std::size_t e = 0; e < beam_->elements(); ++e) {
      const Vector6 x = beam_->relativeTwist(own, e);
      const Matrix3 R = beam_->frame(own, e).rotation;
      const Eigen::Matrix<double, 6, 12> P = BeamInterpolation::relative(x);
      Matrix12 derivative = Matrix12::Zero();
      for (const auto& [s, weight] : rule_) {
        const Matrix3 turned =
          RotationExponential::map(s * x.head<3>()).transpose() * R.transpose();
        const Vector6 y = weight * beam_->elementLength(e) *
                          parts(Vector3::Zero(), follower_ ? f : Vector3(turned * f));
        const Matrix6 Y = BeamInterpolation::weight(s, x);
        const Eigen::Matrix<double, 6, 12> moved =
          BeamInterpolation::weightTransposedDerivative(s, x, y) * P;
        derivative.topRows<6>() -= moved;
        derivative.bottomRows<6>() += moved;
        if (follower_)
          continue;
        Eigen::Matrix<double, 6, 12> Q;
        Q << Matrix6::Identity() - Y, Y;
        derivative += Q.bottomRows<3>().transpose() * (hat(y.tail<3>()) * Q.topRows<3>());
      }
      addBlock(entries, node_.velocityOffset + 6 * e, node_.velocityOffset + 6 * e,
               Matrix12(-derivative));
    }
  }

} // namespace Dune::Impact
