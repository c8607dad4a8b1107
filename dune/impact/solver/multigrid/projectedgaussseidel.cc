// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/solver/multigrid/projectedgaussseidel.hh>

namespace Dune::Impact {

  template<int d>
  void correctionBounds(const BoxProblem<d>& problem, const NodeVector<d>& x,
                        CorrectionBounds<d>& bounds)
  {
    bounds.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < d; ++c) {
        bounds.lower[i][c] = problem.lower[i][c] - x[i][c];
        bounds.upper[i][c] = problem.upper[i][c] - x[i][c];
      }
  }

  //! A component that goes all the way gets the bound itself, a node that sticks its kink: x + v
  //! could miss it by round-off, and truncation compares with bounds exactly.
  template<int d>
  void addCorrection(const BoxProblem<d>& problem, const CorrectionBounds<d>& bounds,
                     const NodeVector<d>& v, NodeVector<d>& x)
  {
    std::vector<FieldVector<double, d>> old;
    if (problem.friction)
      for (const auto& term : *problem.friction)
        old.push_back(x[term.node]);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < d; ++c)
        x[i][c] = v[i][c] <= bounds.lower[i][c] ? problem.lower[i][c]
                  : v[i][c] >= bounds.upper[i][c]
                    ? problem.upper[i][c]
                    : std::clamp(x[i][c] + v[i][c], problem.lower[i][c], problem.upper[i][c]);
    if (problem.friction)
      for (std::size_t k = 0; const auto& term : *problem.friction)
        reachKink(term, old[k++], v[term.node], x[term.node]);
  }

  //! r = b - A x of the projected x; x = 0 needs no product
  template<int d>
  void ProjectedGaussSeidel<d>::setVectors(const BoxProblem<d>& problem, NodeVector<d>& x,
                                           NodeVector<d>& r)
  {
    problem_ = &problem;
    project(problem, x);
    r = problem.b;
    if (dot<d>(x, x) != 0)
      problem.matrix.residual(x, problem.b, r, threads_);
    v_.resize(x.size());
    rest_.resize(x.size());
    smoother_.setFriction(problem.friction, &x);
  }

  //! The sweep starts from v = 0 with the right-hand side r: it needs L, and the new residual U, so
  //! that it costs one product with A. Returns the decrease of the energy 1/2 v.(r_old + r_new).
  template<int d>
  double ProjectedGaussSeidel<d>::sweep(NodeVector<d>& x, NodeVector<d>& r)
  {
    correctionBounds(*problem_, x, bounds_);
    smoother_.sweepFromZero(r, bounds_, v_, rest_);
    double decrease = dot<d>(v_, r);
    smoother_.template residual<Sweep::forward>(v_, &rest_, r);
    decrease += dot<d>(v_, r);
    addCorrection(*problem_, bounds_, v_, x);
    return decrease / 2;
  }

  //! The residual is updated after each node, at the cost of the rows of these nodes only
  template<int d>
  double ProjectedGaussSeidel<d>::sweep(const std::vector<int>& nodes, NodeVector<d>& x,
                                        NodeVector<d>& r) const
  {
    double decrease = 0;
    for (const int i : nodes)
      decrease += smoother_.moveNode(i, problem_->lower, problem_->upper, x, r);
    return decrease;
  }

  // The residual is updated by the sweeps; convergence is only believed after it was computed anew.
  template<int d>
  SolveReport ProjectedGaussSeidel<d>::solve(const BoxProblem<d>& problem, NodeVector<d>& x)
  {
    SolveReport report;
    report.converged = false;
    report.residual = std::numeric_limits<double>::infinity();
    if (!isValid(problem) || !std::isfinite(x.two_norm2()))
      return report;
    NodeVector<d> r;
    setProblem(problem, x, r);
    const double scale = loadScale(problem);
    const double accepted = settings_.tolerance * scale;
    bool fresh = true;
    while (true) {
      settings_.stop.check();
      double norm = naturalMapNorm(problem, x, r);
      if (norm <= accepted && !fresh) {
        problem.matrix.residual(x, problem.b, r, threads_);
        norm = naturalMapNorm(problem, x, r);
      }
      report.residual = norm == 0 ? 0 : norm / scale;
      report.converged = norm <= accepted;
      if (report.converged || !std::isfinite(norm) || report.iterations == settings_.maxIterations)
        return report;
      report.energyDecrease += sweep(x, r);
      ++report.iterations;
      fresh = false;
    }
  }

  template class ProjectedGaussSeidel<1>;
  template class ProjectedGaussSeidel<2>;
  template class ProjectedGaussSeidel<3>;

#define DUNE_IMPACT_INSTANTIATE(d)                                                                 \
  template void correctionBounds(const BoxProblem<d>&, const NodeVector<d>&,                       \
                                 CorrectionBounds<d>&);                                            \
  template void addCorrection(const BoxProblem<d>&, const CorrectionBounds<d>&,                    \
                              const NodeVector<d>&, NodeVector<d>&);

  DUNE_IMPACT_INSTANTIATE(1)
  DUNE_IMPACT_INSTANTIATE(2)
  DUNE_IMPACT_INSTANTIATE(3)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
