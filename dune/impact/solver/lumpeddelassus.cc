// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <dune/impact/solver/connected.hh>
#include <dune/impact/solver/delassusproducts.hh>
#include <dune/impact/solver/lumpeddelassus.hh>
#include <dune/impact/solver/smallbox.hh>

namespace Dune::Impact {

  LumpedDelassus::LumpedDelassus(std::vector<Dof> dofs)
    : dofs_(std::move(dofs))
  {
    std::uint32_t nodes = 0;
    for (const Dof& dof : dofs_)
      nodes = std::max(nodes, dof.node + 1);
    number_.resize(nodes, none);
  }

  void LumpedDelassus::clear(int blockSize)
  {
    assert(blockSize >= 1 && blockSize <= 3);
    blockSize_ = blockSize;
    coupled_ = false;
    check_ = 0;
    for (const Node& node : seen_)
      number_[dofs_[node.firstDof].node] = none;
    seen_.clear();
    rows_.clear();
    nodes_.clear();
    values_.clear();
    blocks_.clear();
  }

  /* The four numbers of a node in a functional of the row begun last. Tangents come before the normal: a node that none of
   * them has seen gets numbers of the normal only. */
  double* LumpedDelassus::numbers(const Dof& dof, std::size_t index, int component)
  {
    const auto row = std::uint32_t(rows_.size() - 1);
    std::uint32_t& number = number_[dof.node];
    if (number == none) {
      number = std::uint32_t(seen_.size());
      seen_.push_back({index - dof.component, 0, row, none});
    }
    Node& node = seen_[number];
    if (node.lastRow != row) {
      coupled_ = coupled_ || node.firstRow != row;
      node.lastRow = row;
      node.value = values_.size();
      nodes_.push_back(number);
      values_.resize(values_.size() + (component > 0 ? blockSize_ * entries : entries), 0);
    }
    return &values_[node.value] + component * entries;
  }

  void LumpedDelassus::add(const Functionals& functionals)
  {
    rows_.push_back({nodes_.size(), values_.size(), 0, 0});
    for (int k = blockSize_ - 1; k >= 0; --k) {
      if (k == 0)
        rows_.back().wide = std::uint32_t(nodes_.size() - rows_.back().node);
      std::uint32_t last = none;
      double* values = nullptr;
      for (const auto& [index, value] : functionals[k]) {
        const Dof& dof = dofs_[index];
        if (dof.node != last) {
          last = dof.node;
          values = numbers(dof, index, k);
        }
        values[dof.component] += dof.root * value;
      }
    }
    rows_.back().count = std::uint32_t(nodes_.size() - rows_.back().node);
    setBlocks(rows_.size() - 1);
  }

  //! term(component, number of u, entry) for all entries of a row
  template<class Term>
  void LumpedDelassus::forEntries(std::size_t i, Term&& term) const
  {
    const Row& row = rows_[i];
    const double* value = values_.data() + row.value;
    for (std::uint32_t n = 0; n < row.count; ++n)
      for (int k = 0; k < (n < row.wide ? blockSize_ : 1); ++k)
        for (int c = 0; c < entries; ++c)
          term(k, nodes_[row.node + n] * lanes + c, *value++);
  }

  //! A_kl = S_k S_l^T and its inverse
  template<int d>
  void LumpedDelassus::setBlock(std::size_t i)
  {
    const Row& row = rows_[i];
    const double* value = values_.data() + row.value;
    double* A = blocks_.data() + 2 * i * d * d;
    Lane sum[d][d];
    for (std::uint32_t n = 0; n < row.wide; ++n, value += d * entries)
      for (int k = 0; k < d; ++k)
        for (int l = 0; l <= k; ++l)
          sum[k][l] += entry(value + k * entries) * entry(value + l * entries);
    for (std::uint32_t n = row.wide; n < row.count; ++n, value += entries)
      sum[0][0] += entry(value) * entry(value);
    bool moves = true; // in all directions
    for (int k = 0; k < d; ++k) {
      for (int l = 0; l <= k; ++l)
        A[k * d + l] = A[l * d + k] = sum[k][l].sum();
      check_ += 0 * A[k * d + k];
      moves = moves && A[k * d + k] > 0;
    }
    if (!moves || !invertFree<d>(A, 0, A + d * d))
      std::fill_n(A + d * d, d * d, 0.0);
  }

