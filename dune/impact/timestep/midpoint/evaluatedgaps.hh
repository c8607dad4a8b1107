// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_EVALUATEDGAPS_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_EVALUATEDGAPS_HH

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <dune/impact/timestep/midpoint/implicitmodel.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief The gaps of one configuration, evaluated once
 */

namespace Dune::Impact {

  /** \brief Gaps of all contacts of a model, with the configuration that they belong to
   *
   * The configuration is compared bit for bit, so that the answer is that of a new evaluation.
   * Times that differ by rounding, as t^n and t^{n+1} - tau do, are the same if no obstacle is
   * elsewhere: gaps depend on time through WeightedGapGeometry::obstacleDisplacement() only.
   */
  template<int dim>
  class EvaluatedGaps
  {
  public:
    //! True if these are the gaps at a time and a configuration
    bool holds(const ImplicitModel<dim>& model, double t, ConstSpan q) const
    {
      return filled_ && q.size() == q_.size() &&
             (q.empty() || std::memcmp(q.data(), q_.data(), q.size_bytes()) == 0) &&
             (t == time_ || sameInstant(model, t));
    }

    //! The gaps, evaluated unless they are there
    const WeightedGaps<dim>& at(const ImplicitModel<dim>& model, double t, ConstSpan q)
    {
      if (!holds(model, t, q)) {
        filled_ = false;
        model.gaps(t, q, gaps_);
        time_ = t;
        q_.assign(q.begin(), q.end());
        filled_ = true;
      }
      return gaps_;
    }

    //! The gaps of the last evaluation
    const WeightedGaps<dim>& gaps() const { return gaps_; }

  private:
    bool sameInstant(const ImplicitModel<dim>& model, double t) const
    {
      constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
      if (!(std::abs(t - time_) <= rounding * std::max(std::abs(t), std::abs(time_))))
        return false;
      for (std::size_t k = 0; k < model.contactCount(); ++k)
        if (model.geometry(k).obstacleDisplacement(t) !=
            model.geometry(k).obstacleDisplacement(time_))
          return false;
      return true;
    }

    bool filled_ = false;
    double time_ = 0;
    std::vector<double> q_;
    WeightedGaps<dim> gaps_;
  };

} // namespace Dune::Impact

#endif
