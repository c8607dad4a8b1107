// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <dune/impact/solver/impulse/connected.hh>
#include <dune/impact/solver/impulse/delassusproducts.hh>
#include <dune/impact/solver/impulse/factoreddelassus.hh>
#include <dune/impact/solver/impulse/lumpeddelassus.hh>
#include <dune/impact/solver/multigrid/smallbox.hh>

namespace Dune::Impact {

  //! The dofs are isotropic if every node has three of them, in order, with one mass: only then
  //! rows can be compressed
  LumpedDelassus::LumpedDelassus(std::vector<Dof> dofs) : dofs_(std::move(dofs))
  {
    std::uint32_t nodes = 0;
    for (const Dof& dof : dofs_)
      nodes = std::max(nodes, dof.node + 1);
    number_.resize(nodes, none);
    isotropic_ = dofs_.size() == 3 * std::size_t(nodes);
    for (std::size_t i = 0; i < dofs_.size() && isotropic_; ++i)
      isotropic_ = dofs_[i].node == i / 3 && dofs_[i].component == i % 3 &&
                   dofs_[i].root == dofs_[i - i % 3].root;
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
    valueCount_ = 0;
  }

  /* The four numbers of a node in a functional of the row begun last. Tangents come before the
   * normal: a node that none of them has seen gets numbers of the normal only. */
  double* LumpedDelassus::numbers(const Dof& dof, std::size_t index, int component)
  {
    const auto row = std::uint32_t(rows_.size() - 1);
    const std::uint32_t number = see(dof.node, index - dof.component);
    Node& node = seen_[number];
    if (node.lastRow != row) {
      node.lastRow = row;
      node.value = valueCount_;
      nodes_.push_back(number);
      const std::size_t count = component > 0 ? blockSize_ * entries : entries;
      std::fill_n(append(count), count, 0.0);
    }
    return &values_[node.value] + component * entries;
  }

  //! A row of S = G M^-1/2, with which H = S S^T. Tangents come first; nodes that only the normal
  //! sees have one functional instead of d.
  void LumpedDelassus::add(const Functionals& functionals)
  {
    rows_.push_back({nodes_.size(), valueCount_, 0, 0});
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
  }

  /* Compressed row of a node with partner nodes: the axes n_k, s_0 = root of the node, and of each
   * partner s_j = root weight and l_jk = root tiltWeight. The entry of component k is
   *
   *     s_j n_k + l_jk n_0,   l_j0 = 0.
   */
  void LumpedDelassus::add(const std::array<Vec3, 3>& axes, std::size_t dof,
                           std::span<const MortarEntry> partners)
  {
    assert(isotropic_ && !partners.empty());
    const std::size_t d = std::size_t(blockSize_);
    rows_.push_back({nodes_.size(), valueCount_, none, std::uint32_t(1 + partners.size())});
    double* value = append(d * entries + 1 + d * partners.size());
    for (std::size_t k = 0; k < d; ++k)
      for (int c = 0; c < entries; ++c)
        *value++ = axes[k][c];
    nodes_.push_back(see(dofs_[dof].node, dof));
    *value++ = dofs_[dof].root;
    for (const MortarEntry& partner : partners) {
      const double root = dofs_[partner.dof].root;
      nodes_.push_back(see(dofs_[partner.dof].node, partner.dof));
      *value++ = root * partner.weight;
      for (std::size_t k = 1; k < d; ++k)
        *value++ = root * partner.tiltWeight[k - 1];
    }
  }

  //! term(component, number of u, entry) for all entries of a row
  template<class Term>
  void LumpedDelassus::forEntries(std::size_t i, Term&& term) const
  {
    const Row& row = rows_[i];
    const double* value = values_.data() + row.value;
    if (isCompressed(row)) {
      const double* const axes = value;
      value += blockSize_ * entries;
      for (std::uint32_t n = 0; n < row.count; value += n++ == 0 ? 1 : blockSize_)
        for (int k = 0; k < blockSize_; ++k)
          for (int c = 0; c < entries; ++c)
            term(k, nodes_[row.node + n] * lanes + c,
                 value[0] * axes[k * entries + c] + (n > 0 && k > 0 ? value[k] * axes[c] : 0));
      return;
    }
    for (std::uint32_t n = 0; n < row.count; ++n)
      for (int k = 0; k < (n < row.wide ? blockSize_ : 1); ++k)
        for (int c = 0; c < entries; ++c)
          term(k, nodes_[row.node + n] * lanes + c, *value++);
  }

