// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <dune/impact/solver/contactsolver.hh>
#include <dune/impact/solver/frictionnewton.hh>

namespace Dune::Impact {

  namespace {

    template<class Matrix>
    void checkSizes([[maybe_unused]] const ContactProblemWith<Matrix>& problem, [[maybe_unused]] ConstSpan r)
    {
      assert(problem.b.size() == problem.matrix.size() * problem.matrix.blockSize());
      assert(problem.friction.empty() || problem.friction.size() == problem.matrix.size());
      assert(r.size() == problem.b.size());
    }

    // The answer to data that are not finite
    SolveReport reject(Span r)
    {
      std::fill(r.begin(), r.end(), 0.0);
      return {.iterations = 0, .residual = std::numeric_limits<double>::infinity(), .converged = false};
    }

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

    //! The matrix with diagonal blocks that are larger by a part, as if each contact had a little mass of its own
    void stiffen(const Delassus& matrix, double part, Delassus& result)
    {
      const int d = matrix.blockSize();
      result.clear(d);
      result.reserve(matrix.size(), matrix.blocks());
      for (std::size_t i = 0; i < matrix.size(); ++i) {
        result.beginRow();
        const auto [columns, values] = matrix.row(i);
        for (std::size_t n = 0; n < columns.size(); ++n) {
          double block[9];
          std::copy_n(values + n * d * d, d * d, block);
          for (int k = 0; k < d && columns[n] == i; ++k)
            block[k * d + k] *= 1 + part;
          result.add(columns[n], block);
        }
      }
    }

    /* A larger diagonal makes the matrix regular, where sweeps and Newton's method find their way; its solutions for smaller
     * and smaller parts lead to one of the problem. */
    SolveReport softenContacts(const ContactProblem& problem, const ContactSettings& settings, std::vector<double>& r)
    {
      Delassus matrix;
      ContactSettings rough = settings;
      rough.maxIterations = 500;
      ContactSweeps<Delassus> sweeps;
      std::fill(r.begin(), r.end(), 0.0);
      int iterations = 0;
      for (double part = 1; part > 1e-12; part *= 0.1) {
        stiffen(problem.matrix, part, matrix);
        const ContactProblem regular{matrix, problem.b, problem.friction, problem.velocityScale};
        SolveReport report = sweeps.solve(regular, rough, r);
        iterations += report.iterations;
        if (!report.converged)
          iterations += FrictionNewton().solve(regular, settings, r).iterations;
      }
      SolveReport report = FrictionNewton().solve(problem, settings, r);
      report.iterations += iterations;
      return report;
    }

    /* Solutions for the coefficients s mu with growing s, from the impulses r without friction on, are mostly connected. Where Newton's method does not reach the
     * next one the part is halved, and a part that was reached is followed by a larger one. */
    SolveReport growFriction(const ContactProblem& problem, const ContactSettings& settings, std::vector<double>& r)
    {
      constexpr double first = 0.125, smallest = 1.0 / 1024;
      std::vector<double> reached = r, friction(problem.friction.begin(), problem.friction.end());
      double s = 0, part = first;
      SolveReport report;
      int iterations = 0;
      while (s < 1 && part >= smallest) {
        const double next = std::min(1.0, s + part);
        for (std::size_t i = 0; i < friction.size(); ++i)
          friction[i] = next * problem.friction[i];
        r = reached;
        report = FrictionNewton().solve({problem.matrix, problem.b, friction, problem.velocityScale}, settings, r);
        iterations += report.iterations;
        if (report.converged) {
          s = next;
          part *= 2;
          reached = r;
        }
        else
          part *= 0.5;
      }
      report.iterations = iterations;
      return s < 1 ? contactReport(iterations, contactResidual(problem, r), velocityScale(problem), settings.tolerance) : report;
    }

  } // namespace

  SolveReport ContactSolver::solveDiagonal(const ContactProblem& problem, Span r) const
  {
    checkSizes(problem, r);
    assert(problem.matrix.isDiagonal());
    if (!isFinite(problem))
      return reject(r);
    const int d = problem.matrix.blockSize();
    for (std::size_t i = 0; i < problem.matrix.size(); ++i)
      solveLocalContact(d, problem.matrix.diagonal(i), &problem.b[i * d], friction(problem, i), &r[i * d]);
    return contactReport(0, contactResidual(problem, r), velocityScale(problem), settings_.tolerance);
  }

  template<class Matrix>
  SolveReport ContactSolver::solveBySweeps(ContactSweeps<Matrix>& sweeps, const ContactProblemWith<Matrix>& problem, const ContactSettings& settings, Span r)
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

  /* Some sweeps find who touches and slides, Newton's method then the impulses; if it does not, it
   * starts once more from the impulses without friction, those of bodies that rest on each other, then
   * friction grows from nothing in small parts, each solved from the one before, and at last there are sweeps
   * again, whole ones and such that make a part of each change only, which does not cycle so easily, each followed by Newton's
   * method. The best result counts: rounding can keep Newton's method a little above the tolerance. */
  SolveReport ContactSolver::solveFriction(const ContactProblem& problem, Span r)
  {
    constexpr double nearly = 1e-11; // a residual that more sweeps do not improve
    ContactSettings few = settings_;
    few.maxIterations = 32 + int(r.size() * r.size() / 256); // their cost is below that of one iteration of Newton's method
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
    const auto newton = [&](std::vector<double>& x) { return FrictionNewton().solve(problem, settings_, x); };
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
      attempt(backup_, [&](std::vector<double>& x) { return growFriction(problem, settings_, x); });
    }
    if (!report.converged && !(report.residual <= nearly)) {
      backup_.assign(r.size(), 0);
      attempt(backup_, [&](std::vector<double>& x) { return softenContacts(problem, settings_, x); });
    }
    for (double relaxation : {1.0, 0.5, 0.2, 0.05})
      if (!report.converged && !(report.residual <= nearly)) {
        ContactSettings slow = settings_;
        slow.relaxation = relaxation;
        backup_.assign(r.size(), 0);
        attempt(backup_, [&](std::vector<double>& x) { return solveBySweeps(sweeps_, problem, slow, x); });
        if (!report.converged)
          attempt(backup_, newton);
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
    if (!frictionless && r.size() <= FrictionNewton::limit)
      return solveFriction(problem, r);
    SolveReport report = solveProjectedGaussSeidel(problem, r);
    if (frictionless)
      polish(problem, report, r);
    return report;
  }

} // namespace Dune::Impact
