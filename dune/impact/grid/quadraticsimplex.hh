// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_QUADRATICSIMPLEX_HH
#define DUNE_IMPACT_GRID_QUADRATICSIMPLEX_HH

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <dune/localfunctions/lagrange/lagrangesimplex.hh>

#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_grid
 * \brief P2 functions on simplices, by dune-localfunctions
 *
 * A simplex of second order has a node at each corner and one on each edge. The nodes are in the
 * order of a lattice whose first index runs fastest, that of the Lagrange elements of DUNE: on a
 * triangle corner 0, edge 01, corner 1, edge 02, edge 12, corner 2.
 */

namespace Dune::Impact {

  //! Place in the order of the lattice of the node between corners i and j, of corner i for j = i
  constexpr int latticeIndex(int i, int j)
  {
    return i <= j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j;
  }

  //! Number of nodes of a simplex of second order
  template<int dim>
  constexpr int quadraticNodes = (dim + 1) * (dim + 2) / 2;

  template<int dim>
  const auto& quadraticBasis()
  {
    static const LagrangeSimplexLocalFiniteElement<double, double, dim, 2> element;
    return element.localBasis();
  }

  //! Values of the P2 functions at a local point
  template<int dim>
  std::array<double, quadraticNodes<dim>> quadraticValues(const FieldVector<double, dim>& x)
  {
    std::vector<FieldVector<double, 1>> values;
    quadraticBasis<dim>().evaluateFunction(x, values);
    std::array<double, quadraticNodes<dim>> result;
    std::copy(values.begin(), values.end(), result.begin());
    return result;
  }

  //! Their gradients in local coordinates
  template<int dim>
  std::array<FieldVector<double, dim>, quadraticNodes<dim>> quadraticGradients(
    const FieldVector<double, dim>& x)
  {
    std::vector<FieldMatrix<double, 1, dim>> jacobians;
    quadraticBasis<dim>().evaluateJacobian(x, jacobians);
    std::array<FieldVector<double, dim>, quadraticNodes<dim>> result;
    for (int a = 0; a < quadraticNodes<dim>; ++a)
      result[a] = jacobians[a][0];
    return result;
  }

  //! Local coordinates of the nodes
  template<int dim>
  std::array<FieldVector<double, dim>, quadraticNodes<dim>> quadraticLattice()
  {
    std::array<FieldVector<double, dim>, quadraticNodes<dim>> nodes;
    nodes.fill(FieldVector<double, dim>(0.0));
    for (int j = 0; j <= dim; ++j)
      for (int i = 0; i <= j; ++i)
        for (const int corner : {i, j})
          if (corner > 0)
            nodes[latticeIndex(i, j)][corner - 1] += 0.5;
    return nodes;
  }

  /** \brief Point q of the rule of degree two with dim + 1 points inside the simplex
   *
   * Each point stands for the same part of the volume. With these points the stiffness has no
   * modes without energy other than rigid motions.
   */
  template<int dim>
  FieldVector<double, dim> quadraticPoint(int q)
  {
    const double a = dim == 2 ? 1.0 / 6 : (5 - std::sqrt(5.0)) / 20;
    FieldVector<double, dim> x(a);
    if (q > 0)
      x[q - 1] = 1 - dim * a;
    return x;
  }

  //! Derivative of the map from local coordinates to the cell
  template<int dim>
  FieldMatrix<double, dim, dim> quadraticJacobian(
    const SolidMesh<dim>& mesh, const typename SolidMesh<dim>::QuadraticSimplex& cell,
    const FieldVector<double, dim>& x)
  {
    const auto gradient = quadraticGradients<dim>(x);
    FieldMatrix<double, dim, dim> J(0.0);
    for (int a = 0; a < quadraticNodes<dim>; ++a)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          J[i][k] += mesh.nodes[cell[a]][i] * gradient[a][k];
    return J;
  }

  //! The node between two corners of a cell, given by their numbers in the mesh
  template<int dim>
  Index middleNode(const typename SolidMesh<dim>::Simplex& corners,
                   const typename SolidMesh<dim>::QuadraticSimplex& cell, Index a, Index b)
  {
    const auto place = [&](Index node) {
      return int(std::find(corners.begin(), corners.end(), node) - corners.begin());
    };
    return cell[latticeIndex(place(a), place(b))];
  }

  //! Give a facet of a cell the nodes in the middle of its edges
  template<int dim>
  void addMiddleNodes(const typename SolidMesh<dim>::Simplex& corners,
                      const typename SolidMesh<dim>::QuadraticSimplex& cell,
                      typename SolidMesh<dim>::Facet& facet)
  {
    facet.middles = dim == 2 ? 1 : 3;
    for (int k = 0; k < facet.middles; ++k)
      facet.node[facet.count + k] =
        middleNode<dim>(corners, cell, facet.node[k], facet.node[(k + 1) % facet.count]);
  }

} // namespace Dune::Impact

#endif
