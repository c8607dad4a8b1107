// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_SOLVER_MULTIGRID_MULTIGRIDCYCLES_HH
#define DUNE_IMPACT_TEST_SOLVER_MULTIGRID_MULTIGRIDCYCLES_HH

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/multigrid/boxmultigrid.hh>
#include <dune/impact/solver/test/checkboxsolver.hh>

#include "gridproblems.hh"

/** \file
 * \brief Multigrid on problems of several sizes, with all checks
 */

namespace Dune::Impact::Test {

  // Solve from zero with all checks; the energy is followed through every sub-step
  template<int d>
  SolveReport solveChecked(TestSuite& test, const ModelProblem<d>& model,
                           const BoxMultigridSettings& settings, const std::string& name)
  {
    const auto problem = model.problem();
    BoxMultigrid<d> solver(settings);
    solver.setTransfers(model.transfers);
    NodeVector<d> x(model.b.size()), x0(model.b.size()), last(model.b.size());
    x = x0 = last = 0;
    project(problem, last);
    double sum = 0, worst = 0, infeasible = 0;
    solver.setObserver([&](std::string_view, const NodeVector<d>& now) {
      const double change = energyDifference(problem, last, now);
      worst = std::max(worst, change);
      sum -= change;
      infeasible = std::max(infeasible, infeasibility(problem, now));
      last = now;
    });
    const SolveReport report = solver.solve(problem, x);
    test.subTest(checkBoxSolution(problem, x0, x, report, {.tolerance = settings.tolerance}, name));
    test.check(worst <= 1e-14 * sum, name + ": energy decreases in every sub-step")
      << worst << " of " << sum;
    test.check(infeasible == 0, name + ": feasible after every sub-step") << infeasible;
    test.check(std::abs(report.energyDecrease - sum) <= 1e-9 * sum, name + ": reported decrease")
      << sum;
    return report;
  }

  // The number of cycles must not depend on the number of levels
  template<int dim, int d, class Modify>
  void checkFlat(TestSuite& test, Shape shape, std::vector<int> sizes, const std::string& name,
                 Modify&& modify)
  {
    std::vector<int> cycles;
    std::cout << name << ":";
    for (const int N : sizes) {
      auto model = gridProblem<dim, d>(shape, N);
      modify(N, model);
      const SolveReport report = solveChecked(test, model, {}, name + " " + std::to_string(N));
      cycles.push_back(report.cycles);
      std::cout << "  N=" << N << " " << report.iterations << "/" << report.cycles;
    }
    std::cout << std::endl;
    const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
    test.check(*most <= 1.25 * *least, name + ": flat") << *least << " to " << *most;
  }

} // namespace Dune::Impact::Test

#endif
