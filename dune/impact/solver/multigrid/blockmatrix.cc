// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include <dune/impact/solver/multigrid/blockmatrix.hh>

namespace Dune::Impact {

  template<int d>
  BlockMatrix<d>::BlockMatrix(std::vector<std::size_t> rowBegin, std::vector<Index> columns)
  {
    split(rowBegin, std::move(columns));
  }

  template<int d>
  BlockMatrix<d>::BlockMatrix(const BCRSMatrix<Block>& matrix)
  {
    assign(matrix);
  }

  //! Takes the values, and the pattern if it differs; true if the pattern was kept
  template<int d>
  bool BlockMatrix<d>::assign(const BCRSMatrix<Block>& matrix)
  {
    bool kept = size() == matrix.N() && blocks() == matrix.nonzeroes();
    for (std::size_t i = 0; kept && i < size(); ++i) {
      auto entry = matrix[i].begin();
      forSortedRow(i, [&](std::size_t k) {
        kept = kept && entry != matrix[i].end() && columns_[k] == Index(entry.index());
        if (kept)
          blocks_[k] = *entry++;
      });
    }
    if (kept)
      return true;

    std::vector<std::size_t> rowBegin = {0};
    std::vector<Index> columns;
    for (std::size_t i = 0; i < matrix.N(); ++i) {
      for (auto entry = matrix[i].begin(); entry != matrix[i].end(); ++entry)
        columns.push_back(entry.index());
      rowBegin.push_back(columns.size());
    }
    split(rowBegin, std::move(columns));
    for (std::size_t i = 0; i < size(); ++i)
      for (const auto [begin, end] : row(i))
        for (std::size_t k = begin; k < end; ++k)
          blocks_[k] = matrix[i][columns_[k]];
    return false;
  }

  template<int d>
  bool BlockMatrix<d>::hasPattern(const std::vector<std::size_t>& rowBegin,
                                  const std::vector<Index>& columns) const
  {
    if (size() + 1 != rowBegin.size() || blocks() != columns.size())
      return false;
    for (std::size_t i = 0; i < size(); ++i) {
      bool same = blocksOfRow(i) == rowBegin[i + 1] - rowBegin[i];
      std::size_t next = rowBegin[i];
      if (same)
        forSortedRow(i, [&](std::size_t k) { same = same && columns_[k] == columns[next++]; });
      if (!same)
        return false;
    }
    return true;
  }

  namespace {

    constexpr std::size_t serialNodes = 2000; // fewer are not worth several threads
    constexpr std::size_t chunksPerPattern = 128, leastChunk = 64, largestChunk = 512;

    /* Order of the nodes in sweeps: connected chunks of nodes, coloured so that chunks of one
     * colour have no edge between them. The chunks depend on the pattern only, not on the number
     * of threads; a small matrix is one chunk. */
    std::shared_ptr<const SweepOrder> makeOrder(const std::vector<std::size_t>& rowBegin,
                                                const std::vector<std::int32_t>& columns)
    {
      const std::size_t n = rowBegin.size() - 1;
      auto order = std::make_shared<SweepOrder>();
      const auto neighbours = [&](std::size_t i) {
        return std::span(reinterpret_cast<const std::uint32_t*>(columns.data()) + rowBegin[i],
                         rowBegin[i + 1] - rowBegin[i]);
      };
      const std::size_t size =
        n < serialNodes ? n : std::clamp(n / chunksPerPattern, leastChunk, largestChunk);
      const auto chunk =
        n < serialNodes ? std::vector<std::uint32_t>(n, 0) : growChunks(n, size, neighbours);
      std::vector<std::vector<std::uint32_t>> conflicts(
        n == 0 ? 0 : *std::max_element(chunk.begin(), chunk.end()) + 1);
      for (std::size_t i = 0; i < n; ++i)
        for (const std::uint32_t j : neighbours(i))
          if (auto& others = conflicts[chunk[i]];
              chunk[i] != chunk[j] &&
              std::find(others.begin(), others.end(), chunk[j]) == others.end())
            others.push_back(chunk[j]);
      order->groups = colourGroups(chunk, std::move(conflicts));
      order->rank.resize(n);
      for (std::size_t k = 0; k < n; ++k)
        order->rank[order->groups.item[k]] = std::uint32_t(k);
      return order;
    }

  } // namespace

