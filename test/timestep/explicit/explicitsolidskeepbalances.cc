// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/impulse/mortarimpulses.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/timestep/explicit/criticalstep.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "explicitscene.hh"

/* Solids with CD-Lagrange: energy changes by what the ledger says, momenta of free systems not at
 * all, and the number of threads changes nothing. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

template<int dim>
AnyMaterial<dim> material(const std::string& name)
{
  if (name == "linear")
    return LinearElastic<dim>{Rubber::lame};
  if (name == "neo-hooke")
    return NeoHooke<dim>{Rubber::lame};
  return StVenantKirchhoff<dim>{Rubber::lame};
}

//! A step well below the critical one
double shortStep(const Scene& scene, double courant)
{
  return courant * criticalStep(scene.system, scene.contacts, 0, scene.system.initialState().q);
}

//! A cube that flies, spins and vibrates
Scene freeCube(double strain)
{
  Scene scene{.dimension = 3};
  auto settings = rubberCube<3>(StVenantKirchhoff<3>{Rubber::lame}, 2, {0, 0, 0}, {1, 2, 3});
  settings.motion.spin = {30, -20, 10};
  settings.deformation =
    Tensor<3>{{1 + strain, strain / 2, 0}, {0, 1 - strain / 2, 0}, {0, strain / 2, 1 + strain / 2}};
  scene.system.add(std::make_unique<Solid<3>>(settings));
  return scene;
}

//! Means of the energy over the first and the last tenth of a long free run agree, and it stays in
//! a narrow band
TestSuite checkLongRun()
{
  TestSuite test("free cube, 1e5 steps");
  const Scene scene = freeCube(0.002);
  CDLagrange stepper(scene.system, scene.contacts, 3, {.step = shortStep(scene, 0.3)});
  Balance balance;
  double lowest = 1e100, highest = -1e100, first = 0, last = 0;
  const long steps = 100000, tenth = steps / 10;
  march(stepper, scene.system.initialState(), steps,
        [&](const State& from, const State& to, const StepReport&) {
          if (to.step % 10 != 1)
            return;
          const Record record = stepper.record(from, to);
          balance.observe(record);
          lowest = std::min(lowest, record.total());
          highest = std::max(highest, record.total());
          if (to.step <= tenth)
            first += record.total() * 10 / double(tenth);
          if (to.step > steps - tenth)
            last += record.total() * 10 / double(tenth);
        });
  const double band = (highest - lowest) / balance.scale,
               drift = std::abs(last - first) / balance.scale;
  std::cout << "1e5 steps: band of the energy " << band << ", drift of its mean " << drift
            << ", momenta " << balance.linear << " " << balance.angular << "\n";
  test.check(band < 1e-4, "the energy stays in a band") << band;
  test.check(drift < 0.02 * band, "it does not drift") << drift;
  const double momentum = Rubber::density * 1e-3 * 4;
  test.check(balance.linear <= 1e-11 * momentum, "linear momentum") << balance.linear / momentum;
  test.check(balance.angular <= 1e-11 * momentum, "angular momentum") << balance.angular / momentum;
  return test;
}

/** \brief Where the mean of the energy goes in a long run at some percent of strain
 *
 * The trapezoidal errors of the intervals sum up to -h^2/12 (v.Kv + f.M^-1 f) at the end minus the
 * same at the start, with the internal force f and its derivative K. Both parts have the same mean
 * in time, that of d(v.f)/dt being zero. So the mean of the energy changes while the vibration
 * spreads over the modes, by -h^2/6 times the change of the mean of f.M^-1 f, and not in the long
 * run.
 */
TestSuite checkModes()
{
  TestSuite test("free cube at large strain");
  const Scene scene = freeCube(0.02);
  std::vector<double> shifts;
  for (double courant : {0.3, 0.15}) {
    const double h = shortStep(scene, courant);
    CDLagrange stepper(scene.system, scene.contacts, 3, {.step = h});
    const long steps = std::lround(30000 / courant), tenth = steps / 10;
    std::array<double, 2> energy = {0, 0}, force = {0, 0};
    double scale = 0;
    std::vector<double> f(scene.system.velocitySize()), a(f.size());
    march(stepper, scene.system.initialState(), steps,
          [&](const State& from, const State& to, const StepReport&) {
            if (to.step % 10 != 1 || (to.step > tenth && to.step <= steps - tenth))
              return;
            const Record record = stepper.record(from, to);
            const int part = to.step > tenth;
            if (to.step == 1)
              scale = record.stored.elastic;
            std::fill(f.begin(), f.end(), 0);
            scene.system.addForce(to.time, to.q, 1, f);
            scene.system.velocity(to.q, f, a);
            energy[part] += record.total() * 10 / double(tenth);
            force[part] += h * h * dot(f, a) * 10 / double(tenth);
          });
    const double shift = (energy[1] - energy[0]) / scale,
                 expected = -(force[1] - force[0]) / 6 / scale;
    std::cout << "2 percent of strain, Courant number " << courant
              << ": the mean of the energy shifts by " << shift << " of the elastic one, expected "
              << expected << "\n";
    test.check(std::abs(shift - expected) < 0.05 * std::abs(expected),
               "the mean shifts with the forces")
      << shift << " instead of " << expected;
    shifts.push_back(shift);
  }
  test.check(shifts[1] < 0.5 * shifts[0], "less with shorter steps")
    << shifts[0] << " and " << shifts[1];
  return test;
}

