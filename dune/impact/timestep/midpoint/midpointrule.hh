// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_MIDPOINTRULE_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_MIDPOINTRULE_HH

#include <optional>
#include <string>
#include <vector>

#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/timestep/midpoint/acceptedstep.hh>
#include <dune/impact/timestep/midpoint/stepgap.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief What a rule of the midpoint family is
 */

namespace Dune::Impact {

  //! Where in a step something is evaluated: half way in time and motion, or at the end
  enum class StepPoint { middle, end };

  /** \brief A rule of the midpoint family: one step from x = x^n to z = x^{n+1}
   *
   * With D = z - x, v+ = 2D/tau - v the step solves
   *
   *     2/tau^2 M (z - x - tau v) + f(x, z) - f_ext = B^T mu,   0 <= mu  perp  phi >= 0
   *
   * or the same without the first term. The rule chooses
   *
   * - the bulk force f of a body and a symmetric tangent,
   * - whether inertia takes part,
   * - where loads and gaps are evaluated,
   * - the constraints phi_p and their force rows B_p,
   * - how the change of energy is accounted for.
   *
   * The functions that have a default are those of the midpoint rule with gaps at the end. A rule
   * has no memory: all steps of a run, and several runs, may share one object. A rule of another
   * module is handed to ImplicitStepper::Settings::rule like those of midpointrules.hh. Every rule
   * must pass checkMidpointRule().
   */
  template<int dim>
  class MidpointRule
  {
  public:
    using Body = ImplicitBody<dim>;
    using Matrix = typename Body::Matrix;
    using Row = std::vector<NodeEntry<dim>>;

    virtual ~MidpointRule() = default;

    virtual std::string name() const = 0;

    /** \name Bulk: x and z are displacements of one body */
    //! \{

    //! f += f(x, z)
    virtual void addForce(const Body& body, ConstSpan x, ConstSpan z, Span f) const = 0;

    //! A += the derivative of f(x, z) by z, or a symmetric surrogate of it
    virtual void addTangent(const Body& body, ConstSpan x, ConstSpan z, Matrix& A) const = 0;

    //! True if the tangent is the derivative; a surrogate is its symmetric part in the limit z = x
    virtual bool exactTangent() const { return true; }

    //! A function of z whose gradient is f(x, z); nothing if there is none
    virtual std::optional<double> potential(const Body&, ConstSpan /*x*/, ConstSpan /*z*/) const
    {
      return std::nullopt;
    }

    //! True if f(x, z).D = W(z) - W(x) for every step
    virtual bool exactWork() const { return false; }

    //! \}
    /** \name Inertia and loads */
    //! \{

    //! False for equilibria: velocities are zero, and steps go from one equilibrium to the next
    virtual bool hasInertia() const { return true; }

    virtual StepPoint loadPoint() const { return StepPoint::middle; }

    //! \}
    /** \name Contact */
    //! \{

    virtual StepPoint gapPoint() const { return StepPoint::end; }

    //! True if StepGap::start is asked for; a gap that exists at one end only has no constraint
    //! then
    virtual bool usesStartGaps() const { return false; }

    //! phi_p: the gap c_p at gapPoint(), plus a number that does not depend on z
    virtual double constraint(const StepGap<dim>& gap) const { return gap.gap->value; }

    //! B_p; by default the derivative of c_p by z
    virtual void forceRow(const StepGap<dim>& gap, Row& row) const;

    //! Factor of c_p'' in the derivative of B_p by z
    virtual double curvatureFactor() const { return gapPoint() == StepPoint::middle ? 0.25 : 1; }

    //! True if mu.B (D - obstacleIncrement) <= 0 for every step
    virtual bool dissipativeContact() const { return false; }

    //! True if the rule has Coulomb friction with a balance of energy
    virtual bool allowsFriction() const { return false; }

    //! Where the friction forces balance: in the middle (x + z)/2 they are conjugate to the slip of
    //! the step, l.s = T^T l . D
    virtual StepPoint frictionPoint() const { return StepPoint::middle; }

    //! \}

    /** \brief Enter the work of a solved step into the ledger
     *
     * By default D times the equations of the step: work of contact mu.B D, of loads f_ext.D, of
     * what holds components R.D. What is left of the change of energy is the defect of the bulk
     * force, W(z) - W(x) - f(x, z).D, zero for rules with exactWork(). A rule may also correct the
     * velocities at the end, with the work that this takes.
     */
    virtual void accountWork(AcceptedStep<dim>& step) const;
  };

  extern template class MidpointRule<2>;
  extern template class MidpointRule<3>;

} // namespace Dune::Impact

#endif
