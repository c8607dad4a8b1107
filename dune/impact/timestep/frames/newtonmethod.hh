// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_FRAMES_NEWTONMETHOD_HH
#define DUNE_IMPACT_TIMESTEP_FRAMES_NEWTONMETHOD_HH

#include <limits>

#include <Eigen/Core>

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/timestep/frames/alartcurniersystem.hh>

/** \file
 * \ingroup impact_timestep_frames
 * \brief The semismooth Newton method of steps on frames
 */

namespace Dune::Impact {

  //! How far a Newton method has come
  struct NewtonProgress
  {
    int iterations = 0;
    double increment = std::numeric_limits<double>::infinity(); //!< size of the last one
    double last = std::numeric_limits<double>::infinity();      //!< that of the one before
    StopToken stop = {};                                        //!< looked at in every iteration
  };

  //! How a Newton method ends
  enum class NewtonEnd { converged, exhausted, notFinite, singular };

  /** \brief Semismooth Newton method of Alart and Curnier
   *
   * Contact enters as l = P(l - p g) with the projection P of Coulomb's law, so that each iteration
   * solves one linear system for increments of motion, joint multipliers and contact forces. The
   * problem has the members
   *
   *     bool evaluate()              go to the present iterate; false if it is not finite
   *     bool converged(progress)     whether the last increment was the last one
   *     bool exhausted(progress)     whether to give up
   *     void assemble()              write the equations of the increment into the system
   *     double apply(change)         add the increment; returns its size
   */
  template<class Problem>
  NewtonEnd solveNewton(AlartCurnierSystem& system, Problem&& problem, NewtonProgress& progress)
  {
    for (;; ++progress.iterations) {
      progress.stop.check();
      if (!problem.evaluate())
        return NewtonEnd::notFinite;
      if (problem.converged(progress))
        return NewtonEnd::converged;
      if (problem.exhausted(progress))
        return NewtonEnd::exhausted;
      problem.assemble();
      const Eigen::VectorXd change = system.solve();
      if (change.size() == 0)
        return NewtonEnd::singular;
      progress.last = progress.increment;
      progress.increment = problem.apply(change);
    }
  }

} // namespace Dune::Impact

#endif