  namespace {

    /* Lower triangle of the inverse of a positive definite A by its cofactors; zero if the
     * determinant is not positive. With one division, where invertFree() has three that wait for
     * each other. */
    template<int d>
    void invertSymmetric(const double* A, double* result)
    {
      double determinant = A[0];
      result[0] = 1;
      if constexpr (d == 2) {
        result[0] = A[3];
        result[1] = -A[1];
        result[2] = A[0];
        determinant = A[0] * A[3] - A[1] * A[1];
      }
      if constexpr (d == 3) {
        result[0] = A[4] * A[8] - A[5] * A[5];
        result[1] = A[2] * A[5] - A[1] * A[8];
        result[2] = A[0] * A[8] - A[2] * A[2];
        result[3] = A[1] * A[5] - A[2] * A[4];
        result[4] = A[1] * A[2] - A[0] * A[5];
        result[5] = A[0] * A[4] - A[1] * A[1];
        determinant = A[0] * result[0] + A[1] * result[1] + A[2] * result[3];
      }
      const double factor = determinant > 0 ? 1 / determinant : 0;
      for (int k = 0; k < d * (d + 1) / 2; ++k)
        result[k] *= factor;
    }

  } // namespace

  //! A_kl = S_k S_l^T and its inverse
  template<int d>
  void LumpedDelassus::setBlock(std::size_t i)
  {
    const Row& row = rows_[i];
    const double* value = values_.data() + row.value;
    double *A = blocks_.data() + i * d * d, *result = inverses_.data() + i * inverseSize(d),
           inverse[d * d] = {};
    Lane sum[d][d] = {};
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
    if (moves)
      invertFree<d>(A, 0, inverse);
    result = std::copy_n(A, d, result);
    for (int k = 0; k < d; ++k)
      result = std::copy_n(inverse + k * d, k + 1, result);
  }

  /* The same for a compressed row, with l_j0 = 0 and the Kronecker delta:
   *
   *     A_kl = sum_j delta_kl s_j^2 + delta_k0 s_j l_jl + delta_l0 s_j l_jk + l_jk l_jl. */
  template<int d>
  void LumpedDelassus::setCompressedBlock(std::size_t i)
  {
    const Row& row = rows_[i];
    const double* value = values_.data() + row.value + d * entries;
    double *A = blocks_.data() + i * d * d, *result = inverses_.data() + i * inverseSize(d);
    const double first = *value++;
    std::fill_n(A, d * d, 0.0);
    A[0] = first * first;
    for (std::uint32_t n = 1; n < row.count; ++n, value += d) {
      A[0] += value[0] * value[0];
      for (int k = 1; k < d; ++k) {
        A[k] += value[0] * value[k];
        for (int l = 1; l <= k; ++l)
          A[k * d + l] += value[k] * value[l];
      }
    }
    for (int k = 1; k < d; ++k) {
      A[k * d] = A[k];
      A[k * d + k] += A[0];
      for (int l = 1; l < k; ++l)
        A[l * d + k] = A[k * d + l];
    }
    for (int k = 0; k < d; ++k)
      check_ += 0 * A[k * d + k];
    for (int k = 0; k < d * entries; ++k)
      check_ += 0 * values_[row.value + k];
    invertSymmetric<d>(A, std::copy_n(A, d, result));
  }

  //! Diagonal blocks
  void LumpedDelassus::finish()
  {
    check_ = 0;
    blocks_.resize(rows_.size() * blockSize_ * blockSize_);
    inverses_.resize(rows_.size() * inverseSize(blockSize_));
    withBlockSize(blockSize_, [&](auto d) {
      for (std::size_t i = 0; i < rows_.size(); ++i)
        isCompressed(rows_[i]) ? setCompressedBlock<d>(i) : setBlock<d>(i);
    });
  }

