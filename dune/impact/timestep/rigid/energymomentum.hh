// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_RIGID_ENERGYMOMENTUM_HH
#define DUNE_IMPACT_TIMESTEP_RIGID_ENERGYMOMENTUM_HH

#include <memory>

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/solver/impulse/delassusassembly.hh>
#include <dune/impact/timestep/impulse/contactimpulses.hh>
#include <dune/impact/timestep/rigid/penaltypoints.hh>
#include <dune/impact/timestep/rigid/rigidmembers.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep_rigid
 * \brief Energy-momentum steps of rigid bodies
 */

namespace Dune::Impact {

  /** \brief Rigid bodies with contact, after Simo and Wong and after Puso and Zywicz
   *
   * Free motion keeps linear momentum, angular momentum and energy to rounding, also in a field of
   * gravity, see RigidMembers. Contact comes as
   *
   * kick: at t_n all points with gap <= tolerance receive impulses r by one complementarity
   *   problem, with the configuration of that instant; then the bodies move. A state has the
   *   momenta before the impulses at its instant, and carries those after them. With the
   *   rates w- and w+ before and after, and the acceleration a of the gap by weight and loads,
   *
   *       0 <= r  perp  (w+ + h/2 a) + e (w- - h/2 a) >= 0,
   *
   *   the rates of the intervals before and after t_n. Resting bodies do not sink.
   *
   * mid: a free step predicts who touches; then impulses act in the step with
   *
   *       0 <= r  perp  w - (1 - e)/2 min(w-, 0) >= 0
   *
   *   where w is the mean gap rate of the step, at the common place c in space for both bodies.
   *
   * The work of an impulse is r (w+ + w-)/2 or r w: none for e = 1 and a loss for e < 1. Contacts
   * with a stiffness are springs with an algorithmic gap in both variants, see PenaltyPoints.
   */
  class EnergyMomentum : public Stepper
  {
  public:
    //! How to step
    struct Settings
    {
      double step;
      double gapTolerance = 0; //!< a point acts if its gap is not larger
      RotationMap map = RotationMap::exponential;
      bool mid = false;                //!< variant of contact
      bool projection = false;         //!< push bodies apart that overlap at the end of a step
      double contactTolerance = 1e-10; //!< part of the speed to which the laws of contact hold
      StopToken stop = {};             //!< looked at in every iteration of a step
    };

    //! System and contacts must outlive the stepper; InputError if a body is not rigid
    EnergyMomentum(const System& system, const std::vector<Contact>& contacts,
                   const Settings& settings);

    State start(const State& initial, StepReport& report) override;
    void step(const State& from, State& to, StepReport& report) override;
    Record record(const State& from, const State& to) const override;
    RecordedMomenta recordedMomenta(const State&, const State& to) const override
    {
      return {to.q, to.p, 0};
    }
    //! True if impulses act at the instants, after the momenta that a state has
    bool kicks() const { return !settings_.mid; }
    //! The gaps that penalties carry, one for each of their points; they need not be the true ones
    static ConstSpan carriedGaps(const State& state) { return gapBlock(state); }
    bool staggered() const override { return false; }
    bool variableStep() const override { return false; }

  private:
    // What the method carries besides q and p
    static constexpr HistoryBlock impulseBlock{0, "impulse"}, gapBlock{1, "gap"};
    //! momenta after the impulses of `kick` at the instant of the state; empty if there are none
    static constexpr HistoryBlock kickedBlock{2, "kicked"};

    //! A point that acts inside a step: unilateral in `mid`, or a penalty
    struct Acting
    {
      std::size_t first;
      long second;
      std::size_t contact;
      std::array<Vector3, 3> axes;
      Vector3 place;
      std::array<double, 3> obstacleVelocity = {0, 0, 0};
      std::array<double, 3> before = {0, 0, 0}; //!< w-
      double sign = 1;                          //!< -1 if `first` is the second side of the contact
    };

    class Response;

    void findForce(const State& at);
    void kick(State& at, StepReport& report);
    void reportGaps(const State& at, bool known, StepReport& report);
    void advanceAll(const State& from, ConstSpan p, State& to);
    void advanceTouched(const State& from, ConstSpan p, State& to);
    void moveWithContacts(const State& from, ConstSpan p, State& to, StepReport& report);
    void findUnilateral(const State& from);
    void findPenalties(const State& from, const State& to);
    double rate(const Acting& row, int component) const;
    double forceRate(const Acting& row, int component, ConstSpan q) const;
    void assemble(const std::vector<Acting>& points, int components, ConstSpan q, Delassus& matrix);
    void assembleUnilateral(ConstSpan q);
    double aim(const Acting& row, int component) const;
    double unilateralResidual() const;
    double solveUnilateral(StepReport& report);
    SolveReport solveIsland(std::size_t begin, std::size_t end, double size);
    void sortByIslands();
    double solvePenalties(const State& to);
    void accountImpulse(const Acting& row, const Vector3& impulse, StepReport& report) const;
    void accountUnilateral(State& to, StepReport& report) const;
    void accountPenalties(const State& from, State& to, StepReport& report);
    void project(State& to);

    const System& system_;
    const std::vector<Contact>& contacts_;
    Settings settings_;
    RigidMembers members_;
    PenaltyPoints penalties_;
    ContactImpulses impulses_;
    int components_;
    ContactSolver solver_;

    // scratch of a step
    std::vector<double> force_, before_;
    std::vector<RigidIncrement> increments_, free_;
    std::vector<Vector3> linear_, angular_;
    std::vector<double> loadWork_;
    std::vector<char> touched_, seen_;
    std::vector<Acting> rows_, penaltyRows_;
    std::vector<std::size_t> penaltyIndex_;
    std::vector<double> impulse_, penaltyImpulse_, rhs_, change_, friction_, product_;
    std::vector<double> gapBefore_, gapAfter_;
    Delassus unilateral_, island_, penalty_;
    std::shared_ptr<Response> response_; //!< of rows_
    //! where the points of rows_ begin that act together, and the end
    std::vector<std::size_t> islands_, labels_, firstRow_;
    DelassusAssembly assembly_;
  };

} // namespace Dune::Impact

#endif
