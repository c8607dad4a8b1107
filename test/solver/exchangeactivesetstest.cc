// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/exchangeactivesets.hh>

using namespace Dune;
using namespace Dune::Impact;

using End = ActiveSetExchanges::End;

//! min 1/2 x.A x - b.x with x >= 0 for A = (2 -1; -1 2), both active at first
TestSuite testObstacle()
{
  TestSuite test("two components at bounds");
  const std::array<double, 2> b = {1, -3};
  std::array<bool, 2> active = {true, true};
  std::array<double, 2> x, lambda;
  const auto solve = [&] {
    const double determinant = active[0] || active[1] ? 2 : 3;
    for (int i = 0; i < 2; ++i)
      x[i] = active[i] ? 0 : (active[1 - i] ? b[i] : 2 * b[i] + b[1 - i]) / determinant;
    for (int i = 0; i < 2; ++i)
      lambda[i] = 2 * x[i] - x[1 - i] - b[i];
    return true;
  };
  const auto exchange = [&] {
    const auto before = active;
    for (int i = 0; i < 2; ++i)
      active[i] = active[i] ? lambda[i] > 0 : x[i] < 0;
    return active != before;
  };
  const auto result = exchangeActiveSets(10, solve, exchange);
  test.check(result.end == End::settled && result.solves == 2, "it settles") << result.solves;
  test.check(x[0] == 0.5 && x[1] == 0 && lambda[0] == 0 && lambda[1] == 2.5, "solution")
    << x[0] << " " << x[1];
  const auto again = exchangeActiveSets(10, solve, exchange);
  test.check(again.end == End::settled && again.solves == 1, "the right set is solved once");
  return test;
}

//! The order of calls, and the ends
TestSuite testEnds()
{
  TestSuite test("ends");
  int solves = 0, exchanges = 0;
  const auto count = [&] {
    ++solves;
    return true;
  };
  const auto change = [&] {
    ++exchanges;
    return true;
  };
  auto result = exchangeActiveSets(5, count, change);
  test.check(result.end == End::limit && result.solves == 5, "a cycle ends at the limit");
  test.check(solves == 5 && exchanges == 4, "no exchange without a solve after it") << exchanges;

  exchanges = 0;
  result = exchangeActiveSets(5, [&] { return exchanges < 2; }, change);
  test.check(result.end == End::failed && result.solves == 2, "a solve that fails ends it")
    << result.solves;

  exchanges = 0;
  result = exchangeActiveSets(0, count, change);
  test.check(result.end == End::limit && result.solves == 0 && exchanges == 0, "limit of zero");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testObstacle());
  test.subTest(testEnds());
  return test.exit();
}
