// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>
#include <dune/impact/timestep/explicit/criticalstep.hh>
#include <dune/impact/timestep/explicit/energystep.hh>

/** \file
 * \brief The energy equation of the time variation: its roots, their absence, and their use
 */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  bool close(double a, double b, double relative)
  {
    return std::abs(a - b) <= relative * std::abs(b);
  }

  //! A system with its contacts, at one place in memory
  struct Scene
  {
    System system;
    std::vector<Contact> contacts;
    int dimension = 1;

    void addWall(std::size_t point, std::shared_ptr<const Obstacle> obstacle, double restitution)
    {
      contacts.push_back(
        {"wall",
         std::make_unique<PointObstacle>(std::vector{system.point(0, point)}, obstacle),
         {.restitution = restitution}});
    }
  };

  //! Unit mass on a unit spring, released at 1
  std::unique_ptr<Scene> oscillator()
  {
    auto scene = std::make_unique<Scene>();
    scene->system.add(std::make_unique<Particle>(
      Particle::Settings{.name = "mass", .dimension = 1, .position = {1, 0, 0}}));
    scene->system.add(std::make_unique<Spring>(scene->system.point(0, 0), Vec3{0, 0, 0}, 1.0, 0.0));
    return scene;
  }

  //! A mass that turns about a pivot on a spring with a rest length, in a circular wall
  std::unique_ptr<Scene> rotatingSpring(double wallRadius)
  {
    auto scene = std::make_unique<Scene>();
    scene->dimension = 2;
    scene->system.add(std::make_unique<Particle>(Particle::Settings{
      .name = "mass", .dimension = 2, .position = {1.5, 0, 0}, .velocity = {1, 1, 0}}));
    scene->system.add(
      std::make_unique<Spring>(scene->system.point(0, 0), Vec3{0, 0, 0}, 10.0, 1.0));
    scene->addWall(0, std::make_shared<Cavity>("wall", Vec3{0, 0, 0}, wallRadius), 1);
    return scene;
  }

  //! A bar that flies towards a wall
  std::unique_ptr<Scene> bar(std::size_t elements, double gap)
  {
    auto scene = std::make_unique<Scene>();
    scene->system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                          .length = 0.254,
                                                          .elements = elements,
                                                          .area = 0.645e-3,
                                                          .young = 2.1e11,
                                                          .density = 7847,
                                                          .motion = {.velocity = {5, 0, 0}}}));
    scene->addWall(elements,
                   std::make_shared<Plane>("wall", Vec3{0.254 + gap, 0, 0}, Vec3{-1, 0, 0}), 0);
    return scene;
  }

  //! T(p) + 1/2 (V(q0) + V(q1))
  double meanEnergy(const System& system, const State& from, const State& to)
  {
    return system.kinetic(from.q, from.p) + 0.5 * (system.potentials(from.time, from.q).sum() +
                                                   system.potentials(to.time, to.q).sum());
  }

  /* The energy of the interval of length x that follows the interval from -> to of length h,
   * without contact; p are the momenta of the latter. */
  double nextEnergy(const System& system, const State& to, ConstSpan p, double h, double x)
  {
    std::vector<double> kicked(p.begin(), p.end()), q(to.q.size()), drifted(p.size());
    system.addForce(to.time, to.q, 0.5 * (h + x), kicked);
    system.drift(to.q, kicked, x, q, drifted);
    return system.kinetic(to.q, kicked) +
           0.5 * (system.potentials(to.time, to.q).sum() + system.potentials(to.time + x, q).sum());
  }

  //! A pair of consecutive states
  struct Interval
  {
    State from, to;
  };

  //! The first intervals of a run
  std::vector<Interval> intervals(const Scene& scene, const CDLagrange::Settings& settings,
                                  int count)
  {
    CDLagrange stepper(scene.system, scene.contacts, scene.dimension, settings);
    StepReport report;
    std::vector<Interval> result;
    State state = stepper.start(scene.system.initialState(), report), next;
    for (int k = 0; k < count; ++k) {
      stepper.step(state, next, report);
      result.push_back({state, next});
      std::swap(state, next);
    }
    return result;
  }

} // namespace

