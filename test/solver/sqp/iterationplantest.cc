// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/sqp/iterationplan.hh>

/* The number of iterations is that of the exact residuals, also when they are rounded. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  //! Iterations until a residual, which falls by a rate down to its round-off, is at the tolerance
  int iterations(double rate, double roundOff, double error)
  {
    IterationPlan plan;
    double residual = 1e11;
    plan.begin(residual);
    int n = 0;
    while (!(residual <= 1 && plan.done()) && n < 1000) {
      ++n;
      residual = 1e11 * std::pow(rate, n) * (1 + error) + roundOff;
      plan.advance(residual, 1, n);
    }
    return n;
  }

  //! Half the tolerance is reached, where the plan is long enough, with at most one iteration more
  TestSuite linearConvergence()
  {
    TestSuite test("linear convergence");
    const double slowest = std::pow(IterationPlan::safety / IterationPlan::early, 0.2);
    for (double rate = 1e-4; rate < slowest; rate *= 1.07) {
      const int exact = std::ceil(std::log(2e11) / -std::log(rate));
      const int found = iterations(rate, 0, 0);
      test.check(found >= exact && found <= exact + 1, "iterations")
        << found << " at rate " << rate << ", not " << exact;
    }
    return test;
  }

  //! A residual that ends at a part of the tolerance as round-off gives the same number as without
  TestSuite rounding()
  {
    TestSuite test("rounding");
    int all = 0, same = 0;
    for (double rate = 1e-4; rate < 0.5; rate *= 1.07, ++all)
      same += iterations(rate, 0.01, 0.001) == iterations(rate, 0.02, -0.001);
    test.check(same >= all - 1, "as many iterations") << same << " of " << all;
    return test;
  }

  //! The first iteration of a linearisation converges in another way than those after it
  TestSuite firstOfLinearisation()
  {
    TestSuite test("first iteration of a linearisation");
    IterationPlan plan;
    plan.begin(4e5);
    plan.advance(4e3, 1, 1); // by 0.01
    plan.advance(2, 1, 2);   // by 5e-4, and so will the next ones
    test.check(!plan.done(), "one is left");
    plan.advance(1e-3, 1, 3);
    test.check(plan.done(), "and no more");
    return test;
  }

  //! Standing residuals are not iterated upon
  TestSuite standing()
  {
    TestSuite test("standing residual");
    IterationPlan plan;
    plan.begin(0.9);
    test.check(plan.done(), "nothing is planned");
    plan.advance(0.95, 1, 1);
    test.check(plan.done(), "nor after an iteration without progress");
    plan.begin(0);
    plan.advance(0, 1, 1);
    test.check(plan.done(), "nor at zero");
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(linearConvergence());
  test.subTest(rounding());
  test.subTest(firstOfLinearisation());
  test.subTest(standing());
  return test.exit();
}
