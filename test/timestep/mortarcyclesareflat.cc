// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <iostream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/contactsqp.hh>

#include "ballonblock.hh"

/* Cycles per quadratic problem of the step in which a ball hits a block, on four levels with 660 to
 * 220 000 nodes: the first iterations of the SQP, with inner tolerance 1e-4. */

int main(int argc, char** argv)
{
  using namespace Dune::Impact;
  using namespace Dune::Impact::Test;
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  std::vector<double> cycles;
  for (int levels : {1, 2, 3, 4}) {
    const double speed = 2; // mm per step: the contact zone has some nodes on all levels but the first
    BallOnBlock scene(ballMesh(2, levels), blockMesh({6, 4, 1}, levels), speed, 0);
    ContactSqp<3> sqp({.maxIterations = 4}, {.tolerance = 1e-4});
    sqp.setTransfers(scene.model->transfers());
    ImplicitProblem<3> problem(*scene.model, ImplicitRule::dissipative, scene.state, 1, 1);
    NodeVector<3> z = problem.predictor();
    std::vector<double> mu(scene.model->slotBegin.back(), 0);
    const SqpReport report = sqp.solve(problem, z, mu);
    cycles.push_back(double(report.cycles) / (report.iterations + report.rejected));
    const auto touching = std::count_if(mu.begin(), mu.end(), [](double m) { return m > 0; });
    std::cout << z.size() << " nodes, " << touching << " in contact: " << cycles.back() << " cycles per quadratic problem" << std::endl;
    test.check(touching > 0, "contact") << touching;
  }
  const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
  test.check(*most <= 1.25 * *least, "cycles per quadratic problem are flat over four levels in space with mortar contact") << *least << " to " << *most;
  return test.exit();
}
