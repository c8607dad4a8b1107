// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>
#include <dune/grid/yaspgrid.hh>

#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/meshchecks.hh>

using namespace Dune;
using namespace Dune::Impact;

//! Any conforming grid will do: here a structured one of DUNE
template<int dim>
TestSuite testStructuredGrid()
{
  TestSuite test("structured grid");
  FieldVector<double, dim> upper(2.0);
  std::array<int, dim> cells;
  cells.fill(2);
  cells[0] = 3;
  YaspGrid<dim> grid(upper, cells);
  grid.globalRefine(2);
  const auto coarse = grid.levelGridView(1), fine = grid.levelGridView(2);
  const auto coarseNumber = traversalNumbering(coarse), fineNumber = traversalNumbering(fine);
  const auto patchOf = [&](std::size_t segment) { return int(segment); };
  const auto coarseMesh = extractMesh(coarse, coarseNumber, patchOf),
             mesh = extractMesh(fine, fineNumber, patchOf);

  test.check(!meshDefect(mesh), "valid mesh");
  test.check(int(mesh.nodes.size()) == fine.size(dim) && int(mesh.cubes.size()) == fine.size(0) &&
               mesh.simplices.empty(),
             "sizes");
  test.check(std::abs(meshVolume(mesh) - std::pow(2.0, dim)) <= 1e-13, "volume")
    << meshVolume(mesh);
  std::vector<int> children(grid.numBoundarySegments(), 0);
  for (const auto& facet : mesh.facets)
    ++children.at(facet.patch);
  for (int count : children)
    test.check(count == 1 << (2 * (dim - 1)), "segments keep their facets") << count;

  const auto p = levelProlongation(coarse, coarseNumber, fine, fineNumber);
  test.require(p.fineNodes() == mesh.nodes.size() && p.coarseNodes == coarseMesh.nodes.size(),
               "sizes of the prolongation");
  for (std::size_t i = 0; i < p.fineNodes(); ++i) {
    FieldVector<double, dim> x(0.0);
    for (std::size_t k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
      x.axpy(p.weight[k], coarseMesh.nodes[p.column[k]]);
    test.check((x - mesh.nodes[i]).infinity_norm() <= 1e-14, "linear functions") << x;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testStructuredGrid<2>());
  test.subTest(testStructuredGrid<3>());
  return test.exit();
}