  //! Diagonal blocks from a row on
  void LumpedDelassus::setBlocks(std::size_t begin)
  {
    blocks_.resize(2 * rows_.size() * blockSize_ * blockSize_);
    withBlockSize(blockSize_, [&](auto d) {
      for (std::size_t i = begin; i < rows_.size(); ++i)
        setBlock<d>(i);
    });
  }

  //! Of each node the scratch memory has M^-1/2 p before, after, and the sum of the sizes of both
  template<int d>
  void LumpedDelassus::applyToMomenta(const Rates& rates) const
  {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      const double* value = values_.data() + row.value;
      Lane before[d], after[d], size[d];
      for (std::uint32_t n = 0; n < row.count; ++n) {
        const double* at = &u_[3 * lanes * nodes_[row.node + n]];
        const Lane first(at), second(at + lanes), sizes(at + 2 * lanes);
        ask(value);
        const auto add = [&](int k) {
          const Lane s = entry(value + k * entries);
          before[k] += s * first;
          after[k] += s * second;
          size[k] += s.size() * sizes;
        };
        add(0);
        if (n < row.wide)
          for (int k = 1; k < d; ++k)
            add(k);
        value += n < row.wide ? d * entries : entries;
      }
      for (int k = 0; k < d; ++k) {
        rates.before[i * d + k] = before[k].sum();
        rates.after[i * d + k] = after[k].sum();
        rates.size[i * d + k] = size[k].sum();
      }
    }
  }

  void LumpedDelassus::rates(ConstSpan before, ConstSpan after, const Rates& rates)
  {
    u_.assign(3 * dofs(), 0);
    for (std::size_t node = 0; node < seen_.size(); ++node) {
      const std::size_t begin = seen_[node].firstDof;
      for (std::size_t dof = begin; dof < dofs_.size() && dofs_[dof].node == dofs_[begin].node; ++dof) {
        double* at = &u_[3 * lanes * node + dofs_[dof].component];
        at[0] = dofs_[dof].root * before[dof];
        at[lanes] = dofs_[dof].root * after[dof];
        at[2 * lanes] = std::abs(at[0]) + std::abs(at[lanes]);
      }
    }
    withBlockSize(blockSize_, [&](auto d) { applyToMomenta<d>(rates); });
  }

  //! Take away the entries of dofs whose factor in the scratch memory is zero
  void LumpedDelassus::applyHolds()
  {
    for (const Row& row : rows_) {
      double* value = values_.data() + row.value;
      for (std::uint32_t n = 0; n < row.count; ++n)
        for (int k = 0; k < (n < row.wide ? blockSize_ : 1); ++k)
          for (int c = 0; c < entries; ++c)
            *value++ *= u_[nodes_[row.node + n] * lanes + c];
    }
    setBlocks(0);
  }

  double LumpedDelassus::rateSize(std::size_t i, int component, const double* s) const
  {
    double sum = 0;
    forEntries(i, [&](int k, std::size_t at, double value) { sum += k == component ? std::abs(value) * s[at] : 0; });
    return sum;
  }

  const double* LumpedDelassus::velocities(ConstSpan r, std::vector<double>& scratch) const { return sumVelocities(*this, r, scratch); }

  const double* LumpedDelassus::velocitySizes(ConstSpan r, std::vector<double>& scratch) const
  {
    scratch.assign(dofs(), 0);
    for (std::size_t i = 0; i < size(); ++i)
      forEntries(i, [&](int k, std::size_t at, double value) { scratch[at] += std::abs(value * r[i * blockSize_ + k]); });
    return scratch.data();
  }

  void LumpedDelassus::multiply(ConstSpan x, Span y) const { multiplyFactors(*this, x, y); }

  std::size_t LumpedDelassus::components(std::vector<std::size_t>& labels) const
  {
    return labelComponents(size(), [&](auto&& connect) {
      for (std::size_t i = 0; i < size(); ++i)
        for (std::uint32_t n = 0; n < rows_[i].count; ++n)
          connect(i, seen_[nodes_[rows_[i].node + n]].firstRow);
    }, labels);
  }

} // namespace Dune::Impact
