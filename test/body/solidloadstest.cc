// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/elements.hh>
#include <dune/impact/body/solidloads.hh>
#include <dune/impact/grid/meshchecks.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;

using Vector = std::vector<double>;

template<int dim>
FieldVector<double, dim> resultant(const Vector& f)
{
  FieldVector<double, dim> sum(0.0);
  for (std::size_t i = 0; i < f.size(); ++i)
    sum[i % dim] += f[i];
  return sum;
}

//! Total mass, row sums, and the exact integral of x^2 on a box
template<int dim>
TestSuite testMass(CellShape shape, int order = 1)
{
  TestSuite test("mass");
  const auto mesh = refineMesh(makeBall<dim>(1.5, 2, shape), 0, "ball", order);
  const double density = 0.7, exact = density * meshVolume(mesh);
  const auto M = consistentMass(mesh, density, cellPattern(mesh));
  const auto lumped = lumpedMass(mesh, density);
  test.check(std::abs(std::accumulate(lumped.begin(), lumped.end(), 0.0) - exact) <= 1e-14 * exact,
             "total mass");
  Vector rowSum(mesh.nodes.size(), 0), one(mesh.nodes.size(), 1);
  M.addProduct(1, one, 1, rowSum);
  for (std::size_t a = 0; a < lumped.size(); ++a)
    test.check(std::abs(rowSum[a] - lumped[a]) <= 1e-15 * exact && (lumped[a] > 0 || order == 2),
               "row sum")
      << rowSum[a] << " " << lumped[a];
  const auto diagonal = diagonalMass(mesh, density);
  test.check(std::abs(std::accumulate(diagonal.begin(), diagonal.end(), 0.0) - exact) <=
               1e-14 * exact,
             "total diagonal mass");
  for (std::size_t a = 0; a < lumped.size(); ++a)
    test.check(diagonal[a] > 0 && (order == 2 || diagonal[a] == lumped[a]), "diagonal mass")
      << diagonal[a];

  std::array<int, dim> cells;
  cells.fill(3);
  const auto box = refineMesh(
    makeBox<dim>(FieldVector<double, dim>(0.0), FieldVector<double, dim>(1.0), cells, shape), 0,
    "box", order);
  const auto B = consistentMass(box, 2.0, cellPattern(box));
  Vector x, Bx(box.nodes.size(), 0);
  for (const auto& node : box.nodes)
    x.push_back(node[0]);
  B.addProduct(1, x, 1, Bx);
  const double integral = std::inner_product(x.begin(), x.end(), Bx.begin(), 0.0);
  test.check(std::abs(integral - 2.0 / 3) <= 1e-14, "int x^2") << integral;
  return test;
}

template<int dim>
TestSuite testLoads(CellShape shape, int order = 1)
{
  TestSuite test("loads");
  std::array<int, dim> cells;
  cells.fill(2);
  const auto box = refineMesh(
    makeBox<dim>(FieldVector<double, dim>(0.0), FieldVector<double, dim>(2.0), cells, shape), 0,
    "box", order);
  const double area = dim == 2 ? 2 : 4;
  FieldVector<double, dim> t(0.25), expected(0.0);
  t[0] = -1;
  Vector f(box.nodes.size() * dim, 0);
  addBodyForce<dim>(box, t, f);
  expected = t;
  expected *= 2 * area;
  test.check((resultant<dim>(f) - expected).infinity_norm() <= 1e-13, "body force")
    << resultant<dim>(f);

  f.assign(f.size(), 0);
  addTraction<dim>(box, box.findPatch("ymax").value(), t, f);
  expected = t;
  expected *= area;
  test.check((resultant<dim>(f) - expected).infinity_norm() <= 1e-13, "traction")
    << resultant<dim>(f);
  for (std::size_t a = 0; a < box.nodes.size(); ++a)
    test.check(box.nodes[a][1] == 2 || f[a * dim] == 0, "only on the patch");

  f.assign(f.size(), 0);
  addPressure<dim>(box, box.findPatch("xmax").value(), 3, {}, f);
  expected = 0;
  expected[0] = -3 * area;
  test.check((resultant<dim>(f) - expected).infinity_norm() <= 1e-13, "pressure")
    << resultant<dim>(f);
  return test;
}

//! A closed surface under follower pressure: no resultant, and the work of an expansion is -p dV
template<int dim>
TestSuite testClosedSurface(CellShape shape, int order = 1)
{
  TestSuite test("pressure on a closed surface");
  auto mesh = refineMesh(makeBall<dim>(1, 2, shape), 0, "ball", order);
  Vector u, v, f(mesh.nodes.size() * dim, 0);
  for (const auto& x : mesh.nodes)
    for (int i = 0; i < dim; ++i) {
      u.push_back(0.1 * x[i] * x[0] + 0.05 * x[(i + 1) % dim]);
      v.push_back(x[i] + 0.3 * x[0] * x[1]);
    }
  addPressure<dim>(mesh, 0, 2, u, f);
  test.check(resultant<dim>(f).infinity_norm() <= 1e-14, "no resultant") << resultant<dim>(f);
  const auto volume = [&](double t) {
    auto moved = mesh;
    for (std::size_t a = 0; a < mesh.nodes.size(); ++a)
      for (int i = 0; i < dim; ++i)
        moved.nodes[a][i] += u[a * dim + i] + t * v[a * dim + i];
    return meshVolume(moved);
  };
  const double h = 1e-5, work = std::inner_product(f.begin(), f.end(), v.begin(), 0.0);
  const double rate = (volume(h) - volume(-h)) / (2 * h);
  test.check(std::abs(work + 2 * rate) <= 1e-8, "work is -p dV") << work << " " << -2 * rate;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (CellShape shape : {CellShape::simplex, CellShape::cube}) {
    test.subTest(testMass<2>(shape));
    test.subTest(testMass<3>(shape));
    test.subTest(testLoads<2>(shape));
    test.subTest(testLoads<3>(shape));
    test.subTest(testClosedSurface<2>(shape));
    test.subTest(testClosedSurface<3>(shape));
  }
  test.subTest(testMass<2>(CellShape::simplex, 2));
  test.subTest(testMass<3>(CellShape::simplex, 2));
  test.subTest(testLoads<2>(CellShape::simplex, 2));
  test.subTest(testLoads<3>(CellShape::simplex, 2));
  test.subTest(testClosedSurface<2>(CellShape::simplex, 2));
  test.subTest(testClosedSurface<3>(CellShape::simplex, 2));
  return test.exit();
}
