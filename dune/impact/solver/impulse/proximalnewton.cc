// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include <dune/impact/solver/impulse/proximalnewton.hh>

namespace Dune::Impact {

  namespace {

    using Vector3 = Eigen::Vector3d;
    using Matrix3 = Eigen::Matrix3d;

    constexpr int maxIterations = 40, maxHalvings = 20; // of Newton's method for a point
    constexpr double smallestAlpha = 1e-8, leastAlpha = 1e-15, largestAlpha = 1e3;

    // Newton's method has failed if it does not halve |f| in so many iterations; |f|^2 must be
    // below the largest one of so many iterations
    constexpr int patience = 20, memory = 10;

    // Factors of the attempt from the first guess, and of each one from zero
    constexpr int firstFactors = 60, laterFactors = 200;

    // Most multiplications of all factors, some seconds: beyond it the best impulses must do
    constexpr double mostWork = 2e10;

    //! d numbers as a vector of three
    Vector3 padded(int d, const double* x)
    {
      return {x[0], d > 1 ? x[1] : 0, d > 2 ? x[2] : 0};
    }

  } // namespace

  struct ProximalNewton::Factor
  {
    Eigen::SparseMatrix<double> matrix;
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  };

  ProximalNewton::ProximalNewton() = default;
  ProximalNewton::~ProximalNewton() = default;
  ProximalNewton::ProximalNewton(ProximalNewton&&) noexcept = default;
  ProximalNewton& ProximalNewton::operator=(ProximalNewton&&) noexcept = default;

  //! Pattern of 1 + W K G, with a dense block of the dofs of each contact; its order of elimination
  void ProximalNewton::setup(const FactoredDelassus& H)
  {
    const int n = int(H.dofs()), d = H.blockSize();
    scale_.assign(n, 0);
    c_.resize(H.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < H.size(); ++i) {
      const auto [dofs, values] = H.row(i);
      for (std::size_t a = 0; a < dofs.size(); ++a) {
        for (const std::uint32_t other : dofs)
          entries.emplace_back(int(dofs[a]), int(other), 0.0);
        for (int k = 0; k < d; ++k)
          scale_[dofs[a]] = std::max(scale_[dofs[a]], std::abs(values[2 * d * a + k]));
      }
      double trace = 0;
      for (int k = 0; k < d; ++k)
        trace += H.diagonal(i)[k * d + k];
      c_[i] = trace / d;
    }
    // a contact that moves nothing has any c
    const double largest = c_.empty() ? 0 : *std::max_element(c_.begin(), c_.end());
    std::replace(c_.begin(), c_.end(), 0.0, largest);
    for (int j = 0; j < n; ++j)
      entries.emplace_back(j, j, 0.0);
    if (!factor_)
      factor_ = std::make_unique<Factor>();
    Eigen::SparseMatrix<double>& matrix = factor_->matrix;
    matrix.resize(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const auto find = [&](int row, int column) {
      const int* begin = matrix.innerIndexPtr();
      return std::size_t(std::lower_bound(begin + matrix.outerIndexPtr()[column],
                                          begin + matrix.outerIndexPtr()[column + 1], row) -
                         begin);
    };
    place_.clear();
    for (std::size_t i = 0; i < H.size(); ++i)
      for (const std::uint32_t row : H.row(i).dofs)
        for (const std::uint32_t column : H.row(i).dofs)
          place_.push_back(find(int(row), int(column)));
    diagonal_.clear();
    for (int j = 0; j < n; ++j) {
      diagonal_.push_back(find(j, j));
      scale_[j] = scale_[j] > 0 ? 1 / scale_[j] : 1;
    }
    factor_->lu.analyzePattern(matrix);
    slope_.resize(H.size());
    inverse_.resize(H.size());
  }

  //! xi of contact i at a point whose velocities are known
  Eigen::Vector3d ProximalNewton::argument(const FactoredProblem& problem, double alpha,
                                           const Point& point, std::size_t i) const
  {
    const int d = problem.matrix.blockSize();
    double w[3] = {};
    withBlockSize(d,
                  [&](auto size) { problem.matrix.template addRate<size>(i, point.u.data(), w); });
    Eigen::Vector3d xi = Eigen::Vector3d::Zero();
    for (int k = 0; k < d; ++k) {
      const std::size_t j = i * d + k;
      xi[k] = (1 - alpha) * point.x[j] + alpha * centre_[j] - (w[k] + problem.b[j]) / c_[i];
    }
    return xi;
  }

  //! u = W x and f(x); returns |f|^2
  double ProximalNewton::evaluate(const FactoredProblem& problem, double alpha, Point& point) const
  {
    const int d = problem.matrix.blockSize();
    problem.matrix.velocities(point.x, point.u);
    point.f.resize(point.x.size());
    point.size = 0;
    double square = 0;
    for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
      const CoulombProjection projection(argument(problem, alpha, point, i), friction(problem, i));
      for (int k = 0; k < d; ++k) {
        const double f = c_[i] * (point.x[i * d + k] - projection.value[k]);
        point.f[i * d + k] = f;
        point.size = largerOrNaN(point.size, std::abs(f));
        square += f * f;
      }
    }
    return square;
  }

