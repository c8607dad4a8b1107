// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_IMPLICITWORKSPACE_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_IMPLICITWORKSPACE_HH

#include <utility>
#include <vector>

#include <dune/impact/contact/mortar/discretegradient.hh>
#include <dune/impact/contact/mortar/sliprow.hh>
#include <dune/impact/timestep/midpoint/evaluatedgaps.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief Memory that the steps of a model use one after the other
 */

namespace Dune::Impact {

  /** \brief Matrices and gaps of the step at hand
   *
   * One workspace serves all steps of one model. What it holds has no influence on results:
   * matrices are written before they are read, and gaps know their configuration.
   */
  template<int dim>
  struct ImplicitWorkspace
  {
    explicit ImplicitWorkspace(const ImplicitModel<dim>& model) : matrix(model.makeMatrix())
    {
      for (const ImplicitMember<dim>& member : model.members)
        bodies.emplace_back(member.body->pattern());
    }

    //! Begin a step: the end of the last one becomes the start if it is the same configuration
    void beginStep(const ImplicitModel<dim>& model, double t, ConstSpan q)
    {
      if (!start.holds(model, t, q) && current.holds(model, t, q))
        std::swap(start, current);
    }

    BlockMatrix<dim> matrix;                                //!< of the system
    std::vector<typename ImplicitBody<dim>::Matrix> bodies; //!< matrices of the bodies
    EvaluatedGaps<dim> start;                               //!< gaps at the beginning of a step
    EvaluatedGaps<dim> current; //!< gaps at the last configuration that was asked for
    DiscreteGradient<dim> gradient;
    SlipRow<dim> slip;
  };

} // namespace Dune::Impact

#endif
