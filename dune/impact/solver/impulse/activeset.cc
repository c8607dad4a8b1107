// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/solver/exchangeactivesets.hh>
#include <dune/impact/solver/impulse/activeset.hh>

namespace Dune::Impact {

  void GrowingFactor::truncate(std::size_t size)
  {
    pivots_.resize(size);
    lower_.resize(size > 0 ? size * (size - 1) / 2 : 0);
  }

  // With y = L^-1 h the new row of L is y/D and the new pivot h_ii - y.D^-1 y.
  bool GrowingFactor::append(ConstSpan h)
  {
    const std::size_t n = size();
    const std::size_t begin = lower_.size();
    lower_.resize(begin + n);
    double* y = lower_.data() + begin;
    double pivot = h[n];
    for (std::size_t k = 0; k < n; ++k) {
      y[k] = h[k];
      for (std::size_t l = 0; l < k; ++l)
        y[k] -= row(k)[l] * y[l];
    }
    for (std::size_t k = 0; k < n; ++k) {
      const double entry = y[k] / pivots_[k];
      pivot -= entry * y[k];
      y[k] = entry;
    }
    if (!(pivot > pivotThreshold * h[n])) {
      lower_.resize(begin);
      return false;
    }
    pivots_.push_back(pivot);
    return true;
  }

