// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include <dune/impact/solver/impulse/alartcurniernewton.hh>

namespace Dune::Impact {

  namespace {

    constexpr int maxIterations = 20;

    // A direction is redundant if it is below this part of the largest one
    constexpr double rankThreshold = 1e-11;

    using Matrix = Eigen::MatrixXd;
    using Vector = Eigen::VectorXd;

    /* The equations A dr = -F of the states at r, multiplied by c where needed, so that all of them
     * are velocities:
     *
     *     open: c r = 0,   closed: w_N = 0,   stick: w_T = 0,   slide: c (r_T - mu r_N n) = 0
     */
    void linearise(const ContactProblem& problem, const Matrix& H, const Vector& r, const Vector& w,
                   Matrix& A, Vector& F)
    {
      const int d = problem.matrix.blockSize();
      A.setZero();
      for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
        const double* D = problem.matrix.diagonal(i);
        double trace = 0;
        for (int k = 0; k < d; ++k)
          trace += D[k * d + k];
        const double c = trace / d, cN = D[0] > 0 ? D[0] : c, mu = friction(problem, i);
        const Eigen::Index first = Eigen::Index(i) * d;
        const auto pin = [&](int k) { // r_k = 0
          A(first + k, first + k) = c;
          F[first + k] = c * r[first + k];
        };
        if (cN * r[first] - w[first] <= 0) {
          for (int k = 0; k < d; ++k)
            pin(k);
          continue;
        }
        A.row(first) = H.row(first);
        F[first] = w[first];
        if (mu == 0) {
          for (int k = 1; k < d; ++k)
            pin(k);
          continue;
        }
        const Vector x = c * r.segment(first + 1, d - 1) - w.segment(first + 1, d - 1); // c x_T
        const double length = x.norm(), normal = std::max(r[first], 0.0);
        if (length <= mu * c * normal) {
          for (int k = 1; k < d; ++k) {
            A.row(first + k) = H.row(first + k);
            F[first + k] = w[first + k];
          }
          continue;
        }
        // c r_T - mu c r_N n, with dn = (I - n n^T)/|x| (c dr_T - dw_T)
        const Vector n = x / length;
        for (int k = 1; k < d; ++k) {
          F[first + k] = c * (r[first + k] - mu * normal * n[k - 1]);
          A(first + k, first + k) += c;
          A(first + k, first) -= mu * c * n[k - 1];
          for (int l = 1; l < d; ++l) {
            const double turn = mu * c * normal / length * ((k == l) - n[k - 1] * n[l - 1]);
            A(first + k, first + l) -= turn * c;
            A.row(first + k) += turn * H.row(first + l);
          }
        }
      }
    }

  } // namespace

  /* x <- x - A^+ F with dense matrices; A^+ takes the change of least size where contacts are
   * redundant. The iterate with the smallest residual is kept, since residuals may grow in
   * between. */
  SolveReport AlartCurnierNewton::solve(const ContactProblem& problem,
                                        const ContactSettings& settings, Span r) const
  {
    const Eigen::Index n = Eigen::Index(r.size()), d = problem.matrix.blockSize();
    const double scale = velocityScale(problem);
    Matrix H = Matrix::Zero(n, n), A(n, n);
    for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
      auto [columns, value] = problem.matrix.row(i);
      for (const std::size_t j : columns)
        for (int k = 0; k < d; ++k)
          for (int l = 0; l < d; ++l)
            H(Eigen::Index(i) * d + k, Eigen::Index(j) * d + l) = *value++;
    }
    const Eigen::Map<const Vector> b(problem.b.data(), n);
    Vector x = Eigen::Map<const Vector>(r.data(), n), F(n);
    SolveReport best = contactReport(0, contactResidual(problem, r), scale, settings.tolerance);
    for (int iteration = 1; iteration <= maxIterations && !best.converged; ++iteration) {
      settings.stop.check();
      linearise(problem, H, x, H * x + b, A, F);
      Eigen::CompleteOrthogonalDecomposition<Matrix> factor;
      factor.setThreshold(rankThreshold);
      x -= factor.compute(A).solve(F);
      if (!x.allFinite())
        break;
      for (Eigen::Index i = 0; i < n; i += d) // impulses of round-off size pull nothing
        if (x[i] < 0 && x[i] > -rankThreshold * x.cwiseAbs().maxCoeff())
          x.segment(i, d).setZero();
      const SolveReport report =
        contactReport(iteration, contactResidual(problem, ConstSpan(x.data(), std::size_t(n))),
                      scale, settings.tolerance);
      if (report.converged || report.residual < best.residual) {
        best = report;
        std::copy(x.data(), x.data() + n, r.begin());
      }
      best.iterations = iteration;
    }
    return best;
  }

} // namespace Dune::Impact
