// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/solver/impulse/condensednewton.hh>
#include <dune/impact/solver/impulse/frictioncontinuation.hh>

namespace Dune::Impact {

  namespace {

    constexpr int maxIterations = 50, maxHalvings = 10;

    // The own part of a diagonal block must resist in all directions: smallest part of its largest
    // entry
    constexpr double softest = 1e-8;

    //! Smallest eigenvalue of A above `softest` times the largest one?
    bool isStiff(int d, const double* A)
    {
      using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      const Eigen::Map<const Block> block(A, d, d);
      const auto eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(block, Eigen::EigenvaluesOnly).eigenvalues();
      return eigenvalues[0] > softest * eigenvalues[d - 1];
    }

  } // namespace

  /* Dofs of one contact only make up the own part A_i = sum G_i W_i, dofs of several contacts are
   * the shared ones. False if there are no shared dofs or too many, or if some A_i is nearly
   * singular: r_i(v) would not be a function of v. */
  bool CondensedNewton::setup(const FactoredDelassus& matrix)
  {
    const std::size_t d = std::size_t(matrix.blockSize());
    std::vector<std::uint32_t> seen(matrix.dofs(), 0), number(matrix.dofs(), 0);
    for (std::size_t i = 0; i < matrix.size(); ++i)
      for (const std::uint32_t dof : matrix.row(i).dofs)
        ++seen[dof];
    std::uint32_t count = 0;
    for (std::size_t dof = 0; dof < seen.size(); ++dof)
      if (seen[dof] > 1)
        number[dof] = count++;
    if (count == 0 || count > limit)
      return false;
    shared_.clear();
    own_.assign(matrix.size() * d * d, 0);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      const auto [dofs, values] = matrix.row(i);
      double* A = &own_[i * d * d];
      shared_.beginRow();
      for (std::size_t n = 0; n < dofs.size(); ++n) {
        const double* value = values + 2 * d * n;
        if (seen[dofs[n]] > 1)
          shared_.add({number[dofs[n]], value});
        else
          for (std::size_t k = 0; k < d; ++k)
            for (std::size_t l = 0; l < d; ++l)
              A[k * d + l] += value[k] * value[d + l];
      }
      if (!isStiff(int(d), A))
        return false;
    }
    v_ = Vector::Zero(count);
    return true;
  }

  /* r(v), v - sum W r(v) and on demand its derivative, by differences of the local solutions: these
   * are linear in q while a contact stays open or sticks. Returns the largest velocity of a contact
   * that the mismatch means. */
  template<int d>
  double CondensedNewton::evaluate(const FactoredProblem& problem, bool derivative)
  {
    const double step = 1e-7 * velocityScale(problem);
    mismatch_ = v_;
    if (derivative)
      slope_ = Matrix::Identity(v_.size(), v_.size());
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      const std::span<const Shared> dofs = shared_[i];
      const double *A = &own_[i * d * d], mu = friction(problem, i);
      double *r = &r_[i * d], q[d];
      std::copy_n(&problem.b[i * d], d, q);
      for (const auto& [number, value] : dofs)
        for (int k = 0; k < d; ++k)
          q[k] += value[k] * v_[number];
      solveLocalContact(d, A, q, mu, r);
      for (const auto& [number, value] : dofs)
        for (int k = 0; k < d; ++k)
          mismatch_[number] -= value[d + k] * r[k];
      for (int l = 0; derivative && l < d; ++l) {
        double moved[d], change[d];
        std::copy_n(q, d, moved);
        moved[l] += moved[l] > 0 ? step : -step; // towards the same state
        solveLocalContact(d, A, moved, mu, change);
        for (int k = 0; k < d; ++k)
          change[k] = (change[k] - r[k]) / (moved[l] - q[l]);
        for (const auto& [row, rowValue] : dofs) {
          double sum = 0;
          for (int k = 0; k < d; ++k)
            sum += rowValue[d + k] * change[k];
          for (const auto& [column, value] : dofs)
            slope_(row, column) -= sum * value[l];
        }
      }
    }
    double largest = 0;
    for (std::size_t i = 0; i < shared_.size(); ++i)
      for (int k = 0; k < d; ++k) {
        double rate = 0;
        for (const auto& [number, value] : shared_[i])
          rate += value[k] * mismatch_[number];
        largest = largerOrNaN(largest, std::abs(rate));
      }
    return largest;
  }

  /* Damped Newton method for v - sum W r(v) = 0: v <- v - s slope^-1 (v - sum W r(v)) with the
   * first s = 1, 1/2, 1/4, ... that makes the mismatch smaller, or the last one tried. */
  template<int d>
  SolveReport CondensedNewton::solve(const FactoredProblem& problem,
                                     const ContactSettings& settings, Span r)
  {
    const double scale = velocityScale(problem);
    r_.assign(r.begin(), r.end());
    v_.setZero();
    for (std::size_t i = 0; i < shared_.size(); ++i) // of the first guess
      for (const auto& [number, value] : shared_[i])
        for (int k = 0; k < d; ++k)
          v_[number] += value[d + k] * r[i * d + k];
    double merit = evaluate<d>(problem, true);
    SolveReport report{.converged = false};
    for (int iteration = 1; iteration <= maxIterations && std::isfinite(merit); ++iteration) {
      settings.stop.check();
      report = contactReport(iteration, contactResidual(problem, r_), scale, settings.tolerance);
      if (report.converged)
        break;
      const Vector start = v_, way = slope_.partialPivLu().solve(mismatch_);
      double length = 1, next = 0;
      for (int halving = 0; halving <= maxHalvings; ++halving, length *= 0.5) {
        v_ = start - length * way;
        next = evaluate<d>(problem, true);
        if (next < merit)
          break;
      }
      merit = next;
    }
    if (report.converged)
      std::copy(r_.begin(), r_.end(), r.begin());
    return report;
  }

  // From the first guess, and if that fails from the impulses without friction on, with growing
  // coefficients
  template<int d>
  SolveReport CondensedNewton::solveOrGrow(const FactoredProblem& problem,
                                           const ContactSettings& settings, Span r)
  {
    SolveReport report = solve<d>(problem, settings, r);
    if (report.converged || isFrictionless(problem))
      return report;
    std::vector<double> x(r.begin(), r.end());
    int iterations = report.iterations;
    report = solve<d>({problem.matrix, problem.b, {}, problem.velocityScale}, settings, x);
    iterations += report.iterations;
    if (report.converged) {
      report =
        frictionContinuation(problem, settings, 0.25, x, [&](const FactoredProblem& part, Span y) {
          return solve<d>(part, settings, y);
        });
      iterations += report.iterations;
      if (report.converged)
        std::copy(x.begin(), x.end(), r.begin());
    }
    else
      report =
        contactReport(0, contactResidual(problem, r), velocityScale(problem), settings.tolerance);
    report.iterations = iterations;
    return report;
  }

  SolveReport CondensedNewton::solve(const FactoredProblem& problem,
                                     const ContactSettings& settings, Span r)
  {
    return withBlockSize(problem.matrix.blockSize(),
                         [&](auto d) { return solveOrGrow<d>(problem, settings, r); });
  }

} // namespace Dune::Impact
