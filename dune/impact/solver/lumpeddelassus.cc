// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <dune/impact/solver/connected.hh>
#include <dune/impact/solver/lumpeddelassus.hh>

namespace Dune::Impact {

  namespace {

    //! Inverse of a symmetric matrix by cofactors; zero if the determinant is not positive
    void invert(int d, const double* A, double* inverse)
    {
      std::fill_n(inverse, d * d, 0.0);
      if (d == 1) {
        if (A[0] > 0)
          inverse[0] = 1 / A[0];
        return;
      }
      const double c0 = d == 2 ? A[3] : A[4] * A[8] - A[5] * A[7];
      const double c1 = d == 2 ? -A[2] : A[5] * A[6] - A[3] * A[8];
      const double c2 = d == 2 ? 0 : A[3] * A[7] - A[4] * A[6];
      const double determinant = A[0] * c0 + A[1] * c1 + (d == 2 ? 0 : A[2] * c2);
      if (!(determinant > 0))
        return;
      const double factor = 1 / determinant;
      inverse[0] = factor * c0;
      inverse[1] = inverse[d] = factor * c1;
      if (d == 2) {
        inverse[3] = factor * A[0];
        return;
      }
      inverse[2] = inverse[6] = factor * c2;
      inverse[4] = factor * (A[0] * A[8] - A[2] * A[6]);
      inverse[5] = inverse[7] = factor * (A[2] * A[3] - A[0] * A[5]);
      inverse[8] = factor * (A[0] * A[4] - A[1] * A[3]);
    }

  } // namespace

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
      values_.resize(values_.size() + (component > 0 ? blockSize_ * lanes : lanes), 0);
    }
    return &values_[node.value] + component * lanes;
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
        for (int c = 0; c < lanes; ++c)
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
    for (std::uint32_t n = 0; n < row.wide; ++n, value += d * lanes)
      for (int k = 0; k < d; ++k)
        for (int l = 0; l <= k; ++l)
          sum[k][l] += Lane(value + k * lanes) * Lane(value + l * lanes);
    for (std::uint32_t n = row.wide; n < row.count; ++n, value += lanes)
      sum[0][0] += Lane(value) * Lane(value);
    for (int k = 0; k < d; ++k) {
      for (int l = 0; l <= k; ++l)
        A[k * d + l] = A[l * d + k] = sum[k][l].sum();
      check_ += 0 * A[k * d + k];
    }
    invert(d, A, A + d * d);
  }

  //! Diagonal blocks from a row on
  void LumpedDelassus::setBlocks(std::size_t begin)
  {
    blocks_.resize(2 * rows_.size() * blockSize_ * blockSize_);
    for (std::size_t i = begin; i < rows_.size(); ++i)
      switch (blockSize_) {
      case 1: setBlock<1>(i); break;
      case 2: setBlock<2>(i); break;
      default: setBlock<3>(i);
      }
  }

  template<int d>
  void LumpedDelassus::applyToMomenta(Span rate, Span size) const
  {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      const double* value = values_.data() + row.value;
      Lane sum[d], sizes[d];
      const auto add = [&](int k, const Lane& u) {
        const Lane product = Lane(value) * u;
        sum[k] += product;
        sizes[k] += product.size();
        value += lanes;
      };
      std::uint32_t n = 0;
      for (; n < row.wide; ++n) {
        const Lane u(&u_[nodes_[row.node + n] * lanes]);
        ask(value);
        for (int k = 0; k < d; ++k)
          add(k, u);
      }
      for (; n < row.count; ++n)
        add(0, Lane(&u_[nodes_[row.node + n] * lanes]));
      for (int k = 0; k < d; ++k) {
        rate[i * d + k] = sum[k].sum();
        size[i * d + k] = sizes[k].sum();
      }
    }
  }

  void LumpedDelassus::rates(ConstSpan p, Span rate, Span size)
  {
    u_.assign(dofs(), 0);
    for (std::size_t node = 0; node < seen_.size(); ++node) {
      const std::size_t begin = seen_[node].firstDof;
      for (std::size_t dof = begin; dof < dofs_.size() && dofs_[dof].node == dofs_[begin].node; ++dof)
        u_[node * lanes + dofs_[dof].component] = dofs_[dof].root * p[dof];
    }
    switch (blockSize_) {
    case 1: return applyToMomenta<1>(rate, size);
    case 2: return applyToMomenta<2>(rate, size);
    default: return applyToMomenta<3>(rate, size);
    }
  }

  //! Take away the entries of dofs whose factor in the scratch memory is zero
  void LumpedDelassus::applyHolds()
  {
    for (const Row& row : rows_) {
      double* value = values_.data() + row.value;
      for (std::uint32_t n = 0; n < row.count; ++n)
        for (int k = 0; k < (n < row.wide ? blockSize_ : 1); ++k, value += lanes)
          (Lane(value) * Lane(&u_[nodes_[row.node + n] * lanes])).store(value);
    }
    setBlocks(0);
  }

  double LumpedDelassus::rateSize(std::size_t i, int component, const double* s) const
  {
    double sum = 0;
    forEntries(i, [&](int k, std::size_t at, double value) { sum += k == component ? std::abs(value) * s[at] : 0; });
    return sum;
  }

  const double* LumpedDelassus::velocities(ConstSpan r, std::vector<double>& scratch) const
  {
    assert(r.size() == size() * blockSize_);
    scratch.assign(dofs(), 0);
    for (std::size_t i = 0; i < size(); ++i)
      switch (blockSize_) {
      case 1: addVelocities<1>(i, &r[i], scratch.data()); break;
      case 2: addVelocities<2>(i, &r[i * 2], scratch.data()); break;
      default: addVelocities<3>(i, &r[i * 3], scratch.data());
      }
    return scratch.data();
  }

  const double* LumpedDelassus::velocitySizes(ConstSpan r, std::vector<double>& scratch) const
  {
    scratch.assign(dofs(), 0);
    for (std::size_t i = 0; i < size(); ++i)
      forEntries(i, [&](int k, std::size_t at, double value) { scratch[at] += std::abs(value * r[i * blockSize_ + k]); });
    return scratch.data();
  }

  void LumpedDelassus::multiply(ConstSpan x, Span y) const
  {
    assert(y.size() == x.size());
    std::vector<double> scratch;
    const double* u = velocities(x, scratch);
    std::fill(y.begin(), y.end(), 0.0);
    for (std::size_t i = 0; i < size(); ++i)
      switch (blockSize_) {
      case 1: addRate<1>(i, u, &y[i]); break;
      case 2: addRate<2>(i, u, &y[i * 2]); break;
      default: addRate<3>(i, u, &y[i * 3]);
      }
  }

  std::size_t LumpedDelassus::components(std::vector<std::size_t>& labels) const
  {
    return labelComponents(size(), [&](auto&& connect) {
      for (std::size_t i = 0; i < size(); ++i)
        for (std::uint32_t n = 0; n < rows_[i].count; ++n)
          connect(i, seen_[nodes_[rows_[i].node + n]].firstRow);
    }, labels);
  }

} // namespace Dune::Impact
