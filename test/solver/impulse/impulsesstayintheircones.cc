// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/impulse/alartcurniernewton.hh>
#include <dune/impact/solver/impulse/contactsolver.hh>
#include <dune/impact/solver/impulse/impulsebounds.hh>

#include "storedproblems.hh"

/** \file
 * \brief However inexact impulses are, they push, stay in their cones and do no work that the laws
 * of contact do not allow
 */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

constexpr double tolerances[] = {1e-1, 1e-2, 1e-3, 1e-4,  1e-5,  1e-6,
                                 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};

//! What is seen over all problems and tolerances
struct Seen
{
  int results = 0, inexact = 0, sliding = 0;
};

//! The three bounds, and that the report is that of the result
template<class Matrix>
void checkBounds(TestSuite& test, const std::string& name,
                 const ContactProblemWith<Matrix>& problem, const SolveReport& report,
                 const std::vector<double>& r, Seen& seen)
{
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const std::size_t d = std::size_t(problem.matrix.blockSize());
  std::vector<double> product(r.size());
  problem.matrix.multiply(r, product);
  double work = 0, size = 0;
  bool push = true, inCone = true;
  for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
    const double *x = &r[i * d], mu = friction(problem, i);
    const double tangential = d == 1 ? 0 : d == 2 ? std::abs(x[1]) : std::hypot(x[1], x[2]);
    push = push && x[0] >= 0;
    inCone = inCone && tangential <= mu * x[0];
    seen.sliding += tangential > 0.999 * mu * x[0] && x[0] > 0;
    for (std::size_t k = 0; k < d; ++k) {
      work += x[k] * (problem.b[i * d + k] + product[i * d + k]);
      size += std::abs(x[k]) * (std::abs(problem.b[i * d + k]) + std::abs(product[i * d + k]));
    }
  }
  test.check(push, name + ": impulses push");
  test.check(inCone, name + ": impulses are in the cone");
  test.check(work <= epsilon * size, name + ": no work is gained") << work << " of " << size;
  const double residual = contactResidual(problem, r).value / velocityScale(problem);
  test.check(std::abs(residual - report.residual) <= 1e-12 * (1 + residual),
             name + ": the residual is that of the result")
    << residual << " " << report.residual;
  ++seen.results;
  seen.inexact += residual > 1e-9;
}

//! A method alone, and what holds after it
template<class Matrix, class Solve>
void checkMethod(TestSuite& test, const std::string& name,
                 const ContactProblemWith<Matrix>& problem, double tolerance,
                 const std::vector<double>& guess, Seen& seen, Solve&& solve)
{
  std::vector<double> r = guess;
  ContactProducts products;
  const int iterations = solve(r).iterations;
  const SolveReport report = boundImpulses(problem, tolerance, iterations, r, products);
  checkBounds(test, name, problem, report, r, seen);
}

//! All methods with a matrix or its factors
void checkAll(TestSuite& test, const std::string& name, const ContactProblem& problem,
              const FactoredProblem& factored, double tolerance, const std::vector<double>& guess,
              Seen& seen)
{
  const ContactSettings settings{.tolerance = tolerance, .maxIterations = 200};
  ContactSolver solver(settings);
  const auto whole = [&](const std::string& method, const auto& p, auto&& solve) {
    std::vector<double> r = guess;
    const SolveReport report = solve(p, r);
    checkBounds(test, name + ", " + method, p, report, r, seen);
  };
  whole("matrix", problem, [&](const auto& p, Span r) { return solver.solveContact(p, r); });
  whole("factors", factored, [&](const auto& p, Span r) { return solver.solveContact(p, r); });
  whole("sweeps", problem,
        [&](const auto& p, Span r) { return solver.solveProjectedGaussSeidel(p, r); });
  whole("sweeps with factors", factored,
        [&](const auto& p, Span r) { return solver.solveProjectedGaussSeidel(p, r); });
  if (isFrictionless(problem))
    whole("active set", problem,
          [&](const auto& p, Span r) { return solver.solveActiveSet(p, r); });
  for (const int sweeps : {1, 2, 7}) {
    ContactSettings few = settings;
    few.maxIterations = sweeps;
    checkMethod(test, name + ", few sweeps", problem, tolerance, guess, seen,
                [&](Span r) { return NonsmoothGaussSeidel<Delassus>().solve(problem, few, r); });
  }
  if (problem.b.size() <= 200)
    checkMethod(test, name + ", Newton", problem, tolerance, guess, seen,
                [&](Span r) { return AlartCurnierNewton().solve(problem, settings, r); });
  if (CondensedNewton newton; newton.setup(factored.matrix))
    checkMethod(test, name + ", condensed Newton", factored, tolerance, guess, seen,
                [&](Span r) { return newton.solve(factored, settings, r); });
  checkMethod(test, name + ", proximal points", factored, tolerance, guess, seen,
              [&](Span r) { return ProximalNewton().solve(factored, settings, r); });
}

