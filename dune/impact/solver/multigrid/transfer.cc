// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/solver/multigrid/transfer.hh>

namespace Dune::Impact {

  namespace {

    constexpr std::size_t nodesPerChunk = 1024; // for transfers of vectors
    constexpr std::size_t rowsPerChunk = 16;    // of a Galerkin product

    // B += weight * A for one block
    template<int d>
    void addScaled(double weight, const double* A, double* B)
    {
      for (int c = 0; c < d * d; ++c)
        B[c] += weight * A[c];
    }

  } // namespace

  template<int d>
  void Transfer<d>::add(int coarse, double weight)
  {
    rows_.add({coarse, int(weights_.size())});
    weights_.push_back(weight);
    if (!blockOf_.empty())
      blockOf_.push_back(-1);
  }

  template<int d>
  void Transfer<d>::add(int coarse, const Block& block)
  {
    add(coarse, 1.0);
    blockOf_.resize(weights_.size(), -1);
    blockOf_.back() = blocks_.size();
    blocks_.push_back(block);
  }

  //! Columns of P for restriction, and the row sums S = sum |P_ab| of restrictBounds()
  template<int d>
  void Transfer<d>::finish()
  {
    columns_.group(coarseSize_, [&](auto&& add) {
      for (std::size_t i = 0; i < fineSize(); ++i)
        for (const Entry& entry : parents(i))
          add(std::size_t(entry.node), Entry{int(i), entry.place});
    });
    rowSum_.resize(fineSize());
    rowSum_ = 0;
    for (std::size_t i = 0; i < fineSize(); ++i)
      for (const Entry& entry : parents(i))
        for (int a = 0; a < d; ++a)
          if (isScalar(entry))
            rowSum_[i][a] += std::abs(weight(entry));
          else
            for (int b = 0; b < d; ++b)
              rowSum_[i][a] += std::abs(block(entry)[a][b]);
  }

  //! v_i += sum_I P_iI v_I on the free components
  template<int d>
  void Transfer<d>::addProlonged(const NodeVector<d>& coarse, const NodeMask* mask,
                                 NodeVector<d>& fine, int threads) const
  {
    parallelFor(
      fineSize(), threads,
      [&](std::size_t i) {
        double sum[d] = {};
        for (const Entry& entry : parents(i)) {
          const auto& v = coarse[entry.node];
          if (isScalar(entry))
            for (int c = 0; c < d; ++c)
              sum[c] += weight(entry) * v[c];
          else
            subtractProduct<d>(&block(entry)[0][0], &(-1.0 * v)[0], sum);
        }
        const unsigned fixed = mask ? (*mask)[i] : 0;
        for (int c = 0; c < d; ++c)
          fine[i][c] += fixed >> c & 1 ? 0 : sum[c];
      },
      nodesPerChunk);
  }

  //! r_I = sum_i P_iI^T r_i over the children i of I
  template<int d>
  void Transfer<d>::restrictResidual(const NodeVector<d>& fine, NodeVector<d>& coarse,
                                     int threads) const
  {
    parallelFor(
      coarseSize_, threads,
      [&](std::size_t I) {
        FieldVector<double, d> sum(0.0);
        for (const Entry& entry : children(I)) {
          const auto& r = fine[entry.node];
          if (isScalar(entry))
            for (int c = 0; c < d; ++c)
              sum[c] += weight(entry) * r[c];
          else
            block(entry).umtv(r, sum);
        }
        coarse[I] = sum;
      },
      nodesPerChunk);
  }

  //! Intersection of the intervals [lower, upper]/S of all children, reversed where P_ab < 0. The
  //! row sum S = sum |P_ab| makes sure that P v stays within the bounds of the fine level.
  template<int d>
  void Transfer<d>::restrictBounds(const CorrectionBounds<d>& fine, const NodeMask* mask,
                                   CorrectionBounds<d>& coarse) const
  {
    for (std::size_t I = 0; I < coarseSize_; ++I) {
      auto& lower = coarse.lower[I] = -std::numeric_limits<double>::infinity();
      auto& upper = coarse.upper[I] = std::numeric_limits<double>::infinity();
      for (const Entry& entry : children(I)) {
        const std::size_t i = entry.node;
        for (int a = 0; a < d; ++a) {
          if (mask && (*mask)[i] >> a & 1)
            continue;
          const double lo = fine.lower[i][a] / rowSum_[i][a], hi = fine.upper[i][a] / rowSum_[i][a];
          for (int b = 0; b < d; ++b) {
            const double P = isScalar(entry) ? (a == b) * weight(entry) : block(entry)[a][b];
            if (P == 0)
              continue;
            lower[b] = std::max(lower[b], P > 0 ? lo : -hi);
            upper[b] = std::min(upper[b], P > 0 ? hi : -lo);
          }
        }
      }
    }
  }

