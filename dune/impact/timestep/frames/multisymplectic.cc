// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/frames/multisymplectic.hh>
#include <dune/impact/timestep/frames/multisymplectichistory.hh>
#include <dune/impact/timestep/impulse/contactimpulses.hh>

namespace Dune::Impact {

  using namespace MultisymplecticHistory;

  namespace {

    constexpr double epsilon = std::numeric_limits<double>::epsilon();

  } // namespace

  Multisymplectic::Multisymplectic(const System& system, const std::vector<Contact>& contacts,
                                   const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , kicked_(system.velocitySize())
    , allOpen_(system.masslessContacts().size(), 0)
    , masslessNumber_(masslessNumbers(system, contacts))
  {
    requireImpulsePoints(contacts, "multisymplectic", true);
    for (const Contact& contact : contacts)
      geometry_.push_back(contact.geometry.find<ImpulseGeometry>());
  }

  double Multisymplectic::intervalEnergy(const State& state)
  {
    return entry(state, kinetic) + intervalPotentials(state).sum();
  }

  State Multisymplectic::start(const State& initial, StepReport& report)
  {
    State state = initial;
    state.history.clear();
    intervalBlock.create(state, std::vector<double>(intervalNumbers, 0));
    closedBlock.create(state, std::vector<double>(system_.masslessContacts().size(), 0));
    countBlock.create(state, std::vector<double>(countNumbers, 0));
    for (std::size_t i = 0; i < system_.masslessContacts().size(); ++i)
      closed(state, i) = system_.masslessContacts()[i]->overlap(state.time, state.q) > 0;
    system_.placeMasslessNodes(state.time, state.q, closedBlock(state));

    const Potentials v = potentials(state);
    setPotentials(state, v);
    entry(state, kinetic) = system_.kinetic(state.q, state.p);
    entry(state, elastic) = v.elastic;
    entry(state, potential) = v.potential;
    entry(state, contact) = v.contact;
    if (settings_.firstInterval)
      startFirstInterval(state);
    entry(state, initialEnergy) = intervalEnergy(state);
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);
    findCrossed(state, {}, report);
    return state;
  }

  /* The momentum P from which the first kick leads to the given velocity. The state shows the
   * energy of the first interval. */
  void Multisymplectic::startFirstInterval(State& state)
  {
    std::vector<double> v(state.p.size());
    system_.velocity(state.q, state.p, v);
    system_.driftMomentum(state.q, v, settings_.step, state.p);
    addForce(state, -0.5 * settings_.step, state.p);
    advance(state, {}, 0, settings_.step, trial_);
    evaluate(state, trial_);
    for (std::size_t i : {kinetic, elastic, potential, contact})
      entry(state, i) = entry(trial_, i);
  }

  // -- one interval ------------------------------------------------------------------------------

  /* Closed contacts of ends without mass are springs k between the nodes behind the ends: with one
   * number for both sides momentum is kept to rounding, which the positions of the ends, large
   * numbers with a small difference, would not allow. */
  ConstSpan Multisymplectic::opened(const State& at, std::vector<double>& q) const
  {
    if (allOpen_.empty())
      return at.q;
    q = at.q;
    system_.placeMasslessNodes(at.time, q, allOpen_);
    return q;
  }

  //! p += weight F(q)
  void Multisymplectic::addForce(const State& at, double weight, Span p) const
  {
    std::vector<double> q;
    system_.addForce(at.time, opened(at, q), weight, p);
    for (std::size_t i = 0; i < allOpen_.size(); ++i)
      if (closed(at, i) != 0) {
        const MasslessContact& massless = *system_.masslessContacts()[i];
        SparseVector functional;
        massless.addOverlapFunctional(at.q, functional);
        addTo(functional, -weight * (massless.stiffness() * massless.overlap(at.time, at.q)), p);
      }
  }

