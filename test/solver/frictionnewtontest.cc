// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/contactsolver.hh>
#include <dune/impact/solver/frictionnewton.hh>

using namespace Dune;
using namespace Dune::Impact;

/* A pile of points with unit mass that falls on the ground: contact i is between points i and i - 1,
 * H = tridiag(-1, 2, -1) with 1 in the first place, for each of three directions. All points have the
 * velocity (-1, slip, 0), which only the first contact sees. If they stop, contact i carries n - i. */
int main()
{
  TestSuite test;
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
    ContactSolver solver;
    const SolveReport report = solver.solveContact(problem, r);
    test.check(report.converged && report.iterations < 100, "few sweeps and Newton's method solve a pile") << report.iterations << " " << report.residual;
    double normal = 0, tangential = 0;
    for (std::size_t i = 0; i < n; ++i) {
      normal = std::max(normal, std::abs(r[3 * i] - double(n - i)));
      tangential = std::max(tangential, std::abs(r[3 * i + 1] + std::min(slip, mu) * double(n - i)));
    }
    test.check(normal < 1e-9 && tangential < 1e-9, mu > slip ? "the pile sticks" : "the pile slides") << normal << " " << tangential;
    std::vector<double> better = r;
    better[0] *= 1.01;
    const double before = contactResidual(problem, better).value;
    const SolveReport again = FrictionNewton().solve(problem, {}, better);
    test.check(again.converged && contactResidual(problem, better).value < before, "Newton's method alone, from nearby") << again.iterations;
  }
  return test.exit();
}
