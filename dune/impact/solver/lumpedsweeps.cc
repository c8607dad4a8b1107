// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include <dune/impact/solver/connected.hh>
#include <dune/impact/solver/lumpedsweeps.hh>

namespace Dune::Impact {

  namespace {

    //! Inverse of a symmetric matrix by cofactors; zero if the determinant is not positive
    void invert(const double* A, double* inverse)
    {
      const double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8], c2 = A[3] * A[7] - A[4] * A[6];
      const double determinant = A[0] * c0 + A[1] * c1 + A[2] * c2;
      if (!(determinant > 0))
        return;
      const double factor = 1 / determinant;
      inverse[0] = factor * c0;
      inverse[1] = inverse[3] = factor * c1;
      inverse[2] = inverse[6] = factor * c2;
      inverse[4] = factor * (A[0] * A[8] - A[2] * A[6]);
      inverse[5] = inverse[7] = factor * (A[2] * A[3] - A[0] * A[5]);
      inverse[8] = factor * (A[0] * A[4] - A[1] * A[3]);
    }

    double coefficient(std::span<const double> friction, std::size_t i)
    {
      return friction.empty() ? 0 : friction[i];
    }

  } // namespace

  LumpedSweeps::LumpedSweeps(std::vector<Dof> dofs)
    : dofs_(std::move(dofs))
  {
    std::uint32_t nodes = 0;
    for (const Dof& dof : dofs_)
      nodes = std::max(nodes, dof.node + 1);
    number_.resize(nodes, none);
  }

  void LumpedSweeps::clear(int blockSize)
  {
    assert(blockSize >= 1 && blockSize <= 3);
    blockSize_ = blockSize;
    coupled_ = false;
    for (std::size_t dof : firstDof_)
      number_[dofs_[dof].node] = none;
    firstDof_.clear();
    firstRow_.clear();
    blocks_.clear();
    end_.clear();
  }

  void LumpedSweeps::add(std::span<const Entry> functional)
  {
    std::uint32_t last = none;
    for (const auto& [dof, value] : functional) {
      const Dof& at = dofs_[dof];
      if (at.node != last) {
        std::uint32_t& number = number_[at.node];
        if (number == none) {
          number = std::uint32_t(firstDof_.size());
          firstDof_.push_back(dof - at.component);
          firstRow_.push_back(std::uint32_t(row()));
        }
        coupled_ = coupled_ || firstRow_[number] != row();
        blocks_.push_back({{0, 0, 0}, number});
        last = at.node;
      }
      blocks_.back().value[at.component] += at.root * value;
    }
    end_.push_back(blocks_.size());
  }

  void LumpedSweeps::rates(ConstSpan p, Span rate, Span size)
  {
    u_.assign(firstDof_.size(), {});
    for (std::size_t i = 0; i < u_.size(); ++i)
      for (std::size_t dof = firstDof_[i]; dof < dofs_.size() && dofs_[dof].node == dofs_[firstDof_[i]].node; ++dof)
        u_[i].value[dofs_[dof].component] = dofs_[dof].root * p[dof];
    for (std::size_t i = 0; i < end_.size(); ++i) {
      const auto [value, terms] = applyWithSize(i);
      rate[i] = value;
      size[i] = terms;
    }
  }

  //! S_i u, in sums that do not wait for each other
  double LumpedSweeps::apply(std::size_t i) const
  {
    const auto blocks = functional(i);
    double even[3] = {0, 0, 0}, odd[3] = {0, 0, 0};
    std::size_t k = 0;
    for (; k + 2 <= blocks.size(); k += 2) {
      const Numbers &u = u_[blocks[k].node].value, &v = u_[blocks[k + 1].node].value;
      for (int c = 0; c < 3; ++c) {
        even[c] += blocks[k].value[c] * u[c];
        odd[c] += blocks[k + 1].value[c] * v[c];
      }
    }
    if (k < blocks.size())
      for (int c = 0; c < 3; ++c)
        even[c] += blocks[k].value[c] * u_[blocks[k].node].value[c];
    return (even[0] + odd[0]) + (even[1] + odd[1]) + (even[2] + odd[2]);
  }

  LumpedSweeps::Sum LumpedSweeps::applyWithSize(std::size_t i) const
  {
    double sum[3] = {0, 0, 0}, size[3] = {0, 0, 0};
    for (const Block& block : functional(i))
      for (int c = 0; c < 3; ++c) {
        const double product = block.value[c] * u_[block.node].value[c];
        sum[c] += product;
        size[c] += std::abs(product);
      }
    return {sum[0] + sum[1] + sum[2], size[0] + size[1] + size[2]};
  }

  //! u += S_i^T impulse
  void LumpedSweeps::move(std::size_t i, double impulse)
  {
    for (const Block& block : functional(i))
      for (int c = 0; c < 3; ++c)
        u_[block.node].value[c] += impulse * block.value[c];
  }

  //! S_i u of all components of a contact; where these see the same nodes each node once
  template<int d>
  void LumpedSweeps::applyRow(std::size_t row, double* w) const
  {
    if (d == 1 || !sameNodes_[row]) {
      for (int k = 0; k < d; ++k)
        w[k] = apply(row * d + k);
      return;
    }
    const auto blocks = functional(row * d);
    const std::size_t n = blocks.size();
    double sum[d][3] = {};
    for (std::size_t j = 0; j < n; ++j) {
      const Numbers& u = u_[blocks[j].node].value;
      for (int k = 0; k < d; ++k)
        for (int c = 0; c < 3; ++c)
          sum[k][c] += blocks.data()[k * n + j].value[c] * u[c];
    }
    for (int k = 0; k < d; ++k)
      w[k] = sum[k][0] + sum[k][1] + sum[k][2];
  }

  //! u += S_i^T impulse, likewise
  template<int d>
  void LumpedSweeps::moveRow(std::size_t row, const double* impulse)
  {
    if (d == 1 || !sameNodes_[row]) {
      for (int k = 0; k < d; ++k)
        move(row * d + k, impulse[k]);
      return;
    }
    const auto blocks = functional(row * d);
    const std::size_t n = blocks.size();
    for (std::size_t j = 0; j < n; ++j) {
      Numbers& u = u_[blocks[j].node].value;
      for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (int k = 0; k < d; ++k)
          sum += impulse[k] * blocks.data()[k * n + j].value[c];
        u[c] += sum;
      }
    }
  }

  //! A_kl = S_k S_l^T of the functionals of each contact; a node may repeat
  void LumpedSweeps::finish()
  {
    const int d = blockSize_;
    diagonal_.assign(size() * d * d, 0);
    inverse_.assign(d == 2 ? 0 : diagonal_.size(), 0);
    u_.assign(firstDof_.size(), {});
    sameNodes_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
      sameNodes_[i] = true;
      for (int k = 1; k < d; ++k)
        sameNodes_[i] = sameNodes_[i] && std::ranges::equal(functional(i * d), functional(i * d + k), {}, &Block::node, &Block::node);
      for (int k = 0; k < d; ++k) {
        move(i * d + k, 1);
        for (int l = 0; l <= k; ++l)
          diagonal_[(i * d + k) * d + l] = diagonal_[(i * d + l) * d + k] = apply(i * d + l);
        for (const Block& block : functional(i * d + k))
          u_[block.node] = {};
      }
      if (d == 3)
        invert(&diagonal_[i * 9], &inverse_[i * 9]);
      else if (d == 1 && diagonal_[i] > 0)
        inverse_[i] = 1 / diagonal_[i];
    }
  }

  std::size_t LumpedSweeps::components(std::vector<std::size_t>& labels) const
  {
    return labelComponents(size(), [&](auto&& connect) {
      for (std::size_t i = 0; i < size(); ++i)
        for (int k = 0; k < blockSize_; ++k)
          for (const Block& block : functional(i * blockSize_ + k))
            connect(i, firstRow_[block.node]);
    }, labels);
  }

  void LumpedSweeps::setVelocities(ConstSpan r)
  {
    std::fill(u_.begin(), u_.end(), Velocity{});
    for (std::size_t i = 0; i < r.size(); ++i)
      if (r[i] != 0)
        move(i, r[i]);
  }

  //! As solveLocalContact(); where the contact sticks the inverse of its block is used
  template<int d>
  void LumpedSweeps::solveRow(std::size_t row, const double* q, double mu, double* r) const
  {
    if constexpr (d == 1)
      r[0] = q[0] >= 0 ? 0 : -q[0] * inverse_[row];
    else {
      if (d == 3 && q[0] < 0 && mu > 0) {
        const double* B = &inverse_[row * 9];
        const double n = -(B[0] * q[0] + B[1] * q[1] + B[2] * q[2]);
        const double s = -(B[3] * q[0] + B[4] * q[1] + B[5] * q[2]), t = -(B[6] * q[0] + B[7] * q[1] + B[8] * q[2]);
        if (n > 0 && s * s + t * t <= mu * mu * n * n) {
          r[0] = n;
          r[1] = s;
          r[2] = t;
          return;
        }
      }
      solveLocalContact(d, &diagonal_[row * d * d], q, mu, r);
    }
  }

  template<int d>
  LumpedSweeps::Sweep LumpedSweeps::sweep(ConstSpan b, std::span<const double> friction, Span r)
  {
    Sweep result;
    for (std::size_t i = 0; i < size(); ++i) {
      double q[d], old[d];
      double* const ri = &r[i * d];
      const double* A = &diagonal_[i * d * d];
      std::copy_n(ri, d, old);
      applyRow<d>(i, q);
      for (int k = 0; k < d; ++k) {
        q[k] += b[i * d + k];
        for (int l = 0; l < d; ++l)
          q[k] -= A[k * d + l] * old[l];
      }
      solveRow<d>(i, q, coefficient(friction, i), ri);
      double change[d];
      bool changed = false;
      for (int k = 0; k < d; ++k) {
        change[k] = ri[k] - old[k];
        changed = changed || change[k] != 0;
        result.change = largerOrNaN(result.change, std::abs(A[k * d + k] * change[k]));
      }
      if (changed) {
        result.changed = true;
        moveRow<d>(i, change);
      }
    }
    return result;
  }

  //! Residual as contactResidual(); the round-off of u is that of the products that S_i u is the sum of
  template<int d>
  ContactResidual LumpedSweeps::evaluate(ConstSpan b, std::span<const double> friction, ConstSpan r, Span answer) const
  {
    ContactResidual result;
    for (std::size_t i = 0; i < size(); ++i) {
      double w[d];
      for (int k = 0; k < d; ++k) {
        const auto [value, size] = applyWithSize(i * d + k);
        answer[i * d + k] = value;
        w[k] = b[i * d + k] + value;
        result.rounding = largerOrNaN(result.rounding, 8 * std::numeric_limits<double>::epsilon() * size);
      }
      result.value = largerOrNaN(result.value, naturalMap(d, &diagonal_[i * d * d], coefficient(friction, i), &r[i * d], w));
    }
    return result;
  }

  //! One contact after the other; the first guess is not used
  template<int d>
  SolveReport LumpedSweeps::solveUncoupled(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer) const
  {
    ContactResidual residual;
    double scale = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const double* A = &diagonal_[i * d * d];
      const double mu = coefficient(friction, i);
      double w[d];
      solveLocalContact(d, A, &b[i * d], mu, &r[i * d]);
      for (int k = 0; k < d; ++k) {
        double& own = answer[i * d + k];
        double size = own = 0;
        for (int l = 0; l < d; ++l) {
          own += A[k * d + l] * r[i * d + l];
          size += std::abs(A[k * d + l] * r[i * d + l]);
        }
        w[k] = b[i * d + k] + own;
        scale = largerOrNaN(scale, std::abs(b[i * d + k]));
        residual.rounding = largerOrNaN(residual.rounding, 8 * std::numeric_limits<double>::epsilon() * size);
      }
      residual.value = largerOrNaN(residual.value, naturalMap(d, A, mu, &r[i * d], w));
    }
    return contactReport(0, residual, scale, settings.tolerance);
  }

  // The residual is computed when changes have become small, and now and then because round-off may keep them from that.
  template<int d>
  SolveReport LumpedSweeps::solve(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer)
  {
    double scale = 0;
    for (double x : b)
      scale = largerOrNaN(scale, std::abs(x));
    if (!std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); }))
      std::fill(r.begin(), r.end(), 0.0);
    if (!coupled_)
      return solveUncoupled<d>(b, friction, settings, r, answer);
    setVelocities(r);
    SolveReport report{.converged = false};
    for (int i = 1; i <= settings.maxIterations; ++i) {
      const auto [change, changed] = sweep<d>(b, friction, r);
      const bool last = !changed || !std::isfinite(change) || i == settings.maxIterations;
      if (change <= settings.tolerance * scale || last || i % 16 == 0) {
        report = contactReport(i, evaluate<d>(b, friction, r, answer), scale, settings.tolerance);
        if (report.converged || last)
          break;
      }
    }
    return report;
  }

  SolveReport LumpedSweeps::solve(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer)
  {
    assert(b.size() == end_.size() && r.size() == b.size() && answer.size() == b.size());
    bool approaches = false;
    for (std::size_t i = 0; i < b.size(); i += blockSize_)
      approaches = approaches || !(b[i] >= 0); // or is no number
    if (!approaches) {
      std::fill(r.begin(), r.end(), 0.0);
      std::fill(answer.begin(), answer.end(), 0.0);
      return {};
    }
    const double check = std::accumulate(b.begin(), b.end(), 0.0, [](double sum, double x) { return sum + 0 * x; });
    if (check != 0 || std::any_of(diagonal_.begin(), diagonal_.end(), [](double x) { return !std::isfinite(x); })) {
      std::fill(r.begin(), r.end(), 0.0);
      std::fill(answer.begin(), answer.end(), 0.0);
      return {.iterations = 0, .residual = std::numeric_limits<double>::infinity(), .converged = false};
    }
    switch (blockSize_) {
    case 1: return solve<1>(b, friction, settings, r, answer);
    case 2: return solve<2>(b, friction, settings, r, answer);
    default: return solve<3>(b, friction, settings, r, answer);
    }
  }

} // namespace Dune::Impact
