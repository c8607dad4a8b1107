// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/explicit/criticalstep.hh>

#include "explicitscene.hh"

/* Reference runs of cubes of trilinear elements: two of them hit each other, and one is pulled off
 * an interface with adhesion. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

//! Each node of the first cube against the place on the other that it faces in the reference
//! configuration; heights only
class ReferenceFaces : public ImpulseGeometry
{
public:
  ReferenceFaces(const System& system, int n)
  {
    const double h = Rubber::side / n;
    for (std::size_t node : system.body(0).patch("zmin")) {
      const PointHandle point = system.point(0, node);
      Pair pair{point, {}, {}};
      for (std::size_t other : system.body(1).patch("zmax")) {
        const Vec3 d = system.body(1).reference(other) - point.reference();
        const double weight =
          std::max(0.0, 1 - std::abs(d[0]) / h) * std::max(0.0, 1 - std::abs(d[1]) / h);
        if (weight > 1e-12) {
          pair.other.push_back(system.point(1, other));
          pair.weight.push_back(weight);
        }
      }
      pairs_.push_back(pair);
    }
  }

  std::size_t firstBody() const override { return 0; }
  std::optional<std::size_t> secondBody() const override { return 1; }
  std::size_t multipliers() const override { return pairs_.size(); }
  double length(ConstSpan) const override { return Rubber::side; }

  void gaps(double, ConstSpan q, Span gaps) const override
  {
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      gaps[i] = gap(q, pairs_[i]);
  }

  double addPoints(const Instant&, ConstSpan q, double tolerance,
                   ContactPoints& rows) const override
  {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double g = gap(q, pairs_[i]);
      smallest = std::min(smallest, g);
      if (!(g <= tolerance))
        continue;
      ContactPoint& row = rows.add();
      row.multiplier = i;
      row.gap = g;
      row.axes = {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
      row.second = ContactMember(1);
      rows.addFunctional([&](SparseVector& entries) {
        pairs_[i].point.addFunctional(q, {0, 0, 1}, entries);
        for (std::size_t k = 0; k < pairs_[i].other.size(); ++k)
          pairs_[i].other[k].addFunctional(q, {0, 0, -pairs_[i].weight[k]}, entries);
      });
    }
    return smallest;
  }

private:
  struct Pair
  {
    PointHandle point;
    std::vector<PointHandle> other;
    std::vector<double> weight;
  };

  static double gap(ConstSpan q, const Pair& pair)
  {
    double g = 1e-4 + pair.point.displacement(q)[2];
    for (std::size_t k = 0; k < pair.other.size(); ++k)
      g -= pair.weight[k] * pair.other[k].displacement(q)[2];
    return g;
  }

  std::vector<Pair> pairs_;
};

TestSuite checkCollision()
{
  TestSuite test("two cubes collide");
  const LinearElastic<3> material{Rubber::lame};
  Scene scene{.dimension = 3};
  scene.system.add(
    std::make_unique<Solid<3>>(rubberCube<3>(material, 3, {0, 0, 0.1001}, {0, 0, -2})));
  scene.system.add(std::make_unique<Solid<3>>(rubberCube<3>(material, 4, {0, 0, 0}, {0, 0, 2})));
  scene.add(std::make_unique<ReferenceFaces>(scene.system, 4));
  CDLagrange stepper(scene.system, scene.contacts, 3, {.step = 3e-5, .halfStepStart = false});

  double total = 0, first = 0, impulse = 0, last = 0, momentum = 0, energy = 0, begin = 0;
  int most = 0;
  Balance balance;
  const State end = march(stepper, scene.system.initialState(), 60,
                          [&](const State& from, const State& to, const StepReport& report) {
                            const Record record = stepper.record(from, to);
                            balance.observe(record);
                            energy = record.total();
                            momentum = std::max(momentum, std::abs(record.momenta.linear[2]));
                            if (begin == 0)
                              begin = energy;
                            const double r = report.impulse[2];
                            total += r;
                            most = std::max(most, report.contacts);
                            if (r > 0) {
                              last = to.time;
                              if (first == 0) {
                                first = to.time;
                                impulse = r;
                              }
                            }
                          });
  const auto near = [&](double value, double expected, const std::string& name) {
    test.check(std::abs(value - expected) <= 1e-6 * std::abs(expected), name)
      << value << " instead of " << expected;
  };
  const double speed =
    scene.system.body(0)
      .momenta(scene.system.configurationSlice(0, end.q), scene.system.velocitySlice(0, end.p))
      .linear[2] /
    scene.system.body(0).mass();
  near(total, 3.8394020377124978, "sum of the impulses");
  near(first, 3e-5, "first impulse");
  near(last, 0.00075, "last impulse");
  near(impulse, 0.30920904851925096, "sum of the first impulses");
  near(end.ledger.contactWork, -0.6184180970385749, "work of contact");
  near(energy, 3.781581902961426, "energy at the end");
  near(speed, 1.4903654888295437, "speed at the end");
  test.check(most == 16, "nodes in contact") << most;
  test.check(std::abs(energy - begin - end.ledger.contactWork) <= 1e-11, "balance")
    << energy - begin - end.ledger.contactWork;
  test.check(balance.energy <= 1e-12 * balance.scale, "the ledger closes")
    << balance.energy / balance.scale;
  test.check(momentum <= 1e-12, "momentum") << momentum;
  return test;
}

//! The adhesion of the reference, on the bonds of all nodes of the bottom
std::shared_ptr<const RccmInterface> glue(const System& system, int n, double delay,
                                          const std::shared_ptr<const Obstacle>& floor)
{
  const RccmLaw law{.normalStiffness = 6e11,
                    .tangentialStiffness = 6e11,
                    .modeMix = 1,
                    .elasticLimit = 5e-6,
                    .rupture = 5e-4,
                    .delayTime = delay};
  const auto surface = surfaceOf<3>(system, 0, "zmin").surface;
  const auto areas = nodeAreas(surface);
  std::vector<RccmInterface::Bond> bonds;
  double sum = 0;
  for (std::size_t i = 0; i < surface.node.size(); ++i) {
    const PointHandle point = system.point(0, surface.node[i]);
    bonds.push_back({.multiplier = i,
                     .area = areas[i],
                     .point = point,
                     .anchor = point.reference(),
                     .normal = {0, 0, 1}});
    sum += areas[i];
  }
  if (std::abs(sum - Rubber::side * Rubber::side) > 1e-12 ||
      bonds.size() != std::size_t((n + 1) * (n + 1)))
    DUNE_THROW(Exception, "bonds");
  return std::make_shared<const RccmInterface>(law, std::move(bonds), floor);
}

//! A cube that is pulled off: the top moves as 500 t^2
struct Pull : Scene
{
  static constexpr int n = 4;
  std::shared_ptr<Plane> floor = std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1});

  explicit Pull(const AnyMaterial<3>& material, double delay = 0,
                const std::string& motion = "500*t^2")
  {
    dimension = 3;
    system.add(std::make_unique<Solid<3>>(rubberCube<3>(material, n, {0, 0, 0})));
    for (const PointHandle& point : pointsOf(system, 0, "zmax"))
      for (int c = 0; c < 3; ++c)
        system.prescribe(point, c, Expression(c == 2 ? motion : "0"));
    add(std::make_unique<PointObstacle>(pointsOf(system, 0, "zmin"), floor), {.friction = 0.3});
    contacts[0].geometry.offer(glue(system, n, delay, floor));
  }
};

struct PullReference
{
  std::string name;
  AnyMaterial<3> material;
  double firstDamage, firstBroken, allBroken, force, reaction, dissipated, height, corner, centre,
    force2;
};

TestSuite checkPull(const PullReference& reference)
{
  TestSuite test("pull, " + reference.name);
  Pull scene(reference.material);
  const auto& interface = *scene.contacts[0].geometry.find<RccmInterface>();
  CDLagrange stepper(scene.system, scene.contacts, 3, {.step = 5e-6, .halfStepStart = false});
  const auto top = pointsOf(scene.system, 0, "zmax");

  PullReference found{.name = "", .material = reference.material};
  double touching = 0, work = 0;
  bool heals = false;
  Balance balance;
  const State end =
    march(stepper, scene.system.initialState(), 800,
          [&](const State& from, const State& to, const StepReport& report) {
            balance.observe(stepper.record(from, to));
            touching += report.contacts;
            const ConstSpan damage = stepper.damage(to, 0), before = stepper.damage(from, 0);
            double force = 0;
            int hurt = 0, broken = 0;
            std::vector<double> push(to.p.size(), 0), mean(to.p.size());
            interface.addForce(to.time, to.q, damage, 1, push);
            for (std::size_t i = 0; i < interface.size(); ++i) {
              const auto jump = interface.jump(to.time, to.q, i);
              force += interface.bond(i).area * interface.law().degradation(damage[i]) * 6e11 *
                       std::max(jump.opening, 0.0);
              hurt += damage[i] > 5e-6;
              broken += damage[i] >= 5e-4 * (1 - 1e-9);
              heals = heals || damage[i] < before[i];
            }
            for (std::size_t i = 0; i < mean.size(); ++i)
              mean[i] = 0.5 * (from.p[i] + to.p[i]);
            std::vector<double> v(mean.size());
            scene.system.velocity(to.q, mean, v);
            for (std::size_t i = 0; i < v.size(); ++i)
              work += 5e-6 * push[i] * v[i];
            if (found.firstDamage == 0 && hurt > 0)
              found.firstDamage = to.time;
            if (found.firstBroken == 0 && broken > 0)
              found.firstBroken = to.time;
            if (found.allBroken == 0 && broken == int(interface.size()))
              found.allBroken = to.time;
            found.force = std::max(found.force, force);
            std::vector<double> internal(to.p.size(), 0);
            solidOf<3>(scene.system, 0).elements().addForce(to.q, 1, internal);
            double reaction = 0;
            for (const PointHandle& point : top) {
              const std::size_t dof = point.point * 3 + 2;
              reaction += (to.p[dof] - from.p[dof]) / 5e-6 + internal[dof];
            }
            found.reaction = std::max(found.reaction, reaction);
            if (to.step == 400) {
              found.force2 = force;
              for (std::size_t i = 0; i < interface.size(); ++i) {
                const Vec3 place = interface.bond(i).point.reference();
                if (place.two_norm() < 1e-9)
                  found.corner = damage[i];
                if ((place - Vec3{0.05, 0.05, 0}).two_norm() < 1e-9)
                  found.centre = damage[i];
              }
            }
          });
  for (const PointHandle& point : pointsOf(scene.system, 0, "zmin"))
    found.height += point.displacement(end.q)[2] / double(interface.size());
  found.dissipated = -work - interface.energy(end.time, end.q, stepper.damage(end, 0));

  const auto near = [&](double value, double expected, const std::string& name) {
    test.check(std::abs(value - expected) <= 1e-6 * std::abs(expected), name)
      << value << " instead of " << expected;
  };
  near(found.firstDamage, reference.firstDamage, "first damage");
  near(found.firstBroken, reference.firstBroken, "first broken bond");
  near(found.allBroken, reference.allBroken, "last broken bond");
  near(found.force, reference.force, "largest force of the interface");
  near(found.reaction, reference.reaction, "largest force at the top");
  near(found.dissipated, reference.dissipated, "dissipated energy");
  near(found.height, reference.height, "height at the end");
  near(found.corner, reference.corner, "damage of the corner");
  near(found.centre, reference.centre, "damage of the centre");
  near(found.force2, reference.force2, "force of the interface after 2 ms");
  test.check(touching == 0, "no node touches again") << touching;
  test.check(!heals, "damage never heals");

  const double toughness = 0.5 * 6e11 * 5e-6 * 5e-4 * Rubber::side * Rubber::side;
  test.check(std::abs(-end.ledger.damageWork / toughness - 1) <= 2e-3,
             "damage takes G_c times area")
    << -end.ledger.damageWork / toughness;
  std::cout << reference.name << ": damage takes " << -end.ledger.damageWork / toughness
            << " G_c A, balance " << balance.energy / balance.scale << "\n";
  if (std::holds_alternative<LinearElastic<3>>(reference.material))
    test.check(balance.energy <= 1e-12 * balance.scale, "the ledger closes")
      << balance.energy / balance.scale;
  else
    test.check(balance.energy <= 5e-5 * balance.scale,
               "the ledger closes up to the trapezoidal error")
      << balance.energy / balance.scale;
  return test;
}

//! With delay the interface is tougher; a press before the pull costs nothing; both close the
//! ledger
TestSuite checkDelay()
{
  TestSuite test("delay, and press before pull");
  double lost[3];
  const std::string press = "t < 2e-3 ? -10*t^2 : -40e-6 - 0.04*(t - 2e-3) + 500*(t - 2e-3)^2";
  const std::array<std::pair<double, std::string>, 3> cases = {
    {{0, "500*t^2"}, {1e-4, "500*t^2"}, {0, press}}};
  for (int i = 0; i < 3; ++i) {
    Pull scene(LinearElastic<3>{Rubber::lame}, cases[i].first, cases[i].second);
    CDLagrange stepper(scene.system, scene.contacts, 3, {.step = 5e-6, .halfStepStart = false});
    Balance balance;
    double contacts = 0;
    const State end = march(stepper, scene.system.initialState(), i == 2 ? 1200 : 900,
                            [&](const State& from, const State& to, const StepReport& report) {
                              balance.observe(stepper.record(from, to));
                              contacts += report.contacts;
                            });
    lost[i] = -end.ledger.damageWork;
    test.check(balance.energy <= 1e-12 * balance.scale, "the ledger closes")
      << balance.energy / balance.scale;
    test.check(stepper.statistics(end)[2].value ==
                 double(scene.contacts[0].geometry.find<RccmInterface>()->size()),
               "all bonds are broken")
      << stepper.statistics(end)[2].value;
    test.check((contacts > 0) == (i == 2), "nodes touch if they are pressed") << contacts;
  }
  std::cout << "lost by damage: " << lost[0] << ", with delay " << lost[1] << ", after a press "
            << lost[2] << "\n";
  test.check(lost[1] > 1.05 * lost[0], "delay makes the interface tougher") << lost[1] / lost[0];
  test.check(std::abs(lost[2] / lost[0] - 1) < 2e-2, "a press takes nothing") << lost[2] / lost[0];
  return test;
}

//! The step follows the critical one, which grows when the interface breaks; the change is in the
//! ledger
TestSuite checkFollowing()
{
  TestSuite test("the step follows");
  Pull scene(LinearElastic<3>{Rubber::lame});
  const double critical =
    criticalStep(scene.system, scene.contacts, 0, scene.system.initialState().q);
  CDLagrange stepper(
    scene.system, scene.contacts, 3,
    {.step = 0.5 * critical, .halfStepStart = false, .estimateEvery = 50, .courant = 0.5});
  Balance balance;
  double longest = 0;
  march(stepper, scene.system.initialState(), 900,
        [&](const State& from, const State& to, const StepReport&) {
          balance.observe(stepper.record(from, to));
          longest = std::max(longest, to.time - from.time);
        });
  test.check(longest > 3 * critical, "longer steps without the interface") << longest / critical;
  test.check(balance.energy <= 1e-12 * balance.scale, "the ledger closes")
    << balance.energy / balance.scale;
  return test;
}

//! The critical step with and without the interface
TestSuite checkCriticalStep()
{
  TestSuite test("critical step");
  Pull scene(StVenantKirchhoff<3>{Rubber::lame});
  const State state = scene.system.initialState();
  const double with = criticalStep(scene.system, scene.contacts, 0, state.q),
               without = criticalStep(scene.system, 0, state.q);
  test.check(with < 9.55e-6 && with > 0.995 * 9.54e-6, "with the interface") << with;
  test.check(without < 6.88e-5 && without > 0.995 * 6.87e-5, "without") << without;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("cubesmatchreference");
  test.subTest(checkCollision());
  test.subTest(
    checkPull({"linear", LinearElastic<3>{Rubber::lame}, 0.001915, 0.002135, 0.002595,
               24833.69189700475, 32273.786891865046, 7.510226574878865, 0.0070879434086161385,
               3.254451158486716e-05, 3.1484185573191596e-06, 21476.638650951772}));
  test.subTest(checkPull({"st-venant-kirchhoff", StVenantKirchhoff<3>{Rubber::lame}, 0.00189,
                          0.002105, 0.00254, 24917.424443765954, 32061.169974562268,
                          7.508161033720609, 0.007523734502375448, 6.72062591068115e-05,
                          3.262843958049453e-06, 22002.417743363105}));
  test.subTest(checkDelay());
  test.subTest(checkFollowing());
  test.subTest(checkCriticalStep());
  return test.exit();
}
