// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numbers>
#include <string>

#include <dune/common/filledarray.hh>
#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/meshchecks.hh>
#include <dune/impact/grid/shapes.hh>

#include "refusal.hh"

using namespace Dune;
using namespace Dune::Impact;

//! Area vector of a facet, outwards
template<int dim>
FieldVector<double, dim> areaVector(const SolidMesh<dim>& mesh,
                                    const typename SolidMesh<dim>::Facet& facet)
{
  const auto x = [&](int i) { return mesh.nodes[facet.node[i]]; };
  if constexpr (dim == 2)
    return {x(1)[1] - x(0)[1], x(0)[0] - x(1)[0]};
  else {
    const auto a = facet.count == 3 ? x(1) - x(0) : x(2) - x(0),
               b = facet.count == 3 ? x(2) - x(0) : x(3) - x(1);
    return {0.5 * (a[1] * b[2] - a[2] * b[1]), 0.5 * (a[2] * b[0] - a[0] * b[2]),
            0.5 * (a[0] * b[1] - a[1] * b[0])};
  }
}

/* The facets close the body: their area vectors sum to zero, and by the theorem of Gauss
 * sum (centre . area)/dim is the volume for flat facets. */
template<int dim>
TestSuite checkSurface(const SolidMesh<dim>& mesh)
{
  TestSuite test("surface");
  FieldVector<double, dim> sum(0.0);
  double volume = 0, area = 0;
  bool flat = true;
  for (const auto& facet : mesh.facets) {
    const auto a = areaVector(mesh, facet);
    FieldVector<double, dim> centre(0.0);
    for (Index node : facet.corners())
      centre.axpy(1.0 / facet.count, mesh.nodes[node]);
    sum += a;
    area += a.two_norm();
    volume += a * centre / dim;
    flat = flat && facet.count < 4;
    test.check(facet.patch >= 0 && facet.patch < int(mesh.patches.size()), "has a patch");
  }
  test.check(sum.two_norm() <= 1e-12 * area, "closed") << sum;
  const double exact = meshVolume(mesh);
  test.check(std::abs(volume - exact) <= (flat ? 1e-12 : 0.05) * exact, "outward normals")
    << volume << " " << exact;
  return test;
}

//! Rows sum to one and linear functions of the straight coarse cells are reproduced
template<int dim>
TestSuite checkProlongation(const SolidMesh<dim>& coarse, const SolidMesh<dim>& fine, bool straight)
{
  TestSuite test("prolongation");
  test.require(!fine.prolongations.empty(), "has levels");
  const Prolongation& p = fine.prolongations.back();
  test.require(p.fineNodes() == fine.nodes.size() && p.coarseNodes == coarse.nodes.size(), "sizes")
    << p.fineNodes() << " " << p.coarseNodes;
  for (std::size_t i = 0; i < p.fineNodes(); ++i) {
    double sum = 0;
    FieldVector<double, dim> x(0.0);
    for (std::size_t k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
      sum += p.weight[k];
      x.axpy(p.weight[k], coarse.nodes[p.column[k]]);
      const double scaled = p.weight[k] * (1 << dim);
      test.check(scaled == std::round(scaled) && scaled > 0,
                 "weight is a positive multiple of a power of two")
        << p.weight[k];
    }
    test.check(sum == 1, "partition of unity") << sum;
    if (straight)
      test.check((x - fine.nodes[i]).infinity_norm() <= 1e-14, "linear functions")
        << x << " " << fine.nodes[i];
  }
  return test;
}

