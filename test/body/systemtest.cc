// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checksystem.hh>

using namespace Dune;
using namespace Dune::Impact;

System threeBodies(int dimension, const Vec3& gravity)
{
  System system;
  system.add(std::make_unique<Bar>(Bar::Settings{.name = "first",
                                                 .dimension = dimension,
                                                 .length = 2,
                                                 .elements = 4,
                                                 .area = 0.5,
                                                 .young = 40,
                                                 .density = 1.5,
                                                 .position = {-2, 0, 0.25},
                                                 .motion = {.velocity = {1, 2, 3}},
                                                 .gravity = gravity}));
  system.add(std::make_unique<Particle>(Particle::Settings{.name = "ball",
                                                           .dimension = dimension,
                                                           .mass = 2,
                                                           .position = {1, 0.5, -0.5},
                                                           .velocity = {3, 1, 2},
                                                           .gravity = gravity}));
  system.add(std::make_unique<Bar>(Bar::Settings{.name = "second",
                                                 .dimension = dimension,
                                                 .length = 1,
                                                 .elements = 2,
                                                 .area = 0.5,
                                                 .young = 10,
                                                 .density = 2.5,
                                                 .position = {3, 0, 0},
                                                 .motion = {.velocity = {-1, 0, 1}},
                                                 .gravity = gravity}));
  return system;
}

State general(const System& system)
{
  State state = system.initialState();
  std::mt19937 random(5);
  state.q = Test::randomNumbers(state.q.size(), 0.05, random);
  state.p = Test::randomNumbers(state.p.size(), 1, random);
  state.time = 0.5;
  return state;
}

TestSuite testProduct(int dimension)
{
  TestSuite test("product in dimension " + std::to_string(dimension));
  System system = threeBodies(dimension, {1, -9.81, 3});
  system.add(std::make_unique<Spring>(system.point(0, 4), system.point(1, 0), 3.0, 0.5));
  const State state = general(system);
  test.subTest(checkSystem(system, state, {.length = 0.1}));
  test.check(system.configurationSize() == std::size_t(9 * dimension), "sizes add up");

  double kinetic = 0;
  for (std::size_t i = 0; i < 3; ++i)
    kinetic += system.body(i).kinetic(system.configurationSlice(i, state.q),
                                      system.velocitySlice(i, state.p));
  test.check(std::abs(kinetic - system.kinetic(state.q, state.p)) <= 1e-15 * kinetic,
             "energies add up");
  const PointHandle point = system.point(2, 1);
  test.check(point.position(state.q) ==
               system.body(2).position(system.configurationSlice(2, state.q), 1),
             "points know where their body begins");
  return test;
}

TestSuite testPrescribed(int dimension)
{
  TestSuite test("prescribed dofs in dimension " + std::to_string(dimension));
  System system = threeBodies(dimension, {0, 0, 0});
  system.prescribe(system.point(0, 0), 0, Expression("0.1*t^2"));
  system.prescribe(system.point(1, 0), dimension - 1, Expression("sin(t)"));
  const State state = general(system);
  test.subTest(checkSystem(system, state, {.length = 0.1}));

  const std::size_t first = 0, second = std::size_t(5 * dimension + dimension - 1);
  for (std::size_t dof = 0; dof < system.velocitySize(); ++dof)
    test.check(system.prescribed(dof) == (dof == first || dof == second),
               "the right dofs are prescribed")
      << dof;

  std::vector<double> q = state.q, p = state.p;
  system.placeMotions(2, q);
  system.setMotionMomenta(2, 2.25, 0.25, q, p);
  test.check(q[first] == 0.4 && q[second] == std::sin(2.0), "placed where they are at the time")
    << q[first] << " " << q[second];
  const double rate = (0.1 * 2.25 * 2.25 - 0.4) / 0.25, mass = 0.5 * 1.5 * 0.25;
  test.check(std::abs(p[first] - mass * rate) < 1e-14 &&
               std::abs(p[second] - 2 * (std::sin(2.25) - std::sin(2.0)) / 0.25) < 1e-13,
             "momentum of the mean velocity")
    << p[first] << " " << p[second];
  q[first] = state.q[first];
  q[second] = state.q[second];
  p[first] = state.p[first];
  p[second] = state.p[second];
  test.check(q == state.q && p == state.p, "nothing else is moved");

  std::vector<double> q1(q.size()), p1(p.size()), q2(q.size()), p2(p.size());
  system.driftTo(3, q, p, 0.1, q1, p1);
  system.drift(q, p, 0.1, q2, p2);
  test.check(q1[first] == 0.1 * 9 && q1[second] == std::sin(3.0), "driftTo places") << q1[first];
  q1[first] = q2[first];
  q1[second] = q2[second];
  test.check(q1 == q2 && p1 == p2, "driftTo drifts the rest");
  test.check(
    Test::throws<InputError>([&] { system.prescribe(system.point(0, 0), 0, Expression("0")); }),
    "a dof is prescribed once only");
  return test;
}

TestSuite testMassless()
{
  TestSuite test("massless ends");
  using enum Bar::Tip;
  System system;
  system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                 .length = 2,
                                                 .elements = 4,
                                                 .young = 40,
                                                 .density = 1.5,
                                                 .tip = {masslessShifted, masslessShifted},
                                                 .motion = {.velocity = {1, 0, 0}}}));
  State state = general(system);
  system.placeMasslessNodes(0, state.q);
  test.check(state.q[0] == state.q[1] && state.q[4] == state.q[3],
             "massless ends follow their neighbours");
  state.p[0] = state.p[4] = 0;
  test.subTest(checkSystem(system, state, {.length = 0.1}));
  std::vector<double> q1(5), p1(5);
  system.driftKick(state.q, state.p, 0.1, 0.1, 0.1, q1, p1);
  test.check(q1[0] == q1[1] && q1[4] == q1[3] && p1[0] == 0 && p1[4] == 0,
             "driftKick settles and gives massless ends no momentum");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("system");
  for (int dimension : {1, 2, 3}) {
    test.subTest(testProduct(dimension));
    test.subTest(testPrescribed(dimension));
  }
  test.subTest(testMassless());
  return test.exit();
}
