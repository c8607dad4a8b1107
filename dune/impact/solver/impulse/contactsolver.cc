// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <random>

#include <dune/impact/solver/impulse/alartcurniernewton.hh>
#include <dune/impact/solver/impulse/contactsolver.hh>
#include <dune/impact/solver/impulse/frictioncontinuation.hh>

namespace Dune::Impact {

  namespace {

    template<class Matrix>
    void checkSizes([[maybe_unused]] const ContactProblemWith<Matrix>& problem,
                    [[maybe_unused]] ConstSpan r)
    {
      assert(problem.b.size() == problem.matrix.size() * problem.matrix.blockSize());
      assert(problem.friction.empty() || problem.friction.size() == problem.matrix.size());
      assert(r.size() == problem.b.size());
    }

    // The answer to data that are not finite
    SolveReport reject(Span r)
    {
      std::fill(r.begin(), r.end(), 0.0);
      return {
        .iterations = 0, .residual = std::numeric_limits<double>::infinity(), .converged = false};
    }

    //! True if some contact has b_N < 0; otherwise r = 0 solves the problem
    template<class Matrix>
    bool approaches(const ContactProblemWith<Matrix>& problem)
    {
      for (std::size_t i = 0; i < problem.b.size(); i += problem.matrix.blockSize())
        if (problem.b[i] < 0)
          return true;
      return false;
    }

