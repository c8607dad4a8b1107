// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include <dune/impact/solver/blockmatrix.hh>

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

  template<int d>
  bool BlockMatrix<d>::assign(const BCRSMatrix<Block>& matrix)
  {
    bool kept = size() == matrix.N() && blocks() == matrix.nonzeroes();
    for (std::size_t i = 0; kept && i < size(); ++i) {
      auto entry = matrix[i].begin();
      for (const auto [begin, end] : row(i))
        for (std::size_t k = begin; kept && k < end; ++k, ++entry) {
          kept = entry != matrix[i].end() && columns_[k] == Index(entry.index());
          if (kept)
            blocks_[k] = *entry;
        }
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
  bool BlockMatrix<d>::hasPattern(const std::vector<std::size_t>& rowBegin, const std::vector<Index>& columns) const
  {
    if (size() + 1 != rowBegin.size() || blocks() != columns.size())
      return false;
    for (std::size_t i = 0; i < size(); ++i) {
      std::size_t next = rowBegin[i];
      for (const auto [begin, end] : row(i))
        for (std::size_t k = begin; k < end; ++k, ++next)
          if (next == rowBegin[i + 1] || columns_[k] != columns[next])
            return false;
      if (next != rowBegin[i + 1])
        return false;
    }
    return true;
  }

  template<int d>
  void BlockMatrix<d>::split(const std::vector<std::size_t>& rowBegin, std::vector<Index> columns)
  {
    static std::atomic<std::uint64_t> patterns = 0;
    patternId_ = ++patterns;
    const std::size_t n = rowBegin.size() - 1;
    std::vector<std::size_t> diagonal(n);
    lowerBegin_ = {0};
    for (std::size_t i = 0; i < n; ++i) {
      const auto begin = columns.begin() + rowBegin[i], end = columns.begin() + rowBegin[i + 1];
      if (!std::is_sorted(begin, end))
        std::sort(begin, end);
      diagonal[i] = std::lower_bound(begin, end, Index(i)) - columns.begin();
      assert(diagonal[i] < rowBegin[i + 1] && columns[diagonal[i]] == Index(i));
      lowerBegin_.push_back(lowerBegin_.back() + diagonal[i] - rowBegin[i]);
    }
    columns_.clear();
    for (std::size_t i = 0; i < n; ++i)
      columns_.insert(columns_.end(), columns.begin() + rowBegin[i], columns.begin() + diagonal[i]);
    for (std::size_t i = 0; i < n; ++i)
      columns_.push_back(i);
    upperBegin_ = {columns_.size()};
    for (std::size_t i = 0; i < n; ++i) {
      columns_.insert(columns_.end(), columns.begin() + diagonal[i] + 1, columns.begin() + rowBegin[i + 1]);
      upperBegin_.push_back(columns_.size());
    }
    blocks_.assign(columns_.size(), Block(0.0));
  }

  template<int d>
  std::size_t BlockMatrix<d>::find(std::size_t i, std::size_t j) const
  {
    const auto [begin, end] = row(i)[j < i ? 0 : j == i ? 1 : 2];
    const auto place = std::lower_bound(columns_.begin() + begin, columns_.begin() + end, Index(j));
    assert(place != columns_.begin() + end && *place == Index(j));
    return place - columns_.begin();
  }

  // 0*entry is NaN unless the entry is finite
  template<int d>
  bool BlockMatrix<d>::isFinite() const
  {
    const double* A = reinterpret_cast<const double*>(blocks_.data());
    const std::size_t n = blocks_.size() * d * d;
    double check[4] = {0, 0, 0, 0};
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4)
      for (int l = 0; l < 4; ++l)
        check[l] += 0 * A[k + l];
    for (; k < n; ++k)
      check[0] += 0 * A[k];
    return check[0] + check[1] + check[2] + check[3] == 0;
  }

  template<int d>
  void BlockMatrix<d>::multiply(const NodeVector<d>& x, NodeVector<d>& y) const
  {
    const double* px = data<d>(x);
    for (std::size_t i = 0; i < size(); ++i) {
      double s[d] = {};
      subtractRow(i, px, s);
      for (int c = 0; c < d; ++c)
        y[i][c] = -s[c];
    }
  }

  template<int d>
  void BlockMatrix<d>::residual(const NodeVector<d>& x, const NodeVector<d>& b, NodeVector<d>& r) const
  {
    const double* px = data<d>(x);
    for (std::size_t i = 0; i < size(); ++i) {
      double s[d];
      for (int c = 0; c < d; ++c)
        s[c] = b[i][c];
      subtractRow(i, px, s);
      for (int c = 0; c < d; ++c)
        r[i][c] = s[c];
    }
  }

  template class BlockMatrix<1>;
  template class BlockMatrix<2>;
  template class BlockMatrix<3>;

} // namespace Dune::Impact
