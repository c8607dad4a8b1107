// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/solver/sqp/contactsqp.hh>

namespace Dune::Impact {

  namespace {

    constexpr double worst = 100;      // infeasibility over the first one, or a tenth of an edge
    constexpr std::size_t memory = 5;  // accepted points that a residual may exceed
    constexpr double roundOff = 1e-13; // of lengths: a shorter radius is none
    // The residual of a point that cannot be improved, over the estimate of its round-off
    constexpr double standing = 8;
    // Inner tolerance of the first iteration, and of the others over the rate
    constexpr double firstTolerance = 1e-3, partOfRate = 0.3;
    constexpr double touchingRadius = 0.999; // part of the radius at which it counts as reached

  } // namespace

  /* R, phi, J and the norms of the residual at z, with the multipliers of the contact points that
   * z has. False if one of them cannot be evaluated or is not finite: a trial point is then
   * rejected like one that the filter refuses. */
  template<int d>
  bool ContactSqp<d>::evaluate(StepProblem<d>& problem, const Multipliers& mu, Point& point)
  {
    point.R.resize(problem.size());
    point.admissible = problem.residual(point.z, point.R);
    if (!point.admissible)
      return false;
    problem.constraints(point.z, point.constraints);
    point.mu.resize(point.constraints.size());
    point.tangential.resize(point.constraints.size());
    for (std::size_t p = 0; p < point.mu.size(); ++p) {
      point.mu[p] = mu.normal[point.constraints[p].multiplier];
      point.tangential[p] = mu.tangential[point.constraints[p].multiplier];
    }
    point.energy = frictional_ ? std::nullopt : problem.energy(point.z);
    measure(problem, point);
    point.admissible = std::isfinite(point.merit()) && std::isfinite(point.infeasibility) &&
                       (!point.energy || std::isfinite(*point.energy));
    return point.admissible;
  }

  /* r = R - B^T mu on free components and its max norm, the infeasibility h = max -phi_p/length_p,
   * and the complementarity: the largest force mu_p weight_p at an open constraint. A large force
   * at a constraint that is hardly open is a small error: that of complementarity is
   *
   *     max_p min(mu_p weight_p, phi_p / length_p),   each in units of its tolerance. */
  template<int d>
  void ContactSqp<d>::measure(StepProblem<d>& problem, Point& point) const
  {
    point.r = point.R;
    point.infeasibility = point.complementarity = point.complementarityError = 0;
    const double open = settings_.gapTolerance * problem.lengthScale();
    const double pressed = forceTolerance(problem);
    for (std::size_t p = 0; p < point.mu.size(); ++p) {
      const auto& constraint = point.constraints[p];
      for (const auto& [node, value] : point.constraints.row(p))
        point.r[node].axpy(-point.mu[p], value);
      point.infeasibility = std::max(point.infeasibility, -constraint.value / constraint.length);
      const double gap = constraint.value / constraint.length;
      const double force = point.mu[p] * constraint.weight;
      if (gap > open)
        point.complementarity = std::max(point.complementarity, force);
      point.complementarityError =
        std::max(point.complementarityError, std::min(force / pressed, gap / open));
    }
    point.law = point.laggedLaw = 0;
    if (frictional_)
      measureFriction(problem, point);
    point.force = 0;
    const NodeMask& fixed = problem.fixed();
    for (std::size_t i = 0; i < point.r.size(); ++i)
      for (int c = 0; c < d; ++c) {
        if (fixed[i] >> c & 1)
          point.r[i][c] = 0;
        if (!(std::abs(point.r[i][c]) <= point.force)) // also takes NaN
          point.force = std::abs(point.r[i][c]);
      }
  }

  //! Of forces: never so small that round-off of R decides
  template<int d>
  double ContactSqp<d>::forceTolerance(const StepProblem<d>& problem) const
  {
    return std::max(settings_.tolerance * problem.forceScale(), standing * problem.forceNoise());
  }

  //! Residual and complementarity are compared with one tolerance of forces; the infeasibility with
  //! that of gaps.
  template<int d>
  bool ContactSqp<d>::converged(const StepProblem<d>& problem, const Point& point) const
  {
    const double force = forceTolerance(problem);
    return point.force <= force && point.law <= force && point.complementarity <= force &&
           point.infeasibility <= settings_.gapTolerance * problem.lengthScale();
  }

  //! Residual, complementarity and overlap, each in units of its tolerance
  template<int d>
  double ContactSqp<d>::error(const StepProblem<d>& problem, const Point& point) const
  {
    return std::max({std::max(point.force, point.law) / forceTolerance(problem),
                     point.complementarityError,
                     point.infeasibility / (settings_.gapTolerance * problem.lengthScale())});
  }