    bool isFinite(ConstSpan r)
    {
      return std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); });
    }

    /* Newton's method from many places: impulses of the size that would stop a contact alone, each
     * open, sticking or sliding anyhow. The numbers are the same in every call. */
    SolveReport scatter(const ContactProblem& problem, const ContactSettings& settings,
                        std::vector<double>& r)
    {
      constexpr int starts = 1000;
      const std::size_t d = std::size_t(problem.matrix.blockSize());
      const double scale = velocityScale(problem);
      std::mt19937 random(1);
      const auto unit = [&] { return double(random()) / 4294967296.0; };
      std::vector<double> trial(r.size());
      SolveReport best{.residual = std::numeric_limits<double>::infinity(), .converged = false};
      int iterations = 0;
      for (int start = 0; start < starts && !best.converged; ++start) {
        for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
          const double A = problem.matrix.diagonal(i)[0], size = A > 0 ? scale / A : 0;
          trial[i * d] = unit() < 0.3 ? 0 : size * std::exp(4 * unit() - 3);
          for (std::size_t k = 1; k < d; ++k)
            trial[i * d + k] = friction(problem, i) * trial[i * d] * (2 * unit() - 1);
        }
        const SolveReport report = AlartCurnierNewton().solve(problem, settings, trial);
        iterations += report.iterations;
        if (report.residual < best.residual) {
          best = report;
          r = trial;
        }
      }
      best.iterations = iterations;
      return best;
    }

  } // namespace

  //! Contacts that do not act on each other: the local solution with A = H_ii and q = b_i
  template<class Matrix>
  SolveReport ContactSolver::solveDiagonal(const ContactProblemWith<Matrix>& problem, Span r)
  {
    checkSizes(problem, r);
    assert(problem.matrix.isDiagonal());
    if (!isFinite(problem))
      return reject(r);
    const int d = problem.matrix.blockSize();
    for (std::size_t i = 0; i < problem.matrix.size(); ++i)
      solveLocalContact(d, problem.matrix.diagonal(i), &problem.b[i * d], friction(problem, i),
                        &r[i * d]);
    const double scale = velocityScale(problem);
    return contactReport(0, contactResidual(problem, r, settings_.tolerance * scale, products_),
                         scale, settings_.tolerance);
  }

  //! A first guess that is not finite is replaced by zero
  template<class Matrix>
  SolveReport ContactSolver::solveBySweeps(NonsmoothGaussSeidel<Matrix>& sweeps,
                                           const ContactProblemWith<Matrix>& problem,
                                           const ContactSettings& settings, Span r)
  {
    checkSizes(problem, r);
    if (!isFinite(problem))
      return reject(r);
    if (!isFinite(ConstSpan(r)))
      std::fill(r.begin(), r.end(), 0.0);
    return sweeps.solve(problem, settings, r);
  }

  SolveReport ContactSolver::solveProjectedGaussSeidel(const ContactProblem& problem, Span r)
  {
    return solveBySweeps(sweeps_, problem, settings_, r);
  }

  //! A hundred sweeps, then Newton's method for the shared dofs if the matrix allows it, then
  //! sweeps up to the largest number of iterations
  SolveReport ContactSolver::solveContact(const FactoredProblem& problem, Span r)
  {
    if (!approaches(problem) && isFinite(problem)) {
      std::fill(r.begin(), r.end(), 0.0);
      return {};
    }
    constexpr int firstSweeps = 100;
    ContactSettings few = settings_;
    few.maxIterations = std::min(firstSweeps, settings_.maxIterations);
    SolveReport report = solveBySweeps(factoredSweeps_, problem, few, r);
    if (report.converged || !std::isfinite(report.residual))
      return report;
    int iterations = report.iterations;
    if (sharedNewton_.setup(problem.matrix)) {
      report = sharedNewton_.solve(problem, settings_, r);
      iterations += report.iterations;
    }
    if (!report.converged) {
      report = solveBySweeps(factoredSweeps_, problem, settings_, r);
      iterations += report.iterations;
    }
    report.iterations = iterations;
    return report;
  }

  //! H r comes from the last evaluation of the residual, so that it needs no further product
  SolveReport ContactSolver::solveContact(const LumpedProblem& problem, Span r, Span product)
  {
    assert(product.size() == r.size());
    const bool solvable = isFinite(problem);
    if (!solvable || !approaches(problem)) {
      std::fill(product.begin(), product.end(), 0.0);
      std::fill(r.begin(), r.end(), 0.0);
      return solvable ? SolveReport{} : reject(r);
    }
    const bool diagonal = problem.matrix.isDiagonal();
    const SolveReport report =
      diagonal ? solveDiagonal(problem, r) : solveBySweeps(lumpedSweeps_, problem, settings_, r);
    std::ranges::copy(diagonal ? ConstSpan(products_.product) : lumpedSweeps_.product(),
                      product.begin());
    return report;
  }

  SolveReport ContactSolver::solveActiveSet(const ContactProblem& problem, Span r)
  {
    checkSizes(problem, r);
    assert(isFrictionless(problem));
    return isFinite(problem) ? activeSet_.solve(problem, settings_, r) : reject(r);
  }

  // Replace a result by that of the active set started from it, if the latter is better
  void ContactSolver::polish(const ContactProblem& problem, SolveReport& report, Span r)
  {
    const auto active = std::count_if(r.begin(), r.end(), [](double x) { return x > 0; });
    if (active > settings_.activeSetLimit)
      return;
    backup_.assign(r.begin(), r.end());
    const SolveReport polished = activeSet_.solve(problem, settings_, r);
    if (polished.residual <= report.residual) {
      report.residual = polished.residual;
      report.converged = polished.converged;
    }
    else
      std::copy(backup_.begin(), backup_.end(), r.begin());
    report.iterations += polished.iterations;
  }

  /* Some sweeps find which contacts touch and slide, Newton's method then the impulses. If it does
   * not converge, it starts once more from the impulses without friction; then friction grows from
   * nothing in small parts, see frictionContinuation(); few contacts are started from many places;
   * and at last there are sweeps again. The best result counts: rounding can keep Newton's method a
   * little above the tolerance. */
  SolveReport ContactSolver::solveFriction(const ContactProblem& problem, Span r)
  {
    constexpr std::size_t fewUnknowns = 36;
    constexpr double nearly = 1e-11; // a residual that more sweeps do not improve
    ContactSettings few = settings_;
    // their cost is below that of one iteration of Newton's method
    few.maxIterations = 32 + int(r.size() * r.size() / 256);
    SolveReport report = solveBySweeps(sweeps_, problem, few, r);
    int iterations = report.iterations;
    if (report.converged)
      return report;
    const auto attempt = [&](std::vector<double>& other, auto&& solve) {
      const SolveReport next = solve(other);
      iterations += next.iterations;
      if (next.converged || next.residual < report.residual) {
        report = next;
        std::copy(other.begin(), other.end(), r.begin());
      }
    };
    const auto newton = [&](std::vector<double>& x) {
      return AlartCurnierNewton().solve(problem, settings_, x);
    };
    backup_.assign(r.begin(), r.end());
    attempt(backup_, newton);
    if (!report.converged && problem.matrix.size() <= std::size_t(settings_.activeSetLimit)) {
      backup_.assign(r.size(), 0);
      if (activeSet_.solve(problem, settings_, backup_).converged)
        attempt(backup_, newton);
    }
    if (!report.converged && !(report.residual <= nearly)) {
      backup_.assign(r.size(), 0);
      activeSet_.solve(problem, settings_, backup_);
      attempt(backup_, [&](std::vector<double>& x) {
        return frictionContinuation(problem, settings_, 0.125, x,
                                    [&](const ContactProblem& part, Span y) {
                                      return AlartCurnierNewton().solve(part, settings_, y);
                                    });
      });
    }
    if (!report.converged && !(report.residual <= nearly) && r.size() <= fewUnknowns) {
      backup_.assign(r.size(), 0);
      attempt(backup_, [&](std::vector<double>& x) { return scatter(problem, settings_, x); });
    }
    if (!report.converged && !(report.residual <= nearly)) {
      backup_.assign(r.begin(), r.end());
      attempt(backup_,
              [&](std::vector<double>& x) { return solveProjectedGaussSeidel(problem, x); });
    }
    report.iterations = iterations;
    return report;
  }

  SolveReport ContactSolver::solveContact(const ContactProblem& problem, Span r)
  {
    checkSizes(problem, r);
    if (problem.matrix.isDiagonal())
      return solveDiagonal(problem, r);
    if (!isFinite(problem))
      return reject(r);
    if (!approaches(problem)) {
      std::fill(r.begin(), r.end(), 0.0);
      return {};
    }
    const bool frictionless = isFrictionless(problem);
    if (frictionless && problem.matrix.size() <= std::size_t(settings_.activeSetLimit))
      if (const SolveReport report = activeSet_.solve(problem, settings_, r); report.converged)
        return report;
    if (!frictionless && r.size() <= AlartCurnierNewton::limit)
      return solveFriction(problem, r);
    SolveReport report = solveProjectedGaussSeidel(problem, r);
    if (frictionless)
      polish(problem, report, r);
    return report;
  }

  template SolveReport ContactSolver::solveDiagonal(const ContactProblem&, Span);
  template SolveReport ContactSolver::solveDiagonal(const LumpedProblem&, Span);

} // namespace Dune::Impact
