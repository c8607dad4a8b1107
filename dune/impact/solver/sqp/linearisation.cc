// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/solver/sqp/linearisation.hh>

namespace Dune::Impact {

  namespace {

    constexpr double firstShift = 1e-8, shiftFactor = 10, largestShift = 1e4;
    constexpr int boundedCycles = 10; // with negative curvature left, the SQP goes on
    constexpr int factorSweeps = 20;  // after active sets that come again, the SQP goes on
    constexpr int goodCycles = 8;     // of one quadratic problem with good levels
    constexpr int patience = 30;      // cycles before costs are compared for the first time
    constexpr int mostCycles = 2000;  // of one quadratic problem
    constexpr double largestFactor = 5e11;

    BoxMultigridSettings withLimits(BoxMultigridSettings settings)
    {
      settings.maxBoundedCycles = boundedCycles;
      settings.maxIterations = factorSweeps;
      return settings;
    }

  } // namespace

  template<int d>
  Linearisation<d>::Linearisation(const BoxMultigridSettings& settings)
    : multigrid_(settings)
    , factor_(withLimits(settings))
  {}

  template<int d>
  void Linearisation<d>::setTransfers(Transfers transfers)
  {
    transfers_ = transfers;
    transferBasis_ = {};
    multigrid_.setTransfers(std::move(transfers));
    beginStep();
  }

  template<int d>
  void Linearisation<d>::beginStep()
  {
    built_ = false;
    direct_ = transfers_.empty();
    shift_ = stepShift_ = excess_ = 0;
    report_ = {};
  }

  template<int d>
  bool Linearisation<d>::mayServe(const SignoriniConstraints<d>& constraints, double rate) const
  {
    if (!built_ || !(rate < mostKept) || constraints.size() != multipliers_.size())
      return false;
    for (std::size_t p = 0; p < multipliers_.size(); ++p)
      if (multipliers_[p] !=
          std::tuple(constraints[p].multiplier, constraints[p].node, constraints[p].follows))
        return false;
    return true;
  }

  template<int d>
  void Linearisation<d>::build(StepProblem<d>& problem, const NodeVector<d>& z,
                               const SignoriniConstraints<d>& constraints,
                               const std::vector<MatrixBlock<d>>& blocks)
  {
    const BlockMatrix<d>& hessian = problem.matrix(z);
    basis_.setup(constraints, problem.fixed());
    basis_.transform(hessian, blocks, matrix_, threads());
    if (!direct_)
      updateTransfers();
    multipliers_.clear();
    for (std::size_t p = 0; p < constraints.size(); ++p)
      multipliers_.emplace_back(constraints[p].multiplier, constraints[p].node,
                                constraints[p].follows);
    built_ = true;
    ++report_.built;
    positive_ = false;
  }

  //! The finest prolongation becomes T^-1 P, since the finest level has the coordinates w; coarser
  //! levels keep theirs. A product with an unchanged T is used again.
  template<int d>
  void Linearisation<d>::updateTransfers()
  {
    if (basis_ == transferBasis_)
      return;
    auto all = transfers_;
    all.front() = basis_.transform(*transfers_.front());
    multigrid_.setTransfers(all);
    transferBasis_ = basis_;
  }

  //! A + sigma |D| in the solver
  template<int d>
  void Linearisation<d>::setShift(double shift)
  {
    shift_ = shift;
    report_.shift = std::max(report_.shift, shift);
    if (shift > 0) {
      shifted_ = matrix_;
      for (std::size_t i = 0; i < shifted_.size(); ++i) {
        auto& D = shifted_.block(shifted_.diagonal(i));
        for (int c = 0; c < d; ++c)
          D[c][c] += shift * std::abs(D[c][c]);
      }
    }
    solver().setMatrix(matrix());
  }

