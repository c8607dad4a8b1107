// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/dividedstep.hh>
#include <dune/impact/timestep/nsga.hh>

namespace Dune::Impact {

  namespace {

    // blocks of the history
    constexpr std::size_t accelerationBlock = 0, pseudoBlock = 1, jointBlock = 2, correctionBlock = 3, impulseBlock = 4, countBlock = 5;

    constexpr double smallIncrement = 1e-9, tinyIncrement = 1e-13;

    //! An increment that is so small, or small and not smaller than the one before, is the last one
    bool ends(double increment, double last)
    {
      return increment <= tinyIncrement || (increment <= smallIncrement && increment >= 0.25 * last);
    }

    double product(ConstSpan a, ConstSpan b)
    {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
      return sum;
    }

    void addProduct(const Triplets& entries, double factor, ConstSpan x, Span y)
    {
      for (const auto& entry : entries)
        y[std::size_t(entry.row())] += factor * entry.value() * x[std::size_t(entry.col())];
    }

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

    std::vector<double> nodeMasses(const Dynamics& dynamics, const std::vector<FrictionContact>& contacts)
    {
      std::vector<double> result;
      for (const FrictionContact& contact : contacts) {
        double mass = dynamics.nodeMass(contact.coupling->firstBody());
        if (const long second = contact.coupling->secondBody(); second >= 0)
          mass = std::min(mass, dynamics.nodeMass(std::size_t(second)));
        result.push_back(mass);
      }
      return result;
    }

    //! -M log(q~^{-1} q) + h^2/2 (f(q, v~) - f(q~, v~)): the forces of stage 2
    class Correction : public ForceBalance
    {
    public:
      Correction(const Dynamics& dynamics, double h, const std::vector<double>& q, const std::vector<double>& v, const std::vector<double>& force)
        : dynamics_(dynamics), weight_(0.5 * h * h), q_(q), v_(v), force_(force)
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

  Nsga::Nsga(const System& system, std::vector<FrictionContact> contacts, const Settings& settings)
    : system_(system)
    , contacts_(std::move(contacts))
    , settings_(settings)
    , alpha_(settings.rho)
    , motion_(system, 0, settings.length)
    , nodeMass_(nodeMasses(motion_.dynamics(), contacts_))
    , problem_(system, contacts_, problemSettings())
    , velocity_(system, problem_.slots(), settings.length)
  {
    if (!(settings_.minStep > 0))
      settings_.minStep = settings_.step / 64;
  }

  StaticProblem::Settings Nsga::problemSettings() const
  {
    return {.smallIncrement = smallIncrement, .tinyIncrement = tinyIncrement, .maxIterations = settings_.maxIterations, .regularisation = 1e-9, .length = settings_.length, .contactScaling = nodeMass_};
  }

  Nsga::Counts Nsga::counts(const State& state)
  {
    const auto& x = state.history[countBlock].values;
    return {.frictionless = x[0], .halved = x[1], .active = x[2], .sticking = x[3]};
  }

  //! Largest velocity, with angular velocities times the size of the system
  double Nsga::speed(const Vector& v) const
  {
    double largest = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
      largest = std::max(largest, std::abs(v[i]) * (system_.angular(i) ? motion_.length() : 1));
    return largest;
  }

  // -- the start ---------------------------------------------------------------------------------

  State Nsga::start(const State& initial, StepReport& report)
  {
    State state = initial;
    system_.velocity(initial.q, initial.p, state.p);
    const std::size_t n = system_.velocitySize(), joints = motion_.jointRows(), slots = problem_.slots();
    state.history = {{"acceleration", 1, Vector(n, 0)}, {"pseudo-acceleration", 1, Vector(n, 0)}, {"joints", 1, Vector(joints, 0)},
                     {"position-correction", 1, Vector(3 * slots, 0)}, {"impulse", 1, Vector(3 * slots, 0)}, {"counts", 1, Vector(4, 0)}};
    report = {};
    report.weight = settings_.step;
    report.pairImpulse.assign(contacts_.size(), 0);
    report.bodyImpulse.assign(system_.bodyCount(), Vec3(0));
    startVelocities(state, report);
    startAccelerations(state);
    std::vector<FrictionRows> rows;
    problem_.evaluateContacts({state.time, settings_.step, state.q}, {state.q, {}, state.history[correctionBlock].values}, rows);
    for (const FrictionRows& contact : rows)
      report.minGap = std::min(report.minGap, contact.minGap);
    return state;
  }

