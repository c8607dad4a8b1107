// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/scalarroot.hh>

using namespace Dune;
using namespace Dune::Impact;

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("scalarroottest");
  int calls = 0;
  const auto cubic = [&](double x) {
    ++calls;
    return x * x * x - 2;
  };
  const Sample root = bracketedRoot(cubic, {0, -2}, {4, 62}, 0);
  test.check(std::abs(root.x - std::cbrt(2.0)) <= 1e-15 && calls < 60, "root to the last digit")
    << root.x << " after " << calls;
  test.check(bracketedRoot(cubic, {4, 62}, {0, -2}, 1e-8).value <= 1e-8,
             "also with the ends exchanged");
  test.check(bracketedRoot(cubic, {1, -1e-9}, {4, 62}, 1e-8).x == 1, "an end that is good enough");
  const auto step = [](double x) { return x < 0.3 ? -1.0 : 1.0; };
  test.check(std::abs(bracketedRoot(step, {0, -1}, {1, 1}, 0).x - 0.3) <= 1e-15,
             "a jump ends where no number is left between its sides");
  const auto broken = [](double) { return std::numeric_limits<double>::quiet_NaN(); };
  test.check(std::isnan(bracketedRoot(broken, {0, -1}, {1, 1}, 0).value),
             "a value that is no number ends the search");

  const auto f = [](double x) { return 3 * x * x - 5 * x + 1e-9; };
  const Parabola p = Parabola::through(0.7, f(0), f(0.7), f(1.4));
  test.check(std::abs(p.A - 3) <= 1e-14 && std::abs(p.B + 5) <= 1e-14 && p.C == 1e-9,
             "parabola through three points");
  const Parabola q{3, -5, 1e-9}, mirrored{3, 5, 1e-9};
  test.check(std::abs(q.largerRoot() - 5.0 / 3) <= 1e-9 &&
               std::abs(q.rootNearZero() / 2e-10 - 1) <= 1e-9,
             "roots without cancellation")
    << q.largerRoot() << " " << q.rootNearZero();
  test.check(std::abs(mirrored.largerRoot() / -2e-10 - 1) <= 1e-9 &&
               mirrored.rootNearZero() == mirrored.largerRoot(),
             "also where the larger root is near zero");
  test.check(Parabola{3, -5, 7}.discriminant() < 0 && Parabola{3, -5, 7}.mirror() == 5.0 / 3,
             "mirror root");
  return test.exit();
}
