// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

#include "rules.hh"

/* A disc is thrown on a round obstacle. Simplified derivatives of the gaps take more iterations
 * than exact ones: with a limit between both numbers steps in contact are solved by the second try,
 * and only by it, and their results are those of a generous limit. The same for a disc that comes
 * to rest in a bowl in a quasi-static step, for which simplified derivatives take some hundred
 * iterations and exact ones five. */

using namespace Dune;
using namespace Dune::Impact;
using Test::makeRule, Test::RuleName;

namespace {

  struct Run
  {
    State state;
    long iterations = 0; //!< most of a step
    double secondTries = 0, impulse = 0;
    bool finished = false;
  };

  Run run(RuleName rule, const SqpSettings& sqp, std::size_t exactNodes)
  {
    constexpr double step = 0.2;
    System system;
    Solid<2>::Settings settings{.name = "disc",
                                .mesh = refineMesh(makeBall<2>(10, 2), 2, "disc"),
                                .material = StVenantKirchhoff<2>{Lame::fromYoung(1.0, 0.3)},
                                .density = 1e-4,
                                .motion = {.velocity = {0.5, -1, 0}, .spin = {0, 0, 0.01}}};
    const bool still = rule == RuleName::quasiStatic;
    if (still)
      settings.gravity = {0, -1, 0};
    auto surface = makeContactSurface<2>(settings.mesh, std::nullopt, 0, 0);
    std::shared_ptr<Obstacle> ground = std::make_shared<Sphere>("ground", Vec3{0, -15.5, 0}, 5.0);
    if (still)
      ground = std::make_shared<Cavity>("bowl", Vec3{0.1, 9.9, 0}, 20.0);
    system.add(std::make_unique<Solid<2>>(std::move(settings)));
    std::vector<Contact> contacts;
    contacts.push_back({"ground", std::make_unique<ObstacleGap<2>>(std::move(surface), ground,
                                                                   ObstacleGapKind::nodal)});
    ImplicitStepper<2> stepper(system, contacts,
                               {.step = step,
                                .rule = makeRule<2>(rule),
                                .sqp = sqp,
                                .exactNodes = exactNodes,
                                .minStep = step});
    Run result;
    StepReport report;
    State next;
    result.state = stepper.start(system.initialState(), report);
    try {
      for (int n = 0; n < 40; ++n) {
        stepper.step(result.state, next, report);
        std::swap(result.state, next);
        result.iterations = std::max(result.iterations, long(report.solve.iterations));
        result.impulse += report.pairImpulse[0];
      }
      result.finished = true;
    }
    catch (const RunError&) {
    }
    result.secondTries = stepper.statistics(result.state)[0].value;
    return result;
  }

  double distance(const std::vector<double>& a, const std::vector<double>& b)
  {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  constexpr std::size_t many = 20000;
  const RuleName rule = RuleName::modified;
  const Run simplified = run(rule, {}, 0),
            exact = run(rule, {.exactJacobian = true, .curvature = true}, 0);
  std::cout << "simplified " << simplified.iterations << " iterations, exact " << exact.iterations
            << std::endl;
  test.require(simplified.finished && exact.finished && simplified.impulse > 0 &&
                 exact.iterations + 1 < simplified.iterations,
               "exact derivatives need fewer iterations");
  const int limit = int(exact.iterations + simplified.iterations) / 2;

  const Run both = run(rule, {.maxIterations = limit}, many);
  std::cout << both.secondTries << " steps with exact derivatives, difference of places "
            << distance(both.state.q, simplified.state.q) << ", of velocities "
            << distance(both.state.p, simplified.state.p) << std::endl;
  test.check(both.finished && both.secondTries > 0, "steps are solved by the second try")
    << both.secondTries;
  // lengths are 10, speeds 1
  test.check(distance(both.state.q, simplified.state.q) < 1e-8 &&
               distance(both.state.p, simplified.state.p) < 1e-8,
             "with the result of the first one");
  test.check(simplified.secondTries == 0 && run(rule, {}, many).secondTries == 0,
             "that is not needed with more iterations");
  test.check(!run(rule, {.maxIterations = limit}, 0).finished, "and the run ends without it");

  const RuleName still = RuleName::quasiStatic;
  const SqpSettings few{.maxIterations = 30};
  const Run bowl = run(still, few, many);
  test.check(bowl.finished && bowl.secondTries > 0 && !run(still, few, 0).finished,
             "a quasi-static step that is not halved has a second try");
  const Run request = run(still, {.exactJacobian = true, .curvature = true}, 0);
  test.check(request.finished && distance(bowl.state.q, request.state.q) < 1e-8,
             "with the result of exact derivatives");
  return test.exit();
}
