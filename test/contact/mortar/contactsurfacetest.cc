// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/contactsurface.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/geometry/facetgeometry.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;

template<int dim>
SolidMesh<dim> box(CellShape shape)
{
  FieldVector<double, dim> lower(0), upper;
  std::array<int, dim> cells;
  for (int c = 0; c < dim; ++c) {
    upper[c] = 2 + c;
    cells[c] = 2 + c;
  }
  return refineMesh(makeBox<dim>(lower, upper, cells, shape), 0, "box");
}

//! The whole boundary: closed, outwards, with the area of the box
template<int dim>
TestSuite testWhole(CellShape shape)
{
  TestSuite test("whole boundary");
  const auto mesh = box<dim>(shape);
  const auto surface = makeContactSurface(mesh, {}, 4, 100);
  test.check(surface.body == 4, "body");
  test.check(surface.facets.size() == mesh.facets.size(), "all facets");
  test.check(isClosed(surface), "closed");
  test.check(std::is_sorted(surface.node.begin(), surface.node.end()), "nodes increase");
  for (std::size_t i = 0; i < surface.node.size(); ++i)
    test.check(surface.reference[i] == mesh.nodes[surface.node[i] - 100], "positions of the nodes");
  double winding = 0, outside = 0;
  for (const auto& facet : surface.facets)
    for (int k = dim - 1; k < facet.count; ++k) { // quadrilaterals are two triangles
      FacetCorners<dim> corners;
      corners[0] = surface.reference[facet.node[0]];
      corners[dim - 1] = surface.reference[facet.node[k]];
      if (dim == 3)
        corners[1] = surface.reference[facet.node[k - 1]];
      winding += windingPart<dim>(corners, FieldVector<double, dim>(0.9));
      outside += windingPart<dim>(corners, FieldVector<double, dim>(-0.9));
    }
  test.check(std::abs(winding - 1) < 1e-13 && std::abs(outside) < 1e-13,
             "facets are oriented outwards")
    << winding << " " << outside;
  const auto areas = nodeAreas(surface);
  const double area = std::accumulate(areas.begin(), areas.end(), 0.0),
               expected = dim == 2 ? 10 : 52;
  test.check(std::abs(area - expected) < 1e-12, "areas of nodes add up") << area;
  return test;
}

template<int dim>
TestSuite testPatch(CellShape shape)
{
  TestSuite test("patch");
  const auto mesh = box<dim>(shape);
  const auto surface = makeContactSurface(mesh, mesh.findPatch("xmax"), 0, 0);
  const std::size_t nodes = dim == 2 ? 4 : 20;
  test.check(surface.node.size() == nodes, "nodes of the patch") << surface.node.size();
  for (const auto& x : surface.reference)
    test.check(x[0] == 2, "the patch is the right side") << x;
  for (const auto& facet : surface.facets)
    for (Index i : facet.corners())
      test.check(i < surface.node.size(), "corners are numbers of the surface");
  const auto areas = nodeAreas(surface);
  const double area = std::accumulate(areas.begin(), areas.end(), 0.0),
               expected = dim == 2 ? 3 : 12;
  test.check(std::abs(area - expected) < 1e-13, "area of the patch") << area;
  std::vector<double> u(mesh.nodes.size() * dim);
  std::iota(u.begin(), u.end(), 0.0);
  const auto x = surface.position(1, u);
  for (int c = 0; c < dim; ++c)
    test.check(x[c] == surface.reference[1][c] + double(surface.node[1] * dim + c),
               "positions move with displacements");
  return test;
}

//! Facets of second order become linear ones between their nodes, oriented outwards
template<int dim>
TestSuite testQuadratic()
{
  TestSuite test("second order");
  const auto mesh = refineMesh(makeBall<dim>(1, 2), 0, "ball", 2);
  const auto surface = makeContactSurface(mesh, std::nullopt, 0, 0);
  test.check(surface.facets.size() == mesh.facets.size() * (dim == 2 ? 2 : 4), "facets");
  for (const auto& facet : surface.facets) {
    FieldVector<double, dim> centre(0);
    for (Index i : facet.corners())
      centre += surface.reference[i];
    const auto a = surface.reference[facet.node[1]] - surface.reference[facet.node[0]];
    double outward = a[1] * centre[0] - a[0] * centre[1];
    if constexpr (dim == 3) {
      const auto b = surface.reference[facet.node[2]] - surface.reference[facet.node[0]];
      outward = centre[0] * (a[1] * b[2] - a[2] * b[1]) + centre[1] * (a[2] * b[0] - a[0] * b[2]) +
                centre[2] * (a[0] * b[1] - a[1] * b[0]);
    }
    test.check(outward > 0 && facet.middles == 0, "linear and outwards") << outward;
  }
  const auto areas = nodeAreas(surface);
  for (std::size_t i = 0; i < areas.size(); ++i)
    test.check(areas[i] > 0 && std::abs(surface.reference[i].two_norm() - 1) < 1e-14,
               "nodes on the sphere, each with an area");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (auto shape : {CellShape::simplex, CellShape::cube}) {
    test.subTest(testWhole<2>(shape));
    test.subTest(testWhole<3>(shape));
    test.subTest(testPatch<2>(shape));
    test.subTest(testPatch<3>(shape));
  }
  test.subTest(testQuadratic<2>());
  test.subTest(testQuadratic<3>());
  return test.exit();
}
