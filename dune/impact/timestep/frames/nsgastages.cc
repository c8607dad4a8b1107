// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/frames/newtonmethod.hh>
#include <dune/impact/timestep/frames/nsga.hh>

/* The three stages of a step: smooth motion, position and velocity corrections */

namespace Dune::Impact {

  namespace {

    Eigen::SparseMatrix<double> toMatrix(const Triplets& entries, std::size_t n)
    {
      Eigen::SparseMatrix<double> A{Eigen::Index(n), Eigen::Index(n)};
      A.setFromTriplets(entries.begin(), entries.end());
      return A;
    }

    void append(const Eigen::SparseMatrix<double>& A, Triplets& entries)
    {
      for (int k = 0; k < A.outerSize(); ++k)
        for (Eigen::SparseMatrix<double>::InnerIterator it(A, k); it; ++it)
          entries.emplace_back(int(it.row()), int(it.col()), it.value());
    }

    void append(const Triplets& from, double factor, Triplets& to)
    {
      for (const auto& entry : from)
        to.emplace_back(entry.row(), entry.col(), factor * entry.value());
    }

    //! -M log(q~^{-1} q) + h^2/2 (f(q, v~) - f(q~, v~)): the forces of stage 2
    class Correction : public ForceBalance
    {
    public:
      Correction(const Dynamics& dynamics, double h, const std::vector<double>& q,
                 const std::vector<double>& v, const std::vector<double>& force)
        : dynamics_(dynamics)
        , weight_(0.5 * h * h)
        , q_(q)
        , v_(v)
        , force_(force)
      {
        dynamics_.addMass(q_, mass_);
      }

      void addForce(double t, ConstSpan q, Span force) const override
      {
        std::vector<double> U(v_.size());
        dynamics_.system().difference(q_, q, U);
        addProduct(mass_, -1, U, force);
        dynamics_.addForce(t, q, v_, weight_, force);
        for (std::size_t i = 0; i < force_.size(); ++i)
          force[i] -= weight_ * force_[i];
      }

      //! M + h^2/2 K; the derivative of log is taken as the identity
      void addStiffness(double t, ConstSpan q, Triplets& entries) const override
      {
        Triplets stiffness;
        dynamics_.system().addStiffness(t, q, 0, stiffness);
        append(stiffness, weight_, entries);
        append(mass_, 1, entries);
      }

    private:
      const Dynamics& dynamics_;
      double weight_;
      const std::vector<double>&q_, &v_, &force_;
      Triplets mass_;
    };

  } // namespace

  /* Stage 1 for solveNewton(). The unknown is x = h^2 beta c v'+, with c = da+/dv'+ and the tangent
   * T of exp:
   *
   *     (K T + gamma/(h beta) D + M/(h^2 beta c)) dx - G^T dmu = f + G^T mu - M v'+,
   *     G dx = -(h beta/gamma) (G v~ + dc/dt)
   *
   * with K = -dF/dq and D = -df/dv. */
  struct Nsga::SmoothMotion
  {
    Nsga& owner;
    const State& from;
    Trial& trial;
    StepReport& report;
    Vector dq = Vector(trial.v.size());

    //! c h^2 beta
    double push() const { return trial.h * trial.h * owner.alpha_.beta * owner.alpha_.slope(); }

    //! a+, q~, v~ and f(q~, v~) from v'+
    bool evaluate()
    {
      const GeneralisedAlpha& alpha = owner.alpha_;
      const double h = trial.h;
      const Vector &v0 = from.p, &rate0 = accelerationBlock(from), &a0 = pseudoBlock(from);
      for (std::size_t i = 0; i < dq.size(); ++i) {
        trial.pseudo[i] =
          ((1 - alpha.af) * trial.acceleration[i] + alpha.af * rate0[i] - alpha.am * a0[i]) /
          (1 - alpha.am);
        dq[i] = h * v0[i] + h * h * ((0.5 - alpha.beta) * a0[i] + alpha.beta * trial.pseudo[i]);
        trial.v[i] = v0[i] + h * ((1 - alpha.gamma) * a0[i] + alpha.gamma * trial.pseudo[i]);
      }
      owner.system_.retract(from.q, dq, trial.q);
      owner.dynamics().placeJoints(trial.time, trial.q);
      std::fill(trial.force.begin(), trial.force.end(), 0.0);
      owner.dynamics().addForce(trial.time, trial.q, trial.v, 1, trial.force);
      return true;
    }

