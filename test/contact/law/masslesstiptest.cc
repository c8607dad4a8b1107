// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/contact/law/masslesstip.hh>

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::epsilon;

using enum Bar::Tip;

const double gap = 0.01;

//! Two bars on a line; the ends that face each other may be massless
System twoBars(Bar::Tip first, Bar::Tip second)
{
  System system;
  system.add(std::make_unique<Bar>(Bar::Settings{.name = "left",
                                                 .length = 1,
                                                 .elements = 4,
                                                 .young = 30,
                                                 .density = 2,
                                                 .tip = {massive, first}}));
  system.add(std::make_unique<Bar>(Bar::Settings{.name = "right",
                                                 .length = 1,
                                                 .elements = 5,
                                                 .young = 50,
                                                 .density = 2,
                                                 .position = {1 + gap, 0, 0},
                                                 .tip = {second, massive}}));
  return system;
}

const Bar& bar(const System& system, std::size_t i)
{
  return dynamic_cast<const Bar&>(system.body(i));
}

MasslessTip::Side side(const System& system, std::size_t i, Bar::End end)
{
  return MasslessTip::side(system.point(i, bar(system, i).endNode(end)), bar(system, i), end);
}

//! Forces of all elements on a node, whether it has mass or not
double elementForce(const Bar& bar, ConstSpan q, std::size_t node)
{
  std::vector<double> q1(q.begin(), q.end());
  const double h = 1e-3;
  q1[node] += h;
  const double above = bar.potentials(0, q1).elastic;
  q1[node] -= 2 * h;
  return -(above - bar.potentials(0, q1).elastic) / (2 * h); // exact for a quadratic energy
}

//! True if both hold the same end without mass
bool share(const MasslessContact& a, const MasslessContact& b)
{
  for (std::size_t end : a.masslessEnds())
    for (std::size_t other : b.masslessEnds())
      if (end == other)
        return true;
  return false;
}

//! Element forces of the ends balance the contact force, or vanish
TestSuite testPair(Bar::Tip first, Bar::Tip second, bool swapped)
{
  TestSuite test(std::string("two bars, ") + (first == massive ? "massive " : "massless ") +
                 (second == massive ? "massive" : "massless") + (swapped ? ", swapped" : ""));
  System system = twoBars(first, second);
  const auto a = side(system, 0, Bar::right), b = side(system, 1, Bar::left);
  system.add(swapped ? std::make_shared<MasslessTip>(b, a, -1.0, gap)
                     : std::make_shared<MasslessTip>(a, b, 1.0, gap));
  const MasslessContact& closure = *system.masslessContacts()[0];
  const double k1 = 4 * 30, k2 = 5 * 50;
  const double stiffness = first == massive ? k2 : second == massive ? k1 : 1 / (1 / k1 + 1 / k2);
  test.check(std::abs(closure.stiffness() - stiffness) <= 4 * epsilon * stiffness,
             "stiffness of the end elements in series")
    << closure.stiffness();

  std::mt19937 random(3);
  int closed = 0;
  for (int i = 0; i < 100; ++i) {
    auto q = Test::randomNumbers(system.configurationSize(), 0.05, random);
    system.placeMasslessNodes(0, q);
    const ConstSpan left = system.configurationSlice(0, q), right = system.configurationSlice(1, q);
    const double delta = closure.overlap(0, q), lambda = closure.force(0, q),
                 opening = gap + right[0] - left[4];
    closed += delta > 0;
    test.check(std::abs(delta - (left[first == massive ? 4 : 3] - right[second == massive ? 0 : 1] -
                                 gap)) <= 4 * epsilon,
               "overlap of the unloaded ends")
      << delta;
    test.check(lambda == stiffness * std::max(0.0, delta) ||
                 std::abs(lambda - stiffness * std::max(0.0, delta)) <= 4 * epsilon * lambda,
               "force of the overlap");
    test.check(delta > 0 ? std::abs(opening) <= 16 * epsilon
                         : std::abs(opening + delta) <= 16 * epsilon,
               "ends meet if they overlap, else the gap is open")
      << opening;
    const double tolerance = 1e-11 * (k1 + k2);
    if (first != massive)
      test.check(std::abs(elementForce(bar(system, 0), left, 4) - lambda) <= tolerance,
                 "the element of the first end carries the contact force")
        << elementForce(bar(system, 0), left, 4) << " " << lambda;
    if (second != massive)
      test.check(std::abs(elementForce(bar(system, 1), right, 0) + lambda) <= tolerance,
                 "the element of the second end carries the contact force");

    auto again = q;
    system.placeMasslessNodes(0, again);
    test.check(Test::distance(q, again) <= 16 * epsilon, "settling twice changes nothing");

    SparseVector functional;
    closure.addOverlapFunctional(q, functional);
    const auto dq = Test::randomNumbers(system.velocitySize(), 0.01, random);
    const Test::Difference slope([&](double x) {
      auto q1 = q;
      for (std::size_t k = 0; k < q1.size(); ++k)
        q1[k] += x * dq[k];
      return closure.overlap(0, q1);
    });
    test.check(std::abs(dot(functional, dq) - slope.value) <=
                 1e-9 * dotSize(functional, dq) + slope.rounding,
               "the functional is the rate of the overlap");
    std::vector<double> covector(system.velocitySize(), 0), velocity(system.velocitySize(), 0);
    addTo(functional, 1, covector);
    system.velocity(q, covector, velocity);
    for (std::size_t k = 0; k < covector.size(); ++k)
      test.check(covector[k] == 0 || velocity[k] != 0, "the functional acts on dofs with mass");

    // landing is a motion of the overlap, shared by both sides
    const double before = q[3] + q[5] + q[4] + q[6];
    closure.closeExactly(0, q);
    test.check(std::abs(closure.overlap(0, q)) <= 4 * epsilon * 0.05, "landing closes the overlap")
      << closure.overlap(0, q);
    test.check(std::abs(q[3] + q[5] + q[4] + q[6] - before) <= 16 * epsilon,
               "landing moves both sides by the same amount");
  }
  test.check(closed > 10 && closed < 90, "closed and open ends are tried");
  const Vec3 normal{swapped ? 1.0 : -1.0, 0, 0};
  test.check(closure.normal() == normal && closure.firstBody() == (swapped ? 1 : 0) &&
               closure.secondBody() == (swapped ? 0 : 1),
             "the first side is pushed back");
  return test;
}

