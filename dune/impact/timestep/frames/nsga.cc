// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/dividedstep.hh>
#include <dune/impact/timestep/frames/nsga.hh>

namespace Dune::Impact {

  namespace {

    //! The smaller node mass of both sides of each contact, the unit of the scaling p
    std::vector<double> nodeMasses(const Dynamics& dynamics, const std::vector<Contact>& contacts)
    {
      std::vector<double> result;
      for (const Contact& contact : contacts) {
        double mass = dynamics.nodeMass(*contact.first.body);
        if (contact.second.body)
          mass = std::min(mass, dynamics.nodeMass(*contact.second.body));
        result.push_back(mass);
      }
      return result;
    }

    //! Number of points with an impulse; with friction reports those that stick and slide
    int countPoints(ConstSpan impulses, double mu, ContactReport& contact)
    {
      int active = 0;
      contact.sticking = contact.sliding = 0;
      for (std::size_t i = 0; i < impulses.size(); i += 3)
        if (impulses[i] > 0) {
          ++active;
          if (mu > 0)
            contact.addFrictionPoint(std::hypot(impulses[i + 1], impulses[i + 2]), impulses[i], mu);
        }
      return active;
    }

  } // namespace

  Nsga::Nsga(const System& system, const std::vector<Contact>& contacts, const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , alpha_(settings.rho)
    , motion_(system, 0, settings.length)
    , nodeMass_(nodeMasses(motion_.dynamics(), contacts_))
    , problem_(system, contacts_, problemSettings())
    , velocity_(system, problem_.multipliers(), settings.length)
  {
    if (!(settings_.minStep > 0))
      settings_.minStep = settings_.step / 64;
  }

  FrictionalEquilibrium::Settings Nsga::problemSettings() const
  {
    return {.smallIncrement = smallIncrement,
            .tinyIncrement = tinyIncrement,
            .maxIterations = settings_.maxIterations,
            .regularisation = 1e-9,
            .length = settings_.length,
            .method = "nsga",
            .contactScaling = nodeMass_,
            .stop = settings_.stop};
  }

  Nsga::Counts Nsga::counts(const State& state)
  {
    const auto& x = countBlock(state);
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

  //! The state carries velocities in p. Velocities at the start satisfy the joints, and
  //! accelerations the equation of motion without contact.
  State Nsga::start(const State& initial, StepReport& report)
  {
    State state = initial;
    system_.velocity(initial.q, initial.p, state.p);
    const std::size_t n = system_.velocitySize(), joints = motion_.jointRows(),
                      multipliers = problem_.multipliers();
    state.history.clear();
    accelerationBlock.create(state, Vector(n, 0));
    pseudoBlock.create(state, Vector(n, 0));
    jointBlock.create(state, Vector(joints, 0));
    correctionBlock.create(state, Vector(3 * multipliers, 0));
    impulseBlock.create(state, Vector(3 * multipliers, 0));
    countBlock.create(state, Vector(4, 0));
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);
    startVelocities(state);
    startAccelerations(state);
    std::vector<GapSlip> rows;
    problem_.evaluateContacts({state.time, settings_.step, state.q},
                              {state.q, {}, correctionBlock(state)}, rows);
    for (std::size_t k = 0; k < rows.size(); ++k)
      report.contact[k].gap = rows[k].minGap;
    report.findMinGap();
    return state;
  }

  //! M W = G^T Lambda, G (v + W) + dc/dt = 0: joints allow the velocities at the start
  void Nsga::startVelocities(State& state)
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

  /* M v' = f + G^T lambda, G v' + d(G v + dc/dt)/dt = 0 with the second term from its values a
   * little before and after along the motion; a = v'. */
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
      throw RunError("there are no accelerations at the start: the joints hold the same directions "
                     "twice, or a body has no mass");
    for (std::size_t i = 0; i < n; ++i)
      accelerationBlock(state)[i] = pseudoBlock(state)[i] = found[Eigen::Index(i)];
    for (std::size_t i = 0; i < joints; ++i)
      jointBlock(state)[i] = found[Eigen::Index(n + i)];
  }

  // -- a step ------------------------------------------------------------------------------------

