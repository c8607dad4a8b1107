// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_EXPLICIT_CDLAGRANGE_HH
#define DUNE_IMPACT_TIMESTEP_EXPLICIT_CDLAGRANGE_HH

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/timestep/explicit/energystep.hh>
#include <dune/impact/timestep/impulse/contactimpulses.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep_explicit
 * \brief CD-Lagrange: explicit central differences with contact impulses
 */

namespace Dune::Impact {

  //! Which instants of massless contact a step may be shortened for
  enum class EventStep { none, release, both };

  /** \brief CD-Lagrange in impulse form
   *
   * Positions live at the instants t_k, momenta p_{k+1/2} between them. One step drifts to
   * t_{k+1} and kicks there:
   *
   *     q_{k+1}   = q_k + h_{k+1} M^{-1} p_{k+1/2}
   *     p_{k+3/2} = p_{k+1/2} + 1/2 (h_{k+1} + h_{k+2}) F(q_{k+1}) + G^T r
   *     g_i(q_{k+1}) >  tolerance:  r_i = 0
   *     g_i(q_{k+1}) <= tolerance:  0 <= r_i  perp  (w+ + e w-)_i >= 0
   *
   * with the gap rates w-, w+ before and after the kick and all steps h equal but for landings
   * and adaptive steps. The gap decides whether a point acts, complementarity holds for rates.
   *
   * Conserved: linear and angular momentum, since normals are taken at q_{k+1}; for linear
   * elasticity the energy T(p_{k+1/2}) + 1/2 u_k K u_{k+1} changes exactly by the work
   * 1/2 r (w+ + w-) of contact and of external forces.
   *
   * EventStep: if the overlap delta of a massless contact would change sign in the next step,
   * the step is shortened to the smallest positive root x of
   *
   *     delta + x (v + 1/2 (h + x) a) = 0
   *
   * with the rate v before the kick and the acceleration a of the overlap. There the overlap is
   * set to zero exactly, and the next step has its nominal length again. If the energy has grown
   * by event steps and this one would let it grow more than a step of nominal length does, the step
   * is not shortened.
   *
   * The critical step of bodies that deform changes: every `estimateEvery` steps it is estimated
   * anew. A given step above it ends the run; with a Courant number the step follows the estimate,
   * down when it is a hundredth too long, up when it is a tenth too short.
   *
   * Adhesion: after the drift the damage alpha of an interface follows the jump at q_{k+1}; then
   * its force -d psi(q_{k+1}, alpha_{k+1}) is part of F. Its energy in an interval is that of the
   * other forces, at the damage of the end of the interval; what a growing damage takes of it is
   * entered in the ledger, as is the defect of bonds that open or close inside an interval.
   */
  class CDLagrange : public Stepper
  {
  public:
    //! How to step
    struct Settings
    {
      double step;                     //!< nominal step
      double gapTolerance = 0;         //!< a point acts if its gap is not larger
      double contactTolerance = 1e-10; //!< part of the speed to which the laws of contact hold
      EventStep landing = EventStep::none;
      bool adaptiveEnergy = false; //!< experimental: choose steps that keep T + 1/2 (V0 + V1)
      //! initial velocities belong to time zero; otherwise to the first interval
      bool halfStepStart = true;
      double criticalStep = std::numeric_limits<double>::infinity(); //!< bound of adaptive steps
      long estimateEvery = 0; //!< steps between estimates of the critical step; 0: never
      //! bound of steps that follow the estimate
      double longestStep = std::numeric_limits<double>::infinity();
      //! step over critical step, if the step follows it; 0: it does not
      double courant = 0;
      StopToken stop = {}; //!< looked at in every iteration of a step
    };

    //! System and contacts must outlive the stepper
    CDLagrange(const System& system, const std::vector<Contact>& contacts, int dimension,
               const Settings& settings);

    State start(const State& initial, StepReport& report) override;
    void step(const State& from, State& to, StepReport& report) override;
    Record record(const State& from, const State& to) const override;
    RecordedMomenta recordedMomenta(const State& from, const State& to) const override
    {
      return {from.q, from.p, to.time - from.time};
    }
    bool staggered() const override { return true; }
    bool variableStep() const override
    {
      return settings_.landing != EventStep::none || settings_.adaptiveEnergy || follows();
    }
    std::vector<std::string> contactSurfaces() const override;
    void sampleContacts(const State& from, const State& to,
                        std::vector<VisualizationData>& visuals) const override;
    std::vector<MethodStatistic> statistics(const State& state) const override;

    //! Damage of the interface of a contact, one number per bond
    ConstSpan damage(const State& state, std::size_t contact) const;

  private:
    //! The length of the next step, and the massless contact whose event it ends on
    struct Next
    {
      double step;
      long massless = -1;
    };

    bool plain() const { return !variableStep(); }

    //! True if the step follows the critical step
    bool follows() const { return settings_.estimateEvery > 0 && settings_.courant > 0; }

    bool estimateAt(long step) const
    {
      return settings_.estimateEvery > 0 && step > 0 && step % settings_.estimateEvery == 0;
    }

    //! The instant at the end of a step of length h; the same bits wherever it is asked for
    double timeAfter(const State& state, double h) const
    {
      return plain() ? double(state.step + 1) * settings_.step : state.time + h;
    }

    void copyFrame(const State& from, State& to) const;
    void kickAt(double before, const State& from, State& to, StepReport& report);
    Next chooseStep(double before, const State& from, State& to);
    Next chooseEventStep(double before, long reached, const State& to) const;
    Next firstEvent(double before, long reached, const State& to) const;
    double energyGain(double before, const Next& next, const State& to) const;
    Next chooseEnergy(double before, const State& from, State& to);
    Next chooseEstimated(double before, const State& to) const;
    void damageInterfaces(double h, const State& from, State& to) const;
    void addInterfaces(double weight, const State& to, Span p) const;
    void accountMovedInterfaces(double before, double after, State& to) const;
    void drift(double h, long massless, const State& from, State& to) const;
    void accountSwitches(const State& from, State& to) const;
    void contactAndMotions(double before, const Next& next, double weight, ConstSpan pBefore,
                           State& to, StepReport& report);
    void accountStepChange(double change, ConstSpan pBefore, State& to);
    void accountMasslessContacts(double weight, const State& to, StepReport& report) const;
    void accountMovedObstacles(double before, double after, State& to) const;
    void accountLoads(double weight, ConstSpan pBefore, State& to) const;

    const System& system_;
    const std::vector<Contact>& contacts_;
    Settings settings_;
    ContactImpulses impulses_;
    std::vector<std::size_t> masslessNumber_; //!< contact of each massless contact
    std::vector<const RccmInterface*> bonds_; //!< of each contact; null without adhesion
    std::vector<std::size_t> damageBegin_;    //!< first bond of each contact, then their number
    std::vector<double> force_;               //!< scratch: F(q_{k+1})
    State trial_;                             //!< scratch of adaptive steps
    StepReport trialReport_;
  };

} // namespace Dune::Impact

#endif
