// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <iostream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/mortargap.hh>

#include "solidscene.hh"

/* The dissipative rule gives back the energy that contact takes, or a part of it; momenta do not
 * change. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  struct Outcome
  {
    double energyError = 0, lost = 0, initial = 0, impulse = 0, linear = 0, angular = 0, spin = 0;
  };

  template<int dim>
  Outcome run(SolidScene<dim>& scene, double step, double beta, int steps)
  {
    scene.build({.step = step,
                 .rule = makeRule<dim>(RuleName::dissipative, beta),
                 .sqp = {.tolerance = 1e-13}});
    State state = scene.start(), next;
    StepReport report;
    const Record first = scene.stepper->record(state, state);
    Outcome outcome{.initial = first.total(), .spin = first.momenta.angular.two_norm()};
    for (int n = 0; n < steps; ++n, std::swap(state, next)) {
      scene.stepper->step(state, next, report);
      const Record record = scene.stepper->record(state, next);
      outcome.energyError = std::max(outcome.energyError, std::abs(record.total() - first.total()));
      outcome.linear =
        std::max(outcome.linear, (record.momenta.linear - first.momenta.linear).two_norm());
      outcome.angular =
        std::max(outcome.angular, (record.momenta.angular - first.momenta.angular).two_norm());
      outcome.lost = record.dissipated;
      for (double impulse : report.pairImpulse)
        outcome.impulse += impulse;
    }
    return outcome;
  }

  template<int dim>
  TestSuite testObstacle()
  {
    TestSuite test("obstacle, dimension " + std::to_string(dim));
    std::vector<double> lost;
    for (double beta : {0.0, 0.5, 1.0}) {
      SolidScene<dim> scene;
      auto ball = softBall<dim>(StVenantKirchhoff<dim>{soft}, 2, 1);
      ball.motion = {.velocity = last<dim>(-1), .spin = {0, 0, 0.02}};
      scene.add(std::move(ball), std::make_shared<Plane>("floor", last<dim>(-10.3), last<dim>(1)));
      const Outcome outcome = run(scene, 0.4, beta, 20);
      test.check(outcome.impulse > 0, "there is contact");
      std::cout << test.name() << ", part " << beta << ": energy error "
                << outcome.energyError / outcome.initial << ", lost "
                << outcome.lost / outcome.initial << std::endl;
      if (beta == 1)
        test.check(outcome.energyError < 1e-11 * outcome.initial &&
                     std::abs(outcome.lost) < 1e-11 * outcome.initial,
                   "energy is conserved")
          << outcome.energyError / outcome.initial;
      else
        test.check(std::abs(outcome.energyError - outcome.lost) < 1e-11 * outcome.initial,
                   "what is lost is in the ledger")
          << outcome.energyError << " " << outcome.lost;
      lost.push_back(outcome.lost);
    }
    test.check(lost[0] > 1e-6 && lost[1] < lost[0], "a part comes back")
      << lost[0] << " " << lost[1];
    return test;
  }

  //! Two discs that hit off their centres, one of them spinning
  TestSuite testDiscs()
  {
    TestSuite test("two discs");
    for (double beta : {0.0, 1.0}) {
      SolidScene<2> scene;
      auto first = softBall<2>(StVenantKirchhoff<2>{soft}, 3, 1),
           second = softBall<2>(StVenantKirchhoff<2>{soft}, 4, 1);
      first.motion = {.velocity = {0.5, 0, 0}, .spin = {0, 0, 0.05}};
      second.motion = {.velocity = {-0.5, 0, 0}};
      for (auto& node : first.mesh.nodes)
        node += FieldVector<double, 2>{-10.2, 3};
      for (auto& node : second.mesh.nodes)
        node += FieldVector<double, 2>{9.8, -1};
      auto surface = scene.surfaceOf(first.mesh);
      scene.add(std::move(first));
      auto mortar = scene.surfaceOf(second.mesh);
      scene.add(std::move(second));
      scene.contacts.push_back(
        {"discs", std::make_unique<MortarGap<2>>(std::move(surface), std::move(mortar))});
      const Outcome outcome = run(scene, 0.5, beta, 24);
      std::cout << "two discs, part " << beta << ": energy error "
                << outcome.energyError / outcome.initial << ", lost "
                << outcome.lost / outcome.initial << ", linear momentum " << outcome.linear
                << ", angular momentum " << outcome.angular << " of " << outcome.spin << std::endl;
      test.check(outcome.impulse > 0, "there is contact");
      test.check(outcome.linear < 1e-11 && outcome.angular < 1e-10 * outcome.spin,
                 "momenta are conserved")
        << outcome.linear << " " << outcome.angular;
      if (beta == 1)
        test.check(outcome.energyError < 1e-11 * outcome.initial, "energy is conserved")
          << outcome.energyError / outcome.initial;
      else
        test.check(outcome.lost > 1e-8 * outcome.initial, "energy is lost otherwise")
          << outcome.lost;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testObstacle<2>());
  test.subTest(testObstacle<3>());
  test.subTest(testDiscs());
  return test.exit();
}
