// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/solver/multigrid/boxproblem.hh>

namespace Dune::Impact {

  namespace {

    constexpr std::size_t nodesPerChunk = 8192, numbersPerChunk = 16384;

  } // namespace

  // Four sums, so that an addition need not wait for the one before
  template<int d>
  double dot(const NodeVector<d>& x, const NodeVector<d>& y, int threads)
  {
    const double *px = data<d>(x), *py = data<d>(y);
    return parallelSum<double>(
      x.size() * d, threads,
      [=](std::size_t k, std::size_t end) {
        double sum[4] = {0, 0, 0, 0};
        for (; k + 4 <= end; k += 4)
          for (int l = 0; l < 4; ++l)
            sum[l] += px[k + l] * py[k + l];
        for (; k < end; ++k)
          sum[0] += px[k] * py[k];
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
      },
      numbersPerChunk);
  }

  //! max(|b|, |A x0|) with the projection x0 of zero: bounds that exclude zero are a load, too
  template<int d>
  double loadScale(const BoxProblem<d>& problem)
  {
    if (problem.scale > 0)
      return problem.scale;
    NodeVector<d> x0(problem.b.size()), Ax0(problem.b.size());
    x0 = 0;
    project(problem, x0);
    const double load = std::sqrt(dot<d>(problem.b, problem.b));
    if (dot<d>(x0, x0) == 0)
      return load;
    problem.matrix.multiply(x0, Ax0);
    return std::max(load, std::sqrt(dot<d>(Ax0, Ax0)));
  }

