// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/sqp/contactsqp.hh>

#include "ballonblock.hh"

/* Cycles per quadratic problem of the step in which a body hits a block: the first iterations of
 * the SQP, with inner tolerance 1e-4. */

using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  double cyclesPerProblem(Dune::TestSuite& test, const char* name, int iterations,
                          SolidMesh<3> body, SolidMesh<3> block)
  {
    BallOnBlock scene(std::move(body), std::move(block), 2, 0);
    ContactSqp<3> sqp({.maxIterations = iterations}, {.tolerance = 1e-4});
    sqp.setTransfers(scene.model->transfers());
    ImplicitWorkspace<3> workspace(*scene.model);
    const DissipativeMidpoint<3> rule;
    ImplicitProblem<3> problem(*scene.model, rule, workspace, scene.state, 1, 1);
    NodeVector<3> z = problem.predictor();
    std::vector<double> mu(scene.model->multiplierBegin.back(), 0);
    const SqpReport report = sqp.solve(problem, z, mu);
    const double cycles = double(report.cycles) / (report.iterations + report.rejected);
    const auto touching = std::count_if(mu.begin(), mu.end(), [](double m) { return m > 0; });
    std::cout << name << ": " << z.size() << " nodes, " << touching << " in contact, " << cycles
              << " cycles per quadratic problem" << std::endl;
    test.check(touching > 0, std::string(name) + ": contact") << touching;
    return cycles;
  }

  void checkFlat(Dune::TestSuite& test, const std::vector<double>& cycles, const std::string& name)
  {
    const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
    test.check(*most <= 1.25 * *least, name) << *least << " to " << *most;
  }

} // namespace

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  std::vector<double> cube, coarser, ball;
  const auto box = [](const Vec3& lower, const Vec3& upper, const std::array<int, 3>& cells,
                      int levels, const char* name) {
    return refineMesh(makeBox<3>(lower, upper, cells, CellShape::cube), levels, name);
  };
  for (int levels : {1, 2, 3, 4})
    cube.push_back(cyclesPerProblem(test, "cube", 4,
                                    box({-50, -50, -50}, {50, 50, 50}, {2, 2, 2}, levels, "cube"),
                                    blockMesh({6, 4, 1}, levels, CellShape::cube)));
  checkFlat(test, {cube.begin() + 1, cube.end()},
            "cycles per quadratic problem are flat over levels in space with mortar contact");
  test.check(cube.back() <= 1.4 * cube.front(), "and at most two fifths more than on a mesh of 476 "
                                                "nodes, which is hardly more than its surface")
    << cube.front() << " to " << cube.back();
  for (int levels : {2, 3, 4, 5})
    coarser.push_back(cyclesPerProblem(
      test, "cube from one cell", 10, box({-50, -50, -50}, {50, 50, 50}, {1, 1, 1}, levels, "cube"),
      box({0, 0, -80}, {160, 160, 0}, {2, 2, 1}, levels, "block")));
  checkFlat(test, coarser,
            "cycles per quadratic problem are flat over four levels in space with mortar contact");
  for (int levels : {2, 3}) // with one refinement a single node touches
    ball.push_back(
      cyclesPerProblem(test, "ball", 4, ballMesh(2, levels), blockMesh({6, 4, 1}, levels)));
  checkFlat(test, ball, "ball: flat where the contact zone has several nodes");
  return test.exit();
}
