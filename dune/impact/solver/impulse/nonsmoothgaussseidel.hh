// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_NONSMOOTHGAUSSSEIDEL_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_NONSMOOTHGAUSSSEIDEL_HH

#include <vector>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/solver/impulse/contactproblem.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Impulses of very many contacts that act together
 */

namespace Dune::Impact {

  /** \brief Accelerated block Gauss-Seidel that carries velocities
   *
   * Sweeps, forwards and backwards in turn, solve one contact after the other exactly, see
   * solveLocalContact(), with the velocities u = W r that all impulses up to then have given:
   *
   *     q = b_i + G_i u - H_ii r_i,    r_i <- local solution for q,    u += W_i (r_i - old r_i).
   *
   * The cost of a sweep is the number of entries of G and W, however many contacts a body has.
   * After a sweep with the change g = r' - r the impulses go on along the directions of the earlier
   * ones,
   *
   *     beta = |g|^2 / |g before|^2,   r = r' + beta p,   p <- beta p + g,   p <- 0 if beta > 1,
   *
   * with |g|^2 = sum g_i.H_ii g_i: the nonlinear conjugate gradients of Silcowitz-Hansen, Abel and
   * Niebe (2010). Where contacts are loosely coupled plain sweeps need less time: the first ones
   * are all forwards and not accelerated if settings ask for it. Where they go too far, as for
   * nodes against faces of another mesh, g is about rho times the one before with rho < 0. After
   * the third sweep LumpedDelassus then goes on by the part 2/(2 - rho) of the changes of contacts
   * that stick, with
   *
   *     rho = sum D_i g_i g_i before / sum D_i (g_i before)^2,     D the diagonal of H,
   *
   * as long as g gets smaller faster than in the third sweep.
   *
   * The result is that of a sweep, or between it and those before, so that it keeps r_N >= 0 and
   * |r_T| <= mu r_N whatever the residual.
   */
  template<class Matrix>
  class NonsmoothGaussSeidel
  {
  public:
    using Problem = ContactProblemWith<Matrix>;

    //! Improve r, which is finite as the problem is
    SolveReport solve(const Problem& problem, const ContactSettings& settings, Span r);

  private:
    template<int d>
    SolveReport solve(const Problem& problem, const ContactSettings& settings, Span r);
    template<int d>
    double sweep(const Problem& problem, Span r, bool forwards);
    template<int d>
    double sweepAll(const Problem& problem, Span r, bool forwards);
    template<int d>
    double sweepAvx2(const Problem& problem, Span r, bool forwards);
    template<int d>
    void relax(int sweep, double ratio, const Problem& problem, ConstSpan r);
    void beginAcceleration(ConstSpan r);
    template<int d>
    void accelerate(const Problem& problem, Span r);

    std::vector<double> u_;    // W r
    ContactProducts products_; // of the residual computed last
    double relaxation_ = 1;    // of contacts that stick
    // largest change of the third plain sweep over that of the second
    double thirdRatio_ = 0;
    std::vector<double> start_, startU_; // r and u before a sweep; of plain ones r after the first
    std::vector<double> way_, wayU_;     // p, and W p; of plain ones r after the second
    double last_ = 0;                    // |g|^2 of the sweep before
  };

  extern template class NonsmoothGaussSeidel<Delassus>;
  extern template class NonsmoothGaussSeidel<FactoredDelassus>;
  extern template class NonsmoothGaussSeidel<LumpedDelassus>;

} // namespace Dune::Impact

#endif