    bool converged(const NewtonProgress& at) const { return ends(at.increment, at.last); }

    bool exhausted(const NewtonProgress& at) const
    {
      return at.iterations >= owner.settings_.maxIterations ||
             !(at.increment <= 1e6 || at.iterations == 0);
    }

    void assemble()
    {
      AlartCurnierSystem& motion = owner.motion_;
      const std::size_t n = dq.size();
      motion.begin();
      Triplets mass, stiffness, damping, tangent;
      owner.dynamics().addMass(trial.q, mass);
      owner.system_.addStiffness(trial.time, trial.q, 0, stiffness);
      owner.dynamics().addDamping(trial.q, trial.v, damping);
      owner.dynamics().addRetractTangent(dq, tangent);
      append(toMatrix(stiffness, n) * toMatrix(tangent, n), motion.entries);
      append(damping, owner.alpha_.gamma / (trial.h * owner.alpha_.beta), motion.entries);
      append(mass, 1 / push(), motion.entries);
      motion.scale();
      const Span residual(motion.residual.data(), n);
      std::copy(trial.force.begin(), trial.force.end(), residual.begin());
      addProduct(mass, -1, trial.acceleration, residual);
      Vector rates = owner.jointRates(trial.time, trial.q, trial.v, trial.h);
      for (double& rate : rates)
        rate *= -trial.h * owner.alpha_.beta / owner.alpha_.gamma;
      motion.addJoints(trial.time, trial.q, trial.joints, rates);
      ++report.solve.iterations;
    }

    //! v'+ += dx/(h^2 beta c), mu += dmu, shortened to rotations of one radian; returns the size of
    //! the full increment
    double apply(const Eigen::VectorXd& change)
    {
      const std::size_t n = dq.size();
      const auto [turn, move] = owner.motion_.sizeOfIncrement(change);
      const double factor = turn > 1 ? 1 / turn : 1;
      for (std::size_t i = 0; i < n; ++i)
        trial.acceleration[i] += factor * change[Eigen::Index(i)] / push();
      for (std::size_t i = 0; i < trial.joints.size(); ++i)
        trial.joints[i] += factor * change[Eigen::Index(n + i)];
      return std::max(turn, move / owner.motion_.length());
    }
  };

  //! Stage 1, from the accelerations and joint multipliers of the last step as first guesses
  Nsga::Trial Nsga::predict(const State& from, double h, double end, StepReport& report)
  {
    Trial trial{h,
                end,
                from.q,
                from.p,
                accelerationBlock(from),
                pseudoBlock(from),
                jointBlock(from),
                Vector(system_.velocitySize(), 0)};
    NewtonProgress progress{.stop = settings_.stop};
    switch (solveNewton(motion_, SmoothMotion{*this, from, trial, report}, progress)) {
    case NewtonEnd::converged:
      break;
    case NewtonEnd::exhausted:
      throw RunError(
        fmt::format("the smooth motion was not found at time {:.6g} in a step of {:.3g}: the "
                    "last of {} iterations still moved by {:.2g} of the system",
                    end, h, progress.iterations, progress.increment));
    default:
      throw RunError(fmt::format("the equations of the smooth motion are singular or not finite "
                                 "at time {:.6g} in a step of {:.3g}",
                                 end, h));
    }
    problem_.checkTurns(trial.q);
    return trial;
  }

  //! Is a multiplier closed, or a joint out of place?
  bool Nsga::needsCorrection(const State& from, const Trial& trial) const
  {
    const Vector gaps = dynamics().jointGaps(trial.time, trial.q);
    std::size_t first = 0;
    for (const auto& constraint : system_.constraints()) {
      for (std::size_t i = 0; i < constraint->rows(); ++i)
        if (std::abs(gaps[first + i]) >
            std::ldexp(constraint->angular(i) ? 1 : motion_.length(), -48))
          return true;
      first += constraint->rows();
    }
    std::vector<GapSlip> rows;
    problem_.evaluateContacts({trial.time, trial.h, from.q},
                              {trial.q, {}, Vector(3 * problem_.multipliers(), 0)}, rows);
    for (const GapSlip& contact : rows)
      for (std::size_t s = 0; s < contact.valid.size(); ++s)
        if (contact.valid[s] && contact.g[3 * s] <= settings_.gapTolerance)
          return true;
    return false;
  }

