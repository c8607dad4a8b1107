// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/multigrid/boxmultigrid.hh>
#include <dune/impact/solver/test/checkboxsolver.hh>

#include "gridproblems.hh"
#include "multigridcycles.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

TestSuite testGrids()
{
  TestSuite test("grids");
  const auto none = [](int, auto&) {};
  const auto sphere2 = [](int N, auto& model) { addSphere<2>(N, model); };
  const auto sphere3 = [](int N, auto& model) { addSphere<3>(N, model); };
  const auto string = [](int N, auto& model) { addLoadAndObstacle<1>(N, 2, 0.3, model); };
  const auto membrane = [](int N, auto& model) { addLoadAndObstacle<2>(N, 4, 0.3, model); };
  checkFlat<1, 1>(test, Shape::simplex, {32, 64, 128, 256}, "string", string);
  checkFlat<2, 1>(test, Shape::cube, {16, 32, 64, 128}, "membrane Q1", membrane);
  checkFlat<2, 2>(test, Shape::simplex, {8, 16, 32, 64}, "square P1, no contact", none);
  checkFlat<2, 2>(test, Shape::simplex, {8, 16, 32, 64}, "square P1, contact", sphere2);
  checkFlat<2, 2>(test, Shape::cube, {8, 16, 32, 64}, "square Q1, contact", sphere2);
  checkFlat<3, 1>(test, Shape::simplex, {6, 12, 24, 48}, "cube Laplace, no obstacle", none);
  checkFlat<3, 1>(test, Shape::simplex, {6, 12, 24, 48}, "cube Laplace, obstacle at a face",
                  sphere3);
  checkFlat<3, 3>(test, Shape::simplex, {8, 16, 32}, "cube P1, no contact", none);
  checkFlat<3, 3>(test, Shape::simplex, {8, 16, 32}, "cube P1, contact", sphere3);
  checkFlat<3, 3>(test, Shape::cube, {4, 8, 16}, "cube Q1, contact", sphere3);
  return test;
}

// Subtract a multiple of the mass (lumped) so that some smooth modes have negative energy; trust
// region
template<int dim, int d>
ModelProblem<d> indefiniteProblem(int N, double shift, double radius)
{
  auto model = gridProblem<dim, d>(Shape::simplex, N);
  for (std::size_t i = 0; i < model.matrix.size(); ++i)
    for (int c = 0; c < d; ++c)
      model.matrix.block(model.matrix.diagonal(i))[c][c] -= shift * std::pow(1.0 / N, dim);
  model.lower = -radius;
  model.upper = radius;
  return model;
}

TestSuite testIndefinite()
{
  TestSuite test("indefinite");
  for (const int N : {8, 16, 32}) {
    auto model = indefiniteProblem<2, 2>(N, 12, 0.1);
    const SolveReport report = solveChecked(test, model, {}, "square");
    addSphere<2>(N, model);
    const SolveReport contact = solveChecked(test, model, {}, "square, contact");
    std::cout << "indefinite square N=" << N << ": " << report.iterations << "/" << report.cycles
              << ", with contact " << contact.iterations << "/" << contact.cycles << std::endl;
  }
  for (const int N : {4, 8, 16}) {
    const auto model = indefiniteProblem<3, 3>(N, 10, 0.1);
    const SolveReport report = solveChecked(test, model, {}, "cube");
    std::cout << "indefinite cube N=" << N << ": " << report.iterations << "/" << report.cycles
              << std::endl;
  }
  auto membrane = indefiniteProblem<2, 1>(32, 40, 1);
  solveChecked(test, membrane, {}, "membrane");
  membrane.transfers.clear();
  solveChecked(test, membrane, {}, "membrane, one level");
  return test;
}

// Random bounds and shifts on a grid: all kinds of boxes meet the hierarchy
TestSuite testRandom()
{
  TestSuite test("random bounds");
  std::mt19937 random(3);
  int most = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const bool finite = trial % 2;
    auto model = indefiniteProblem<2, 2>(16, finite ? 3.0 * (trial % 10) : 0.0, infinity);
    BoxData<2> data{model.matrix, model.b, model.lower, model.upper};
    addRandomBounds(trial % 3 ? 0.1 : 0.01, finite, random, data);
    model.lower = data.lower;
    model.upper = data.upper;
    if (trial % 4 > 1) // free most components again, within a trust region
      for (std::size_t i = 0; i < model.b.size(); ++i)
        if (random() % 10) {
          model.lower[i] = finite ? -0.2 : -infinity;
          model.upper[i] = finite ? 0.2 : infinity;
        }
    const SolveReport report = solveChecked(test, model, {}, "trial " + std::to_string(trial));
    most = std::max(most, report.cycles);
  }
  std::cout << "random bounds: at most " << most << " cycles" << std::endl;
  return test;
}

