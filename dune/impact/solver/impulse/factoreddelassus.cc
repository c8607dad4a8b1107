// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
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
    columns_.clear();
    values_.clear();
    diagonal_.clear();
    dofs_.clear();
  }

  void FactoredDelassus::beginRow()
  {
    columns_.beginRow();
    cursor_ = 0;
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
    const std::span<const std::uint32_t> row = columns_.back();
    std::size_t at = cursor_ < row.size() ? cursor_ : 0;
    if (at == row.size() || row[at] != number) {
      at = std::size_t(std::find(row.begin(), row.end(), number) - row.begin());
      if (at == row.size()) {
        columns_.add(number);
        values_.resize(values_.size() + 2 * blockSize_, 0);
      }
    }
    cursor_ = at + 1;
    return &values_[(columns_.begin(size() - 1) + at) * 2 * blockSize_];
  }

  // H_ii = G_i W_i
  void FactoredDelassus::endRow()
  {
    const int d = blockSize_;
    double block[9] = {};
    const auto [dofs, values] = row(size() - 1);
    for (std::size_t n = 0; n < dofs.size(); ++n) {
      const double* value = values + n * 2 * d;
      for (int k = 0; k < d; ++k)
        for (int l = 0; l < d; ++l)
          block[k * d + l] += value[k] * value[d + l];
      for (int k = 0; k < 2 * d; ++k)
        check_ += 0 * value[k];
    }
    diagonal_.insert(diagonal_.end(), block, block + d * d);
  }

  //! sum_n |G_in| s_n of one component: the round-off of G_i u is a multiple of it
  double FactoredDelassus::rateSize(std::size_t i, int component, const double* s) const
  {
    const auto [dofs, values] = row(i);
    double sum = 0;
    for (std::size_t n = 0; n < dofs.size(); ++n)
      sum += std::abs(values[n * 2 * blockSize_ + component]) * s[dofs[n]];
    return sum;
  }

  const double* FactoredDelassus::velocities(ConstSpan r, std::vector<double>& scratch) const
  {
    return sumVelocities(*this, r, scratch);
  }

  //! |W| |r|, the sizes of the terms of u = W r
  const double* FactoredDelassus::velocitySizes(ConstSpan r, std::vector<double>& scratch) const
  {
    const int d = blockSize_;
    scratch.assign(dofs(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
      const auto [dofs, values] = row(i);
      for (std::size_t n = 0; n < dofs.size(); ++n)
        for (int k = 0; k < d; ++k)
          scratch[dofs[n]] += std::abs(values[n * 2 * d + d + k] * r[i * d + k]);
    }
    return scratch.data();
  }

  void FactoredDelassus::multiply(ConstSpan x, Span y) const
  {
    multiplyFactors(*this, x, y);
  }

} // namespace Dune::Impact