//! Window, choice among roots, and what is not a root
TestSuite testSearch()
{
  TestSuite test("search");
  const auto cubic = [](double x) { return (x + 1) * (x - 0.9) * (x - 1.15); };
  const auto both = EnergyStep::roots(cubic, 1, 0.5, 2, 20);
  test.require(both.size() == 2, "two roots") << both.size();
  test.check(close(both[0], 0.9, 1e-14) && close(both[1], 1.15, 1e-14), "their values")
    << both[0] << ' ' << both[1];
  test.check(EnergyStep::roots([](double x) { return (x + 1) * x; }, 1, 0, 1, 4) ==
               std::vector<double>{0},
             "root on the boundary of the window");
  test.check(EnergyStep::roots([](double x) { return (x + 1) * (x - 0.5); }, 1, 0, 1, 4) ==
               std::vector<double>{0.5},
             "root on a sample is found once");
  test.check(
    EnergyStep::roots(
      [](double x) { return x < 0.3 ? -1 : std::numeric_limits<double>::quiet_NaN(); }, 1, 0, 1, 4)
      .empty(),
    "what is not a number is not a root");

  const auto nearest = EnergyStep::nearest(cubic, 1, {0.8, 1.25}, 1e-12);
  test.check(nearest && close(*nearest, 0.9, 1e-14), "the nearest root is taken");
  test.check(!EnergyStep::nearest(cubic, 1, {0.95, 1.1}, 1e-12), "no root in the window");
  test.check(!EnergyStep::nearest(cubic, 1, {1.25, 0.8}, 1e-12), "empty window");
  test.check(
    !EnergyStep::nearest([](double x) { return x < 1.1 ? -1.0 : 1.0; }, 1, {0.8, 1.25}, 1e-12),
    "a jump is not a root");
  const auto flat =
    EnergyStep::nearest([](double x) { return 1e-16 * std::sin(1e3 * x); }, 1, {0.8, 1.25}, 1e-12);
  test.check(flat && *flat == 1, "the step stays if every step keeps the energy");

  const auto window = EnergyStep::window(1, 1, 1.2);
  test.check(window.lower == 0.8 && window.upper == 0.95 * 1.2, "bounded by the critical step")
    << window.lower << ' ' << window.upper;
  const auto low = EnergyStep::window(0.21, 1, 100), high = EnergyStep::window(4.9, 1, 100);
  test.check(low.lower == 0.2 && high.upper == 5,
             "between a fifth and five times the nominal step");
  return test;
}

//! Roots along the states of the oscillator with a constant step, with the energy of the last
//! interval as target
TestSuite testOscillatorRoots()
{
  TestSuite test("roots of the oscillator");
  const std::array<std::array<double, 2>, 5> expected = {{{0.10211230456196549, 1.2088887467242166},
                                                          {0.10468271421269816, 1.0024013696119496},
                                                          {0.10845647398762841, 0.786099512356028},
                                                          {0.11583821716631713, 0.5524513382504143},
                                                          {0.148282483747204, 0.2735791181269742}}};
  const double h = 0.1;
  const auto scene = oscillator();
  const auto states = intervals(*scene, {.step = h}, 6);
  for (std::size_t k = 0; k < states.size(); ++k) {
    const auto& [from, to] = states[k];
    const double target = meanEnergy(scene->system, from, to);
    const auto defect = [&](double x) {
      return nextEnergy(scene->system, to, from.p, h, x) - target;
    };
    const auto roots = EnergyStep::roots(defect, h, 0, 2, 1000);
    if (k == 5) {
      test.check(roots.empty(), "the sixth state has no root") << roots.size() << " roots";
      continue;
    }
    test.require(roots.size() == 2, "two roots") << "state " << k << " has " << roots.size();
    for (int i = 0; i < 2; ++i)
      test.check(close(roots[i], expected[k][i], 1e-8), "value of the root")
        << "state " << k << ": " << roots[i] << " instead of " << expected[k][i];
  }
  return test;
}

