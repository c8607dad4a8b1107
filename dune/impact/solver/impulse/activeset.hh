// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_ACTIVESET_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_ACTIVESET_HH

#include <cstddef>
#include <vector>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/solver/impulse/contactproblem.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Active-set method for contact without friction
 */

namespace Dune::Impact {

  /** \brief Factor H_PP = L D L^T that grows by rows
   *
   * The form without square roots, so that a matrix scaled by a power of two has the same L.
   */
  class GrowingFactor
  {
  public:
    //! A row is dependent if its pivot is below this fraction of its diagonal entry
    static constexpr double pivotThreshold = 1e-11;

    std::size_t size() const { return pivots_.size(); }

    //! Keep the first rows only
    void truncate(std::size_t size);

    //! Append a row: its size() entries with the rows so far, then its diagonal. False, and no
    //! change, if dependent.
    bool append(ConstSpan row);

    //! x <- H_PP^-1 x
    void solve(Span x) const;

  private:
    const double* row(std::size_t k) const { return lower_.data() + k * (k - 1) / 2; }

    std::vector<double> lower_;  // strict lower triangle of L, row after row
    std::vector<double> pivots_; // D
  };

  /** \brief Minimise 1/2 r.Hr + b.r over r >= 0 by exchanging active contacts
   *
   * The method of Lawson and Hanson, Solving Least Squares Problems (1974), ch. 23, written for
   * the normal equations. P is the set of active contacts, r is zero outside of it.
   *
   *     loop  w = H r + b;  i = the contact outside P with w_i < 0 and the largest w_i^2 / H_ii
   *           none: r is the solution
   *           add i to P
   *           loop  z_P = -H_PP^-1 b_P
   *                 z_P > 0: r_P = z_P, leave the inner loop
   *                 move r towards z up to the boundary r >= 0 and drop from P what has become zero
   *
   * If row i depends on P (relative pivot below 1e-11), r moves along the null vector
   * d = (-H_PP^-1 H_Pi, 1) until another contact becomes zero and leaves P in favour of i. Without
   * such a contact the problem has no solution. Each exchange lowers the functional, so no set
   * occurs twice; a contact that round-off expels at once is set aside until another has entered.
   *
   * The contacts with r_N > 0 on entry are the first guess of P. All members are scratch memory.
   */
  class ActiveSet
  {
  public:
    /** \brief Solve a problem without friction
     *
     * \param problem   finite data; tangential rows and friction coefficients are ignored
     * \param settings  tolerance, most pivots, and most contacts in P
     * \param r         first guess and result; tangential components become zero
     */
    SolveReport solve(const ContactProblem& problem, const ContactSettings& settings, Span r);

  private:
    void start(const ContactProblem& problem, ConstSpan r);
    bool append(const Delassus& matrix, std::size_t i);
    void gatherRow(const Delassus& matrix, std::size_t i);
    ContactResidual updateVelocity(const ContactProblem& problem);
    std::size_t entering(const Delassus& matrix, double threshold) const;
    bool enter(const ContactProblem& problem, std::size_t i);
    bool exchange(const ContactProblem& problem, std::size_t i);
    void descend(const ContactProblem& problem);
    void minimise(const ContactProblem& problem);
    void dropZeros(const Delassus& matrix);

    static constexpr std::size_t none = -1;

    GrowingFactor factor_;
    std::size_t limit_ = 0;             // most contacts in P
    std::vector<std::size_t> set_;      // P in the order of the factor
    std::vector<std::size_t> position_; // of each contact in P, or none
    std::vector<std::size_t> tail_;
    std::vector<char> aside_;
    std::vector<double> r_, w_; // normal impulses and velocities of all contacts
    std::vector<double> row_, z_, defect_;
  };

} // namespace Dune::Impact

#endif
