// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_HIERARCHY_HH
#define DUNE_IMPACT_GRID_HIERARCHY_HH

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dune/functions/functionspacebases/lagrangebasis.hh>

#include <dune/grid/common/rangegenerators.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/quadraticsimplex.hh>
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

  /** \brief Numbers in the mesh of the dofs of a Lagrange basis
   *
   * Dofs at vertices have the numbers that vectors of vertices give them, those in the middle of
   * edges follow, in the order in which the elements meet them.
   */
  template<class Basis>
  std::vector<Index> nodeNumbering(const Basis& basis, const std::vector<Index>& vertexNumber)
  {
    constexpr int dim = Basis::GridView::dimension;
    constexpr Index none = Index(-1);
    std::vector<Index> number(basis.size(), none);
    Index next = Index(vertexNumber.size());
    auto localView = basis.localView();
    for (const auto& element : elements(basis.gridView())) {
      localView.bind(element);
      const auto& dofs = localView.tree().finiteElement().localCoefficients();
      for (std::size_t i = 0; i < dofs.size(); ++i) {
        Index& n = number[localView.index(i)[0]];
        const auto key = dofs.localKey(i);
        if (int(key.codim()) == dim)
          n = vertexNumber[basis.gridView().indexSet().subIndex(element, key.subEntity(), dim)];
        else if (n == none)
          n = next++;
      }
    }
    return number;
  }

  //! Nodes of an element in positive orientation: its corners, and those between corners i and j
  template<int dim>
  struct ElementNodes
  {
    std::array<Index, (1 << dim)> corner{};
    std::array<std::array<Index, dim + 1>, dim + 1> middle{}; //!< second order only, symmetric

    template<std::size_t corners>
    std::array<Index, corners> cell() const
    {
      std::array<Index, corners> result;
      std::copy_n(corner.begin(), corners, result.begin());
      return result;
    }

    typename SolidMesh<dim>::QuadraticSimplex quadratic() const
    {
      typename SolidMesh<dim>::QuadraticSimplex result;
      for (int j = 0; j <= dim; ++j)
        for (int i = 0; i <= j; ++i)
          result[latticeIndex(i, j)] = i == j ? corner[i] : middle[i][j];
      return result;
    }
  };

  //! By the dofs of a bound local view; number is that of nodeNumbering()
  template<class LocalView>
  ElementNodes<LocalView::GridView::dimension> readNodes(const LocalView& localView,
                                                         const std::vector<Index>& number)
  {
    constexpr int dim = LocalView::GridView::dimension;
    const auto& element = localView.element();
    const auto reference = referenceElement(element);
    const auto& dofs = localView.tree().finiteElement().localCoefficients();
    ElementNodes<dim> nodes;
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      const Index n = number[localView.index(i)[0]];
      const auto key = dofs.localKey(i);
      if (int(key.codim()) == dim)
        nodes.corner[key.subEntity()] = n;
      else {
        const int a = reference.subEntity(key.subEntity(), dim - 1, 0, dim),
                  b = reference.subEntity(key.subEntity(), dim - 1, 1, dim);
        nodes.middle[a][b] = nodes.middle[b][a] = n;
      }
    }
    if (topologicalOrientation(element) > 0)
      return nodes;
    if (element.type().isCube()) {
      mirror(nodes.corner, false);
      return nodes;
    }
    std::swap(nodes.corner[0], nodes.corner[1]);
    std::swap(nodes.middle[0], nodes.middle[1]);
    for (auto& row : nodes.middle)
      std::swap(row[0], row[1]);
    return nodes;
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

  //! Put the nodes between corners in the middle of straight edges
  template<int dim>
  void placeMiddleNodes(SolidMesh<dim>& mesh)
  {
    for (std::size_t c = 0; c < mesh.quadratic.size(); ++c)
      for (int j = 1; j <= dim; ++j)
        for (int i = 0; i < j; ++i) {
          auto& x = mesh.nodes[mesh.quadratic[c][latticeIndex(i, j)]];
          x = mesh.nodes[mesh.simplices[c][i]] + mesh.nodes[mesh.simplices[c][j]];
          x *= 0.5;
        }
  }

  /** \brief Nodes, cells and boundary facets of a grid view, for Lagrange functions of an order
   *
   * Nodes are the dofs of the Lagrange basis of dune-functions, in the order of nodeNumbering();
   * nodes in the middle of edges lie in the middle. The patches and the prolongations are left
   * empty. Throws InputError for cells that are neither simplices nor cubes, and for cubes of
   * second order.
   */
  template<int order = 1, class GridView, class PatchOf>
  SolidMesh<GridView::dimension> extractMesh(const GridView& gridView,
                                             const std::vector<Index>& vertexNumber,
                                             PatchOf&& patchOf)
  {
    constexpr int dim = GridView::dimension;
    static_assert(GridView::dimensionworld == dim);
    for (const auto type : gridView.indexSet().types(0)) {
      if (!type.isSimplex() && !type.isCube())
        throw InputError("the grid has cells that are neither simplices nor cubes");
      if (order > 1 && !type.isSimplex())
        throw InputError("a mesh of second order has triangles or tetrahedra only");
    }
    const Functions::LagrangeBasis<GridView, order> basis(gridView);
    const auto number = nodeNumbering(basis, vertexNumber);
    SolidMesh<dim> mesh;
    mesh.nodes.resize(basis.size());
    for (const auto& vertex : vertices(gridView))
      mesh.nodes[vertexNumber[gridView.indexSet().index(vertex)]] = vertex.geometry().corner(0);
    auto localView = basis.localView();
    for (const auto& element : elements(gridView)) {
      localView.bind(element);
      const auto nodes = readNodes(localView, number);
      const std::size_t firstFacet = mesh.facets.size();
      if (element.type().isSimplex()) {
        mesh.simplices.push_back(nodes.template cell<dim + 1>());
        readFacets(gridView, element, mesh.simplices.back(), vertexNumber, patchOf, mesh);
      }
      else {
        mesh.cubes.push_back(nodes.template cell<(1 << dim)>());
        readFacets(gridView, element, mesh.cubes.back(), vertexNumber, patchOf, mesh);
      }
      if constexpr (order > 1) {
        mesh.quadratic.push_back(nodes.quadratic());
        for (std::size_t f = firstFacet; f < mesh.facets.size(); ++f)
          addMiddleNodes<dim>(mesh.simplices.back(), mesh.quadratic.back(), mesh.facets[f]);
      }
    }
    placeMiddleNodes(mesh);
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

  //! Interpolation of P1 functions by P2 functions on the same mesh: a node in the middle of an
  //! edge has the mean of the corners of the edge
  template<int dim>
  Prolongation orderProlongation(const SolidMesh<dim>& mesh)
  {
    std::vector<std::array<Index, 2>> ends(mesh.nodes.size());
    for (std::size_t c = 0; c < mesh.quadratic.size(); ++c)
      for (int j = 0; j <= dim; ++j)
        for (int i = 0; i <= j; ++i) {
          const Index a = mesh.simplices[c][i], b = mesh.simplices[c][j];
          ends[mesh.quadratic[c][latticeIndex(i, j)]] = {std::min(a, b), std::max(a, b)};
        }
    Prolongation prolongation;
    for (const auto& [a, b] : ends) {
      prolongation.coarseNodes += a == b;
      prolongation.column.push_back(a);
      prolongation.weight.push_back(a == b ? 1 : 0.5);
      if (a != b) {
        prolongation.column.push_back(b);
        prolongation.weight.push_back(0.5);
      }
      prolongation.rowStart.push_back(prolongation.column.size());
    }
    return prolongation;
  }

} // namespace Dune::Impact

#endif
