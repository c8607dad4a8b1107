// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/impulse/contactsolver.hh>
#include <dune/impact/solver/impulse/proximalnewton.hh>

#include "storedproblems.hh"

/** \file
 * \brief Stacks, dominoes, heaps, a plate and random impacts, from r = 0
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

using Problems = std::vector<std::unique_ptr<StoredProblem>>;

constexpr double millionth = 1e-6;

//! Proximal points alone, as far as they come
TestSuite testProximalPoints(const Problems& problems)
{
  TestSuite test("proximal points");
  for (const auto& p : problems) {
    if (p->isUnsolvable())
      continue;
    const FactoredProblem problem{p->factors, p->b, p->friction};
    const double scale = velocityScale(problem);
    std::vector<double> r(p->b.size(), 0);
    ProximalNewton newton;
    const SolveReport report = newton.solve(problem, {.tolerance = p->isExact() ? 0 : 1e-10}, r);
    const ContactResidual residual = contactResidual(problem, r);
    test.check(residual.value <= millionth * scale, p->name + " is solved")
      << residual.value / scale << " after " << report.iterations << " factors";
    test.check(report.residual == residual.value / scale, p->name + ": the residual reported")
      << report.residual;
    if (p->isExact())
      test.check(residual.value <= residual.rounding && report.converged,
                 p->name + " is solved to round-off")
        << residual.value / scale << " " << residual.rounding / scale << " after "
        << report.iterations << " factors";
  }
  return test;
}

//! The solver with its defaults, for both forms of the matrix
TestSuite testDefaults(const Problems& problems)
{
  TestSuite test("default settings");
  for (const auto& p : problems)
    for (const bool factored : {true, false}) {
      const std::string name = p->name + (factored ? ", factors" : ", matrix");
      std::vector<double> r(p->b.size(), 0);
      ContactSolver solver;
      const SolveReport report =
        factored ? solver.solveContact(FactoredProblem{p->factors, p->b, p->friction}, r)
                 : solver.solveContact(ContactProblem{p->matrix, p->b, p->friction}, r);
      const ContactResidual residual =
        contactResidual(ContactProblem{p->matrix, p->b, p->friction}, r);
      const double relative =
        residual.value / velocityScale(ContactProblem{p->matrix, p->b, p->friction});
      if (p->isUnsolvable())
        test.check(!report.converged && report.residual > 1e-3, name + " has no solution")
          << report.residual;
      else
        test.check(relative <= millionth && report.residual <= millionth, name)
          << relative << " " << report.residual << " after " << report.iterations;
      if (p->isExact())
        test.check(report.converged, name + " converges") << report.residual;
    }
  return test;
}

//! Other units, by powers of two that differ for translations and rotations: the same bits
TestSuite testUnits(const Problems& problems)
{
  TestSuite test("units of proximal points");
  for (const auto& p : problems) {
    if (!p->name.starts_with("random") && p->name != "domino-1")
      continue;
    const int d = p->factors.blockSize();
    FactoredDelassus other;
    other.clear(d);
    for (std::size_t i = 0; i < p->factors.size(); ++i) {
      other.beginRow();
      const auto [dofs, values] = p->factors.row(i);
      for (std::size_t n = 0; n < dofs.size(); ++n)
        for (int k = 0; k < d; ++k) {
          const int power = dofs[n] % 6 < 3 ? 3 : -7; // of the unit of a dof
          const double *G = values + 2 * d * n, *W = G + d;
          other.addFunctional(k, dofs[n], std::ldexp(G[k], 5 - power));
          other.addVelocity(k, dofs[n], std::ldexp(W[k], power + 11));
        }
      other.endRow();
    }
    std::vector<double> b = p->b, r(b.size(), 0), s(b.size(), 0);
    for (double& x : b)
      x = std::ldexp(x, 5);
    const SolveReport here =
      ProximalNewton().solve(FactoredProblem{p->factors, p->b, p->friction}, {}, r);
    const SolveReport there = ProximalNewton().solve(FactoredProblem{other, b, p->friction}, {}, s);
    for (double& x : s)
      x = std::ldexp(x, 11);
    test.check(r == s && here.iterations == there.iterations, p->name)
      << here.iterations << " " << there.iterations;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  const Problems problems = readStoredProblems(std::string(TEST_DATA) + "/impulse-problems.txt");
  TestSuite test;
  test.require(problems.size() == 15, "all problems are read") << problems.size();
  test.subTest(testProximalPoints(problems));
  test.subTest(testDefaults(problems));
  test.subTest(testUnits(problems));
  return test.exit();
}
