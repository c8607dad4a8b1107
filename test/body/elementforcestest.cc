// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/elementforces.hh>
#include <dune/impact/body/elements.hh>
#include <dune/impact/body/solid.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;

using Vector = std::vector<double>;

template<int dim>
SolidMesh<dim> box(int n, CellShape shape, int order = 1)
{
  FieldVector<double, dim> upper(1);
  upper[0] = 1.3;
  std::array<int, dim> cells;
  cells.fill(n);
  cells[0] = n + 1;
  return refineMesh(makeBox<dim>(FieldVector<double, dim>(0), upper, cells, shape), 0, "box",
                    order);
}

//! Other numbers for nodes and another order of the cells
template<int dim>
SolidMesh<dim> shuffled(SolidMesh<dim> mesh, std::vector<Index>& number)
{
  std::mt19937 random(3);
  number.resize(mesh.nodes.size());
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  auto nodes = mesh.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[number[i]] = mesh.nodes[i];
  mesh.nodes = nodes;
  for (auto& cell : mesh.simplices)
    for (Index& corner : cell)
      corner = number[corner];
  for (auto& cell : mesh.quadratic)
    for (Index& node : cell)
      node = number[node];
  for (auto& cell : mesh.cubes)
    for (Index& corner : cell)
      corner = number[corner];
  if (mesh.order() == 1)
    std::shuffle(mesh.simplices.begin(), mesh.simplices.end(), random);
  std::shuffle(mesh.quadratic.begin(), mesh.quadratic.end(), random);
  std::shuffle(mesh.cubes.begin(), mesh.cubes.end(), random);
  return mesh;
}

template<int dim>
Vector smooth(const SolidMesh<dim>& mesh, double amplitude, double phase)
{
  Vector u;
  for (const auto& x : mesh.nodes)
    for (int i = 0; i < dim; ++i)
      u.push_back(amplitude * std::sin(3 * x[i] + 2 * x[(i + 1) % dim] + phase) + 5);
  return u;
}

double largest(const Vector& x)
{
  double result = 0;
  for (double v : x)
    result = std::max(result, std::abs(v));
  return result;
}

double distance(const Vector& a, const Vector& b)
{
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    result = std::max(result, std::abs(a[i] - b[i]));
  return result;
}

template<int dim>
Vector force(const ElementForces<dim>& forces, const Vector& u, ConstSpan direction = {})
{
  Vector f(u.size(), 0);
  forces.add(u, 1, f, direction);
  return f;
}

template<int dim>
std::vector<std::pair<std::string, AnyMaterial<dim>>> materials()
{
  const Lame lame = Lame::fromYoung(3, 0.3);
  return {{"st-venant-kirchhoff", StVenantKirchhoff<dim>{lame}},
          {"neo-hooke", NeoHooke<dim>{lame}},
          {"linear", LinearElastic<dim>{lame}}};
}

//! Forces are those of SolidElements, derivatives those of the forces
template<int dim>
TestSuite checkForces(CellShape shape, CubeElement cubes = CubeElement::q1, int order = 1)
{
  TestSuite test("forces in dimension " + std::to_string(dim) +
                 (shape == CellShape::cube ? ", cubes" : ", simplices") +
                 (cubes == CubeElement::q1r ? " with one point" : "") +
                 (order == 2 ? " of second order" : ""));
  auto mesh = box<dim>(dim == 2 ? 5 : 3, shape, order);
  const Vector distortion =
    smooth<dim>(mesh, cubes == CubeElement::q1r || order == 2 ? 0.05 : 0, 2);
  for (std::size_t i = 0; i < distortion.size(); ++i)
    mesh.nodes[i / dim][i % dim] += distortion[i];
  const Vector u = smooth<dim>(mesh, 0.05, 0), w = smooth<dim>(mesh, 1, 1);
  for (const auto& [name, material] : materials<dim>()) {
    const SolidElements<dim> elements(mesh, material, cubes);
    const ElementForces<dim> forces(mesh, material, 0, cubes);
    Vector expected(u.size(), 0);
    elements.addForce(u, 1, expected);
    const Vector f = force(forces, u);
    test.check(distance(f, expected) <= 1e-13 * largest(expected), name + ": force")
      << distance(f, expected);

    const double eps = 1e-5;
    Vector plus = u, minus = u;
    for (std::size_t i = 0; i < u.size(); ++i) {
      plus[i] += eps * w[i];
      minus[i] -= eps * w[i];
    }
    Vector difference = force(forces, plus);
    const Vector other = force(forces, minus);
    for (std::size_t i = 0; i < u.size(); ++i)
      difference[i] = (difference[i] - other[i]) / (2 * eps);
    const Vector derivative = force(forces, u, w);
    test.check(distance(derivative, difference) <= 1e-7 * largest(derivative),
               name + ": derivative")
      << distance(derivative, difference);
  }
  return test;
}