//! x = -h solves the equation for every system: time reversal
TestSuite testTrivialRoot()
{
  TestSuite test("trivial root");
  const auto check = [&](const char* name, const Scene& scene, double h, int steps) {
    for (const auto& [from, to] : intervals(scene, {.step = h}, steps)) {
      const double energy = meanEnergy(scene.system, from, to);
      const double defect = nextEnergy(scene.system, to, from.p, h, -h) - energy;
      test.check(std::abs(defect) < 1e-12 * energy, name)
        << "step " << to.step << ": " << defect << " of " << energy;
      test.check(std::abs(nextEnergy(scene.system, to, from.p, h, -1.1 * h) - energy) >
                     1e-10 * energy ||
                   to.step < 3,
                 "and it is isolated")
        << name << " step " << to.step;
    }
  };
  check("oscillator", *oscillator(), 0.1, 100);
  check("rotating spring", *rotatingSpring(100), 0.05, 100);
  const auto scene = bar(20, 1e-6); // in the wall after the first steps: a bar full of waves
  check("bar", *scene, 0.5 * 0.254 / 20 / std::sqrt(2.1e11 / 7847), 60);
  return test;
}

/* A chain of steps that Newton's method finds, each started at the last one, breaks down after a
 * few steps: where the useful roots merge and vanish it is caught by the trivial root. This is
 * why the roots are bracketed. */
TestSuite testNewtonChain()
{
  TestSuite test("chain of Newton's method");
  double u = 1, v = -0.05, h = 0.1;
  const double target = 0.5 * v * v + 0.25 * (u * u + (u + h * v) * (u + h * v));
  int failed = -1;
  double last = 0;
  for (int k = 0; k < 10 && failed < 0; ++k) {
    u += h * v;
    const auto kicked = [&](double x) { return v - 0.5 * (h + x) * u; };
    const auto defect = [&](double x) {
      const double w = kicked(x), q = u + x * w;
      return 0.5 * w * w + 0.25 * (u * u + q * q) - target;
    };
    double x = h;
    const double d = 1e-6 * h;
    for (int i = 0; i < 50 && std::abs(defect(x)) >= 1e-13 * target; ++i)
      x -= defect(x) * 2 * d / (defect(x + d) - defect(x - d));
    if (!(std::abs(defect(x)) < 1e-13 * target && x > 0)) {
      failed = k;
      last = x;
      test.check(close(last, -h, 1e-4), "it ends on the trivial root")
        << last << " after a step of " << h;
    }
    v = kicked(x);
    h = x;
  }
  test.check(failed == 4, "first step that is not found") << failed;
  return test;
}

/* A bar whose contact node is stopped loses that node's energy; a step that gives it back as
 * elastic energy of the next interval is exactly the critical step, which leaves no margin. */
TestSuite testImpactRoot()
{
  TestSuite test("impact");
  const auto scene = bar(50, 1e-3);
  const System& system = scene->system;
  const State before = system.initialState();
  State after = before;
  after.p.back() = 0;
  const double energy = system.kinetic(before.q, before.p);
  std::vector<double> q(before.q.size()), p(before.p.size());
  const auto defect = [&](double x) {
    system.drift(after.q, after.p, x, q, p);
    return system.kinetic(after.q, after.p) + 0.5 * system.potentials(x, q).sum() - energy;
  };
  const double critical = 0.254 / 50 / std::sqrt(2.1e11 / 7847);
  test.check(close(criticalStep(system, 0, before.q), critical, 1e-10), "critical step")
    << criticalStep(system, 0, before.q) << " instead of " << critical;
  const auto roots = EnergyStep::roots(defect, critical, 0.1 * critical, 3 * critical, 50);
  test.require(roots.size() == 1, "one root") << roots.size();
  test.check(close(roots[0], critical, 1e-6), "it is the critical step") << roots[0] / critical;
  return test;
}

/* Published forms of the variational time step weigh interval k+1 by the mean of its own and the
 * last step, which gives
 *
 *     1/2 (1 + h1/h2) p2 = 1/2 (1 + h0/h1) p1 + h1 F:
 *
 * a free particle changes its momentum when the step changes. Here intervals have their own
 * length as weight, and it does not. */
