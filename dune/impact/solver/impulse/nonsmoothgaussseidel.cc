// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/solver/impulse/nonsmoothgaussseidel.hh>

namespace Dune::Impact {

  namespace {

    //! y += sign A x
    template<int d>
    [[gnu::always_inline]] inline void addProduct(const double* A, const double* x, double sign,
                                                  double* y)
    {
      for (int k = 0; k < d; ++k)
        for (int l = 0; l < d; ++l)
          y[k] += sign * A[k * d + l] * x[l];
    }

    template<int d>
    [[gnu::always_inline]] inline double square(const double* x)
    {
      double sum = 0;
      for (int k = 0; k < d; ++k)
        sum += x[k] * x[k];
      return sum;
    }

    //! Matrices that know the inverses of their diagonal blocks
    template<class Matrix>
    concept HasInverse = requires(const Matrix& H, std::size_t i) { H.template inverse<3>(i); };

    /* The solution of a contact that sticks is the change -A^-1 w of r, with its velocity w = A r +
     * q; without friction that of one that stays closed. False if that is not the solution of its
     * law, as in solveLocalContact(). The block has the first row of A and the lower triangle of
     * its inverse. */
    template<int d>
    [[gnu::always_inline]] inline bool solveSticking(const double* block, const double* w,
                                                     double mu, const double* r, double* change)
    {
      const double* inverse = block + d;
      double normal = w[0], result[d]; // q_N
      for (int k = 0; k < d; ++k) {
        double sum = 0;
        for (int l = 0; l < d; ++l)
          sum += inverse[k < l ? l * (l + 1) / 2 + k : k * (k + 1) / 2 + l] * w[l];
        change[k] = -sum;
        result[k] = r[k] - sum;
        normal -= block[k] * r[k];
      }
      return inverse[0] > 0 && normal < 0 && result[0] > 0 &&
             (d == 1 || (mu > 0 && square<d - 1>(result + 1) <= mu * mu * result[0] * result[0]));
    }

  } // namespace

  /* Returns the largest |H_ii (new r_i - old r_i)|, normal and tangents apart: by how much a
   * contact that is solved alone changes its velocity. It is zero where the law holds, as the
   * natural map is. */
  template<class Matrix>
  template<int d>
  [[gnu::always_inline]] inline double NonsmoothGaussSeidel<Matrix>::sweepAll(
    const Problem& problem, Span r, bool forwards)
  {
    const Matrix& H = problem.matrix;
    const std::size_t n = H.size();
    const double* const b = problem.b.data();
    double* const u = u_.data();
    double largest = 0;
    for (std::size_t step = 0; step < n; ++step) {
      const std::size_t i = forwards ? step : n - 1 - step;
      double w[d], change[d];
      double* const ri = &r[i * d];
      const double mu = friction(problem, i);
      for (int k = 0; k < d; ++k)
        w[k] = b[i * d + k];
      H.template addRate<d>(i, u, w);
      if constexpr (HasInverse<Matrix>)
        if (solveSticking<d>(H.template inverse<d>(i), w, mu, ri, change)) {
          for (int k = 0; k < d; ++k) {
            change[k] *= relaxation_;
            ri[k] += change[k];
            largest = std::max(largest, std::abs(w[k])); // a number: NaN does not stick
          }
          H.template addVelocities<d>(i, change, u);
          continue;
        }
      const double* A = H.diagonal(i);
      double result[d];
      addProduct<d>(A, ri, -1, w);
      solveLocalContact(d, A, w, mu, result);
      for (int k = 0; k < d; ++k) {
        change[k] = result[k] - ri[k];
        ri[k] = result[k];
        w[k] = 0;
      }
      if (std::all_of(change, change + d, [](double x) { return x == 0; }))
        continue;
      H.template addVelocities<d>(i, change, u);
      addProduct<d>(A, change, 1, w);
      for (int k = 0; k < d; ++k)
        largest = largerOrNaN(largest, std::abs(w[k]));
    }
    return largest;
  }

#if defined(__x86_64__) && defined(__GNUC__)
  template<class Matrix>
  template<int d>
  [[gnu::target("avx2,fma")]] double NonsmoothGaussSeidel<Matrix>::sweepAvx2(const Problem& problem,
                                                                             Span r, bool forwards)
  {
    return sweepAll<d>(problem, r, forwards);
  }
#endif

  // The same function twice, for the plain instruction set and for AVX2
  template<class Matrix>
  template<int d>
  double NonsmoothGaussSeidel<Matrix>::sweep(const Problem& problem, Span r, bool forwards)
  {
#if defined(__x86_64__) && defined(__GNUC__)
    if constexpr (HasInverse<Matrix>)
      if (static const bool hasAvx2 =
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
          hasAvx2)
        return sweepAvx2<d>(problem, r, forwards);
#endif
    return sweepAll<d>(problem, r, forwards);
  }

