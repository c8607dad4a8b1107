// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/impulse/alartcurniernewton.hh>
#include <dune/impact/solver/impulse/contactsolver.hh>
#include <dune/impact/solver/impulse/frictioncontinuation.hh>

using namespace Dune;
using namespace Dune::Impact;

/* A pile of points with unit mass that falls on the ground: contact i is between points i and i -
 * 1, H = tridiag(-1, 2, -1) with 1 in the first place, for each of three directions. All points
 * have the velocity (-1, slip, 0), which only the first contact sees. If they stop, contact i
 * carries n - i. */
TestSuite testPile()
{
  TestSuite test("a pile that falls");
  const std::size_t n = 40;
  for (const double mu : {0.5, 0.01}) {
    const double slip = 0.05;
    Delassus H;
    H.clear(3);
    const auto diagonal = [](double x) { return std::vector<double>{x, 0, 0, 0, x, 0, 0, 0, x}; };
    for (std::size_t i = 0; i < n; ++i) {
      H.beginRow();
      H.add(i, diagonal(i == 0 ? 1 : 2).data());
      if (i > 0)
        H.add(i - 1, diagonal(-1).data());
      if (i + 1 < n)
        H.add(i + 1, diagonal(-1).data());
    }
    std::vector<double> b(3 * n, 0), friction(n, mu), r(3 * n, 0);
    b[0] = -1;
    b[1] = slip;
    const ContactProblem problem{H, b, friction};
    ContactSolver solver({.tolerance = 1e-13});
    const SolveReport report = solver.solveContact(problem, r);
    test.check(report.converged && report.iterations < 100,
               "few sweeps and Newton's method solve a pile")
      << report.iterations << " " << report.residual;
    double normal = 0, tangential = 0;
    for (std::size_t i = 0; i < n; ++i) {
      normal = std::max(normal, std::abs(r[3 * i] - double(n - i)));
      tangential =
        std::max(tangential, std::abs(r[3 * i + 1] + std::min(slip, mu) * double(n - i)));
    }
    test.check(normal < 1e-9 && tangential<1e-9, mu> slip ? "the pile sticks" : "the pile slides")
      << normal << " " << tangential;
    std::vector<double> better = r;
    better[0] *= 1.01;
    const double before = contactResidual(problem, better).value;
    const SolveReport again = AlartCurnierNewton().solve(problem, {}, better);
    test.check(again.converged && contactResidual(problem, better).value < before,
               "Newton's method alone, from nearby")
      << again.iterations;
  }
  return test;
}

/* One contact with unit mass and the velocity (-1, 1), which slides for mu < 1: r = (1, -mu). The
 * solver at hand succeeds only if its first guess is near the solution. */
TestSuite testGrowth()
{
  TestSuite test("growing friction");
  Delassus H;
  H.clear(2);
  H.beginRow();
  H.add(0, std::vector<double>{1, 0, 0, 1}.data());
  const std::vector<double> b{-1, 1}, friction{0.8};
  const ContactProblem problem{H, b, friction};
  for (const double reach : {0.3, 0.1, 0.01, 1e-4}) {
    std::vector<double> r{1, 0};
    double last = 0;
    const SolveReport report =
      frictionContinuation(problem, {}, 0.5, r, [&](const ContactProblem& part, Span x) {
        const double mu = part.friction[0];
        const bool near = std::abs(x[1] + mu) <= reach;
        x[1] = near ? -mu : 7;
        last = mu;
        return SolveReport{.iterations = 1, .residual = 0, .converged = near};
      });
    if (reach > 1e-3) {
      test.check(report.converged && last == 0.8 && r[1] == -0.8,
                 "parts that are small enough lead to the solution")
        << reach << " " << last << " " << r[1];
      test.check(report.iterations >= std::floor(0.8 / reach), "attempts are counted")
        << reach << " " << report.iterations;
    }
    else
      test.check(!report.converged && report.residual > 1 && report.iterations == 10,
                 "parts are not halved for ever, and the residual is that of the problem itself")
        << report.residual << " after " << report.iterations;
  }
  return test;
}

int main()
{
  TestSuite test;
  test.subTest(testPile());
  test.subTest(testGrowth());
  return test.exit();
}
