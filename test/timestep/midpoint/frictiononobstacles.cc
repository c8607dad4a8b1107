// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/placement.hh>

#include "solidscene.hh"

// Solids on planes with Coulomb friction: blocks that slide by the law of impulses, come to rest or
// stick without creeping, discs and balls that slide until they roll.

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  constexpr double pi = std::numbers::pi;
  constexpr double g = 9.81e-3, density = 1e-4;

  //! A block of 40 x 20 (x 20) on the plane y = 0, or z = 0, under gravity that is tilted by an
  //! angle
  template<int dim>
  struct Block
  {
    double angle = 0, friction = 0.3, step = 1;
    Vec3 velocity = {0, 0, 0};
    RuleName rule = RuleName::dissipative;
    bool settle = false;
    std::shared_ptr<const Obstacle> plane = std::make_shared<Plane>("floor", Vec3(0), last<dim>(1));

    std::unique_ptr<SolidScene<dim>> make() const
    {
      FieldVector<double, dim> lower(0), upper(20);
      upper[0] = 40;
      const std::array<int, dim> cells = [] {
        if constexpr (dim == 2)
          return std::array{16, 8};
        else
          return std::array{6, 3, 3};
      }();
      Vec3 gravity = last<dim>(-g * std::cos(angle));
      gravity[0] = g * std::sin(angle);
      auto scene = std::make_unique<SolidScene<dim>>();
      scene->add({.name = "block",
                  .mesh = refineMesh(makeBox<dim>(lower, upper, cells), 0, "block"),
                  .material = StVenantKirchhoff<dim>{soft},
                  .density = density,
                  .motion = {.velocity = velocity},
                  .gravity = gravity},
                 plane);
      scene->contacts[0].law.friction = friction;
      scene->build({.step = step, .rule = makeRule<dim>(rule, 0, settle)});
      return scene;
    }
  };

  //! What a run showed
  struct Result
  {
    State state;
    Record first, last;
    double balance = 0, rise = 0, frictionWork = 0;
    //! largest normal impulse, excess of tangential ones over friction times normal ones,
    //! difference
    double normal = 0, ratio = 0, noRatio = 0;
    int mostIterations = 0;
    Vec3 impulse = {0, 0, 0};
  };

  //! Looks at every step: balance of energy, no rise, |tangential| <= friction * normal
  template<int dim, class Look>
  Result run(SolidScene<dim>& scene, State state, long steps, double friction, Look&& look)
  {
    Result result;
    StepReport report;
    State next;
    result.first = result.last = scene.stepper->record(state, state);
    for (long n = 0; n < steps; ++n) {
      scene.stepper->step(state, next, report);
      const Record record = scene.stepper->record(state, next);
      const double change = record.total() - result.last.total();
      const double works = next.ledger.contactWork + next.ledger.frictionWork -
                           state.ledger.contactWork - state.ledger.frictionWork;
      const double external = next.ledger.externalWork - state.ledger.externalWork;
      result.balance =
        std::max(result.balance, std::abs(change - works - external) - scene.stepper->slack());
      result.rise = std::max(result.rise, change - external - scene.stepper->slack());
      const double normal = report.impulse[dim - 1];
      double tangential = std::abs(report.impulse[0]);
      if (dim == 3)
        tangential = std::hypot(report.impulse[0], report.impulse[1]);
      result.normal = std::max(result.normal, normal);
      result.ratio = std::max(result.ratio, tangential - friction * normal);
      result.noRatio = std::max(result.noRatio, std::abs(tangential - friction * normal));
      result.impulse += report.impulse;
      result.mostIterations = std::max(result.mostIterations, report.solve.iterations);
      look(state, next, report);
      result.last = record;
      std::swap(state, next);
    }
    result.frictionWork = -state.ledger.frictionWork;
    result.state = state;
    return result;
  }

  void checkBalance(TestSuite& test, const Result& result)
  {
    const double scale =
      1e-12 * (std::abs(result.first.total()) + std::abs(result.last.total()) + 1e-6);
    test.check(result.balance <= scale, "balance of energy") << result.balance;
    test.check(result.rise <= scale, "the energy does not rise") << result.rise;
    test.check(result.ratio <= 1e-10 * result.normal, "cone") << result.ratio / result.normal;
  }

  //! m dv = m g sin t - beta (m dv_n + m g cos t) while all nodes slide
  template<int dim>
  TestSuite slidingBlocks()
  {
    TestSuite test("sliding block, dimension " + std::to_string(dim));
    for (const double step : {1.0, 0.25}) {
      const Block<dim> block{.angle = 0.5, .step = step, .velocity = {0.05, 0, 0}};
      auto scene = block.make();
      const double end = 40, mass = dynamic_cast<const Solid<dim>&>(scene->system.body(0)).mass();
      const Result result =
        run(*scene, scene->start(), std::lround(end / step), 0.3, [](auto&&...) {});
      const Vec3 change = result.last.momenta.linear - result.first.momenta.linear;
      const double expected =
        mass * g * std::sin(0.5) * end - 0.3 * (change[dim - 1] + mass * g * std::cos(0.5) * end);
      // in space nodes also slide to the sides by a little
      const double tolerance = dim == 2 ? 1e-11 : 1e-4;
      test.check(std::abs(change[0] - expected) <= tolerance * change[0], "law of impulses")
        << change[0] << " and not " << expected;
      test.check(result.noRatio <= 10 * tolerance * result.normal, "all slides at the cone")
        << result.noRatio / result.normal;
      checkBalance(test, result);
      if (dim == 2) {
        const double reference = step == 1 ? 0.006793434029586372 : 0.0068162540734758295;
        const double work = step == 1 ? 0.0007611413411031211 : 0.0007520168746426633;
        test.check(std::abs(change[0] - reference) <= 1e-6 * reference, "reference")
          << change[0] << " and not " << reference;
        test.check(std::abs(result.frictionWork - work) <= 1e-6 * work, "reference")
          << result.frictionWork << " and not " << work;
      }
      std::cout << "sliding block " << dim << "D: at most " << result.mostIterations
                << " iterations" << std::endl;
    }
    return test;
  }

  //! The equilibrium of one static step with friction that does not let go
  template<int dim>
  State equilibrium(Block<dim> block)
  {
    block.rule = RuleName::quasiStatic;
    block.friction = 1e6;
    auto scene = block.make();
    State state = scene->start(), next;
    StepReport report;
    scene->stepper->step(state, next, report);
    return next;
  }

  //! The state of a dynamic scene at the displacements of an equilibrium
  template<int dim>
  State startAt(SolidScene<dim>& scene, const State& equilibrium)
  {
    State state = scene.start();
    state.q = equilibrium.q;
    return state;
  }

  //! A block on an incline does not creep: after thousands of steps its contact nodes are where
  //! they were
  template<int dim>
  TestSuite stickingBlocks(long steps)
  {
    TestSuite test("sticking block, dimension " + std::to_string(dim));
    // corners need more than the mean tan 0.2
    const double friction = dim == 2 ? 0.6 : 1.2;
    const Block<dim> block{.angle = 0.2, .friction = friction};
    auto scene = block.make();
    const State start = startAt(*scene, equilibrium(block));
    const auto& mesh = dynamic_cast<const Solid<dim>&>(scene->system.body(0)).mesh();
    const Result result = run(*scene, start, steps, friction, [](auto&&...) {});
    double way = 0;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
      if (mesh.nodes[i][dim - 1] == 0)
        for (int c = 0; c < dim; ++c)
          way = std::max(way, std::abs(result.state.q[i * dim + c] - start.q[i * dim + c]));
    test.check(way <= 1e-10 * 2.5, "contact nodes stay") << way;
    std::cout << "sticking block " << dim << "D: contact nodes move by " << way << std::endl;
    checkBalance(test, result);
    return test;
  }

  //! Shear waves go up and down in a block that sticks
  TestSuite vibratingBlock()
  {
    TestSuite test("vibrating block");
    const Block<2> block{.angle = 0.2, .friction = 1, .step = 0.5};
    auto scene = block.make();
    State start = startAt(*scene, equilibrium(block));
    const auto& mesh = dynamic_cast<const Solid<2>&>(scene->system.body(0)).mesh();
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
      start.p[2 * i] += 2e-4 * std::sin(pi * mesh.nodes[i][1] / 40);
    const Result result = run(*scene, start, 300, 1, [](auto&&...) {});
    double way = 0;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
      if (mesh.nodes[i][1] == 0)
        way = std::max(way, std::abs(result.state.q[2 * i] - start.q[2 * i]));
    test.check(way <= 1e-10 * 2.5, "contact nodes stay") << way;
    const double tangential = -0.023407417055869673, normal = 0.11537342040636779;
    test.check(std::abs(result.impulse[0] - tangential) <= 1e-6 * normal, "tangential impulse")
      << result.impulse[0] << " and not " << tangential;
    test.check(std::abs(result.impulse[1] - normal) <= 1e-6 * normal, "normal impulse")
      << result.impulse[1] << " and not " << normal;
    std::cout << "vibrating block: contact nodes move by " << way << std::endl;
    checkBalance(test, result);
    return test;
  }

  //! Largest tangential velocity of the nodes that touch the plane
  double contactSpeed(const SolidScene<2>& scene, const State& state)
  {
    const auto& mesh = dynamic_cast<const Solid<2>&>(scene.system.body(0)).mesh();
    double speed = 0;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
      if (mesh.nodes[i][1] == 0)
        speed = std::max(speed, std::abs(state.p[2 * i]));
    return speed;
  }

  //! A block that slides comes to rest after v^2/(2 beta g). Settled velocities take a part of the
  //! energy that the contact nodes keep otherwise.
  TestSuite brakingBlock(bool settle)
  {
    TestSuite test(settle ? "braking block that settles" : "braking block");
    Block<2> block{.velocity = {0.1, 0, 0}, .settle = settle};
    auto scene = block.make();
    State start = startAt(*scene, equilibrium(block));
    const Result result = run(*scene, start, 60, 0.3, [](auto&&...) {});
    double way = 0;
    for (std::size_t i = 0; i < start.q.size(); i += 2)
      way += (result.state.q[i] - start.q[i]) / double(start.q.size() / 2);
    test.check(std::abs(way - 1.699) <= 2e-3, "way") << way;
    const double work =
                   settle ? 0.0003998211374420258 + 6.127936697100022e-09 : 0.00039982037847890274,
                 speed = settle ? 8.86984473567054e-05 : 0.003972343019972874;
    test.check(std::abs(result.frictionWork - work) <= 1e-6 * work, "reference")
      << result.frictionWork << " and not " << work;
    std::cout << "braking block: friction work over reference - 1 "
              << result.frictionWork / work - 1 << ", contact nodes at rest "
              << contactSpeed(*scene, result.state) << " and " << speed << std::endl;
    test.check(contactSpeed(*scene, result.state) <= 1.01 * speed, "speed of contact nodes")
      << contactSpeed(*scene, result.state) << " and " << speed;
    checkBalance(test, result);
    return test;
  }

  //! A disc that is thrown flat rolls with two thirds of its speed, a ball with five sevenths
  template<int dim>
  TestSuite rolling(double step, double referenceSpeed = 0, double referenceWork = 0)
  {
    TestSuite test("rolling, dimension " + std::to_string(dim));
    auto mesh = [] {
      if constexpr (dim == 2) {
        auto result = refineMesh(readGmsh<2>(std::string(DUNE_IMPACT_TEST_DATA) + "/ball_fine.msh"),
                                 0, "ball_fine.msh");
        placeMesh<2>(result, {-80, -2, 0}, {0, 0, 0});
        return result;
      }
      else {
        auto result = refineMesh(makeBall<3>(50, 4), 1, "ball");
        placeMesh<3>(result, {0, 0, 50}, {0, 0, 0});
        return result;
      }
    }();
    SolidScene<dim> scene;
    scene.add({.name = "ball",
               .mesh = std::move(mesh),
               .material = StVenantKirchhoff<dim>{Lame::fromYoung(dim == 2 ? 1 : 20, 0.3)},
               .density = density,
               .motion = {.velocity = {2, 0, 0}},
               .gravity = last<dim>(dim == 2 ? -0.2 : -0.1)},
              std::make_shared<Plane>("floor", Vec3(0), last<dim>(1)));
    scene.contacts[0].law.friction = 0.3;
    scene.build({.step = step, .rule = makeRule<dim>(RuleName::dissipative)});
    const double mass = dynamic_cast<const Solid<dim>&>(scene.system.body(0)).mass();
    const long steps = std::lround((dim == 2 ? 25 : 60) / step),
               counted = std::lround((dim == 2 ? 5 : 40) / step);
    double speed = 0;
    long n = 0;
    const Result result =
      run(scene, scene.start(), steps, 0.3, [&](const State& from, const State& to, auto&&) {
        if (++n > steps - counted)
          speed += scene.stepper->record(from, to).momenta.linear[0] / mass / double(counted);
      });
    const double expected = dim == 2 ? 4.0 / 3 : 10.0 / 7;
    test.check(std::abs(speed - expected) <= (dim == 2 ? 0.02 : 0.01) * expected, "speed")
      << speed << " and not " << expected;
    if (dim == 2) {
      test.check(std::abs(speed - referenceSpeed) <= 1e-6, "reference") << speed;
      test.check(std::abs(result.frictionWork - referenceWork) <= 1e-6 * referenceWork, "reference")
        << result.frictionWork << " and not " << referenceWork;
    }
    checkBalance(test, result);
    std::cout << "rolling " << dim << "D: speed " << speed << ", at most " << result.mostIterations
              << " iterations" << std::endl;
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(slidingBlocks<2>());
  test.subTest(slidingBlocks<3>());
  test.subTest(stickingBlocks<2>(1000));
  test.subTest(stickingBlocks<3>(100));
  test.subTest(brakingBlock(false));
  test.subTest(brakingBlock(true));
  test.subTest(vibratingBlock());
  test.subTest(rolling<2>(0.25, 1.323868533867858, 0.5291424408821966));
  test.subTest(rolling<2>(0.5, 1.3248508521135796, 0.5288569517394129));
  test.subTest(rolling<3>(0.5));
  return test.exit();
}