  /* Relaxation 2/(2 - rho) of sticking contacts from the changes g of the second and the third
   * plain sweep, rho = sum A g_before g / sum A g_before^2, if -1 < rho < 0. It is given up as soon
   * as a sweep reduces the change less than the third one did. */
  template<class Matrix>
  template<int d>
  void NonsmoothGaussSeidel<Matrix>::relax(int sweep, double ratio, const Problem& problem,
                                           ConstSpan r)
  {
    if (sweep == 1)
      start_.assign(r.begin(), r.end());
    else if (sweep == 2)
      way_.assign(r.begin(), r.end());
    else if (sweep == 3) {
      double product = 0, square = 0;
      for (std::size_t i = 0; i < problem.matrix.size(); ++i)
        for (int k = 0; k < d; ++k) {
          const std::size_t j = i * d + k;
          const double A = problem.matrix.diagonal(i)[k * d + k], before = way_[j] - start_[j],
                       now = r[j] - way_[j];
          product += A * before * now;
          square += A * before * before;
        }
      if (product < 0 && -product < square)
        relaxation_ = 2 / (2 - product / square);
      thirdRatio_ = ratio;
    }
    else if (sweep > 4 && ratio > thirdRatio_)
      relaxation_ = 1;
  }

  //! The direction p and its velocities W p start from zero, sticking contacts without relaxation
  template<class Matrix>
  void NonsmoothGaussSeidel<Matrix>::beginAcceleration(ConstSpan r)
  {
    start_.assign(r.begin(), r.end());
    startU_.assign(u_.begin(), u_.end());
    way_.assign(r.size(), 0);
    wayU_.assign(u_.size(), 0);
    last_ = 0;
    relaxation_ = 1;
  }

  /* Nonlinear conjugate gradients: with the change g = r' - r of the sweep
   *
   *     beta = |g|^2 / |g before|^2,   r = r' + beta p,   p <- beta p + g,
   *     |g|^2 = sum A_kk g_k^2,
   *
   * and beta = 0 unless it is below one. u = W r is linear in r and takes the same combination, so
   * no product with W is needed. */
  template<class Matrix>
  template<int d>
  void NonsmoothGaussSeidel<Matrix>::accelerate(const Problem& problem, Span r)
  {
    double norm = 0;
    for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
      const double* A = problem.matrix.diagonal(i);
      for (int k = 0; k < d; ++k) {
        const double g = r[i * d + k] - start_[i * d + k];
        norm += A[k * d + k] * g * g;
      }
    }
    const double beta = last_ > 0 ? norm / last_ : 2;
    const double kept = beta < 1 ? beta : 0;
    last_ = norm;
    const auto extrapolate = [&](Span x, std::vector<double>& start, std::vector<double>& way) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double g = x[i] - start[i], old = kept * way[i];
        way[i] = old + g;
        x[i] += old;
        start[i] = x[i];
      }
    };
    extrapolate(r, start_, way_);
    extrapolate(u_, startU_, wayU_);
  }

  // The change of a sweep is known without further cost; the residual is computed when this change
  // is small, and in every 64th sweep. There sweeps may end if they have not halved it.
  template<class Matrix>
  template<int d>
  SolveReport NonsmoothGaussSeidel<Matrix>::solve(const Problem& problem,
                                                  const ContactSettings& settings, Span r)
  {
    constexpr int often = 64;
    const double scale = velocityScale(problem), enough = settings.tolerance * scale;
    if (const double* u = problem.matrix.velocities(r, u_); u != u_.data())
      u_.assign(u, u + problem.matrix.dofs());
    SolveReport report{.converged = false};
    double before = 1;                                        // change of the sweep before
    double earlier = std::numeric_limits<double>::infinity(); // residual 64 sweeps ago
    relaxation_ = 1;
    if (settings.maxIterations < 1)
      contactResidual(problem, r, enough, products_);
    for (int i = 1; i <= settings.maxIterations; ++i) {
      settings.stop.check();
      const int accelerated = i - settings.plainSweeps;
      if (accelerated == 1)
        beginAcceleration(r);
      const double change = sweep<d>(problem, r, accelerated < 1 || accelerated % 2 != 0);
      const bool last = change == 0 || !std::isfinite(change) || i == settings.maxIterations;
      if (change <= 2 * enough || last || i % often == 0) {
        report = contactReport(i, contactResidual(problem, r, enough, products_), scale,
                               settings.tolerance);
        if (report.converged || last)
          break;
        if (i % often == 0) {
          if (settings.whileFast && report.residual > 0.5 * earlier)
            break;
          earlier = report.residual;
        }
      }
      if (accelerated >= 1)
        accelerate<d>(problem, r);
      else if constexpr (HasInverse<Matrix>)
        relax<d>(i, change / before, problem, r);
      before = change;
    }
    return report;
  }

  template<class Matrix>
  SolveReport NonsmoothGaussSeidel<Matrix>::solve(const Problem& problem,
                                                  const ContactSettings& settings, Span r)
  {
    return withBlockSize(problem.matrix.blockSize(),
                         [&](auto d) { return solve<d>(problem, settings, r); });
  }

  template class NonsmoothGaussSeidel<Delassus>;
  template class NonsmoothGaussSeidel<FactoredDelassus>;
  template class NonsmoothGaussSeidel<LumpedDelassus>;

} // namespace Dune::Impact
