// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/solver/contactsqp.hh>

namespace Dune::Impact {

  namespace {

    constexpr double margin = 1e-5;      // gamma of the filter
    constexpr double sufficient = 1e-2;  // part of the predicted decrease that must come true
    constexpr std::size_t memory = 5;    // accepted points that a residual may exceed

    //! A unit vector completed to an orthonormal basis, axes of the mask first
    template<int d>
    NodeBlock<d> completeBasis(const FieldVector<double, d>& first, NodeMask::value_type axes, NodeMask::value_type& fixed)
    {
      NodeBlock<d> Q(0);
      int columns = 0;
      fixed = 0;
      const auto tryAdd = [&](FieldVector<double, d> v, double least) {
        for (int k = 0; k < columns; ++k) {
          double product = 0;
          for (int c = 0; c < d; ++c)
            product += Q[c][k] * v[c];
          for (int c = 0; c < d; ++c)
            v[c] -= product * Q[c][k];
        }
        const double norm = v.two_norm();
        if (columns == d || norm < least)
          return false;
        for (int c = 0; c < d; ++c)
          Q[c][columns] = v[c] / norm;
        ++columns;
        return true;
      };
      tryAdd(first, 0);
      for (int pass : {1, 0})
        for (int c = 0; c < d; ++c)
          if (bool(axes >> c & 1) == bool(pass)) {
            FieldVector<double, d> axis(0);
            axis[c] = 1;
            if (tryAdd(axis, pass ? 0.5 : 0.3) && pass)
              fixed |= NodeMask::value_type(1 << (columns - 1));
          }
      return Q;
    }

  } // namespace

  template<int d>
  void ContactSqp<d>::setTransfers(typename BoxMultigrid<d>::Transfers transfers)
  {
    transfers_ = transfers;
    transferBasis_.clear();
    multigrid_.setTransfers(std::move(transfers));
  }

  template<int d>
  bool ContactSqp<d>::evaluate(StepProblem<d>& problem, const std::vector<double>& mu, Point& point)
  {
    point.R.resize(problem.size());
    point.admissible = problem.residual(point.z, point.R);
    if (!point.admissible)
      return false;
    problem.constraints(point.z, point.constraints);
    point.mu.resize(point.constraints.size());
    for (std::size_t p = 0; p < point.mu.size(); ++p)
      point.mu[p] = mu[point.constraints[p].slot];
    point.energy = problem.energy(point.z);
    measure(problem, point);
    point.admissible = std::isfinite(point.force) && std::isfinite(point.infeasibility) && (!point.energy || std::isfinite(*point.energy));
    return point.admissible;
  }

  //! Residual of the forces, violation of the constraints, force at open constraints
  template<int d>
  void ContactSqp<d>::measure(StepProblem<d>& problem, Point& point) const
  {
    point.r = point.R;
    point.infeasibility = point.complementarity = 0;
    const double open = settings_.gapTolerance * problem.lengthScale();
    for (std::size_t p = 0; p < point.mu.size(); ++p) {
      const auto& constraint = point.constraints[p];
      for (const auto& [node, value] : point.constraints.row(p))
        point.r[node].axpy(-point.mu[p], value);
      point.infeasibility = std::max(point.infeasibility, -constraint.value / constraint.length);
      if (constraint.value / constraint.length > open)
        point.complementarity = std::max(point.complementarity, point.mu[p] * constraint.weight);
    }
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

  template<int d>
  bool ContactSqp<d>::converged(const StepProblem<d>& problem, const Point& point) const
  {
    const double force = settings_.tolerance * problem.forceScale();
    return point.force <= force && point.complementarity <= force && point.infeasibility <= settings_.gapTolerance * problem.lengthScale();
  }

  //! Q_p per constraint: the free part of the normal, the axes that are fixed, the rest
  template<int d>
  void ContactSqp<d>::buildBasis(const StepProblem<d>& problem, const Point& point)
  {
    const Constraints<d>& constraints = point.constraints;
    constraintOf_.assign(problem.size(), -1);
    basis_.resize(constraints.size());
    weight_.resize(constraints.size());
    basisFixed_.resize(constraints.size());
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const NodeMask::value_type fixed = problem.fixed()[constraints[p].node];
      Vector normal = constraints[p].normal;
      for (int c = 0; c < d; ++c)
        if (fixed >> c & 1)
          normal[c] = 0;
      const double free = normal.two_norm();
      weight_[p] = constraints[p].weight * free;
      if (free < 1e-6) // the node cannot move along the normal: nothing to bound
        continue;
      constraintOf_[constraints[p].node] = long(p);
      basis_[p] = completeBasis<d>(normal / free, fixed, basisFixed_[p]);
    }
  }