  //! The point of the box next to zero, with touching components at their upper bounds
  template<int d>
  void Linearisation<d>::startAt(const Problem& problem, const NodeMask& touching,
                                 NodeVector<d>& w) const
  {
    w = 0;
    project(problem, w);
    for (std::size_t i = 0; i < w.size(); ++i)
      for (int c = 0; c < d; ++c)
        if (touching[i] >> c & 1)
          w[i][c] = problem.upper[i][c];
  }

  //! The smallest shift that makes the matrix positive on the components that do not touch: zero,
  //! or from a tenth of the last one of the step on
  template<int d>
  void Linearisation<d>::makePositive(const Bounds& bounds)
  {
    if (positive_)
      return;
    positive_ = true;
    NodeVector<d> w(bounds.b.size());
    const auto works = [&] {
      const Problem problem{matrix(), bounds.b, bounds.lower, bounds.upper, 0, bounds.friction};
      startAt(problem, bounds.touching, w);
      return solver().positive(problem, w);
    };
    setShift(0);
    if (!direct_ || works())
      return;
    setShift(std::max(firstShift, stepShift_ / shiftFactor));
    while (!works() && shift_ < largestShift)
      setShift(shift_ * shiftFactor);
    stepShift_ = shift_;
  }

  //! Have cycles been spent for more than the cost of a factor?
  template<int d>
  bool Linearisation<d>::factorIsBetter(int cycles)
  {
    excess_ += std::max(0, cycles - goodCycles);
    factor_.setMatrix(matrix_);
    return factor_.factorOperations() <= largestFactor && excess_ > factor_.cyclesPerFactor();
  }

  //! Multigrid with a limit of cycles, which is doubled as long as a factor costs more
  template<int d>
  SolveReport Linearisation<d>::solveByLevels(const Problem& problem, double tolerance, bool warm,
                                              NodeVector<d>& w)
  {
    SolveReport sum;
    for (int limit = patience; sum.cycles < mostCycles; limit *= 2, warm = true) {
      const SolveReport report =
        multigrid_.solve(problem, w, {.tolerance = tolerance, .warm = warm, .maxCycles = limit});
      sum.cycles += report.cycles;
      sum.residual = report.residual;
      sum.converged = report.converged;
      if (report.converged || !std::isfinite(report.residual) || report.cycles < limit)
        return sum;
      if (factorIsBetter(report.cycles)) {
        direct_ = report_.direct = true;
        return sum;
      }
    }
    return sum;
  }

  //! From the touching components if the matrix is not shifted, and from zero if it is
  template<int d>
  SolveReport Linearisation<d>::solveOnce(const Bounds& bounds, double tolerance, NodeVector<d>& w)
  {
    makePositive(bounds);
    Problem problem{matrix(), bounds.b, bounds.lower, bounds.upper, 0, bounds.friction};
    NodeVector<d> r(w.size());
    w = 0;
    project(problem, w);
    r = bounds.b;
    if (dot<d>(w, w, threads()) != 0)
      problem.matrix.residual(w, bounds.b, r, threads());
    problem.scale = naturalMapNorm(problem, w, r, threads());
    if (problem.scale == 0)
      return {};
    const bool warm = shift_ == 0;
    if (warm)
      startAt(problem, bounds.touching, w);
    return direct_ ? factor_.solve(problem, w, {.tolerance = tolerance, .warm = warm})
                   : solveByLevels(problem, tolerance, warm, w);
  }

  //! If levels are given up on the way, the factor begins anew: it may have another shift
  template<int d>
  bool Linearisation<d>::solve(const Bounds& bounds, double tolerance, NodeVector<d>& w)
  {
    w.resize(bounds.b.size());
    const bool levels = !direct_;
    SolveReport result = solveOnce(bounds, tolerance, w);
    if (levels && direct_) {
      positive_ = false;
      const int cycles = result.cycles;
      result = solveOnce(bounds, tolerance, w);
      result.cycles += cycles;
    }
    report_.cycles += result.cycles;
    report_.maxCycles = std::max(report_.maxCycles, result.cycles);
    return std::isfinite(result.residual);
  }

  template class Linearisation<2>;
  template class Linearisation<3>;

} // namespace Dune::Impact