  //! Mean of the finite bounds of the children with the weights |P_cc|, infinite if no child has
  //! one. Closer to the fine problem than restricted bounds, but not safe: for first guesses only.
  template<int d>
  void Transfer<d>::averageBounds(const CorrectionBounds<d>& fine, CorrectionBounds<d>& coarse,
                                  int threads) const
  {
    const double infinity = std::numeric_limits<double>::infinity();
    parallelFor(
      coarseSize_, threads,
      [&](std::size_t I) {
        for (int c = 0; c < d; ++c) {
          double lower = 0, lowerWeight = 0, upper = 0, upperWeight = 0;
          for (const Entry& entry : children(I)) {
            const double w = std::abs(isScalar(entry) ? weight(entry) : block(entry)[c][c]);
            if (const double bound = fine.lower[entry.node][c]; bound > -infinity) {
              lower += w * bound;
              lowerWeight += w;
            }
            if (const double bound = fine.upper[entry.node][c]; bound < infinity) {
              upper += w * bound;
              upperWeight += w;
            }
          }
          coarse.lower[I][c] = lowerWeight > 0 ? lower / lowerWeight : -infinity;
          coarse.upper[I][c] = upperWeight > 0 ? upper / upperWeight : infinity;
        }
      },
      nodesPerChunk);
  }

  //! Pattern of P^T A P: I and J are neighbours if a child of I has a neighbour with the parent J
  template<int d>
  void GalerkinProduct<d>::setup(const BlockMatrix<d>& fine, const Transfer<d>& transfer,
                                 BlockMatrix<d>& coarse)
  {
    transfer_ = &transfer;
    scratch_.resize(threads_);
    for (Scratch& scratch : scratch_) {
      scratch.finePlace.assign(transfer.fineSize(), -1);
      scratch.coarsePlace.assign(transfer.coarseSize(), 0);
    }
    // rows in parts of a fixed length; a node is marked with the row that has seen it last
    const std::size_t n = transfer.coarseSize();
    struct Marks
    {
      std::vector<int> fine, coarse;
    };
    std::vector<Marks> marks(threads_,
                             {std::vector<int>(transfer.fineSize(), -1), std::vector<int>(n, -1)});
    std::vector<std::vector<typename BlockMatrix<d>::Index>> parts((n + nodesPerChunk - 1) /
                                                                   nodesPerChunk);
    std::vector<std::size_t> rowBegin(n + 1, 0); // sizes of rows at first
    parallelRanges(
      n, threads_,
      [&](std::size_t first, std::size_t last, int worker) {
        auto& [fineMark, coarseMark] = marks[worker];
        auto& columns = parts[first / nodesPerChunk];
        for (int I = int(first); I < int(last); ++I) {
          const std::size_t before = columns.size();
          coarseMark[I] = I;
          columns.push_back(I);
          for (const auto& child : transfer.children(I))
            for (const auto [begin, end] : fine.row(child.node))
              for (std::size_t k = begin; k < end; ++k) {
                const int j = fine.column(k);
                if (std::exchange(fineMark[j], I) == I)
                  continue;
                for (const auto& parent : transfer.parents(j))
                  if (std::exchange(coarseMark[parent.node], I) != I)
                    columns.push_back(parent.node);
              }
          std::sort(columns.begin() + before, columns.end());
          rowBegin[I + 1] = columns.size() - before;
        }
      },
      nodesPerChunk);
    std::partial_sum(rowBegin.begin(), rowBegin.end(), rowBegin.begin());
    std::vector<typename BlockMatrix<d>::Index> columns;
    columns.reserve(rowBegin.back());
    for (const auto& part : parts)
      columns.insert(columns.end(), part.begin(), part.end());
    coarse = BlockMatrix<d>(std::move(rowBegin), std::move(columns));
  }