  //! Q^T H Q, in place on a copy
  template<int d>
  void ContactSqp<d>::transformMatrix(const BlockMatrix<d>& H, const Point& point)
  {
    matrix_ = H;
    for (std::size_t p = 0; p < point.constraints.size(); ++p) {
      const std::size_t i = point.constraints[p].node;
      if (constraintOf_[i] != long(p))
        continue;
      const Block& Q = basis_[p];
      const Block transposed = Q.transposed();
      for (const auto [begin, end] : matrix_.row(i))
        for (std::size_t k = begin; k < end; ++k) {
          matrix_.block(k).leftmultiply(transposed);
          matrix_.block(matrix_.find(matrix_.column(k), i)).rightmultiply(Q);
        }
    }
  }

  //! Gradient of the quadratic problem in w: Q^T (R - (B - B~)^T mu)
  template<int d>
  void ContactSqp<d>::buildGradient(const Point& point)
  {
    gradient_ = point.r;
    for (std::size_t p = 0; p < point.constraints.size(); ++p) {
      const auto& constraint = point.constraints[p];
      if (constraintOf_[constraint.node] == long(p))
        gradient_[constraint.node].axpy(-point.mu[p] * constraint.weight, constraint.normal); // + B~^T mu
    }
    for (std::size_t p = 0; p < point.constraints.size(); ++p)
      if (const std::size_t i = point.constraints[p].node; constraintOf_[i] == long(p)) {
        Vector g(0);
        basis_[p].umtv(gradient_[i], g);
        gradient_[i] = g;
      }
  }

  //! The finest prolongation in the coordinates w: Q^T P
  template<int d>
  void ContactSqp<d>::updateTransfers(const Point& point)
  {
    if (transfers_.empty())
      return;
    std::vector<std::pair<std::size_t, Block>> basis;
    for (std::size_t p = 0; p < point.constraints.size(); ++p)
      if (constraintOf_[point.constraints[p].node] == long(p))
        basis.emplace_back(point.constraints[p].node, basis_[p]);
    if (basis == transferBasis_)
      return;
    const Transfer<d>& P = *transfers_.front();
    auto transformed = std::make_shared<Transfer<d>>(P.coarseSize());
    for (std::size_t i = 0; i < P.fineSize(); ++i) {
      transformed->beginRow();
      for (const auto& entry : P.parents(i)) {
        if (constraintOf_[i] < 0) {
          transformed->add(entry.node, P.weight(entry));
          continue;
        }
        Block block = basis_[constraintOf_[i]].transposed();
        block *= P.weight(entry);
        transformed->add(entry.node, block);
      }
    }
    transformed->finish();
    auto all = transfers_;
    all.front() = transformed;
    multigrid_.setTransfers(all);
    transferBasis_ = std::move(basis);
  }

  //! |w| <= radius, fixed components stay, and w_{p,1} <= phi_p / weight_p as far as the radius allows
  template<int d>
  void ContactSqp<d>::buildBounds(const StepProblem<d>& problem, const Point& point, double radius)
  {
    lower_.resize(problem.size());
    upper_.resize(problem.size());
    lower_ = -radius;
    upper_ = radius;
    const auto fix = [&](std::size_t i, NodeMask::value_type mask) {
      for (int c = 0; c < d; ++c)
        if (mask >> c & 1)
          lower_[i][c] = upper_[i][c] = 0;
    };
    for (std::size_t i = 0; i < problem.size(); ++i) {
      const long p = constraintOf_[i];
      fix(i, p < 0 ? problem.fixed()[i] : basisFixed_[p]);
      if (p >= 0)
        upper_[i][0] = std::clamp(point.constraints[p].value / weight_[p], -radius, radius);
    }
  }

  template<int d>
  bool ContactSqp<d>::solveQuadratic(StepProblem<d>& problem, const Point& point, double radius, SqpReport& report)
  {
    buildBounds(problem, point, radius);
    NodeVector<d> b = gradient_;
    b *= -1.0;
    w_.resize(problem.size());
    w_ = 0;
    BoxProblem<d> quadratic{matrix_, b, lower_, upper_};
    project(quadratic, w_);
    NodeVector<d> residual(problem.size());
    matrix_.residual(w_, b, residual);
    quadratic.scale = naturalMapNorm(quadratic, w_, residual);
    if (quadratic.scale > 0) {
      const SolveReport inner = multigrid_.solve(quadratic, w_);
      report.cycles += inner.cycles;
      report.maxCycles = std::max(report.maxCycles, inner.cycles);
      if (!std::isfinite(inner.residual))
        return false;
    }
    d_.resize(problem.size());
    matrix_.residual(w_, b, d_);
    model_ = 0.5 * (dot(gradient_, w_) - dot(d_, w_)); // g.w + 1/2 w.Aw with Aw = -g - d_
    touchesRadius_ = w_.infinity_norm() >= 0.999 * radius;
    return true;
  }

