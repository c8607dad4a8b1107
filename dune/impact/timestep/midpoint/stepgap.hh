// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_STEPGAP_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_STEPGAP_HH

#include <span>
#include <vector>

#include <dune/impact/contact/mortar/discretegradient.hh>
#include <dune/impact/contact/mortar/weightedgaps.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief One gap in a step, from which a rule makes a constraint
 */

namespace Dune::Impact {

  //! What the gaps of a step have in common
  template<int dim>
  struct StepMotion
  {
    ConstSpan x;   //!< configuration at the beginning of the step
    ConstSpan z;   //!< unknowns
    ConstSpan end; //!< configuration that they mean
    std::span<const FieldVector<double, dim>> positions; //!< of all nodes at zero displacement
    double length;                                       //!< of the mesh
    DiscreteGradient<dim>& gradient;                     //!< scratch memory
  };

  /** \brief A weighted gap c_p in a step from x to z
   *
   * c_p and c_p' are those of the configuration that MidpointRule::gapPoint() names. Rules with
   * usesStartGaps() also see those of the beginning of the step.
   */
  template<int dim>
  struct StepGap
  {
    using Gap = typename WeightedGaps<dim>::Gap;
    using Row = std::vector<NodeEntry<dim>>;

    const Gap* gap = nullptr;
    std::span<const NodeEntry<dim>> derivative = {};
    const Gap* start = nullptr; //!< nothing if the rule does not use it
    std::span<const NodeEntry<dim>> startDerivative = {};
    double factor = 1; //!< derivative of the configuration of the gap by z: 1, or 1/2 in the middle
    const WeightedGapGeometry<dim>* geometry = nullptr;
    std::size_t multiplier = 0; //!< in the numbering of the geometry
    FieldVector<double, dim> obstacleIncrement = FieldVector<double, dim>(0);
    const StepMotion<dim>* motion = nullptr;

    /** \brief The row with row . (D - obstacleIncrement) = c(z) - c(x)
     *
     * For rules with usesStartGaps() and gaps at the end. Between bodies the row has no resultant
     * and no moment.
     */
    void discreteGradient(Row& row) const;
  };

  extern template struct StepGap<2>;
  extern template struct StepGap<3>;

} // namespace Dune::Impact

#endif
