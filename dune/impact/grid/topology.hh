// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_TOPOLOGY_HH
#define DUNE_IMPACT_GRID_TOPOLOGY_HH

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include <dune/common/fmatrix.hh>

#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_grid
 * \brief Facets, orientation and volume of cells
 */

namespace Dune::Impact {

  //! Local corners of the facets of a cell, each oriented outwards for a cell of positive volume
  template<int dim>
  struct CellFacets
  {
    using Facet = std::pair<int, std::array<int, 4>>; // number of corners, corners

    static std::span<const Facet> of(std::size_t cellCorners)
    {
      if constexpr (dim == 2) {
        static constexpr std::array<Facet, 3> triangle{{{2, {0, 1}}, {2, {1, 2}}, {2, {2, 0}}}};
        static constexpr std::array<Facet, 4> quadrilateral{
          {{2, {0, 1}}, {2, {1, 3}}, {2, {3, 2}}, {2, {2, 0}}}};
        if (cellCorners == 3)
          return triangle;
        return quadrilateral;
      }
      else {
        static constexpr std::array<Facet, 4> tetrahedron{
          {{3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {0, 3, 2}}}};
        static constexpr std::array<Facet, 6> hexahedron{{{4, {0, 4, 6, 2}},
                                                          {4, {1, 3, 7, 5}},
                                                          {4, {0, 1, 5, 4}},
                                                          {4, {2, 6, 7, 3}},
                                                          {4, {0, 2, 3, 1}},
                                                          {4, {4, 5, 7, 6}}}};
        if (cellCorners == 4)
          return tetrahedron;
        return hexahedron;
      }
    }
  };

  //! The corners of a facet in increasing order: what two cells agree on
  template<int dim>
  std::array<Index, SolidMesh<dim>::facetCorners> facetKey(std::span<const Index> corners)
  {
    std::array<Index, SolidMesh<dim>::facetCorners> key;
    key.fill(Index(-1));
    std::copy(corners.begin(), corners.end(), key.begin());
    std::sort(key.begin(), key.end());
    return key;
  }

  template<int dim>
  using FacetKey = std::array<Index, SolidMesh<dim>::facetCorners>;

  //! Call f(facet) for the facets of a cell
  template<int dim, class Function>
  void forEachFacet(std::span<const Index> cell, Function&& f)
  {
    for (const auto& [count, local] : CellFacets<dim>::of(cell.size())) {
      typename SolidMesh<dim>::Facet facet;
      facet.node.fill(0);
      facet.count = count;
      for (int i = 0; i < count; ++i)
        facet.node[i] = cell[local[i]];
      f(facet);
    }
  }

  //! The keys of the facets of all cells in increasing order; a facet of two cells is there twice
  template<int dim>
  std::vector<FacetKey<dim>> sortedFacetKeys(const SolidMesh<dim>& mesh)
  {
    std::vector<FacetKey<dim>> keys;
    for (std::size_t i = 0; i < mesh.cells(); ++i)
      forEachFacet<dim>(mesh.cell(i),
                        [&](const auto& facet) { keys.push_back(facetKey<dim>(facet.corners())); });
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  //! Set the facets of a mesh to those that belong to one cell only, in the order of the cells
  template<int dim>
  void findFacets(SolidMesh<dim>& mesh)
  {
    const auto keys = sortedFacetKeys(mesh);
    mesh.facets.clear();
    for (std::size_t i = 0; i < mesh.cells(); ++i)
      forEachFacet<dim>(mesh.cell(i), [&](const auto& facet) {
        const auto [first, last] =
          std::equal_range(keys.begin(), keys.end(), facetKey<dim>(facet.corners()));
        if (last - first == 1)
          mesh.facets.push_back(facet);
      });
  }

  //! Derivative of the map from the reference element to the cell, at a corner of it
  template<int dim>
  FieldMatrix<double, dim, dim> cornerJacobian(const SolidMesh<dim>& mesh,
                                               std::span<const Index> cell, int corner)
  {
    FieldMatrix<double, dim, dim> J;
    const bool simplex = cell.size() == dim + 1;
    for (int k = 0; k < dim; ++k) {
      const int to = simplex ? k + 1 : corner | (1 << k), from = simplex ? 0 : corner & ~(1 << k);
      const auto edge = mesh.nodes[cell[to]] - mesh.nodes[cell[from]];
      for (int i = 0; i < dim; ++i)
        J[i][k] = edge[i];
    }
    return J;
  }

  //! Exchange corners such that the orientation changes
  template<std::size_t corners>
  void mirror(std::array<Index, corners>& cell, bool simplex)
  {
    if (simplex)
      std::swap(cell[0], cell[1]);
    else
      for (std::size_t i = 0; i + 1 < corners; i += 2)
        std::swap(cell[i], cell[i + 1]);
  }

  //! Give all cells positive volume
  template<int dim>
  void orientCells(SolidMesh<dim>& mesh)
  {
    for (auto& cell : mesh.simplices)
      if (cornerJacobian<dim>(mesh, cell, 0).determinant() < 0)
        mirror(cell, true);
    for (auto& cell : mesh.cubes)
      if (cornerJacobian<dim>(mesh, cell, 0).determinant() < 0)
        mirror(cell, false);
  }

} // namespace Dune::Impact

#endif
