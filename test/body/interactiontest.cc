// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checkinteraction.hh>
#include <dune/impact/body/test/checksystem.hh>

using namespace Dune;
using namespace Dune::Impact;

//! A particle and a bar in general position
System twoBodies(int dimension)
{
  System system;
  system.add(std::make_unique<Particle>(Particle::Settings{.name = "ball",
                                                           .dimension = dimension,
                                                           .mass = 2,
                                                           .position = {1, 0.5, -0.5},
                                                           .velocity = {3, 1, 2}}));
  system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                 .dimension = dimension,
                                                 .length = 2,
                                                 .elements = 3,
                                                 .area = 0.5,
                                                 .young = 40,
                                                 .density = 1.5,
                                                 .position = {-2, 0, 0.25},
                                                 .motion = {.velocity = {1, 2, 3}}}));
  return system;
}

State general(const System& system, double size)
{
  State state = system.initialState();
  std::mt19937 random(11);
  state.q = Test::randomNumbers(state.q.size(), size, random);
  return state;
}

TestSuite testSpring(int dimension, bool anchored, double rest)
{
  TestSuite test("spring in dimension " + std::to_string(dimension) +
                 (anchored ? " to an anchor" : " between bodies") + ", rest length " +
                 std::to_string(rest));
  System system = twoBodies(dimension);
  if (anchored)
    system.add(std::make_unique<Spring>(system.point(0, 0), Vec3{0.25, -1, 0.5}, 7.0, rest));
  else
    system.add(std::make_unique<Spring>(system.point(0, 0), system.point(1, 2), 7.0, rest));
  const State state = general(system, 0.2);
  test.subTest(checkSystem(system, state, {.length = 0.2}));

  // the energy without the bar
  const auto& bar = system.body(1);
  const double elastic = system.potentials(0, state.q).elastic -
                         bar.potentials(0, system.configurationSlice(1, state.q)).elastic;
  const Vec3 other = anchored ? Vec3{0.25, -1, 0.5} : system.point(1, 2).position(state.q);
  const double extension = (system.point(0, 0).position(state.q) - other).two_norm() - rest;
  test.check(std::abs(elastic - 3.5 * extension * extension) <= 1e-13 * elastic,
             "energy 1/2 k (|d| - l)^2")
    << elastic;

  test.subTest(checkInteraction(*system.interactions()[0], system, state.q,
                                {.length = 0.2, .internal = !anchored, .dimension = dimension}));
  return test;
}

TestSuite testPoint()
{
  TestSuite test("spring at a point");
  for (double rest : {0.0, 1.0}) {
    System system = twoBodies(3);
    system.add(std::make_unique<Spring>(system.point(0, 0), Vec3{1, 0.5, -0.5}, 7.0, rest));
    const State state = system.initialState();
    SparseVector force;
    if (rest > 0)
      test.check(
        Test::throws<RunError>([&] { system.interactions()[0]->addForce(0, state.q, force); }),
        "a spring shrunk to a point has no direction");
    else {
      system.interactions()[0]->addForce(0, state.q, force);
      std::vector<double> p(system.velocitySize(), 0);
      addTo(force, 1, p);
      test.check(Test::largest(p) == 0, "a spring without rest length has no force there");
      test.subTest(checkSystem(system, state, {.length = 0.2}));
    }
  }
  return test;
}

TestSuite testLoad(int dimension)
{
  TestSuite test("load in dimension " + std::to_string(dimension));
  System system = twoBodies(dimension);
  const std::array<Expression, 3> force{Expression("2*t"), Expression("1 - t"), Expression(3.0)};
  system.add(std::make_unique<Load>(system.point(1, 3), force));
  State state = general(system, 0.2);
  state.time = 0.75;
  test.subTest(checkSystem(system, state, {.length = 0.2, .externalLoads = true}));
  test.subTest(checkInteraction(*system.interactions()[0], system, state.q,
                                {.length = 0.2, .time = state.time}));
  SparseVector covector;
  system.interactions()[0]->addForce(state.time, state.q, covector);
  std::vector<double> p(system.velocitySize(), 0);
  addTo(covector, 1, p);
  Vec3 expected{1.5, 0.25, 3}, sum = system.momenta(state.q, p).linear;
  for (int c = dimension; c < 3; ++c)
    expected[c] = 0;
  test.check(sum == expected, "the force is the expression at the time") << sum;
  test.check(system.interactions()[0]->external() &&
               system.interactions()[0]->potentials(0, state.q).sum() == 0,
             "a load stores nothing");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("interaction");
  for (int dimension : {1, 2, 3}) {
    for (bool anchored : {true, false})
      for (double rest : {0.0, 0.8, 5.0})
        test.subTest(testSpring(dimension, anchored, rest));
    test.subTest(testLoad(dimension));
  }
  test.subTest(testPoint());
  return test.exit();
}
