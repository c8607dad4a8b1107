// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numbers>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/body/solidloads.hh>
#include <dune/impact/body/surfaceload.hh>
#include <dune/impact/body/test/checkbody.hh>
#include <dune/impact/body/test/checkinteraction.hh>
#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/grid/meshchecks.hh>
#include <dune/impact/grid/placement.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::epsilon;
using Dune::Impact::Test::Numbers;

constexpr double young = 1e6, poisson = 0.3, density = 1200;

template<int dim>
SolidMesh<dim> box(CellShape shape)
{
  FieldVector<double, dim> lower(0.0), upper(1.0);
  upper[0] = 2;
  std::array<int, dim> cells;
  cells.fill(1);
  cells[0] = 2;
  auto mesh = refineMesh(makeBox<dim>(lower, upper, cells, shape), dim == 2 ? 1 : 0, "box");
  placeMesh(mesh, {0.5, -0.25, dim == 3 ? 0.125 : 0.0}, {0, 0, 0.3});
  return mesh;
}

template<int dim>
typename Solid<dim>::Settings settings(CellShape shape)
{
  return {.name = "solid",
          .mesh = box<dim>(shape),
          .material = NeoHooke<dim>{Lame::fromYoung(young, poisson)},
          .density = density,
          .gravity = {0.5, -9.81, dim == 3 ? 0.25 : 0.0}};
}

//! Displacements of a fraction of the cells, and the momenta of random velocities
template<int dim>
std::pair<Numbers, Numbers> deformed(const Solid<dim>& solid)
{
  std::mt19937 random(4);
  const Numbers q = Test::randomNumbers(solid.configurationSize(), 0.03, random),
                v = Test::randomNumbers(solid.velocitySize(), 5, random);
  Numbers p(v.size());
  solid.momentum(q, v, p);
  return {q, p};
}

template<int dim>
TestSuite testContract(CellShape shape, const AnyMaterial<dim>& material,
                       typename Solid<dim>::Mass mass, bool supported)
{
  TestSuite test("contract in dimension " + std::to_string(dim) +
                 (shape == CellShape::cube ? ", cubes" : ", simplices") +
                 (mass == Solid<dim>::Mass::lumped ? ", lumped" : "") +
                 (supported ? ", supported" : "") + ", material " +
                 std::to_string(material.index()));
  auto s = settings<dim>(shape);
  s.material = material;
  s.mass = mass;
  if (supported)
    s.supports = {{"xmin"}, {"ymax", {false, true, false}}};
  const Solid<dim> solid(s);
  const auto [q, p] = deformed(solid);
  test.subTest(
    checkBody(solid, q, p, 0, {.length = 0.03, .dimension = dim, .supported = supported}));
  return test;
}

template<int dim>
TestSuite testContracts()
{
  using Mass = typename Solid<dim>::Mass;
  TestSuite test;
  const Lame lame = Lame::fromYoung(young, poisson);
  for (CellShape shape : {CellShape::simplex, CellShape::cube})
    for (Mass mass : {Mass::consistent, Mass::lumped})
      for (bool supported : {false, true})
        for (const AnyMaterial<dim>& material :
             {AnyMaterial<dim>(StVenantKirchhoff<dim>{lame}), AnyMaterial<dim>(NeoHooke<dim>{lame}),
              AnyMaterial<dim>(LinearElastic<dim>{lame})})
          test.subTest(testContract<dim>(shape, material, mass, supported));
  return test;
}

//! Mass, momentum and energy of a rigid motion of a box are known
template<int dim>
TestSuite testRigidMotion(CellShape shape, typename Solid<dim>::Mass mass)
{
  TestSuite test("rigid motion in dimension " + std::to_string(dim));
  auto s = settings<dim>(shape);
  s.mass = mass;
  s.motion = {.velocity = {1, -2, dim == 3 ? 0.5 : 0}, .spin = {0, 0, 3}};
  const Solid<dim> solid(s);
  Numbers q(solid.configurationSize()), p(q.size()), v(q.size()), v0(q.size());
  solid.initialise(q, p);
  const double m = density * 2;
  test.check(std::abs(solid.mass() - m) <= 64 * epsilon * m, "mass") << solid.mass();
  const double c = std::cos(0.3), d = std::sin(0.3);
  const Vec3 centre{0.5 + c * 1 - d * 0.5, -0.25 + d * 1 + c * 0.5, dim == 3 ? 0.625 : 0};
  Vec3 difference = solid.centreOfMass(q) - centre;
  test.check(difference.two_norm() <= 64 * epsilon, "centre of mass") << solid.centreOfMass(q);

  const Momenta momenta = solid.momenta(q, p);
  difference = momenta.linear - Vec3(s.motion.velocity) * m;
  test.check(difference.two_norm() <= 1e-13 * m, "linear momentum") << momenta.linear;
  solid.velocity(q, p, v);
  solid.initialVelocity(v0);
  test.check(Test::distance(v, v0) <= 1e-13, "initial velocity") << Test::distance(v, v0);
  if (!solid.lumped()) { // the consistent mass integrates the square of a linear velocity exactly
    const double inertia = m * (4 + 1) / 12;
    const double spin = momenta.angular[2] - cross(centre, s.motion.velocity)[2] * m;
    test.check(std::abs(spin - 3 * inertia) <= 1e-12 * m, "angular momentum")
      << spin << " " << 3 * inertia;
    const double energy = 0.5 * m * s.motion.velocity.two_norm2() + 0.5 * 9 * inertia;
    test.check(std::abs(solid.kinetic(q, p) - energy) <= 1e-13 * energy, "kinetic energy")
      << solid.kinetic(q, p) << " " << energy;
  }
  return test;
}