  template<int d>
  template<class RowOf>
  void GalerkinProduct<d>::computeRows(const BlockMatrix<d>& fine, const NodeMask* mask,
                                       std::size_t count, RowOf&& rowOf, BlockMatrix<d>& coarse)
  {
    parallelRanges(
      count, threads_,
      [&](std::size_t begin, std::size_t end, int worker) {
        for (std::size_t k = begin; k < end; ++k)
          computeRow(fine, mask, rowOf(k), scratch_[worker], coarse);
      },
      rowsPerChunk);
  }

  template<int d>
  void GalerkinProduct<d>::compute(const BlockMatrix<d>& fine, const NodeMask* mask,
                                   BlockMatrix<d>& coarse)
  {
    computeRows(fine, mask, coarse.size(), [](std::size_t I) { return I; }, coarse);
  }

  template<int d>
  void GalerkinProduct<d>::compute(const BlockMatrix<d>& fine, const NodeMask* mask,
                                   std::span<const int> rows, BlockMatrix<d>& coarse)
  {
    computeRows(
      fine, mask, rows.size(), [&](std::size_t k) { return std::size_t(rows[k]); }, coarse);
  }

  // t = sum of P_iI^T A_i over the children i of I
  template<int d>
  void GalerkinProduct<d>::gatherRow(const BlockMatrix<d>& fine, const NodeMask* mask,
                                     std::size_t I, Scratch& scratch) const
  {
    auto& [finePlace, coarsePlace, nodes, combined] = scratch;
    nodes.clear();
    combined.clear();
    for (const auto& child : transfer_->children(I)) {
      const std::size_t i = child.node;
      const bool scalar = transfer_->isScalar(child);
      Block P(0.0); // P_iI without the rows of masked components
      for (int a = 0; a < d; ++a)
        for (int b = 0; b < d; ++b)
          if (!mask || !((*mask)[i] >> a & 1))
            P[a][b] = scalar ? (a == b) * transfer_->weight(child) : transfer_->block(child)[a][b];
      const bool plain = scalar && !(mask && (*mask)[i]);
      for (const auto [begin, end] : fine.row(i))
        for (std::size_t k = begin; k < end; ++k) {
          const int j = fine.column(k);
          if (finePlace[j] < 0) {
            finePlace[j] = nodes.size();
            nodes.push_back(j);
            combined.emplace_back(0.0);
          }
          const double* A = &fine.block(k)[0][0];
          double* t = &combined[finePlace[j]][0][0];
          if (plain)
            addScaled<d>(P[0][0], A, t);
          else
            for (int a = 0; a < d; ++a)
              for (int b = 0; b < d; ++b)
                for (int c = 0; c < d; ++c)
                  t[a * d + b] += P[c][a] * A[c * d + b];
        }
    }
  }

  //! Row I of P^T A P is t P, with t of gatherRow() and without columns of masked components
  template<int d>
  void GalerkinProduct<d>::computeRow(const BlockMatrix<d>& fine, const NodeMask* mask,
                                      std::size_t I, Scratch& scratch, BlockMatrix<d>& coarse) const
  {
    auto& [finePlace, coarsePlace, nodes, combined] = scratch;
    gatherRow(fine, mask, I, scratch);
    for (const auto [begin, end] : coarse.row(I))
      for (std::size_t k = begin; k < end; ++k) {
        coarsePlace[coarse.column(k)] = k;
        coarse.block(k) = 0;
      }
    for (std::size_t l = 0; l < nodes.size(); ++l) {
      const int j = nodes[l];
      double* t = &combined[l][0][0];
      if (mask && (*mask)[j])
        for (int a = 0; a < d; ++a)
          for (int b = 0; b < d; ++b)
            if ((*mask)[j] >> b & 1)
              t[a * d + b] = 0;
      for (const auto& parent : transfer_->parents(j)) {
        double* C = &coarse.block(coarsePlace[parent.node])[0][0];
        if (transfer_->isScalar(parent))
          addScaled<d>(transfer_->weight(parent), t, C);
        else
          for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b)
              for (int c = 0; c < d; ++c)
                C[a * d + b] += t[a * d + c] * transfer_->block(parent)[c][b];
      }
      finePlace[j] = -1;
    }
  }

  template class Transfer<1>;
  template class Transfer<2>;
  template class Transfer<3>;
  template class GalerkinProduct<1>;
  template class GalerkinProduct<2>;
  template class GalerkinProduct<3>;

} // namespace Dune::Impact