//! Each version of the kernel gives the same forces; forces of a cell add up to zero
TestSuite checkKernels()
{
  TestSuite test("kernels");
  using Kernel = ElementKernel<3, 4, 1>;
  LaneBatch<3, 4, 1> batch = {};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int lane = 0; lane < 4; ++lane) {
    batch.weight[0][lane] = 1 + 0.5 * uniform(random);
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < 3; ++j)
        batch.gradient[0][a][j][lane] = uniform(random);
    for (int a = 0; a < 4; ++a)
      batch.node[a][lane] = (lane + a) % 6;
  }
  alignas(32) double u[24], plain[24] = {}, best[24] = {};
  for (double& x : u)
    x = 0.1 * uniform(random);
  for (auto material :
       {KernelMaterial::stVenantKirchhoff, KernelMaterial::neoHooke, KernelMaterial::linear}) {
    std::fill_n(plain, 24, 0);
    std::fill_n(best, 24, 0);
    const double a = Kernel::plain(&batch, 1, {material, 1.7, 1.1, u, nullptr, plain});
    const double b = Kernel::best()(&batch, 1, {material, 1.7, 1.1, u, nullptr, best});
    double error = std::abs(a - b), size = 0, sum = 0;
    for (int i = 0; i < 24; ++i) {
      error = std::max(error, std::abs(plain[i] - best[i]));
      size = std::max(size, std::abs(plain[i]));
      sum += i % 4 == 0 ? plain[i] : 0;
    }
    test.check(error <= 1e-14 * size, "versions") << error;
    test.check(std::abs(sum) <= 1e-14 * size, "sum of the forces") << sum;
  }
  return test;
}