// Without bounds on coarse levels a cycle goes to the saddle, uphill
TestSuite testCoarseBounds()
{
  TestSuite test("coarse bounds");
  const auto model = indefiniteProblem<2, 2>(16, 12, 0.1);
  const auto problem = model.problem();
  for (const CoarseBounds choice :
       {CoarseBounds::never, CoarseBounds::always, CoarseBounds::automatic}) {
    BoxMultigrid<2> solver(
      {.maxIterations = 200, .coarseBounds = choice, .nestedStart = false, .lineSearch = false});
    solver.setTransfers(model.transfers);
    NodeVector<2> x(model.b.size()), last(model.b.size());
    x = last = 0;
    double worst = 0;
    solver.setObserver([&](std::string_view, const NodeVector<2>& now) {
      worst = std::max(worst, energyDifference(problem, last, now));
      last = now;
    });
    const SolveReport report = solver.solve(problem, x);
    const bool kept = choice != CoarseBounds::never;
    std::cout << (kept ? "with" : "without") << " coarse bounds: converged " << report.converged
              << ", residual " << report.residual << ", largest rise of the energy " << worst
              << " of " << report.energyDecrease << std::endl;
    if (kept)
      test.check(report.converged && worst <= 1e-14 * report.energyDecrease,
                 "solved with coarse bounds")
        << worst;
    else
      test.check(!report.converged || worst > 1e-3 * std::abs(energy(problem, x)),
                 "energy rises without coarse bounds")
        << worst;
  }
  return test;
}

// Options give the same solution of a convex problem
TestSuite testOptions()
{
  TestSuite test("options");
  auto model = gridProblem<2, 2>(Shape::cube, 16);
  addSphere<2>(16, model);
  NodeVector<2> reference;
  const auto run = [&](const BoxMultigridSettings& settings, bool hierarchy,
                       const std::string& name) {
    BoxMultigrid<2> solver(settings);
    if (hierarchy)
      solver.setTransfers(model.transfers);
    NodeVector<2> x(model.b.size());
    x = 0;
    const SolveReport report = solver.solve(model.problem(), x);
    std::cout << name << ": " << report.iterations << "/" << report.cycles << std::endl;
    test.check(report.converged, name) << report.residual;
    if (reference.size() == 0)
      reference = x;
    x -= reference;
    test.check(x.infinity_norm() <= 1e-9 * reference.infinity_norm(), name + ": same solution")
      << x.infinity_norm();
    return report;
  };
  run({}, true, "default");
  run({.conjugateGradients = false}, true, "no conjugate gradients");
  run({.coarseBounds = CoarseBounds::always}, true, "coarse bounds");
  run({.cycle = {.preSweeps = 2, .postSweeps = 2}}, true, "two sweeps");
  run({.cycle = {.preSweeps = 0, .postSweeps = 1}, .conjugateGradients = false}, true,
      "no pre-smoothing");
  run({.cycle = {.preSweeps = 1, .postSweeps = 0}, .conjugateGradients = false}, true,
      "no post-smoothing");
  const SolveReport direct = run({}, false, "direct");
  test.check(direct.cycles <= 20, "direct solver needs few factors") << direct.cycles;
  return test;
}

// Without a hierarchy: few factors, also if the contact zone is large
TestSuite testDirect()
{
  TestSuite test("direct");
  auto membrane = gridProblem<2, 1>(Shape::cube, 64);
  addLoadAndObstacle<2>(64, 4, 0.3, membrane);
  auto cube = gridProblem<3, 3>(Shape::simplex, 8);
  addSphere<3>(8, cube);
  membrane.transfers.clear();
  cube.transfers.clear();
  const SolveReport first = solveChecked(test, membrane, {}, "membrane"),
                    second = solveChecked(test, cube, {}, "cube");
  std::cout << "direct: membrane " << first.iterations << "/" << first.cycles << ", cube "
            << second.iterations << "/" << second.cycles << std::endl;
  test.check(first.cycles <= 30 && second.cycles <= 8, "few factors")
    << first.cycles << " " << second.cycles;
  return test;
}

