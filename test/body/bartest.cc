// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/test/checkbody.hh>
#include <dune/impact/body/test/checksystem.hh>

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::epsilon;

using Tips = std::array<Bar::Tip, 2>;
constexpr auto massive = Bar::Tip::massive, massless = Bar::Tip::masslessShifted;

Bar::Settings steel(int dimension, std::size_t elements)
{
  return {.name = "bar",
          .dimension = dimension,
          .length = 0.5,
          .elements = elements,
          .area = 2e-4,
          .young = 2e11,
          .density = 7800,
          .position = {1, -0.5, 0.25},
          .axis = {1, 0, 0}};
}

//! Displacements of a fraction of the elements, and momenta of all nodes
std::pair<std::vector<double>, std::vector<double>> deformed(const Bar& bar, double size,
                                                             unsigned seed)
{
  std::mt19937 random(seed);
  auto q = Test::randomNumbers(bar.configurationSize(), size, random),
       v = Test::randomNumbers(bar.velocitySize(), 5, random);
  std::vector<double> p(v.size());
  bar.momentum(q, v, p);
  return {q, p};
}

TestSuite testContract(int dimension, std::size_t elements, const Vec3& gravity, const Tips& tip)
{
  TestSuite test("bar of " + std::to_string(elements) + " elements in dimension " +
                 std::to_string(dimension));
  Bar::Settings settings = steel(dimension, elements);
  settings.gravity = gravity;
  settings.tip = tip;
  if (dimension > 1)
    settings.axis = {1, 2, dimension == 3 ? -1.0 : 0.0};
  const Bar bar(settings);
  const double h = 0.5 / double(elements);
  auto [q, p] = deformed(bar, 0.2 * h, 4);
  test.subTest(checkBody(bar, q, p, 0, {.length = 0.1 * h, .dimension = dimension}));
  bar.placeMasslessNodes(q);
  test.subTest(checkSystem(bar, q, p, 0, {.length = 0.1 * h}));
  return test;
}

TestSuite testMass()
{
  TestSuite test("mass");
  Bar::Settings settings = steel(1, 4);
  const double total = 7800 * 2e-4 * 0.5, element = total / 4;
  for (const Tips& tip : {Tips{massive, massive}, Tips{massless, massive}, Tips{massive, massless},
                          Tips{massless, massless}}) {
    settings.tip = tip;
    const Bar bar(settings);
    test.check(std::abs(bar.mass() - total) <= 4 * epsilon * total, "mass is kept") << bar.mass();
    for (auto end : {Bar::left, Bar::right}) {
      const bool shifted = tip[end] == massless;
      test.check(std::abs(bar.nodeMass(bar.endNode(end)) - (shifted ? 0 : 0.5 * element)) <=
                   epsilon * element,
                 "mass of an end");
      test.check(std::abs(bar.nodeMass(bar.endNeighbour(end)) - (shifted ? 1.5 : 1) * element) <=
                   2 * epsilon * element,
                 "mass of its neighbour");
      test.check(bar.carriesMass(bar.endNode(end)) != shifted && bar.massless(end) == shifted,
                 "an end knows whether it has mass");
    }
    test.check(bar.hasMasslessPoints() == (tip != Tips{massive, massive}),
               "a bar knows whether it has massless ends");
  }
  return test;
}

TestSuite testMotion()
{
  TestSuite test("initial motion");
  Bar::Settings settings = steel(3, 6);
  settings.axis = {1, 2, -1};
  settings.motion = {.velocity = {1, -2, 3}, .spin = {0.5, 4, -2}};
  const Bar bar(settings);
  std::vector<double> q(bar.configurationSize()), p(bar.velocitySize());
  bar.initialise(q, p);
  const Momenta momenta = bar.momenta(q, p);
  const Vec3 centre = bar.centreOfMass(q);
  Vec3 linear = momenta.linear - bar.mass() * settings.motion.velocity;
  test.check(linear.infinity_norm() < 1e-14,
             "a rigid motion about the centre of mass has its linear momentum")
    << linear;

  // rotation about the own axis has no momentum, the rest is m L^2/12 (1 + 2/n^2) for a lumped bar
  const Vec3 axis = settings.axis / settings.axis.two_norm();
  Vec3 across = settings.motion.spin;
  across.axpy(-(axis * across), axis);
  const double inertia = bar.mass() * 0.25 / 12 * (1 + 2.0 / 36);
  Vec3 angular = momenta.angular - cross(centre, momenta.linear) - inertia * across;
  test.check(angular.infinity_norm() < 1e-14, "and its spin") << angular;

  // a rigid motion does not stretch: to first order in time no force appears
  std::vector<double> q1(q.size()), p1(p.size()), f(p.size(), 0);
  bar.drift(q, p, 1e-9, q1, p1);
  bar.addForce(0, q1, 1, f);
  const double stiffness = bar.endStiffness(Bar::left);
  test.check(Test::largest(f) < 1e-6 * stiffness * 1e-9, "a rigid motion begins without force")
    << Test::largest(f);
  return test;
}