  //! M W = G^T Lambda, G (v + W) + dc/dt = 0: joints allow the velocities at the start
  void Nsga::startVelocities(State& state, StepReport&)
  {
    if (motion_.jointRows() == 0)
      return;
    Vector rates = jointRates(state.time, state.q, state.p, settings_.step);
    for (double& rate : rates)
      rate *= -1;
    motion_.begin();
    dynamics().addMass(state.q, motion_.entries);
    motion_.scale();
    motion_.addJoints(state.time, state.q, Vector(rates.size(), 0), rates);
    const Eigen::VectorXd change = motion_.solve();
    if (change.size() == 0)
      throw RunError("the joints hold the same directions twice");
    for (std::size_t i = 0; i < state.p.size(); ++i)
      state.p[i] += change[Eigen::Index(i)];
  }

  /* M v' = f + G^T lambda, G v' + d(G v + dc/dt)/dt = 0 with the second term from its values a little before and after
   * along the motion; a = v'. */
  void Nsga::startAccelerations(State& state)
  {
    const std::size_t n = system_.velocitySize(), joints = motion_.jointRows();
    motion_.begin();
    dynamics().addMass(state.q, motion_.entries);
    motion_.scale();
    Vector force(n, 0), rates(joints, 0);
    dynamics().addForce(state.time, state.q, state.p, 1, force);
    std::copy(force.begin(), force.end(), motion_.residual.data());
    if (joints > 0) {
      const double e = std::ldexp(settings_.step, -10);
      for (double sign : {-1.0, 1.0}) {
        Vector dq = state.p, q(state.q.size());
        for (double& x : dq)
          x *= sign * e;
        system_.retract(state.q, dq, q);
        const Vector at = jointRates(state.time + sign * e, q, state.p, settings_.step);
        for (std::size_t i = 0; i < joints; ++i)
          rates[i] -= sign * at[i] / (2 * e);
      }
      motion_.addJoints(state.time, state.q, Vector(joints, 0), rates);
    }
    const Eigen::VectorXd found = motion_.solve();
    if (found.size() == 0)
      throw RunError("there are no accelerations at the start: the joints hold the same directions twice, or a body has no mass");
    for (std::size_t i = 0; i < n; ++i)
      state.history[accelerationBlock].values[i] = state.history[pseudoBlock].values[i] = found[Eigen::Index(i)];
    for (std::size_t i = 0; i < joints; ++i)
      state.history[jointBlock].values[i] = found[Eigen::Index(n + i)];
  }

  // -- a step ------------------------------------------------------------------------------------

  void Nsga::step(const State& from, State& to, StepReport& report)
  {
    to = from;
    report = {};
    report.weight = settings_.step;
    report.pairImpulse.assign(contacts_.size(), 0);
    report.bodyImpulse.assign(system_.bodyCount(), Vec3(0));
    to.step = from.step + 1;
    const auto solve = [this](State& state, double h, double end, StepReport& r) { solveStep(state, h, end, r); };
    const auto count = [&](const StepReport& failed) {
      report.solve.iterations = failed.solve.iterations;
      ++to.history[countBlock].values[1];
    };
    divideStep(to, settings_.step, double(to.step) * settings_.step, settings_.minStep, report, solve, [&] { return count; });
    to.ledger.shownDissipation = to.ledger.dissipation();
    to.ledger.shownExternalWork = to.ledger.externalWork;
  }

