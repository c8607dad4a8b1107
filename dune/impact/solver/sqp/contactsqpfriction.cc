// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/solver/sqp/contactsqp.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double leastRelaxation = 0.125; // omega
    constexpr std::size_t patience = 4;       // iterations in which the law must gain a half
    constexpr double belowBound = 1 - 1e-9;   // part of the bound below which a point sticks
    constexpr double closed = 1e-9;           // gap of a closed point, over the length of the mesh
    constexpr double slipFactor = 10;         // slip of sticking points over the tolerance of gaps

  } // namespace

  /* Residual of the law |l| <= b, l.s = -b |s| as a force: the largest of
   *
   *     (|l| - b)_+ weight,   |l.s + b |s||/length of the mesh,
   *
   * and the smaller one of (b - |l|) weight and the slip, in units in which its tolerance is that
   * of forces: a point below its bound does not slip. */
  template<int d>
  double ContactSqp<d>::lawResidual(const StepProblem<d>& problem, const Point& point,
                                    std::size_t p, double bound) const
  {
    const auto& constraint = point.constraints[p];
    const double force = forceTolerance(problem),
                 slip = slipFactor * settings_.gapTolerance * problem.lengthScale();
    const double size = point.tangential[p].two_norm(), way = constraint.slip.two_norm();
    const double power = point.tangential[p] * constraint.slip + bound * way;
    return std::max(
      {constraint.weight * (size - bound), std::abs(power) / problem.lengthScale(),
       std::min(constraint.weight * (bound - size), force * (way / constraint.length / slip))});
  }

  //! r -= T^T l, and the residual of the law with beta mu, or what was frozen, and with the bounds
  //! of the quadratic problem that has led here
  template<int d>
  void ContactSqp<d>::measureFriction(const StepProblem<d>& problem, Point& point) const
  {
    point.laggedLaw = 0;
    for (std::size_t p = 0; p < point.mu.size(); ++p) {
      const auto& constraint = point.constraints[p];
      if (!(constraint.friction > 0))
        continue;
      for (const auto& [node, value] : point.constraints.friction(p))
        value.mmtv(point.tangential[p], point.r[node]);
      const std::size_t k = constraint.multiplier;
      const double own = constraint.friction * point.mu[p],
                   lagged = k < bounds_.size() && bounds_[k] >= 0 ? bounds_[k] : own;
      point.law = std::max(point.law, lawResidual(problem, point, p, frozen_ ? lagged : own));
      if (std::isfinite(lagged))
        point.laggedLaw = std::max(point.laggedLaw, lawResidual(problem, point, p, lagged));
    }
  }

  /* The bounds of the quadratic problem at a point: beta mu, relaxed. At the first point of a
   * static problem closed points without multiplier stick. */
  template<int d>
  void ContactSqp<d>::updateBounds(const StepProblem<d>& problem, Point& point, int iteration)
  {
    for (std::size_t p = 0; p < point.constraints.size(); ++p) {
      auto& constraint = point.constraints[p];
      if (constraint.multiplier >= bounds_.size()) {
        bounds_.resize(constraint.multiplier + 1, -1);
        sticks_.resize(constraint.multiplier + 1, false);
      }
      double& bound = bounds_[constraint.multiplier];
      const double next = constraint.friction * point.mu[p];
      if (!frozen_)
        bound = bound < 0 || !std::isfinite(bound) ? next : (1 - omega_) * bound + omega_ * next;
      if (iteration == 1) {
        sticks_[constraint.multiplier] = point.tangential[p].two_norm() < belowBound * bound;
        if (bound == 0 && constraint.friction > 0 && problem.sticksAtFirst() &&
            constraint.value <= closed * problem.lengthScale() * constraint.length)
          bound = infinity;
      }
      constraint.follows = bound > 0 || point.tangential[p] != Vector(0);
    }
    if (!frozen_ && iteration > freezeAfter_)
      frozen_ = true;
    if (iteration > 1)
      relax(point);
  }

  //! Halves omega if the residual of the law has not lost a half in `patience` iterations
  template<int d>
  void ContactSqp<d>::relax(const Point& reached)
  {
    laws_.push_back(reached.law);
    if (laws_.size() <= patience || frozen_)
      return;
    if (reached.law > 0.5 * laws_[laws_.size() - 1 - patience] && omega_ > leastRelaxation) {
      omega_ *= 0.5;
      laws_.clear();
    }
  }

  //! The frame of the node of constraint p, whose first column is its normal
  template<int d>
  typename ContactSqp<d>::Frame ContactSqp<d>::frameOf(const Point& point, std::size_t p) const
  {
    const auto& constraint = point.constraints[p];
    Frame frame{linearisation_.basis().frame(constraint.node), Vector(0), constraint.axis};
    for (int c = 0; c < d; ++c)
      frame.normal[c] = frame.axes[c][0];
    return frame;
  }

  //! A vector of the tangent plane of constraint p in the coordinates of its node
  template<int d>
  typename ContactSqp<d>::Vector ContactSqp<d>::toFrame(const Point& point, std::size_t p,
                                                        const Vector& v) const
  {
    const Frame frame = frameOf(point, p);
    Vector result;
    frame.axes.mtv(turned(frame.axis, frame.normal, v), result);
    return result;
  }

  //! The other way
  template<int d>
  typename ContactSqp<d>::Vector ContactSqp<d>::fromFrame(const Point& point, std::size_t p,
                                                          const Vector& v) const
  {
    const Frame frame = frameOf(point, p);
    Vector result;
    frame.axes.mv(v, result);
    return turned(frame.normal, frame.axis, result);
  }

  //! + T~^T l in w: T~ w = weight w_T. Points that do not follow keep T^T l as a load.
  template<int d>
  void ContactSqp<d>::addFrictionGradient(const Point& point)
  {
    for (std::size_t p = 0; p < point.constraints.size(); ++p) {
      const auto& constraint = point.constraints[p];
      if (!linearisation_.basis().follows(p))
        continue;
      const Vector l = toFrame(point, p, point.tangential[p]);
      for (int c = 1; c < d; ++c)
        gradient_[constraint.node][c] += constraint.weight * l[c];
    }
  }

  //! The terms b |s + weight w_T|: a kink at w_T = -s/weight
  template<int d>
  void ContactSqp<d>::buildFriction(const Point& point)
  {
    terms_.clear(point.z.size());
    for (std::size_t p = 0; p < point.constraints.size(); ++p) {
      const auto& constraint = point.constraints[p];
      if (!linearisation_.basis().follows(p))
        continue;
      Vector kink = toFrame(point, p, constraint.slip);
      kink /= -constraint.weight;
      kink[0] = 0;
      terms_.add({constraint.node, constraint.weight * bounds_[constraint.multiplier], kink,
                  bool(sticks_[constraint.multiplier])});
    }
  }

  /* l from the residual b - A w of the quadratic problem: l = -residual_T/weight where the point
   * sticks, -b u/|u| where it slides. At a node with bounds of several faces the tangential plane
   * is not one of components; there l is the projection of l - rho s onto the disc of radius b,
   * with the stiffness of the node for rho. */
  template<int d>
  void ContactSqp<d>::takeFriction(const Point& point)
  {
    const DecoupledMortarBasis<d>& basis = linearisation_.basis();
    tangential_.assign(point.constraints.size(), Vector(0));
    for (std::size_t p = 0; p < point.constraints.size(); ++p) {
      const auto& constraint = point.constraints[p];
      const std::size_t i = constraint.node;
      const double bound = std::max(0.0, bounds_[constraint.multiplier]);
      if (basis.follows(p)) {
        const auto* term = terms_.of(i);
        Vector l(0);
        const bool sticks = term && term->atKink(w_[i]);
        for (int c = 1; term && sticks && c < d; ++c)
          l[c] = -residual_[i][c] / constraint.weight;
        if (term && !sticks && std::isfinite(bound))
          l.axpy(-1 / constraint.weight, term->gradient(w_[i]));
        if (const double size = l.two_norm(); size > bound)
          l *= bound / size;
        sticks_[constraint.multiplier] = sticks;
        tangential_[p] = fromFrame(point, p, l);
      }
      else if (constraint.friction > 0 && basis.component(p) != DecoupledMortarBasis<d>::none) {
        const auto& D = linearisation_.matrix().block(linearisation_.matrix().diagonal(i));
        const double rho = D.infinity_norm() / (constraint.weight * constraint.weight);
        Vector l = point.tangential[p];
        l.axpy(-rho, constraint.slip);
        if (const double size = l.two_norm(); size > bound)
          l *= bound / size;
        tangential_[p] = l;
      }
    }
  }

#define DUNE_IMPACT_INSTANTIATE(d)                                                                 \
  template double ContactSqp<d>::lawResidual(const StepProblem<d>&, const Point&, std::size_t,     \
                                             double) const;                                        \
  template void ContactSqp<d>::measureFriction(const StepProblem<d>&, Point&) const;               \
  template void ContactSqp<d>::updateBounds(const StepProblem<d>&, Point&, int);                   \
  template void ContactSqp<d>::relax(const Point&);                                                \
  template ContactSqp<d>::Frame ContactSqp<d>::frameOf(const Point&, std::size_t) const;           \
  template FieldVector<double, d> ContactSqp<d>::toFrame(const Point&, std::size_t, const Vector&) \
    const;                                                                                         \
  template FieldVector<double, d> ContactSqp<d>::fromFrame(const Point&, std::size_t,              \
                                                           const Vector&) const;                   \
  template void ContactSqp<d>::addFrictionGradient(const Point&);                                  \
  template void ContactSqp<d>::buildFriction(const Point&);                                        \
  template void ContactSqp<d>::takeFriction(const Point&);

  DUNE_IMPACT_INSTANTIATE(2)
  DUNE_IMPACT_INSTANTIATE(3)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