  //! V(q), with 1/2 k delta^2 of the closed springs
  Potentials Multisymplectic::potentials(const State& at) const
  {
    std::vector<double> q;
    Potentials v = system_.potentials(at.time, opened(at, q));
    for (std::size_t i = 0; i < allOpen_.size(); ++i)
      if (closed(at, i) != 0) {
        const double delta = system_.masslessContacts()[i]->overlap(at.time, at.q);
        v.elastic += 0.5 * system_.masslessContacts()[i]->stiffness() * delta * delta;
      }
    return v;
  }

  /* p = P + 1/2 (h_prev + h) F(q) + lambda G^T, then drift over h; potentials are left to
   * evaluate(). */
  void Multisymplectic::advance(const State& at, const Event& event, double lambda, double h,
                                State& to)
  {
    kicked_ = at.p;
    addForce(at, 0.5 * (entry(at, before) + h), kicked_);
    addTo(event.functional, lambda, kicked_);
    to.q.resize(at.q.size());
    to.p.resize(at.p.size());
    to.history = at.history;
    to.ledger = at.ledger;
    to.step = at.step;
    to.time = at.time + h;
    entry(to, before) = h;
    entry(to, kinetic) = system_.drift(at.q, kicked_, h, to.q, to.p);
    system_.placeMasslessNodes(to.time, to.q, closedBlock(to));
  }

  /* The potentials at the end, and their mean over the interval */
  void Multisymplectic::evaluate(const State& at, State& to) const
  {
    const Potentials v = potentials(to);
    setPotentials(to, v);
    entry(to, elastic) = 0.5 * (entry(at, elasticHere) + v.elastic);
    entry(to, potential) = 0.5 * (entry(at, potentialHere) + v.potential);
    entry(to, contact) = 0.5 * (entry(at, contactHere) + v.contact);
  }

  //! The interval after an instant, with the impulse of the event there
  Multisymplectic::Impulse Multisymplectic::go(const State& at, const Event& event, double h,
                                               State& to)
  {
    if (event.kind != Event::none)
      return balance(at, event, h, to);
    advance(at, event, 0, h, to);
    evaluate(at, to);
    return {};
  }

  // -- the impulse of an event -------------------------------------------------------------------

  //! D(lambda) = E(lambda) - E_target
  double Multisymplectic::defect(const State& at, const Event& event, double lambda, double h,
                                 State& to)
  {
    advance(at, event, lambda, h, to);
    evaluate(at, to);
    return intervalEnergy(to) - (settings_.target == EnergyTarget::local
                                   ? intervalEnergy(at)
                                   : entry(at, initialEnergy));
  }

  /* An impulse of the size of the bounce. Without elasticity D = 1/2 d lambda^2 + w lambda + D(0)
   * with the rate w of the gap before the impulse and d = G M^{-1} G^T; its roots are of the size
   * of 2 |w|/d or (2 |D(0)|/d)^(1/2). kicked_ holds the momenta without impulse. */
  double Multisymplectic::impulseScale(const State& at, const Event& event, double defect) const
  {
    SparseVector response;
    system_.addVelocity(at.q, event.functional, response);
    const double rate = dot(response, kicked_);
    std::vector<double> dense(at.p.size(), 0);
    addTo(event.functional, 1, dense);
    const double d = dot(response, dense);
    return d > 0 ? std::max(2 * std::abs(rate) / d, std::sqrt(2 * std::abs(defect) / d)) : 0;
  }

