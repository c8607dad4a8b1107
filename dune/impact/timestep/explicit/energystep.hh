// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_EXPLICIT_ENERGYSTEP_HH
#define DUNE_IMPACT_TIMESTEP_EXPLICIT_ENERGYSTEP_HH

#include <functional>
#include <optional>
#include <vector>

/** \file
 * \ingroup impact_timestep_explicit
 * \brief Step lengths that solve the discrete energy equation (experimental)
 */

namespace Dune::Impact {

  /** \brief Roots of the energy equation of the time variation
   *
   * Varying the instant t_{k+1} in the discrete action asks that the energy of the next interval,
   * as a function of its length x, equals that of the last one:
   *
   *     f(x) = T_{k+3/2}(x) + 1/2 (V_{k+1} + V_{k+2}(x)) - target = 0.
   *
   * With the energy of the last interval as target, x = -h is always a root (time reversal) and
   * attracts Newton's method; therefore f(x)/(x + h) is scanned for sign changes inside a
   * window, and each bracket is refined by bisection. Roots need not exist.
   */
  namespace EnergyStep {

    //! Defect f of a step length
    using Defect = std::function<double(double)>;

    /** \brief All roots in a window, in increasing order
     *
     * \param samples number of intervals that are searched for a sign change
     *
     * Two roots within one interval are not seen. Where the defect is not a finite number there is
     * no root.
     */
    std::vector<double> roots(const Defect& defect, double lastStep, double lower, double upper,
                              int samples);

    //! Window in which an adaptive step may lie
    struct Window
    {
      double lower, upper;
    };

    /** \brief At most a quarter more or a fifth less than the last step, between a fifth and five
     * times the nominal step, and below 95 % of the critical step
     */
    Window window(double lastStep, double nominalStep, double criticalStep);

    /** \brief The root in the window that is nearest to the last step, if there is one
     *
     * \param tolerance a step keeps the energy if its defect is not larger: the last step is then
     *                  taken again, so that motion that keeps its energy with equal steps (free
     *                  flight, also with gravity) does not follow rounding errors; and a change
     *                  of sign where no step keeps the energy is not a root
     */
    std::optional<double> nearest(const Defect& defect, double lastStep, const Window& window,
                                  double tolerance);
  } // namespace EnergyStep

} // namespace Dune::Impact

#endif
