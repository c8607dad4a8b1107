// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
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

  /* Newton's method for x = h^2 beta c v'+, with c = da+/dv'+ and the tangent T of exp:
   *
   *     (K T + gamma/(h beta) D + M/(h^2 beta c)) dx - G^T dmu = f + G^T mu - M v'+,
   *     G dx = -(h beta/gamma) (G v~ + dc/dt)
   *
   * with K = -dF/dq and D = -df/dv. */
  Nsga::Trial Nsga::predict(const State& from, double h, double end, StepReport& report)
  {
    const std::size_t n = system_.velocitySize();
    const Vector &v0 = from.p, &rate0 = accelerationBlock(from), &a0 = pseudoBlock(from);
    const double c = alpha_.slope(), push = h * h * alpha_.beta * c;
    Trial trial{h, end, from.q, v0, rate0, a0, jointBlock(from), Vector(n, 0)};
    Vector dq(n);
    double increment = std::numeric_limits<double>::infinity(), last = increment;
    for (int iteration = 0;; ++iteration) {
      for (std::size_t i = 0; i < n; ++i) {
        trial.pseudo[i] =
          ((1 - alpha_.af) * trial.acceleration[i] + alpha_.af * rate0[i] - alpha_.am * a0[i]) /
          (1 - alpha_.am);
        dq[i] = h * v0[i] + h * h * ((0.5 - alpha_.beta) * a0[i] + alpha_.beta * trial.pseudo[i]);
        trial.v[i] = v0[i] + h * ((1 - alpha_.gamma) * a0[i] + alpha_.gamma * trial.pseudo[i]);
      }
      system_.retract(from.q, dq, trial.q);
      dynamics().placeJoints(end, trial.q);
      std::fill(trial.force.begin(), trial.force.end(), 0.0);
      dynamics().addForce(end, trial.q, trial.v, 1, trial.force);
      if (ends(increment, last))
        break;
      if (iteration >= settings_.maxIterations || !(increment <= 1e6 || iteration == 0))
        throw RunError(
          fmt::format("the smooth motion was not found at time {:.6g} in a step of {:.3g}: the "
                      "last of {} iterations still moved by {:.2g} of the system",
                      end, h, iteration, increment));

      motion_.begin();
      Triplets mass, stiffness, damping, tangent;
      dynamics().addMass(trial.q, mass);
      system_.addStiffness(end, trial.q, 0, stiffness);
      dynamics().addDamping(trial.q, trial.v, damping);
      dynamics().addRetractTangent(dq, tangent);
      append(toMatrix(stiffness, n) * toMatrix(tangent, n), motion_.entries);
      append(damping, alpha_.gamma / (h * alpha_.beta), motion_.entries);
      append(mass, 1 / push, motion_.entries);
      motion_.scale();
      const Span residual(motion_.residual.data(), n);
      std::copy(trial.force.begin(), trial.force.end(), residual.begin());
      addProduct(mass, -1, trial.acceleration, residual);
      Vector rates = jointRates(end, trial.q, trial.v, h);
      for (double& rate : rates)
        rate *= -h * alpha_.beta / alpha_.gamma;
      motion_.addJoints(end, trial.q, trial.joints, rates);
      ++report.solve.iterations;
      const Eigen::VectorXd change = motion_.solve();
      if (change.size() == 0)
        throw RunError(fmt::format("the equations of the smooth motion are singular or not finite "
                                   "at time {:.6g} in a step of {:.3g}",
                                   end, h));
      const auto [turn, move] = motion_.sizeOfIncrement(change);
      const double factor = turn > 1 ? 1 / turn : 1;
      for (std::size_t i = 0; i < n; ++i)
        trial.acceleration[i] += factor * change[Eigen::Index(i)] / push;
      for (std::size_t i = 0; i < trial.joints.size(); ++i)
        trial.joints[i] += factor * change[Eigen::Index(n + i)];
      last = increment;
      increment = std::max(turn, move / motion_.length());
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
      fmt::format("no position without overlap was found at time {:.6g} in a step of {:.3g}",
                  trial.time, trial.h));
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
    book(from, trial, rows, to, report);
  }

  bool Nsga::solveVelocity(const State& from, const Trial& trial, const Vector& q,
                           const std::vector<GapSlip>& rows, double p, Vector& v, Vector& impulses,
                           Vector& joints, StepReport& report)
  {
    const std::size_t n = system_.velocitySize();
    Triplets mass;
    dynamics().addMass(q, mass);
    const double scale = std::max({speed(v), speed(from.p), speed(trial.v)});
    if (!(scale > 0)) {
      std::fill(impulses.begin(), impulses.end(), 0.0);
      return true;
    }
    std::vector<ContactSet> sets, before;
    Vector W(n, 0);
    double increment = std::numeric_limits<double>::infinity(), last = increment;
    for (int iteration = 0;; ++iteration) {
      velocity_.begin();
      append(mass, 1, velocity_.entries);
      Triplets damping;
      dynamics().addDamping(q, v, damping);
      append(damping, trial.h, velocity_.entries);
      velocity_.scale();
      Vector force(n, 0), rates = jointRates(trial.time, q, v, trial.h);
      dynamics().addForce(trial.time, q, v, trial.h, force);
      for (std::size_t i = 0; i < n; ++i)
        force[i] -= trial.h * trial.force[i];
      addProduct(mass, -1, W, force);
      std::copy(force.begin(), force.end(), velocity_.residual.data());
      for (double& rate : rates)
        rate *= -1;
      velocity_.addJoints(trial.time, q, joints, rates);

      sets.assign(problem_.multipliers(), ContactSet::open);
      for (std::size_t k = 0; k < contacts_.size(); ++k) {
        GapSlip law; // rates instead of gaps
        law.valid = rows[k].valid;
        law.rows = rows[k].rows;
        law.derivative = rows[k].rows;
        law.g = rows[k].obstacleVelocity.empty() ? Vector(3 * law.valid.size(), 0)
                                                 : rows[k].obstacleVelocity;
        Vector earlier = law.g;
        addProduct(law.rows, 1, v, law.g);
        addProduct(law.rows, 1, from.p, earlier);
        for (std::size_t i = 0; i < law.g.size(); ++i)
          if (i % 3 == 0)
            law.g[i] += contacts_[k].law.restitution * std::min(0.0, earlier[i]);
          else if (contacts_[k].law.slip == Slip::midStep)
            law.g[i] += earlier[i];
        const std::size_t first = problem_.multiplierBegin(k);
        velocity_.addContact({first, problem_.geometry(k).components(), contacts_[k].law.friction,
                              p * nodeMass_[k], std::ldexp(scale, -40), 1e-9},
                             law, ConstSpan(impulses).subspan(3 * first, 3 * law.valid.size()),
                             sets);
      }
      if (ends(increment, last) && sets == before) {
        for (std::size_t s = 0; s < sets.size(); ++s)
          if (sets[s] == ContactSet::open) // not even a rounding error
            std::fill_n(impulses.begin() + long(3 * s), 3, 0.0);
        return true;
      }
      if (iteration >= settings_.maxIterations || !std::isfinite(velocity_.forceResidual()))
        return false;
      before = sets;
      ++report.solve.iterations;
      const Eigen::VectorXd change = velocity_.solve();
      if (change.size() == 0)
        return false;
      for (std::size_t i = 0; i < n; ++i) {
        W[i] += change[Eigen::Index(i)];
        v[i] = trial.v[i] + W[i];
      }
      for (std::size_t i = 0; i < joints.size(); ++i)
        joints[i] += change[Eigen::Index(n + i)];
      for (std::size_t i = 0; i < impulses.size(); ++i)
        impulses[i] += change[Eigen::Index(n + joints.size() + i)];
      const auto [turn, move] = velocity_.sizeOfIncrement(change);
      last = increment;
      increment = std::max(turn * velocity_.length(), move) / scale;
    }
  }

} // namespace Dune::Impact