  template<int d>
  bool hasValidVectors(const BoxProblem<d>& problem)
  {
    const std::size_t n = problem.matrix.size();
    if (problem.b.size() != n || problem.lower.size() != n || problem.upper.size() != n)
      return false;
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < d; ++c) {
        const double lower = problem.lower[i][c], upper = problem.upper[i][c];
        // false if one of them is NaN
        if (!(lower <= upper) || lower == HUGE_VAL || upper == -HUGE_VAL ||
            !std::isfinite(problem.b[i][c]))
          return false;
      }
    return true;
  }

  template<int d>
  bool isValid(const BoxProblem<d>& problem, int threads)
  {
    return hasValidVectors(problem) && problem.matrix.isFinite(threads);
  }

  template<int d>
  void project(const BoxProblem<d>& problem, NodeVector<d>& x, int threads)
  {
    parallelFor(
      x.size(), threads,
      [&](std::size_t i) {
        for (int c = 0; c < d; ++c)
          x[i][c] = std::clamp(x[i][c], problem.lower[i][c], problem.upper[i][c]);
      },
      nodesPerChunk);
  }

  template<int d>
  double infeasibility(const BoxProblem<d>& problem, const NodeVector<d>& x)
  {
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < d; ++c)
        largest = std::max({largest, problem.lower[i][c] - x[i][c], x[i][c] - problem.upper[i][c]});
    return largest;
  }

  template<int d>
  FieldVector<double, d> naturalMap(const BoxProblem<d>& problem, const NodeFriction<d>& friction,
                                    const FieldVector<double, d>& x,
                                    const FieldVector<double, d>& r)
  {
    const std::size_t i = friction.node;
    const auto& D = problem.matrix.block(problem.matrix.diagonal(i));
    FieldVector<double, d> map(0), p(0);
    map[0] = naturalMap(r[0], std::abs(D[0][0]), x[0], problem.lower[i][0], problem.upper[i][0]);
    double a = 0, length = 0;
    for (int c = 1; c < d; ++c)
      a = std::max(a, std::abs(D[c][c]));
    if (!(a > 0))
      return map;
    for (int c = 1; c < d; ++c) {
      p[c] = x[c] - friction.kink[c] + r[c] / a;
      length = std::hypot(length, p[c]);
    }
    const double part = length > friction.bound / a ? 1 - friction.bound / a / length : 0;
    for (int c = 1; c < d; ++c)
      map[c] =
        a * (std::clamp(friction.kink[c] + part * p[c], problem.lower[i][c], problem.upper[i][c]) -
             x[c]);
    return map;
  }

  //! Euclidean norm of the natural map. |A_ii| turns the distance of a component from its bound
  //! into a force, so that all terms have the unit of r.
  template<int d>
  double naturalMapNorm(const BoxProblem<d>& problem, const NodeVector<d>& x,
                        const NodeVector<d>& r, int threads)
  {
    const auto squares = [&](std::size_t begin, std::size_t end) {
      FieldVector<double, d> sum(0);
      for (std::size_t i = begin; i < end; ++i) {
        const auto& D = problem.matrix.block(problem.matrix.diagonal(i));
        if (problem.friction)
          if (const auto* term = problem.friction->of(i)) {
            const auto map = naturalMap(problem, *term, x[i], r[i]);
            for (int c = 0; c < d; ++c)
              sum[c] += map[c] * map[c];
            continue;
          }
        for (int c = 0; c < d; ++c) {
          const double map = naturalMap(r[i][c], std::abs(D[c][c]), x[i][c], problem.lower[i][c],
                                        problem.upper[i][c]);
          sum[c] += map * map;
        }
      }
      return sum;
    };
    const auto sum = parallelSum<FieldVector<double, d>>(x.size(), threads, squares, nodesPerChunk);
    double total = 0;
    for (int c = 0; c < d; ++c)
      total += sum[c];
    return std::sqrt(total);
  }

  template<int d>
  double kktResidual(const BoxProblem<d>& problem, const NodeVector<d>& x)
  {
    NodeVector<d> r(x.size());
    problem.matrix.residual(x, problem.b, r);
    const double norm = naturalMapNorm(problem, x, r), scale = loadScale(problem);
    return norm == 0 ? 0 : norm / scale;
  }

  //! 1/2 x.A x - b.x = -1/2 x.(b + r), since A x = b - r
  template<int d>
  double energy(const BoxProblem<d>& problem, const NodeVector<d>& x)
  {
    NodeVector<d> r(x.size());
    problem.matrix.residual(x, problem.b, r);
    r += problem.b;
    return -dot<d>(x, r) / 2;
  }

  //! J(y) - J(x) = -1/2 (y - x).(r(x) + r(y)), without the difference of two large energies
  template<int d>
  double energyDifference(const BoxProblem<d>& problem, const NodeVector<d>& x,
                          const NodeVector<d>& y)
  {
    NodeVector<d> rx(x.size()), ry(x.size()), step(y);
    problem.matrix.residual(x, problem.b, rx);
    problem.matrix.residual(y, problem.b, ry);
    step -= x;
    rx += ry;
    return -dot<d>(step, rx) / 2;
  }

#define DUNE_IMPACT_INSTANTIATE(d)                                                                 \
  template double dot<d>(const NodeVector<d>&, const NodeVector<d>&, int);                         \
  template double loadScale(const BoxProblem<d>&);                                                 \
  template bool hasValidVectors(const BoxProblem<d>&);                                             \
  template bool isValid(const BoxProblem<d>&, int);                                                \
  template void project(const BoxProblem<d>&, NodeVector<d>&, int);                                \
  template double infeasibility(const BoxProblem<d>&, const NodeVector<d>&);                       \
  template FieldVector<double, d> naturalMap(const BoxProblem<d>&, const NodeFriction<d>&,         \
                                             const FieldVector<double, d>&,                        \
                                             const FieldVector<double, d>&);                       \
  template double naturalMapNorm(const BoxProblem<d>&, const NodeVector<d>&, const NodeVector<d>&, \
                                 int);                                                             \
  template double kktResidual(const BoxProblem<d>&, const NodeVector<d>&);                         \
  template double energy(const BoxProblem<d>&, const NodeVector<d>&);                              \
  template double energyDifference(const BoxProblem<d>&, const NodeVector<d>&,                     \
                                   const NodeVector<d>&);

  DUNE_IMPACT_INSTANTIATE(1)
  DUNE_IMPACT_INSTANTIATE(2)
  DUNE_IMPACT_INSTANTIATE(3)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
