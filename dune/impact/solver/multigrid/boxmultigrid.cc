// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/solver/exchangeactivesets.hh>
#include <dune/impact/solver/multigrid/boxmultigrid.hh>
#include <dune/impact/solver/multigrid/boxvectors.hh>

namespace Dune::Impact {

  using namespace BoxVectors;

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nestedTolerance = 1e-2; // of the solve on the next coarser level
    constexpr int nestedIterations = 10;
    constexpr int mostSets = 40; // of the primal-dual active set method
    // of neighbours around nodes at their bounds, for sweeps of their own:
    constexpr int rings = 3;
    constexpr std::size_t zoneSweeps = 10; // at most so many,
    // and together at most one part of so many of a sweep over all nodes
    constexpr std::size_t zoneShare = 4;

  } // namespace

  template<int d>
  void BoxMultigrid<d>::observe(std::string_view name, const NodeVector<d>& x) const
  {
    if (observer_)
      observer_(name, x);
  }

  //! Components with a zero row do not take part in A v = r and are truncated for good. Levels wait
  //! for the first mask.
  template<int d>
  void BoxMultigrid<d>::setMatrix(const BlockMatrix<d>& matrix)
  {
    const std::size_t n = matrix.size();
    matrix_ = &matrix;
    finite_ = matrix.isFinite(threads_);
    levelsSet_ = false;
    if (!finite_)
      return;
    gaussSeidel_.setMatrix(matrix);
    decoupled_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < d; ++c)
        if (matrix.block(matrix.diagonal(i))[c][c] == 0 && matrix.isZeroRow(i, c))
          decoupled_[i] |= 1 << c;
  }

  //! Residual of the projected first guess
  template<int d>
  void BoxMultigrid<d>::start(const BoxProblem<d>& problem, NodeVector<d>& x)
  {
    gaussSeidel_.setVectors(problem, x, r_);
    for (NodeVector<d>* vector : {&v_, &Av_, &p_, &Ap_})
      vector->resize(x.size());
    curvature_ = negative_ = unbounded_ = false;
    boundedCycles_ = 0;
  }

  template<int d>
  void BoxMultigrid<d>::setTransfers(Transfers transfers)
  {
    transfer_ = transfers.empty() ? nullptr : transfers.front();
    if (!transfer_ || !settings_.nestedStart)
      coarse_.reset();
    else {
      BoxMultigridSettings settings = settings_;
      settings.tolerance = nestedTolerance;
      settings.maxIterations = nestedIterations;
      if (!coarse_)
        coarse_ = std::make_unique<BoxMultigrid>(settings);
      coarse_->setTransfers(Transfers(transfers.begin() + 1, transfers.end()));
    }
    hierarchy_.setTransfers(std::move(transfers));
    levelsSet_ = false;
  }

  //! The linear problem on the components that are not at their bounds. False if its matrix is not
  //! positive definite.
  template<int d>
  bool BoxMultigrid<d>::startFromBounds(const BoxProblem<d>& problem, NodeVector<d>& x,
                                        SolveReport& report)
  {
    truncate(problem, x);
    if (!hierarchy_.positive() || needsBounds())
      return false;
    conjugateGradients(problem, x, report);
    return true;
  }

  //! First guess: from components at bounds that are known, from the next coarser level, or from
  //! active sets
  template<int d>
  void BoxMultigrid<d>::improveStart(const BoxProblem<d>& problem, NodeVector<d>& x, bool warm,
                                     SolveReport& report)
  {
    if (!transfer_)
      return startFromActiveSet(problem, x, warm, report);
    if (warm && startFromBounds(problem, x, report))
      return;
    setMask(NodeMask(x.size(), 0));
    startFromCoarse(problem, x, report);
  }

  // A correction v with coarse problem: min 1/2 v.A_c v - (P^T r).v within averaged bounds
  template<int d>
  void BoxMultigrid<d>::startFromCoarse(const BoxProblem<d>& problem, NodeVector<d>& x,
                                        SolveReport& report)
  {
    const std::size_t n = transfer_->coarseSize();
    correctionBounds(problem, x, bounds_);
    coarseBounds_.resize(n);
    coarseB_.resize(n);
    coarseX_.resize(n);
    transfer_->averageBounds(bounds_, coarseBounds_, threads_);
    transfer_->restrictResidual(r_, coarseB_, threads_);
    coarseX_ = 0;
    coarse_->solve({hierarchy_.matrix(1), coarseB_, coarseBounds_.lower, coarseBounds_.upper},
                   coarseX_);
    v_ = 0;
    transfer_->addProlonged(coarseX_, nullptr, v_, threads_);
    projectedStep(problem, x, report);
    curvature_ = unbounded_ = false;
  }

  /* Primal-dual active sets: y and its residual s = b - Ay predict the active components,
   *
   *     y + s/A_ii <= lower: fixed at lower,   y + s/A_ii >= upper: fixed at upper,
   *
   * then y solves A y = b on the others, until the set repeats. A warm start takes the first set
   * from the bounds that x has reached. The change y - x is projected and taken by line search like
   * any other: no definiteness or convergence is needed.
   */
  template<int d>
  void BoxMultigrid<d>::startFromActiveSet(const BoxProblem<d>& problem, NodeVector<d>& x,
                                           bool warm, SolveReport& report)
  {
    NodeVector<d>&y = p_, &s = Ap_;
    y = x;
    s = r_;
    const auto predict = [&] {
      newMask_ = decoupled_;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (int c = 0; c < d; ++c) {
          const double a = problem.matrix.block(problem.matrix.diagonal(i))[c][c];
          const double lower = problem.lower[i][c], upper = problem.upper[i][c];
          const double target = a > 0 ? y[i][c] + s[i][c] / a : y[i][c];
          if (lower < target && target < upper)
            continue;
          newMask_[i] |= 1 << c;
          y[i][c] = target <= lower ? lower : upper;
        }
      return setMask(newMask_);
    };
    const auto solveSet = [&] {
      settings_.stop.check();
      if (!hierarchy_.positive())
        return false;
      problem.matrix.residual(y, problem.b, s, threads_);
      hierarchy_.cycle(s, v_, Av_);
      ++report.cycles;
      add<d>(1, v_, y, threads_);
      add<d>(-1, Av_, s, threads_);
      return true;
    };
    if (warm)
      truncate(problem, x);
    else
      predict();
    exchangeActiveSets(mostSets, solveSet, predict);
    v_ = y;
    v_ -= x;
    projectedStep(problem, x, report);
    curvature_ = unbounded_ = false;
  }

  // The hierarchy follows. True if the mask has changed.
  template<int d>
  bool BoxMultigrid<d>::setMask(const NodeMask& mask)
  {
    if (!levelsSet_) {
      mask_ = mask;
      hierarchy_.setup(levelMatrix(), mask_);
      curvature_ = false;
      return levelsSet_ = true;
    }
    changed_.clear();
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask_[i] != mask[i])
        changed_.push_back(i);
    if (changed_.empty())
      return false;
    mask_ = mask;
    hierarchy_.updateMask(changed_);
    curvature_ = false;
    return true;
  }

  /* Sweeps back and forth over the nodes at bounds and some rings of neighbours: the edge of a
   * contact zone finds its place before anything is truncated. They cost a fraction of a sweep over
   * all nodes, so that meshes that are hardly more than their surface do without. */
  template<int d>
  void BoxMultigrid<d>::settle(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report)
  {
    const BlockMatrix<d>& A = problem.matrix;
    zone_.clear();
    inZone_.assign(x.size(), false);
    const auto take = [&](int i) {
      if (!inZone_[i])
        zone_.push_back(i);
      inZone_[i] = true;
    };
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < d; ++c)
        if (const double lower = problem.lower[i][c], upper = problem.upper[i][c];
            lower < upper && (x[i][c] <= lower || x[i][c] >= upper))
          take(int(i));
    for (std::size_t ring = 0, begin = 0; ring < rings && zone_.size() <= x.size() / zoneShare;
         ++ring)
      for (const std::size_t end = zone_.size(); begin < end; ++begin)
        for (const auto [first, last] : A.row(zone_[begin]))
          for (std::size_t k = first; k < last; ++k)
            take(A.column(k));
    if (zone_.empty())
      return;
    std::sort(zone_.begin(), zone_.end(),
              [&](int i, int j) { return A.order().rank[i] < A.order().rank[j]; });
    const std::size_t sweeps = std::min(zoneSweeps, x.size() / (zoneShare * zone_.size()));
    for (std::size_t s = 0; s < sweeps; ++s) {
      report.energyDecrease += gaussSeidel_.sweep(zone_, x, r_);
      std::reverse(zone_.begin(), zone_.end());
    }
  }

  // Components at their bounds do not move in what follows.
  template<int d>
  void BoxMultigrid<d>::truncate(const BoxProblem<d>& problem, const NodeVector<d>& x)
  {
    newMask_ = decoupled_;
    parallelFor(
      x.size(), threads_,
      [&](std::size_t i) {
        for (int c = 0; c < d; ++c)
          newMask_[i] |= unsigned(x[i][c] <= problem.lower[i][c] || x[i][c] >= problem.upper[i][c])
                         << c;
      },
      numbersPerChunk / d);
    if (problem.friction)
      for (const auto& term : *problem.friction)
        if (term.atKink(x[term.node]) || std::isinf(term.bound))
          newMask_[term.node] |= NodeMask::value_type((1 << d) - 2);
    setMask(newMask_);
  }

  //! Levels of the matrix with the second derivative of the friction, which differ from those
  //! without; nodes that are expected to stick begin at their kinks
  template<int d>
  void BoxMultigrid<d>::beginFriction(const BoxProblem<d>& problem, NodeVector<d>& x)
  {
    const bool frictional = problem.friction && !problem.friction->empty();
    if (d == 3 && (frictional || frictional_))
      levelsSet_ = false;
    frictional_ = frictional;
    if (!frictional_)
      return;
    if (d == 3)
      linear_ = *matrix_;
    for (const auto& term : *problem.friction)
      if (term.sticks || std::isinf(term.bound))
        for (int c = 1; c < d; ++c)
          x[term.node][c] =
            std::clamp(term.kink[c], problem.lower[term.node][c], problem.upper[term.node][c]);
  }

  //! Coarse corrections have bounds once a direction of non-positive curvature was found: without
  //! them they could follow it out of the box.
  template<int d>
  bool BoxMultigrid<d>::needsBounds()
  {
    if (settings_.coarseBounds != CoarseBounds::automatic)
      return settings_.coarseBounds == CoarseBounds::always;
    return curvature_ || !hierarchy_.positive();
  }

  // x += alpha v for the best alpha; x and r are updated, the decrease of the energy is returned.
  template<int d>
  double BoxMultigrid<d>::lineSearch(const BoxProblem<d>& problem, NodeVector<d>& x)
  {
    const double slope = dot<d>(r_, v_, threads_), curvature = dot<d>(v_, Av_, threads_);
    double alpha = 1;
    if (settings_.lineSearch) {
      curvature_ = curvature_ || !(slope > 0) || !(curvature > 0);
      negative_ = negative_ || curvature_;
      if (!(slope > 0))
        return 0;
      alpha = std::min(curvature > 0 ? slope / curvature : infinity,
                       largestStep(problem, x, v_, threads_));
      unbounded_ = alpha == infinity;
      if (unbounded_)
        return 0;
    }
    add<d>(alpha, v_, x, threads_);
    project(problem, x, threads_);
    add<d>(-alpha, Av_, r_, threads_);
    return alpha * (slope - alpha * curvature / 2);
  }

  //! v such that x + v lies in the box, and A v
  template<int d>
  void BoxMultigrid<d>::projectCorrection(const BoxProblem<d>& problem, const NodeVector<d>& x)
  {
    parallelFor(
      x.size(), threads_,
      [&](std::size_t i) {
        for (int c = 0; c < d; ++c)
          v_[i][c] =
            std::clamp(v_[i][c], problem.lower[i][c] - x[i][c], problem.upper[i][c] - x[i][c]);
      },
      numbersPerChunk / d);
    problem.matrix.multiply(v_, Av_, threads_);
  }

  // The same for v projected into the box
  template<int d>
  void BoxMultigrid<d>::projectedStep(const BoxProblem<d>& problem, NodeVector<d>& x,
                                      SolveReport& report)
  {
    projectCorrection(problem, x);
    report.energyDecrease += lineSearch(problem, x);
    observe("projected step", x);
  }

  //! Monotone multigrid: a V-cycle with bounds on all levels, then the line search
  template<int d>
  void BoxMultigrid<d>::boundedStep(const BoxProblem<d>& problem, NodeVector<d>& x,
                                    SolveReport& report)
  {
    correctionBounds(problem, x, bounds_);
    hierarchy_.cycle(r_, bounds_, v_, Av_);
    ++report.cycles;
    ++boundedCycles_;
    report.energyDecrease += lineSearch(problem, x);
    observe("bounded cycle", x);
  }

  /* Conjugate gradients on the truncated space, preconditioned by the linear cycle B:
   *
   *     v = B r,  p = v + (r.v / r_old.v_old) p,  alpha = r.v / p.Ap,  x += alpha p,  r -= alpha Ap
   *
   * The cycle returns Av, hence Ap = Av + (...) Ap. The phase ends with a projected step if p
   * leaves the box, and when the forces that would free components outweigh those on the free ones.
   */
  template<int d>
  void BoxMultigrid<d>::conjugateGradients(const BoxProblem<d>& problem, NodeVector<d>& x,
                                           SolveReport& report)
  {
    double oldSlope = 0;
    while (true) {
      settings_.stop.check();
      hierarchy_.cycle(r_, v_, Av_);
      ++report.cycles;
      const double slope = dot<d>(r_, v_, threads_);
      addScaled<d>(v_, oldSlope > 0 ? slope / oldSlope : 0, p_, threads_);
      addScaled<d>(Av_, oldSlope > 0 ? slope / oldSlope : 0, Ap_, threads_);
      const double curvature = dot<d>(p_, Ap_, threads_), alpha = slope / curvature;
      if (!(slope > 0 && curvature > 0) || alpha > largestStep(problem, x, p_, threads_)) {
        v_ = p_;
        if (curvature > 0)
          v_ *= alpha;
        return projectedStep(problem, x, report);
      }
      add<d>(alpha, p_, x, threads_);
      project(problem, x, threads_);
      add<d>(-alpha, Ap_, r_, threads_);
      report.energyDecrease += alpha * slope / 2;
      observe("conjugate gradients", x);
      const auto [free, released] = splitNorm(problem, mask_, x, r_, threads_);
      if (!settings_.conjugateGradients || !(free > released) ||
          std::hypot(free, released) <= accepted_ || report.cycles >= maxCycles_)
        return;
      oldSlope = slope;
    }
  }

  //! Projected sweeps, truncation, then a correction of the truncated problem: within bounds, by
  //! conjugate gradients, or by one V-cycle and projection
  template<int d>
  void BoxMultigrid<d>::iterate(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report)
  {
    report.energyDecrease += gaussSeidel_.sweep(x, r_);
    ++report.iterations;
    settle(problem, x, report);
    observe("projected Gauss-Seidel", x);
    if (frictional_)
      return frictionStep(problem, x, report);
    truncate(problem, x);
    if (needsBounds()) {
      negative_ = true;
      return boundedStep(problem, x, report);
    }
    if (hierarchy_.positive() && settings_.lineSearch)
      return conjugateGradients(problem, x, report);
    hierarchy_.cycle(r_, v_, Av_);
    ++report.cycles;
    projectedStep(problem, x, report);
  }

  template<int d>
  bool BoxMultigrid<d>::positive(const BoxProblem<d>& problem, const NodeVector<d>& x)
  {
    if (!finite_)
      return false;
    truncate(problem, x);
    return hierarchy_.positive();
  }

  template<int d>
  double BoxMultigrid<d>::cyclesPerFactor()
  {
    // A V-cycle reads the matrix of each level some five times, and a factor has its operations in
    // dense blocks, which take a third of the time.
    constexpr double passes = 5, speed = 3;
    const double factor = factorOperations();
    return factor / (speed * 2 * passes * d * d * double(hierarchy_.blocks()));
  }

  template<int d>
  double BoxMultigrid<d>::factorOperations()
  {
    if (!levelsSet_)
      setMask(decoupled_);
    return hierarchy_.factorOperations();
  }

  template<int d>
  bool BoxMultigrid<d>::mayGoOn(const SolveReport& report) const
  {
    return !unbounded_ && report.iterations < settings_.maxIterations &&
           report.cycles < maxCycles_ && boundedCycles_ < settings_.maxBoundedCycles;
  }

  // r is updated along with x; convergence is only believed after it was computed anew.
  template<int d>
  SolveReport BoxMultigrid<d>::solve(const BoxProblem<d>& problem, NodeVector<d>& x,
                                     const BoxSolveOptions& options)
  {
    SolveReport report;
    report.converged = false;
    report.residual = infinity;
    if (!finite_ || !hasValidVectors(problem) || x.size() != problem.b.size() ||
        !std::isfinite(dot<d>(x, x, threads_)))
      return report;
    beginFriction(problem, x);
    start(problem, x);
    const double scale = loadScale(problem);
    accepted_ = options.tolerance * scale;
    maxCycles_ = options.maxCycles;
    double lastFresh = infinity;
    bool started = !settings_.nestedStart;
    if (started)
      setMask(NodeMask(x.size(), 0));
    for (bool fresh = true;; fresh = false) {
      settings_.stop.check();
      double norm = naturalMapNorm(problem, x, r_, threads_);
      if (norm <= accepted_ && !fresh) {
        problem.matrix.residual(x, problem.b, r_, threads_);
        norm = naturalMapNorm(problem, x, r_, threads_);
        fresh = true;
      }
      report.residual = norm == 0 ? 0 : norm / scale;
      report.converged = norm <= accepted_;
      const bool stagnates = fresh && norm > lastFresh / 2;
      if (report.converged || stagnates || !std::isfinite(norm) || !mayGoOn(report))
        return report;
      if (fresh)
        lastFresh = norm;
      if (started)
        iterate(problem, x, report);
      else if (frictional_)
        frictionStep(problem, x, report);
      else
        improveStart(problem, x, options.warm, report);
      started = true;
    }
  }

  template class BoxMultigrid<1>;
  template class BoxMultigrid<2>;
  template class BoxMultigrid<3>;

} // namespace Dune::Impact
