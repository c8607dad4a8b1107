// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_SHAPEFUNCTIONS_HH
#define DUNE_IMPACT_BODY_SHAPEFUNCTIONS_HH

#include <array>
#include <cmath>

#include <dune/impact/grid/quadraticsimplex.hh>
#include <dune/impact/grid/solidmesh.hh>
#include <dune/impact/material/tensor.hh>

/** \file
 * \ingroup impact_body
 * \brief P1 functions on simplices (dim + 1 nodes), Q1 functions on cubes (2^dim nodes), P2
 * functions on simplices ((dim + 1)(dim + 2)/2 nodes)
 */

namespace Dune::Impact {

  //! Point q of the Gauss rule with two points per direction
  template<int dim>
  FieldVector<double, dim> gaussPoint(int q)
  {
    const double a = 0.5 / std::sqrt(3.0);
    FieldVector<double, dim> x;
    for (int k = 0; k < dim; ++k)
      x[k] = q >> k & 1 ? 0.5 + a : 0.5 - a;
    return x;
  }

  template<int dim, int N>
  constexpr bool isSimplex = N == dim + 1;

  template<int dim, int N>
  constexpr bool isQuadratic = N == quadraticNodes<dim>;

  //! Point q of the rule with Q points that integrates the energy of a cell with N nodes
  template<int dim, int N, int Q>
  FieldVector<double, dim> integrationPoint(int q)
  {
    if constexpr (isQuadratic<dim, N>)
      return quadraticPoint<dim>(q);
    else
      return gaussPoint<dim>(q);
  }

  //! Weight of its points, which is the same for all
  template<int dim, int N, int Q>
  constexpr double integrationWeight()
  {
    constexpr double simplex = dim == 2 ? 0.5 : 1.0 / 6;
    if (isQuadratic<dim, N>)
      return simplex / Q;
    return Q == 1 ? simplex : 1.0 / Q;
  }

  //! Values at a local point
  template<int dim, int N>
  std::array<double, N> shapeValues(const FieldVector<double, dim>& x)
  {
    std::array<double, N> value;
    if constexpr (isQuadratic<dim, N>)
      value = quadraticValues<dim>(x);
    else if constexpr (isSimplex<dim, N>) {
      value[0] = 1;
      for (int k = 0; k < dim; ++k) {
        value[k + 1] = x[k];
        value[0] -= x[k];
      }
    }
    else
      for (int c = 0; c < N; ++c) {
        value[c] = 1;
        for (int k = 0; k < dim; ++k)
          value[c] *= c >> k & 1 ? x[k] : 1 - x[k];
      }
    return value;
  }

  //! Gradients in local coordinates at a local point
  template<int dim, int N>
  std::array<FieldVector<double, dim>, N> localGradients(const FieldVector<double, dim>& x)
  {
    std::array<FieldVector<double, dim>, N> gradient;
    gradient.fill(FieldVector<double, dim>(0.0));
    if constexpr (isQuadratic<dim, N>)
      gradient = quadraticGradients<dim>(x);
    else if constexpr (isSimplex<dim, N>)
      for (int k = 0; k < dim; ++k) {
        gradient[0][k] = -1;
        gradient[k + 1][k] = 1;
      }
    else
      for (int c = 0; c < N; ++c)
        for (int k = 0; k < dim; ++k) {
          gradient[c][k] = c >> k & 1 ? 1 : -1;
          for (int j = 0; j < dim; ++j)
            if (j != k)
              gradient[c][k] *= c >> j & 1 ? x[j] : 1 - x[j];
        }
    return gradient;
  }

  //! Gradients in the reference configuration and the determinant of the map from local coordinates
  template<int dim, int N>
  struct ShapeGradients
  {
    double determinant;
    std::array<FieldVector<double, dim>, N> gradient;
  };

  template<int dim, int N>
  ShapeGradients<dim, N> shapeGradients(const SolidMesh<dim>& mesh,
                                        const std::array<Index, N>& corners,
                                        const FieldVector<double, dim>& x)
  {
    const auto local = localGradients<dim, N>(x);
    Tensor<dim> J(0.0);
    for (int c = 0; c < N; ++c)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          J[i][k] += mesh.nodes[corners[c]][i] * local[c][k];
    const Tensor<dim> map = transposed(inverse(J));
    ShapeGradients<dim, N> result;
    result.determinant = J.determinant();
    for (int c = 0; c < N; ++c)
      result.gradient[c] = product(map, local[c]);
    return result;
  }

  //! Volume of a cube, as the determinant, and the means over it of the gradients. Two points per
  //! direction integrate both exactly.
  template<int dim>
  ShapeGradients<dim, (1 << dim)> meanGradients(const SolidMesh<dim>& mesh,
                                                const std::array<Index, (1 << dim)>& corners)
  {
    constexpr int N = 1 << dim;
    ShapeGradients<dim, N> mean;
    mean.determinant = 0;
    mean.gradient.fill(FieldVector<double, dim>(0.0));
    for (int q = 0; q < N; ++q) {
      const auto map = shapeGradients<dim, N>(mesh, corners, gaussPoint<dim>(q));
      mean.determinant += map.determinant / N;
      for (int a = 0; a < N; ++a)
        mean.gradient[a].axpy(map.determinant / N, map.gradient[a]);
    }
    for (auto& gradient : mean.gradient)
      gradient /= mean.determinant;
    return mean;
  }

} // namespace Dune::Impact

#endif