  //! Stage 2 with other scalings if need be, at last without friction
  FrictionalEquilibrium::Solution Nsga::correctPosition(const State& from, const Trial& trial,
                                                        State& to, StepReport& report)
  {
    const Correction balance(dynamics(), trial.h, trial.q, trial.v, trial.force);
    FrictionalEquilibrium::Outcome outcome;
    for (bool frictionless : {!settings_.positionFriction, true})
      for (double p : {1.0, 30.0, 0.03, 1000.0})
        for (bool warm : {true, false}) {
          FrictionalEquilibrium::Solution solution{trial.q, Vector(motion_.jointRows(), 0),
                                                   correctionBlock(from)};
          if (!warm)
            std::fill(solution.forces.begin(), solution.forces.end(), 0.0);
          outcome =
            problem_.solve({trial.time, trial.h, from.q, &balance, frictionless}, p, solution);
          report.solve.iterations += outcome.iterations;
          if (!outcome.converged)
            continue;
          if (frictionless && settings_.positionFriction)
            ++countBlock(to)[0];
          problem_.checkTurns(solution.q);
          return solution;
        }
    throw RunError(
      fmt::format("no position without overlap was found at time {:.6g} in a step of {:.3g}{}",
                  trial.time, trial.h, problem_.remedies()));
  }

  //! Stage 3, for the multipliers that are closed after stage 2
  void Nsga::correctVelocity(const State& from, const Trial& trial,
                             const FrictionalEquilibrium::Solution& position, State& to,
                             StepReport& report)
  {
    std::vector<GapSlip> rows;
    problem_.evaluateContacts({trial.time, trial.h, from.q}, position, rows);
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      for (std::size_t s = 0; s < rows[k].valid.size(); ++s)
        rows[k].valid[s] =
          rows[k].valid[s] && (position.forces[3 * (problem_.multiplierBegin(k) + s)] > 0 ||
                               rows[k].g[3 * s] <= settings_.gapTolerance);
    Vector& impulses = impulseBlock(to);
    Vector joints;
    bool found = false;
    for (double p : {1.0, 30.0, 0.03, 1000.0}) {
      to.p = trial.v;
      impulses = impulseBlock(from);
      joints.assign(motion_.jointRows(), 0);
      if ((found = solveVelocity(from, trial, position.q, rows, p, to.p, impulses, joints, report)))
        break;
    }
    if (!found)
      throw RunError(fmt::format(
        "no velocities that contact allows were found at time {:.6g} in a step of {:.3g}",
        trial.time, trial.h));
    to.q = position.q;
    correctionBlock(to) = position.forces;
    for (std::size_t i = 0; i < joints.size(); ++i)
      jointBlock(to)[i] = trial.joints[i] + joints[i] / trial.h;
    accountWork(from, trial, rows, to, report);
  }

  /* Stage 3 for solveNewton(): unknowns W, impulses and joint multipliers, with the rates of the
   * contact points instead of gaps and slips. */
  struct Nsga::VelocityCorrection
  {
    Nsga& owner;
    const State& from;
    const Trial& trial;
    const Vector& q;
    const std::vector<GapSlip>& rows;
    double p, scale; //!< of the cones; largest speed
    Vector &v, &impulses, &joints;
    StepReport& report;
    Triplets mass = {};
    std::vector<ContactSet> sets = {}, before = {};
    Vector W = Vector(v.size(), 0);

    //! Inertia, forces and joints: M W - h (f(q+, v+) - f(q~, v~))
    void addMotion()
    {
      AlartCurnierSystem& velocity = owner.velocity_;
      velocity.begin();
      append(mass, 1, velocity.entries);
      Triplets damping;
      owner.dynamics().addDamping(q, v, damping);
      append(damping, trial.h, velocity.entries);
      velocity.scale();
      Vector force(v.size(), 0), rates = owner.jointRates(trial.time, q, v, trial.h);
      owner.dynamics().addForce(trial.time, q, v, trial.h, force);
      for (std::size_t i = 0; i < force.size(); ++i)
        force[i] -= trial.h * trial.force[i];
      addProduct(mass, -1, W, force);
      std::copy(force.begin(), force.end(), velocity.residual.data());
      for (double& rate : rates)
        rate *= -1;
      velocity.addJoints(trial.time, q, joints, rates);
    }