  //! x <- L^-T D^-1 L^-1 x
  void GrowingFactor::solve(Span x) const
  {
    const std::size_t n = size();
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < k; ++l)
        x[k] -= row(k)[l] * x[l];
    for (std::size_t k = 0; k < n; ++k)
      x[k] /= pivots_[k];
    for (std::size_t k = n; k-- > 0;)
      for (std::size_t l = 0; l < k; ++l)
        x[l] -= row(k)[l] * x[k];
  }

  //! P from the first guess: contacts with r_N > 0 whose rows are independent
  void ActiveSet::start(const ContactProblem& problem, ConstSpan r)
  {
    const std::size_t n = problem.matrix.size(), d = problem.matrix.blockSize();
    set_.clear();
    factor_.truncate(0);
    position_.assign(n, none);
    aside_.assign(n, false);
    w_.resize(n);
    r_.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      if (r[i * d] > 0 && std::isfinite(r[i * d]) && append(problem.matrix, i))
        r_[i] = r[i * d];
  }

  // row_ = (H_iP, H_ii)
  void ActiveSet::gatherRow(const Delassus& matrix, std::size_t i)
  {
    const std::size_t stride = matrix.blockSize() * matrix.blockSize();
    row_.assign(set_.size() + 1, 0.0);
    const auto [columns, values] = matrix.row(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (position_[columns[k]] != none)
        row_[position_[columns[k]]] = values[k * stride];
    row_.back() = *matrix.diagonal(i);
  }

  //! Adds row i to the factor of H_PP; false if P is full or the row depends on the others
  bool ActiveSet::append(const Delassus& matrix, std::size_t i)
  {
    if (set_.size() >= limit_)
      return false;
    gatherRow(matrix, i);
    if (!factor_.append(row_))
      return false;
    position_[i] = set_.size();
    set_.push_back(i);
    return true;
  }

  // w = H r + b and the natural map, as in contactResidual(), for normals only
  ContactResidual ActiveSet::updateVelocity(const ContactProblem& problem)
  {
    const std::size_t d = problem.matrix.blockSize();
    ContactResidual result;
    for (std::size_t i = 0; i < r_.size(); ++i) {
      const auto [columns, values] = problem.matrix.row(i);
      double sum = 0, size = 0;
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const double product = values[k * d * d] * r_[columns[k]];
        sum += product;
        size += std::abs(product);
      }
      w_[i] = sum + problem.b[i * d];
      result.rounding =
        std::max(result.rounding, 8 * std::numeric_limits<double>::epsilon() * size);
      result.value =
        largerOrNaN(result.value, naturalMap(1, problem.matrix.diagonal(i), 0, &r_[i], &w_[i]));
    }
    return result;
  }

  //! The contact outside P with w_i < -threshold and the largest w_i^2 / H_ii, twice the decrease
  //! of the functional by a change of r_i alone
  std::size_t ActiveSet::entering(const Delassus& matrix, double threshold) const
  {
    std::size_t best = none;
    double bestGain = 0;
    for (std::size_t i = 0; i < r_.size(); ++i)
      if (w_[i] < -threshold && position_[i] == none && !aside_[i]) {
        const double gain = w_[i] * w_[i] / *matrix.diagonal(i);
        if (gain > bestGain) {
          bestGain = gain;
          best = i;
        }
      }
    return best;
  }

  //! Adds i to P, in exchange for another contact if its row depends on P, and minimises; false if
  //! i cannot enter or leaves P at once
  bool ActiveSet::enter(const ContactProblem& problem, std::size_t i)
  {
    if (!append(problem.matrix, i) && !exchange(problem, i))
      return false;
    descend(problem);
    return r_[i] > 0;
  }

  /* r moves along the null vector (-H_PP^-1 H_Pi, 1) until a contact of P has r = 0 and leaves P in
   * favour of i. Coefficients of the size of round-off do not stop the motion. */
  bool ActiveSet::exchange(const ContactProblem& problem, std::size_t i)
  {
    if (set_.size() >= limit_)
      return false;
    gatherRow(problem.matrix, i);
    const double diagonal = row_.back();
    row_.pop_back();
    factor_.solve(row_);
    double step = 0;
    std::size_t leaving = none;
    for (std::size_t k = 0; k < set_.size(); ++k) {
      const double size = row_[k] * row_[k] * *problem.matrix.diagonal(set_[k]);
      if (row_[k] > 0 && size > 1e-16 * diagonal &&
          (leaving == none || r_[set_[k]] < step * row_[k])) {
        step = r_[set_[k]] / row_[k];
        leaving = set_[k];
      }
    }
    if (leaving == none)
      return false;
    for (std::size_t k = 0; k < set_.size(); ++k)
      r_[set_[k]] -= step * row_[k];
    r_[leaving] = 0;
    dropZeros(problem.matrix);
    if (!append(problem.matrix, i))
      return false;
    r_[i] = step;
    return true;
  }

  /* Inner loop: r_P moves towards the minimiser z_P,
   *
   *     r_P += step (z_P - r_P),   step = min(1, r_k/(r_k - z_k) for z_k <= 0),
   *
   * and contacts with r = 0 leave P, until z_P > 0. The functional never rises. */
  void ActiveSet::descend(const ContactProblem& problem)
  {
    while (!set_.empty()) {
      minimise(problem);
      double step = 1;
      std::size_t leaving = none;
      for (std::size_t k = 0; k < set_.size(); ++k)
        if (const double r = r_[set_[k]]; z_[k] <= 0) {
          const double toBoundary = r > 0 ? r / (r - z_[k]) : 0;
          if (leaving == none || toBoundary < step) {
            step = toBoundary;
            leaving = set_[k];
          }
        }
      for (std::size_t k = 0; k < set_.size(); ++k)
        r_[set_[k]] = leaving == none ? z_[k] : r_[set_[k]] + step * (z_[k] - r_[set_[k]]);
      if (leaving == none)
        return;
      r_[leaving] = 0;
      dropZeros(problem.matrix);
    }
  }

  // z = -H_PP^-1 b_P with one step of iterative refinement
  void ActiveSet::minimise(const ContactProblem& problem)
  {
    const std::size_t d = problem.matrix.blockSize(), n = set_.size();
    z_.resize(n);
    defect_.resize(n);
    for (std::size_t k = 0; k < n; ++k)
      z_[k] = -problem.b[set_[k] * d];
    factor_.solve(z_);
    for (std::size_t k = 0; k < n; ++k) {
      const auto [columns, values] = problem.matrix.row(set_[k]);
      defect_[k] = problem.b[set_[k] * d];
      for (std::size_t l = 0; l < columns.size(); ++l)
        if (const std::size_t position = position_[columns[l]]; position != none)
          defect_[k] += values[l * d * d] * z_[position];
    }
    factor_.solve(defect_);
    for (std::size_t k = 0; k < n; ++k)
      z_[k] -= defect_[k];
  }

  // Remove the contacts without impulse from P; the factor is kept up to the first of them.
  void ActiveSet::dropZeros(const Delassus& matrix)
  {
    const auto first =
      std::find_if(set_.begin(), set_.end(), [&](std::size_t i) { return r_[i] <= 0; });
    tail_.assign(first, set_.end());
    set_.erase(first, set_.end());
    factor_.truncate(set_.size());
    for (const std::size_t i : tail_)
      position_[i] = none;
    for (const std::size_t i : tail_)
      if (r_[i] <= 0 || !append(matrix, i))
        r_[i] = 0;
  }

  SolveReport ActiveSet::solve(const ContactProblem& problem, const ContactSettings& settings,
                               Span r)
  {
    const std::size_t n = problem.matrix.size(), d = problem.matrix.blockSize();
    const double scale = velocityScale(problem);
    limit_ = settings.activeSetLimit;
    start(problem, r);

    // Far more pivots than a healthy problem needs, but only that many
    const int maxPivots = std::min<std::size_t>(settings.maxIterations, 50 + 10 * n);
    ContactResidual residual;
    std::size_t next = none;
    const auto solveSet = [&] {
      settings.stop.check();
      if (next == none) // the first guess
        descend(problem);
      else if (enter(problem, next))
        std::fill(aside_.begin(), aside_.end(), false);
      else
        aside_[next] = true;
      residual = updateVelocity(problem);
      return true;
    };
    // to round-off, whatever the tolerance: the exact set costs no more than one that is nearly so
    constexpr double exact = 1e-13;
    const auto exchangeOne = [&] {
      next =
        entering(problem.matrix, exact * scale + std::min(residual.rounding, 1000 * exact * scale));
      return next != none;
    };
    const int pivots = exchangeActiveSets(1 + maxPivots, solveSet, exchangeOne).solves - 1;

    std::fill(r.begin(), r.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i)
      r[i * d] = r_[i];
    return contactReport(pivots, residual, scale, settings.tolerance);
  }

} // namespace Dune::Impact
