// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <dune/impact/solver/impulse/connected.hh>
#include <dune/impact/solver/impulse/delassus.hh>
#include <dune/impact/solver/impulse/delassusproducts.hh>

namespace Dune::Impact {

  void Delassus::clear(int blockSize)
  {
    assert(blockSize >= 1 && blockSize <= 3);
    blockSize_ = blockSize;
    check_ = 0;
    diagonal_.clear();
    columns_.clear();
    values_.clear();
  }

  void Delassus::reserve(std::size_t rows, std::size_t blocks)
  {
    columns_.reserve(rows, blocks);
    diagonal_.reserve(rows);
    values_.reserve(blocks * blockEntries());
  }

  void Delassus::beginRow()
  {
    assert(diagonal_.empty() || diagonal_.back() != missing);
    columns_.beginRow();
    diagonal_.push_back(missing);
  }

  void Delassus::add(std::size_t column, const double* values)
  {
    assert(!columns_.empty());
    assert(std::find(columns_.back().begin(), columns_.back().end(), column) ==
           columns_.back().end());
    if (column + 1 == size())
      diagonal_.back() = blocks();
    columns_.add(column);
    for (std::size_t k = 0; k < blockEntries(); ++k) {
      values_.push_back(values[k]);
      check_ += 0 * values[k];
    }
  }

  const double* Delassus::block(std::size_t i, std::size_t j) const
  {
    const auto [columns, values] = row(i);
    const auto found = std::find(columns.begin(), columns.end(), j);
    return found == columns.end() ? nullptr : values + (found - columns.begin()) * blockEntries();
  }

  void Delassus::multiply(ConstSpan x, Span y) const
  {
    multiplyFactors(*this, x, y);
  }

  //! sum |H_ij| |s_j| of one component: the round-off of H s is a multiple of it
  double Delassus::rateSize(std::size_t i, int component, const double* s) const
  {
    const std::size_t d = blockSize_;
    const auto [columns, values] = row(i);
    double sum = 0;
    for (std::size_t n = 0; n < columns.size(); ++n)
      for (std::size_t l = 0; l < d; ++l)
        sum += std::abs(values[n * blockEntries() + component * d + l]) *
               std::abs(s[columns[n] * d + l]);
    return sum;
  }

  //! Contacts with a block H_ij are connected
  std::size_t Delassus::components(std::vector<std::size_t>& labels) const
  {
    return labelComponents(
      size(),
      [&](auto&& connect) {
        for (std::size_t i = 0; i < size(); ++i)
          for (const std::size_t j : row(i).columns)
            connect(i, j);
      },
      labels);
  }

} // namespace Dune::Impact
