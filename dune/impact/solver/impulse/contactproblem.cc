// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <dune/impact/solver/impulse/contactproblem.hh>

namespace Dune::Impact {

  namespace {

    constexpr double epsilon = std::numeric_limits<double>::epsilon();

    double length(double x, double y)
    {
      return std::sqrt(x * x + y * y);
    }

    /* One contact with w_N = 0. With the normal impulse eliminated,
     *
     *   r_N = -(q_N + a.r_T) / A_NN,   w_T = B r_T + p,
     *   B = A_TT - a a^T / A_NN,       p = q_T - a q_N / A_NN,
     *
     * a = A_TN. Sliding means w_T = -lambda r_T with lambda > 0, sticking lambda = 0, hence
     *
     *   r_T(lambda) = -(B + lambda I)^-1 p,
     *
     * in the eigenbasis of B: r_k = -p_k / (beta_k + lambda). All components below refer to
     * this basis. The eigenvalues are kept above the round-off of A, so that singular blocks
     * need no special case.
     */
    struct ReducedContact
    {
      double normal; // A_NN
      double qN;
      double a[2], p[2], beta[2];
      double c, s; // first eigenvector of B

      ReducedContact(const double* A, const double* q);
      void tangent(double lambda, double* rT) const;
      double normalImpulse(const double* rT) const
      {
        return -(qN + a[0] * rT[0] + a[1] * rT[1]) / normal;
      }
      double coneRatio(double lambda, double mu) const;
      double slidingParameter(double mu) const;
      void rotateBack(const double* rT, double* r) const;
    };

    // Diagonalise B by one Jacobi rotation (Golub and Van Loan, Matrix Computations, sec. 8.5.2).
    ReducedContact::ReducedContact(const double* A, const double* q) : normal(A[0]), qN(q[0])
    {
      const double a0 = A[3], a1 = A[6];
      const double b00 = A[4] - a0 * a0 / normal, b01 = A[5] - a0 * a1 / normal,
                   b11 = A[8] - a1 * a1 / normal;
      const double p0 = q[1] - a0 * qN / normal, p1 = q[2] - a1 * qN / normal;
      double t = 0;
      if (b01 != 0) {
        const double tau = (b11 - b00) / (2 * b01);
        t = std::copysign(1.0, tau) / (std::abs(tau) + std::sqrt(1 + tau * tau));
      }
      c = 1 / std::sqrt(1 + t * t);
      s = t * c;
      const double floor = epsilon * (A[0] + A[4] + A[8]);
      beta[0] = std::max(b00 - t * b01, floor);
      beta[1] = std::max(b11 + t * b01, floor);
      a[0] = c * a0 - s * a1;
      a[1] = s * a0 + c * a1;
      p[0] = c * p0 - s * p1;
      p[1] = s * p0 + c * p1;
    }

    void ReducedContact::tangent(double lambda, double* rT) const
    {
      for (int k = 0; k < 2; ++k)
        rT[k] = -p[k] / (beta[k] + lambda);
    }

    // g(lambda) = mu r_N / |r_T| - 1: the impulse is in the friction cone if and only if g >= 0.
    double ReducedContact::coneRatio(double lambda, double mu) const
    {
      double rT[2];
      tangent(lambda, rT);
      return mu * normalImpulse(rT) / length(rT[0], rT[1]) - 1;
    }

    /* Root of g for a contact that cannot stick, g(0) < 0. Since |r_T| <= |p|/lambda,
     * g > 0 for lambda > |p| (A_NN + mu |a|) / (mu |q_N|): a bracket. If beta_0 = beta_1, g is
     * linear, so false position with the Illinois modification needs few steps; bisection
     * takes over if it does not.
     */
    double ReducedContact::slidingParameter(double mu) const
    {
      double low = 0, gLow = coneRatio(low, mu);
      double high = length(p[0], p[1]) * (normal + mu * length(a[0], a[1])) / (-mu * qN);
      double gHigh = coneRatio(high, mu);
      int side = 0; // which end of the bracket the last step has moved
      for (int step = 0; step < 200 && gHigh > 0; ++step) {
        double next = high - gHigh * (high - low) / (gHigh - gLow);
        if (step > 30 || !(next > low && next < high))
          next = low + (high - low) / 2;
        const double g = coneRatio(next, mu);
        if (std::abs(g) <= 4 * epsilon || next == low || next == high)
          return next;
        if (g < 0) {
          low = next;
          gLow = g;
          gHigh *= side < 0 ? 0.5 : 1;
          side = -1;
        }
        else {
          high = next;
          gHigh = g;
          gLow *= side > 0 ? 0.5 : 1;
          side = 1;
        }
      }
      return high;
    }