  /* D is a parabola for linear elasticity and nearly one otherwise: its fit through three values
   * tells whether there are roots, and which is which. */
  Multisymplectic::Impulse Multisymplectic::balance(const State& at, const Event& event, double h,
                                                    State& to)
  {
    const double at0 = defect(at, event, 0, h, to), size = impulseScale(at, event, at0);
    if (size == 0)
      return {0, at0 == 0};
    const double at1 = defect(at, event, size, h, to), at2 = defect(at, event, 2 * size, h, to);
    const Parabola fit = Parabola::through(size, at0, at1, at2);
    const bool bounce = event.kind == Event::bounce, real = fit.discriminant() >= 0;
    if (!bounce && real)
      return {polish(fit, fit.rootNearZero(), at, event, h, to)};
    if (!bounce) {
      defect(at, event, 0, h, to);
      return {0, false};
    }
    Impulse impulse{
      real ? polish(fit, fit.largerRoot(), at, event, h, to) : std::max(0.0, fit.mirror()), real};
    if (impulse.value < 0)
      impulse = {0, false};
    if (!impulse.root)
      defect(at, event, impulse.value, h, to);
    return separate(impulse, size, at, event, h, to);
  }

  /* An impact must not end with the bodies still approaching and overlapping: the least larger
   * impulse that keeps the gap, which grows with lambda. It does not keep the energy and is not
   * counted as a root. */
  Multisymplectic::Impulse Multisymplectic::separate(const Impulse& impulse, double size,
                                                     const State& at, const Event& event, double h,
                                                     State& to)
  {
    const double least = std::min(0.0, gap(event, at)), reached = gap(event, to);
    if (!(reached < least))
      return impulse;
    const auto excess = [&](double lambda) {
      defect(at, event, lambda, h, to);
      return gap(event, to) - least;
    };
    Sample upper{impulse.value, reached - least};
    for (double step = size; !(upper.value >= 0); step *= 2)
      if (upper = {upper.x + step, excess(upper.x + step)};
          !std::isfinite(upper.value) || !std::isfinite(upper.x))
        throw RunError(
          fmt::format("{}: no impulse was found that separates the bodies", contactName(event)));
    const double lambda = bracketedRoot(excess, {impulse.value, reached - least}, upper,
                                        0.5 * epsilon * length(event, at.q))
                            .x;
    excess(lambda);
    return {lambda, false};
  }

  /* Secant steps from a root of the fit, the first with its slope, as long as the defect shrinks */
  double Multisymplectic::polish(const Parabola& fit, double lambda, const State& at,
                                 const Event& event, double h, State& to)
  {
    double value = defect(at, event, lambda, h, to), slope = fit.slope(lambda);
    const double size = energySize(to);
    while (std::abs(value) > settings_.energyTolerance * size) {
      settings_.stop.check();
      const double next = lambda - value / slope, there = defect(at, event, next, h, to);
      if (!(std::abs(there) < std::abs(value))) {
        value = defect(at, event, lambda, h, to);
        break;
      }
      slope = (there - value) / (next - lambda);
      lambda = next;
      value = there;
    }
    if (!(std::abs(value) <= std::sqrt(epsilon) * size))
      throw RunError(
        fmt::format("{}: no impulse was found that keeps the energy", contactName(event)));
    return lambda;
  }

  // -- the events of a step ----------------------------------------------------------------------

  /* Intervals up to the end of the step. Each try goes to the end; if gaps change sign on the
   * way, it is cut at the first of these instants, and the impulse there is found together with
   * the next interval. */
  void Multisymplectic::step(const State& from, State& to, StepReport& report)
  {
    report.begin(system_.bodyCount(), contacts_.size(), 0);
    instants_.clear();
    const State* at = &from;
    Event pending;
    double done = 0;
    int number = 0;
    for (;; ++number) {
      settings_.stop.check();
      const double left = number == 0 ? settings_.step : std::max(0.0, settings_.step - done);
      const Impulse impulse = go(*at, pending, left, to);
      findCrossed(to, pending, report);
      if (crossed_.empty()) {
        accountWork(*at, pending, impulse, left, to, report);
        break;
      }
      if (number == settings_.maxEvents)
        throw RunError(fmt::format("{}: more than {} impacts in one step",
                                   contactName(crossed_.front()), settings_.maxEvents));
      std::vector<double> times;
      for (const Event& event : crossed_)
        times.push_back(instantOf(event, pending, *at, to, left));
      const std::size_t first =
        std::size_t(std::min_element(times.begin(), times.end()) - times.begin());
      State& next = states_[number % 2];
      const Impulse accepted = go(*at, pending, times[first], next);
      accountWork(*at, pending, accepted, times[first], next, report);
      done += times[first];
      pending = crossed_[first];
      enter(pending, done, next);
      at = &next;
    }
    count(to, crowdedSteps) += number > 1;
    to.step = from.step + 1;
    to.time = double(to.step) * settings_.step;
    report.weight = settings_.step;
  }