  void Nsga::solveStep(State& state, double h, double end, StepReport& report)
  {
    const State from = state;
    const Trial trial = predict(from, h, end, report);
    state.time = end;
    state.history[accelerationBlock].values = trial.acceleration;
    state.history[pseudoBlock].values = trial.pseudo;
    std::fill(state.history[impulseBlock].values.begin(), state.history[impulseBlock].values.end(), 0.0);
    state.history[countBlock].values[2] = state.history[countBlock].values[3] = 0;
    StaticProblem::Solution position{trial.q, Vector(motion_.jointRows(), 0), state.history[impulseBlock].values};
    if (needsCorrection(from, trial)) {
      position = correctPosition(from, trial, state, report);
      correctVelocity(from, trial, position, state, report);
      return;
    }
    std::fill(state.history[correctionBlock].values.begin(), state.history[correctionBlock].values.end(), 0.0);
    state.q = trial.q;
    state.p = trial.v;
    state.history[jointBlock].values = trial.joints;
    std::vector<FrictionRows> rows;
    problem_.evaluateContacts({end, h, from.q}, position, rows);
    book(from, trial, rows, state, report);
  }

  /* Newton's method for x = h^2 beta c v'+, with c = da+/dv'+ and the tangent T of exp:
   *
   *     (K T + gamma/(h beta) D + M/(h^2 beta c)) dx - G^T dmu = f + G^T mu - M v'+,   G dx = -(h beta/gamma) (G v~ + dc/dt)
   *
   * with K = -dF/dq and D = -df/dv. */
  Nsga::Trial Nsga::predict(const State& from, double h, double end, StepReport& report)
  {
    const std::size_t n = system_.velocitySize();
    const Vector &v0 = from.p, &rate0 = from.history[accelerationBlock].values, &a0 = from.history[pseudoBlock].values;
    const double c = alpha_.slope(), push = h * h * alpha_.beta * c;
    Trial trial{h, end, from.q, v0, rate0, a0, from.history[jointBlock].values, Vector(n, 0)};
    Vector dq(n);
    double increment = std::numeric_limits<double>::infinity(), last = increment;
    for (int iteration = 0;; ++iteration) {
      for (std::size_t i = 0; i < n; ++i) {
        trial.pseudo[i] = ((1 - alpha_.af) * trial.acceleration[i] + alpha_.af * rate0[i] - alpha_.am * a0[i]) / (1 - alpha_.am);
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
        throw RunError(fmt::format("the smooth motion was not found at time {:.6g} in a step of {:.3g}: the last of {} iterations still moved by {:.2g} of the system", end, h, iteration, increment));

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
        throw RunError(fmt::format("the equations of the smooth motion are singular or not finite at time {:.6g} in a step of {:.3g}", end, h));
      const auto [turn, move] = motion_.sizeOfIncrement(change);
      const double factor = turn > 1 ? 1 / turn : 1;
      for (std::size_t i = 0; i < n; ++i)
        trial.acceleration[i] += factor * change[Eigen::Index(i)] / push;
      for (std::size_t i = 0; i < trial.joints.size(); ++i)
        trial.joints[i] += factor * change[Eigen::Index(n + i)];
      last = increment;
      increment = std::max(turn, move / motion_.length());
    }
    checkTurns(trial.q);
    return trial;
  }

  //! Is a slot closed, or a joint out of place?
  bool Nsga::needsCorrection(const State& from, const Trial& trial) const
  {
    const Vector gaps = dynamics().jointGaps(trial.time, trial.q);
    std::size_t first = 0;
    for (const auto& constraint : system_.constraints()) {
      for (std::size_t i = 0; i < constraint->rows(); ++i)
        if (std::abs(gaps[first + i]) > std::ldexp(constraint->angular(i) ? 1 : motion_.length(), -48))
          return true;
      first += constraint->rows();
    }
    std::vector<FrictionRows> rows;
    problem_.evaluateContacts({trial.time, trial.h, from.q}, {trial.q, {}, Vector(3 * problem_.slots(), 0)}, rows);
    for (const FrictionRows& contact : rows)
      for (std::size_t s = 0; s < contact.valid.size(); ++s)
        if (contact.valid[s] && contact.g[3 * s] <= settings_.gapTolerance)
          return true;
    return false;
  }

  //! Stage 2 with other scalings if need be, at last without friction
  StaticProblem::Solution Nsga::correctPosition(const State& from, const Trial& trial, State& to, StepReport& report)
  {
    const Correction balance(dynamics(), trial.h, trial.q, trial.v, trial.force);
    StaticProblem::Outcome outcome;
    for (bool frictionless : {!settings_.positionFriction, true})
      for (double p : {1.0, 30.0, 0.03, 1000.0})
        for (bool warm : {true, false}) {
          StaticProblem::Solution solution{trial.q, Vector(motion_.jointRows(), 0), from.history[correctionBlock].values};
          if (!warm)
            std::fill(solution.forces.begin(), solution.forces.end(), 0.0);
          outcome = problem_.solve({trial.time, trial.h, from.q, &balance, frictionless}, p, solution);
          report.solve.iterations += outcome.iterations;
          if (!outcome.converged)
            continue;
          if (frictionless && settings_.positionFriction)
            ++to.history[countBlock].values[0];
          checkTurns(solution.q);
          return solution;
        }
    throw RunError(fmt::format("no position without overlap was found at time {:.6g} in a step of {:.3g}", trial.time, trial.h));
  }

  //! Stage 3, for the slots that are closed after stage 2
  void Nsga::correctVelocity(const State& from, const Trial& trial, const StaticProblem::Solution& position, State& to, StepReport& report)
  {
    std::vector<FrictionRows> rows;
    problem_.evaluateContacts({trial.time, trial.h, from.q}, position, rows);
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      for (std::size_t s = 0; s < rows[k].valid.size(); ++s)
        rows[k].valid[s] = rows[k].valid[s] && (position.forces[3 * (problem_.slotBegin(k) + s)] > 0 || rows[k].g[3 * s] <= settings_.gapTolerance);
    Vector& impulses = to.history[impulseBlock].values;
    Vector joints;
    bool found = false;
    for (double p : {1.0, 30.0, 0.03, 1000.0}) {
      to.p = trial.v;
      impulses = from.history[impulseBlock].values;
      joints.assign(motion_.jointRows(), 0);
      if ((found = solveVelocity(from, trial, position.q, rows, p, to.p, impulses, joints, report)))
        break;
    }
    if (!found)
      throw RunError(fmt::format("no velocities that contact allows were found at time {:.6g} in a step of {:.3g}", trial.time, trial.h));
    to.q = position.q;
    to.history[correctionBlock].values = position.forces;
    for (std::size_t i = 0; i < joints.size(); ++i)
      to.history[jointBlock].values[i] = trial.joints[i] + joints[i] / trial.h;
    book(from, trial, rows, to, report);
  }

  bool Nsga::solveVelocity(const State& from, const Trial& trial, const Vector& q, const std::vector<FrictionRows>& rows, double p, Vector& v, Vector& impulses, Vector& joints, StepReport& report)
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

      sets.assign(problem_.slots(), ContactSet::open);
      for (std::size_t k = 0; k < contacts_.size(); ++k) {
        FrictionRows law; // rates instead of gaps
        law.valid = rows[k].valid;
        law.rows = rows[k].rows;
        law.derivative = rows[k].rows;
        law.g = rows[k].drive.empty() ? Vector(3 * law.valid.size(), 0) : rows[k].drive;
        Vector earlier = law.g;
        addProduct(law.rows, 1, v, law.g);
        addProduct(law.rows, 1, from.p, earlier);
        for (std::size_t i = 0; i < law.g.size(); ++i)
          if (i % 3 == 0)
            law.g[i] += contacts_[k].restitution * std::min(0.0, earlier[i]);
          else if (contacts_[k].midStep)
            law.g[i] += earlier[i];
        const std::size_t first = problem_.slotBegin(k);
        velocity_.addContact({first, contacts_[k].coupling->components(), contacts_[k].friction, p * nodeMass_[k], std::ldexp(scale, -40), 1e-9}, law,
                             ConstSpan(impulses).subspan(3 * first, 3 * law.valid.size()), sets);
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

  //! The strain of an element of a beam is unique only while it turns by less than half a turn
  void Nsga::checkTurns(const Vector& q) const
  {
    for (std::size_t b = 0; b < system_.bodyCount(); ++b)
      if (const auto* beam = dynamic_cast<const Beam*>(&system_.body(b)))
        beam->checkTurns(system_.configurationSlice(b, q));
  }

  // -- ledger and output -------------------------------------------------------------------------

  void Nsga::book(const State& from, const Trial& trial, const std::vector<FrictionRows>& rows, State& to, StepReport& report)
  {
    const Vector& impulses = to.history[impulseBlock].values;
    auto& counts = to.history[countBlock].values;
    double normal = 0, friction = 0, external = 0;
    int active = 0;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const std::size_t begin = 3 * problem_.slotBegin(k);
      report.minGap = std::min(report.minGap, rows[k].minGap);
      Vector mean(3 * rows[k].valid.size(), 0), sum(to.p);
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] = 0.5 * (sum[i] + from.p[i]);
      addProduct(rows[k].rows, 1, sum, mean);
      bool acts = false;
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const double impulse = impulses[begin + i], drive = rows[k].drive.empty() ? 0 : rows[k].drive[i];
        (i % 3 == 0 ? normal : friction) += impulse * (mean[i] + drive);
        external -= impulse * drive;
        acts = acts || impulse != 0;
        if (i % 3 == 0) {
          report.pairImpulse[k] += impulse;
          active += impulse > 0;
        }
      }
      for (std::size_t s = 0; 3 * s < mean.size(); ++s) {
        const double* l = impulses.data() + begin + 3 * s;
        counts[2] += l[0] > 0;
        counts[3] += l[0] > 0 && std::hypot(l[1], l[2]) < contacts_[k].friction * l[0] * (1 - 1e-9);
      }
      if (!acts)
        continue;
      FrictionRows acting;
      contacts_[k].coupling->evaluate(to.time, trial.h, to.q, from.q, ConstSpan(impulses).subspan(begin, mean.size()), acting);
      report.impulse += acting.force;
      report.bodyImpulse[contacts_[k].coupling->firstBody()] += acting.force;
      if (const long second = contacts_[k].coupling->secondBody(); second >= 0)
        report.bodyImpulse[std::size_t(second)] -= acting.force;
    }
    report.contacts = active;

