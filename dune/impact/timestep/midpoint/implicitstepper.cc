// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dune/impact/contact/mortar/contactsnapshot.hh>
#include <dune/impact/timestep/dividedstep.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

namespace Dune::Impact {

  namespace {

    SqpSettings withExactDerivatives(SqpSettings settings)
    {
      settings.exactJacobian = settings.curvature = true;
      return settings;
    }

  } // namespace

  template<int dim>
  ImplicitStepper<dim>::ImplicitStepper(const System& system, const std::vector<Contact>& contacts,
                                        const Settings& settings)
    : model_(system, contacts, settings.method)
    , settings_(settings)
    , sqp_(settings.sqp, settings.inner)
    , exactSqp_(withExactDerivatives(settings.sqp), settings.inner)
  {
    if (settings.multigrid)
      sqp_.setTransfers(model_.transfers(settings.factorNodes));
    if (!(settings_.minStep > 0))
      settings_.minStep = settings_.step / 64;
  }

  template<int dim>
  double ImplicitStepper<dim>::minGap(double t, ConstSpan u) const
  {
    WeightedGaps<dim> gaps;
    model_.gaps(t, u, gaps);
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < gaps.size(); ++p)
      smallest = std::min(smallest, gaps[p].value / gaps[p].weight);
    return smallest;
  }

  template<int dim>
  State ImplicitStepper<dim>::start(const State& initial, StepReport& report)
  {
    State state = initial;
    std::fill(state.p.begin(), state.p.end(), 0);
    if (settings_.rule != ImplicitRule::quasiStatic)
      for (const auto& member : model_.members)
        member.body->initialVelocity(member.slice(Span(state.p)));
    for (const ImplicitRigid& one : model_.rigid)
      if (one.member == 0)
        one.body->velocity(
          ConstSpan(state.q).subspan(one.configuration, one.body->configurationSize()),
          ConstSpan(initial.p).subspan(one.node * dim, one.body->velocitySize()),
          Span(state.p).subspan(one.node * dim, one.body->velocitySize()));
    const std::vector<double> zeros(model_.multiplierBegin.back(), 0);
    state.history = {
      {"pressure", 2, zeros}, {"force", 2, zeros}, {"steps with exact derivatives", 1, {0}}};
    report = {};
    report.weight = settings_.step;
    report.pairImpulse.assign(model_.contacts.size(), 0);
    report.bodyImpulse.assign(model_.system.bodyCount(), Vec3(0));
    report.minGap = minGap(0, state.q);
    return state;
  }

  template<int dim>
  void ImplicitStepper<dim>::step(const State& from, State& to, StepReport& report)
  {
    to = from;
    report = {};
    report.weight = settings_.step;
    report.pairImpulse.assign(model_.contacts.size(), 0);
    report.bodyImpulse.assign(model_.system.bodyCount(), Vec3(0));
    to.step = from.step + 1;
    slack_ = 0;
    const auto solve = [this](State& state, double h, double end, StepReport& r) {
      solveStep(state, h, end, r);
    };
    const auto remember = [this] {
      return [this, slack = slack_](const StepReport&) { slack_ = slack; };
    };
    divideStep(to, settings_.step, double(to.step) * settings_.step, settings_.minStep, report,
               solve, remember);
    report.minGap = minGap(to.time, to.q);
    to.ledger.shownDissipation = to.ledger.dissipation();
    to.ledger.shownExternalWork = to.ledger.externalWork;
  }

  // Without inertia exact derivatives can lead to equilibria that are no minima: there they come
  // last, for steps that are not halved any more
  template<int dim>
  bool ImplicitStepper<dim>::hasExactTry(double h) const
  {
    return (settings_.rule != ImplicitRule::quasiStatic || 0.5 * h < settings_.minStep) &&
           !model_.contacts.empty() && !(settings_.sqp.exactJacobian && settings_.sqp.curvature) &&
           model_.nodeCount() <= settings_.exactNodes;
  }

  template<int dim>
  void ImplicitStepper<dim>::solveStep(State& state, double h, double end, StepReport& report)
  {
    const State from = state;
    if (tryStep(sqp_, !settings_.sqp.exactJacobian, from, h, end, state, report))
      return;
    if (hasExactTry(h)) {
      state = from;
      if (tryStep(exactSqp_, false, from, h, end, state, report)) {
        ++state.history[exactBlock].values[0];
        return;
      }
    }
    throw RunError(fmt::format("the step of length {:.3g} to time {:.6g} was not solved: residual "
                               "{:.2g} of the forces, overlap {:.2g}, after {} iterations{}",
                               h, end, sqpReport_.residual, sqpReport_.infeasibility,
                               sqpReport_.iterations,
                               settings_.rule == ImplicitRule::quasiStatic
                                 ? "; is every body held, by supports or by what it touches?"
                                 : ""));
  }

  //! False if the solver does not find the end of the step
  template<int dim>
  bool ImplicitStepper<dim>::tryStep(ContactSqp<dim>& sqp, bool simplified, const State& from,
                                     double h, double end, State& state, StepReport& report)
  {
    ImplicitProblem<dim> problem(model_, settings_.rule, from, h, end, simplified);
    NodeVector<dim> z = problem.predictor();
    sqpReport_ = sqp.solve(problem, z, state.history[pressureBlock].values);
    report.solve.iterations += sqpReport_.iterations;
    report.solve.cycles += sqpReport_.cycles;
    if (!sqpReport_.converged)
      return false;
    report.solve.residual = std::max(report.solve.residual, sqpReport_.residual);
    problem.configuration(z, state.q);
    if (settings_.rule != ImplicitRule::quasiStatic)
      problem.velocities(z, state.p);
    state.time = end;
    book(problem, z, from, state, h, report);
    if (settings_.returnedEnergy > 0)
      returnEnergy(from, state);
    return true;
  }

  /* Work of contact mu.B D, of loads f.D and of prescribed dofs R.D. What is left of the change of
   * energy is the defect of the stress at the midpoint, W(z) - W(x) - W'((x+z)/2).D. */
  template<int dim>
  void ImplicitStepper<dim>::book(ImplicitProblem<dim>& problem, const NodeVector<dim>& z,
                                  const State& from, State& to, double h, StepReport& report)
  {
    NodeVector<dim> R(z.size());
    SignoriniConstraints<dim> constraints;
    problem.constraints(z, constraints);
    problem.residual(z, R);
    const std::vector<double> D = problem.increment(z);
    accountContacts(constraints, D, to, h, report);
    const std::vector<double>& mu = to.history[pressureBlock].values;
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      for (const auto& [node, value] : constraints.row(p))
        R[node].axpy(-mu[constraints[p].multiplier], value);
      slack_ += mu[constraints[p].multiplier] * std::abs(constraints[p].value);
    }
    if (settings_.rule == ImplicitRule::quasiStatic)
      return accountStatic(from, to, h);
    for (std::size_t i = 0; i < D.size(); ++i) {
      const double r = R[i / dim][i % dim];
      to.ledger.externalWork += problem.externalLoad()[i] * D[i];
      if (model_.isFixed(i))
        to.ledger.externalWork += r * D[i]; // what holds it, contact apart
      else
        slack_ += std::abs(r * D[i]);
    }
    if (settings_.rule == ImplicitRule::dissipative)
      return;
    for (const auto& member : model_.members) {
      const ConstSpan u0 = member.slice(ConstSpan(from.q)), u1 = member.slice(ConstSpan(to.q));
      std::vector<double> force(u0.size(), 0);
      member.body->addMidpointForce(u0, u1, 1, force);
      to.ledger.stepWork += member.body->storedEnergy(u1) - member.body->storedEnergy(u0) -
                            (dot(force, u1) - dot(force, u0));
    }
  }

  //! Impulses, which are the step times the forces, the forces of the nodes for pictures, and for
  //! midpoint rules the work of contact
  template<int dim>
  void ImplicitStepper<dim>::accountContacts(const SignoriniConstraints<dim>& constraints,
                                             ConstSpan D, State& to, double h,
                                             StepReport& report) const
  {
    std::vector<double>& force = to.history[forceBlock].values;
    std::fill(force.begin(), force.end(), 0);
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const double pressure = to.history[pressureBlock].values[constraints[p].multiplier];
      if (pressure == 0)
        continue;
      const std::size_t contact = model_.contactOf(constraints[p].multiplier);
      const auto& coupling = model_.geometry(contact);
      const auto drive =
        coupling.obstacleDisplacement(to.time) - coupling.obstacleDisplacement(to.time - h);
      const std::size_t body = coupling.surface().body;
      ++report.contacts;
      Vec3 impulse(0);
      double work = 0, driven = 0;
      for (const auto& [node, value] : constraints.row(p))
        for (int c = 0; c < dim; ++c) {
          driven += pressure * value[c] * drive[c];
          work += pressure * value[c] * D[node * dim + c];
          if (model_.members[body].has(node))
            impulse[c] += h * pressure * value[c];
        }
      force[constraints[p].multiplier] = impulse.two_norm() / h;
      if (settings_.rule != ImplicitRule::quasiStatic) {
        to.ledger.contactWork += work - driven;
        to.ledger.externalWork += driven;
      }
      report.pairImpulse[contact] += impulse.two_norm();
      report.impulse += impulse;
      report.bodyImpulse[body] += impulse;
      if (coupling.secondBody())
        report.bodyImpulse[*coupling.secondBody()] -= impulse;
    }
  }

  //! Work 1/2 mu.c' (D - drive) with multipliers and gaps of one end of a step; their force is
  //! taken from r
  template<int dim>
  void ImplicitStepper<dim>::accountStaticContacts(const State& at, const State& from, State& to,
                                                   double h, std::vector<double>& r) const
  {
    WeightedGaps<dim> gaps;
    model_.gaps(at.time, at.q, gaps);
    for (std::size_t p = 0; p < gaps.size(); ++p) {
      const double pressure = at.history[pressureBlock].values[gaps[p].multiplier];
      const auto& coupling = model_.geometry(model_.contactOf(gaps[p].multiplier));
      const auto drive =
        coupling.obstacleDisplacement(to.time) - coupling.obstacleDisplacement(to.time - h);
      for (const auto& [node, value] : gaps.derivative(p))
        for (int c = 0; c < dim; ++c) {
          const std::size_t i = node * dim + c;
          to.ledger.contactWork += 0.5 * pressure * value[c] * (to.q[i] - from.q[i] - drive[c]);
          to.ledger.externalWork += 0.5 * pressure * value[c] * drive[c];
          r[i] -= pressure * value[c];
        }
    }
  }

  /* Static step: all works by the trapezoidal rule. With r = W' - gravity - load - c'^T mu at both
   * ends
   *
   *     E^{n+1} - E^n = 1/2 (loads + contact + r) . D + (W(z) - W(x) - 1/2 (W'(x) + W'(z)).D).
   *
   * On fixed components r is what holds or moves them. On the others it is zero at the end, and at
   * the beginning if that is an equilibrium; its work and the last bracket are the defect of the
   * step. */
  template<int dim>
  void ImplicitStepper<dim>::accountStatic(const State& from, State& to, double h)
  {
    accountStaticEnd(from, from, to, h);
    accountStaticEnd(to, from, to, h);
    for (const auto& member : model_.members)
      to.ledger.stepWork += member.body->storedEnergy(member.slice(ConstSpan(to.q))) -
                            member.body->storedEnergy(member.slice(ConstSpan(from.q)));
  }

  //! The part of one end of the step
  template<int dim>
  void ImplicitStepper<dim>::accountStaticEnd(const State& at, const State& from, State& to,
                                              double h)
  {
    std::vector<double> load(to.q.size(), 0), r(to.q.size(), 0);
    SparseVector force;
    for (const auto& interaction : model_.system.interactions())
      interaction->addForce(at.time, at.q, force);
    addTo(force, 1, load);
    for (const auto& member : model_.members) {
      const ConstSpan u = member.slice(ConstSpan(at.q));
      member.body->addMidpointForce(u, u, 1, member.slice(Span(r)));
    }
    to.ledger.stepWork -= 0.5 * (dot(r, to.q) - dot(r, from.q));
    for (const auto& member : model_.members)
      member.body->addGravity(-1, member.slice(Span(r)));
    addTo(force, -1, r);
    accountStaticContacts(at, from, to, h, r);
    for (std::size_t i = 0; i < to.q.size(); ++i) {
      const double half = 0.5 * (to.q[i] - from.q[i]);
      to.ledger.externalWork += (load[i] + (model_.isFixed(i) ? r[i] : 0)) * half;
      if (model_.isFixed(i))
        continue;
      if (&at == &from)
        to.ledger.stepWork += r[i] * half;
      else
        slack_ += std::abs(r[i] * half);
    }
  }

  template<int dim>
  void ImplicitStepper<dim>::returnEnergy(const State& from, State& to) const
  {
    WeightedGaps<dim> before, after;
    model_.gaps(from.time, from.q, before);
    model_.gaps(to.time, to.q, after);
    const std::vector<double>& mu = to.history[pressureBlock].values;
    double loss = 0;
    for (std::size_t p = 0; p < before.size(); ++p)
      loss += mu[before[p].multiplier] * std::max(0.0, before[p].value);
    if (!(loss > 0))
      return;
    std::vector<double> w(to.p.size(), 0), y(to.p.size(), 0);
    for (std::size_t p = 0; p < after.size(); ++p)
      for (const auto& [node, value] : after.derivative(p))
        for (int c = 0; c < dim; ++c)
          if (!model_.isFixed(node * dim + c))
            w[node * dim + c] += mu[after[p].multiplier] * value[c];
    model_.system.velocity(to.q, w, y);
    const double a = 0.5 * dot(w, y), b = dot(w, to.p), c = settings_.returnedEnergy * loss;
    const double root = std::sqrt(b * b + 4 * a * c);
    const double alpha = b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
    for (std::size_t i = 0; i < y.size(); ++i)
      to.p[i] += alpha * y[i];
    to.ledger.contactWork += c;
  }

  template<int dim>
  Record ImplicitStepper<dim>::record(const State&, const State& to) const
  {
    Record record;
    record.step = to.step;
    record.time = to.time;
    std::vector<double> p(to.p.size());
    model_.momentum(to.q, to.p, p);
    record.kinetic = 0.5 * dot(p, to.p);
    record.stored = model_.system.potentials(to.time, to.q);
    record.momenta = model_.momenta(to.q, p);
    record.dissipated = to.ledger.shownDissipation;
    record.externalWork = to.ledger.shownExternalWork;
    return record;
  }

  template<int dim>
  std::vector<std::string> ImplicitStepper<dim>::contactSurfaces() const
  {
    std::vector<std::string> names;
    for (const auto& contact : model_.contacts)
      names.push_back(contact.name);
    return names;
  }

  template<int dim>
  std::vector<MethodStatistic> ImplicitStepper<dim>::statistics(const State& state) const
  {
    return {{"steps_with_exact_derivatives", state.history[exactBlock].values[0]}};
  }

  template<int dim>
  void ImplicitStepper<dim>::sampleContacts(const State&, const State& to,
                                            std::vector<VisualizationData>& visuals) const
  {
    const std::vector<double>& forces = to.history[forceBlock].values;
    for (std::size_t k = 0; k < model_.contacts.size(); ++k) {
      const auto& coupling = model_.geometry(k);
      WeightedGaps<dim> gaps;
      coupling.addGaps(to.time, to.q, 0, gaps);
      const ConstSpan own(forces.data() + model_.multiplierBegin[k], coupling.multipliers());
      visuals.push_back(contactSnapshot(coupling, to.q, gaps, own));
    }
  }

  template class ImplicitStepper<2>;
  template class ImplicitStepper<3>;

} // namespace Dune::Impact