  /* The matrix H - sum mu phi'', and for bounds the coordinates w and the matrix in them. A
   * linearisation of an earlier iteration is used again while it does well. */
  template<int d>
  void ContactSqp<d>::linearise(StepProblem<d>& problem, const Point& point, const Multipliers& mu)
  {
    fresh_ =
      settings_.exactJacobian || !rate_ || !linearisation_.mayServe(point.constraints, *rate_);
    served_ = fresh_ ? 1 : served_ + 1;
    if (!fresh_)
      return;
    blocks_.clear();
    if (settings_.curvature)
      problem.addCurvature(point.z, mu.normal, blocks_);
    if (settings_.exactJacobian)
      hessian_ = &problem.matrix(point.z);
    else
      linearisation_.build(problem, point.z, point.constraints, blocks_);
  }

  //! Iterations that converge slowly need no exact quadratic problems
  template<int d>
  double ContactSqp<d>::innerTolerance() const
  {
    return std::clamp(rate_ ? partOfRate * *rate_ : firstTolerance, tightest_, loosest_);
  }

  //! T^T (R - B^T mu + C~^T mu), the last term in w: C~_p T = -weight_p e_{p,c} with the component
  //! c of the bound
  template<int d>
  void ContactSqp<d>::buildGradient(const Point& point)
  {
    gradient_ = point.r;
    linearisation_.basis().applyTransposed(gradient_);
    for (std::size_t p = 0; p < point.constraints.size(); ++p)
      if (const int c = linearisation_.basis().component(p); c != DecoupledMortarBasis<d>::none)
        gradient_[point.constraints[p].node][c] -= point.mu[p] * linearisation_.basis().weight(p);
    if (frictional_)
      addFrictionGradient(point);
  }

