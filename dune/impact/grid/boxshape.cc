// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/lattice.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/grid/topology.hh>

namespace Dune::Impact {

  namespace {

    //! Patch of a facet of a box: the side on which all its corners lie
    template<int dim>
    int boxSide(const SolidMesh<dim>& mesh, const typename SolidMesh<dim>::Facet& facet,
                const FieldVector<double, dim>& lower, const FieldVector<double, dim>& upper)
    {
      for (int side = 0; side < 2 * dim; ++side) {
        const double plane = (side % 2 ? upper : lower)[side / 2];
        const auto corners = facet.corners();
        if (std::all_of(corners.begin(), corners.end(),
                        [&](Index node) { return mesh.nodes[node][side / 2] == plane; }))
          return side;
      }
      return SolidMesh<dim>::noPatch;
    }

    //! Number of a lattice point, the first component running fastest
    template<int dim>
    Index pointNumber(const LatticePoint<dim>& point, const LatticePoint<dim>& size)
    {
      Index number = 0;
      for (int k = dim - 1; k >= 0; --k)
        number = number * size[k] + point[k];
      return number;
    }

    //! A cube per lattice cell, or the dim! simplices of Freudenthal's triangulation, which are
    //! conforming across lattice cells
    template<int dim>
    void addBoxCells(SolidMesh<dim>& mesh, const std::array<int, dim>& cells,
                     const LatticePoint<dim>& size, CellShape shape)
    {
      const LatticePoint<dim> count = cells;
      forEachPoint(count, [&](const LatticePoint<dim>& base) {
        if (shape == CellShape::simplex) {
          forEachPath(base, [&](const auto& path) {
            typename SolidMesh<dim>::Simplex cell;
            for (int i = 0; i <= dim; ++i)
              cell[i] = pointNumber<dim>(path[i], size);
            mesh.simplices.push_back(cell);
          });
          return;
        }
        typename SolidMesh<dim>::Cube cell;
        for (int corner = 0; corner < (1 << dim); ++corner) {
          auto point = base;
          for (int k = 0; k < dim; ++k)
            point[k] += corner >> k & 1;
          cell[corner] = pointNumber<dim>(point, size);
        }
        mesh.cubes.push_back(cell);
      });
    }

  } // namespace

  //! Coordinates of the last lattice point are exactly those of upper, so that boxSide() can
  //! compare them without a tolerance
  template<int dim>
  CoarseMesh<dim> makeBox(const FieldVector<double, dim>& lower,
                          const FieldVector<double, dim>& upper, const std::array<int, dim>& cells,
                          CellShape shape)
  {
    LatticePoint<dim> size;
    for (int k = 0; k < dim; ++k) {
      if (!(lower[k] < upper[k]))
        throw InputError("a box needs lower < upper in every direction");
      if (cells[k] < 1)
        throw InputError("a box needs at least one cell in every direction");
      size[k] = cells[k] + 1;
    }
    CoarseMesh<dim> coarse;
    auto& mesh = coarse.mesh;
    forEachPoint(size, [&](const LatticePoint<dim>& point) {
      FieldVector<double, dim> x;
      for (int k = 0; k < dim; ++k)
        x[k] =
          point[k] == cells[k] ? upper[k] : lower[k] + (upper[k] - lower[k]) * point[k] / cells[k];
      mesh.nodes.push_back(x);
    });
    addBoxCells<dim>(mesh, cells, size, shape);
    orientCells(mesh);
    findFacets(mesh);
    mesh.patches = {{1, "xmin"}, {2, "xmax"}, {3, "ymin"}, {4, "ymax"}, {5, "zmin"}, {6, "zmax"}};
    mesh.patches.resize(2 * dim);
    for (auto& facet : mesh.facets)
      facet.patch = boxSide<dim>(mesh, facet, lower, upper);
    return coarse;
  }

  template CoarseMesh<2> makeBox<2>(const FieldVector<double, 2>&, const FieldVector<double, 2>&,
                                    const std::array<int, 2>&, CellShape);
  template CoarseMesh<3> makeBox<3>(const FieldVector<double, 3>&, const FieldVector<double, 3>&,
                                    const std::array<int, 3>&, CellShape);

} // namespace Dune::Impact