  //! D, M^-1, the matrix 1 + W K G and the right hand side -W M^-1 f/c at point_, in scaled dofs
  void ProximalNewton::assemble(const FactoredProblem& problem, double alpha)
  {
    const FactoredDelassus& H = problem.matrix;
    const int d = H.blockSize();
    double* const values = factor_->matrix.valuePtr();
    std::fill_n(values, factor_->matrix.nonZeros(), 0.0);
    for (const std::size_t place : diagonal_)
      values[place] = 1;
    rhs_ = Vector::Zero(Eigen::Index(H.dofs()));
    const std::size_t* place = place_.data();
    for (std::size_t i = 0; i < H.size(); ++i) {
      slope_[i] =
        CoulombProjection(argument(problem, alpha, point_, i), friction(problem, i)).derivative;
      inverse_[i] = (Matrix3::Identity() - (1 - alpha) * slope_[i]).inverse();
      const Matrix3 K = inverse_[i] * slope_[i] / c_[i];
      const Vector3 right = inverse_[i] * padded(d, &point_.f[i * d]) / c_[i];
      const auto [dofs, entries] = H.row(i);
      for (std::size_t a = 0; a < dofs.size(); ++a) {
        const Vector3 W = padded(d, entries + 2 * d * a + d) / scale_[dofs[a]];
        rhs_[dofs[a]] -= W.dot(right);
        const Vector3 row = K.transpose() * W;
        for (std::size_t b = 0; b < dofs.size(); ++b)
          values[*place++] += row.dot(padded(d, entries + 2 * d * b)) * scale_[dofs[b]];
      }
    }
  }

  //! The direction dx of Newton's method at point_; false if there is none
  bool ProximalNewton::findDirection(const FactoredProblem& problem, double alpha)
  {
    const FactoredDelassus& H = problem.matrix;
    const int d = H.blockSize();
    assemble(problem, alpha);
    auto& lu = factor_->lu;
    lu.factorize(factor_->matrix);
    if (lu.info() != Eigen::Success)
      return false;
    const double entries = double(lu.nnzL() + lu.nnzU());
    work_ += entries * entries / double(H.dofs());
    const Vector du = lu.solve(rhs_);
    dx_.resize(point_.x.size());
    for (std::size_t i = 0; i < H.size(); ++i) {
      const auto [dofs, values] = H.row(i);
      Vector3 rate = Vector3::Zero();
      for (std::size_t a = 0; a < dofs.size(); ++a)
        rate += padded(d, values + 2 * d * a) * (scale_[dofs[a]] * du[dofs[a]]);
      const Vector3 dx = -inverse_[i] * (padded(d, &point_.f[i * d]) + slope_[i] * rate) / c_[i];
      for (int k = 0; k < d; ++k)
        dx_[i * d + k] = dx[k];
    }
    return std::all_of(dx_.begin(), dx_.end(), [](double x) { return std::isfinite(x); });
  }

  /* Newton's method for the proximal point of centre_, from there on. Steps are halved until |f|^2
   * is below its largest value in the last iterations: it may rise for a while, since the way to
   * the states of the solution can lead over worse ones. True if |f| is at most `enough`. */
  bool ProximalNewton::findPoint(const FactoredProblem& problem, double alpha, double enough,
                                 int& factors)
  {
    point_.x = centre_;
    double square = evaluate(problem, alpha, point_), earlier = square;
    double past[memory];
    std::fill_n(past, memory, square);
    const auto step = [&](double bound) {
      trial_.x.resize(dx_.size());
      double length = 1;
      for (int halving = 0; halving <= maxHalvings; ++halving, length *= 0.5) {
        for (std::size_t i = 0; i < dx_.size(); ++i)
          trial_.x[i] = point_.x[i] + length * dx_[i];
        square = evaluate(problem, alpha, trial_);
        if (square < bound) {
          std::swap(point_, trial_);
          return true;
        }
      }
      return false;
    };
    for (int iteration = 1; iteration <= maxIterations && !(point_.size <= enough); ++iteration) {
      if (iteration % patience == 0) {
        if (!(square <= 0.25 * earlier))
          return false;
        earlier = square;
      }
      stop_.check();
      --factors;
      if (!findDirection(problem, alpha) || !step(*std::max_element(past, past + memory)))
        break;
      past[iteration % memory] = square;
    }
    return point_.size <= enough;
  }