    void ReducedContact::rotateBack(const double* rT, double* r) const
    {
      r[1] = c * rT[0] + s * rT[1];
      r[2] = c * rT[1] - s * rT[0];
    }

    // One tangent: r_T = -p/(B + lambda) keeps its sign, so r_T = -sign(p) mu r_N when sliding.
    void solvePlaneContact(const double* A, const double* q, double mu, double* r)
    {
      const double a = A[2];
      const double B = std::max(A[3] - a * a / A[0], epsilon * (A[0] + A[3]));
      const double p = q[1] - a * q[0] / A[0];
      r[1] = -p / B;
      r[0] = -(q[0] + a * r[1]) / A[0];
      if (std::abs(r[1]) <= mu * r[0])
        return;
      const double direction = p > 0 ? -1 : 1;
      r[0] = -q[0] / (A[0] + direction * mu * a);
      r[1] = direction * mu * r[0];
    }

    // Block with A_TN = 0 and A_TT = c I, up to rounding that of two balls: r_T = -q_T/c,
    // shortened to mu r_N
    void solveIsotropicContact(const double* A, const double* q, double mu, double* r)
    {
      const double slip = length(q[1], q[2]);
      r[0] = -q[0] / A[0];
      const double factor = slip <= mu * r[0] * A[4] ? 1 / A[4] : mu * r[0] / slip;
      r[1] = slip > 0 ? -q[1] * factor : 0;
      r[2] = slip > 0 ? -q[2] * factor : 0;
    }

    //! Two tangents: the sticking impulse r_T(0) if it is in the friction cone, otherwise the
    //! sliding one at the root lambda of g. The last scaling puts r_T on the cone to round-off.
    void solveSpaceContact(const double* A, const double* q, double mu, double* r)
    {
      const double rounding = 4 * epsilon * (A[0] + A[4] + A[8]);
      if (std::abs(A[3]) <= rounding && std::abs(A[6]) <= rounding && std::abs(A[5]) <= rounding &&
          std::abs(A[4] - A[8]) <= rounding)
        return solveIsotropicContact(A, q, mu, r);
      const ReducedContact contact(A, q);
      double rT[2];
      contact.tangent(0, rT);
      r[0] = contact.normalImpulse(rT);
      if (length(rT[0], rT[1]) > mu * r[0]) {
        contact.tangent(contact.slidingParameter(mu), rT);
        r[0] = std::max(0.0, contact.normalImpulse(rT));
        const double factor = mu * r[0] / length(rT[0], rT[1]);
        rT[0] *= factor;
        rT[1] *= factor;
      }
      contact.rotateBack(rT, r);
    }

  } // namespace

  //! A contact with q_N >= 0 is open. Otherwise w_N = 0: without friction r_N = -q_N/A_NN, with
  //! friction by the number of tangents.
  void solveLocalContact(int blockSize, const double* A, const double* q, double mu, double* r)
  {
    if (q[0] >= 0 || A[0] <= 0)
      std::fill_n(r, blockSize, 0.0);
    else if (mu == 0 || blockSize == 1) {
      std::fill_n(r, blockSize, 0.0);
      r[0] = -q[0] / A[0];
    }
    else if (blockSize == 2)
      solvePlaneContact(A, q, mu, r);
    else
      solveSpaceContact(A, q, mu, r);
  }

  double naturalMap(int blockSize, const double* A, double mu, const double* r, const double* w)
  {
    const double normal = std::abs(std::min(w[0], A[0] * r[0]));
    if (blockSize == 1)
      return normal;
    const bool space = blockSize == 3;
    const double c = space ? (A[0] + A[4] + A[8]) / 3 : (A[0] + A[3]) / 2;
    const double x = c * r[1], y = space ? c * r[2] : 0;
    const double trialX = x - w[1], trialY = space ? y - w[2] : 0;
    const double radius = mu * c * std::max(r[0], 0.0), trial = length(trialX, trialY);
    const double factor = trial > radius ? radius / trial : 1;
    return largerOrNaN(normal, length(x - factor * trialX, y - factor * trialY));
  }

  template<class Matrix>
  double velocityScale(const ContactProblemWith<Matrix>& problem)
  {
    if (problem.velocityScale > 0)
      return problem.velocityScale;
    double scale = 0;
    for (const double x : problem.b)
      scale = std::max(scale, std::abs(x));
    return scale;
  }