TestSuite testRotation()
{
  TestSuite test("rotation");
  for (int dimension : {2, 3}) {
    const Bar bar(steel(dimension, 5));
    std::vector<double> q(bar.configurationSize());
    const double angle = 1.1;
    for (std::size_t i = 0; i < bar.nodes(); ++i) {
      const Vec3 x = bar.reference(i);
      q[i * dimension] = std::cos(angle) * x[0] - std::sin(angle) * x[1] - x[0];
      q[i * dimension + 1] = std::sin(angle) * x[0] + std::cos(angle) * x[1] - x[1];
    }
    std::vector<double> f(q.size(), 0);
    bar.addForce(0, q, 1, f);
    test.check(Test::largest(f) <= 64 * epsilon * bar.endStiffness(Bar::left),
               "a turned bar has no force")
      << Test::largest(f);
    test.check(bar.potentials(0, q).elastic <= 64 * epsilon * epsilon * bar.endStiffness(Bar::left),
               "and no energy");

    // forces of a deformed bar are in equilibrium
    const auto [r, p] = deformed(bar, 0.05, 9);
    std::fill(f.begin(), f.end(), 0);
    bar.addForce(0, r, 1, f);
    const Momenta balance = bar.momenta(r, f);
    const double size = Test::largest(f);
    test.check(size > 0 && balance.linear.infinity_norm() <= 64 * epsilon * size &&
                 balance.angular.infinity_norm() <= 64 * epsilon * size,
               "internal forces have no resultant");
  }
  return test;
}

//! Along a straight line all dimensions are the same bar
TestSuite testStraight()
{
  TestSuite test("straight bar in all dimensions");
  const Bar line(steel(1, 7)), plane(steel(2, 7)), space(steel(3, 7));
  const auto [u0, unused] = deformed(line, 1e-3, 5);
  const auto [u1, p] = deformed(line, 1e-3, 6);
  const auto lift = [](const std::vector<double>& u, int dimension) {
    std::vector<double> q(u.size() * dimension, 0);
    for (std::size_t i = 0; i < u.size(); ++i)
      q[i * dimension] = u[i];
    return q;
  };
  const double energy = line.intervalPotentials(0, u0, 0, u1).elastic;
  for (const auto* bar : {&plane, &space}) {
    const double other =
      bar->intervalPotentials(0, lift(u0, bar->dimension()), 0, lift(u1, bar->dimension())).elastic;
    test.check(std::abs(other - energy) <= 1e-12 * line.potentials(0, u0).elastic,
               "interval energy 1/2 k s0 s1")
      << other << " " << energy;
  }
  double sum = 0;
  for (std::size_t e = 0; e < 7; ++e)
    sum += 0.5 * line.endStiffness(Bar::left) * (u0[e + 1] - u0[e]) * (u1[e + 1] - u1[e]);
  test.check(std::abs(sum - energy) <= 1e-14 * line.potentials(0, u0).elastic,
             "interval energy is that of the leapfrog identity");
  return test;
}

//! The kick in chunks, for numbers of nodes around the borders of chunks
TestSuite testLongBars()
{
  TestSuite test("long bars");
  for (std::size_t elements : {1, 2, 3, 1022, 1023, 1024, 1025, 2047, 2048, 3000}) {
    const Bar bar(steel(1, elements));
    const auto [q, p] = deformed(bar, 1e-6, unsigned(elements));
    std::vector<double> q1(q.size(), 7), p1(p.size(), 7), q2(q.size(), 8), p2(p.size(), 8);
    bar.driftKick(q, p, 1e-8, 0, 2e-8, q1, p1);
    bar.drift(q, p, 1e-8, q2, p2);
    bar.addForce(0, q2, 2e-8, p2);
    test.check(q1 == q2 && Test::distance(p1, p2) <= 8 * epsilon * Test::largest(p2),
               "driftKick in chunks")
      << elements << " elements: " << Test::distance(p1, p2);
  }
  return test;
}

TestSuite testPlaces()
{
  TestSuite test("places");
  const Bar bar(steel(1, 12));
  using Points = std::vector<std::size_t>;
  test.check(bar.patch("") == Points{0, 12}, "a bar touches with its ends");
  test.check(bar.patch("left") == Points{0} && bar.patch("right") == Points{12} &&
               bar.patch("tip") == Points{12} && bar.patch("5") == Points{5},
             "named places");
  test.check(bar.patch("13").empty() && bar.patch("-1").empty() && bar.patch("middle").empty() &&
               bar.patch("99999999999999999999").empty(),
             "other names are no places");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("bar");
  for (int dimension : {1, 2, 3})
    for (std::size_t elements : {1, 2, 9})
      for (const Vec3& gravity : {Vec3{0, 0, 0}, Vec3{3, -9.81, 2}})
        test.subTest(testContract(dimension, elements, gravity, {massive, massive}));
  for (const Vec3& gravity : {Vec3{0, 0, 0}, Vec3{3, 0, 0}})
    for (const Tips& tip :
         {Tips{massless, massive}, Tips{massive, massless}, Tips{massless, massless}})
      test.subTest(testContract(1, 6, gravity, tip));
  test.subTest(testMass());
  test.subTest(testMotion());
  test.subTest(testRotation());
  test.subTest(testStraight());
  test.subTest(testLongBars());
  test.subTest(testPlaces());
  return test.exit();
}
