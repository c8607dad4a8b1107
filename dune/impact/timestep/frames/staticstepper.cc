// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/timestep/dividedstep.hh>
#include <dune/impact/timestep/frames/staticstepper.hh>

namespace Dune::Impact {

  namespace {

    // blocks of the history
    constexpr HistoryBlock jointBlock{0, "joints"}, forceBlock{1, "contact-forces"},
      setBlock{2, "contact-sets"};

    FrictionalEquilibrium::Solution solutionOf(const State& state)
    {
      return {state.q, jointBlock(state), forceBlock(state)};
    }

  } // namespace

  StaticStepper::StaticStepper(const System& system, const std::vector<Contact>& contacts,
                               const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , problem_(system, contacts, settings.newton)
  {
    if (!(settings_.minStep > 0))
      settings_.minStep = settings_.step / 64;
  }

  StaticStepper::Sets StaticStepper::sets(const State& state)
  {
    const auto& x = setBlock(state);
    return {.scaling = x[0], .active = x[1], .sticking = x[2], .ratio = x[3], .attempts = x[4]};
  }

  State StaticStepper::start(const State& initial, StepReport& report)
  {
    State state = initial;
    std::fill(state.p.begin(), state.p.end(), 0);
    state.history.clear();
    jointBlock.create(state, std::vector<double>(problem_.jointRows(), 0));
    forceBlock.create(state, std::vector<double>(3 * problem_.multipliers(), 0));
    setBlock.create(state, std::vector<double>(5, 0));
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);
    std::vector<GapSlip> rows;
    problem_.evaluateContacts({state.time, settings_.step, state.q}, solutionOf(state), rows);
    for (std::size_t k = 0; k < rows.size(); ++k)
      report.contact[k].gap = rows[k].minGap;
    report.findMinGap();
    return state;
  }

