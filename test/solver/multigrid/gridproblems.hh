// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_SOLVER_MULTIGRID_GRIDPROBLEMS_HH
#define DUNE_IMPACT_TEST_SOLVER_MULTIGRID_GRIDPROBLEMS_HH

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <dune/impact/solver/multigrid/blockmatrix.hh>
#include <dune/impact/solver/multigrid/boxproblem.hh>
#include <dune/impact/solver/multigrid/transfer.hh>

/** \file
 * \brief Laplace and elasticity problems on the unit cube with a hierarchy, by hand
 */

namespace Dune::Impact::Test {

  constexpr double infinity = std::numeric_limits<double>::infinity();

  //! P1 on Kuhn simplices or Q1 on cubes
  enum class Shape { simplex, cube };

  /** \brief Nodes of the grid with N^dim cells of the unit cube
   *
   * Numbered with the first coordinate fastest. The layer with last coordinate N is left out: its
   * values are given.
   */
  template<int dim>
  struct GridNodes
  {
    int N;

    int size() const { return int(std::pow(N + 1, dim - 1) + 0.5) * N; }

    std::array<int, dim> coordinates(int node) const
    {
      std::array<int, dim> x;
      for (int k = 0; k < dim; ++k, node /= N + 1)
        x[k] = node % (N + 1);
      return x;
    }

    //! -1 if outside, -2 if in the layer of given values
    int index(const std::array<int, dim>& x) const
    {
      int node = 0;
      for (int k = dim; k-- > 0;) {
        if (x[k] < 0 || x[k] > N)
          return -1;
        node = node * (N + 1) + x[k];
      }
      return x[dim - 1] == N ? -2 : node;
    }
  };

  //! Gradients of the 2^dim functions of a unit cell and a weight, at quadrature points
  template<int dim>
  struct CellPoint
  {
    std::array<std::array<double, dim>, 1 << dim> gradients{};
    double weight = 0;
  };

  //! One point per simplex of the Kuhn triangulation: walks from corner 0 to the opposite one
  template<int dim>
  void addSimplices(std::array<int, dim> order, int from, std::vector<CellPoint<dim>>& points)
  {
    if (from < dim) {
      for (int k = from; k < dim; ++k) {
        std::swap(order[from], order[k]);
        addSimplices<dim>(order, from + 1, points);
        std::swap(order[from], order[k]);
      }
      return;
    }
    CellPoint<dim> point;
    point.weight = 1;
    for (int k = 0, corner = 0; k < dim; ++k) {
      // on the simplex, x_order[k] drops from this corner to the next
      point.gradients[corner][order[k]] -= 1;
      corner |= 1 << order[k];
      point.gradients[corner][order[k]] += 1;
      point.weight /= k + 1;
    }
    points.push_back(point);
  }

  template<int dim>
  std::vector<CellPoint<dim>> cellPoints(Shape shape)
  {
    std::vector<CellPoint<dim>> points;
    if (shape == Shape::simplex) {
      std::array<int, dim> order;
      for (int k = 0; k < dim; ++k)
        order[k] = k;
      addSimplices<dim>(order, 0, points);
      return points;
    }
    for (int q = 0; q < 1 << dim; ++q) { // two Gauss points per direction
      CellPoint<dim> point;
      point.weight = 1.0 / (1 << dim);
      for (int corner = 0; corner < 1 << dim; ++corner)
        for (int k = 0; k < dim; ++k) {
          double value = corner >> k & 1 ? 1 : -1;
          for (int l = 0; l < dim; ++l)
            if (l != k) {
              const double x = 0.5 + (q >> l & 1 ? 0.5 : -0.5) / std::sqrt(3.0);
              value *= corner >> l & 1 ? x : 1 - x;
            }
          point.gradients[corner][k] = value;
        }
      points.push_back(point);
    }
    return points;
  }

  /** \brief Block of two functions with these gradients
   *
   * Laplace, d = 1: g.h; elasticity with E = 1, nu = 0.3: lambda g h^T + mu h g^T + mu g.h I
   */
  template<int dim, int d>
  NodeBlock<d> stiffness(const std::array<double, dim>& g, const std::array<double, dim>& h)
  {
    const double lambda = 0.3 / (1.3 * 0.4), mu = 1 / 2.6;
    double product = 0;
    for (int k = 0; k < dim; ++k)
      product += g[k] * h[k];
    NodeBlock<d> block(product);
    if constexpr (d == dim && d > 1)
      for (int a = 0; a < d; ++a)
        for (int b = 0; b < d; ++b)
          block[a][b] = lambda * g[a] * h[b] + mu * g[b] * h[a] + (a == b) * mu * product;
    return block;
  }

  //! A box problem and its hierarchy
  template<int d>
  struct ModelProblem
  {
    BlockMatrix<d> matrix;
    NodeVector<d> b, lower, upper;
    std::vector<std::shared_ptr<const Transfer<d>>> transfers;

    BoxProblem<d> problem() const { return {matrix, b, lower, upper}; }
  };

