// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checknumbers.hh>
#include <dune/impact/solver/multigrid/projectedgaussseidel.hh>
#include <dune/impact/solver/test/checkboxsolver.hh>

/* Solvers with one fault each, which checkBoxSolver() must find. */

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::findsFault;

namespace {

  //! A solver that is wrong in one respect
  struct FaultySolver : ProjectedGaussSeidel<2>
  {
    enum Fault { none, solution, bounds, residual, lie, checks };

    explicit FaultySolver(Fault fault) : fault_(fault) {}

    SolveReport solve(const BoxProblem<2>& problem, NodeVector<2>& x)
    {
      if (fault_ == checks && !isValid(problem))
        return {0, 0, true};
      SolveReport report = ProjectedGaussSeidel<2>::solve(problem, x);
      if (fault_ == solution && x.size() > 0)
        x[0][0] = std::clamp(x[0][0] + 1e-3, problem.lower[0][0], problem.upper[0][0]);
      if (fault_ == bounds && x.size() > 0)
        x[0][0] += 1e-9;
      if (fault_ == residual)
        report.residual += 1e-6;
      if (fault_ == lie)
        report.converged = false;
      return report;
    }

  private:
    Fault fault_;
  };

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (int fault = FaultySolver::none; fault <= FaultySolver::checks; ++fault) {
    const bool found =
      findsFault([&] { return checkBoxSolver<2>(FaultySolver(FaultySolver::Fault(fault))); });
    test.check(found == (fault != FaultySolver::none), "a faulty solver") << "fault " << fault;
  }
  return test.exit();
}
