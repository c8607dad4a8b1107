// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include <dune/impact/solver/impulse/alartcurniernewton.hh>

namespace Dune::Impact {

  namespace {

    // Iterations; those after which the method is left if they have not halved the residual, the
    // second half of them without a shift
    constexpr int maxIterations = 20, patience = 4;

    // A direction is redundant if it is below this part of the largest one
    constexpr double rankThreshold = 1e-11;

    // Most unknowns for which redundant directions are always told from others, which costs several
    // LU factors; where there are more, the shift of the diagonal in parts of c
    constexpr Eigen::Index fewUnknowns = 36;
    constexpr double shift = 1e-9;

    using Matrix = Eigen::MatrixXd;
    using Vector = Eigen::VectorXd;

  } // namespace

  /* The equations A dr = -F of the states at x = r - w/c, multiplied by c where needed, so that
   * all of them are velocities:
   *
   *     closed: w_N = 0,   stick: w_T = 0,   slide: c (r_T - mu r_N n) = 0
   *
   * Impulses of open contacts are zero, and so are tangential ones without friction. These are
   * no unknowns: they are set first, and A has the unknowns of closed contacts only. */
  class AlartCurnierNewton::Linearisation
  {
  public:
    Linearisation(const ContactProblem& problem, AlartCurnierNewton& scratch)
      : problem_(problem)
      , d_(problem.matrix.blockSize())
      , b_(problem.b.data(), Eigen::Index(problem.b.size()))
      , H_(Matrix::Zero(b_.size(), b_.size()))
      , closed_(scratch.closed_)
      , unknowns_(scratch.unknowns_)
    {
      for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
        auto [columns, value] = problem.matrix.row(i);
        for (const std::size_t j : columns)
          for (int k = 0; k < d_; ++k)
            for (int l = 0; l < d_; ++l)
              H_(Eigen::Index(i) * d_ + k, Eigen::Index(j) * d_ + l) = *value++;
      }
    }

    //! r + dr, with a change of least size where contacts are redundant
    void solve(bool exact, Vector& r)
    {
      findStates(r);
      if (unknowns_.empty())
        return;
      const Eigen::Index n = Eigen::Index(unknowns_.size());
      w_ = H_ * r + b_;
      A_.resize(n, n);
      F_.resize(n);
      shift_ = Vector::Zero(n);
      row_ = 0;
      for (const Closed& state : closed_)
        addContact(state, r);
      const Vector change = exact || n <= fewUnknowns ? leastChange() : shiftedChange();
      for (Eigen::Index i = 0; i < n; ++i)
        r[unknowns_[i]] -= change[i];
    }

  private:
    //! The shortest x with A x = F, or with the least |A x - F|
    Vector leastChange() const
    {
      Eigen::CompleteOrthogonalDecomposition<Matrix> factor;
      factor.setThreshold(rankThreshold);
      return factor.compute(A_).solve(F_);
    }

    /* Nearly the same by an LU factor of A + S, where S = shift c in the equations w = 0: one
     * step of refinement leaves (S/(A + S))^2 of the error, and directions that are redundant
     * stay short. */
    Vector shiftedChange() const
    {
      Matrix shifted = A_;
      shifted.diagonal() += shift_;
      const Eigen::PartialPivLU<Matrix> factor(shifted);
      const Vector x = factor.solve(F_);
      return x + factor.solve(F_ - A_ * x);
    }

    //! Which contacts are closed at r and which of these slide; other impulses become zero
    void findStates(Vector& r)
    {
      closed_.clear();
      unknowns_.clear();
      w_ = H_ * r + b_;
      for (std::size_t i = 0; i < problem_.matrix.size(); ++i) {
        const double* D = problem_.matrix.diagonal(i);
        double trace = 0;
        for (int k = 0; k < d_; ++k)
          trace += D[k * d_ + k];
        const double c = trace / d_, cN = D[0] > 0 ? D[0] : c, mu = friction(problem_, i);
        const Eigen::Index first = Eigen::Index(i) * d_;
        const bool open = cN * r[first] - w_[first] <= 0;
        const int free = open ? 0 : mu == 0 ? 1 : d_; // components that are unknowns
        Closed state{i, c, {0, 0}, 0};
        for (int k = 1; k < free; ++k)
          state.slide[k - 1] = c * r[first + k] - w_[first + k];
        const double length = Eigen::Map<const Eigen::Vector2d>(state.slide.data()).norm();
        if (length > mu * c * std::max(r[first], 0.0))
          state.length = length;
        for (int k = 0; k < free; ++k)
          unknowns_.push_back(first + k);
        for (int k = free; k < d_; ++k)
          r[first + k] = 0;
        if (!open)
          closed_.push_back(state);
      }
    }

