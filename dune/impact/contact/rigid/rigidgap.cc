// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/contact/mortar/mortarsettings.hh>
#include <dune/impact/contact/rigid/rigidgap.hh>

namespace Dune::Impact {

  namespace {

    // Motions below this part of the size of the body need no correction of the gradient
    constexpr double roundOff = 1e-12;

    //! G . (y1 - y0) = g(y1) - g(y0): the mean gradient, corrected along the increment
    Vector3 discreteGradient(const RigidShape& shape, const Vector3& y0, const Vector3& y1)
    {
      const SurfaceDistance a = shape.distance(0, y0), b = shape.distance(0, y1);
      const Vector3 mean = 0.5 * (a.normal + b.normal), step = y1 - y0;
      const double size = roundOff * shape.extent(), square = step.squaredNorm();
      if (square <= size * size)
        return mean;
      return mean + (b.gap - a.gap - mean.dot(step)) / square * step;
    }

    //! (1 + a^)^-1 v
    Vector3 solveCross(const Vector3& a, const Vector3& v)
    {
      return (v - a.cross(v) + a.dot(v) * a) / (1 + a.squaredNorm());
    }

  } // namespace

  RigidGap::RigidGap(ContactSurface<3> surface, const RigidSide& side, std::size_t member,
                     ObstacleGapKind kind, std::optional<double> reach)
    : samples_(std::move(surface), kind)
    , side_(side)
    , member_(member)
    , reach_(reach ? *reach
                   : std::max(defaultWindow<3>(samples_.surface(), samples_.surface()).upper,
                              side.body->shape().extent()))
  {}

  std::optional<double> RigidGap::distance(double, ConstSpan q,
                                           const FieldVector<double, 3>& x) const
  {
    const PlacedShape at(*side_.body, side_.configuration(q, member_));
    return side_.body->shape().distance(0, at.toBody(toEigen(x))).gap;
  }

  Vector3 RigidGap::position(const Sample& sample, ConstSpan q) const
  {
    Vector3 x = Vector3::Zero();
    for (int a = 0; a < sample.count; ++a)
      x += sample.value[a] * toEigen(surface().position(sample.node[a], q));
    return x;
  }

  /* c_p = sum_q W_qp g(y_q) with the derivatives W_qp N_qa n_q by nodes, -sum_q W_qp n_q by the
   * centre and -sum_q W_qp (x_q - X) x n_q by the turn of the body. Nodes with c_p/D_p >= reach
   * have no gap. */
  void RigidGap::addGaps(double, ConstSpan q, std::size_t multiplierOffset,
                         WeightedGaps<3>& gaps) const
  {
    const RigidShape& shape = side_.body->shape();
    const PlacedShape at(*side_.body, side_.configuration(q, member_));
    std::vector<SurfaceDistance> distances;
    std::vector<Vector3> places;
    for (const Sample& sample : samples_.samples()) {
      places.push_back(position(sample, q));
      distances.push_back(shape.distance(0, at.toBody(places.back())));
      distances.back().normal = at.axes * distances.back().normal;
    }
    std::vector<NodeEntry<3>> row;
    const NodeWeight centre{centreNode(), 1.0};
    for (std::size_t p = 0; p < surface().node.size(); ++p) {
      samples_.clearRow(p, row);
      double value = 0;
      Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
      for (Index k : samples_.samplesOf(p)) {
        const Sample& sample = samples_.samples()[k];
        const double weight = sample.weightOf(p);
        const Vector3 n = weight * distances[k].normal;
        value += weight * distances[k].gap;
        samples_.addToRow(p, sample, toVec3(n), row);
        force -= n;
        moment -= (places[k] - at.centre).cross(n);
      }
      if (!(value < reach_ * samples_.area(p)))
        continue;
      row.push_back({centreNode(), toVec3(force)});
      row.push_back({centreNode() + 1, toVec3(moment)});
      const double size = force.norm();
      const Vec3 direction = toVec3(force / size),
                 arm = surface().position(p, q) - toVec3(at.centre);
      gaps.add({multiplierOffset + p, surface().node[p], value, samples_.area(p), direction,
                direction, size / samples_.area(p), NodeTurn<3>{centreNode() + 1, arm}},
               row, std::span(&centre, 1));
    }
  }

  /* n_q = W_qp (1 + theta^/2)^-1 Lambda_1 G at the mean places, see the class. The increment of
   * rotation has the quaternion (1, theta/2)/sqrt(1 + |theta|^2/4), hence theta/2 = vector/scalar
   * part. */
  bool RigidGap::discreteGradient(ConstSpan q0, ConstSpan q1, std::size_t multiplier,
                                  std::vector<NodeEntry<3>>& row) const
  {
    const PlacedShape a(*side_.body, side_.configuration(q0, member_)),
      b(*side_.body, side_.configuration(q1, member_));
    const Quaternion turn = RigidPlace(side_.configuration(q1, member_)).rotation *
                            RigidPlace(side_.configuration(q0, member_)).rotation.conjugate();
    const Vector3 half = turn.vec() / turn.w(), centre = 0.5 * (a.centre + b.centre); // theta/2
    samples_.clearRow(multiplier, row);
    Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
    for (Index k : samples_.samplesOf(multiplier)) {
      const Sample& sample = samples_.samples()[k];
      const Vector3 x0 = position(sample, q0), x1 = position(sample, q1);
      const Vector3 G = Impact::discreteGradient(side_.body->shape(), a.toBody(x0), b.toBody(x1));
      const Vector3 n = sample.weightOf(multiplier) * solveCross(half, b.axes * G);
      samples_.addToRow(multiplier, sample, toVec3(n), row);
      force -= n;
      moment -= (0.5 * (x0 + x1) - centre).cross(n);
    }
    row.push_back({centreNode(), toVec3(force)});
    row.push_back({centreNode() + 1, toVec3(moment)});
    return true;
  }

} // namespace Dune::Impact