//! A homogeneous deformation about the centre of mass
template<int dim>
TestSuite testDeformation()
{
  TestSuite test("deformation");
  auto s = settings<dim>(CellShape::simplex);
  Tensor<dim> F(0.0), H(0.0);
  for (int i = 0; i < dim; ++i)
    F[i][i] = 1;
  F[0][0] = 1.1;
  F[0][1] = 0.2;
  H[0][0] = 0.1;
  H[0][1] = 0.2;
  s.deformation = F;
  s.motion.spin = {0, 0, 2};
  const Solid<dim> solid(s);
  Numbers q(solid.configurationSize()), p(q.size()), zero(q.size(), 0), v(q.size());
  solid.initialise(q, p);
  const double energy =
    std::visit([&](const auto& material) { return material.energy(H); }, s.material) * 2;
  test.check(std::abs(solid.storedEnergy(q) - energy) <= 1e-12 * energy, "energy")
    << solid.storedEnergy(q) << " " << energy;
  Vec3 shift = solid.centreOfMass(q) - solid.centreOfMass(zero);
  test.check(shift.two_norm() <= 64 * epsilon, "the centre of mass stays") << shift;
  solid.velocity(q, p, v);
  const Vec3 expected = cross({0, 0, 2}, solid.position(q, 1) - solid.centreOfMass(q));
  test.check(std::abs(v[dim] - expected[0]) + std::abs(v[dim + 1] - expected[1]) <= 1e-12,
             "the spin turns the deformed body");
  return test;
}

TestSuite testSupports()
{
  TestSuite test("supports");
  auto s = settings<2>(CellShape::cube);
  s.supports = {{"xmin"}, {"ymin", {false, true, false}}};
  s.motion.velocity = {1, 2, 0};
  const Solid<2> solid(s);
  Numbers q(solid.configurationSize()), p(q.size()), v(q.size());
  solid.initialise(q, p);
  solid.velocity(q, p, v);
  for (std::size_t node : solid.patch("xmin"))
    test.check(solid.held(node, 0) && solid.held(node, 1) && solid.fixed()[node] == 3 &&
                 v[2 * node] == 0 && v[2 * node + 1] == 0,
               "clamped");
  const std::size_t roller = solid.patch("ymin").back();
  test.check(!solid.held(roller, 0) && solid.held(roller, 1) &&
               std::abs(v[2 * roller] - 1) < 1e-13 && v[2 * roller + 1] == 0,
             "roller");
  s.supports = {{"lid"}};
  test.check(Test::throws<InputError>([&] { Solid<2> other(s); }), "an unknown patch is refused");

  System system;
  s.supports = {{"xmin"}};
  system.add(std::make_unique<Solid<2>>(s));
  const std::size_t held = system.body(0).patch("xmin").front(),
                    free = system.body(0).patch("xmax").front();
  test.check(
    Test::throws<InputError>([&] { system.prescribe(system.point(0, held), 0, Expression("t")); }),
    "a held part cannot be moved");
  system.prescribe(system.point(0, free), 1, Expression("t"));
  test.check(system.motions().size() == 1 && system.motions()[0].configuration == 2 * free + 1,
             "a free part can");
  return test;
}

