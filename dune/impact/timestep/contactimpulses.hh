// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_CONTACTIMPULSES_HH
#define DUNE_IMPACT_TIMESTEP_CONTACTIMPULSES_HH

#include <dune/impact/body/system.hh>
#include <dune/impact/contact/coupling.hh>
#include <dune/impact/solver/contactsolver.hh>
#include <dune/impact/solver/contactsweeps.hh>

/** \file
 * \ingroup impact_timestep
 * \brief From rows and laws to impulses: what all velocity-level contact steps share
 */

namespace Dune::Impact {

  /** \brief The contact problem of one instant
   *
   * Use: collect() finds the closed contact points; then the stepper gives rates before the
   * impulse and without impulse, and the Delassus matrix; solve() finds the impulses; enter()
   * books them. For momenta with a sparse inverse mass, kick() does all of it. Many rows of bodies with
   * a diagonal mass are solved without a Delassus matrix, see ContactSweeps.
   */
  class ContactImpulses
  {
  public:
    ContactImpulses(const System& system, const std::vector<Contact>& contacts, int dimension);

    //! Let the law of friction hold to this part of the speed only, for many contacts that act together
    void setFrictionTolerance(double tolerance);

    //! Numbers to be carried for the warm start
    std::size_t warmSize() const { return slotBegin_.back() * components_; }

    //! Normal impulse of a slot of a contact in the numbers of the warm start
    double normalImpulse(ConstSpan warm, std::size_t contact, std::size_t slot) const { return warm[(slotBegin_[contact] + slot) * components_]; }

    //! Collect all points with gap <= tolerance; returns the smallest gap
    double collect(const Instant& at, ConstSpan q, double tolerance);

    const RowSet& rows() const { return rows_; }

    /** \brief Solve for impulses that act on momenta, and apply them
     *
     * \param q      configuration
     * \param before momenta before the instant
     * \param p      momenta with all other forces; receives the impulses
     * \param warm   impulses of the last solve per slot; receives those of this one
     */
    void kick(ConstSpan q, ConstSpan before, Span p, Span warm, StepReport& report, Ledger& ledger);

    /** \brief Set the rates of a component of a row, for steppers that assemble themselves
     *
     * The functional is applied to x = v, or as a sparse velocity to x = p.
     */
    void setRates(std::size_t row, int component, std::span<const Entry> functional, ConstSpan before, ConstSpan free);
    Delassus& delassus() { return delassus_; }

    //! Resize the arrays for the rows collected
    void prepare();

    //! Solve for the impulses; warm as in kick()
    SolveReport solve(Span warm);

    //! Impulses of the last solve, components() numbers per row
    ConstSpan impulses() const { return impulse_; }

    //! Enter work and impulses into the ledger and the report
    void enter(StepReport& report, Ledger& ledger) const;

    //! The report of an instant without any impulse
    static void reset(const System& system, std::size_t contacts, StepReport& report);

  private:
    bool wantsSweeps() const;
    void assembleSweeps(ConstSpan before, ConstSpan p);
    void assembleSparse(ConstSpan q, ConstSpan before, ConstSpan p);
    void findTouches();
    void assembleRow(std::size_t row);
    std::span<const Entry> velocity(std::size_t row, int component) const;
    void markMixedComponents();
    double target(std::size_t row, int component) const;
    std::size_t warmIndex(std::size_t row) const;

    const System& system_;
    const std::vector<Contact>& contacts_;
    int components_;                       //!< per row: 1 without any friction, else the dimension
    bool sameRestitution_ = true;          //!< of all contacts
    bool guarded_ = false;                 //!< friction of some contact is on the mid-step slip
    std::vector<std::size_t> slotBegin_;   //!< first slot of each contact
    RowSet rows_;
    Delassus delassus_;
    ContactSolver solver_;
    bool hasDiagonalMass_;
    ContactSweeps sweeps_;
    bool swept_ = false;                   //!< the rows are in sweeps_ and not in delassus_
    double acceptedFriction_ = 1e-10;      //!< see solve()
    std::vector<double> before_, free_, rhs_, impulse_, friction_;
    std::vector<double> after_, size_;     //!< size_: of the terms in the rates, whose rounding is no motion
    std::vector<char> mixed_;              //!< per row: its component has rows with different restitution or mid-step friction
    std::vector<std::size_t> labels_;

    // scratch of assembleSparse
    struct Touch                           //!< an entry of a functional, seen from its dof
    {
      std::uint32_t row;
      int component;
      double value;
    };
    static constexpr std::uint32_t none = -1;
    SparseVector velocities_;              //!< M^{-1} G^T of all functionals
    std::vector<std::size_t> velocityEnd_;
    std::vector<std::uint32_t> dofNumber_; //!< of each dof of the system among those that rows see, or none
    std::vector<std::size_t> dofs_;        //!< the dofs that rows see
    std::vector<Touch> touches_;           //!< entries of all functionals, those of a dof together
    std::vector<std::size_t> touchEnd_;    //!< end of the touches of each dof that rows see
    std::vector<std::size_t> neighbours_;  //!< rows that share a dof with a row, this row first
    std::vector<std::uint32_t> number_;    //!< of each row among the neighbours, or none
    std::vector<double> blocks_;           //!< their blocks
  };

} // namespace Dune::Impact

#endif
