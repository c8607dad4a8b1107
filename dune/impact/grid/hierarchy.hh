// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_HIERARCHY_HH
#define DUNE_IMPACT_GRID_HIERARCHY_HH

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dune/grid/common/rangegenerators.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/solidmesh.hh>
#include <dune/impact/grid/topology.hh>

/** \file
 * \ingroup impact_grid
 * \brief From a DUNE grid view to plain arrays, and interpolation between levels
 *
 * Only the grid interface is used, so any conforming grid of simplices and cubes will do.
 * Nodes are numbered by a vector that maps the index of the view to the number in the mesh.
 */

namespace Dune::Impact {

  //! Nodes in the order in which the elements meet them, so that neighbours are close in memory
  template<class GridView>
  std::vector<Index> traversalNumbering(const GridView& gridView)
  {
    constexpr int dim = GridView::dimension;
    constexpr Index none = Index(-1);
    std::vector<Index> number(gridView.size(dim), none);
    Index next = 0;
    for (const auto& element : elements(gridView))
      for (unsigned int i = 0; i < element.subEntities(dim); ++i)
        if (Index& n = number[gridView.indexSet().subIndex(element, i, dim)]; n == none)
          n = next++;
    return number;
  }

  //! Sign of the determinant of an affine or multilinear map at the first corner
  template<class Geometry>
  int cornerSign(const Geometry& geometry)
  {
    constexpr int dim = Geometry::mydimension;
    FieldMatrix<double, dim, dim> J;
    for (int k = 0; k < dim; ++k) {
      const auto edge =
        geometry.corner(geometry.type().isSimplex() ? k + 1 : 1 << k) - geometry.corner(0);
      for (int i = 0; i < dim; ++i)
        J[i][k] = edge[i];
    }
    return J.determinant() < 0 ? -1 : 1;
  }

  /** \brief Orientation of the corners of an element, relative to a coarsest element that is not
   * inverted
   *
   * Taken from the local coordinates in the fathers, so that it says nothing about positions: an
   * element that a curved boundary has turned inside out keeps its sign and can be found out.
   */
  template<class Element>
  int topologicalOrientation(Element element)
  {
    int sign = 1;
    while (element.hasFather()) {
      sign *= cornerSign(element.geometryInFather());
      element = element.father();
    }
    return sign * cornerSign(element.geometry());
  }

  //! Corners of an element in positive orientation
  template<std::size_t corners, class GridView, class Element>
  std::array<Index, corners> readCorners(const GridView& gridView, const Element& element,
                                         const std::vector<Index>& number)
  {
    std::array<Index, corners> cell;
    for (std::size_t i = 0; i < corners; ++i)
      cell[i] = number[gridView.indexSet().subIndex(element, i, GridView::dimension)];
    if (topologicalOrientation(element) < 0)
      mirror(cell, element.type().isSimplex());
    return cell;
  }

  //! Append the boundary facets of an element; patchOf(boundarySegmentIndex) is an index into the
  //! patches
  template<class GridView, class Element, class PatchOf>
  void readFacets(const GridView& gridView, const Element& element, std::span<const Index> cell,
                  const std::vector<Index>& number, PatchOf&& patchOf,
                  SolidMesh<GridView::dimension>& mesh)
  {
    constexpr int dim = GridView::dimension;
    const auto reference = referenceElement(element);
    for (const auto& intersection : intersections(gridView, element)) {
      if (!intersection.boundary())
        continue;
      std::vector<Index> corners;
      for (int i = 0; i < reference.size(intersection.indexInInside(), 1, dim); ++i)
        corners.push_back(number[gridView.indexSet().subIndex(
          element, reference.subEntity(intersection.indexInInside(), 1, i, dim), dim)]);
      const auto key = facetKey<dim>(corners);
      forEachFacet<dim>(cell, [&](auto facet) {
        if (facetKey<dim>(facet.corners()) == key) {
          facet.patch = patchOf(intersection.boundarySegmentIndex());
          mesh.facets.push_back(facet);
        }
      });
    }
  }

  /** \brief Nodes, cells and boundary facets of a grid view
   *
   * The patches and the prolongations are left empty. Throws InputError for cells that are
   * neither simplices nor cubes.
   */
  template<class GridView, class PatchOf>
  SolidMesh<GridView::dimension> extractMesh(const GridView& gridView,
                                             const std::vector<Index>& number, PatchOf&& patchOf)
  {
    constexpr int dim = GridView::dimension;
    static_assert(GridView::dimensionworld == dim);
    SolidMesh<dim> mesh;
    mesh.nodes.resize(gridView.size(dim));
    for (const auto& vertex : vertices(gridView))
      mesh.nodes[number[gridView.indexSet().index(vertex)]] = vertex.geometry().corner(0);
    for (const auto& element : elements(gridView)) {
      if (element.type().isSimplex()) {
        mesh.simplices.push_back(readCorners<dim + 1>(gridView, element, number));
        readFacets(gridView, element, mesh.simplices.back(), number, patchOf, mesh);
      }
      else if (element.type().isCube()) {
        mesh.cubes.push_back(readCorners<(1 << dim)>(gridView, element, number));
        readFacets(gridView, element, mesh.cubes.back(), number, patchOf, mesh);
      }
      else
        throw InputError("the grid has cells that are neither simplices nor cubes");
    }
    return mesh;
  }

  //! P1 or Q1 shape function of a corner at a local coordinate
  template<class Local>
  double cornerWeight(bool simplex, int corner, const Local& x)
  {
    double weight = 1;
    if (simplex) {
      if (corner > 0)
        return x[corner - 1];
      for (double c : x)
        weight -= c;
      return weight;
    }
    for (std::size_t k = 0; k < x.size(); ++k)
      weight *= corner >> k & 1 ? x[k] : 1 - x[k];
    return weight;
  }

  /** \brief Interpolation from a level to the next finer one
   *
   * The weights are the coarse shape functions at the local coordinates of the fine vertices in
   * their father elements. Positions are not used: refinement moves vertices onto a curved
   * boundary, which changes positions and not the interpolation.
   */
  template<class GridView>
  Prolongation levelProlongation(const GridView& coarse, const std::vector<Index>& coarseNumber,
                                 const GridView& fine, const std::vector<Index>& fineNumber)
  {
    constexpr int dim = GridView::dimension;
    constexpr double roundoff = 1e-12; // of local coordinates, which are multiples of 1/2
    std::vector<std::vector<std::pair<Index, double>>> rows(fine.size(dim));
    for (const auto& element : elements(fine)) {
      const auto father = element.father();
      const auto inFather = element.geometryInFather();
      for (int i = 0; i < inFather.corners(); ++i) {
        auto& row = rows[fineNumber[fine.indexSet().subIndex(element, i, dim)]];
        if (!row.empty())
          continue;
        for (int c = 0; c < int(father.subEntities(dim)); ++c)
          if (const double w = cornerWeight(father.type().isSimplex(), c, inFather.corner(i));
              std::abs(w) > roundoff)
            row.emplace_back(coarseNumber[coarse.indexSet().subIndex(father, c, dim)], w);
        std::sort(row.begin(), row.end());
      }
    }
    Prolongation prolongation;
    prolongation.coarseNodes = coarse.size(dim);
    for (const auto& row : rows) {
      for (const auto& [column, weight] : row) {
        prolongation.column.push_back(column);
        prolongation.weight.push_back(weight);
      }
      prolongation.rowStart.push_back(prolongation.column.size());
    }
    return prolongation;
  }

} // namespace Dune::Impact

#endif
