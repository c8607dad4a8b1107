// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/contact/beam/pointgapslip.hh>

namespace Dune::Impact {

  PointGapSlip::PointGapSlip(const System& system, std::shared_ptr<const ImpulseGeometry> points,
                             int dimension)
    : system_(system)
    , points_(std::move(points))
    , dimension_(dimension)
  {}

  double PointGapSlip::motion(ConstSpan q, ConstSpan previous) const
  {
    double largest = 0;
    for (const std::optional<std::size_t> b : {std::optional(firstBody()), secondBody()})
      if (b) {
        const Body& body = system_.body(*b);
        const ConstSpan now = system_.configurationSlice(*b, q),
                        before = system_.configurationSlice(*b, previous);
        for (std::size_t i = 0; i < body.pointCount(); ++i)
          largest = std::max(largest,
                             (body.displacement(now, i) - body.displacement(before, i)).two_norm());
      }
    return largest;
  }

  /* Gap of each contact point, and slip g_T = G_T dq + h o_T with the increment dq since
   * `previous`, its tangential functional G_T and the velocity o_T of the obstacle. Points with a
   * gap of at most twice the motion of the step, and a margin for rounding, are looked at. A
   * multiplier that is taken already leaves the point to the next free one. */
  void PointGapSlip::evaluate(double t, double h, ConstSpan q, ConstSpan previous, ConstSpan l,
                              GapSlip& result) const
  {
    const std::size_t n = multipliers();
    result = {};
    result.g.assign(3 * n, 0);
    result.valid.assign(n, 0);
    ContactPoints rows;
    rows.clear(dimension_);
    const double margin = 2 * motion(q, previous) + std::ldexp(points_->length(q), -40);
    result.minGap = points_->addPoints({t, h, h}, q, margin, rows);
    if (rows.size() == 0)
      return;
    std::vector<double> dq(system_.velocitySize());
    system_.difference(previous, q, dq);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const ContactPoint& row = rows[i];
      std::size_t multiplier = row.multiplier;
      // several points may share a multiplier
      for (std::size_t tried = 0; result.valid[multiplier] && tried < n; ++tried)
        multiplier = (multiplier + 1) % n;
      result.valid[multiplier] = 1;
      for (int c = 0; c < dimension_; ++c) {
        const auto functional = rows.functional(i, c);
        const std::size_t k = 3 * multiplier + std::size_t(c);
        result.g[k] =
          c == 0 ? row.gap : dot(functional, dq) + h * row.obstacleVelocityBefore[std::size_t(c)];
        if (row.obstacleVelocityBefore[std::size_t(c)] != 0) {
          result.obstacleVelocity.resize(3 * n, 0);
          result.obstacleVelocity[k] = row.obstacleVelocityBefore[std::size_t(c)];
        }
        for (const auto& [dof, value] : functional) {
          result.rows.emplace_back(int(k), int(dof), value);
          result.derivative.emplace_back(int(k), int(dof), value);
        }
        result.force.axpy(l[k], row.unitImpulse(c));
      }
    }
  }

} // namespace Dune::Impact
