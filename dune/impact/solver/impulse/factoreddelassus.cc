// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/solver/impulse/delassusproducts.hh>
#include <dune/impact/solver/impulse/factoreddelassus.hh>

namespace Dune::Impact {

  void FactoredDelassus::clear(int blockSize)
  {
    assert(blockSize >= 1 && blockSize <= 3);
    blockSize_ = blockSize;
    check_ = 0;
    for (std::size_t dof : dofs_)
      number_[dof] = none;
    rowBegin_.clear();
    columns_.clear();
    values_.clear();
    diagonal_.clear();
    dofs_.clear();
  }

  void FactoredDelassus::beginRow()
  {
    rowBegin_.push_back(columns_.size());
    cursor_ = columns_.size();
  }

  // Components of a contact see the same dofs in the same order, mostly: the place after the last
  // one is tried first
  double* FactoredDelassus::entry(std::size_t dof)
  {
    if (dof >= number_.size())
      number_.resize(dof + 1, none);
    std::uint32_t& number = number_[dof];
    if (number == none) {
      number = std::uint32_t(dofs_.size());
      dofs_.push_back(dof);
    }
    const std::size_t begin = rowBegin_.back();
    std::size_t at = cursor_ < columns_.size() ? cursor_ : begin;
    if (at == columns_.size() || columns_[at] != number) {
      at = std::size_t(std::find(columns_.begin() + std::ptrdiff_t(begin), columns_.end(), number) -
                       columns_.begin());
      if (at == columns_.size()) {
        columns_.push_back(number);
        values_.resize(values_.size() + 2 * blockSize_, 0);
      }
    }
    cursor_ = at + 1;
    return &values_[at * 2 * blockSize_];
  }

  // H_ii = G_i W_i
  void FactoredDelassus::endRow()
  {
    const int d = blockSize_;
    double block[9] = {};
    for (std::size_t n = rowBegin_.back(); n < columns_.size(); ++n) {
      const double* value = &values_[n * 2 * d];
      for (int k = 0; k < d; ++k)
        for (int l = 0; l < d; ++l)
          block[k * d + l] += value[k] * value[d + l];
      for (int k = 0; k < 2 * d; ++k)
        check_ += 0 * value[k];
    }
    diagonal_.insert(diagonal_.end(), block, block + d * d);
  }

  double FactoredDelassus::rateSize(std::size_t i, int component, const double* s) const
  {
    const auto [begin, end] = range(i);
    double sum = 0;
    for (std::size_t n = begin; n < end; ++n)
      sum += std::abs(values_[n * 2 * blockSize_ + component]) * s[columns_[n]];
    return sum;
  }

  const double* FactoredDelassus::velocities(ConstSpan r, std::vector<double>& scratch) const
  {
    return sumVelocities(*this, r, scratch);
  }

  const double* FactoredDelassus::velocitySizes(ConstSpan r, std::vector<double>& scratch) const
  {
    const int d = blockSize_;
    scratch.assign(dofs(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
      const auto [begin, end] = range(i);
      for (std::size_t n = begin; n < end; ++n)
        for (int k = 0; k < d; ++k)
          scratch[columns_[n]] += std::abs(values_[n * 2 * d + d + k] * r[i * d + k]);
    }
    return scratch.data();
  }

  void FactoredDelassus::multiply(ConstSpan x, Span y) const
  {
    multiplyFactors(*this, x, y);
  }

} // namespace Dune::Impact