  //! |w| <= radius, fixed components stay, and w_{p,c} <= gap_p / weight_p as far as the radius
  //! allows
  template<int d>
  void ContactSqp<d>::buildBounds(const StepProblem<d>& problem, const Point& point, double radius)
  {
    lower_.resize(problem.size());
    upper_.resize(problem.size());
    lower_ = -radius;
    upper_ = radius;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      const NodeMask::value_type mask = linearisation_.basis().isBounded(i)
                                          ? linearisation_.basis().fixedOf(i)
                                          : problem.fixed()[i];
      for (int c = 0; c < d; ++c)
        if (mask >> c & 1)
          lower_[i][c] = upper_[i][c] = 0;
    }
    for (std::size_t p = 0; p < gap_.size(); ++p)
      if (const int c = linearisation_.basis().component(p); c != DecoupledMortarBasis<d>::none)
        upper_[point.constraints[p].node][c] =
          std::clamp(gap_[p] / linearisation_.basis().weight(p), -radius, radius);
  }

  //! Components of w that are expected at the bounds of their constraints: those with a
  //! multiplier, and at the first point those that overlap
  template<int d>
  NodeMask ContactSqp<d>::touching(const Point& point) const
  {
    NodeMask mask(point.z.size(), 0);
    for (std::size_t p = 0; p < gap_.size(); ++p)
      if (const int c = linearisation_.basis().component(p);
          c != DecoupledMortarBasis<d>::none && (point.mu[p] > 0 || (!rate_ && gap_[p] < 0)))
        mask[point.constraints[p].node] |= NodeMask::value_type(1 << c);
    return mask;
  }

  /* The problem with bounds; then d = T w and lambda_p = (b - A w)_{p,c} / weight_p where the bound
   * of the constraint, and not the radius, is reached. */
  template<int d>
  bool ContactSqp<d>::solveBounds(const StepProblem<d>& problem, const Point& point, double radius)
  {
    buildBounds(problem, point, radius);
    auto b = gradient_;
    b *= -1.0;
    const NodeMask mask = touching(point);
    if (frictional_)
      buildFriction(point);
    if (!linearisation_.solve({b, lower_, upper_, mask, frictional_ ? &terms_ : nullptr},
                              innerTolerance(), w_))
      return false;
    const DecoupledMortarBasis<d>& basis = linearisation_.basis();
    residual_.resize(problem.size());
    linearisation_.matrix().residual(w_, b, residual_, linearisation_.threads());
    basis.apply(w_, d_);
    lambda_.assign(point.constraints.size(), 0);
    for (std::size_t p = 0; p < lambda_.size(); ++p) {
      const std::size_t i = point.constraints[p].node;
      const int c = basis.component(p);
      if (c != DecoupledMortarBasis<d>::none && w_[i][c] >= upper_[i][c] &&
          upper_[i][c] <= gap_[p] / basis.weight(p))
        lambda_[p] = std::max(0.0, residual_[i][c]) / basis.weight(p);
    }
    if (frictional_)
      takeFriction(point);
    return true;
  }

  //! Quadratic problem with simplified constraints, in w
  template<int d>
  bool ContactSqp<d>::solveSimplified(const StepProblem<d>& problem, const Point& point,
                                      double radius)
  {
    buildGradient(point);
    w_.resize(problem.size());
    if (!solveBounds(problem, point, radius))
      return false;
    size_ = w_.infinity_norm();
    touchesRadius_ = size_ >= touchingRadius * radius;
    predictSimplified(point);
    return true;
  }

  //! Gradient R - (B - C)^T mu, constraints phi + C d >= 0
  template<int d>
  bool ContactSqp<d>::solveExact(const StepProblem<d>& problem, const Point& point, double radius,
                                 SqpReport& report)
  {
    gradient_ = point.r;
    for (std::size_t p = 0; p < point.constraints.size(); ++p)
      for (const auto& [node, value] : point.constraints.derivative(p))
        gradient_[node].axpy(point.mu[p], value);
    lambda_ = point.mu;
    if (!kkt_.solve({*hessian_, blocks_, gradient_, point.constraints, gap_, problem.fixed(),
                     radius, settings_.stop},
                    d_, lambda_))
      return false;
    report.cycles += kkt_.factorisations();
    report.maxCycles = std::max(report.maxCycles, kkt_.factorisations());
    size_ = d_.infinity_norm();
    touchesRadius_ = kkt_.shortened();
    predictExact(point);
    return true;
  }

  template<int d>
  bool ContactSqp<d>::solveQuadratic(const StepProblem<d>& problem, const Point& point,
                                     double radius, SqpReport& report)
  {
    gap_.resize(point.constraints.size());
    for (std::size_t p = 0; p < gap_.size(); ++p)
      gap_[p] = point.constraints[p].value;
    return settings_.exactJacobian ? solveExact(problem, point, radius, report)
                                   : solveSimplified(problem, point, radius);
  }

  /* Change of the model, (R - B^T mu).d + mu.L d + 1/2 w.Aw, with the derivative L of the
   * constraints in the quadratic problem and Aw = -g - residual. */
  template<int d>
  void ContactSqp<d>::predictSimplified(const Point& point)
  {
    change_.assign(point.constraints.size(), 0);
    model_ = dot(point.r, d_) - 0.5 * (dot(gradient_, w_) + dot(residual_, w_));
    for (std::size_t p = 0; p < change_.size(); ++p) {
      if (const int c = linearisation_.basis().component(p); c != DecoupledMortarBasis<d>::none)
        change_[p] = -linearisation_.basis().weight(p) * w_[point.constraints[p].node][c];
      model_ += point.mu[p] * change_[p];
    }
  }

  //! The same, g.d + 1/2 d.H d, with C for L
  template<int d>
  void ContactSqp<d>::predictExact(const Point& point)
  {
    change_.assign(point.constraints.size(), 0);
    for (std::size_t p = 0; p < change_.size(); ++p)
      for (const auto& [node, value] : point.constraints.derivative(p))
        change_[p] += value * d_[node];
    model_ = dot(gradient_, d_) + 0.5 * kkt_.curvature();
  }

  //! z + d, and the multipliers
  template<int d>
  void ContactSqp<d>::takeStep(const Point& point, Point& trial, Multipliers& mu) const
  {
    trial.z = point.z;
    trial.z += d_;
    std::ranges::fill(mu.normal, 0);
    std::ranges::fill(mu.tangential, Vector(0));
    for (std::size_t p = 0; p < lambda_.size(); ++p) {
      mu.normal[point.constraints[p].multiplier] = lambda_[p];
      if (frictional_)
        mu.tangential[point.constraints[p].multiplier] = tangential_[p];
    }
  }

  /* Nothing is known of earlier steps. The first entry of the filter bounds the infeasibility,
   * whatever the energy:
   *
   *     h <= worst * max(h of the first point, a tenth of the length of the mesh)
   */
  template<int d>
  void ContactSqp<d>::begin(const StepProblem<d>& problem, const Point& first)
  {
    filter_ = {{worst * std::max(first.infeasibility, 0.1 * problem.lengthScale()),
                -std::numeric_limits<double>::infinity()}};
    residuals_ = {first.merit()};
    plan_.begin(first.merit());
    laws_.clear();
    omega_ = 1;
    frozen_ = false;
    rate_.reset();
    linearisation_.beginStep();
  }

  //! The point that is left becomes an entry of the filter after a step towards feasibility. The
  //! residual of the point that is reached joins those of the last `memory` points.
  template<int d>
  void ContactSqp<d>::remember(const Point& left, const Point& reached)
  {
    if (forFeasibility_ && left.infeasibility > 0)
      filter_.push_back({left.infeasibility, *left.energy});
    residuals_.push_back(reached.merit());
    if (residuals_.size() > memory)
      residuals_.erase(residuals_.begin());
  }

  //! A trial point within the radius. One that is not accepted is sought again with a linearisation
  //! of the current point, then within half the radius. False if the radius reaches round-off.
  template<int d>
  bool ContactSqp<d>::findStep(StepProblem<d>& problem, const Point& current, const Multipliers& mu,
                               Point& trial, Multipliers& trialMu, double& radius,
                               SqpReport& report)
  {
    while (radius > roundOff * problem.lengthScale()) {
      settings_.stop.check();
      bool accepted = solveQuadratic(problem, current, radius, report);
      if (accepted) {
        takeStep(current, trial, trialMu);
        if (report.iterations == 1)
          firstModel_ = -model_;
        accepted = evaluate(problem, trialMu, trial) && judge(problem, current, trial);
        observe({report.iterations, trial.infeasibility, trial.merit(), trial.energy, radius,
                 accepted, forEnergy_});
      }
      if (accepted)
        return true;
      ++report.rejected;
      if (fresh_)
        radius = 0.5 * std::min(radius, std::max(size_, roundOff * problem.lengthScale()));
      else {
        rate_ = 1;
        linearise(problem, current, mu);
      }
    }
    return false;
  }

  //! Each iteration takes the first trial point that is accepted. The radius shrinks in findStep()
  //! and doubles after a step that has touched it.
  template<int d>
  SqpReport ContactSqp<d>::solve(StepProblem<d>& problem, NodeVector<d>& z,
                                 std::vector<double>& normal, std::vector<Vector>& tangential)
  {
    SqpReport report;
    Point current, trial;
    current.z = z;
    frictional_ = problem.hasFriction();
    frozen_ = false;
    bounds_.clear();
    Multipliers mu{normal, tangential}, trialMu = mu;
    if (!evaluate(problem, mu, current)) {
      report.converged = false;
      report.residual = std::numeric_limits<double>::infinity();
      return report;
    }
    begin(problem, current);
    double radius = settings_.radius * problem.lengthScale();
    observe({0, current.infeasibility, current.merit(), current.energy, radius, true, false});
    while (!(converged(problem, current) && plan_.done()) &&
           report.iterations < settings_.maxIterations) {
      settings_.stop.check();
      ++report.iterations;
      if (frictional_)
        updateBounds(problem, current, report.iterations);
      linearise(problem, current, mu);
      if (!findStep(problem, current, mu, trial, trialMu, radius, report))
        break;
      remember(current, trial);
      plan_.advance(trial.merit(), forceTolerance(problem), served_);
      const double left = error(problem, current);
      rate_ = left > 0 ? error(problem, trial) / left : 1;
      if (touchesRadius_)
        radius *= 2;
      std::swap(current, trial);
      mu = trialMu;
    }
    finish(problem, current, report);
    z = current.z;
    normal = mu.normal;
    tangential = mu.tangential;
    return report;
  }

  template<int d>
  void ContactSqp<d>::finish(const StepProblem<d>& problem, const Point& last,
                             SqpReport& report) const
  {
    report.converged = converged(problem, last);
    report.residual = last.force / problem.forceScale();
    report.infeasibility = last.infeasibility;
    const LinearisationReport& inner = linearisation_.report();
    report.cycles += inner.cycles;
    report.maxCycles = std::max(report.maxCycles, inner.maxCycles);
    report.direct = inner.direct, report.shifted = inner.shift > 0;
    report.frozen = frozen_;
    for (std::size_t p = 0; frozen_ && p < last.mu.size(); ++p)
      if (const auto& constraint = last.constraints[p]; constraint.friction > 0)
        report.frictionDefect = std::max(
          report.frictionDefect, constraint.weight * std::abs(bounds_[constraint.multiplier] -
                                                              constraint.friction * last.mu[p]));
  }

  template class ContactSqp<2>;
  template class ContactSqp<3>;

} // namespace Dune::Impact