  // -- what a step tells -------------------------------------------------------------------------

  /* Impulses of an accepted interval. The correction at a contact switch is no contact force and is
   * not among them; that of the closed spring is its force times the weight of its instant. */
  void Multisymplectic::accountWork(const State& at, const Event& event, const Impulse& impulse,
                                    double h, State& to, StepReport& report)
  {
    const auto add = [&](std::size_t number, const Vec3& normal, double value) {
      const Contact& contact = contacts_[number];
      report.pairImpulse[number] += value;
      report.contact[number].impulse.axpy(value, normal);
      report.impulse.axpy(value, normal);
      report.bodyImpulse[*contact.first.body].axpy(value, normal);
      if (contact.second.body)
        report.bodyImpulse[*contact.second.body].axpy(-value, normal);
    };
    to.ledger.noRoots += !impulse.root;
    if (event.kind == Event::bounce && impulse.value > 0) {
      report.countPoint(event.index, event.multiplier);
      add(event.index, event.normal, impulse.value);
    }
    for (std::size_t i = 0; i < system_.masslessContacts().size(); ++i) {
      const MasslessContact& massless = *system_.masslessContacts()[i];
      const double force = closed(at, i) != 0 ? massless.force(at.time, at.q) : 0;
      if (force == 0)
        continue;
      report.countPoint(masslessNumber_[i], 0);
      add(masslessNumber_[i], massless.normal(), 0.5 * (entry(at, before) + h) * force);
    }
    if (event.kind != Event::none) {
      const bool bounce = event.kind == Event::bounce;
      instants_.push_back({at.time, bounce ? event.index : masslessNumber_[event.index],
                           event.multiplier, impulse.value});
    }
  }

  Record Multisymplectic::record(const State&, const State& to) const
  {
    return {.step = to.step,
            .time = to.time,
            .kinetic = entry(to, kinetic),
            .stored = intervalPotentials(to),
            .momenta = system_.momenta(to.q, to.p)};
  }

  /* The velocity of an interval is also that of the reversed one, which starts with what the state
   * holds. At the start with a given first interval it is that of this interval. */
  RecordedMomenta Multisymplectic::recordedMomenta(const State& from, const State& to) const
  {
    const auto velocity = std::make_shared<std::vector<double>>(to.p.size());
    if (to.step > 0 || !settings_.firstInterval)
      system_.driftVelocity(to.q, to.p, -entry(to, before), *velocity);
    else {
      std::vector<double> p = to.p;
      addForce(to, 0.5 * settings_.step, p);
      system_.driftVelocity(to.q, p, settings_.step, *velocity);
    }
    return {from.q, *velocity, to.time - from.time, true, velocity};
  }

  std::vector<MethodStatistic> Multisymplectic::statistics(const State& state) const
  {
    const auto& counts = countBlock(state);
    const double none = std::numeric_limits<double>::quiet_NaN(), number = counts[events];
    return {{"events", number},
            {"reclosings", counts[reclosings]},
            {"grid_instants", counts[gridInstants]},
            {"crowded_steps", counts[crowdedSteps]},
            {"first_instant", number > 0 ? counts[firstInstant] : none},
            {"last_instant", number > 0 ? counts[lastInstant] : none}};
  }

} // namespace Dune::Impact