TestSuite testFreeParticle()
{
  TestSuite test("free particle");
  const double h0 = 1, h1 = 1, h2 = 2, p1 = 1;
  const double p2 = (1 + h0 / h1) * p1 / (1 + h1 / h2);
  test.check(close(p2, 4.0 / 3, 1e-12), "the published weights change the momentum") << p2;

  Scene scene;
  scene.system.add(std::make_unique<Particle>(
    Particle::Settings{.name = "mass", .dimension = 1, .velocity = {p1, 0, 0}}));
  CDLagrange stepper(scene.system, scene.contacts, 1, {.step = h0, .adaptiveEnergy = true});
  StepReport report;
  State state = stepper.start(scene.system.initialState(), report), next;
  stepper.step(state, next, report);
  test.check(next.history[0].values[0] == h1 && next.ledger.noRoots == 0,
             "any step keeps the energy, so the step is kept");
  next.history[0].values[0] = h2; // the length of the next step
  stepper.step(next, state, report);
  test.check(state.time == h0 + h2 && state.q[0] == h0 + h2, "the step has changed")
    << state.time << ' ' << state.q[0];
  test.check(state.p[0] == p1, "the momentum has not") << state.p[0];
  return test;
}

//! Off unless asked for: then all steps are equal and nothing is counted
TestSuite testDefault()
{
  TestSuite test("default");
  const auto scene = oscillator();
  const CDLagrange::Settings settings{.step = 0.1};
  test.check(!settings.adaptiveEnergy, "adaptive steps are off");
  test.check(!CDLagrange(scene->system, scene->contacts, 1, settings).variableStep(),
             "the step is constant");
  auto adaptive = settings;
  adaptive.adaptiveEnergy = true;
  test.check(CDLagrange(scene->system, scene->contacts, 1, adaptive).variableStep(),
             "and varies when asked to");
  for (const auto& [from, to] : intervals(*scene, settings, 100)) {
    test.check(to.time == 0.1 * double(to.step), "instants") << to.time;
    test.check(to.ledger.noRoots == 0 && to.ledger.stepWork == 0, "nothing is counted")
      << to.ledger.noRoots;
  }
  return test;
}

/* What is asked of every run with adaptive steps: a root keeps T + 1/2 (V0 + V1) at that of the
 * first interval plus the work of contact, and where there is none the nominal step is taken and
 * counted. Both must occur, and contact must act in as many steps as expected at least. */
TestSuite testAdaptive(const char* name, const Scene& scene, double h, double critical, int steps,
                       int minContacts)
{
  TestSuite test(name);
  const auto run = intervals(
    scene, {.step = h, .gapTolerance = 1e-12, .adaptiveEnergy = true, .criticalStep = critical},
    steps);
  const double first = meanEnergy(scene.system, run[0].from, run[0].to),
               firstWork = run[0].from.ledger.contactWork;
  int found = 0, missing = 0, changed = 0, contacts = 0;
  // the step of interval k is chosen by the kick at its beginning
  for (std::size_t k = 1; k < run.size(); ++k) {
    const auto& [from, to] = run[k];
    const double length = from.history[0].values[0];
    const double count = from.ledger.noRoots - run[k - 1].from.ledger.noRoots;
    contacts += !scene.contacts.empty() && !from.history[1].values.empty();
    test.check(count == 0 || count == 1, "a step has a root or it has none")
      << "step " << k << ": " << count;
    test.check(to.time == from.time + length, "the step has the length that was chosen")
      << "step " << k;
    if (count > 0) {
      ++missing;
      test.check(length == h, "nominal step where there is no root")
        << "step " << k << ": " << length / h;
      continue;
    }
    ++found;
    changed += length != h;
    const double defect =
      meanEnergy(scene.system, from, to) - (first + from.ledger.contactWork - firstWork);
    test.check(std::abs(defect) <= 1e-10 * first, "a root keeps the energy")
      << "step " << k << ": " << defect << " of " << first;
    test.check(length >= 0.2 * h && length <= 5 * h && length <= 0.95 * critical,
               "the step is inside the window")
      << "step " << k << ": " << length / h;
  }
  std::cout << name << ": " << found << " roots, " << missing << " steps without one, " << contacts
            << " steps with contact\n";
  test.check(missing > 0 && changed > 0, "both cases occur") << missing << " and " << changed;
  test.check(contacts >= minContacts, "contact acts") << contacts;
  return test;
}