template<int dim>
TestSuite testBox(CellShape shape)
{
  TestSuite test("box");
  FieldVector<double, dim> lower(-1.0), upper(1.0);
  upper[0] = 3;
  std::array<int, dim> cells;
  cells.fill(2);
  cells[0] = 3;
  const auto box = makeBox<dim>(lower, upper, cells, shape);
  const double volume = 2 * std::pow(2.0, dim);
  auto coarse = refineMesh(box, 0, "box");
  test.check(coarse.nodes == box.mesh.nodes, "level 0 keeps the order of the nodes");
  for (int level = 0; level <= 2; ++level) {
    const auto mesh = refineMesh(box, level, "box");
    test.check(mesh.cells() == box.mesh.cells() << (dim * level), "number of cells")
      << mesh.cells();
    test.check(std::abs(meshVolume(mesh) - volume) <= 1e-12 * volume, "volume") << meshVolume(mesh);
    test.subTest(checkSurface(mesh));
    test.check(mesh.findPatch("xmin") == 0 && mesh.findPatch("4") == 3 &&
                 !mesh.findPatch("nowhere"),
               "patches");
    double top = 0;
    for (const auto& facet : mesh.facets)
      if (facet.patch == mesh.findPatch("ymax"))
        top += areaVector(mesh, facet)[1];
    test.check(std::abs(top - (dim == 2 ? 4 : 8)) <= 1e-12, "area of the top") << top;
    if (level > 0)
      test.subTest(checkProlongation(coarse, mesh, true));
    coarse = mesh;
  }
  return test;
}

//! Error of the volume falls by a factor near four per level; boundary nodes lie on the spheres
template<int dim>
TestSuite checkCurved(const CoarseMesh<dim>& shape, double exact, const std::vector<double>& radii,
                      int levels)
{
  TestSuite test("curved");
  double previous = 0;
  SolidMesh<dim> coarse;
  for (int level = 0; level <= levels; ++level) {
    const auto mesh = refineMesh(shape, level, "shape");
    const double error = std::abs(meshVolume(mesh) - exact);
    if (level > 0) {
      test.check(error <= previous / (level == 1 ? 3.0 : 3.5), "volume converges")
        << level << ": " << error << " after " << previous;
      test.subTest(checkProlongation(coarse, mesh, false));
    }
    test.subTest(checkSurface(mesh));
    for (const auto& facet : mesh.facets)
      for (Index node : facet.corners()) {
        const double radius = radii[facet.patch];
        test.check(std::abs(mesh.nodes[node].two_norm() - radius) <= 1e-14 * radius,
                   "node on the sphere")
          << mesh.nodes[node].two_norm() - radius;
      }
    previous = error;
    coarse = mesh;
  }
  return test;
}

template<int dim>
TestSuite testRound(CellShape shape)
{
  TestSuite test("round " + std::to_string(dim) +
                 (shape == CellShape::cube ? " cubes" : " simplices"));
  const double unit = dim == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
  const int levels = dim == 2 ? 3 : 2;
  for (int cells : {1, 2, 3})
    test.subTest(checkCurved(makeBall<dim>(2.5, cells, shape), unit * std::pow(2.5, dim), {2.5},
                             cells == 1 ? levels : 1));
  for (int cells : {1, 2})
    test.subTest(checkCurved(makeShell<dim>(1, 1.5, cells, shape), unit * (std::pow(1.5, dim) - 1),
                             {1, 1.5}, 1));
  return test;
}

TestSuite testRefusals()
{
  TestSuite test("refusals");
  test.check(isRefused([] { makeBall<2>(-1, 3); }), "negative radius");
  test.check(isRefused([] { makeBall<3>(1, 0); }), "no cells");
  test.check(isRefused([] { makeShell<2>(2, 1, 3); }), "inner larger than outer");
  test.check(isRefused([] { makeBox<2>({0, 0}, {1, 0}, {1, 1}); }), "flat box");
  auto box = makeBox<2>({0, 0}, {1, 1}, {2, 2});
  box.mesh.nodes.push_back({3, 3});
  test.check(meshDefect(box.mesh) == "node 9 belongs to no cell", "unused node");
  test.check(isRefused([&] { refineMesh(box, 0, "box"); }), "unused node is refused");
  box = makeBox<2>({0, 0}, {1, 1}, {2, 2});
  std::swap(box.mesh.simplices[3][0], box.mesh.simplices[3][1]);
  test.check(meshDefect(box.mesh) == "cell 3 is inverted: its corners run the wrong way round",
             "inverted");
  box.mesh.nodes[4] = box.mesh.nodes[0];
  test.check(meshDefect(box.mesh) == "cell 0 has no area", "flat cell");
  box.mesh.nodes[4][0] = NAN;
  test.check(meshDefect(box.mesh) == "node 4 has a coordinate that is not finite", "not a number");
  return test;
}