  //! A step that is not solved is divided into halves, down to minStep.
  void StaticStepper::step(const State& from, State& to, StepReport& report)
  {
    to = from;
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);
    to.step = from.step + 1;
    const auto solve = [this](State& state, double h, double end, StepReport& r) {
      solveStep(state, h, end, r);
    };
    divideStep(to, settings_.step, double(to.step) * settings_.step, settings_.minStep, report,
               solve, [] { return [](const StepReport&) {}; });
    report.findMinGap();
    to.ledger.showAll();
  }

  /* What worked last comes first, so that a run does not change its scaling without need. Without
   * contact one attempt is enough, because the equations do not contain p. */
  std::vector<double> StaticStepper::scalings(const State& state) const
  {
    if (contacts_.empty())
      return {1};
    const Sets last = sets(state);
    const double guess = problem_.stiffness();
    std::vector<double> p;
    if (last.scaling > 0)
      p.push_back(last.scaling);
    if (last.ratio > 0)
      p.push_back(last.ratio);
    const double base = last.scaling > 0 ? last.scaling : guess;
    for (double factor : {1.0, 0.1, 0.01, 10.0, 0.001})
      p.push_back(factor * base);
    if (last.scaling > 0)
      p.push_back(guess);
    std::vector<double> distinct;
    for (double x : p)
      if (std::none_of(distinct.begin(), distinct.end(),
                       [&](double y) { return std::abs(std::log(x / y)) < 0.3; }))
        distinct.push_back(x);
    return distinct;
  }

  //! Newton's method from the last equilibrium, with one scaling p after the other until it
  //! converges; then all of them again with four times the iterations.
  void StaticStepper::solveStep(State& state, double h, double end, StepReport& report)
  {
    const State from = state;
    FrictionalEquilibrium::Outcome outcome;
    double attempts = 0;
    for (int patience : {1, 4}) // many points that begin to slip one after the other take long
      for (double p : scalings(from)) {
        if (patience > 1 && contacts_.empty())
          break;
        FrictionalEquilibrium::Solution solution = solutionOf(from);
        outcome = problem_.solve({.time = end, .h = h, .previous = from.q, .patience = patience}, p,
                                 solution);
        report.solve.iterations += outcome.iterations;
        report.solve.residual = outcome.residual;
        ++attempts;
        if (!outcome.converged)
          continue;
        state.q = std::move(solution.q);
        jointBlock(state) = std::move(solution.joints);
        forceBlock(state) = std::move(solution.forces);
        setBlock(state) = {p, double(outcome.active), double(outcome.sticking), 0, attempts};
        state.time = end;
        problem_.checkTurns(state.q);
        return accountWork(from, state, h, report);
      }
    throw RunError(
      fmt::format("no equilibrium was found at time {:.6g} in a step of {:.3g}: residual {:.2g} of "
                  "the forces after {} iterations{}{}",
                  end, h, outcome.residual, outcome.iterations,
                  contacts_.empty() ? "" : fmt::format(" in the last of {} attempts", attempts),
                  problem_.remedies()));
  }

  /* Works of a step with f = loads + G^T lambda at its ends and the increment dq:
   *
   *     friction   l_T . g_T with the force at the end and the slip of the step
   *     external   1/2 (f_0 + f_1) . dq, and -h o.l of moved obstacles (mean normal force)
   *     step       the rest of the change of V, of the order of the step
   *
   * The ratio of normal forces and slips is a guess for p in the next step. */
  void StaticStepper::accountWork(const State& from, State& to, double h, StepReport& report)
  {
    const FrictionalEquilibrium::Solution solution = solutionOf(to);
    std::vector<GapSlip> rows;
    problem_.evaluateContacts({to.time, h, from.q}, solution, rows);
    double friction = 0, normal = 0, slips = 0, moved = 0;
    const std::vector<double>& before = forces(from);
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const std::size_t begin = problem_.multiplierBegin(k);
      ContactReport& contact = report.contact[k];
      contact.gap = rows[k].minGap;
      contact.sticking = contact.sliding = 0;
      for (std::size_t s = 0; s < problem_.geometry(k).multipliers(); ++s) {
        const double *l = solution.forces.data() + 3 * (begin + s), *g = rows[k].g.data() + 3 * s;
        report.pairImpulse[k] += h * l[0];
        if (!rows[k].obstacleVelocity.empty()) // an obstacle that moves
          for (std::size_t c = 0; c < 3; ++c)
            moved -= h * rows[k].obstacleVelocity[3 * s + c] *
                     (c == 0 ? 0.5 * (l[0] + before[3 * (begin + s)]) : l[c]);
        if (l[0] == 0)
          continue;
        report.countPoint(k, s);
        if (const double mu = contacts_[k].law.friction; mu > 0)
          contact.addFrictionPoint(std::hypot(l[1], l[2]), l[0], mu);
        contact.frictionWork += l[1] * g[1] + l[2] * g[2];
        friction += l[1] * g[1] + l[2] * g[2];
        normal += l[0];
        slips += std::hypot(g[1], g[2]);
      }
      const Vec3 impulse = h * rows[k].force;
      contact.impulse += impulse;
      report.impulse += impulse;
      report.bodyImpulse[problem_.geometry(k).firstBody()] += impulse;
      if (const auto second = problem_.geometry(k).secondBody())
        report.bodyImpulse[*second] -= impulse;
    }
    setBlock(to)[3] = slips > 0 ? normal / slips : 0;

    std::vector<double> dq(system_.velocitySize()), external(dq.size(), 0);
    system_.difference(from.q, to.q, dq);
    problem_.addExternal(from.time, solutionOf(from), external);
    problem_.addExternal(to.time, solution, external);
    const double work = 0.5 * dot(external, dq) + moved;
    to.ledger.externalWork += work;
    to.ledger.frictionWork += friction;
    to.ledger.stepWork += system_.potentials(to.time, to.q).sum() -
                          system_.potentials(from.time, from.q).sum() - work - friction;

    report.reactions = problem_.reactions(to.q, solution.joints);
  }

  Record StaticStepper::record(const State&, const State& to) const
  {
    Record record = Record::of(to);
    record.stored = system_.potentials(to.time, to.q);
    return record;
  }

  RecordedMomenta StaticStepper::recordedMomenta(const State&, const State& to) const
  {
    return {.q = to.q, .p = to.p, .step = 0, .velocities = true};
  }

  std::vector<MethodStatistic> StaticStepper::statistics(const State& state) const
  {
    if (contacts_.empty())
      return {{"step_work", state.ledger.stepWork}};
    const Sets last = sets(state);
    return {{"step_work", state.ledger.stepWork},
            {"active_slots", last.active},
            {"sticking_slots", last.sticking}};
  }

} // namespace Dune::Impact