//! A step depends on its state only, also when it searches for roots
TestSuite testRepeat()
{
  TestSuite test("repeat");
  const auto scene = rotatingSpring(1.55);
  const CDLagrange::Settings settings{.step = 0.05, .adaptiveEnergy = true};
  CDLagrange other(scene->system, scene->contacts, 2, settings);
  StepReport report;
  State again;
  for (const auto& [from, to] : intervals(*scene, settings, 60)) {
    other.step(from, again, report);
    test.check(again == to, "same bits") << "step " << to.step;
  }
  return test;
}

/* A bar that touches a wall at the start and bounces to a wall behind it. The work of the impulse
 * at time zero is not work since the first interval. */
TestSuite testBarBetweenWalls()
{
  const auto scene = bar(20, 0);
  scene->addWall(0, std::make_shared<Plane>("back", Vec3{-1e-5, 0, 0}, Vec3{1, 0, 0}), 0);
  const double critical = 0.254 / 20 / std::sqrt(2.1e11 / 7847);
  TestSuite test = testAdaptive("bar between walls", *scene, 0.5 * critical, critical, 400, 50);
  const auto run = intervals(*scene,
                             {.step = 0.5 * critical,
                              .gapTolerance = 1e-12,
                              .adaptiveEnergy = true,
                              .criticalStep = critical},
                             400);
  test.check(run[0].from.ledger.contactWork < 0, "there is an impulse at time zero")
    << run[0].from.ledger.contactWork;
  std::set<double> points; // numbers of the points that have impulses
  for (const Interval& interval : run)
    if (const auto& list = interval.to.history[1].values; !list.empty())
      points.insert(list[0]);
  test.check(points.size() == 2, "both walls are hit") << points.size();
  return test;
}

/* A bar without waves hits a wall: from then on the interval energy with any step inside the window
 * is above its target, T + 1/2 u0 K u1 plus a positive term. There is no root, and the run is that
 * of the constant step. */
TestSuite testImpactWithoutRoots()
{
  TestSuite test("bar without waves");
  const double h = 0.5 * 0.254 / 20 / std::sqrt(2.1e11 / 7847);
  const auto scene = bar(20, 1e-4);
  CDLagrange::Settings settings{.step = h, .gapTolerance = 1e-12, .criticalStep = 2 * h};
  const auto constant = intervals(*scene, settings, 200);
  settings.adaptiveEnergy = true;
  const auto adaptive = intervals(*scene, settings, 200);
  // number of steps before the impact: they keep the energy
  const int impact = int(std::ceil(1e-4 / 5 / h));
  test.check(adaptive.back().to.ledger.noRoots == 200 - impact + 1, "no root since the impact")
    << adaptive.back().to.ledger.noRoots << " of " << 200 - impact + 1;
  for (std::size_t k = 0; k < adaptive.size(); ++k)
    for (std::size_t i = 0; i < adaptive[k].to.q.size(); ++i)
      test.check(std::abs(adaptive[k].to.q[i] - constant[k].to.q[i]) < 1e-12 * 1e-4,
                 "motion of the constant step")
        << "step " << k + 1 << ": " << adaptive[k].to.q[i] - constant[k].to.q[i];
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testSearch());
  test.subTest(testOscillatorRoots());
  test.subTest(testTrivialRoot());
  test.subTest(testNewtonChain());
  test.subTest(testImpactRoot());
  test.subTest(testFreeParticle());
  test.subTest(testDefault());
  const double infinite = std::numeric_limits<double>::infinity();
  test.subTest(testAdaptive("oscillator", *oscillator(), 0.1, 2, 500, 0));
  test.subTest(
    testAdaptive("rotating spring in a wall", *rotatingSpring(1.55), 0.05, infinite, 500, 10));
  test.subTest(testBarBetweenWalls());
  test.subTest(testImpactWithoutRoots());
  test.subTest(testRepeat());
  return test.exit();
}