  //! A = L + D + U in the order of sweeps: L has the blocks with neighbours before node i, U with
  //! neighbours after it. Each part is stored in the order in which sweeps read it.
  template<int d>
  void BlockMatrix<d>::split(const std::vector<std::size_t>& rowBegin, std::vector<Index> columns)
  {
    static std::atomic<std::uint64_t> patterns = 0;
    patternId_ = ++patterns;
    const std::size_t n = rowBegin.size() - 1;
    for (std::size_t i = 0; i < n; ++i)
      if (const auto begin = columns.begin() + rowBegin[i], end = columns.begin() + rowBegin[i + 1];
          !std::is_sorted(begin, end))
        std::sort(begin, end);
    order_ = makeOrder(rowBegin, columns);
    const auto& item = order_->groups.item;
    columns_.clear();
    columns_.reserve(columns.size());
    const auto append = [&](bool before, std::vector<std::size_t>& begin) {
      begin = {columns_.size()};
      for (const std::size_t i : item) {
        for (std::size_t k = rowBegin[i]; k < rowBegin[i + 1]; ++k)
          if (columns[k] != Index(i) && (rank(columns[k]) < rank(i)) == before)
            columns_.push_back(columns[k]);
        begin.push_back(columns_.size());
      }
    };
    append(true, lowerBegin_);
    columns_.insert(columns_.end(), item.begin(), item.end());
    append(false, upperBegin_);
    assert(columns_.size() == columns.size());
    blocks_.assign(columns_.size(), Block(0.0));
  }

  template<int d>
  std::size_t BlockMatrix<d>::find(std::size_t i, std::size_t j) const
  {
    const auto [begin, end] = row(i)[j == i ? 1 : rank(j) < rank(i) ? 0 : 2];
    const auto place = std::lower_bound(columns_.begin() + begin, columns_.begin() + end, Index(j));
    assert(place != columns_.begin() + end && *place == Index(j));
    return place - columns_.begin();
  }

  // 0*entry is NaN unless the entry is finite
  template<int d>
  bool BlockMatrix<d>::isFinite(int threads) const
  {
    const double* A = reinterpret_cast<const double*>(blocks_.data());
    const auto zero = [A](std::size_t k, std::size_t end) { // or no number
      double check[4] = {0, 0, 0, 0};
      for (; k + 4 <= end; k += 4)
        for (int l = 0; l < 4; ++l)
          check[l] += 0 * A[k + l];
      for (; k < end; ++k)
        check[0] += 0 * A[k];
      return check[0] + check[1] + check[2] + check[3];
    };
    return parallelSum<double>(blocks_.size() * d * d, threads, zero, 65536) == 0;
  }

  template<int d>
  void BlockMatrix<d>::multiply(const NodeVector<d>& x, NodeVector<d>& y, int threads) const
  {
    const double* px = data<d>(x);
    forRows(threads, [&](std::size_t i) {
      double s[d] = {};
      subtractRow(i, px, s);
      for (int c = 0; c < d; ++c)
        y[i][c] = -s[c];
    });
  }

  template<int d>
  void BlockMatrix<d>::residual(const NodeVector<d>& x, const NodeVector<d>& b, NodeVector<d>& r,
                                int threads) const
  {
    const double* px = data<d>(x);
    forRows(threads, [&](std::size_t i) {
      double s[d];
      for (int c = 0; c < d; ++c)
        s[c] = b[i][c];
      subtractRow(i, px, s);
      for (int c = 0; c < d; ++c)
        r[i][c] = s[c];
    });
  }

  template class BlockMatrix<1>;
  template class BlockMatrix<2>;
  template class BlockMatrix<3>;

} // namespace Dune::Impact