    //! Row i of A += factor times row j of H
    void addRow(Eigen::Index i, double factor, Eigen::Index j)
    {
      for (std::size_t k = 0; k < unknowns_.size(); ++k)
        A_(i, Eigen::Index(k)) += factor * H_(j, unknowns_[k]);
    }

    //! The equations of a closed contact
    void addContact(const Closed& state, const Vector& r)
    {
      const Eigen::Index first = Eigen::Index(state.contact) * d_, row = row_;
      const double mu = friction(problem_, state.contact), c = state.c;
      const int free = mu == 0 ? 1 : d_;
      const auto vanish = [&](int k) { // w_k = 0
        A_.row(row + k).setZero();
        addRow(row + k, 1, first + k);
        F_[row + k] = w_[first + k];
        shift_[row + k] = shift * c;
      };
      vanish(0);
      row_ += free;
      if (state.length == 0) {
        for (int k = 1; k < free; ++k)
          vanish(k);
        return;
      }
      // c r_T - mu c r_N n with dn = (I - n n^T)/|x| (c dr_T - dw_T); x was found before impulses
      // of open contacts were set to zero, which has changed w by `moved`
      const Eigen::Vector2d n{state.slide[0] / state.length, state.slide[1] / state.length};
      const double normal = std::max(r[first], 0.0);
      for (int k = 1; k < d_; ++k) {
        A_.row(row + k).setZero();
        F_[row + k] = c * (r[first + k] - mu * normal * n[k - 1]);
        A_(row + k, row + k) += c;
        A_(row + k, row) -= mu * c * n[k - 1];
        for (int l = 1; l < d_; ++l) {
          const double turn = mu * c * normal / state.length * ((k == l) - n[k - 1] * n[l - 1]);
          const double moved = w_[first + l] - (c * r[first + l] - state.slide[l - 1]);
          A_(row + k, row + l) -= turn * c;
          addRow(row + k, turn, first + l);
          F_[row + k] += turn * moved;
        }
      }
    }

    const ContactProblem& problem_;
    const int d_;
    Eigen::Map<const Vector> b_;
    Matrix H_, A_;
    Vector w_, F_, shift_;
    std::vector<Closed>& closed_;
    std::vector<Eigen::Index>& unknowns_;
    Eigen::Index row_ = 0; // of the contact that is added
  };

  /* x <- x - A^+ F with dense matrices; A^+ takes a change of least size where contacts are
   * redundant. The iterate with the smallest residual is kept, since residuals may grow in
   * between; where they do not fall for some iterations, they will not fall later. */
  SolveReport AlartCurnierNewton::solve(const ContactProblem& problem,
                                        const ContactSettings& settings, Span r)
  {
    const Eigen::Index n = Eigen::Index(r.size()), d = problem.matrix.blockSize();
    const double scale = velocityScale(problem);
    Linearisation linearisation(problem, *this);
    Vector x = Eigen::Map<const Vector>(r.data(), n);
    SolveReport best = contactReport(0, contactResidual(problem, r), scale, settings.tolerance);
    double halved = best.residual;
    for (int iteration = 1, idle = 0;
         iteration <= maxIterations && idle < patience && !best.converged; ++iteration) {
      settings.stop.check();
      linearisation.solve(idle >= patience / 2, x);
      if (!x.allFinite())
        break;
      const double least = -rankThreshold * x.cwiseAbs().maxCoeff();
      for (Eigen::Index i = 0; i < n; i += d) // impulses of round-off size pull nothing
        if (x[i] < 0 && x[i] > least)
          x.segment(i, d).setZero();
      const SolveReport report =
        contactReport(iteration, contactResidual(problem, ConstSpan(x.data(), std::size_t(n))),
                      scale, settings.tolerance);
      if (report.converged || report.residual < best.residual) {
        best = report;
        std::copy(x.data(), x.data() + n, r.begin());
      }
      best.iterations = iteration;
      idle = best.residual <= 0.5 * halved ? 0 : idle + 1;
      if (idle == 0)
        halved = best.residual;
    }
    return best;
  }

} // namespace Dune::Impact
