// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_IMPLICITSTEPPER_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_IMPLICITSTEPPER_HH

#include <memory>

#include <dune/impact/solver/sqp/contactsqp.hh>
#include <dune/impact/timestep/midpoint/implicitproblem.hh>
#include <dune/impact/timestep/midpoint/midpointrules.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief Midpoint rules and static steps with contact
 */

namespace Dune::Impact {

  /** \brief Implicit methods for bodies of nodes
   *
   * With x = x^n, z = x^{n+1}, D = z - x, v+ = 2D/tau - v each step of a midpoint rule solves
   *
   *     2/tau^2 M (z - x - tau v) + f(x, z) - f_ext = B^T mu,   0 <= mu  perp  phi >= 0
   *
   * and the static one W'(z) - f_ext = B^T mu with the same law. A MidpointRule chooses f, phi and
   * B and accounts for the work of the step.
   *
   * | rule | f(x, z) | phi | B |
   * |---|---|---|---|
   * | Midpoint | W'((x+z)/2) | c((x+z)/2) | 1/2 c'((x+z)/2) |
   * | ModifiedMidpoint | W'((x+z)/2) | c(z) | c'(z) |
   * | DissipativeMidpoint | averaged, f . D = W(z) - W(x) | c(z) + max(0, -c(x)) | discrete
   * gradient | | QuasiStatic | W'(z) | c(z) | c'(z) |
   *
   * A rigid body takes part with the motion DX of its centre and the Cayley vector theta of its
   * rotation (RigidStep). They are two more nodes of z, which all levels of the multigrid keep;
   * nodes of solids that touch the body follow it in the coordinates in which constraints are
   * bounds. Its kinetic energy changes by the work of forces exactly, so that all balances hold as
   * for solids alone.
   *
   * State::p holds velocities. A step that the simplified derivatives of the constraints do not
   * solve is tried with exact first derivatives, and second ones as far as the rule and the gaps
   * have them: the equations and the tolerance are the same, only the quadratic problems on the way
   * to their solution differ. Where an edge of a body digs in, the simplified ones may go round in
   * circles. A step that is not solved even so is halved. Quasi-static steps are halved first, and
   * tried with exact derivatives if they are short enough: without inertia these lead to equilibria
   * that are no minima as well.
   */
  template<int dim>
  class ImplicitStepper : public Stepper
  {
  public:
    //! How to step and to solve
    struct Settings
    {
      double step;
      //! one of midpointrules.hh, or one of yours
      std::shared_ptr<const MidpointRule<dim>> rule = std::make_shared<DissipativeMidpoint<dim>>();
      SqpSettings sqp = {};
      BoxMultigridSettings inner = {.tolerance = 1e-4};
      bool multigrid = true; //!< false: sparse direct solver
      //! a body whose coarsest level has more gets algebraic levels
      std::size_t factorNodes = ImplicitModel<dim>::defaultFactorNodes;
      //! with more, steps are not tried with exact derivatives, which a direct solver has to take
      std::size_t exactNodes = dim == 2 ? 20000 : 4000;
      //! shortest step after halving; 0 stands for a 64th of the step
      double minStep = 0;
    };

    //! System and contacts must outlive the stepper; bodies are ImplicitBody<dim>, and in three
    //! dimensions rigid bodies after them
    ImplicitStepper(const System& system, const std::vector<Contact>& contacts,
                    const Settings& settings);

    State start(const State& initial, StepReport& report) override;
    void step(const State& from, State& to, StepReport& report) override;
    Record record(const State& from, const State& to) const override;
    RecordedMomenta recordedMomenta(const State&, const State& to) const override
    {
      return {to.q, to.p, 0, true};
    }
    std::vector<std::string> contactSurfaces() const override;
    std::vector<MethodStatistic> statistics(const State& state) const override;
    void sampleContacts(const State& from, const State& to,
                        std::vector<VisualizationData>& visuals) const override;
    bool staggered() const override { return false; }
    bool variableStep() const override { return false; }

    //! Report of the last solve
    const SqpReport& sqpReport() const { return sqpReport_; }

    /** \brief Energy that the residual of the last step can hide
     *
     * sum |r_i D_i| over the free components plus mu |phi| of overlaps: the energy balance of a
     * step holds up to this number.
     */
    double slack() const { return slack_; }

  private:
    void solveStep(State& state, double h, double end, StepReport& report);
    bool tryStep(ContactSqp<dim>& sqp, bool simplified, const State& from, double h, double end,
                 State& state, StepReport& report);
    bool hasExactTry(double h) const;
    bool hasFrozenTry(double h) const;
    void watchMotion();
    std::string notFinite(const State& from, double h, double end);
    void accountWork(ImplicitProblem<dim>& problem, const NodeVector<dim>& z, const State& from,
                     State& to, double h, StepReport& report);
    void reportContacts(const SignoriniConstraints<dim>& constraints, State& to, double h,
                        StepReport& report) const;
    void reportFriction(const SignoriniConstraints<dim>& constraints, State& to, double h,
                        StepReport& report, NodeVector<dim>& R);
    void refuseFriction(const std::vector<Contact>& contacts) const;

    const ImplicitModel<dim> model_;
    ImplicitWorkspace<dim> workspace_;
    Settings settings_;
    ContactSqp<dim> sqp_, exactSqp_;
    SqpReport sqpReport_;
    double slack_ = 0;
  };

  extern template class ImplicitStepper<2>;
  extern template class ImplicitStepper<3>;

} // namespace Dune::Impact

#endif