//! Two blocks of different meshes hit each other obliquely, with friction
template<int dim>
struct Collision : Scene
{

  //! \param fineness cells along the sides of the blocks
  Collision(const AnyMaterial<dim>& law, CellShape shape, bool mortar, double friction,
            double restitution = 0, std::array<int, 2> fineness = {3, 4}, int threads = 1)
  {
    dimension = dim;
    FieldVector<double, dim> above(0.02), below(0);
    above[dim - 1] = 0.1001;
    Vec3 down{0.7, 0.4, 0}, up(0);
    down[dim - 1] = -2;
    up[dim - 1] = 2;
    auto first = rubberCube<dim>(law, fineness[0], above, down, shape),
         second = rubberCube<dim>(law, fineness[1], below, up, shape);
    first.motion.spin = Vec3{0, 0, 5};
    first.threads = second.threads = threads;
    system.add(std::make_unique<Solid<dim>>(first));
    system.add(std::make_unique<Solid<dim>>(second));
    const char* lower = dim == 2 ? "ymin" : "zmin";
    const char* upper = dim == 2 ? "ymax" : "zmax";
    const ContactLaw contact{
      .restitution = restitution, .friction = friction, .slip = Slip::midStep};
    if (!mortar) {
      add(std::make_unique<NodeToFace<dim>>(surfaceOf<dim>(system, 0, lower),
                                            surfaceOf<dim>(system, 1, upper), std::nullopt,
                                            threads),
          contact);
      return;
    }
    auto opposite = surfaceOf<dim>(system, 1, upper).surface;
    for (auto& node : opposite.node)
      node += system.point(1, 0).configurationOffset / dim;
    const auto gap =
      std::make_shared<MortarGap<dim>>(surfaceOf<dim>(system, 0, lower).surface,
                                       std::move(opposite), MortarSettings{.threads = threads});
    add(std::make_unique<MortarImpulses<dim>>(gap, system.point(0, 0), system.point(1, 0)),
        contact);
  }
};

template<int dim>
TestSuite checkCollision(const std::string& law, CellShape shape, bool mortar, double friction,
                         double restitution = 0)
{
  const std::string name = law + (mortar ? ", mortar" : ", node to face") + ", dimension " +
                           std::to_string(dim) + ", friction " + std::to_string(friction);
  TestSuite test(name);
  Collision<dim> scene(material<dim>(law), shape, mortar, friction, restitution);
  CDLagrange stepper(scene.system, scene.contacts, dim,
                     {.step = shortStep(scene, 0.5), .gapTolerance = 1e-13});
  Balance balance;
  int most = 0, sweeps = 0;
  double slip = 0;
  const State end =
    march(stepper, scene.system.initialState(), std::lround(1.2e-3 / shortStep(scene, 0.5)),
          [&](const State& from, const State& to, const StepReport& report) {
            balance.observe(stepper.record(from, to));
            most = std::max(most, report.contacts);
            sweeps = std::max(sweeps, report.solve.iterations);
            slip = std::max(slip, std::hypot(report.impulse[0], dim == 3 ? report.impulse[1] : 0));
          });
  std::cout << name << ": " << most << " contacts, at most " << sweeps << " sweeps; balance "
            << balance.energy / balance.scale << ", work " << end.ledger.contactWork << " + "
            << end.ledger.frictionWork << " of " << balance.scale << ", momenta " << balance.linear
            << " " << balance.angular << "\n";
  test.check(most > (dim == 2 ? 1 : 3), "they touch") << most;
  test.check((slip > 0.01 * balance.scale / 2) == (friction > 0) || friction > 0, "friction acts")
    << slip;
  test.check(end.ledger.contactWork <= 1e-13 * balance.scale &&
               end.ledger.frictionWork <= 1e-13 * balance.scale,
             "contact takes energy")
    << end.ledger.contactWork << " " << end.ledger.frictionWork;
  test.check(friction == 0 || end.ledger.frictionWork < -1e-3 * balance.scale,
             "friction takes a part")
    << end.ledger.frictionWork / balance.scale;
  test.check(balance.energy <= (law == "linear" ? 1e-12 : 3e-4) * balance.scale,
             "the ledger closes")
    << balance.energy / balance.scale;
  const double momentum = balance.scale; // speeds are of order one
  test.check(balance.linear <= 1e-13 * momentum, "linear momentum") << balance.linear / momentum;
  if (law != "linear") // whose forces have no moment about the places in the mesh only
    test.check(balance.angular <= 1e-13 * momentum, "angular momentum")
      << balance.angular / momentum;
  return test;
}