    const std::size_t n = system_.velocitySize();
    Vector before(n, 0), after(n, 0), p0(n), p1(n);
    problem_.addExternal(from.time, {from.q, from.history[jointBlock].values, {}}, before);
    problem_.addExternal(to.time, {to.q, to.history[jointBlock].values, {}}, after);
    external += 0.5 * trial.h * (product(before, from.p) + product(after, to.p));
    system_.momentum(from.q, from.p, p0);
    system_.momentum(to.q, to.p, p1);
    const double change = system_.kinetic(to.q, p1) + system_.potentials(to.time, to.q).sum() - system_.kinetic(from.q, p0) - system_.potentials(from.time, from.q).sum();
    to.ledger.externalWork += external;
    to.ledger.contactWork += normal;
    to.ledger.frictionWork += friction;
    to.ledger.stepWork += change - external - normal - friction;

    report.reactions.clear();
    std::size_t first = 0;
    for (const auto& constraint : system_.constraints()) {
      constraint->addReactions(to.q, ConstSpan(to.history[jointBlock].values).subspan(first, constraint->rows()), report.reactions);
      first += constraint->rows();
    }
  }

  Record Nsga::record(const State&, const State& to) const
  {
    Vector p(to.p.size());
    system_.momentum(to.q, to.p, p);
    Record record;
    record.step = to.step;
    record.time = to.time;
    record.kinetic = system_.kinetic(to.q, p);
    record.stored = system_.potentials(to.time, to.q);
    record.momenta = system_.momenta(to.q, p);
    record.dissipated = to.ledger.shownDissipation;
    record.externalWork = to.ledger.shownExternalWork;
    return record;
  }

  Snapshot Nsga::snapshot(const State&, const State& to) const
  {
    return {.q = to.q, .p = to.p, .step = 0, .velocities = true};
  }

  std::vector<Figure> Nsga::figures(const State& state) const
  {
    const Counts last = counts(state);
    return {{"step_work", state.ledger.stepWork}, {"active_slots", last.active}, {"sticking_slots", last.sticking},
            {"frictionless_corrections", last.frictionless}, {"halved_steps", last.halved}};
  }

} // namespace Dune::Impact