  template<class Matrix>
  bool isFrictionless(const ContactProblemWith<Matrix>& problem)
  {
    return problem.matrix.blockSize() == 1 ||
           std::all_of(problem.friction.begin(), problem.friction.end(),
                       [](double mu) { return mu == 0; });
  }

  template<class Matrix>
  bool isFinite(const ContactProblemWith<Matrix>& problem)
  {
    double check = 0 * problem.velocityScale;
    for (const double x : problem.b)
      check += 0 * x;
    for (const double x : problem.friction)
      check += 0 * x;
    return problem.matrix.isFinite() && check == 0;
  }

  //! Largest natural map at w = H r + b; H r goes to `product` unless it is a null pointer
  template<int d, class Matrix>
  static double residualOf(const ContactProblemWith<Matrix>& problem, ConstSpan r,
                           std::vector<double>& scratch, double* product)
  {
    const double* u = problem.matrix.velocities(r, scratch);
    double residual = 0;
    for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
      double w[d] = {};
      problem.matrix.template addRate<d>(i, u, w);
      if (product)
        std::copy_n(w, d, product + i * d);
      for (int k = 0; k < d; ++k)
        w[k] += problem.b[i * d + k];
      residual = largerOrNaN(
        residual, naturalMap(d, problem.matrix.diagonal(i), friction(problem, i), &r[i * d], w));
    }
    return residual;
  }

  // The round-off of a sum of products is estimated by 8 epsilon times the sum of their sizes.
  template<class Matrix>
  static ContactResidual residualAbove(double enough, const ContactProblemWith<Matrix>& problem,
                                       ConstSpan r, ContactProducts& products, double* product)
  {
    ContactResidual result;
    result.value = withBlockSize(problem.matrix.blockSize(), [&](auto d) {
      return residualOf<d>(problem, r, products.u, product);
    });
    if (result.value <= enough)
      return result;
    const double* sizes = problem.matrix.velocitySizes(r, products.sizes);
    for (std::size_t i = 0; i < problem.matrix.size(); ++i)
      for (int k = 0; k < problem.matrix.blockSize(); ++k)
        result.rounding =
          largerOrNaN(result.rounding, 8 * epsilon * problem.matrix.rateSize(i, k, sizes));
    result.rateRounding = 8 * epsilon * problem.rateSize;
    return result;
  }

  template<class Matrix>
  ContactResidual contactResidual(const ContactProblemWith<Matrix>& problem, ConstSpan r)
  {
    ContactProducts products;
    return residualAbove(-1, problem, r, products, nullptr);
  }

  template<class Matrix>
  ContactResidual contactResidual(const ContactProblemWith<Matrix>& problem, ConstSpan r,
                                  double enough, ContactProducts& products)
  {
    products.product.resize(r.size());
    return residualAbove(enough, problem, r, products, products.product.data());
  }

  double acceptableResidual(double tolerance)
  {
    constexpr double millionth = 1e-6, worst = 1e-2;
    return std::max({tolerance, millionth, std::min(1000 * tolerance, worst)});
  }

  double acceptedResidual(const ContactResidual& residual, double scale, double tolerance)
  {
    const double rounding =
      std::min(residual.rounding, acceptableResidual(tolerance) * scale) + residual.rateRounding;
    return std::max(tolerance * scale, rounding);
  }

  SolveReport contactReport(int iterations, const ContactResidual& residual, double scale,
                            double tolerance)
  {
    return {.iterations = iterations,
            .residual = residual.value == 0 ? 0 : residual.value / scale,
            .converged = residual.value <= acceptedResidual(residual, scale, tolerance)};
  }

#define DUNE_IMPACT_INSTANTIATE(Matrix)                                                            \
  template double velocityScale(const ContactProblemWith<Matrix>&);                                \
  template bool isFrictionless(const ContactProblemWith<Matrix>&);                                 \
  template bool isFinite(const ContactProblemWith<Matrix>&);                                       \
  template ContactResidual contactResidual(const ContactProblemWith<Matrix>&, ConstSpan);          \
  template ContactResidual contactResidual(const ContactProblemWith<Matrix>&, ConstSpan, double,   \
                                           ContactProducts&);

  DUNE_IMPACT_INSTANTIATE(Delassus)
  DUNE_IMPACT_INSTANTIATE(FactoredDelassus)
  DUNE_IMPACT_INSTANTIATE(LumpedDelassus)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
