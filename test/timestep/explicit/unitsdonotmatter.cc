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

/* Nothing in the method knows a unit: a run with mass, length and time multiplied by powers of two
 * is the same run, bit for bit. */
template<class MakeScene>
TestSuite testRun(const std::string& name, MakeScene&& make, CDLagrange::Settings settings,
                  long steps)
{
  TestSuite test(name);
  const auto run = [&](const Units& u) {
    const Scene scene = make(u);
    CDLagrange::Settings scaled = settings;
    scaled.step *= u.time;
    scaled.gapTolerance *= u.length;
    CDLagrange stepper(scene.system, scene.contacts, scene.dimension, scaled);
    std::vector<double> result;
    long contacts = 0;
    march(stepper, scene.system.initialState(), steps,
          [&](const State& from, const State& to, const StepReport& report) {
            for (double x : to.q)
              result.push_back(x / u.length);
            for (double x : to.p)
              result.push_back(x / u.momentum());
            const Record record = stepper.record(from, to);
            for (double x :
                 {record.kinetic, record.stored.elastic, record.dissipated, record.externalWork})
              result.push_back(x / u.energy());
            result.push_back(to.time / u.time);
            result.push_back(report.minGap / u.length);
            contacts += report.contacts;
          });
    test.check(contacts > 3, "there is contact") << contacts;
    return result;
  };
  const auto reference = run({});
  for (const Units& u :
       {Units{0x1p-20, 1, 1}, Units{1, 0x1p13, 1}, Units{1, 1, 0x1p-17},
        Units{0x1p9, 0x1p-12, 0x1p7}, Units{1, 0x1p-30, 0x1p12}, Units{0x1p-15, 0x1p30, 0x1p-12}})
    test.check(run(u) == reference, "another unit, the same bits")
      << "mass " << u.mass << ", length " << u.length << ", time " << u.time;
  return test;
}

//! A ball that slides and bounces in a plane
Scene slidingBall(const Units& u)
{
  Scene scene{.dimension = 2};
  const double g = -9.81 * u.length / (u.time * u.time);
  for (double x : {0.0, 0.5})
    scene.system.add(
      std::make_unique<Particle>(Particle::Settings{.name = "ball",
                                                    .dimension = 2,
                                                    .mass = 2 * u.mass,
                                                    .radius = 0.1 * u.length,
                                                    .position = {x * u.length, 0.11 * u.length, 0},
                                                    .velocity = {(1 - x) * u.velocity(), 0, 0},
                                                    .gravity = {0, g, 0}}));
  const auto floor = std::make_shared<Plane>("floor", Vec3{0, 0, 0}, Vec3{0, 1, 0});
  for (std::size_t i : {0, 1})
    scene.add(std::make_unique<PointObstacle>(std::vector{scene.system.point(i, 0)}, floor),
              {.restitution = 0.3, .friction = 0.2});
  scene.add(std::make_unique<BallPair>(scene.system.point(0, 0), scene.system.point(1, 0)),
            {.restitution = 0.6, .friction = 0.1, .slip = Slip::midStep});
  return scene;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("unitsdonotmatter");
  const double tau = 0.9 * Steel::length / 20 / Steel::wave;
  test.subTest(testRun(
    "two bars", [](const Units& u) { return twoBars(20, 0.5, u); },
    {.step = tau, .gapTolerance = 1e-12}, 120));
  for (EventStep landing : {EventStep::none, EventStep::both})
    test.subTest(testRun(
      "massless end", [](const Units& u) { return masslessOnWall(20, u); },
      {.step = tau, .landing = landing}, 120));
  test.subTest(testRun(
    "rotating spring", [](const Units& u) { return rotatingSpring(0.9, u); }, {.step = 0.05}, 400));
  test.subTest(testRun("sliding balls", slidingBall, {.step = 0.01}, 200));
  return test.exit();
}
