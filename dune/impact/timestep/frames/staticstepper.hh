// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_FRAMES_STATICSTEPPER_HH
#define DUNE_IMPACT_TIMESTEP_FRAMES_STATICSTEPPER_HH

#include <dune/impact/timestep/frames/frictionalequilibrium.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep_frames
 * \brief A sequence of equilibria of systems with frames, joints and contact with friction
 */

namespace Dune::Impact {

  /** \brief Equilibrium at the end of each step; time is the parameter of loads and motions
   *
   * A step starts from the equilibrium before it, from which slips are counted. The scaling p of
   * the contact equations decides whether Newton's method finds the sticking points: p is about a
   * contact force divided by a slip of one step. The first attempt uses what worked in the step
   * before, then come the ratio of the forces and slips of that step, a guess from the bending
   * stiffness, and multiples of these. If none works the step is halved, down to minStep.
   *
   * Ledger: loads, joints and moved frames work by the trapezoidal rule, friction with the force at
   * the end of the step times its slip; what is left of the change of energy is `stepWork`, which
   * vanishes with the step.
   */
  class StaticStepper : public Stepper
  {
  public:
    //! How to step
    struct Settings
    {
      double step;
      double minStep = 0; //!< 0: 1/64 of the step
      FrictionalEquilibrium::Settings newton = {};
    };

    //! System and contacts must outlive the stepper
    StaticStepper(const System& system, const std::vector<Contact>& contacts,
                  const Settings& settings);

    State start(const State& initial, StepReport& report) override;
    void step(const State& from, State& to, StepReport& report) override;
    Record record(const State& from, const State& to) const override;
    RecordedMomenta recordedMomenta(const State& from, const State& to) const override;
    std::vector<MethodStatistic> statistics(const State& state) const override;
    bool staggered() const override { return false; }
    bool variableStep() const override { return false; }

    //! Forces of contact of a state, three per multiplier: along the normal and both tangents
    static const std::vector<double>& forces(const State& state) { return state.history[1].values; }

    //! Multipliers of the joints of a state
    static const std::vector<double>& joints(const State& state) { return state.history[0].values; }

    //! Scaling, number of active and of sticking multipliers, ratio of forces and slips: of the
    //! last step
    struct Sets
    {
      double scaling, active, sticking, ratio, attempts;
    };
    static Sets sets(const State& state);

  private:
    void solveStep(State& state, double h, double end, StepReport& report);
    std::vector<double> scalings(const State& state) const;
    void accountWork(const State& from, State& to, double h, StepReport& report);

    const System& system_;
    const std::vector<Contact>& contacts_;
    Settings settings_;
    FrictionalEquilibrium problem_;
  };

} // namespace Dune::Impact

#endif
