// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/scenario/simulation.hh>

/* Iterations of all methods look at the token: a step that needs some is left at once, and leaves
 * no trace. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  struct Case
  {
    std::string scenario;
    std::vector<std::string> overrides = {};
  };

  //! One per method and solver
  const std::vector<Case> cases = {
    {"ball-on-block"},                            // multigrid
    {"ball-on-block", {"solver.inner=direct"}},   // active sets with factors
    {"ball-on-block", {"solver.jacobian=exact"}}, // KKT systems
    {"rigid-box-on-block"},                       // with rigid bodies
    {"patch-test"},                               // statics
    {"two-cubes"},                                // explicit, sweeps
    {"rotating-spring-wall-moreau"},              // Newton's method of the implicit step
    {"box-stack"},                                // rigid bodies with friction
    {"box-stack", {"time.variant=mid"}},          // and the same in the middle of a step
    {"bouncing-bars"},                            // instants of contact
    {"flexible-pendulum"},                        // beams in motion
    {"beam-bend"},                                // and in equilibrium
  };

  //! The state from which a step is left, or nothing if none of `most` steps is
  std::optional<State> leave(Stepper& stepper, const State& initial, int most)
  {
    StepReport report;
    State state = initial, next;
    for (int n = 0; n < most; ++n) {
      try {
        stepper.step(state, next, report);
      }
      catch (const Interrupted&) {
        return state;
      }
      std::swap(state, next);
    }
    return {};
  }

  TestSuite checkCase(const Case& one, const Registry& registry)
  {
    constexpr int most = 2000;
    TestSuite test(one.scenario);
    std::atomic<int> signal = 0;
    const std::filesystem::path file =
      std::filesystem::path(TEST_SCENARIOS) / (one.scenario + ".ini");
    Simulation simulation(file, one.overrides, registry, StopToken(signal));
    StepReport report;
    const State initial = simulation.stepper().start(simulation.initialState(), report);
    signal = 2;
    const std::optional<State> left = leave(simulation.stepper(), initial, most);
    test.require(bool(left), "a step is left") << one.scenario;
    signal = 0;
    State next, expected;
    simulation.stepper().step(*left, next, report);
    Simulation other(file, one.overrides, registry);
    other.stepper().start(other.initialState(), report);
    other.stepper().step(*left, expected, report);
    test.check(next == expected, "the step that was left is made as if nothing had happened")
      << one.scenario;
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const Registry registry = makeRegistry();
  for (const Case& one : cases)
    test.subTest(checkCase(one, registry));
  return test.exit();
}