//! Several chunks: the number of threads changes no bit, another numbering nothing but rounding
template<int dim>
TestSuite checkThreadsAndNumbers(CellShape shape, int n, int order = 1)
{
  TestSuite test("threads in dimension " + std::to_string(dim));
  const auto mesh = box<dim>(n, shape, order);
  const Vector u = smooth<dim>(mesh, 0.02, 0);
  const AnyMaterial<dim> material = StVenantKirchhoff<dim>{Lame::fromYoung(1, 0.3)};
  ElementForces<dim> forces(mesh, material, 1);
  const Vector f = force(forces, u);
  for (int threads : {2, 3}) {
    forces.setThreads(threads);
    test.check(force(forces, u) == f, "same bits") << threads;
  }
  Vector expected(u.size(), 0);
  SolidElements<dim>(mesh, material).addForce(u, 1, expected);
  test.check(distance(f, expected) <= 1e-11 * largest(expected), "force of many chunks")
    << distance(f, expected);

  std::vector<Index> number;
  const auto other = shuffled<dim>(mesh, number);
  Vector moved(u.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    moved[number[i / dim] * dim + i % dim] = u[i];
  const Vector g = force(ElementForces<dim>(other, material), moved);
  double error = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    error = std::max(error, std::abs(g[number[i / dim] * dim + i % dim] - f[i]));
  test.check(error <= 1e-13 * largest(f), "other numbers") << error;
  return test;
}

//! A solid with a cell that is inside out says where
TestSuite checkInversion()
{
  TestSuite test("inversion");
  const auto mesh = box<2>(2, CellShape::cube);
  for (const auto& [name, material] : materials<2>()) {
    const Solid<2> solid(
      {.name = "body", .mesh = mesh, .material = material, .mass = Solid<2>::Mass::lumped});
    Vector q(solid.configurationSize(), 0), p(q.size(), 0), q1(q.size()), p1(q.size());
    solid.addForce(0, q, 1, p);
    p[0] = 3 * solid.nodeMass(0); // the corner at the origin moves through its cell
    p[1] = 3 * solid.nodeMass(0);
    std::string message;
    try {
      solid.driftKick(q, p, 0.3, 0.3, 0.3, q1, p1);
    }
    catch (const RunError& error) {
      message = error.what();
    }
    test.check(message.starts_with("body: cell 0 at ") == (name != "linear"), name) << message;
  }
  return test;
}

//! Drift and kick in one sweep are drift and kick
template<int dim>
TestSuite checkDriftKick()
{
  TestSuite test("drift and kick in dimension " + std::to_string(dim));
  const Solid<dim> solid({.name = "body",
                          .mesh = box<dim>(4, CellShape::simplex),
                          .material = NeoHooke<dim>{Lame::fromYoung(1, 0.3)},
                          .density = 2,
                          .mass = Solid<dim>::Mass::lumped,
                          .supports = {{"xmin"}},
                          .motion = {.velocity = {0.1, 0.2, 0.3}},
                          .gravity = {0, -1, 0}});
  Vector q(solid.configurationSize()), p(q.size()), q1(q.size()), p1(q.size()), q2(q.size()),
    p2(q.size());
  solid.initialise(q, p);
  solid.drift(q, p, 0.01, q1, p1);
  solid.addForce(0.01, q1, 0.02, p1);
  solid.driftKick(q, p, 0.01, 0.01, 0.02, q2, p2);
  test.check(q1 == q2 && p1 == p2, "same bits");
  for (std::size_t node : solid.patch("xmin"))
    for (int c = 0; c < dim; ++c)
      test.check(p1[node * dim + c] == 0, "held nodes get nothing");
  return test;
}

//! A known material as if it came from another module: no kernel, but the same numbers, lumped and
//! assembled
template<int dim>
struct Foreign : NeoHooke<dim>
{
  double stressAcross(const Tensor<dim>& H) const
  {
    return this->lame.lambda * std::log1p(volumeChange(H));
  }
};

template<int dim>
TestSuite checkCustomMaterial()
{
  TestSuite test("material of another module in dimension " + std::to_string(dim));
  const NeoHooke<dim> known{Lame::fromYoung(1, 0.3)};
  const CustomMaterial<dim> custom{Foreign<dim>{known}};
  const auto mesh = box<dim>(3, CellShape::simplex);
  const auto make = [&](const AnyMaterial<dim>& material) {
    return Solid<dim>({.name = "body",
                       .mesh = mesh,
                       .material = material,
                       .density = 2,
                       .mass = Solid<dim>::Mass::lumped,
                       .gravity = {0, -1, 0}});
  };
  const Solid<dim> a = make(known), b = make(custom);
  test.check(!ElementForces<dim>::hasKernel(custom) && ElementForces<dim>::hasKernel(known),
             "kernels");
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.02, 0.02);
  Vector q(a.configurationSize()), x(q.size()), p(q.size(), 0), qa(q.size()), pa(q.size()),
    qb(q.size()), pb(q.size()), ya(q.size(), 0), yb(q.size(), 0);
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = uniform(random);
    x[i] = uniform(random);
  }
  a.driftKick(q, p, 0.1, 0.1, 0.1, qa, pa);
  b.driftKick(q, p, 0.1, 0.1, 0.1, qb, pb);
  a.addStiffnessProduct(0, q, x, ya);
  b.addStiffnessProduct(0, q, x, yb);
  test.check(qa == qb && distance(pa, pb) <= 1e-13 * largest(pa), "forces") << distance(pa, pb);
  test.check(distance(ya, yb) <= 1e-12 * largest(ya), "product with the stiffness")
    << distance(ya, yb);
  test.check(a.storedEnergy(q) == b.storedEnergy(q), "energy");
  const auto sa = a.elements().stress(q), sb = b.elements().stress(q);
  double worst = 0;
  for (std::size_t c = 0; c < sa.size(); ++c)
    worst = std::max(worst, (sa[c] - sb[c]).infinity_norm());
  test.check(worst <= 1e-14, "stress, also across the plane") << worst;
  q[0] += 100;
  bool refused = false;
  try {
    b.addForce(0, q, 1, pb);
  }
  catch (const RunError&) {
    refused = true;
  }
  test.check(refused, "a cell that is inside out ends the run");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("elementforces");
  test.subTest(checkCustomMaterial<2>());
  test.subTest(checkCustomMaterial<3>());
  for (CellShape shape : {CellShape::simplex, CellShape::cube}) {
    test.subTest(checkForces<2>(shape));
    test.subTest(checkForces<3>(shape));
  }
  test.subTest(checkForces<2>(CellShape::cube, CubeElement::q1r));
  test.subTest(checkForces<3>(CellShape::cube, CubeElement::q1r));
  test.subTest(checkForces<2>(CellShape::simplex, CubeElement::q1, 2));
  test.subTest(checkForces<3>(CellShape::simplex, CubeElement::q1, 2));
  test.subTest(checkKernels());
  test.subTest(checkThreadsAndNumbers<2>(CellShape::simplex, 100));
  test.subTest(checkThreadsAndNumbers<3>(CellShape::cube, 13));
  test.subTest(checkThreadsAndNumbers<3>(CellShape::simplex, 14));
  test.subTest(checkThreadsAndNumbers<3>(CellShape::simplex, 8, 2));
  test.subTest(checkInversion());
  test.subTest(checkDriftKick<2>());
  test.subTest(checkDriftKick<3>());
  return test.exit();
}
