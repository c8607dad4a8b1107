// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include <dune/common/fmatrix.hh>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/solver/multigrid/algebraichierarchy.hh>

namespace Dune::Impact {

  namespace {

    constexpr int none = -1;
    constexpr std::size_t considered = 10; // coarse nodes of which simplices are made
    constexpr double outside = 20;         // penalty of sum |w| - 1
    constexpr double mostOutside = 1.5;    // largest sum |w|
    // smallest pivot of a simplex, in units of its squared edges
    constexpr double flat = 1e-6;
    constexpr double negligible = 1e-6; // weight
    constexpr int classes = 8;          // of distances from the centre of the neighbours

    template<int d>
    using Point = FieldVector<double, d>;

    std::span<const std::uint32_t> neighbours(const SparsityPattern& graph, std::size_t i)
    {
      return std::span(graph.column)
        .subspan(graph.rowStart[i], graph.rowStart[i + 1] - graph.rowStart[i]);
    }

    //! Edges that are not much longer than the shortest one of both ends
    template<int d>
    SparsityPattern strongGraph(const NodeCloud<d>& nodes, double stretch)
    {
      const std::size_t n = nodes.positions.size();
      std::vector<double> shortest(n, std::numeric_limits<double>::infinity());
      const auto length2 = [&](std::size_t i, std::size_t j) {
        return (nodes.positions[i] - nodes.positions[j]).two_norm2();
      };
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j : neighbours(nodes.graph, i))
          if (j != i)
            shortest[i] = std::min(shortest[i], length2(i, j));
      SparsityPattern strong;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j : neighbours(nodes.graph, i))
          if (j != i && length2(i, j) <= stretch * stretch * std::max(shortest[i], shortest[j]))
            strong.column.push_back(std::uint32_t(j));
        strong.rowStart.push_back(strong.column.size());
      }
      return strong;
    }

    //! Nodes in the order in which they may become coarse ones: far from the centre of their
    //! neighbours first
    template<int d>
    std::vector<std::uint32_t> visitingOrder(const SparsityPattern& graph,
                                             const std::vector<Point<d>>& x)
    {
      std::vector<int> rank(x.size(), 0);
      for (std::size_t i = 0; i < x.size(); ++i) {
        Point<d> sum(0);
        double lengths = 0;
        for (std::size_t j : neighbours(graph, i)) {
          sum += x[j] - x[i];
          lengths += (x[j] - x[i]).two_norm();
        }
        if (lengths > 0)
          rank[i] = int(classes * sum.two_norm() / lengths);
      }
      std::vector<std::uint32_t> order(x.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](auto i, auto j) { return rank[i] > rank[j]; });
      return order;
    }

    //! Numbers of the coarse nodes, or none: a maximal independent set
    template<int d>
    std::vector<int> chooseCoarse(const SparsityPattern& graph, const std::vector<Point<d>>& x,
                                  std::size_t& count)
    {
      std::vector<char> covered(x.size(), false), chosen(x.size(), false);
      for (std::size_t i : visitingOrder<d>(graph, x)) {
        if (covered[i])
          continue;
        chosen[i] = covered[i] = true;
        for (std::size_t j : neighbours(graph, i))
          covered[j] = true;
      }
      std::vector<int> number(x.size(), none);
      count = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (chosen[i])
          number[i] = int(count++);
      return number;
    }

    //! Coarse node that each node belongs to: itself, or the nearest among its neighbours
    template<int d>
    std::vector<int> chooseOwners(const SparsityPattern& graph, const std::vector<Point<d>>& x,
                                  const std::vector<int>& coarse)
    {
      std::vector<int> owner = coarse;
      for (std::size_t i = 0; i < x.size(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        if (coarse[i] == none)
          for (std::size_t j : neighbours(graph, i))
            if (const double r = (x[j] - x[i]).two_norm2(); coarse[j] != none && r < least) {
              least = r;
              owner[i] = coarse[j];
            }
      }
      return owner;
    }

    //! Coarse nodes are neighbours if nodes of theirs are
    SparsityPattern coarseGraph(const SparsityPattern& graph, const std::vector<int>& owner,
                                std::size_t count)
    {
      std::vector<std::vector<std::uint32_t>> rows(count);
      for (std::size_t i = 0; i < owner.size(); ++i)
        for (std::size_t j : neighbours(graph, i))
          if (owner[i] != owner[j])
            rows[owner[i]].push_back(std::uint32_t(owner[j]));
      SparsityPattern result;
      for (auto& row : rows) {
        std::sort(row.begin(), row.end());
        result.column.insert(result.column.end(), row.begin(), std::unique(row.begin(), row.end()));
        result.rowStart.push_back(result.column.size());
      }
      return result;
    }

    //! A few coarse nodes with their weights
    template<int d>
    struct Weights
    {
      std::array<int, d + 1> node;
      std::array<double, d + 1> weight;
      int count = 0;
    };

    /* Weights of the corners x_0, ..., x_m of a simplex at the point 0: barycentric coordinates of
     * the nearest point of its plane. With the edges e_k = x_k - x_0: sum_l (e_k.e_l) w_l =
     * -e_k.x_0, and w_0 = 1 - sum w_l. False if the simplex is flat. */
    template<int d>
    bool barycentric(std::span<const Point<d>> corner, std::span<double> w, double& distance2)
    {
      const int m = int(corner.size()) - 1;
      std::array<Point<d>, d> e;
      double A[d][d], b[d];
      for (int k = 0; k < m; ++k) {
        e[k] = corner[k + 1] - corner[0];
        b[k] = -(e[k] * corner[0]);
        for (int l = 0; l <= k; ++l)
          A[k][l] = A[l][k] = e[k] * e[l];
      }
      for (int p = 0; p < m; ++p) {
        if (!(A[p][p] > flat * e[p].two_norm2()))
          return false;
        for (int k = p + 1; k < m; ++k) {
          const double factor = A[k][p] / A[p][p];
          for (int l = p; l < m; ++l)
            A[k][l] -= factor * A[p][l];
          b[k] -= factor * b[p];
        }
      }
      w[0] = 1;
      Point<d> at = corner[0];
      for (int p = m; p-- > 0;) {
        double s = b[p];
        for (int l = p + 1; l < m; ++l)
          s -= A[p][l] * w[l + 1];
        w[p + 1] = s / A[p][p];
        w[0] -= w[p + 1];
        at.axpy(w[p + 1], e[p]);
      }
      distance2 = at.two_norm2();
      return true;
    }

    /* The simplex of m corners with the least cost
     *
     *     sum |w_k| r_k^2/r_0^2 + outside (sum |w_k| - 1 + distance^2/r_0^2),
     *
     * with the distances r_k of its corners from the point, r_0 of the nearest node, and the
     * distance of the point from a simplex with less than d + 1 corners. sum |w_k| > 1 means that
     * the point is outside. False if sum |w_k| > mostOutside for all simplices. */
    template<int d>
    bool bestSimplex(const std::vector<std::pair<double, int>>& near,
                     const std::vector<Point<d>>& relative, int m, Weights<d>& best)
    {
      double least = std::numeric_limits<double>::infinity();
      std::array<int, d + 1> pick;
      std::iota(pick.begin(), pick.end(), 0);
      const int n = int(near.size());
      if (m > n)
        return false;
      const double unit = near.front().first;
      while (true) {
        std::array<Point<d>, d + 1> corner;
        std::array<double, d + 1> w;
        for (int k = 0; k < m; ++k)
          corner[k] = relative[pick[k]];
        double distance2;
        if (barycentric<d>({corner.data(), std::size_t(m)}, w, distance2)) {
          double size = 0, cost = 0;
          for (int k = 0; k < m; ++k) {
            size += std::abs(w[k]);
            cost += std::abs(w[k]) * near[pick[k]].first / unit;
          }
          cost += outside * (size - 1 + (m <= d ? distance2 / unit : 0));
          if (size <= mostOutside && cost < least) {
            least = cost;
            best.count = m;
            for (int k = 0; k < m; ++k) {
              best.node[k] = near[pick[k]].second;
              best.weight[k] = w[k];
            }
          }
        }
        int k = m - 1; // the next subset of m corners
        while (k >= 0 && pick[k] == n - m + k)
          --k;
        if (k < 0)
          break;
        ++pick[k];
        for (int l = k + 1; l < m; ++l)
          pick[l] = pick[l - 1] + 1;
      }
      return std::isfinite(least);
    }

    //! Weights of a point between coarse nodes; the owner alone if there is nothing better
    template<int d>
    Weights<d> interpolate(const Point<d>& x, int owner, const NodeCloud<d>& coarse)
    {
      std::vector<std::pair<double, int>> near = {
        {(coarse.positions[owner] - x).two_norm2(), owner}};
      for (std::size_t I : neighbours(coarse.graph, owner))
        near.emplace_back((coarse.positions[I] - x).two_norm2(), int(I));
      std::sort(near.begin(), near.end());
      near.resize(std::min(near.size(), considered));
      Weights<d> weights;
      if (near.front().first > 0) { // nodes at the same place have no simplex
        std::vector<Point<d>> relative;
        for (const auto& [distance, I] : near)
          relative.push_back(coarse.positions[I] - x);
        for (int m = d + 1; m > 1; --m)
          if (bestSimplex<d>(near, relative, m, weights))
            return weights;
      }
      weights.count = 1;
      weights.node[0] = near.front().second;
      weights.weight[0] = 1;
      return weights;
    }

    //! The transfer, without weights that do not matter
    template<int d>
    std::shared_ptr<const Transfer<d>> makeTransfer(const std::vector<Weights<d>>& rows,
                                                    std::size_t coarse)
    {
      auto transfer = std::make_shared<Transfer<d>>(coarse);
      for (const Weights<d>& row : rows) {
        transfer->beginRow();
        double kept = 0;
        for (int k = 0; k < row.count; ++k)
          kept += std::abs(row.weight[k]) > negligible ? row.weight[k] : 0;
        for (int k = 0; k < row.count; ++k)
          if (std::abs(row.weight[k]) > negligible)
            transfer->add(row.node[k], row.weight[k] / kept);
      }
      transfer->finish();
      return transfer;
    }

    //! One level: the transfer, and the coarse nodes
    template<int d>
    std::shared_ptr<const Transfer<d>> coarsen(const NodeCloud<d>& nodes,
                                               const AlgebraicHierarchySettings& settings,
                                               NodeCloud<d>& coarse)
    {
      const auto strong = strongGraph<d>(nodes, settings.stretch);
      std::size_t count = 0;
      const auto number = chooseCoarse<d>(strong, nodes.positions, count);
      const auto owner = chooseOwners<d>(strong, nodes.positions, number);
      coarse.graph = coarseGraph(nodes.graph, owner, count);
      coarse.positions.resize(count);
      for (std::size_t i = 0; i < number.size(); ++i)
        if (number[i] != none)
          coarse.positions[number[i]] = nodes.positions[i];
      std::vector<Weights<d>> rows(number.size());
      parallelFor(number.size(), threadCount(settings.threads), [&](std::size_t i) {
        rows[i] = number[i] != none ? Weights<d>{{number[i]}, {1.0}, 1}
                                    : interpolate<d>(nodes.positions[i], owner[i], coarse);
      });
      return makeTransfer<d>(rows, count);
    }

  } // namespace

  //! Levels until few nodes are left, or until a level has too many nodes compared with the finer
  //! one
  template<int d>
  std::vector<std::shared_ptr<const Transfer<d>>> algebraicTransfers(
    NodeCloud<d> nodes, const AlgebraicHierarchySettings& settings)
  {
    std::vector<std::shared_ptr<const Transfer<d>>> transfers;
    while (nodes.positions.size() > settings.coarsest) {
      NodeCloud<d> coarse;
      auto transfer = coarsen<d>(nodes, settings, coarse);
      if (double(coarse.positions.size()) * settings.leastReduction >
          double(nodes.positions.size()))
        break;
      transfers.push_back(std::move(transfer));
      nodes = std::move(coarse);
    }
    return transfers;
  }

  //! Positions and graph of the coarse nodes of a transfer: a fine node belongs to its parent of
  //! largest weight, and one with a single parent gives its position to it.
  template<int d>
  NodeCloud<d> coarseCloud(const NodeCloud<d>& fine, const Transfer<d>& transfer)
  {
    NodeCloud<d> coarse;
    coarse.positions.resize(transfer.coarseSize());
    std::vector<int> owner(transfer.fineSize(), none);
    for (std::size_t i = 0; i < owner.size(); ++i) {
      double largest = 0;
      for (const auto& entry : transfer.parents(i))
        if (std::abs(transfer.weight(entry)) > largest) {
          largest = std::abs(transfer.weight(entry));
          owner[i] = entry.node;
        }
      if (transfer.parents(i).size() == 1)
        coarse.positions[owner[i]] = fine.positions[i];
    }
    coarse.graph = coarseGraph(fine.graph, owner, transfer.coarseSize());
    return coarse;
  }

  template std::vector<std::shared_ptr<const Transfer<2>>> algebraicTransfers(
    NodeCloud<2>, const AlgebraicHierarchySettings&);
  template std::vector<std::shared_ptr<const Transfer<3>>> algebraicTransfers(
    NodeCloud<3>, const AlgebraicHierarchySettings&);
  template NodeCloud<2> coarseCloud(const NodeCloud<2>&, const Transfer<2>&);
  template NodeCloud<3> coarseCloud(const NodeCloud<3>&, const Transfer<3>&);

} // namespace Dune::Impact
