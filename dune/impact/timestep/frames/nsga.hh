// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_FRAMES_NSGA_HH
#define DUNE_IMPACT_TIMESTEP_FRAMES_NSGA_HH

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/timestep/frames/frictionalequilibrium.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep_frames
 * \brief The nonsmooth generalised-alpha scheme
 */

namespace Dune::Impact {

  //! Parameters of the generalised-alpha scheme from the spectral radius at infinite frequency
  struct GeneralisedAlpha
  {
    double am, af, gamma, beta;

    explicit GeneralisedAlpha(double rho)
      : am((2 * rho - 1) / (rho + 1))
      , af(rho / (rho + 1))
      , gamma(0.5 + af - am)
      , beta(0.25 * (gamma + 0.5) * (gamma + 0.5))
    {}

    //! da+/dv'+
    double slope() const { return (1 - af) / (1 - am); }
  };

  /** \brief Nonsmooth generalised-alpha in three decoupled stages
   *
   * The equation of motion is M(q) v' = f + G^T lambda + B^T (contact), f = F(t, q) + gyroscopic
   * force(q, v). A step of length h from (q, v) with the smooth acceleration v' and the pseudo
   * acceleration a:
   *
   *  1. Smooth motion without contact; unknowns v'+ and mu:
   *
   *         (1 - am) a+ + am a = (1 - af) v'+ + af v'
   *         q~ = q exp(h v + h^2 ((1/2 - beta) a + beta a+)),
   *         v~ = v + h ((1 - gamma) a + gamma a+)
   *         M v'+ = f(q~, v~) + G^T mu,   G v~ + dc/dt = 0
   *
   *  2. Correction of the position; unknowns U, nu: q+ = q~ exp(U),
   *
   *         M U - h^2/2 (f(q+, v~) - f(q~, v~)) = B^T nu + G^T nu_b,   c(q+) = 0,
   *         nu = P(nu - p g(q+))
   *
   *     with the gap g_N and the slip g_T since q. The weight 1/2 makes rest in contact a fixed
   * point.
   *
   *  3. Correction of the velocity; unknowns W, Lambda: v+ = v~ + W, for the multipliers that stage
   * 2 has closed,
   *
   *         M W - h (f(q+, v+) - f(q~, v~)) = B^T Lambda + G^T Lambda_b,   G v+ + dc/dt = 0,
   *         Lambda = P(Lambda - p w)
   *         w_N = B_N v+ + e min(0, B_N v),   w_T = B_T v+ (+ B_T v for mid-step slip)
   *
   * Lambda is the impulse of the step; mu + Lambda_b/h is what joints do at its end. No stage needs
   * a later one. Systems without contact and joints have stage 1 only.
   *
   * The scaling p of the cones is the mass of a node; if stage 2 or 3 fails, other p are tried,
   * then stage 2 without friction, which is counted. A step whose equations cannot be solved, as
   * the first ones after an impact with restitution on one node of a stiff beam, is divided into
   * two halves, down to minStep.
   *
   * Ledger: impulses work with the mean of the velocities before and after, loads and moved frames
   * by the trapezoidal rule; the rest of the change of energy is `stepWork`, the numerical damping
   * of the scheme.
   */
  class Nsga : public Stepper
  {
  public:
    //! What a run can choose
    struct Settings
    {
      double step;
      double minStep = 0;      //!< 0: 1/64 of the step
      double rho = 0.8;        //!< spectral radius at infinite frequency
      double gapTolerance = 0; //!< a multiplier with such a gap is closed
      int maxIterations = 30;
      double length = 0; //!< size of a system that is one point
      //! friction also in stage 2; without it what sticks creeps (for comparison)
      bool positionFriction = true;
      StopToken stop = {}; //!< looked at in every iteration of a step
    };

    //! System and contacts must outlive the stepper
    Nsga(const System& system, const std::vector<Contact>& contacts, const Settings& settings);

    State start(const State& initial, StepReport& report) override;
    void step(const State& from, State& to, StepReport& report) override;
    Record record(const State& from, const State& to) const override;
    RecordedMomenta recordedMomenta(const State& from, const State& to) const override;
    std::vector<MethodStatistic> statistics(const State& state) const override;
    bool staggered() const override { return false; }
    bool variableStep() const override { return false; }

    //! Impulses of the last step of a state, three per multiplier: along the normal and both
    //! tangents
    static const std::vector<double>& impulses(const State& state) { return impulseBlock(state); }

    //! Counts of a run, and the sets of its last step
    struct Counts
    {
      double frictionless; //!< position corrections without friction
      double halved;       //!< steps that were divided
      double active, sticking;
    };
    static Counts counts(const State& state);

  private:
    using Vector = std::vector<double>;

    // blocks of the history
    static constexpr HistoryBlock accelerationBlock{0, "acceleration"},
      pseudoBlock{1, "pseudo-acceleration"}, jointBlock{2, "joints"},
      correctionBlock{3, "position-correction"}, impulseBlock{4, "impulse"},
      countBlock{5, "counts"};

    // Newton's methods: an increment that is tiny, or small and not much smaller than the one
    // before, is the last one
    static constexpr double smallIncrement = 1e-9, tinyIncrement = 1e-13;
    static bool ends(double increment, double last)
    {
      return increment <= tinyIncrement ||
             (increment <= smallIncrement && increment >= 0.25 * last);
    }

    //! What stage 1 finds, and what the corrections add to it
    struct Trial
    {
      double h, time;
      Vector q, v, acceleration, pseudo, joints; //!< q~, v~, v'+, a+, mu
      Vector force;                              //!< f(q~, v~)
    };

    struct SmoothMotion;
    struct VelocityCorrection;

    void solveStep(State& state, double h, double end, StepReport& report);
    Trial predict(const State& from, double h, double end, StepReport& report);
    bool needsCorrection(const State& from, const Trial& trial) const;
    FrictionalEquilibrium::Solution correctPosition(const State& from, const Trial& trial,
                                                    State& to, StepReport& report);
    void correctVelocity(const State& from, const Trial& trial,
                         const FrictionalEquilibrium::Solution& position, State& to,
                         StepReport& report);
    bool solveVelocity(const State& from, const Trial& trial, const Vector& q,
                       const std::vector<GapSlip>& rows, double p, Vector& v, Vector& impulses,
                       Vector& joints, StepReport& report);
    void accountWork(const State& from, const Trial& trial, const std::vector<GapSlip>& rows,
                     State& to, StepReport& report);
    Vector jointRates(double t, const Vector& q, const Vector& v, double h) const
    {
      return dynamics().jointRates(t, q, v, std::ldexp(h, -10));
    }
    const Dynamics& dynamics() const { return motion_.dynamics(); }
    void startVelocities(State& state);
    void startAccelerations(State& state);
    FrictionalEquilibrium::Settings problemSettings() const;
    double speed(const Vector& v) const;

    const System& system_;
    const std::vector<Contact>& contacts_;
    Settings settings_;
    GeneralisedAlpha alpha_;
    AlartCurnierSystem motion_;     //!< of stage 1
    std::vector<double> nodeMass_;  //!< per contact
    FrictionalEquilibrium problem_; //!< of stage 2
    AlartCurnierSystem velocity_;   //!< of stage 3
  };

} // namespace Dune::Impact

#endif