  //! z + Q w, and the multipliers mu_p = (b - A w)_{p,1} / weight_p of the bounds that are reached
  template<int d>
  void ContactSqp<d>::takeStep(const Point& point, Point& trial, std::vector<double>& mu)
  {
    std::fill(mu.begin(), mu.end(), 0);
    trial.z = point.z;
    for (std::size_t i = 0; i < trial.z.size(); ++i) {
      const long p = constraintOf_[i];
      if (p < 0) {
        trial.z[i] += w_[i];
        continue;
      }
      basis_[p].umv(w_[i], trial.z[i]);
      const double bound = point.constraints[p].value / weight_[p];
      if (w_[i][0] >= upper_[i][0] && upper_[i][0] <= bound)
        mu[point.constraints[p].slot] = std::max(0.0, d_[i][0]) / weight_[p];
    }
  }

  /* Filter. With a potential: less infeasibility or less energy than every entry. Without one the
   * largest residual of the last few points takes the place of the energy, so that an iteration
   * that changes the set of touching nodes may raise it for a while. */
  template<int d>
  bool ContactSqp<d>::acceptable(const StepProblem<d>& problem, const Point& current, const Point& trial) const
  {
    const double h = std::max(0.0, trial.infeasibility - settings_.gapTolerance * problem.lengthScale());
    const double energyPerLength = problem.forceScale();
    if (!trial.energy) {
      double largest = current.force;
      for (std::size_t i = filter_.size() > memory ? filter_.size() - memory : 0; i < filter_.size(); ++i)
        largest = std::max(largest, filter_[i].measure);
      return trial.force <= (1 - margin) * largest || h <= (1 - margin) * current.infeasibility - margin * h
             || trial.force <= 10 * settings_.tolerance * problem.forceScale();
    }
    const auto passes = [&](double infeasibility, double energy) {
      return h < (1 - margin) * infeasibility || *trial.energy <= energy - margin * h * energyPerLength;
    };
    for (const FilterEntry& entry : filter_)
      if (!passes(entry.infeasibility, entry.measure))
        return false;
    const double roundOff = 1e-13 * std::abs(*current.energy);
    return passes(current.infeasibility, *current.energy + roundOff);
  }

  template<int d>
  void ContactSqp<d>::remember(const Point& point)
  {
    filter_.push_back({point.infeasibility, point.energy ? *point.energy : point.force});
  }

  template<int d>
  SqpReport ContactSqp<d>::solve(StepProblem<d>& problem, NodeVector<d>& z, std::vector<double>& mu)
  {
    SqpReport report;
    report.converged = false;
    filter_.clear();
    Point current, trial;
    current.z = z;
    std::vector<double> trialMu(mu.size());
    if (!evaluate(problem, mu, current)) {
      report.residual = std::numeric_limits<double>::infinity();
      return report;
    }
    const double length = problem.lengthScale();
    double radius = settings_.radius * length;
    while (!(report.converged = converged(problem, current)) && report.iterations < settings_.maxIterations) {
      ++report.iterations;
      buildBasis(problem, current);
      transformMatrix(problem.matrix(current.z), current);
      buildGradient(current);
      updateTransfers(current);
      bool accepted = false;
      while (!accepted && radius > 1e-13 * length) {
        accepted = solveQuadratic(problem, current, radius, report);
        if (accepted) {
          takeStep(current, trial, trialMu);
          accepted = evaluate(problem, trialMu, trial) && acceptable(problem, current, trial);
        }
        if (accepted && trial.energy && -model_ >= problem.forceScale() / length * current.infeasibility * current.infeasibility)
          accepted = *current.energy - *trial.energy >= -sufficient * model_ - 1e-13 * std::abs(*current.energy);
        if (!accepted) {
          ++report.rejected;
          radius = 0.5 * std::min(radius, std::max(w_.infinity_norm(), 1e-14 * length));
        }
      }
      if (!accepted)
        break;
      if (!trial.energy || trial.infeasibility < current.infeasibility)
        remember(current);
      if (touchesRadius_)
        radius *= 2;
      std::swap(current, trial);
      mu = trialMu;
    }
    report.residual = current.force / problem.forceScale();
    report.infeasibility = current.infeasibility;
    z = current.z;
    return report;
  }

  template class ContactSqp<2>;
  template class ContactSqp<3>;

} // namespace Dune::Impact
