// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/multigrid/boxmultigrid.hh>

// Quadratic problems with bounds and friction: the local minimum of a node, and the whole problem
// by sweeps and truncated Newton steps, are stationary to round-off.

using namespace Dune;
using namespace Dune::Impact;

namespace {

  template<int d>
  NodeBlock<d> randomBlock(std::mt19937& random)
  {
    std::normal_distribution<double> normal;
    NodeBlock<d> A, D(0);
    for (auto& row : A)
      for (double& value : row)
        value = normal(random);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j)
        for (int k = 0; k < d; ++k)
          D[i][j] += A[i][k] * A[j][k] + (i == j ? 0.01 : 0);
    return D;
  }

  /* By how much t is not stationary: the normal force at a bound may point outwards, the tangential
   * one at the kink may be as large as the bound of friction */
  template<int d>
  double defect(const NodeBlock<d>& D, const FieldVector<double, d>& s, double lo, double hi,
                const FieldVector<double, d>& k, double bound, const FieldVector<double, d>& t)
  {
    auto r = s;
    D.mmv(t, r);
    double result = t[0] <= lo   ? std::max(0.0, r[0])
                    : t[0] >= hi ? std::max(0.0, -r[0])
                                 : std::abs(r[0]);
    const NodeFriction<d> term{0, bound, k};
    if (term.atKink(t)) {
      r[0] = 0;
      return std::max(result, r.two_norm() - bound);
    }
    r -= term.gradient(t);
    r[0] = 0;
    return std::max(result, r.two_norm());
  }

  template<int d>
  TestSuite localProblems()
  {
    TestSuite test("node in dimension " + std::to_string(d));
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    int sticking = 0, closed = 0;
    double worst = 0;
    for (int n = 0; n < 4000; ++n) {
      const auto D = randomBlock<d>(random);
      FieldVector<double, d> s, k, lo(-1e10), hi(1e10), t;
      for (int c = 0; c < d; ++c) {
        s[c] = normal(random);
        k[c] = normal(random);
      }
      k[0] = 0;
      hi[0] = std::abs(normal(random));
      const double bound = std::abs(normal(random));
      minimiseFriction<d>(D, true, &s[0], &lo[0], &hi[0], k, bound, &t[0]);
      worst = std::max(worst, defect<d>(D, s, lo[0], hi[0], k, bound, t) / (1 + D.infinity_norm()));
      sticking += NodeFriction<d>{0, bound, k}.atKink(t);
      closed += t[0] >= hi[0];
    }
    test.check(worst < 1e-11, "stationary") << worst;
    test.check(sticking > 200 && sticking < 3800 && closed > 200, "both states") << sticking;
    return test;
  }

  //! Within a box that cuts off the tangential components no neighbour in the box is better
  template<int d>
  TestSuite cutNodes()
  {
    TestSuite test("cut node in dimension " + std::to_string(d));
    std::mt19937 random(8);
    std::normal_distribution<double> normal;
    for (int n = 0; n < 500; ++n) {
      const auto D = randomBlock<d>(random);
      FieldVector<double, d> s, k, lo(-0.1), hi(0.1), t;
      for (int c = 0; c < d; ++c) {
        s[c] = normal(random);
        k[c] = 0.2 * normal(random);
      }
      const double bound = std::abs(normal(random));
      const NodeFriction<d> term{0, bound, k};
      const auto energy = [&](const FieldVector<double, d>& y) {
        FieldVector<double, d> Dy;
        D.mv(y, Dy);
        return 0.5 * (y * Dy) - s * y + bound * term.slide(y);
      };
      minimiseFriction<d>(D, true, &s[0], &lo[0], &hi[0], k, bound, &t[0]);
      for (int trial = 0; trial < 50; ++trial) {
        auto y = t;
        for (int c = 0; c < d; ++c)
          y[c] = std::clamp(y[c] + 0.02 * normal(random), lo[c], hi[c]);
        test.check(energy(y) >= energy(t) - 1e-4, "least energy") << energy(y) - energy(t);
      }
    }
    return test;
  }

  //! A chain of nodes, the first few with bounds and friction: J at the solution is stationary
  template<int d>
  TestSuite chains(bool warm)
  {
    TestSuite test("chain in dimension " + std::to_string(d));
    const std::size_t n = 60;
    std::vector<std::size_t> begin = {0};
    std::vector<typename BlockMatrix<d>::Index> columns;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i > 0 ? i - 1 : 0; j <= std::min(i + 1, n - 1); ++j)
        columns.push_back(typename BlockMatrix<d>::Index(j));
      begin.push_back(columns.size());
    }
    BlockMatrix<d> A(begin, columns);
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    NodeBlock<d> K = randomBlock<d>(random);
    for (std::size_t i = 0; i < n; ++i)
      for (const auto [first, last] : A.row(i))
        for (std::size_t e = first; e < last; ++e) {
          A.block(e) = K;
          A.block(e) *= A.column(e) == typename BlockMatrix<d>::Index(i) ? 2.01 : -1;
        }
    NodeVector<d> b(n), lower(n), upper(n), x(n);
    FrictionTerms<d> terms;
    terms.clear(n);
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < d; ++c) {
        b[i][c] = normal(random);
        lower[i][c] = -1e3;
        upper[i][c] = c == 0 && i % 2 == 0 ? 0.1 : 1e3;
      }
    for (std::size_t i = 0; i < n; i += 2) {
      FieldVector<double, d> kink(0);
      for (int c = 1; c < d; ++c)
        kink[c] = 0.5 * normal(random);
      const double bound =
        i == 8 ? std::numeric_limits<double>::infinity() : 4 * std::abs(normal(random));
      terms.add({i, bound, kink, i % 4 == 0});
    }
    const BoxProblem<d> problem{A, b, lower, upper, 0, &terms};
    BoxMultigrid<d> solver;
    solver.setMatrix(A);
    x = 0;
    const auto report = solver.solve(problem, x, {.tolerance = 1e-12, .warm = warm});
    test.check(report.converged, "converges") << report.residual;
    NodeVector<d> r(n);
    A.residual(x, b, r);
    double worst = 0;
    int sticking = 0;
    for (const auto& term : terms) {
      sticking += term.atKink(x[term.node]);
      auto force = r[term.node];
      force[0] = 0;
      worst = std::max(worst, term.atKink(x[term.node])
                                ? force.two_norm() - term.bound
                                : (force - term.gradient(x[term.node])).two_norm());
    }
    test.check(worst < 1e-9, "law") << worst;
    test.check(sticking > 2 && sticking < 28, "both states") << sticking;
    test.check(terms.of(8)->atKink(x[8]), "held");
    test.check(report.iterations < 40, "iterations") << report.iterations;
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(localProblems<2>());
  test.subTest(localProblems<3>());
  test.subTest(cutNodes<2>());
  test.subTest(cutNodes<3>());
  for (const bool warm : {false, true}) {
    test.subTest(chains<2>(warm));
    test.subTest(chains<3>(warm));
  }
  return test.exit();
}