//! Second order: corners are the nodes of first order, the others lie on the curves; the error of
//! the volume falls by a factor near sixteen per level
template<int dim>
TestSuite testQuadratic()
{
  TestSuite test("second order");
  const double exact = dim == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
  double previous = 0;
  for (int level = 0; level <= (dim == 2 ? 3 : 2); ++level) {
    const auto linear = refineMesh(makeBall<dim>(1, 2), level, "ball");
    const auto mesh = refineMesh(makeBall<dim>(1, 2), level, "ball", 2);
    test.check(std::equal(linear.nodes.begin(), linear.nodes.end(), mesh.nodes.begin()) &&
                 linear.simplices == mesh.simplices,
               "corners of first order");
    test.check(linear.order() == 1 && mesh.order() == 2 &&
                 mesh.quadratic.size() == mesh.simplices.size(),
               "orders");
    std::vector<bool> boundary(mesh.nodes.size(), false);
    for (const auto& facet : mesh.facets)
      for (Index node : facet.nodes()) {
        boundary[node] = true;
        test.check(std::abs(mesh.nodes[node].two_norm() - 1) <= 1e-14, "on the sphere")
          << mesh.nodes[node];
      }
    const Prolongation& p = mesh.prolongations.back();
    test.require(p.fineNodes() == mesh.nodes.size() && p.coarseNodes == linear.nodes.size() &&
                   mesh.prolongations.size() == std::size_t(level) + 1,
                 "sizes of the prolongation");
    for (std::size_t i = 0; i < p.fineNodes(); ++i) {
      FieldVector<double, dim> x(0.0);
      for (std::size_t k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
        x.axpy(p.weight[k], mesh.nodes[p.column[k]]);
      test.check(boundary[i] || (x - mesh.nodes[i]).two_norm() <= 1e-15, "in the middle inside");
    }
    const double error = std::abs(meshVolume(mesh) - exact);
    if (level > 0)
      test.check(error <= previous / 10, "volume converges") << error << " after " << previous;
    previous = error;
  }
  const auto box = makeBox<dim>(FieldVector<double, dim>(0), FieldVector<double, dim>(1),
                                filledArray<dim, int>(2), CellShape::cube);
  test.check(isRefused([&] { refineMesh(box, 0, "box", 2); }), "cubes are refused");
  return test;
}

//! A curve that bends too far turns refined cells inside out
TestSuite testBentTooFar()
{
  TestSuite test("bent too far");
  auto box = makeBox<2>({0, 0}, {1, 1}, {1, 1});
  box.curves.resize(box.mesh.facets.size());
  for (std::size_t i = 0; i < box.curves.size(); ++i)
    if (box.mesh.facets[i].patch == 2)
      box.curves[i] = [](const FieldVector<double, 1>& x) {
        return FieldVector<double, 2>{x[0], 6 * x[0] * (1 - x[0])};
      };
  test.check(isRefused([&] { refineMesh(box, 1, "box"); }), "inverted after refinement");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (CellShape shape : {CellShape::simplex, CellShape::cube}) {
    test.subTest(testBox<2>(shape));
    test.subTest(testBox<3>(shape));
    test.subTest(testRound<2>(shape));
    test.subTest(testRound<3>(shape));
  }
  test.subTest(testQuadratic<2>());
  test.subTest(testQuadratic<3>());
  test.subTest(testRefusals());
  test.subTest(testBentTooFar());
  return test.exit();
}
