// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/solver/sqp/contactsqp.hh>

// Which trial points of the SQP are accepted

namespace Dune::Impact {

  namespace {

    constexpr double margin = 1e-5;     // gamma of the filter
    constexpr double sufficient = 1e-2; // part of the predicted decrease that must come true
    // Changes of the energy below this part of the first predicted one, or of the energy of a node
    // that its force moves by the length of the mesh, drown in round-off: the residual decides.
    constexpr double visible = 1e-8, visibleOfScale = 1e-12;

  } // namespace

  /* With a potential: to every entry of the filter and to the current point
   *
   *     h+ < (1 - gamma) h_i   or   J+ <= J_i - gamma f h+       (f the scale of the forces)
   */
  template<int d>
  bool ContactSqp<d>::acceptableToFilter(const StepProblem<d>& problem, const Point& current,
                                         const Point& trial) const
  {
    const double h = trial.infeasibility;
    const auto passes = [&](double infeasibility, double energy) {
      return h < (1 - margin) * infeasibility ||
             *trial.energy <= energy - margin * problem.forceScale() * h;
    };
    for (const FilterEntry& entry : filter_)
      if (!passes(entry.infeasibility, entry.energy))
        return false;
    return passes(current.infeasibility, *current.energy);
  }

  /* Without a potential: less infeasibility than the current point, or less residual than the
   * largest of the last few points, so that an iteration that changes the set of touching nodes may
   * raise it for a while, or work -1/2 (R + R+).d that is a part of what the model promises.
   * Friction is judged with the bounds of the quadratic problem: that beta mu has moved on
   * meanwhile is the matter of the next one. */
  template<int d>
  bool ContactSqp<d>::acceptableResidual(const StepProblem<d>& problem, const Point& current,
                                         const Point& trial) const
  {
    const double h = trial.infeasibility;
    const double largest = *std::max_element(residuals_.begin(), residuals_.end());
    const double work = 0.5 * (dot(current.R, d_) + dot(trial.R, d_));
    return h < (1 - margin) * current.infeasibility ||
           trial.force + trial.laggedLaw <= (1 - margin) * largest || converged(problem, trial) ||
           (!frictional_ && isVisible(problem) &&
            work < std::min(sufficient * model_, -margin * problem.forceScale() * h));
  }

  //! Is the predicted change of the energy larger than its round-off?
  template<int d>
  bool ContactSqp<d>::isVisible(const StepProblem<d>& problem) const
  {
    return -model_ > std::max(visible * firstModel_,
                              visibleOfScale * problem.forceScale() * problem.lengthScale());
  }

  /* Decrease of J - mu.(phi - its linear part), which the model is about: J alone rises with the
   * curvature of active constraints, however good the step. */
  template<int d>
  double ContactSqp<d>::decrease(const Point& current, const Point& trial) const
  {
    double decrease = *current.energy - *trial.energy;
    for (std::size_t p = 0, q = 0; p < current.constraints.size(); ++p) {
      while (q < trial.constraints.size() &&
             trial.constraints[q].multiplier < current.constraints[p].multiplier)
        ++q;
      if (q < trial.constraints.size() &&
          trial.constraints[q].multiplier == current.constraints[p].multiplier)
        decrease +=
          current.mu[p] * (trial.constraints[q].value - current.constraints[p].value - change_[p]);
    }
    return decrease;
  }

  /* If the model promises a decrease of the energy that is large compared with h^2, energy is what
   * the step is for, and a part of the decrease must come true. Otherwise the step is for
   * feasibility, and the current point enters the filter. Where the energy shows nothing the
   * residual decides. */
  template<int d>
  bool ContactSqp<d>::judge(const StepProblem<d>& problem, const Point& current, const Point& trial)
  {
    forEnergy_ = forFeasibility_ = false;
    if (!trial.energy || !isVisible(problem))
      return acceptableResidual(problem, current, trial);
    const double h = current.infeasibility;
    forEnergy_ = -model_ >= problem.forceScale() / problem.lengthScale() * h * h;
    forFeasibility_ = !forEnergy_;
    if (!acceptableToFilter(problem, current, trial))
      return false;
    return !forEnergy_ || decrease(current, trial) >= -sufficient * model_;
  }

#define DUNE_IMPACT_INSTANTIATE(d)                                                                 \
  template bool ContactSqp<d>::acceptableToFilter(const StepProblem<d>&, const Point&,             \
                                                  const Point&) const;                             \
  template bool ContactSqp<d>::acceptableResidual(const StepProblem<d>&, const Point&,             \
                                                  const Point&) const;                             \
  template bool ContactSqp<d>::isVisible(const StepProblem<d>&) const;                             \
  template double ContactSqp<d>::decrease(const Point&, const Point&) const;                       \
  template bool ContactSqp<d>::judge(const StepProblem<d>&, const Point&, const Point&);

  DUNE_IMPACT_INSTANTIATE(2)
  DUNE_IMPACT_INSTANTIATE(3)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