    //! w_N = B_N v+ + e min(0, B_N v), w_T = B_T v+ (+ B_T v for mid-step slip)
    GapSlip rates(std::size_t k) const
    {
      const ContactLaw& law = owner.contacts_[k].law;
      GapSlip result;
      result.valid = rows[k].valid;
      result.rows = rows[k].rows;
      result.derivative = rows[k].rows;
      result.g = rows[k].obstacleVelocity.empty() ? Vector(3 * result.valid.size(), 0)
                                                  : rows[k].obstacleVelocity;
      Vector earlier = result.g;
      addProduct(result.rows, 1, v, result.g);
      addProduct(result.rows, 1, from.p, earlier);
      for (std::size_t i = 0; i < result.g.size(); ++i)
        if (i % 3 == 0)
          result.g[i] += law.restitution * std::min(0.0, earlier[i]);
        else if (law.slip == Slip::midStep)
          result.g[i] += earlier[i];
      return result;
    }

    //! The equations Lambda = P(Lambda - p w) are those of stage 2 with the rates w in place of g.
    bool evaluate()
    {
      addMotion();
      sets.assign(owner.problem_.multipliers(), ContactSet::open);
      for (std::size_t k = 0; k < owner.contacts_.size(); ++k) {
        const GapSlip law = rates(k);
        const std::size_t first = owner.problem_.multiplierBegin(k);
        owner.velocity_.addContact(
          {first, owner.problem_.geometry(k).components(), owner.contacts_[k].law.friction,
           p * owner.nodeMass_[k], std::ldexp(scale, -40), 1e-9},
          law, ConstSpan(impulses).subspan(3 * first, 3 * law.valid.size()), sets);
      }
      return true;
    }

    bool converged(const NewtonProgress& at) const
    {
      return ends(at.increment, at.last) && sets == before;
    }

    bool exhausted(const NewtonProgress& at) const
    {
      return at.iterations >= owner.settings_.maxIterations ||
             !std::isfinite(owner.velocity_.forceResidual());
    }

    void assemble()
    {
      before = sets;
      ++report.solve.iterations;
    }

    //! Returns the largest change of a velocity relative to the largest speed.
    double apply(const Eigen::VectorXd& change)
    {
      const std::size_t n = v.size();
      for (std::size_t i = 0; i < n; ++i) {
        W[i] += change[Eigen::Index(i)];
        v[i] = trial.v[i] + W[i];
      }
      for (std::size_t i = 0; i < joints.size(); ++i)
        joints[i] += change[Eigen::Index(n + i)];
      for (std::size_t i = 0; i < impulses.size(); ++i)
        impulses[i] += change[Eigen::Index(n + joints.size() + i)];
      const auto [turn, move] = owner.velocity_.sizeOfIncrement(change);
      return std::max(turn * owner.velocity_.length(), move) / scale;
    }
  };

  //! Stage 3 with one scaling p of the cones; false if Newton's method fails. A system at rest
  //! receives no impulse.
  bool Nsga::solveVelocity(const State& from, const Trial& trial, const Vector& q,
                           const std::vector<GapSlip>& rows, double p, Vector& v, Vector& impulses,
                           Vector& joints, StepReport& report)
  {
    const double scale = std::max({speed(v), speed(from.p), speed(trial.v)});
    if (!(scale > 0)) {
      std::fill(impulses.begin(), impulses.end(), 0.0);
      return true;
    }
    VelocityCorrection problem{*this, from, trial, q, rows, p, scale, v, impulses, joints, report};
    dynamics().addMass(q, problem.mass);
    NewtonProgress progress{.stop = settings_.stop};
    if (solveNewton(velocity_, problem, progress) != NewtonEnd::converged)
      return false;
    for (std::size_t s = 0; s < problem.sets.size(); ++s)
      if (problem.sets[s] == ContactSet::open) // not even a rounding error
        std::fill_n(impulses.begin() + long(3 * s), 3, 0.0);
    return true;
  }

} // namespace Dune::Impact