//! So many rows that there is no matrix of them: the same balances, and the number of threads
//! changes no bit
TestSuite checkManyRows(const std::string& law, bool mortar, double friction)
{
  const std::string name = "many rows, " + law + (mortar ? ", mortar" : ", node to face") +
                           ", friction " + std::to_string(friction);
  TestSuite test(name);
  std::vector<State> ends;
  for (int threads : {1, 2}) {
    Collision<3> scene(material<3>(law), CellShape::simplex, mortar, friction, 0, {20, 19},
                       threads);
    CDLagrange stepper(scene.system, scene.contacts, 3, {.step = 4e-6, .gapTolerance = 1e-13});
    Balance balance;
    int most = 0, sweeps = 0;
    ends.push_back(march(stepper, scene.system.initialState(), 30,
                         [&](const State& from, const State& to, const StepReport& report) {
                           balance.observe(stepper.record(from, to));
                           most = std::max(most, report.contacts);
                           sweeps = std::max(sweeps, report.solve.iterations);
                         }));
    const Ledger& ledger = ends.back().ledger;
    std::cout << name << ": " << most << " contacts, at most " << sweeps << " sweeps; balance "
              << balance.energy / balance.scale << ", work " << ledger.contactWork << " + "
              << ledger.frictionWork << " of " << balance.scale << ", momenta " << balance.linear
              << " " << balance.angular << "\n";
    test.check(most > 200, "many rows") << most;
    test.check(ledger.contactWork < -1e-3 * balance.scale && ledger.frictionWork <= 0 &&
                 (ledger.frictionWork < -1e-4 * balance.scale) == (friction > 0),
               "contact and friction take energy")
      << ledger.contactWork << " " << ledger.frictionWork;
    test.check(balance.energy <= (law == "linear" ? 1e-12 : 3e-4) * balance.scale,
               "the ledger closes")
      << balance.energy / balance.scale;
    const double momentum = balance.scale; // speeds are of order one
    test.check(balance.linear <= 1e-13 * momentum, "linear momentum") << balance.linear / momentum;
    if (law != "linear")
      test.check(balance.angular <= 1e-13 * momentum, "angular momentum")
        << balance.angular / momentum;
  }
  test.check(ends[0] == ends[1], "the number of threads changes no bit");
  return test;
}

//! A cube thrown on a plane, with friction per node: ledger, and limits of the law
template<int dim>
TestSuite checkPlane(CellShape shape, double friction, Slip slip)
{
  TestSuite test("cube on a plane, dimension " + std::to_string(dim) + ", friction " +
                 std::to_string(friction));
  Scene scene{.dimension = dim};
  FieldVector<double, dim> corner(0);
  corner[dim - 1] = 1e-4;
  Vec3 velocity{1, 0, 0}, up(0);
  velocity[dim - 1] = -2;
  up[dim - 1] = 1;
  scene.system.add(std::make_unique<Solid<dim>>(
    rubberCube<dim>(LinearElastic<dim>{Rubber::lame}, 4, corner, velocity, shape)));
  scene.add(std::make_unique<PointObstacle>(pointsOf(scene.system, 0),
                                            std::make_shared<Plane>("floor", Vec3(0), up)),
            {.friction = friction, .slip = slip});
  const double h = shortStep(scene, 0.6);
  CDLagrange stepper(scene.system, scene.contacts, dim, {.step = h, .gapTolerance = 1e-13});
  Balance balance;
  double normal = 0, tangential = 0;
  march(stepper, scene.system.initialState(), std::lround(1.5e-3 / h),
        [&](const State& from, const State& to, const StepReport& report) {
          balance.observe(stepper.record(from, to));
          normal += report.impulse[dim - 1];
          tangential -= report.impulse[0];
          test.check(std::abs(report.impulse[0]) <=
                       friction * report.pairImpulse[0] * (1 + 1e-12) + 1e-300,
                     "within the cone");
        });
  test.check(balance.energy <= 1e-12 * balance.scale, "the ledger closes")
    << balance.energy / balance.scale;
  test.check(normal > 0 && (friction > 0) == (tangential != 0), "impulses")
    << normal << " " << tangential;
  return test;
}

