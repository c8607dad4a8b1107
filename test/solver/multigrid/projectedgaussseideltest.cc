// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/multigrid/projectedgaussseidel.hh>
#include <dune/impact/solver/multigrid/smallbox.hh>
#include <dune/impact/solver/test/checkboxsolver.hh>

#include "gridproblems.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

TestSuite testScalar()
{
  TestSuite test("one component");
  test.check(minimiseScalar(2, 3, -1, 5, 0) == 1.5, "inside");
  test.check(minimiseScalar(2, 30, -1, 5, 0) == 5, "upper bound");
  test.check(minimiseScalar(-2, 1, -1, 5, 0) == 5, "negative curvature, upper bound");
  test.check(minimiseScalar(-2, -1, -4, 3, 0) == -4, "negative curvature, lower bound");
  test.check(minimiseScalar(-2, 1, -1, infinity, 0) == -1 ||
               minimiseScalar(-2, 1, -1, infinity, 0) == 0,
             "unbounded");
  test.check(minimiseScalar(0, 0, -1, 1, 0.5) == 0.5, "indifferent");
  test.check(minimiseScalar(0, -2, -1, 1, 0.5) == -1, "no curvature");
  return test;
}

TestSuite testInverse()
{
  TestSuite test("inverse of the free part");
  const double D[9] = {4, 1, 2, 1, 3, 0, 2, 0, 5};
  double inverse[9];
  test.check(invertFree<3>(D, 0b010, inverse), "positive");
  test.check(inverse[1] == 0 && inverse[3] == 0 && inverse[4] == 0 && inverse[5] == 0,
             "masked component");
  test.check(std::abs(inverse[0] - 5.0 / 16) < 1e-15 && std::abs(inverse[2] + 2.0 / 16) < 1e-15,
             "rest");
  const double saddle[4] = {1, 2, 2, 1};
  test.check(!invertFree<2>(saddle, 0, inverse), "indefinite");
  test.check(invertFree<2>(saddle, 0b01, inverse) && inverse[3] == 1, "positive on the free part");
  return test;
}

// The energy after each sweep over all nodes and over some of them, and the reported decreases
template<int d>
TestSuite testMonotone(const ModelProblem<d>& model, const std::string& name)
{
  TestSuite test(name);
  const auto problem = model.problem();
  ProjectedGaussSeidel<d> solver;
  NodeVector<d> x(model.b.size()), old, r;
  x = 0;
  solver.setProblem(problem, x, r);
  std::vector<int> some;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % 3 != 1)
      some.insert(i % 2 ? some.begin() : some.end(), int(i));
  for (int s = 0; s < 30; ++s) {
    old = x;
    const double decrease = s % 3 == 1 ? solver.sweep(some, x, r) : solver.sweep(x, r),
                 change = energyDifference(problem, old, x);
    for (std::size_t i = 1; s % 3 == 1 && i < x.size(); i += 3)
      test.check(x[i] == old[i], "the other nodes stay");
    test.check(change <= 0, "energy decreases") << change;
    test.check(std::abs(decrease + change) <= 1e-10 * std::abs(change) + 1e-16, "reported decrease")
      << decrease;
    test.check(infeasibility(problem, x) == 0, "feasible");
  }
  NodeVector<d> fresh(r);
  problem.matrix.residual(x, problem.b, fresh);
  fresh -= r;
  test.check(fresh.two_norm() <= 1e-12 * model.b.two_norm(), "updated residual")
    << fresh.two_norm();
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testScalar());
  test.subTest(testInverse());
  test.subTest(checkBoxSolver<1>(ProjectedGaussSeidel<1>()));
  test.subTest(checkBoxSolver<2>(ProjectedGaussSeidel<2>()));
  test.subTest(checkBoxSolver<3>(ProjectedGaussSeidel<3>()));

  auto membrane = gridProblem<2, 1>(Shape::cube, 8);
  addLoadAndObstacle<2>(8, 3, 0.2, membrane);
  test.subTest(testMonotone(membrane, "membrane"));
  auto cube = gridProblem<3, 3>(Shape::simplex, 4);
  addSphere<3>(4, cube);
  test.subTest(testMonotone(cube, "cube"));
  for (std::size_t i = 0; i < cube.matrix.size(); ++i)
    for (int c = 0; c < 3; ++c)
      cube.matrix.block(cube.matrix.diagonal(i))[c][c] -= 0.4;
  cube.lower = -0.1;
  cube.upper = 0.1;
  test.subTest(testMonotone(cube, "indefinite cube"));

  ProjectedGaussSeidel<1> solver;
  NodeVector<1> x(membrane.b.size()), x0(membrane.b.size());
  x = x0 = 0;
  const SolveReport report = solver.solve(membrane.problem(), x);
  test.subTest(checkBoxSolution(membrane.problem(), x0, x, report, {}, "membrane solved"));
  return test.exit();
}
