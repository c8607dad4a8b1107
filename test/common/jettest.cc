// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/jet.hh>

using namespace Dune;
using namespace Dune::Impact;

//! f = (x y - 2) / sqrt(x + 3 y) with its derivatives by hand
TestSuite testQuotient()
{
  TestSuite test("quotient and root");
  const double x = 1.7, y = 0.4;
  const auto X = Jet<3>::variable(x, 0), Y = Jet<3>::variable(y, 2);
  const auto f = (X * Y - 2.0) / sqrt(X + 3.0 * Y);
  const double s = x + 3 * y, p = x * y - 2, r = std::sqrt(s);
  const auto near = [&](double value, double expected, const char* what) {
    test.check(std::abs(value - expected) < 1e-14, what) << value << " instead of " << expected;
  };
  near(f.value, p / r, "value");
  near(f.first[0], y / r - 0.5 * p / (r * s), "by x");
  near(f.first[2], x / r - 1.5 * p / (r * s), "by y");
  near(f.derivative(0, 0), -y / (r * s) + 0.75 * p / (r * s * s), "by x twice");
  near(f.derivative(2, 2), -3 * x / (r * s) + 0.75 * 9 * p / (r * s * s), "by y twice");
  const double mixed = 1 / r - 1.5 * y / (r * s) - 0.5 * x / (r * s) + 0.75 * 3 * p / (r * s * s);
  near(f.derivative(0, 2), mixed, "by both");
  near(f.derivative(2, 0), mixed, "by both, the other way");
  test.check(f.first[1] == 0 && f.derivative(1, 1) == 0 && f.derivative(0, 1) == 0,
             "nothing by what does not occur");
  return test;
}

TestSuite testSums()
{
  TestSuite test("sums");
  const auto x = Jet<2>::variable(3, 0), y = Jet<2>::variable(5, 1);
  const auto f = -(x - y) * 2.0 + 1.0 - x;
  test.check(f.value == 2 && f.first[0] == -3 && f.first[1] == 2, "linear")
    << f.value << " " << f.first[0] << " " << f.first[1];
  test.check(f.derivative(0, 0) == 0 && f.derivative(1, 0) == 0, "no second derivatives");
  auto g = x * y;
  g -= y * y;
  test.check(g.value == -10 && g.first[1] == -7 && g.derivative(0, 1) == 1 &&
               g.derivative(1, 1) == -2,
             "products");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testQuotient());
  test.subTest(testSums());
  return test.exit();
}
