// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_HH

#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/gapcoupling.hh>
#include <dune/impact/solver/contactsqp.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \brief Implicit midpoint rules with contact
 */

namespace Dune::Impact {

  //! The three rules
  enum class MidpointRule { midpoint, modified, dissipative };

  /** \brief Implicit midpoint rules
   *
   * With x = x^n, z = x^{n+1}, D = z - x, v+ = 2D/tau - v each step solves
   *
   *     2/tau^2 M (z - x - tau v) + f(x, z) - f_ext = B^T mu,   0 <= mu  perp  phi >= 0
   *
   * | rule        | f(x, z)                              | phi                    | B                    |
   * |-------------|--------------------------------------|------------------------|----------------------|
   * | midpoint    | W'((x+z)/2)                          | c((x+z)/2)             | 1/2 c'((x+z)/2)      |
   * | modified    | W'((x+z)/2)                          | c(z)                   | c'(z)                |
   * | dissipative | averaged, f . D = W(z) - W(x)        | c(z) + max(0, -c(x))   | discrete gradient    |
   *
   * The discrete gradient B_p = g + e D/|D|^2 with g = 1/2 (c'(x) + c'(z)) and
   * e = c(z) - c(x) - g . D, on the nodes of row p, satisfies B D = c(z) - c(x): the energy changes
   * by -mu . max(0, c(x)) <= 0 whatever the step.
   *
   * State::p holds velocities. A step that cannot be solved is halved.
   */
  template<int dim>
  class Midpoint : public Stepper
  {
  public:
    struct Settings
    {
      double step;
      MidpointRule rule = MidpointRule::dissipative;
      SqpSettings sqp = {};
      BoxMultigridSettings inner = {};
      bool multigrid = true;   //!< false: sparse direct solver
      double minStep = 0;      //!< shortest step after halving
    };

    //! System and contacts must outlive the stepper; all bodies must be ImplicitBody<dim>
    Midpoint(const System& system, const std::vector<SurfaceContact<dim>>& contacts, const Settings& settings);

    State start(const State& initial, StepReport& report) override;
    void step(const State& from, State& to, StepReport& report) override;
    Record record(const State& from, const State& to) const override;
    Snapshot snapshot(const State&, const State& to) const override { return {to.q, to.p, 0, true}; }
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
    class Problem;

    struct Member
    {
      const ImplicitBody<dim>* body;
      std::size_t node;                  //!< first node
      std::vector<std::size_t> place;    //!< of the blocks of its pattern in the matrix of the system

      std::size_t numbers() const { return body->mesh().nodes.size() * dim; }
      ConstSpan slice(ConstSpan x) const { return x.subspan(node * dim, numbers()); }
      Span slice(Span x) const { return x.subspan(node * dim, numbers()); }
    };

    void buildPattern();
    void buildTransfers();
    void advance(State& state, double h, double end, StepReport& report);
    void solveStep(State& state, double h, double end, StepReport& report);
    void book(Problem& problem, const NodeVector<dim>& z, const std::vector<double>& mu, double h, State& state, StepReport& report);
    void momentum(ConstSpan v, Span p) const;
    double minGap(double t, ConstSpan u, GapSet<dim>& gaps) const;

    const System& system_;
    const std::vector<SurfaceContact<dim>>& contacts_;
    Settings settings_;
    std::vector<Member> members_;
    std::vector<std::size_t> slotBegin_;
    NodeMask fixed_;
    double length_ = 0;
    BlockMatrix<dim> pattern_;
    ContactSqp<dim> sqp_;
    SqpReport sqpReport_;
    double slack_ = 0;
  };

  extern template class Midpoint<2>;
  extern template class Midpoint<3>;

} // namespace Dune::Impact

#endif