TestSuite testPatches()
{
  TestSuite test("patches");
  const Solid<3> solid(settings<3>(CellShape::cube));
  test.check(solid.patch("xmin").size() == 4 && solid.patch("ymax").size() == 6, "patches by name");
  test.check(solid.patch(std::to_string(solid.mesh().patches[0].number)) ==
               solid.patch(solid.mesh().patches[0].name),
             "patches by number");
  test.check(solid.patch("").size() == 12, "all boundary nodes");
  test.check(solid.patch("11") == std::vector<std::size_t>{11} && solid.patch("12").empty(),
             "nodes by number");
  test.check(solid.patch("centre-of-mass").empty() && solid.patch("lid").empty(), "no such place");
  return test;
}

TestSuite testSample()
{
  TestSuite test("sample");
  auto s = settings<3>(CellShape::cube);
  s.material = LinearElastic<3>{Lame::fromYoung(young, 0)};
  s.mesh = refineMesh(makeBox<3>({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, CellShape::cube), 0, "box");
  Tensor<3> F(0.0);
  F[0][0] = 1 + 1e-6;
  F[1][1] = F[2][2] = 1;
  s.deformation = F;
  const Solid<3> solid(s);
  Numbers q(24), p(24), v(24);
  solid.initialise(q, p);
  VisualizationData visual;
  solid.sample(q, v, visual);
  test.require(visual.points.size() == 8 && visual.cells.size() == 1 &&
                 visual.connectivity.size() == 8,
               "sizes");
  const auto corner = [&](int i) { return visual.points[visual.connectivity[i]]; };
  for (int i = 0; i < 4; ++i) {
    test.check(std::abs((corner(i) - corner((i + 1) % 4)).two_norm() - 1) < 1e-5,
               "the corners of the bottom go around");
    test.check(std::abs((corner(i + 4) - corner((i + 1) % 4 + 4)).two_norm() - 1) < 1e-5,
               "the corners of the top go around");
    test.check(std::abs((corner(i) - corner(i + 4)).two_norm() - 1) < 1e-5,
               "the top is above the bottom");
  }
  test.check(cross(corner(1) - corner(0), corner(3) - corner(0)) * (corner(4) - corner(0)) > 0,
             "positive orientation");
  test.check(visual.cellFields[0].values.size() == 9 &&
               std::abs(visual.cellFields[0].values[0] - 1) < 1e-5 &&
               std::abs(visual.cellFields[0].values[4]) < 1e-5,
             "stress");
  test.check(std::abs(visual.cellFields[1].values[0] - 1) < 1e-5, "von Mises stress")
    << visual.cellFields[1].values[0];
  return test;
}

//! Plane strain needs a stress across the plane
TestSuite testPlaneStrain()
{
  TestSuite test("plane strain");
  auto s = settings<2>(CellShape::simplex);
  s.material = LinearElastic<2>{Lame::fromYoung(young, poisson)};
  s.deformation = Tensor<2>{{1.001, 0.0}, {0.0, 1.0}};
  const Solid<2> solid(s);
  Numbers q(solid.configurationSize()), p(q.size());
  solid.initialise(q, p);
  const auto stress = solid.elements().stress(q);
  test.require(stress.size() == solid.mesh().cells(), "one per cell");
  const double across = poisson * (stress[0][0][0] + stress[0][1][1]);
  test.check(std::abs(stress[0][2][2] - across) <= 0.01 * across && across > 0,
             "stress across the plane")
    << stress[0];
  return test;
}

//! The functions for implicit methods agree with those for explicit ones
template<int dim>
TestSuite testImplicit(typename Solid<dim>::Mass mass)
{
  TestSuite test("implicit");
  auto s = settings<dim>(CellShape::simplex);
  s.mass = mass;
  const Solid<dim> solid(s);
  const auto [q, p] = deformed(solid);
  Numbers v(p.size()), back(p.size(), 0), again(p.size(), 0);
  solid.velocity(q, p, v);
  solid.addMassProduct(1, v, back);
  typename Solid<dim>::Matrix M(solid.pattern());
  solid.addMass(2, M);
  M.addProduct(0.5, v, dim, again);
  test.check(Test::distance(back, p) <= 1e-12 * Test::largest(p), "mass product")
    << Test::distance(back, p);
  test.check(Test::distance(again, p) <= 1e-12 * Test::largest(p), "mass matrix")
    << Test::distance(again, p);

  Numbers force(p.size(), 0), parts(p.size(), 0);
  solid.addForce(0, q, 2, force);
  solid.addGravity(2, parts);
  solid.addMidpointForce(q, q, -1, parts);
  solid.addAveragedForce(q, q, -1, parts);
  test.check(Test::distance(force, parts) <= 1e-12 * Test::largest(force), "forces")
    << Test::distance(force, parts);
  test.check(solid.storedEnergy(q) == solid.potentials(0, q).elastic, "energy");

  typename Solid<dim>::Matrix K(solid.pattern());
  solid.addMidpointTangent(q, q, 1, K);
  Triplets entries;
  solid.addStiffness(0, q, 0, entries);
  double worst = 0, size = 0;
  for (const auto& e : entries) {
    worst = std::max(
      worst,
      std::abs(e.value() - K(e.row() / dim, Index(e.col() / dim))[e.row() % dim][e.col() % dim]));
    size = std::max(size, std::abs(e.value()));
  }
  test.check(worst <= 1e-13 * size && !entries.empty(), "tangent") << worst;
  return test;
}

//! Loads on a patch in a system where the solid is the second body
template<int dim>
TestSuite testLoads(CellShape shape)
{
  TestSuite test("loads in dimension " + std::to_string(dim));
  for (int kind = 0; kind < 3; ++kind) {
    System system;
    system.add(std::make_unique<Solid<dim>>(settings<dim>(CellShape::simplex)));
    auto solid = std::make_unique<Solid<dim>>(settings<dim>(shape));
    const auto& mesh = solid->mesh();
    const std::size_t offset = system.velocitySize();
    system.add(std::move(solid));
    const int top = *mesh.findPatch("ymax");
    const std::array<Expression, 3> force{Expression("1+t"), Expression("-2"), Expression("3*t")};
    auto load = kind == 0 ? std::make_unique<SurfaceLoad<dim>>(
                              mesh, top, typename SurfaceLoad<dim>::Offsets{offset, offset}, force)
                          : std::make_unique<SurfaceLoad<dim>>(
                              mesh, top, typename SurfaceLoad<dim>::Offsets{offset, offset},
                              Expression("1e5*t"), kind == 2);
    State state = system.initialState();
    SparseVector entries;
    load->addForce(2, state.q, entries);
    Vec3 sum(0), expected = kind == 0 ? Vec3{3, -2, dim == 3 ? 6.0 : 0}
                                      : Vec3{std::sin(0.3) * 4e5, -std::cos(0.3) * 4e5, 0};
    for (const auto& entry : entries)
      sum[(entry.dof - offset) % dim] += entry.value;
    test.check((sum - expected).two_norm() <= 1e-13 * expected.two_norm(), "total force")
      << sum << " instead of " << expected;

    system.add(std::move(load));
    std::mt19937 random(3);
    const Numbers q = Test::randomNumbers(state.q.size(), 0.03, random),
                  v = Test::randomNumbers(state.p.size(), 1, random);
    Numbers p(v.size());
    system.momentum(q, v, p);
    test.subTest(checkInteraction(*system.interactions()[0], system, q,
                                  {.length = 0.03, .time = 0.7, .dimension = dim}));
    test.subTest(checkSystem(
      system, q, p, 0.7, {.length = 0.03, .externalLoads = true, .symmetricStiffness = kind != 2}));
  }
  return test;
}

TestSuite testPlacement()
{
  TestSuite test("placement");
  auto mesh = refineMesh(makeBox<3>({0, 0, 0}, {1, 1, 1}, {1, 1, 1}), 0, "box");
  const auto before = mesh.nodes;
  placeMesh(mesh, {0, 0, 0}, {0, 0, 0});
  test.check(mesh.nodes == before, "nothing to do");
  // a third of a turn about the diagonal: x -> y -> z
  const double angle = 2 * std::numbers::pi / 3 / std::sqrt(3.0);
  placeMesh(mesh, {1, 2, 3}, {angle, angle, angle});
  double worst = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    worst =
      std::max(worst, (mesh.nodes[i] -
                       FieldVector<double, 3>{1 + before[i][2], 2 + before[i][0], 3 + before[i][1]})
                        .two_norm());
  test.check(worst <= 8 * epsilon, "a third of a turn") << worst;
  return test;
}

template<int dim>
TestSuite testDimension()
{
  using Mass = typename Solid<dim>::Mass;
  TestSuite test;
  test.subTest(testContracts<dim>());
  for (CellShape shape : {CellShape::simplex, CellShape::cube}) {
    for (Mass mass : {Mass::consistent, Mass::lumped})
      test.subTest(testRigidMotion<dim>(shape, mass));
    test.subTest(testLoads<dim>(shape));
  }
  for (Mass mass : {Mass::consistent, Mass::lumped})
    test.subTest(testImplicit<dim>(mass));
  test.subTest(testDeformation<dim>());
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testDimension<2>());
  test.subTest(testDimension<3>());
  test.subTest(testSupports());
  test.subTest(testPatches());
  test.subTest(testSample());
  test.subTest(testPlaneStrain());
  test.subTest(testPlacement());
  return test.exit();
}
