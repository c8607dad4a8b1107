// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/solver/contactsweeps.hh>

namespace Dune::Impact {

  namespace {

    template<int d>
    void addProduct(const double* A, const double* x, double sign, double* y)
    {
      for (int k = 0; k < d; ++k)
        for (int l = 0; l < d; ++l)
          y[k] += sign * A[k * d + l] * x[l];
    }

    //! Matrices that know the inverses of their diagonal blocks
    template<class Matrix>
    concept HasInverse = requires(const Matrix& H, std::size_t i) { H.inverse(i); };

    /* The solution of a contact that sticks, r' = r - A^-1 w with its velocity w = A r + q; without friction of one that stays
     * closed. False if that is not the solution of its law, as in solveLocalContact(). */
    template<int d>
    bool solveSticking(const double* A, const double* inverse, const double* w, double mu, const double* r, double* result)
    {
      if (!(inverse[0] > 0) || (d > 1 && mu == 0))
        return false;
      double normal = w[0]; // q_N
      for (int k = 0; k < d; ++k) {
        normal -= A[k] * r[k];
        result[k] = r[k];
        for (int l = 0; l < d; ++l)
          result[k] -= inverse[k * d + l] * w[l];
      }
      double square = 0;
      for (int k = 1; k < d; ++k)
        square += result[k] * result[k];
      return normal < 0 && result[0] > 0 && square <= mu * mu * result[0] * result[0];
    }

  } // namespace

  /* Returns the largest |H_ii (new r_i - old r_i)|, normal and tangents apart: by how much a contact that is
   * solved alone changes its velocity. It is zero where the law holds, as the natural map is. */
  template<class Matrix>
  template<int d>
  double ContactSweeps<Matrix>::sweep(const Problem& problem, Span r, bool forwards)
  {
    const Matrix& H = problem.matrix;
    const std::size_t n = H.size();
    double largest = 0;
    for (std::size_t step = 0; step < n; ++step) {
      const std::size_t i = forwards ? step : n - 1 - step;
      double q[d], change[d], result[d];
      double* const ri = &r[i * d];
      const double *A = H.diagonal(i), mu = friction(problem, i);
      std::copy_n(&problem.b[i * d], d, q);
      H.template addRate<d>(i, u_.data(), q);
      bool sticks = false;
      if constexpr (HasInverse<Matrix>)
        sticks = solveSticking<d>(A, H.inverse(i), q, mu, ri, result);
      if (!sticks) {
        addProduct<d>(A, ri, -1, q);
        solveLocalContact(d, A, q, mu, result);
      }
      bool same = true;
      for (int k = 0; k < d; ++k) {
        change[k] = result[k] - ri[k];
        ri[k] = result[k];
        same = same && change[k] == 0;
      }
      if (same)
        continue;
      H.template addVelocities<d>(i, change, u_.data());
      if (!sticks) { // else the change is -q
        std::fill_n(q, d, 0.0);
        addProduct<d>(A, change, 1, q);
      }
      for (int k = 0; k < d; ++k)
        largest = largerOrNaN(largest, std::abs(q[k]));
    }
    return largest;
  }

  template<class Matrix>
  void ContactSweeps<Matrix>::beginAcceleration(ConstSpan r)
  {
    start_.assign(r.begin(), r.end());
    startU_.assign(u_.begin(), u_.end());
    way_.assign(r.size(), 0);
    wayU_.assign(u_.size(), 0);
    last_ = 0;
  }

  template<class Matrix>
  template<int d>
  void ContactSweeps<Matrix>::accelerate(const Problem& problem, Span r)
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

  template<class Matrix>
  void ContactSweeps<Matrix>::limitWork(const Problem& problem, Span r)
  {
    double linear = 0, quadratic = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      linear += r[i] * problem.b[i];
      quadratic += r[i] * products_.product[i];
    }
    if (!(linear + quadratic > 0))
      return;
    const double factor = quadratic > 0 ? std::max(0.0, -linear / quadratic) : 0;
    for (double& x : r)
      x *= factor;
    for (double& x : products_.product)
      x *= factor;
  }

  // The change met in a sweep costs nothing; the residual is computed when it is small, and now and then
  template<class Matrix>
  template<int d>
  SolveReport ContactSweeps<Matrix>::solve(const Problem& problem, const ContactSettings& settings, Span r)
  {
    constexpr int often = 64;
    const double scale = velocityScale(problem), enough = settings.tolerance * scale;
    if (const double* u = problem.matrix.velocities(r, u_); u != u_.data())
      u_.assign(u, u + problem.matrix.dofs());
    SolveReport report{.converged = false};
    if (settings.maxIterations < 1)
      contactResidual(problem, r, enough, products_);
    for (int i = 1; i <= settings.maxIterations; ++i) {
      const int accelerated = i - settings.plainSweeps;
      if (accelerated == 1)
        beginAcceleration(r);
      const double change = sweep<d>(problem, r, accelerated < 1 || accelerated % 2 != 0);
      const bool last = change == 0 || !std::isfinite(change) || i == settings.maxIterations;
      if (change <= 2 * enough || last || i % often == 0) {
        report = contactReport(i, contactResidual(problem, r, enough, products_), scale, settings.tolerance);
        if (report.converged || last)
          break;
      }
      if (accelerated >= 1)
        accelerate<d>(problem, r);
    }
    limitWork(problem, r);
    return report;
  }

  template<class Matrix>
  SolveReport ContactSweeps<Matrix>::solve(const Problem& problem, const ContactSettings& settings, Span r)
  {
    return withBlockSize(problem.matrix.blockSize(), [&](auto d) { return solve<d>(problem, settings, r); });
  }

  template class ContactSweeps<Delassus>;
  template class ContactSweeps<FactoredDelassus>;
  template class ContactSweeps<LumpedDelassus>;

} // namespace Dune::Impact