  //! A step that is not solved is divided into halves, down to minStep.
  void Nsga::step(const State& from, State& to, StepReport& report)
  {
    to = from;
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);
    to.step = from.step + 1;
    const auto solve = [this](State& state, double h, double end, StepReport& r) {
      solveStep(state, h, end, r);
    };
    const auto count = [&](const StepReport& failed) {
      report.solve.iterations = failed.solve.iterations;
      ++countBlock(to)[1];
    };
    divideStep(to, settings_.step, double(to.step) * settings_.step, settings_.minStep, report,
               solve, [&] { return count; });
    report.findMinGap();
    to.ledger.showAll();
  }

  //! Stages 1, 2 and 3. If stage 1 leaves all multipliers open and the joints in place, it is the
  //! whole step.
  void Nsga::solveStep(State& state, double h, double end, StepReport& report)
  {
    const State from = state;
    const Trial trial = predict(from, h, end, report);
    state.time = end;
    accelerationBlock(state) = trial.acceleration;
    pseudoBlock(state) = trial.pseudo;
    std::fill(impulseBlock(state).begin(), impulseBlock(state).end(), 0.0);
    countBlock(state)[2] = countBlock(state)[3] = 0;
    FrictionalEquilibrium::Solution position{trial.q, Vector(motion_.jointRows(), 0),
                                             impulseBlock(state)};
    if (needsCorrection(from, trial)) {
      position = correctPosition(from, trial, state, report);
      correctVelocity(from, trial, position, state, report);
      return;
    }
    std::fill(correctionBlock(state).begin(), correctionBlock(state).end(), 0.0);
    state.q = trial.q;
    state.p = trial.v;
    jointBlock(state) = trial.joints;
    std::vector<GapSlip> rows;
    problem_.evaluateContacts({end, h, from.q}, position, rows);
    accountWork(from, trial, rows, state, report);
  }

  // -- ledger and output -------------------------------------------------------------------------

  /* Works of a step of length h with f = loads + G^T lambda at its ends:
   *
   *     contact and friction   Lambda . (1/2 B (v + v+) + o)   with the obstacle velocities o
   *     external               h/2 (f_0.v + f_1.v+) - Lambda . o
   *     step                   the rest of the change of T + V, the numerical damping */
  void Nsga::accountWork(const State& from, const Trial& trial, const std::vector<GapSlip>& rows,
                         State& to, StepReport& report)
  {
    const Vector& impulses = impulseBlock(to);
    auto& counts = countBlock(to);
    double normal = 0, friction = 0, external = 0;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const std::size_t begin = 3 * problem_.multiplierBegin(k);
      ContactReport& contact = report.contact[k];
      contact.gap = rows[k].minGap;
      Vector mean(3 * rows[k].valid.size(), 0), sum(to.p);
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] = 0.5 * (sum[i] + from.p[i]);
      addProduct(rows[k].rows, 1, sum, mean);
      bool acts = false;
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const double impulse = impulses[begin + i],
                     obstacle = rows[k].obstacleVelocity.empty() ? 0 : rows[k].obstacleVelocity[i];
        const double work = impulse * (mean[i] + obstacle);
        (i % 3 == 0 ? normal : friction) += work;
        contact.frictionWork += i % 3 == 0 ? 0 : work;
        external -= impulse * obstacle;
        acts = acts || impulse != 0;
        if (i % 3 == 0) {
          report.pairImpulse[k] += impulse;
          if (impulse > 0)
            report.countPoint(k, i / 3);
        }
      }
      counts[2] += countPoints(ConstSpan(impulses).subspan(begin, mean.size()),
                               contacts_[k].law.friction, contact);
      counts[3] += contact.sticking;
      if (!acts)
        continue;
      GapSlip acting;
      problem_.geometry(k).evaluate(to.time, trial.h, to.q, from.q,
                                    ConstSpan(impulses).subspan(begin, mean.size()), acting);
      contact.impulse += acting.force;
      report.impulse += acting.force;
      report.bodyImpulse[problem_.geometry(k).firstBody()] += acting.force;
      if (const auto second = problem_.geometry(k).secondBody())
        report.bodyImpulse[*second] -= acting.force;
    }

    const std::size_t n = system_.velocitySize();
    Vector before(n, 0), after(n, 0), p0(n), p1(n);
    problem_.addExternal(from.time, {from.q, jointBlock(from), {}}, before);
    problem_.addExternal(to.time, {to.q, jointBlock(to), {}}, after);
    external += 0.5 * trial.h * (dot(before, from.p) + dot(after, to.p));
    system_.momentum(from.q, from.p, p0);
    system_.momentum(to.q, to.p, p1);
    const double change = system_.kinetic(to.q, p1) + system_.potentials(to.time, to.q).sum() -
                          system_.kinetic(from.q, p0) - system_.potentials(from.time, from.q).sum();
    to.ledger.externalWork += external;
    to.ledger.contactWork += normal;
    to.ledger.frictionWork += friction;
    to.ledger.stepWork += change - external - normal - friction;

    report.reactions = problem_.reactions(to.q, jointBlock(to));
  }

  //! T + V at the end of the step, with the momenta M v
  Record Nsga::record(const State&, const State& to) const
  {
    Vector p(to.p.size());
    system_.momentum(to.q, to.p, p);
    Record record = Record::of(to);
    record.kinetic = system_.kinetic(to.q, p);
    record.stored = system_.potentials(to.time, to.q);
    record.momenta = system_.momenta(to.q, p);
    return record;
  }

  RecordedMomenta Nsga::recordedMomenta(const State&, const State& to) const
  {
    return {.q = to.q, .p = to.p, .step = 0, .velocities = true};
  }

  std::vector<MethodStatistic> Nsga::statistics(const State& state) const
  {
    const Counts last = counts(state);
    return {{"step_work", state.ledger.stepWork},
            {"active_slots", last.active},
            {"sticking_slots", last.sticking},
            {"frictionless_corrections", last.frictionless},
            {"halved_steps", last.halved}};
  }

} // namespace Dune::Impact