  //! Prolongation to the grid with N cells from that with N/2
  template<int dim, int d>
  std::shared_ptr<const Transfer<d>> gridTransfer(Shape shape, int N)
  {
    const GridNodes<dim> fine{N}, coarse{N / 2};
    auto transfer = std::make_shared<Transfer<d>>(coarse.size());
    for (int i = 0; i < fine.size(); ++i) {
      const auto x = fine.coordinates(i);
      transfer->beginRow();
      int odd = 0;
      for (int k = 0; k < dim; ++k)
        odd |= (x[k] & 1) << k;
      const int ways = shape == Shape::simplex ? (odd ? 2 : 1) : 1 << __builtin_popcount(odd);
      for (int corner = 0; corner < 1 << dim; ++corner) {
        if ((corner & ~odd) || (shape == Shape::simplex && corner != 0 && corner != odd))
          continue;
        std::array<int, dim> X;
        for (int k = 0; k < dim; ++k)
          X[k] = x[k] / 2 + (corner >> k & 1);
        if (const int parent = coarse.index(X); parent >= 0)
          transfer->add(parent, 1.0 / ways);
      }
    }
    transfer->finish();
    return transfer;
  }

  /** \brief Stiffness matrix of the unit cube, held at the layer x_dim = 1, and its hierarchy
   *
   * The right-hand side presses the cube down by 0.06: the given values are -0.06 in the last
   * component. Bounds are infinite. Coarsening goes on while N is even and above 3.
   */
  template<int dim, int d>
  ModelProblem<d> gridProblem(Shape shape, int N)
  {
    const auto points = cellPoints<dim>(shape);
    constexpr int corners = 1 << dim;
    std::vector<NodeBlock<d>> cell(corners * corners, NodeBlock<d>(0.0));
    for (const auto& point : points)
      for (int p = 0; p < corners; ++p)
        for (int q = 0; q < corners; ++q)
          cell[p * corners + q].axpy(point.weight * std::pow(1.0 / N, dim - 2),
                                     stiffness<dim, d>(point.gradients[p], point.gradients[q]));
    const GridNodes<dim> nodes{N};
    std::vector<std::size_t> rowBegin = {0};
    std::vector<int> columns;
    std::vector<NodeBlock<d>> blocks;
    ModelProblem<d> model;
    for (NodeVector<d>* vector : {&model.b, &model.lower, &model.upper})
      vector->resize(nodes.size());
    model.b = 0;
    model.lower = -infinity;
    model.upper = infinity;
    int stencil = 1;
    for (int k = 0; k < dim; ++k)
      stencil *= 3;
    for (int i = 0; i < nodes.size(); ++i) {
      const auto x = nodes.coordinates(i);
      std::vector<NodeBlock<d>> row(stencil, NodeBlock<d>(0.0));
      std::vector<char> used(stencil, false);
      for (int p = 0; p < corners; ++p) { // the cell of which node i is corner p
        bool exists = true;
        for (int k = 0; k < dim; ++k)
          exists = exists && x[k] - (p >> k & 1) >= 0 && x[k] - (p >> k & 1) < N;
        for (int q = 0; exists && q < corners; ++q) {
          int s = 0;
          for (int k = dim; k-- > 0;)
            s = 3 * s + (q >> k & 1) - (p >> k & 1) + 1;
          row[s] += cell[p * corners + q];
          used[s] = used[s] || shape == Shape::cube || (p & q) == p || (p & q) == q;
        }
      }
      for (int s = 0; s < stencil; ++s) {
        auto y = x;
        for (int k = 0, t = s; k < dim; ++k, t /= 3)
          y[k] += t % 3 - 1;
        const int j = nodes.index(y);
        if (j == -2)
          for (int a = 0; a < d; ++a)
            model.b[i][a] += 0.06 * row[s][a][d - 1];
        if (j >= 0 && used[s]) {
          columns.push_back(j);
          blocks.push_back(row[s]);
        }
      }
      rowBegin.push_back(columns.size());
    }
    model.matrix = BlockMatrix<d>(rowBegin, columns);
    auto next = blocks.begin(); // by increasing columns, as the rows of the matrix
    for (int i = 0; i < nodes.size(); ++i)
      model.matrix.forSortedRow(i, [&](std::size_t k) { model.matrix.block(k) = *next++; });
    for (int M = N; M % 2 == 0 && M > 3; M /= 2)
      model.transfers.push_back(gridTransfer<dim, d>(shape, M));
    return model;
  }

  //! A rigid sphere of radius 0.8 that touches the centre of the bottom face from below
  template<int dim, int d>
  void addSphere(int N, ModelProblem<d>& model)
  {
    const GridNodes<dim> nodes{N};
    for (int i = 0; i < nodes.size(); ++i) {
      const auto x = nodes.coordinates(i);
      if (x[dim - 1] != 0)
        continue;
      double square = 0;
      for (int k = 0; k + 1 < dim; ++k)
        square += (double(x[k]) / N - 0.5) * (double(x[k]) / N - 0.5);
      model.lower[i][d - 1] = std::sqrt(0.64 - square) - 0.8;
    }
  }

  //! A load on all nodes and a paraboloid below them (an obstacle in the whole domain)
  template<int dim, int d>
  void addLoadAndObstacle(int N, double load, double depth, ModelProblem<d>& model)
  {
    const GridNodes<dim> nodes{N};
    for (int i = 0; i < nodes.size(); ++i) {
      const auto x = nodes.coordinates(i);
      double square = 0;
      for (int k = 0; k < dim; ++k)
        square += (double(x[k]) / N - 0.4) * (double(x[k]) / N - 0.4);
      model.b[i][d - 1] -= load * std::pow(1.0 / N, dim);
      model.lower[i][d - 1] = -depth - square;
    }
  }

} // namespace Dune::Impact::Test

#endif