  //! P(point) is the next centre
  void ProximalNewton::moveCentre(const FactoredProblem& problem)
  {
    const int d = problem.matrix.blockSize();
    for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
      const CoulombProjection projection(padded(d, &point_.x[i * d]), friction(problem, i));
      for (int k = 0; k < d; ++k)
        centre_[i * d + k] = projection.value[k];
    }
  }

  //! The residual of centre_, which becomes the best one if its residual is the smallest
  double ProximalNewton::judge(const FactoredProblem& problem, double tolerance)
  {
    const double scale = velocityScale(problem);
    const SolveReport report =
      contactReport(report_.iterations, contactResidual(problem, centre_), scale, tolerance);
    if (report.converged || !(report_.residual <= report.residual)) {
      best_ = centre_;
      report_ = report;
    }
    return report.residual;
  }

  //! True if there is nothing to be gained from more points
  bool ProximalNewton::isDone(const ContactSettings& settings)
  {
    idle_ = report_.residual <= 0.5 * halved_ ? 0 : idle_ + 1;
    if (idle_ == 0)
      halved_ = report_.residual;
    return report_.converged || work_ > mostWork ||
           (idle_ >= settings.maxIdle &&
            report_.residual <= acceptableResidual(settings.tolerance));
  }

  /* Proximal points from centre_ on; true if no other attempt is wanted. While points halve the
   * smallest residual there is no limit to the factors. Where a point was not found, alpha falls
   * slowly only. Where points do not halve the residual at the smallest alpha, H has smaller
   * eigenvalues. */
  bool ProximalNewton::attempt(const FactoredProblem& problem, const ContactSettings& settings,
                               double alpha, double sigma, int factors)
  {
    const double scale = velocityScale(problem), tolerance = settings.tolerance;
    double e = judge(problem, tolerance), part = 1, smallest = smallestAlpha, floor = 0;
    if (report_.converged)
      return true;
    halved_ = std::min(halved_, report_.residual);
    if (alpha == 0)
      alpha = std::clamp(sigma * e, smallest, 1.0);
    idle_ = 0;
    while ((factors > 0 || idle_ == 0) && alpha <= largestAlpha) {
      const double last = e, rounding = std::min(contactResidual(problem, centre_).rounding,
                                                 acceptableResidual(tolerance) * scale);
      const int before = factors;
      const bool found = findPoint(
        problem, alpha, std::max(scale * std::min(e / 1000, alpha / 100), rounding), factors);
      report_.iterations += before - factors;
      factors = std::min(factors, before - 1); // that of a point without any has an end, too
      if (found) {
        moveCentre(problem);
        e = judge(problem, tolerance);
        part /= 3;
        floor /= 10;
        if (e > 0.5 * last && alpha == smallest)
          smallest = std::max(leastAlpha, 1e-3 * smallest);
        alpha = std::max({smallest, floor, std::min(sigma * e, 1.0) * part});
      }
      else
        floor = alpha *= 10;
      if (isDone(settings))
        return true;
    }
    return false;
  }

  SolveReport ProximalNewton::solve(const FactoredProblem& problem, const ContactSettings& settings,
                                    Span r)
  {
    setup(problem.matrix);
    centre_.assign(r.begin(), r.end());
    report_ = {.residual = std::numeric_limits<double>::infinity(), .converged = false};
    halved_ = report_.residual;
    idle_ = 0;
    work_ = 0;
    stop_ = settings.stop;
    bool done = attempt(problem, settings, 0, 5, firstFactors);
    for (const double sigma : {5.0, 0.5, 50.0})
      if (!done) {
        std::fill(centre_.begin(), centre_.end(), 0.0);
        done = attempt(problem, settings, 1, sigma, laterFactors);
      }
    std::copy(best_.begin(), best_.end(), r.begin());
    return report_;
  }

} // namespace Dune::Impact
