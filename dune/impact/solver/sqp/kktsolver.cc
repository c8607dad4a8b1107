// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/solver/exchangeactivesets.hh>
#include <dune/impact/solver/sqp/kktsolver.hh>
#include <dune/impact/solver/sqp/sparselu.hh>

namespace Dune::Impact {

  namespace {

    constexpr int mostSets = 50;        // active sets; the SQP judges what is reached
    constexpr double firstShift = 1e-4; // sigma
    constexpr double shiftFactor = 10;
    constexpr double largestShift = 1e12;
    // A residual above this part of the right hand side says that the matrix is singular; this part
    // of the diagonal then decides where free directions lead
    constexpr double regular = 1e-6, singularShift = 1e-10;

  } // namespace

  template<int d>
  struct KktSolver<d>::Data
  {
    using Matrix = Eigen::SparseMatrix<double>;
    using Triplet = Eigen::Triplet<double>;

    void setup(const Problem& problem);
    bool isFree(std::size_t i) const { return free[i]; }
    void shift(double sigma, std::vector<Triplet>& entries) const;
    void addConstraints(const Problem& problem, std::vector<Triplet>& entries);
    Eigen::VectorXd rightHandSide(const Problem& problem) const;
    bool solveEquations(const std::vector<Triplet>& entries, const Eigen::VectorXd& b,
                        Eigen::VectorXd& x);
    bool solveActive(const Problem& problem, double sigma, NodeVector<d>& step,
                     std::vector<double>& lambda);
    bool solveShifted(const Problem& problem, double sigma, NodeVector<d>& step,
                      std::vector<double>& lambda, int& factorisations);
    double gapAfter(const Problem& problem, std::size_t p, const NodeVector<d>& step) const;

    std::vector<char> free;           // per component
    std::vector<char> active, usable; // per constraint
    std::vector<std::size_t> row;     // active constraints
    std::vector<double> gap;          // per constraint, as far as the radius allows
    std::vector<Triplet> hessian;
    std::vector<double> diagonal;
    // largest diagonal entry, which makes rows of C comparable with H
    double stiffness = 0;
    SparseLu factor;
  };

  /* Entries of H on free components, D = |diag H|, and the gaps
   *
   *     gap_p = max(phi_p, -radius weight_p):
   *
   * of a violation that is larger than the trust region one step removes a part. A constraint is
   * usable if C_p has an entry on a free component; without one its equation would be singular. */
  template<int d>
  void KktSolver<d>::Data::setup(const Problem& problem)
  {
    const std::size_t n = problem.matrix.size();
    free.resize(n * d);
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < d; ++c)
        free[i * d + c] = !(problem.fixed[i] >> c & 1);
    hessian.clear();
    diagonal.assign(n * d, 0);
    const auto add = [&](std::size_t i, std::size_t j, const NodeBlock<d>& block) {
      for (int a = 0; a < d; ++a)
        for (int b = 0; b < d; ++b)
          if (isFree(i * d + a) && isFree(j * d + b)) {
            hessian.emplace_back(i * d + a, j * d + b, block[a][b]);
            if (i == j && a == b)
              diagonal[i * d + a] += block[a][b];
          }
    };
    for (std::size_t i = 0; i < n; ++i)
      for (const auto [begin, end] : problem.matrix.row(i))
        for (std::size_t k = begin; k < end; ++k)
          add(i, problem.matrix.column(k), problem.matrix.block(k));
    for (const auto& block : problem.blocks)
      add(block.row, block.column, block.value);
    stiffness = 0;
    for (double& value : diagonal)
      stiffness = std::max(stiffness, value = std::abs(value));