//! The critical step is watched: a step that becomes too long ends the run, a Courant number
//! follows
TestSuite checkEstimates()
{
  TestSuite test("critical step of a deformed body");
  const auto build = [](Scene& scene) {
    scene.dimension = 2;
    scene.system.add(
      std::make_unique<Solid<2>>(rubberCube<2>(StVenantKirchhoff<2>{Rubber::lame}, 4, {0, 0})));
    for (const std::string side : {"ymin", "ymax"})
      for (const PointHandle& point : pointsOf(scene.system, 0, side))
        for (int c = 0; c < 2; ++c)
          scene.system.prescribe(point, c, Expression(c == 1 && side == "ymax" ? "10*t" : "0"));
  };
  Scene scene;
  build(scene);
  const double critical = criticalStep(scene.system, 0, scene.system.initialState().q);
  CDLagrange fixed(scene.system, scene.contacts, 2, {.step = 0.9 * critical, .estimateEvery = 20});
  std::string message;
  try {
    march(fixed, scene.system.initialState(), 400,
          [](const State&, const State&, const StepReport&) {});
  }
  catch (const RunError& error) {
    message = error.what();
  }
  test.check(message.find("above the stability limit of the deformed bodies") != message.npos,
             "a step that is too long ends the run")
    << message;

  CDLagrange follower(scene.system, scene.contacts, 2,
                      {.step = 0.8 * critical, .estimateEvery = 20, .courant = 0.8});
  double shortest = 1e100;
  march(follower, scene.system.initialState(), 400,
        [&](const State& from, const State& to, const StepReport&) {
          shortest = std::min(shortest, to.time - from.time);
        });
  test.check(shortest < 0.75 * critical && shortest > 0.2 * critical, "the step follows")
    << shortest / critical;
  test.check(follower.variableStep(), "steps can differ");
  return test;
}

//! A body of several chunks in contact: the same bits with one thread and with two
TestSuite checkThreads()
{
  TestSuite test("threads");
  std::vector<State> ends;
  for (int threads : {1, 2, 3}) {
    Scene scene{.dimension = 3};
    auto settings =
      rubberCube<3>(NeoHooke<3>{Rubber::lame}, 13, {0, 0, 1e-6}, {0.5, 0, -2}, CellShape::simplex);
    settings.threads = threads;
    scene.system.add(std::make_unique<Solid<3>>(settings));
    scene.add(
      std::make_unique<PointObstacle>(pointsOf(scene.system, 0),
                                      std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1})),
      {.friction = 0.3});
    CDLagrange stepper(scene.system, scene.contacts, 3, {.step = 3e-6});
    double contacts = 0;
    ends.push_back(march(
      stepper, scene.system.initialState(), 25,
      [&](const State&, const State&, const StepReport& report) { contacts += report.contacts; }));
    test.check(contacts > 100, "in contact") << contacts;
  }
  test.check(ends[0] == ends[1] && ends[0] == ends[2], "the number of threads changes no bit");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("explicitsolidskeepbalances");
  test.subTest(checkLongRun());
  test.subTest(checkModes());
  for (double friction : {0.0, 0.4}) {
    test.subTest(checkCollision<3>("linear", CellShape::cube, false, friction));
    test.subTest(checkCollision<3>("st-venant-kirchhoff", CellShape::cube, false, friction));
    test.subTest(checkCollision<3>("neo-hooke", CellShape::simplex, false, friction));
    test.subTest(checkCollision<2>("st-venant-kirchhoff", CellShape::simplex, false, friction));
    test.subTest(checkCollision<2>("linear", CellShape::cube, true, friction));
    test.subTest(checkCollision<2>("st-venant-kirchhoff", CellShape::cube, true, friction));
    test.subTest(checkCollision<3>("st-venant-kirchhoff", CellShape::simplex, true, friction));
    test.subTest(checkPlane<3>(CellShape::cube, friction, Slip::midStep));
  }
  for (bool mortar : {false, true}) {
    test.subTest(checkManyRows("linear", mortar, 0));
    test.subTest(checkManyRows("st-venant-kirchhoff", mortar, 0.4));
  }
  test.subTest(checkCollision<3>("linear", CellShape::cube, false, 0, 0.8));
  test.subTest(checkPlane<2>(CellShape::simplex, 0.3, Slip::postImpact));
  test.subTest(checkEstimates());
  test.subTest(checkThreads());
  return test.exit();
}
