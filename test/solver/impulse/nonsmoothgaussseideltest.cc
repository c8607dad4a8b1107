// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/impulse/contactsolver.hh>
#include <dune/impact/solver/impulse/nonsmoothgaussseidel.hh>

#include "contactproblems.hh"

/** \file
 * \brief Delassus matrices as products, and sweeps that carry velocities
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* Contacts of a body with six dofs and points with three, by functionals that are random; mass is
 * diagonal, and all points together have `points` times the mass of the body. The velocities b are
 * possible, b = G v. The matrix is assembled too if there are few contacts. */
struct Cluster
{
  Vector b, mu;
  FactoredDelassus factored;
  Delassus assembled;

  Cluster(std::size_t contacts, int d, std::mt19937& random, double points = 1)
    : b(contacts * d, 0)
    , mu(contacts, 0.3)
  {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const std::size_t dofs = 6 + 3 * contacts;
    Vector mass(dofs), v(dofs);
    for (std::size_t i = 0; i < dofs; ++i) {
      mass[i] = (1.5 + uniform(random)) * (i < 6 ? 1 : points / double(contacts));
      v[i] = uniform(random);
    }
    const bool few = contacts <= 100;
    Dense G(few ? contacts * d : 0, dofs);
    factored.clear(d);
    for (std::size_t i = 0; i < contacts; ++i) {
      factored.beginRow();
      for (int k = 0; k < d; ++k)
        for (std::size_t n = 0; n < 9; ++n) {
          const std::size_t dof = n < 6 ? n : 3 * i + n;
          const double value = uniform(random);
          b[i * d + k] += value * v[dof];
          factored.addFunctional(k, 10000 - dof, value); // dofs may have any numbers
          factored.addVelocity(k, 10000 - dof, value / mass[dof]);
          if (few)
            G(i * d + k, dof) = value;
        }
      factored.endRow();
    }
    if (few)
      fill(assembled, delassus(G, mass), d);
  }
};

TestSuite testProduct()
{
  TestSuite test("products");
  std::mt19937 random(3);
  for (int d : {1, 2, 3}) {
    const Cluster c(20, d, random);
    Vector x(c.b.size()), y(x.size()), z(x.size());
    for (double& value : x)
      value = double(random()) / 4e9;
    c.factored.multiply(x, y);
    c.assembled.multiply(x, z);
    test.check(distance(y, z) <= 1e-13 * largest(z), "H x is that of the assembled matrix")
      << distance(y, z);
    double block = 0;
    for (std::size_t i = 0; i < c.factored.size(); ++i)
      for (int k = 0; k < d * d; ++k)
        block = std::max(block, std::abs(c.factored.diagonal(i)[k] - c.assembled.diagonal(i)[k]));
    test.check(block <= 1e-14 * 1000, "diagonal blocks") << block;
    test.check(c.factored.size() == 20 && c.factored.dofs() == 66 && c.factored.entries() == 180,
               "a few numbers per contact")
      << c.factored.entries();
  }
  FactoredDelassus H;
  H.clear(1);
  H.beginRow();
  H.addFunctional(0, 0, std::numeric_limits<double>::quiet_NaN());
  H.endRow();
  test.check(!H.isFinite(), "NaN is noticed");
  H.clear(1);
  test.check(H.isFinite() && H.size() == 0, "and forgotten");
  return test;
}

//! Both forms have the same solution, and the law holds
TestSuite testSolution()
{
  TestSuite test("solutions");
  std::mt19937 random(7);
  for (int d : {1, 2, 3})
    for (std::size_t n : {1, 10, 100, 2000}) {
      const Cluster c(n, d, random);
      Vector r(c.b.size(), 0);
      ContactSolver solver({.tolerance = 1e-13});
      const FactoredProblem problem{
        c.factored, c.b, d > 1 ? std::span<const double>(c.mu) : std::span<const double>()};
      const SolveReport report = solver.solveContact(problem, r);
      test.check(report.converged && report.iterations < 400, "sweeps converge")
        << d << " " << n << ": " << report.residual << " after " << report.iterations;
      if (n <= 100) {
        const ContactProblem same{c.assembled, c.b, problem.friction};
        test.check(contactResidual(same, r).value <= 1e-12 * largest(c.b),
                   "to a solution of the assembled problem")
          << contactResidual(same, r).value;
      }
    }
  return test;
}

//! Sweeps need the more the lighter the body is; Newton's method in the six velocities of the body
//! does not
TestSuite testLightBody()
{
  TestSuite test("a light body on heavy points");
  std::mt19937 random(5);
  for (const auto& [d, points] :
       {std::pair(1, 100.0), {1, 10000.0}, {2, 100.0}, {2, 10000.0}, {3, 100.0}}) {
    const Cluster c(2000, d, random, points);
    const FactoredProblem problem{
      c.factored, c.b, d > 1 ? std::span<const double>(c.mu) : std::span<const double>()};
    Vector r(c.b.size(), 0), slow(r);
    const SolveReport report = ContactSolver({.tolerance = 1e-13}).solveContact(problem, r);
    test.check(report.converged && report.iterations < (d < 3 ? 150 : 800), "impulses are found")
      << d << " " << points << ": " << report.residual << " after " << report.iterations;
    const SolveReport sweeps = NonsmoothGaussSeidel<FactoredDelassus>().solve(
      problem, {.tolerance = 1e-13, .maxIterations = 1000}, slow);
    test.check(!sweeps.converged, "which sweeps alone do not do") << sweeps.residual;
  }
  const Cluster c(3, 3, random);
  CondensedNewton newton;
  FactoredDelassus H; // two contacts that share all their dofs
  H.clear(1);
  for (int i = 0; i < 2; ++i) {
    H.beginRow();
    H.addFunctional(0, 0, 1);
    H.addVelocity(0, 0, 1);
    H.endRow();
  }
  test.check(newton.setup(c.factored) && !newton.setup(H), "contacts must have dofs of their own");
  return test;
}

/* However few sweeps there are, and however wrong the first guess is: impulses push, stay in the
 * cone and do not do more work than the law allows, r.(b + H r) <= 0. */
TestSuite testWork()
{
  TestSuite test("work of inexact impulses");
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int limited = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Cluster c(30, 3, random);
    Vector r(c.b.size()), y(r.size());
    for (double& x : r)
      x = 3 * uniform(random);
    ContactSolver({.maxIterations = 1 + trial % 3})
      .solveProjectedGaussSeidel(FactoredProblem{c.factored, c.b, c.mu}, r);
    c.factored.multiply(r, y);
    double work = 0, size = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      work += r[i] * (c.b[i] + y[i]);
      size += std::abs(r[i] * c.b[i]);
    }
    limited += std::abs(work) < 1e-12 * size;
    test.check(work <= 1e-14 * size, "work is bounded") << work << " " << size;
    for (std::size_t i = 0; i < 30; ++i)
      test.check(r[3 * i] >= 0 &&
                   std::hypot(r[3 * i + 1], r[3 * i + 2]) <= 0.3 * r[3 * i] * (1 + 1e-14),
                 "impulses are in the cone");
  }
  test.check(limited > 0, "the bound is reached") << limited;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testProduct());
  test.subTest(testSolution());
  test.subTest(testLightBody());
  test.subTest(testWork());
  return test.exit();
}
