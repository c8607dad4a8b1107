// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/explicit/cdlagrange.hh>

#include "../scenes.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* Linear elasticity and a constant step: T + 1/2 u_k K u_{k+1} changes by the work of contact and
 * of external forces only, to rounding, over 1e5 steps. */
TestSuite testBalance(const std::string& name, const Scene& scene, double tolerance)
{
  TestSuite test(name);
  CDLagrange stepper(scene.system, scene.contacts, 1, {.step = 0.09});
  const long steps = 100000;
  double first = 0, worst = 0, dissipated = 0, external = 0;
  long impulses = 0;
  march(stepper, scene.system.initialState(), steps,
        [&](const State& from, const State& to, const StepReport& report) {
          const Record record = stepper.record(from, to);
          if (to.step == 1)
            first = record.total() + record.dissipated - record.externalWork;
          worst = std::max(
            worst, std::abs(record.total() + record.dissipated - record.externalWork - first));
          dissipated = record.dissipated;
          external = std::max(external, std::abs(record.externalWork));
          impulses += report.contacts;
        });
  const double scale = std::max(std::abs(first), external);
  std::cout << name << ": defect " << worst / scale << ", impulses " << impulses << ", dissipated "
            << dissipated << ", external work up to " << external << "\n";
  test.check(impulses > 100, "there are impacts") << impulses;
  test.check(worst <= tolerance * scale, "the energy changes by work only") << worst / scale;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("energychangesbyworkonly");
  for (double e : {0.0, 1.0})
    test.subTest(testBalance("walls, e = " + std::to_string(e), barBetweenWalls(10, e), 1e-13));
  test.subTest(testBalance("gravity", barBetweenWalls(10, 0.5, -0.2), 1e-13));

  Scene loaded = barBetweenWalls(10, 0.5);
  loaded.system.add(std::make_unique<Load>(
    loaded.system.point(0, 3), std::array{Expression("0.3*cos(2*t)"), Expression(), Expression()}));
  test.subTest(testBalance("load", loaded, 1e-13));

  Scene driven;
  driven.system.add(
    std::make_unique<Bar>(Bar::Settings{.name = "bar", .length = 1, .elements = 10}));
  driven.system.prescribe(driven.end(0, Bar::left), 0, Expression("0.05*sin(2*t)"));
  driven.add(
    std::make_unique<PointObstacle>(std::vector{driven.end(0, Bar::right)}, wall(1.02, -1)),
    {.restitution = 0.5});
  test.subTest(testBalance("prescribed end", driven, 1e-13));
  return test.exit();
}