//! Dominoes, random impacts and the plate, from zero and from a guess that pulls
TestSuite testStored()
{
  TestSuite test("stored problems");
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Seen seen;
  for (const auto& p : readStoredProblems(std::string(TEST_DATA) + "/impulse-problems.txt")) {
    if (p->name.starts_with("stack") || p->name.starts_with("heap"))
      continue;
    const ContactProblem problem{p->matrix, p->b, p->friction};
    const double size = velocityScale(problem) / p->matrix.diagonal(0)[0];
    std::vector<double> zero(p->b.size(), 0), wrong(p->b.size());
    for (double& x : wrong)
      x = size * normal(random);
    for (const double tolerance : tolerances)
      for (const auto& guess : {zero, wrong})
        checkAll(test, p->name, problem, {p->factors, p->b, p->friction}, tolerance, guess, seen);
  }
  test.check(seen.inexact > seen.results / 20, "many results are inexact")
    << seen.inexact << " of " << seen.results;
  test.check(seen.sliding > 1000, "contacts slide") << seen.sliding;
  return test;
}

//! Nodes with a diagonal mass in one, two and three dimensions, and each contact alone
TestSuite testLumped()
{
  TestSuite test("diagonal mass");
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Seen seen;
  for (const int d : {1, 2, 3})
    for (const bool coupled : {true, false})
      for (const double tolerance : tolerances) {
        const std::size_t contacts = 40, shared = 4, nodes = contacts + shared;
        std::vector<LumpedDelassus::Dof> dofs;
        for (std::uint32_t node = 0; node < nodes; ++node)
          for (std::uint32_t c = 0; c < 3; ++c)
            dofs.push_back({node, c, 1.5 + uniform(random)});
        LumpedDelassus H(dofs);
        H.clear(d);
        std::vector<double> b, mu;
        for (std::size_t i = 0; i < contacts; ++i) {
          std::vector<std::vector<Entry>> rows(3);
          for (int k = 0; k < d; ++k) {
            for (std::size_t c = 0; c < 3; ++c)
              rows[k].push_back({3 * i + c, uniform(random)});
            for (std::size_t c = 0; c < 3 && coupled; ++c)
              rows[k].push_back({3 * (contacts + i % shared) + c, uniform(random)});
            b.push_back(uniform(random) - (k == 0));
          }
          mu.push_back(d == 1 ? 0 : 0.5 + 0.5 * uniform(random));
          H.add({rows[0], rows[1], rows[2]});
        }
        H.finish();
        std::vector<double> r(b.size(), 0), product(b.size());
        const LumpedProblem problem{H, b, mu};
        ContactSolver solver({.tolerance = tolerance, .maxIterations = 200, .plainSweeps = 4});
        const SolveReport report = solver.solveContact(problem, r, product);
        checkBounds(test, "lumped", problem, report, r, seen);
        std::vector<double> again(b.size());
        H.multiply(r, again);
        double difference = 0;
        for (std::size_t i = 0; i < b.size(); ++i)
          difference = std::max(difference, std::abs(again[i] - product[i]));
        test.check(difference <= 1e-12, "the product is that of the result") << difference;
      }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testStored());
  test.subTest(testLumped());
  return test.exit();
}
