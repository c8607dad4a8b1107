// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception Signorini problem of an
// elastic cube that is pressed onto a rigid sphere: time of the constrained solve, and of the same
// problem without contact.
//
//     benchmark-signorini [directory]
//
// With a directory that holds the programs gen.cc and tnnmg.cc, these are compiled and run in turn
// with ours, and CPU times are compared.
#include <config.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/solver/multigrid/boxmultigrid.hh>

#include "../solver/multigrid/gridproblems.hh"
#include "clocks.hh"
#include "yardstick.hh"

using namespace Dune::Impact;

namespace {

  struct Result
  {
    double seconds;
    SolveReport report;
    double energy;
  };

  // The solver has seen the pattern before, as in a time step; matrices are set up anew.
  Result run(const BoxProblem<3>& problem, BoxMultigrid<3>& solver)
  {
    NodeVector<3> x(problem.b.size());
    Result result{1e300, {}, 0};
    for (int repetition = 0; repetition < 3; ++repetition) {
      x = 0;
      const double start = processSeconds();
      result.report = solver.solve(problem, x);
      result.seconds = std::min(result.seconds, processSeconds() - start);
    }
    result.energy = energy(problem, x);
    return result;
  }

} // namespace

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  std::printf("%8s %10s %7s %7s %10s %7s %7s %10s %10s  %s\n", "dofs", "contact/s", "sweeps",
              "cycles", "linear/s", "cycles", "ratio", "residual", "other/s", "ours/other");
  for (const int N : {12, 24, 48}) {
    auto model = Test::gridProblem<3, 3>(Test::Shape::simplex, N);
    BoxMultigrid<3> solver({.tolerance = 1e-8});
    solver.setTransfers(model.transfers);
    const Result linear = run(model.problem(), solver);
    Test::addSphere<3, 3>(N, model);
    const Result contact = run(model.problem(), solver);
    const double other = argc > 1 ? runYardstick(argv[1], N) : 0;
    std::printf("%8zu %10.4f %7d %7d %10.4f %7d %7.2f %10.1e", model.b.size() * 3, contact.seconds,
                contact.report.iterations, contact.report.cycles, linear.seconds,
                linear.report.cycles, contact.seconds / linear.seconds, contact.report.residual);
    if (other > 0)
      std::printf(" %10.4f  %.2f", other, contact.seconds / other);
    std::printf("   energies %.10e %.10e\n", contact.energy, linear.energy);
    if (!contact.report.converged || !linear.report.converged)
      return 1;
  }
  return 0;
}
