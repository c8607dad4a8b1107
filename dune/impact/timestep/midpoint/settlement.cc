// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/timestep/midpoint/midpointhistory.hh>
#include <dune/impact/timestep/midpoint/settlement.hh>

namespace Dune::Impact {

  namespace {

    constexpr int mostSweeps = 1000;
    constexpr double settled = 1e-13; // largest change of a sweep over the largest impulse

    //! Unit vectors normal to a and to each other: columns of the reflection that takes the first
    //! unit vector to a or -a
    template<int dim>
    std::array<FieldVector<double, dim>, dim - 1> tangentsOf(const FieldVector<double, dim>& a)
    {
      auto u = a;
      u[0] += std::copysign(1.0, a[0]);
      std::array<FieldVector<double, dim>, dim - 1> tangents;
      for (int c = 1; c < dim; ++c) {
        auto& t = tangents[c - 1];
        t = 0;
        t[c] = 1;
        t.axpy(-2 * u[c] / u.two_norm2(), u);
      }
      return tangents;
    }

  } // namespace

  //! Points with friction and a force that have a gap at the end of the step
  template<int dim>
  Settlement<dim>::Settlement(AcceptedStep<dim>& step)
    : step_(step)
    , positions_(step.model.nodePositions())
  {
    for (std::size_t i = 0; i < positions_.size(); ++i)
      for (int c = 0; c < dim; ++c)
        positions_[i][c] += step.to.q[i * dim + c];
    const WeightedGaps<dim>& gaps = step.endGaps();
    for (std::size_t p = 0, gap = 0; p < step.constraints.size(); ++p) {
      const std::size_t multiplier = step.constraints[p].multiplier;
      while (gap < gaps.size() && gaps[gap].multiplier < multiplier)
        ++gap;
      if (gap < gaps.size() && gaps[gap].multiplier == multiplier)
        addPoint(p, gap);
    }
  }

  template<int dim>
  void Settlement<dim>::addPoint(std::size_t p, std::size_t gap)
  {
    const auto& constraint = step_.constraints[p];
    const double bound =
      step_.h * constraint.friction * MidpointHistory::pressure(step_.to)[constraint.multiplier];
    if (!(bound > 0))
      return;
    const WeightedGaps<dim>& gaps = step_.endGaps();
    const SlipEnd<dim> end{&gaps[gap], gaps.mortar(gap), gaps.shares(gap)};
    SlipRow<dim>& slip = step_.workspace.slip;
    Point point{.contact = step_.model.contactOf(constraint.multiplier),
                .node = constraint.node,
                .row = slip.make(
                  end, end, [&](std::size_t node) { return positions_[node]; }, gaps[gap].turn),
                .tangents = {},
                .impulse = Tangential(0),
                .rate = Tangential(0),
                .bound = bound,
                .obstacleVelocity = {}};
    auto axis = slip.axis();
    axis /= axis.two_norm();
    point.tangents = tangentsOf<dim>(axis);
    point.obstacleVelocity = step_.obstacleIncrement(point.contact);
    point.obstacleVelocity /= step_.h;
    const Vector l = turned(constraint.axis, axis, step_.tangential(p));
    for (int c = 0; c < components; ++c) {
      point.impulse[c] = step_.h * (l * point.tangents[c]);
      point.rate[c] = slipRate(point, c, step_.to.p);
      for (const auto& [node, value] : point.row)
        if (node == point.node) {
          Vector motion;
          value.mv(point.obstacleVelocity, motion);
          point.rate[c] -= point.tangents[c] * motion;
        }
    }
    points_.push_back(std::move(point));
  }

  template<int dim>
  double Settlement<dim>::slipRate(const Point& point, int c, const std::vector<double>& v) const
  {
    Vector rate(0), velocity;
    for (const auto& [node, value] : point.row) {
      for (int k = 0; k < dim; ++k)
        velocity[k] = v[node * dim + k];
      value.umv(velocity, rate);
    }
    return point.tangents[c] * rate;
  }

  template<int dim>
  void Settlement<dim>::addForce(const Point& point, int c, double k, std::vector<double>& f) const
  {
    Vector force;
    for (const auto& [node, value] : point.row) {
      value.mtv(point.tangents[c], force);
      for (int j = 0; j < dim; ++j)
        if (!step_.model.isFixed(node * dim + j))
          f[node * dim + j] += k * force[j];
    }
  }

  //! W = T M^-1 T^T, a column per tangential component; eigenvalues of its blocks in closed form
  template<int dim>
  void Settlement<dim>::assemble()
  {
    const std::size_t size = points_.size() * components;
    matrix_.assign(size * size, 0);
    std::vector<double> f(step_.to.p.size()), y(step_.to.p.size());
    for (std::size_t column = 0; column < size; ++column) {
      std::ranges::fill(f, 0);
      std::ranges::fill(y, 0);
      addForce(points_[column / components], int(column % components), 1, f);
      step_.model.system.velocity(step_.to.q, f, y);
      for (std::size_t row = 0; row < size; ++row)
        W(row, column) = slipRate(points_[row / components], int(row % components), y);
    }
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const std::size_t i = p * components;
      points_[p].stiffness = W(i, i);
      if constexpr (components == 2)
        points_[p].stiffness =
          0.5 * (W(i, i) + W(i + 1, i + 1)) +
          std::hypot(0.5 * (W(i, i) - W(i + 1, i + 1)), 0.5 * (W(i, i + 1) + W(i + 1, i)));
    }
  }

  /* One point after the other: k_p <- projection of k_p - rate_p/stiffness_p onto its disc, which
   * lowers J since the stiffness bounds the block of W. The largest change is returned. */
  template<int dim>
  double Settlement<dim>::sweep()
  {
    double largest = 0;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      Point& point = points_[p];
      if (!(point.stiffness > 0))
        continue;
      Tangential next = point.impulse;
      next.axpy(-1 / point.stiffness, point.rate);
      if (const double length = next.two_norm(); length > point.bound)
        next *= point.bound / length;
      const Tangential change = next - point.impulse;
      point.impulse = next;
      largest = std::max(largest, change.two_norm());
      for (std::size_t q = 0; q < points_.size(); ++q)
        for (int r = 0; r < components; ++r)
          for (int c = 0; c < components; ++c)
            points_[q].rate[r] += W(q * components + r, p * components + c) * change[c];
    }
    return largest;
  }

  //! With the rates g before and g' = g + W k after: J = k.(g + g')/2
  template<int dim>
  void Settlement<dim>::apply()
  {
    if (points_.empty())
      return;
    assemble();
    const std::vector<Point> before = points_;
    double scale = 0;
    for (const Point& point : points_)
      scale = std::max(scale, point.bound);
    for (int k = 0; k < mostSweeps && sweep() > settled * scale; ++k) {}
    std::vector<double> f(step_.to.p.size(), 0), y(step_.to.p.size(), 0);
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const Point& point = points_[p];
      const Tangential k = point.impulse - before[p].impulse;
      step_.to.ledger.frictionWork += 0.5 * (k * (point.rate + before[p].rate));
      for (int c = 0; c < components; ++c) {
        addForce(point, c, k[c], f);
        Vector force;
        for (const auto& [node, value] : point.row)
          if (node == point.node) {
            value.mtv(point.tangents[c], force);
            step_.to.ledger.externalWork += k[c] * (force * point.obstacleVelocity);
          }
      }
    }
    step_.model.system.velocity(step_.to.q, f, y);
    for (std::size_t i = 0; i < y.size(); ++i)
      step_.to.p[i] += y[i];
  }

  template class Settlement<2>;
  template class Settlement<3>;

} // namespace Dune::Impact