  //! Of each node the scratch memory has M^-1/2 p before, after, and the sum of the sizes of both
  template<int d>
  void LumpedDelassus::applyToMomenta(const Rates& rates) const
  {
    constexpr int stride = 3 * lanes;
    const double* u = u_.data();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double before[d] = {}, after[d] = {}, size[d] = {};
      addTerms<d, stride, false>(i, u, before);
      addTerms<d, stride, false>(i, u + lanes, after);
      addTerms<d, stride, true>(i, u + 2 * lanes, size);
      std::copy_n(before, d, &rates.before[i * d]);
      std::copy_n(after, d, &rates.after[i * d]);
      std::copy_n(size, d, &rates.size[i * d]);
    }
  }

  //! Contact velocities S (M^-1/2 p) of two momenta in one pass over the rows
  void LumpedDelassus::rates(ConstSpan before, ConstSpan after, const Rates& rates)
  {
    u_.resize(3 * dofs());
    for (std::size_t node = 0; node < seen_.size(); ++node) {
      const std::size_t begin = seen_[node].firstDof;
      int count = isotropic_ ? 3 : 0; // dofs of the node
      while (!isotropic_ && begin + count < dofs_.size() &&
             dofs_[begin + count].node == dofs_[begin].node)
        ++count;
      double* at = &u_[3 * lanes * node];
      for (int c = 0; c < lanes; ++c) {
        at[c] = c < count ? dofs_[begin + c].root * before[begin + c] : 0;
        at[lanes + c] = c < count ? dofs_[begin + c].root * after[begin + c] : 0;
        at[2 * lanes + c] = std::abs(at[c]) + std::abs(at[lanes + c]);
      }
    }
    withBlockSize(blockSize_, [&](auto d) { applyToMomenta<d>(rates); });
  }

  //! True if a factor of a dof of a row in the scratch memory is zero
  bool LumpedDelassus::isHeld(const Row& row) const
  {
    for (std::uint32_t n = 0; n < row.count; ++n)
      for (int c = 0; c < entries; ++c)
        if (u_[nodes_[row.node + n] * lanes + c] == 0)
          return true;
    return false;
  }

  //! Write the entries of a compressed row, which then is as all others
  void LumpedDelassus::expand(std::size_t i)
  {
    Row& row = rows_[i];
    std::vector<double> full;
    forEntries(i, [&](int, std::size_t, double value) { full.push_back(value); });
    row.value = valueCount_;
    row.wide = row.count;
    std::copy(full.begin(), full.end(), append(full.size()));
  }

  //! Take away the entries of dofs whose factor in the scratch memory is zero
  void LumpedDelassus::applyHolds()
  {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!isHeld(rows_[i]))
        continue;
      if (isCompressed(rows_[i]))
        expand(i);
      const Row& row = rows_[i];
      double* value = values_.data() + row.value;
      for (std::uint32_t n = 0; n < row.count; ++n)
        for (int k = 0; k < (n < row.wide ? blockSize_ : 1); ++k)
          for (int c = 0; c < entries; ++c)
            *value++ *= u_[nodes_[row.node + n] * lanes + c];
    }
    finish();
  }

  //! sum |S_in| s_n of one component: the round-off of S_i u is a multiple of it
  double LumpedDelassus::rateSize(std::size_t i, int component, const double* s) const
  {
    double sum = 0;
    forEntries(i, [&](int k, std::size_t at, double value) {
      sum += k == component ? std::abs(value) * s[at] : 0;
    });
    return sum;
  }

  void LumpedDelassus::factorise(FactoredDelassus& factors) const
  {
    factors.clear(blockSize_);
    for (std::size_t i = 0; i < size(); ++i) {
      factors.beginRow();
      forEntries(i, [&](int k, std::size_t at, double value) {
        factors.addFunctional(k, at, value);
        factors.addVelocity(k, at, value);
      });
      factors.endRow();
    }
  }

  const double* LumpedDelassus::velocities(ConstSpan r, std::vector<double>& scratch) const
  {
    return sumVelocities(*this, r, scratch);
  }

  //! |S^T| |r|, the sizes of the terms of u = S^T r
  const double* LumpedDelassus::velocitySizes(ConstSpan r, std::vector<double>& scratch) const
  {
    scratch.assign(dofs(), 0);
    for (std::size_t i = 0; i < size(); ++i)
      forEntries(i, [&](int k, std::size_t at, double value) {
        scratch[at] += std::abs(value * r[i * blockSize_ + k]);
      });
    return scratch.data();
  }

  void LumpedDelassus::multiply(ConstSpan x, Span y) const
  {
    multiplyFactors(*this, x, y);
  }

  //! Contacts that see a common node are connected
  std::size_t LumpedDelassus::components(std::vector<std::size_t>& labels) const
  {
    return labelComponents(
      size(),
      [&](auto&& connect) {
        for (std::size_t i = 0; i < size(); ++i)
          for (std::uint32_t n = 0; n < rows_[i].count; ++n)
            connect(i, seen_[nodes_[rows_[i].node + n]].firstRow);
      },
      labels);
  }

} // namespace Dune::Impact