// No minimum: ends, and says so
TestSuite testUnbounded()
{
  TestSuite test("unbounded");
  for (const bool hierarchy : {true, false}) {
    auto model = indefiniteProblem<2, 2>(8, 12, 0.1);
    model.lower = -infinity;
    model.upper = infinity;
    BoxMultigrid<2> solver;
    if (hierarchy)
      solver.setTransfers(model.transfers);
    NodeVector<2> x(model.b.size());
    x = 0;
    const SolveReport report = solver.solve(model.problem(), x);
    test.check(!report.converged, "not converged") << report.residual;
    std::cout << "unbounded: " << report.iterations << " iterations" << std::endl;
  }
  return test;
}

/* Contact in the direction n of local frames, x_i = Q_i w_i with Q_i e_1 = n: blocks Q_i^T A_ij
 * Q_j, and block entries Q_i^T P_iI in the first transfer. The hierarchy must work as well as
 * without frames.
 */
TestSuite testFrames()
{
  TestSuite test("local frames");
  std::vector<int> cycles;
  for (const int N : {16, 32, 64}) {
    auto model = gridProblem<2, 2>(Shape::simplex, N);
    const auto frame = [&](std::size_t i, int sign = 1) {
      // the bottom face comes first
      const double angle = i <= std::size_t(N) ? sign * (1.3 + 0.5 * i / N) : 0;
      return NodeBlock<2>{{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}};
    };
    auto& A = model.matrix;
    for (std::size_t i = 0; i < A.size(); ++i) {
      for (const auto [begin, end] : A.row(i))
        for (std::size_t k = begin; k < end; ++k)
          A.block(k) = frame(i, -1) * A.block(k) * frame(A.column(k));
      FieldVector<double, 2> b;
      frame(i).mtv(model.b[i], b);
      model.b[i] = b;
      if (i <= std::size_t(N))
        model.lower[i][0] = -0.01;
    }
    const Transfer<2>& old = *model.transfers[0];
    auto transfer = std::make_shared<Transfer<2>>(old.coarseSize());
    for (std::size_t i = 0; i < old.fineSize(); ++i) {
      transfer->beginRow();
      for (const auto& parent : old.parents(i))
        if (i <= std::size_t(N))
          transfer->add(parent.node, frame(i, -1) * old.weight(parent));
        else
          transfer->add(parent.node, old.weight(parent));
    }
    transfer->finish();
    model.transfers[0] = transfer;
    const SolveReport report = solveChecked(test, model, {}, "frames " + std::to_string(N));
    const SolveReport bounded =
      solveChecked(test, model, {.coarseBounds = CoarseBounds::always}, "frames, bounded");
    std::cout << "local frames N=" << N << ": " << report.iterations << "/" << report.cycles
              << ", coarse bounds " << bounded.iterations << "/" << bounded.cycles << std::endl;
    cycles.push_back(report.cycles);
  }
  const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
  test.check(*most <= 1.25 * *least, "flat") << *least << " to " << *most;
  return test;
}

// One object for many problems: the result does not depend on what came before
TestSuite testReuse()
{
  TestSuite test("reuse");
  BoxMultigrid<2> reused;
  for (const int N : {16, 8, 16}) {
    auto model = gridProblem<2, 2>(Shape::simplex, N);
    reused.setTransfers(model.transfers);
    for (const bool contact : {false, true}) {
      if (contact)
        addSphere<2>(N, model);
      BoxMultigrid<2> fresh;
      fresh.setTransfers(model.transfers);
      NodeVector<2> x(model.b.size()), y(model.b.size());
      x = y = 0;
      reused.solve(model.problem(), x);
      fresh.solve(model.problem(), y);
      y -= x;
      test.check(y.infinity_norm() == 0, "same result") << y.infinity_norm();
    }
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(checkBoxSolver<1>(BoxMultigrid<1>()));
  test.subTest(checkBoxSolver<2>(BoxMultigrid<2>()));
  test.subTest(checkBoxSolver<3>(BoxMultigrid<3>()));
  test.subTest(testGrids());
  test.subTest(testIndefinite());
  test.subTest(testRandom());
  test.subTest(testCoarseBounds());
  test.subTest(testOptions());
  test.subTest(testFrames());
  test.subTest(testReuse());
  test.subTest(testDirect());
  test.subTest(testUnbounded());

  auto model = gridProblem<2, 2>(Shape::simplex, 16);
  addSphere<2>(16, model);
  BoxMultigrid<2> solver;
  solver.setTransfers(model.transfers);
  test.subTest(
    checkScaling<2>(solver, BoxData<2>{model.matrix, model.b, model.lower, model.upper}));
  model = indefiniteProblem<2, 2>(16, 12, 0.1);
  test.subTest(
    checkScaling<2>(solver, BoxData<2>{model.matrix, model.b, model.lower, model.upper}));
  return test.exit();
}
