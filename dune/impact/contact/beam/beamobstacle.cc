// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/impact/contact/beam/beamobstacle.hh>
#include <dune/impact/contact/beam/variedframe.hh>
#include <dune/impact/geometry/rigidmotion.hh>

namespace Dune::Impact {

  namespace {

    using Calculus = Variation<6>;
    using Rows12 = Eigen::Matrix<double, 6, 12>;

  } // namespace

  /* Derivatives are taken by the six increments of the frame at s, and Q = [I - Y, Y] turns them
   * into derivatives by both nodes. The normal changes by dn = curvature dx. The stiffness d(Q^T
   * wrench) has the derivative of the wrench and, because Y depends on the relative twist x of the
   * nodes, that of the weights (`shift`, with P = dx). */
  BeamObstaclePoint::BeamObstaclePoint(const BeamPiece& now, const BeamPiece& before, double radius,
                                       double s, const Wall& wall, const Vector3& l)
  {
    const auto C = Calculus::variedFrame(now.frame(s), 0);
    const Matrix6 Y = BeamInterpolation::weight(s, now.x);
    Rows12 Q;
    Q << Matrix6::Identity() - Y, Y;
    const Eigen::Matrix<double, 6, 12> P = BeamInterpolation::relative(now.x);

    const auto x = C.position();
    const Calculus::Varied n{wall.normal, wall.curvature * x.d};
    const bool stands = std::abs(C.frame.rotation.col(2).dot(wall.normal)) > 0.99;
    const auto m = C.rotate(Calculus::constant(stands ? Vector3::UnitX() : Vector3::UnitZ()));
    const auto t1 = normalised(m - dot(n, m) * n), t2 = cross(n, t1), X = -radius * C.rotateBack(n);
    const Calculus::VariedFrame C0{before.frame(s)};
    const auto moved =
      x + C.rotate(X) - C0.position() - C0.rotate(X) - Calculus::constant(wall.way);
    const auto slip1 = dot(t1, moved), slip2 = dot(t2, moved);
    axes = {n.value, t1.value, t2.value};
    g << wall.distance - radius, slip1.value, slip2.value;
    derivative << wall.normal.transpose() * x.d * Q, slip1.d * Q, slip2.d * Q;

    int row = 0;
    for (const auto* c : {&n, &t1, &t2})
      rows.row(row++) = wrench(X.value, C.rotateBack(*c).value).transpose() * Q;

    const auto f = l[0] * n + l[1] * t1 + l[2] * t2, at = C.rotateBack(f);
    force = f.value;
    stiffness = Q.transpose() * (Calculus::wrenchDerivative(X, at) * Q);
    const Rows12 shift =
      BeamInterpolation::weightTransposedDerivative(s, now.x, wrench(X.value, at.value)) * P;
    stiffness.topRows<6>() -= shift;
    stiffness.bottomRows<6>() += shift;
  }

  BeamObstacle::BeamObstacle(const System& system, std::size_t beam,
                             std::shared_ptr<const Obstacle> obstacle, BeamConstraints constraints)
    : handle_(system.point(beam, 0))
    , beam_(roundBeam(system, beam))
    , obstacle_(std::move(obstacle))
    , multipliers_(*beam_, constraints)
    , sum_(multipliers_.sums(std::vector<char>(multipliers_.points.size(), 1)))
  {}

  //! No limit for a plane, which has one normal everywhere; otherwise the radius of the beam
  double BeamObstacle::reach() const
  {
    const bool flat = dynamic_cast<const Plane*>(obstacle_.get());
    return flat ? std::numeric_limits<double>::infinity() : beam_->section().radius;
  }

  /* g_j = sum_i W_ji g_i with W_ji = w_i N_j(s_i)/w_j over all points, and the force sum_j W_ji
   * l_j at each, as in BeamContact. An obstacle that moves by `way` in the step adds -axis . way/h
   * to the rates. */
  void BeamObstacle::evaluate(double t, double h, ConstSpan q, ConstSpan previous, ConstSpan l,
                              GapSlip& rows) const
  {
    const auto now = beamPieces(*beam_, handle_, q), before = beamPieces(*beam_, handle_, previous);
    const Vector3 way = obstacle_->moves() && h > 0
                          ? toEigen(obstacle_->displacement(t) - obstacle_->displacement(t - h))
                          : Vector3(Vector3::Zero());
    rows = {};
    rows.g.assign(3 * multipliers(), 0);
    rows.valid.assign(multipliers(), 1);
    if (!way.isZero(0))
      rows.obstacleVelocity.assign(3 * multipliers(), 0);
    for (const BeamContactPoints::Point& point : multipliers_.points) {
      const Vec3 x = toVec3(now[point.element].frame(point.s).position);
      const auto [distance, normal] = obstacle_->distance(t, x, Vec3(0));
      const Mat3 H = obstacle_->curvature(t, x, Vec3(0));
      BeamObstaclePoint::Wall wall{distance, toEigen(normal), Matrix3::Zero(), way};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          wall.curvature(i, j) = H[i][j];
      Vector3 force = Vector3::Zero();
      for (const auto& [multiplier, value] : point.multipliers)
        force += point.weight * value / sum_[multiplier] *
                 Vector3(l[3 * multiplier], l[3 * multiplier + 1], l[3 * multiplier + 2]);
      const BeamObstaclePoint contact(now[point.element], before[point.element],
                                      beam_->section().radius, point.s, wall, force);
      const int dof = int(handle_.velocityOffset + 6 * point.element);
      for (const auto& [multiplier, value] : point.multipliers) {
        const double w = point.weight * value / sum_[multiplier];
        for (int c = 0; c < 3; ++c) {
          const std::size_t k = 3 * multiplier + std::size_t(c);
          rows.g[k] += w * contact.g[c];
          if (!rows.obstacleVelocity.empty())
            rows.obstacleVelocity[k] -= w * contact.axes[std::size_t(c)].dot(way) / h;
          for (int j = 0; j < 12; ++j) {
            rows.derivative.emplace_back(int(k), dof + j, w * contact.derivative(c, j));
            rows.rows.emplace_back(int(k), dof + j, w * contact.rows(c, j));
          }
        }
      }
      if (!force.isZero(0))
        for (int a = 0; a < 12; ++a)
          for (int b = 0; b < 12; ++b)
            rows.stiffness.emplace_back(dof + a, dof + b, contact.stiffness(a, b));
      rows.minGap = std::min(rows.minGap, contact.g[0]);
      rows.force += toVec3(contact.force);
    }
  }

} // namespace Dune::Impact
