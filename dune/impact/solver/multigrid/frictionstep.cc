// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/solver/multigrid/boxmultigrid.hh>
#include <dune/impact/solver/multigrid/boxvectors.hh>

namespace Dune::Impact {

  using namespace BoxVectors;

  namespace {

    constexpr double reduction = 0.05; // of the residual of the linear problem of one iteration
    constexpr int mostCycles = 12;     // for it
    constexpr int halvings = 60;       // of the interval of a line search
    constexpr double flat = 1e-12;     // slope of the line search that counts as zero

  } // namespace

  /* The matrix of the truncated problem: A, and in space at sliding nodes the second derivative
   *
   *     bound/|u| (1 - u u^T/|u|^2),   u = x_T - kink_T,
   *
   * of their friction. In the plane it is zero. Returns the nodes whose block has changed. */
  template<int d>
  std::vector<int> BoxMultigrid<d>::linearise(const BoxProblem<d>& problem, const NodeVector<d>& x)
  {
    std::vector<int> nodes;
    if constexpr (d == 3) {
      for (const auto& term : *problem.friction) {
        const std::size_t i = term.node;
        auto& block = linear_.block(linear_.diagonal(i));
        NodeBlock<d> next = matrix_->block(matrix_->diagonal(i));
        if (const double length = term.slide(x[i]); length > 0 && std::isfinite(term.bound)) {
          const double u[2] = {(x[i][1] - term.kink[1]) / length,
                               (x[i][2] - term.kink[2]) / length};
          for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
              next[a + 1][b + 1] += term.bound / length * ((a == b ? 1 : 0) - u[a] * u[b]);
        }
        if (next == block)
          continue;
        block = next;
        nodes.push_back(int(i));
      }
    }
    return nodes;
  }

  //! r - bound u/|u|: the residual of the smooth part of the problem
  template<int d>
  void BoxMultigrid<d>::setSmoothResidual(const BoxProblem<d>& problem, const NodeVector<d>& x)
  {
    smooth_ = r_;
    for (const auto& term : *problem.friction)
      if (std::isfinite(term.bound))
        smooth_[term.node] -= term.gradient(x[term.node]);
  }

  /* y with A y = smooth residual on the truncated space, by conjugate gradients with the V-cycle as
   * preconditioner; one solution if the cycle is a factor. The sum is left in v_. */
  template<int d>
  void BoxMultigrid<d>::solveLinear(SolveReport& report)
  {
    NodeVector<d> y(smooth_.size());
    y = 0;
    const auto norm = [&] {
      double square = 0;
      for (std::size_t i = 0; i < smooth_.size(); ++i)
        for (int c = 0; c < d; ++c)
          if (!(mask_[i] >> c & 1))
            square += smooth_[i][c] * smooth_[i][c];
      return std::sqrt(square);
    };
    const double target = std::max(reduction * norm(), 0.3 * accepted_);
    double oldSlope = 0;
    for (int k = 0; k < (direct() ? 1 : mostCycles); ++k) {
      settings_.stop.check();
      hierarchy_.cycle(smooth_, v_, Av_);
      ++report.cycles;
      const double slope = dot<d>(smooth_, v_, threads_);
      addScaled<d>(v_, oldSlope > 0 ? slope / oldSlope : 0, p_, threads_);
      addScaled<d>(Av_, oldSlope > 0 ? slope / oldSlope : 0, Ap_, threads_);
      const double curvature = dot<d>(p_, Ap_, threads_);
      if (!(slope > 0 && curvature > 0))
        break;
      add<d>(slope / curvature, p_, y, threads_);
      add<d>(-slope / curvature, Ap_, smooth_, threads_);
      if (norm() <= target)
        break;
      oldSlope = slope;
    }
    v_ = y;
  }

  /* x += alpha v with the least J. Its derivative along v,
   *
   *     -r.v + alpha v.Av + sum bound v_T.(u + alpha v_T)/|u + alpha v_T|,
   *
   * increases if v.Av >= 0, and its zero is halved in. */
  template<int d>
  void BoxMultigrid<d>::frictionLineSearch(const BoxProblem<d>& problem, NodeVector<d>& x)
  {
    const double fall = dot<d>(r_, v_, threads_), curvature = dot<d>(v_, Av_, threads_);
    const auto slope = [&](double alpha) {
      double sum = alpha * curvature - fall;
      for (const auto& term : *problem.friction) {
        if (!std::isfinite(term.bound))
          continue;
        const auto& v = v_[term.node];
        auto y = x[term.node];
        y.axpy(alpha, v);
        const auto gradient = term.gradient(y);
        for (int c = 1; c < d; ++c)
          sum += gradient[c] * v[c];
      }
      return sum;
    };
    curvature_ = curvature_ || !(curvature > 0);
    negative_ = negative_ || curvature_;
    const double first = slope(0), most = largestStep(problem, x, v_, threads_);
    if (!(first < 0))
      return;
    double left = 0, right = std::min(1.0, most);
    while (slope(right) < flat * first && right < most) {
      left = right;
      right = std::min(2 * right, most);
      unbounded_ = right > 1e30;
      if (unbounded_)
        return;
    }
    if (std::abs(slope(right)) > -flat * first && slope(right) > 0)
      for (int k = 0; k < halvings; ++k) {
        const double middle = 0.5 * (left + right);
        (slope(middle) < 0 ? left : right) = middle;
      }
    add<d>(right, v_, x, threads_);
    project(problem, x, threads_);
    add<d>(-right, Av_, r_, threads_);
  }

  //! After a sweep: truncation, a Newton step of the smooth part, projection, line search
  template<int d>
  void BoxMultigrid<d>::frictionStep(const BoxProblem<d>& problem, NodeVector<d>& x,
                                     SolveReport& report)
  {
    const std::vector<int> changed = linearise(problem, x);
    truncate(problem, x);
    if (!changed.empty())
      hierarchy_.updateMask(changed);
    setSmoothResidual(problem, x);
    if (needsBounds()) {
      negative_ = true;
      correctionBounds(problem, x, bounds_);
      hierarchy_.cycle(smooth_, bounds_, v_, Av_);
      ++report.cycles;
      ++boundedCycles_;
    }
    else
      solveLinear(report);
    projectCorrection(problem, x);
    frictionLineSearch(problem, x);
    observe("step with friction", x);
  }

#define DUNE_IMPACT_INSTANTIATE(d)                                                                 \
  template std::vector<int> BoxMultigrid<d>::linearise(const BoxProblem<d>&,                       \
                                                       const NodeVector<d>&);                      \
  template void BoxMultigrid<d>::setSmoothResidual(const BoxProblem<d>&, const NodeVector<d>&);    \
  template void BoxMultigrid<d>::solveLinear(SolveReport&);                                        \
  template void BoxMultigrid<d>::frictionLineSearch(const BoxProblem<d>&, NodeVector<d>&);         \
  template void BoxMultigrid<d>::frictionStep(const BoxProblem<d>&, NodeVector<d>&, SolveReport&);

  DUNE_IMPACT_INSTANTIATE(1)
  DUNE_IMPACT_INSTANTIATE(2)
  DUNE_IMPACT_INSTANTIATE(3)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
