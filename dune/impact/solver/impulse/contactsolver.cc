// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <random>

#include <dune/impact/solver/impulse/contactsolver.hh>
#include <dune/impact/solver/impulse/frictioncontinuation.hh>
#include <dune/impact/solver/impulse/impulsebounds.hh>

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

    // Sweeps before Newton's method in shared dofs, and before other methods as long as they are
    // fast
    constexpr int fewSweeps = 100, firstSweeps = 2000;

    //! The factors of a matrix that has none: G = H and W = 1
    void factorise(const Delassus& H, FactoredDelassus& factors)
    {
      const std::size_t d = std::size_t(H.blockSize());
      factors.clear(int(d));
      for (std::size_t i = 0; i < H.size(); ++i) {
        factors.beginRow();
        const auto [columns, values] = H.row(i);
        for (std::size_t k = 0; k < d; ++k) {
          for (std::size_t n = 0; n < columns.size(); ++n)
            for (std::size_t l = 0; l < d; ++l)
              factors.addFunctional(int(k), columns[n] * d + l, values[(n * d + k) * d + l]);
          factors.addVelocity(int(k), i * d + k, 1);
        }
        factors.endRow();
      }
    }

  } // namespace

  /* The best impulses of several attempts. Each attempt is made to obey the bounds of contact
   * before it is judged, so that the residual is that of the impulses that are used. */
  template<class Matrix>
  class ContactSolver::Best
  {
  public:
    Best(ContactSolver& solver, const ContactProblemWith<Matrix>& problem, Span r)
      : solver_(solver)
      , problem_(problem)
      , r_(r)
    {}

    //! In place, from the first guess
    template<class Solve>
    void start(Solve&& solve)
    {
      const int iterations = solve(r_).iterations;
      report_ = bounded(r_, iterations);
    }

    //! From x, which is changed
    template<class Solve>
    void attempt(std::vector<double>& x, Solve&& solve)
    {
      const int iterations = report_.iterations + solve(Span(x)).iterations;
      const SolveReport next = bounded(x, iterations);
      if ((next.converged && !report_.converged) || !(report_.residual <= next.residual)) {
        report_ = next;
        std::copy(x.begin(), x.end(), r_.begin());
      }
      report_.iterations = iterations;
    }

    //! From the best impulses so far
    template<class Solve>
    void improve(Solve&& solve)
    {
      solver_.backup_.assign(r_.begin(), r_.end());
      attempt(solver_.backup_, solve);
    }

    bool converged() const { return report_.converged; }
    bool acceptable() const
    {
      return report_.converged ||
             report_.residual <= acceptableResidual(solver_.settings_.tolerance);
    }
    const SolveReport& report() const { return report_; }

  private:
    SolveReport bounded(Span x, int iterations) const
    {
      return boundImpulses(problem_, solver_.settings_.tolerance, iterations, x, solver_.products_);
    }

    ContactSolver& solver_;
    const ContactProblemWith<Matrix>& problem_;
    Span r_;
    SolveReport report_{.residual = std::numeric_limits<double>::infinity(), .converged = false};
  };

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
    return boundImpulses(problem, settings_.tolerance, 0, r, products_);
  }

  //! A first guess that is not finite is replaced by zero
  template<class Matrix>
  SolveReport ContactSolver::sweep(const ContactProblemWith<Matrix>& problem, int most,
                                   bool whileFast, Span r)
  {
    if (!isFinite(ConstSpan(r)))
      std::fill(r.begin(), r.end(), 0.0);
    ContactSettings settings = settings_;
    settings.maxIterations = std::min(most, settings.maxIterations);
    settings.whileFast = whileFast;
    return sweeps(problem).solve(problem, settings, r);
  }

  template<class Matrix>
  SolveReport ContactSolver::solveProjectedGaussSeidel(const ContactProblemWith<Matrix>& problem,
                                                       Span r)
  {
    checkSizes(problem, r);
    if (!isFinite(problem))
      return reject(r);
    const SolveReport report = sweep(problem, settings_.maxIterations, false, r);
    return boundImpulses(problem, settings_.tolerance, report.iterations, r, products_);
  }

  SolveReport ContactSolver::solveActiveSet(const ContactProblem& problem, Span r)
  {
    checkSizes(problem, r);
    assert(isFrictionless(problem));
    if (!isFinite(problem))
      return reject(r);
    const SolveReport report = activeSet_.solve(problem, settings_, r);
    return boundImpulses(problem, settings_.tolerance, report.iterations, r, products_);
  }

  //! Where Newton's method has not halved an acceptable residual in its last iterations, one point
  //! that does not halve it either is the end
  template<class Matrix>
  SolveReport ContactSolver::solveProximal(const ContactProblemWith<Matrix>& problem,
                                           const FactoredDelassus& factors, bool afterNewton,
                                           Span r)
  {
    ContactSettings settings = settings_;
    if (afterNewton)
      settings.maxIdle = 1;
    return proximalNewton_.solve(
      {factors, problem.b, problem.friction, problem.velocityScale, problem.rateSize}, settings, r);
  }

  //! Proximal points, and where these are not good enough sweeps up to the largest number
  template<class Matrix>
  void ContactSolver::solveHard(const ContactProblemWith<Matrix>& problem,
                                const FactoredDelassus& factors, bool afterNewton,
                                Best<Matrix>& best)
  {
    if (!best.converged())
      best.improve([&](Span x) { return solveProximal(problem, factors, afterNewton, x); });
    if (!best.acceptable())
      best.improve([&](Span x) { return sweep(problem, settings_.maxIterations, false, x); });
  }

  //! Sweeps, Newton's method for the shared dofs if the matrix allows it, more sweeps, then
  //! proximal points
  SolveReport ContactSolver::solveContact(const FactoredProblem& problem, Span r)
  {
    checkSizes(problem, r);
    if (!isFinite(problem))
      return reject(r);
    if (!approaches(problem)) {
      std::fill(r.begin(), r.end(), 0.0);
      return {};
    }
    Best best(*this, problem, r);
    best.start([&](Span x) { return sweep(problem, fewSweeps, false, x); });
    if (!best.converged() && sharedNewton_.setup(problem.matrix))
      best.improve([&](Span x) { return sharedNewton_.solve(problem, settings_, x); });
    if (!best.converged())
      best.improve([&](Span x) { return sweep(problem, firstSweeps, true, x); });
    solveHard(problem, problem.matrix, false, best);
    return best.report();
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
    SolveReport report;
    if (problem.matrix.isDiagonal())
      report = solveDiagonal(problem, r);
    else {
      Best best(*this, problem, r);
      best.start([&](Span x) { return sweep(problem, firstSweeps, true, x); });
      if (!best.converged()) {
        problem.matrix.factorise(factors_);
        solveHard(problem, factors_, false, best);
        boundImpulses(problem, settings_.tolerance, 0, r, products_); // H r of the best impulses
      }
      report = best.report();
    }
    std::ranges::copy(products_.product, product.begin());
    return report;
  }

  /* Few contacts where neither sweeps nor proximal points have found impulses: Newton's method from
   * the impulses without friction; then friction grows from nothing in small parts, see
   * frictionContinuation(); then Newton's method starts from many places. */
  void ContactSolver::searchFew(const ContactProblem& problem, Best<Delassus>& best)
  {
    const auto newton = [&](const ContactProblem& part, Span x) {
      return newton_.solve(part, settings_, x);
    };
    std::vector<double> x(problem.b.size(), 0);
    activeSet_.solve(problem, settings_, x);
    const std::vector<double> smooth = x;
    best.attempt(x, [&](Span y) { return newton(problem, y); });
    if (!best.acceptable()) {
      x = smooth;
      best.attempt(
        x, [&](Span) { return frictionContinuation(problem, settings_, 0.125, x, newton); });
    }
    if (!best.acceptable())
      best.attempt(x, [&](Span) { return scatter(problem, settings_, x); });
  }

  /* Some sweeps find which contacts touch and slide, Newton's method then the impulses. Problems
   * that resist both are for proximal points, and few contacts for a search from many places. */
  SolveReport ContactSolver::solveFriction(const ContactProblem& problem, Span r,
                                           DelassusFactors* factors)
  {
    constexpr std::size_t fewUnknowns = 36;
    constexpr double exact = 1e-13, fine = 1e-10;
    const bool few = r.size() <= AlartCurnierNewton::limit;
    Best best(*this, problem, r);
    // few contacts are solved to round-off unless a large tolerance is given: it costs little
    ContactSettings aim = settings_;
    if (few && aim.tolerance <= fine)
      aim.tolerance = std::min(aim.tolerance, exact);
    if (few) // sweeps whose cost is below that of one iteration of Newton's method
      aim.maxIterations = 32 + int(r.size() * r.size() / 256);
    bool reached = false;
    best.start([&](Span x) {
      if (!few)
        return sweep(problem, firstSweeps, true, x);
      if (!isFinite(ConstSpan(x)))
        std::fill(x.begin(), x.end(), 0.0);
      const SolveReport report = sweeps_.solve(problem, aim, x);
      reached = report.converged;
      return report;
    });
    if (!reached && few)
      best.improve([&](Span x) { return newton_.solve(problem, aim, x); });
    if (best.converged())
      return best.report();
    if (!factors)
      factorise(problem.matrix, factors_);
    const FactoredDelassus& matrix = factors ? factors->factors() : factors_;
    if (r.size() > fewUnknowns) {
      solveHard(problem, matrix, few, best);
      return best.report();
    }
    best.improve([&](Span x) { return solveProximal(problem, matrix, few, x); });
    if (!best.acceptable())
      searchFew(problem, best);
    return best.report();
  }

  //! The active set, from sweeps on where there are many contacts; then proximal points
  SolveReport ContactSolver::solveFrictionless(const ContactProblem& problem, Span r,
                                               DelassusFactors* factors)
  {
    const auto exact = [&](Span x) { return activeSet_.solve(problem, settings_, x); };
    const std::size_t limit = std::size_t(settings_.activeSetLimit);
    const bool few = problem.matrix.size() <= limit;
    Best best(*this, problem, r);
    if (few)
      best.start(exact);
    else {
      best.start([&](Span x) { return sweep(problem, firstSweeps, true, x); });
      const auto active = std::count_if(r.begin(), r.end(), [](double x) { return x > 0; });
      if (std::size_t(active) <= limit)
        best.improve(exact);
    }
    if (best.converged())
      return best.report();
    if (!factors)
      factorise(problem.matrix, factors_);
    solveHard(problem, factors ? factors->factors() : factors_, false, best);
    return best.report();
  }

  SolveReport ContactSolver::solveContact(const ContactProblem& problem, Span r,
                                          DelassusFactors* factors)
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
    return isFrictionless(problem) ? solveFrictionless(problem, r, factors)
                                   : solveFriction(problem, r, factors);
  }

  template SolveReport ContactSolver::solveDiagonal(const ContactProblem&, Span);
  template SolveReport ContactSolver::solveDiagonal(const LumpedProblem&, Span);
  template SolveReport ContactSolver::solveProjectedGaussSeidel(const ContactProblem&, Span);
  template SolveReport ContactSolver::solveProjectedGaussSeidel(const FactoredProblem&, Span);
  template SolveReport ContactSolver::solveProjectedGaussSeidel(const LumpedProblem&, Span);

} // namespace Dune::Impact
