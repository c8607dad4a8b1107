// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/impulse/activeset.hh>

#include "contactproblems.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

TestSuite testFactor()
{
  TestSuite test("growing factor");
  Random random(3);
  const std::size_t n = 12;
  const Dense H = delassus(random.matrix(n, n), Vector(n, 1.0));
  GrowingFactor factor;
  const auto append = [&](std::size_t i) {
    Vector row;
    for (std::size_t j = 0; j <= i; ++j)
      row.push_back(H(i, j));
    return factor.append(row);
  };
  for (std::size_t i = 0; i < n; ++i)
    test.require(append(i), "independent row");
  factor.truncate(7);
  for (std::size_t i = 7; i < n; ++i)
    test.require(append(i), "independent row after truncation");
  const Vector x = random.vector(n);
  Vector y = product(H, x);
  factor.solve(y);
  test.check(distance(x, y) <= 1e-9, "solves with the matrix") << distance(x, y);

  // ContactPoint of the combination of rows i and j with factors 1 and -2
  const auto combination = [&](std::size_t i, std::size_t j) {
    Vector row(n + 1, H(i, i) - 4 * H(i, j) + 4 * H(j, j));
    for (std::size_t k = 0; k < n; ++k)
      row[k] = H(i, k) - 2 * H(j, k);
    return row;
  };
  test.check(!factor.append(combination(2, 5)) && factor.size() == n, "dependent row is refused");
  Vector row = combination(1, 3);
  row[n] *= 1.01;
  test.check(factor.append(row), "independent row is taken");
  Vector extended(n + 1, 0.0); // the matrix with the new row times (x, 1)
  for (std::size_t j = 0; j < n; ++j) {
    extended[j] = product(H, x)[j] + row[j];
    extended[n] += row[j] * x[j];
  }
  extended[n] += row[n];
  factor.solve(extended);
  test.check(std::abs(extended[n] - 1) <= 1e-9, "solves after a refusal") << extended[n];
  return test;
}

// A bar with contacts at -0.5, -0.3, ... 0.5 hits a wall: six rows, rank two
TestSuite testRedundant()
{
  TestSuite test("redundant contacts");
  const double m = 7e-6, J = m * 1.01 / 12;
  Dense G(6, 2);
  for (int i = 0; i < 6; ++i) {
    G(i, 0) = 1;
    G(i, 1) = -0.5 + 0.2 * i;
  }
  const Dense H = delassus(G, {m, J});
  Delassus matrix;
  fill(matrix, H);
  for (const double spin : {0.0, 1.0, -2.5, 40.0, -40.0}) {
    const Vector b = product(G, {-50, spin});
    Vector r(6, 0.0);
    const SolveReport report = ActiveSet().solve({matrix, b, {}, 0}, {}, r);
    test.check(report.converged && report.iterations <= 4, "few pivots")
      << report.iterations << " " << report.residual;
    test.check(violation(H, 1, b, {}, r) <= 1e-14 * largest(b), "law") << violation(H, 1, b, {}, r);
    // 50 > |spin| J/m / 0.5: both ends are stopped, and with them the bar
    const Vector v = kick(G, {m, J}, {-50, spin}, r);
    if (std::abs(spin) < 40)
      test.check(largest(v) <= 1e-12, "the bar comes to rest") << v[0] << " " << v[1];
  }
  return test;
}

// Rows with the same G but different b: only the smallest b may act, whichever comes first
TestSuite testExchange()
{
  TestSuite test("dependent rows that disagree");
  const Dense H = delassus(
    [] {
      Dense G(3, 1);
      G.values = {1, 1, 2};
      return G;
    }(),
    {1.0});
  Delassus matrix;
  fill(matrix, H);
  for (const Vector& start : {Vector{0, 0, 0}, Vector{1, 0, 0}, Vector{0, 3, 0}, Vector{1, 2, 3}})
    for (const auto& [b, expected] : {std::pair{Vector{-1, -2, -1}, Vector{0, 2, 0}},
                                      {Vector{-3, -2, -1}, Vector{3, 0, 0}},
                                      {Vector{-1, -1, -4}, Vector{0, 0, 1}}}) {
      Vector r = start;
      const SolveReport report = ActiveSet().solve({matrix, b, {}, 0}, {}, r);
      test.check(report.converged && r == expected, "smallest one acts")
        << r[0] << " " << r[1] << " " << r[2];
    }
  return test;
}

TestSuite testLimits()
{
  TestSuite test("limits");
  Dense H(2, 2);
  H.values = {1, -1, -1, 1};
  Delassus matrix;
  fill(matrix, H);
  const Vector squeezed = {-1, -1}, between = {-1, 1};
  Vector r(2, 0.0);
  SolveReport report = ActiveSet().solve({matrix, squeezed, {}, 0}, {}, r);
  test.check(!report.converged && report.residual >= 0.5 && report.iterations < 100, "no solution")
    << report.residual;
  r = {0, 0};
  report = ActiveSet().solve({matrix, between, {}, 0}, {}, r);
  test.check(report.converged && r == Vector{1, 0}, "one wall approaches, the other recedes");

  H.values = {1, 0, 0, 1};
  fill(matrix, H);
  r = {0, 0};
  report = ActiveSet().solve({matrix, squeezed, {}, 0}, {.activeSetLimit = 1}, r);
  test.check(!report.converged && report.residual == 1, "set larger than allowed");
  report = ActiveSet().solve({matrix, squeezed, {}, 0}, {.maxIterations = 1}, r = {0, 0});
  test.check(!report.converged && report.iterations == 1, "not enough pivots allowed");
  report = ActiveSet().solve({matrix, squeezed, {}, 0}, {}, r = {1, 1});
  test.check(report.converged && report.iterations == 0, "no pivots from the right set");
  return test;
}

// Two opposite walls squeeze a body that also touches others: no solution, but the impulses stay
// bounded because round-off in the null vector is not mistaken for a way out
TestSuite testSqueezed()
{
  TestSuite test("squeezed");
  Random random(13);
  Delassus matrix;
  for (int trial = 0; trial < 200; ++trial) {
    Dense G = random.matrix(6, 6);
    for (int k = 0; k < 6; ++k)
      G(5, k) = -G(0, k);
    fill(matrix, delassus(G, Vector(6, 1.0)));
    const Vector b(6, -1.0);
    Vector r(6, 0.0);
    const SolveReport report = ActiveSet().solve({matrix, b, {}, 0}, {}, r);
    test.check(!report.converged && report.residual >= 0.5, "no solution") << report.residual;
    test.check(largest(r) < 1e8, "bounded impulses") << largest(r);
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testFactor());
  test.subTest(testRedundant());
  test.subTest(testExchange());
  test.subTest(testLimits());
  test.subTest(testSqueezed());
  return test.exit();
}
