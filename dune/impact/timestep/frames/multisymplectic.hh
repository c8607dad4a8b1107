// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_FRAMES_MULTISYMPLECTIC_HH
#define DUNE_IMPACT_TIMESTEP_FRAMES_MULTISYMPLECTIC_HH

#include <dune/impact/body/system.hh>
#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/contact/contact.hh>
#include <dune/impact/contact/impulse/impulsegeometry.hh>
#include <dune/impact/solver/scalarroot.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep_frames
 * \brief Variational integrator that splits steps at the instants of contact
 */

namespace Dune::Impact {

  //! Which energy an impact restores: that of the interval before it, or that of the start
  enum class EnergyTarget { local, global };

  /** \brief Multisymplectic impact integrator
   *
   * The discrete Lagrangian of an interval of length h is h [K(v) - 1/2 (V(q) + V(q1))]. Its
   * variation gives the kick and the drift
   *
   *     p = P + 1/2 (h_prev + h) F(q) + lambda G^T,   (q1, P1) = drift over h
   *
   * where P is the momentum that arrives at the instant, h_prev the interval before it, and
   * lambda an impulse if the instant is one of contact. Such an instant is not a multiple of the
   * step: the step is split there, and the variation of the instant says that the interval energy
   *
   *     E = K(v) + 1/2 (V(q) + V(q1))
   *
   * is the same before and after it. Nothing is divided by h, so intervals of length zero are
   * harmless; they arise if contacts begin together or at a grid instant.
   *
   * Two kinds of instants, depending on the ends that meet:
   *
   * - bounce: a gap reaches zero. lambda >= 0 is the larger root of E(lambda) = E_before; the other
   *   root is near zero and lets bodies pass through each other. Without a real root the mirror
   *   root is taken, whose energy defect is that of the interval without impulse. If the bodies
   *   would still approach, lambda is raised until they do not.
   * - prolonged: a contact of ends without mass closes or opens. Its force is that of a spring that
   *   vanishes at this instant; lambda is a small correction of either sign, the root near zero,
   *   and is left out if there is none.
   *
   * A step may contain several instants, in the order of time. An instant is looked for where a gap
   * has changed sign at the end of an interval: what opens again before is not seen.
   *
   * Conserved: the momenta that contact does not change, to rounding; the energy oscillates with
   * h^2 and does not drift.
   */
  class Multisymplectic : public Stepper
  {
  public:
    //! How to step
    struct Settings
    {
      double step;
      EnergyTarget target = EnergyTarget::local;
      //! initial velocities belong to the first interval; otherwise to time zero
      bool firstInterval = false;
      //! of the energy equation at an impact, relative to the energies
      double energyTolerance = 1e-13;
      int maxEvents = 50;  //!< in one step
      StopToken stop = {}; //!< looked at in every iteration of a step
    };

    //! System and contacts must outlive the stepper
    Multisymplectic(const System& system, const std::vector<Contact>& contacts,
                    const Settings& settings);

    State start(const State& initial, StepReport& report) override;
    void step(const State& from, State& to, StepReport& report) override;
    Record record(const State& from, const State& to) const override;
    RecordedMomenta recordedMomenta(const State& from, const State& to) const override;
    std::vector<MethodStatistic> statistics(const State& state) const override;
    bool staggered() const override { return false; }
    bool variableStep() const override { return false; }

    //! Energy of the interval that ends at a state
    static double intervalEnergy(const State& state);

    //! What happened at an instant of contact
    struct ContactInstant
    {
      double time;
      std::size_t contact, multiplier;
      double impulse; //!< lambda
    };

    //! The instants of the last step, for tests and tables; no method may depend on it
    const std::vector<ContactInstant>& instants() const { return instants_; }

  private:
    //! An instant of contact: a contact point, or a massless contact
    struct Event
    {
      enum Kind { none, bounce, contactSwitch } kind = none;
      //! of the contact and its multiplier, or of the massless contact
      std::size_t index = 0, multiplier = 0;
      SparseVector functional = {}; //!< G: rate of the gap, at the instant
      Vec3 normal = Vec3(0);        //!< direction of the impulse on the first side of a bounce

      bool is(Kind k, std::size_t i, std::size_t s) const
      {
        return kind == k && index == i && multiplier == s;
      }
    };

    struct Impulse
    {
      double value = 0;
      bool root = true; //!< the energy equation has the root that was looked for
    };

    double gap(const Event& event, const State& state) const;
    double length(const Event& event, ConstSpan q) const;
    bool crossed(const Event& event, const State& state) const;
    void startFirstInterval(State& state);

    // one interval
    void addForce(const State& at, double weight, Span p) const;
    Potentials potentials(const State& at) const;
    //! Configuration whose ends without mass carry no force: that of the state, or q, which is set
    ConstSpan opened(const State& at, std::vector<double>& q) const;
    void advance(const State& at, const Event& event, double lambda, double h, State& to);
    void evaluate(const State& at, State& to) const;
    Impulse go(const State& at, const Event& event, double h, State& to);

    // the impulse of an event
    Impulse balance(const State& at, const Event& event, double h, State& to);
    double defect(const State& at, const Event& event, double lambda, double h, State& to);
    double polish(const Parabola& fit, double lambda, const State& at, const Event& event, double h,
                  State& to);
    double impulseScale(const State& at, const Event& event, double defect) const;
    Impulse separate(const Impulse& impulse, double size, const State& at, const Event& event,
                     double h, State& to);

    // the events of a step
    void findCrossed(const State& to, const Event& pending, StepReport& report);
    double instantOf(const Event& event, const Event& pending, const State& at, const State& end,
                     double left);
    void enter(Event& event, double done, State& at) const;
    void collect(Event& event, const State& at) const;

    void accountWork(const State& at, const Event& event, const Impulse& impulse, double h,
                     State& to, StepReport& report);
    const std::string& contactName(const Event& event) const;

    const System& system_;
    const std::vector<Contact>& contacts_;
    Settings settings_;
    std::vector<double> kicked_;                   //!< scratch: momenta after the kick
    std::vector<double> gaps_;                     //!< scratch
    std::vector<const ImpulseGeometry*> geometry_; //!< per contact; null for massless contacts
    std::vector<double> allOpen_;                  //!< zeros, per massless contact
    std::vector<std::size_t> masslessNumber_;      //!< contact of each massless contact
    State states_[2], trial_;                      //!< scratch: instants inside a step
    std::vector<Event> crossed_;                   //!< scratch: events of an interval
    std::vector<ContactInstant> instants_;
  };

} // namespace Dune::Impact

#endif
