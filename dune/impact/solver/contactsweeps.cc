// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <dune/impact/solver/connected.hh>
#include <dune/impact/solver/contactsweeps.hh>

namespace Dune::Impact {

  namespace {

    double coefficient(std::span<const double> friction, std::size_t i)
    {
      return friction.empty() ? 0 : friction[i];
    }

  } // namespace

  void ContactSweeps::clear(int blockSize, std::size_t dofs)
  {
    assert(blockSize >= 1 && blockSize <= 3);
    blockSize_ = blockSize;
    coupled_ = false;
    for (std::size_t dof : numbered_)
      number_[dof] = none;
    number_.resize(dofs, none);
    numbered_.clear();
    root_.clear();
    firstRow_.clear();
    dof_.clear();
    value_.clear();
    end_.clear();
  }

  //! S_i u, in four sums that do not wait for each other
  double ContactSweeps::apply(std::size_t functional) const
  {
    double sum[4] = {0, 0, 0, 0};
    std::size_t k = begin(functional);
    const std::size_t end = end_[functional];
    for (; k + 4 <= end; k += 4)
      for (int c = 0; c < 4; ++c)
        sum[c] += value_[k + c] * u_[dof_[k + c]];
    for (int c = 0; k < end; ++k, ++c)
      sum[c] += value_[k] * u_[dof_[k]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

  //! u += S_i^T impulse
  void ContactSweeps::move(std::size_t functional, double impulse)
  {
    for (std::size_t k = begin(functional); k < end_[functional]; ++k)
      u_[dof_[k]] += impulse * value_[k];
  }

  //! A_kl = S_k S_l^T of the functionals of each contact; a dof may repeat
  void ContactSweeps::finish()
  {
    const int d = blockSize_;
    diagonal_.assign(size() * d * d, 0);
    u_.assign(root_.size(), 0);
    for (std::size_t i = 0; i < size(); ++i)
      for (int k = 0; k < d; ++k) {
        move(i * d + k, 1);
        for (int l = 0; l <= k; ++l)
          diagonal_[(i * d + k) * d + l] = diagonal_[(i * d + l) * d + k] = apply(i * d + l);
        for (std::size_t e = begin(i * d + k); e < end_[i * d + k]; ++e)
          u_[dof_[e]] = 0;
      }
  }

  std::size_t ContactSweeps::components(std::vector<std::size_t>& labels) const
  {
    return labelComponents(size(), [&](auto&& connect) {
      for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t k = begin(i * blockSize_); k < end_[(i + 1) * blockSize_ - 1]; ++k)
          connect(i, firstRow_[dof_[k]]);
    }, labels);
  }

  void ContactSweeps::setVelocities(ConstSpan r)
  {
    std::fill(u_.begin(), u_.end(), 0);
    for (std::size_t i = 0; i < r.size(); ++i)
      if (r[i] != 0)
        move(i, r[i]);
  }

  template<int d>
  ContactSweeps::Sweep ContactSweeps::sweep(ConstSpan b, std::span<const double> friction, Span r)
  {
    Sweep result;
    for (std::size_t i = 0; i < size(); ++i) {
      double w[d], q[d], old[d];
      double* const ri = &r[i * d];
      const double* A = &diagonal_[i * d * d];
      std::copy_n(ri, d, old);
      for (int k = 0; k < d; ++k) {
        w[k] = q[k] = b[i * d + k] + apply(i * d + k);
        for (int l = 0; l < d; ++l)
          q[k] -= A[k * d + l] * old[l];
      }
      const double mu = coefficient(friction, i);
      result.residual = largerOrNaN(result.residual, naturalMap(d, A, mu, old, w));
      solveLocalContact(d, A, q, mu, ri);
      for (int k = 0; k < d; ++k)
        if (ri[k] != old[k]) {
          result.changed = true;
          move(i * d + k, ri[k] - old[k]);
        }
    }
    return result;
  }

  //! Residual as contactResidual(); the round-off of u is that of the products that S_i u is the sum of
  template<int d>
  ContactResidual ContactSweeps::evaluate(ConstSpan b, std::span<const double> friction, ConstSpan r, Span answer) const
  {
    ContactResidual result;
    for (std::size_t i = 0; i < size(); ++i) {
      double w[d];
      for (int k = 0; k < d; ++k) {
        double size = 0;
        for (std::size_t e = begin(i * d + k); e < end_[i * d + k]; ++e)
          size += std::abs(value_[e] * u_[dof_[e]]);
        answer[i * d + k] = apply(i * d + k);
        w[k] = b[i * d + k] + answer[i * d + k];
        result.rounding = largerOrNaN(result.rounding, 8 * std::numeric_limits<double>::epsilon() * size);
      }
      result.value = largerOrNaN(result.value, naturalMap(d, &diagonal_[i * d * d], coefficient(friction, i), &r[i * d], w));
    }
    return result;
  }

  //! One contact after the other; the first guess is not used
  template<int d>
  SolveReport ContactSweeps::solveUncoupled(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer) const
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

  // The true residual is computed when that met in a sweep is small, and now and then because round-off may keep it from that.
  template<int d>
  SolveReport ContactSweeps::solve(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer)
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
      const auto [residual, changed] = sweep<d>(b, friction, r);
      const bool last = !changed || !std::isfinite(residual) || i == settings.maxIterations;
      if (residual <= settings.tolerance * scale || last || i % 16 == 0) {
        report = contactReport(i, evaluate<d>(b, friction, r, answer), scale, settings.tolerance);
        if (report.converged || last)
          break;
      }
    }
    return report;
  }

  SolveReport ContactSweeps::solve(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer)
  {
    assert(b.size() == end_.size() && r.size() == b.size() && answer.size() == b.size());
    bool approaches = false;
    for (std::size_t i = 0; i < b.size(); i += blockSize_)
      approaches = approaches || !(b[i] >= 0);
    if (!approaches) {
      std::fill(r.begin(), r.end(), 0.0);
      std::fill(answer.begin(), answer.end(), 0.0);
      return {};
    }
    switch (blockSize_) {
    case 1: return solve<1>(b, friction, settings, r, answer);
    case 2: return solve<2>(b, friction, settings, r, answer);
    default: return solve<3>(b, friction, settings, r, answer);
    }
  }

} // namespace Dune::Impact
