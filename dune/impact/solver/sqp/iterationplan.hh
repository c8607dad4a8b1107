// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SQP_ITERATIONPLAN_HH
#define DUNE_IMPACT_SOLVER_SQP_ITERATIONPLAN_HH

#include <algorithm>
#include <cmath>
#include <optional>

/** \file
 * \ingroup impact_solver_sqp
 * \brief When iterations end, independent of rounding
 */

namespace Dune::Impact {

  /** \brief How many iterations are left
   *
   * A residual at the tolerance consists of round-off to a percent or so, and comparing it would
   * make the number of iterations a matter of chance. So the iterations that are left are predicted
   * from the rate of convergence when the residual is still large compared with round-off, and made
   * in any case.
   *
   * The rate is that of the last iteration. The first iteration of a linearisation has an error of
   * second order, all others one of first order: a linearisation that has served for three
   * iterations has shown two rates like those to come, and the slower one is taken.
   */
  class IterationPlan
  {
  public:
    //! Iterations are planned from this multiple of the tolerance on, to reach that part of it, so
    //! many at most
    static constexpr double early = 300, safety = 0.5;
    static constexpr int most = 5;

    void begin(double residual)
    {
      left_.reset();
      residual_ = residual;
      rate_ = 1;
    }

    /** \brief After an iteration
     *
     * \param served  iterations that its linearisation has served for, including this one
     */
    void advance(double residual, double tolerance, int served)
    {
      const double last = residual_ > 0 ? residual / residual_ : 1;
      const double rate = served > 2 ? std::max(last, rate_) : last;
      residual_ = residual;
      rate_ = last;
      if (left_)
        --*left_;
      else if (residual <= early * tolerance) {
        const double excess = residual / (safety * tolerance);
        left_ = excess <= 1 || rate >= 1
                  ? 0
                  : std::min(most, int(std::ceil(std::log(excess) / -std::log(rate))));
      }
    }

    //! False while planned iterations are left
    bool done() const { return left_.value_or(0) <= 0; }

  private:
    std::optional<int> left_;
    double residual_ = 0, rate_ = 1; //!< of the last iteration
  };

} // namespace Dune::Impact

#endif