TestSuite testObstacle(Bar::End end)
{
  TestSuite test(end == Bar::left ? "left end on a plane" : "right end on a plane");
  System system;
  system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                 .length = 1,
                                                 .elements = 4,
                                                 .young = 30,
                                                 .density = 2,
                                                 .tip = {masslessShifted, masslessShifted}}));
  const double facing = end == Bar::left ? -1 : 1;
  auto wall = std::make_shared<Plane>("wall", Vec3{end == Bar::left ? -gap : 1 + gap, 0, 0},
                                      Vec3{-facing, 0, 0});
  wall->setMotion({Expression("0.02*t"), Expression(), Expression()});
  system.add(std::make_shared<MasslessTip>(side(system, 0, end), wall, facing, gap));
  const MasslessContact& closure = *system.masslessContacts()[0];
  const std::size_t tip = bar(system, 0).endNode(end),
                    other = bar(system, 0).endNode(end == Bar::left ? Bar::right : Bar::left);
  std::mt19937 random(3);
  for (double t : {0.0, 1.0})
    for (int i = 0; i < 50; ++i) {
      auto q = Test::randomNumbers(5, 0.05, random);
      system.placeMasslessNodes(t, q);
      const double distance = wall->distance(t, system.body(0).reference(tip), {q[tip], 0, 0}).gap,
                   lambda = closure.force(t, q);
      test.check(distance >= -16 * epsilon && std::abs(distance * lambda) <= 1e-12,
                 "either the end touches or there is no force")
        << distance << " " << lambda;
      test.check(std::abs(elementForce(bar(system, 0), q, tip) - facing * lambda) <= 1e-9,
                 "the end element carries the contact force");
      test.check(std::abs(elementForce(bar(system, 0), q, other)) <= 1e-9, "the other end is free");
      closure.closeExactly(t, q);
      test.check(std::abs(closure.overlap(t, q)) <= epsilon * 0.05, "landing closes the overlap");
    }
  test.check(closure.normal() == Vec3{-facing, 0, 0} && !closure.secondBody(),
             "the bar is pushed back");
  return test;
}

TestSuite testSharing()
{
  TestSuite test("shared tips");
  System system = twoBars(masslessShifted, masslessShifted);
  const auto a = side(system, 0, Bar::right), b = side(system, 1, Bar::left),
             c = side(system, 0, Bar::left);
  const auto wall = std::make_shared<Plane>("wall", Vec3{2, 0, 0}, Vec3{-1, 0, 0});
  const MasslessTip pair(a, b, 1, gap), first(a, wall, 1, 1), second(b, wall, -1, 1),
    massiveEnds(c, wall, -1, 1), again(c, wall, -1, 1);
  test.check(share(pair, first) && share(pair, second) && share(second, pair) &&
               share(first, first),
             "contacts that hold the same end");
  test.check(!share(first, second) && !share(massiveEnds, again) && !share(pair, massiveEnds),
             "contacts that do not");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("masslesstip");
  for (bool swapped : {false, true}) {
    test.subTest(testPair(masslessShifted, masslessShifted, swapped));
    test.subTest(testPair(masslessShifted, massive, swapped));
    test.subTest(testPair(massive, masslessShifted, swapped));
  }
  test.subTest(testObstacle(Bar::left));
  test.subTest(testObstacle(Bar::right));
  test.subTest(testSharing());
  return test.exit();
}
