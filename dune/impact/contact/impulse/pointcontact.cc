// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/impulse/contactaxes.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>

namespace Dune::Impact {

  namespace {

    //! Size of the coordinates of a point
    double extent(const PointHandle& point, ConstSpan q)
    {
      return std::max(point.reference().infinity_norm(), point.position(q).infinity_norm());
    }

    ContactMember memberOf(const PointHandle& point)
    {
      return ContactMember(point.bodyIndex, point.body->member(point.point));
    }

  } // namespace

  //! Contact points of the multipliers with gap <= tolerance; returns the smallest gap of all.
  double PointwiseGeometry::addPoints(const Instant& at, ConstSpan q, double tolerance,
                                      ContactPoints& rows) const
  {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t multiplier = 0; multiplier < multipliers(); ++multiplier) {
      const double g = gap(at.time, q, multiplier);
      smallest = std::min(smallest, g);
      if (!(g <= tolerance))
        continue;
      ContactPoint& row = rows.add();
      row.multiplier = multiplier;
      row.gap = g;
      fill(at, q, multiplier, row, rows);
    }
    return smallest;
  }

  //! g = distance of the centre from the obstacle, less the radius
  double PointObstacle::gap(double t, ConstSpan q, std::size_t multiplier) const
  {
    const PointHandle& point = points_[multiplier];
    return obstacle_->distance(t, point.reference(), point.displacement(q)).gap - point.radius();
  }

  /* Place half way between the surface of the ball, or the point, and the obstacle: x - (radius +
   * g/2) n. The obstacle enters by -axis . v with its mean velocities v in the steps before and
   * after. */
  void PointObstacle::fill(const Instant& at, ConstSpan q, std::size_t multiplier,
                           ContactPoint& row, ContactPoints& rows) const
  {
    const PointHandle& point = points_[multiplier];
    row.first = memberOf(point);
    row.axes =
      contactAxes(obstacle_->distance(at.time, point.reference(), point.displacement(q)).normal);
    row.place = point.position(q);
    row.place.axpy(-(point.radius() + 0.5 * row.gap), row.axes[0]);
    const Vec3 before = obstacle_->velocity(at.time, -at.stepBefore),
               after = obstacle_->velocity(at.time, at.stepAfter);
    for (int c = 0; c < rows.components(); ++c) {
      row.obstacleVelocityBefore[c] = -(row.axes[c] * before);
      row.obstacleVelocityAfter[c] = -(row.axes[c] * after);
      rows.addFunctional(
        [&](SparseVector& entries) { point.addFunctional(q, row.place, row.axes[c], entries); });
    }
  }

  double PointObstacle::length(ConstSpan q) const
  {
    double result = obstacle_->centre().infinity_norm();
    for (const PointHandle& point : points_)
      result = std::max(result, extent(point, q));
    return result;
  }

  std::vector<PenaltyNode> PointObstacle::penaltyNodes() const
  {
    std::vector<PenaltyNode> result;
    for (const PointHandle& point : points_) {
      const auto* body = dynamic_cast<const RigidBody*>(point.body);
      if (!body)
        throw InputError("a penalty is available between rigid bodies, and with obstacles");
      const Vector3& node = body->shape().nodes()[point.point % body->pointsEach()];
      result.push_back({.first = memberOf(point),
                        .second = {},
                        .node = node + body->shapeOffset(),
                        .radius = point.radius(),
                        .obstacle = obstacle_});
    }
    return result;
  }

  double BallPair::gap(double, ConstSpan q, std::size_t) const
  {
    return (first_.position(q) - second_.position(q)).two_norm() - first_.radius() -
           second_.radius();
  }

  //! n = (x1 - x2)/|x1 - x2|, place x1 - (r1 + g/2) n half way between both surfaces
  void BallPair::fill(const Instant&, ConstSpan q, std::size_t, ContactPoint& row,
                      ContactPoints& rows) const
  {
    row.first = memberOf(first_);
    row.second = memberOf(second_);
    const Vec3 d = first_.position(q) - second_.position(q);
    row.axes = contactAxes(d / d.two_norm());
    row.place = first_.position(q);
    row.place.axpy(-(first_.radius() + 0.5 * row.gap), row.axes[0]);
    for (int c = 0; c < rows.components(); ++c)
      rows.addFunctional([&](SparseVector& entries) {
        first_.addFunctional(q, row.place, row.axes[c], entries);
        second_.addFunctional(q, row.place, Vec3(row.axes[c]) * -1.0, entries);
      });
  }

  double BallPair::length(ConstSpan q) const
  {
    return std::max(extent(first_, q), extent(second_, q));
  }

  /* g = n . (x2 - x1) - r1 - r2; with a fixed n from references first, so that small displacements
   * keep their digits. With a neighbour y n = (x1 - y)/|x1 - y|, and g is infinite for a point
   * beside the lateral reach or behind y. */
  FacePoint::Frame FacePoint::frame(ConstSpan q) const
  {
    const double radii = first_.radius() + second_.radius();
    const Vec3 reference = second_.reference() - first_.reference();
    const Vec3 displacement = second_.displacement(q) - first_.displacement(q);
    if (!neighbour_)
      return {normal_, reference + displacement,
              (normal_ * reference - radii) + normal_ * displacement, 0};
    const Vec3 d = reference + displacement;
    Vec3 normal = first_.position(q) - neighbour_->position(q);
    const double span = normal.two_norm();
    normal /= span;
    Vec3 beside = d;
    beside.axpy(-(normal * d), normal);
    const bool before = beside.two_norm() <= reach_ && normal * d >= -span;
    return {normal, d, before ? normal * d - radii : std::numeric_limits<double>::infinity(), span};
  }

  double FacePoint::gap(double, ConstSpan q, std::size_t) const
  {
    return frame(q).gap;
  }

  /* dg = n . (dx2 - dx1) + dn . d,  dn = (I - n n^T)(dx1 - dy)/|x1 - y| */
  void FacePoint::fill(const Instant&, ConstSpan q, std::size_t, ContactPoint& row,
                       ContactPoints& rows) const
  {
    const Frame f = frame(q);
    row.first = memberOf(first_);
    row.second = memberOf(second_);
    // the first side is pushed against its outward normal
    row.axes = contactAxes(Vec3(f.normal) * -1.0);
    Vec3 turn = f.distance;
    turn.axpy(-(f.normal * f.distance), f.normal);
    for (int c = 0; c < rows.components(); ++c)
      rows.addFunctional([&](SparseVector& entries) {
        first_.addFunctional(q, row.axes[c], entries);
        second_.addFunctional(q, Vec3(row.axes[c]) * -1.0, entries);
        if (c == 0 && neighbour_) {
          first_.addFunctional(q, turn / f.span, entries);
          neighbour_->addFunctional(q, turn / -f.span, entries);
        }
      });
  }

  double FacePoint::length(ConstSpan q) const
  {
    return std::max(extent(first_, q), extent(second_, q));
  }

} // namespace Dune::Impact
