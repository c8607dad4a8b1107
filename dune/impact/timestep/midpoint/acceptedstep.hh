// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_ACCEPTEDSTEP_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_ACCEPTEDSTEP_HH

#include <vector>

#include <dune/impact/common/state.hh>
#include <dune/impact/solver/sqp/stepproblem.hh>
#include <dune/impact/timestep/midpoint/implicitworkspace.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief A solved step whose work a rule accounts for
 */

namespace Dune::Impact {

  /** \brief What is known of a step after it was solved
   *
   * Time, configuration, velocities and multipliers of the state at the end are those of the
   * solution; its ledger is still that of the beginning.
   */
  template<int dim>
  struct AcceptedStep
  {
    const ImplicitModel<dim>& model;
    const State& from;
    State& to;
    double h;
    const SignoriniConstraints<dim>& constraints; //!< phi and B at the solution
    const std::vector<double>& D;                 //!< increment of the unknowns
    const NodeVector<dim>& R; //!< R(z) - B^T mu: zero up to the solver, or what holds a component
    ConstSpan externalLoad;   //!< loads other than gravity
    double& slack;            //!< energy that the residual can hide
    ImplicitWorkspace<dim>& workspace;

    //! Gaps at the beginning and at the end of the step
    const WeightedGaps<dim>& startGaps() { return workspace.start.at(model, from.time, from.q); }
    const WeightedGaps<dim>& endGaps() { return workspace.current.at(model, to.time, to.q); }

    //! Motion of the obstacle of a contact in the step
    FieldVector<double, dim> obstacleIncrement(std::size_t contact) const
    {
      return model.obstacleIncrement(contact, to.time, h);
    }

    //! Work mu.B (D - obstacleIncrement) of contact, and the work of obstacles that move
    void accountContacts();

    //! Tangential multiplier of constraint p
    FieldVector<double, dim> tangential(std::size_t p) const;

    //! Work l.s of friction, and that of obstacles that move
    void accountFriction();

    //! Work f_ext.D of loads and R.D of what holds or moves components
    void accountLoads();
  };

  extern template struct AcceptedStep<2>;
  extern template struct AcceptedStep<3>;

} // namespace Dune::Impact

#endif