    gap.resize(problem.gap.size());
    usable.assign(problem.gap.size(), false);
    for (std::size_t p = 0; p < gap.size(); ++p) {
      gap[p] = std::max(problem.gap[p], -problem.radius * problem.constraints[p].weight);
      for (const auto& [node, value] : problem.constraints.derivative(p))
        for (int c = 0; c < d; ++c)
          usable[p] = usable[p] || (isFree(node * d + c) && value[c] != 0);
    }
  }

  //! sigma D; the identity, in units of H, on fixed components
  template<int d>
  void KktSolver<d>::Data::shift(double sigma, std::vector<Triplet>& entries) const
  {
    for (std::size_t i = 0; i < free.size(); ++i)
      if (!free[i])
        entries.emplace_back(i, i, stiffness);
      else if (sigma > 0)
        entries.emplace_back(i, i, sigma * diagonal[i]);
  }

  //! gap_p + C_p d
  template<int d>
  double KktSolver<d>::Data::gapAfter(const Problem& problem, std::size_t p,
                                      const NodeVector<d>& step) const
  {
    double result = gap[p];
    for (const auto& [node, value] : problem.constraints.derivative(p))
      result += value * step[node];
    return result;
  }

  //! Rows of C of the active set, and multipliers, are scaled to the units of H and d
  template<int d>
  void KktSolver<d>::Data::addConstraints(const Problem& problem, std::vector<Triplet>& entries)
  {
    row.clear();
    for (std::size_t p = 0; p < active.size(); ++p)
      if (active[p]) {
        const std::size_t k = free.size() + row.size();
        row.push_back(p);
        const double factor = stiffness / problem.constraints[p].weight;
        for (const auto& [node, value] : problem.constraints.derivative(p))
          for (int c = 0; c < d; ++c)
            if (isFree(node * d + c)) {
              entries.emplace_back(k, node * d + c, factor * value[c]);
              entries.emplace_back(node * d + c, k, -factor * value[c]);
            }
      }
  }

  template<int d>
  Eigen::VectorXd KktSolver<d>::Data::rightHandSide(const Problem& problem) const
  {
    const std::size_t n = free.size();
    Eigen::VectorXd b(n + row.size());
    for (std::size_t i = 0; i < n; ++i)
      b[i] = free[i] ? -problem.gradient[i / d][i % d] : 0;
    for (std::size_t k = 0; k < row.size(); ++k)
      b[n + k] = -gap[row[k]] * (stiffness / problem.constraints[row[k]].weight);
    return b;
  }

  //! One refinement: forces of stiff and soft bodies differ by orders. False if the residual is not
  //! small after it.
  template<int d>
  bool KktSolver<d>::Data::solveEquations(const std::vector<Triplet>& entries,
                                          const Eigen::VectorXd& b, Eigen::VectorXd& x)
  {
    Matrix matrix(b.size(), b.size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    matrix.makeCompressed();
    if (!factor.compute(matrix))
      return false;
    x = factor.solve(b);
    x += factor.solve(b - matrix * x);
    return (b - matrix * x).template lpNorm<Eigen::Infinity>() <=
           regular * b.template lpNorm<Eigen::Infinity>();
  }

  /* The equations of the active set. A body that no constraint of the set holds makes them
   * singular, and its motion would be round-off over round-off. A shift that is small compared with
   * every stiffness moves it far in the direction of its load, whatever the rounding: the next
   * active set then has the constraints in its way. */
  template<int d>
  bool KktSolver<d>::Data::solveActive(const Problem& problem, double sigma, NodeVector<d>& step,
                                       std::vector<double>& lambda)
  {
    const std::size_t n = free.size();
    std::vector<Triplet> entries = hessian;
    shift(sigma, entries);
    addConstraints(problem, entries);
    const Eigen::VectorXd b = rightHandSide(problem);
    Eigen::VectorXd x;
    if (!solveEquations(entries, b, x) && sigma == 0) {
      for (std::size_t i = 0; i < n; ++i)
        if (free[i])
          entries.emplace_back(i, i, singularShift * diagonal[i]);
      solveEquations(entries, b, x);
    }
    if (x.size() != b.size() || !x.allFinite())
      return false;
    for (std::size_t i = 0; i < n; ++i)
      step[i / d][i % d] = free[i] ? x[i] : 0;
    std::fill(lambda.begin(), lambda.end(), 0);
    for (std::size_t k = 0; k < row.size(); ++k)
      lambda[row[k]] = x[n + k] * (stiffness / problem.constraints[row[k]].weight);
    return true;
  }

  //! Primal-dual active sets for H + sigma D, from the set of the positive multipliers on
  template<int d>
  bool KktSolver<d>::Data::solveShifted(const Problem& problem, double sigma, NodeVector<d>& step,
                                        std::vector<double>& lambda, int& factorisations)
  {
    for (std::size_t p = 0; p < lambda.size(); ++p)
      active[p] = usable[p] && lambda[p] > 0;
    const auto solveSet = [&] {
      problem.stop.check();
      ++factorisations;
      return solveActive(problem, sigma, step, lambda);
    };
    const auto exchange = [&] {
      bool changed = false;
      for (std::size_t p = 0; p < lambda.size(); ++p) {
        const bool next = usable[p] && (active[p] ? lambda[p] > 0 : gapAfter(problem, p, step) < 0);
        changed = changed || next != bool(active[p]);
        active[p] = next;
      }
      return changed;
    };
    if (exchangeActiveSets(mostSets, solveSet, exchange).end == ActiveSetExchanges::End::failed)
      return false;
    for (double& value : lambda)
      value = std::max(0.0, value);
    return true;
  }

  template<int d>
  KktSolver<d>::KktSolver() : data_(std::make_unique<Data>())
  {}

  template<int d>
  KktSolver<d>::~KktSolver() = default;

  //! Increases sigma = 0, 1e-4, 1e-3, ... until the factorisation exists and |d_i| <= radius, each
  //! time from the first active set. The curvature d.H d is that of H without the shift.
  template<int d>
  bool KktSolver<d>::solve(const Problem& problem, NodeVector<d>& step, std::vector<double>& lambda)
  {
    data_->setup(problem);
    data_->active.assign(lambda.size(), false);
    step.resize(problem.matrix.size());
    factorisations_ = 0;
    shortened_ = false;
    double sigma = 0;
    const std::vector<double> first = lambda;
    while (!data_->solveShifted(problem, sigma, step, lambda, factorisations_) ||
           step.infinity_norm() > problem.radius * 1.001) {
      shortened_ = true;
      sigma = std::max(firstShift, shiftFactor * sigma);
      if (sigma > largestShift)
        return false;
      lambda = first;
    }
    curvature_ = 0;
    for (const auto& entry : data_->hessian)
      curvature_ += step[entry.row() / d][entry.row() % d] * entry.value() *
                    step[entry.col() / d][entry.col() % d];
    return true;
  }

  template class KktSolver<2>;
  template class KktSolver<3>;

} // namespace Dune::Impact
