// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dune/impact/body/rigidmotions.hh>
#include <dune/impact/contact/mortar/contactsnapshot.hh>
#include <dune/impact/timestep/dividedstep.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>
#include <dune/impact/timestep/midpoint/midpointhistory.hh>

namespace Dune::Impact {

  namespace {

    constexpr int freezeAfter = 40; // iterations whose bounds of friction do not settle

    SqpSettings withExactDerivatives(SqpSettings settings)
    {
      settings.exactJacobian = settings.curvature = true;
      return settings;
    }

    //! The smallest gap of each contact as a distance
    template<int dim>
    void reportGaps(const ImplicitModel<dim>& model, const WeightedGaps<dim>& gaps,
                    StepReport& report)
    {
      for (std::size_t p = 0; p < gaps.size(); ++p) {
        double& smallest = report.contact[model.contactOf(gaps[p].multiplier)].gap;
        smallest = std::min(smallest, gaps[p].value / gaps[p].weight);
      }
      report.findMinGap();
    }

    //! The gaps with multipliers in [begin, end), counted from zero
    template<int dim>
    WeightedGaps<dim> gapsBetween(const WeightedGaps<dim>& gaps, std::size_t begin, std::size_t end)
    {
      WeightedGaps<dim> result;
      for (std::size_t p = 0; p < gaps.size(); ++p)
        if (gaps[p].multiplier >= begin && gaps[p].multiplier < end) {
          auto gap = gaps[p];
          gap.multiplier -= begin;
          result.add(gap, gaps.derivative(p), gaps.mortar(p), gaps.shares(p));
        }
      return result;
    }

  } // namespace

  template<int dim>
  ImplicitStepper<dim>::ImplicitStepper(const System& system, const std::vector<Contact>& contacts,
                                        const Settings& settings)
    : model_(system, contacts, settings.rule->name())
    , workspace_(model_)
    , settings_(settings)
    , sqp_(settings.sqp, settings.inner)
    , exactSqp_(withExactDerivatives(settings.sqp), settings.inner)
  {
    refuseFriction(contacts);
    if (settings.multigrid)
      sqp_.setTransfers(model_.transfers(settings.factorNodes));
    if (!settings.rule->hasInertia())
      watchMotion();
    if (!(settings_.minStep > 0))
      settings_.minStep = settings_.step / 64;
  }

  //! Rules without a balance of energy of friction, and exact rows, have none
  template<int dim>
  void ImplicitStepper<dim>::refuseFriction(const std::vector<Contact>& contacts) const
  {
    for (const Contact& contact : contacts) {
      if (!(contact.law.friction > 0))
        continue;
      if (!settings_.rule->allowsFriction())
        throw ContactRefused(
          contact.name, "friction",
          fmt::format("{} cannot handle the friction of contact.{}: with it no balance of energy "
                      "would hold; dissipative-midpoint and quasi-static have friction",
                      settings_.rule->name(), contact.name));
      if (settings_.sqp.exactJacobian)
        throw ContactRefused(
          contact.name, "friction",
          fmt::format("needs solver.jacobian = decoupled, the solver of contact.{} with friction",
                      contact.name));
    }
  }

  /* Without inertia a body that neither supports nor contacts hold is moved further in every
   * iteration, and the radius of the SQP, which doubles when it is reached, follows. Far beyond the
   * size of the system that is the end, for shorter steps too. */
  template<int dim>
  void ImplicitStepper<dim>::watchMotion()
  {
    constexpr double far = 1000; // sizes of the system
    const State initial = model_.system.initialState();
    std::string names;
    double size = 0;
    for (std::size_t b = 0; b < model_.members.size(); ++b) {
      if (freeRigidMotions(model_.system, std::array{b}, initial.q).cols() > 0)
        names += (names.empty() ? "" : ", ") + model_.system.body(b).name();
      for (const auto& node : model_.members[b].body->mesh().nodes)
        size = std::max(size, (node - model_.members[0].body->mesh().nodes[0]).two_norm());
    }
    if (names.empty())
      return;
    const auto observer = [names, limit = far * size](const SqpTrial& trial) {
      if (trial.radius > limit)
        throw IndivisibleStep(fmt::format(
          "there is no equilibrium, the iterations move a body away without end; held by contact "
          "at best: {}",
          names));
    };
    sqp_.setObserver(observer);
    exactSqp_.setObserver(observer);
  }

  //! What is not finite at the first guess of a step: the first of positions, velocities,
  //! deformation, loads, masses, forces and gaps
  template<int dim>
  std::string ImplicitStepper<dim>::notFinite(const State& from, double h, double end)
  {
    const auto finite = [](ConstSpan x) {
      return std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
    };
    ImplicitProblem<dim> problem(model_, *settings_.rule, workspace_, from, h, end);
    const NodeVector<dim> z = problem.predictor();
    NodeVector<dim> R(z.size());
    problem.residual(z, R);
    const ConstSpan zs(data<dim>(z), z.size() * dim), r(data<dim>(R), R.size() * dim);
    for (std::size_t b = 0; b < model_.members.size(); ++b) {
      const ImplicitMember<dim>& member = model_.members[b];
      const std::string& name = model_.system.body(b).name();
      std::vector<double> mass(member.nodes() * dim, 0), ones(mass.size(), 1);
      member.body->addMassProduct(1, ones, mass);
      if (!finite(member.slice(ConstSpan(from.q))))
        return "the positions of " + name;
      if (!finite(member.slice(ConstSpan(from.p))))
        return "the velocities of " + name;
      if (!finite(mass))
        return "the masses of " + name;
      if (!finite(member.slice(problem.externalLoad())))
        return "the loads on " + name;
      if (!std::isfinite(member.body->storedEnergy(member.slice(zs))))
        return "the elastic energy of " + name +
               " (its material or the motion of the first guess, which turns cells inside out,)";
      if (!finite(member.slice(r)))
        return "the forces of " + name;
    }
    WeightedGaps<dim> gaps;
    std::vector<double> q(from.q.size());
    problem.configuration(z, q);
    model_.gaps(end, q, gaps);
    for (std::size_t p = 0; p < gaps.size(); ++p)
      if (!std::isfinite(gaps[p].value))
        return "a gap of contact." + model_.contactName(model_.contactOf(gaps[p].multiplier));
    return model_.rigid.empty() ? "a force of contact" : "the motion of a rigid body";
  }

  //! The state carries velocities in p, not momenta; without inertia those of solids are
  //! zero.
  template<int dim>
  State ImplicitStepper<dim>::start(const State& initial, StepReport& report)
  {
    State state = initial;
    std::fill(state.p.begin(), state.p.end(), 0);
    if (settings_.rule->hasInertia())
      for (const auto& member : model_.members)
        member.body->initialVelocity(member.slice(Span(state.p)));
    for (const ImplicitRigid& one : model_.rigid)
      if (one.member == 0)
        one.body->velocity(
          ConstSpan(state.q).subspan(one.configuration, one.body->configurationSize()),
          ConstSpan(initial.p).subspan(one.node * dim, one.body->velocitySize()),
          Span(state.p).subspan(one.node * dim, one.body->velocitySize()));
    const std::size_t multipliers = model_.multiplierBegin.back();
    MidpointHistory::create(
      state, multipliers,
      model_.hasFriction()
        ? std::pair(multipliers * dim, model_.nodeCount() * dim + model_.contactCount() * dim)
        : std::pair<std::size_t, std::size_t>(0, 0));
    report.begin(model_.system.bodyCount(), model_.contactCount(), settings_.step);
    reportGaps(model_, workspace_.current.at(model_, 0, state.q), report);
    return state;
  }

  //! A step that is not solved is halved, down to minStep; slack_ then loses what the failed part
  //! has added.
  template<int dim>
  void ImplicitStepper<dim>::step(const State& from, State& to, StepReport& report)
  {
    to = from;
    report.begin(model_.system.bodyCount(), model_.contactCount(), settings_.step);
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
    reportGaps(model_, workspace_.current.at(model_, to.time, to.q), report);
    to.ledger.showAll();
  }

  // Without inertia exact derivatives can lead to equilibria that are not minima: there they come
  // last, for steps that are not halved any more
  template<int dim>
  bool ImplicitStepper<dim>::hasExactTry(double h) const
  {
    return (settings_.rule->hasInertia() || 0.5 * h < settings_.minStep) &&
           model_.contactCount() > 0 && !model_.hasFriction() &&
           !(settings_.sqp.exactJacobian && settings_.sqp.curvature) &&
           model_.nodeCount() <= settings_.exactNodes;
  }

  // Bounds of friction that do not settle are frozen in steps that are not halved any more:
  // Coulomb's law is then missed by a little, the balance of energy and the momenta are not
  template<int dim>
  bool ImplicitStepper<dim>::hasFrozenTry(double h) const
  {
    return model_.hasFriction() && 0.5 * h < settings_.minStep;
  }

  //! First with the derivatives of the settings, then with the exact Jacobian and curvature of the
  //! gaps, where hasExactTry() allows it.
  template<int dim>
  void ImplicitStepper<dim>::solveStep(State& state, double h, double end, StepReport& report)
  {
    const State from = state;
    if (tryStep(sqp_, !settings_.sqp.exactJacobian, from, h, end, state, report))
      return;
    if (hasExactTry(h)) {
      state = from;
      if (tryStep(exactSqp_, false, from, h, end, state, report)) {
        ++MidpointHistory::exactSteps(state);
        return;
      }
    }
    if (hasFrozenTry(h)) {
      state = from;
      sqp_.setFreezing(freezeAfter);
      const bool solved = tryStep(sqp_, true, from, h, end, state, report);
      sqp_.setFreezing(std::numeric_limits<int>::max());
      if (solved)
        return;
    }
    if (!std::isfinite(sqpReport_.residual))
      throw RunError(
        fmt::format("the step of length {:.3g} to time {:.6g} cannot begin: {} would not be finite",
                    h, end, notFinite(from, h, end)));
    throw RunError(fmt::format(
      "the step of length {:.3g} to time {:.6g} was not solved: residual "
      "{:.2g} of the forces, overlap {:.2g}, after {} iterations{}",
      h, end, sqpReport_.residual, sqpReport_.infeasibility, sqpReport_.iterations,
      settings_.rule->hasInertia() ? ""
                                   : "; is every body held, by supports or by what it touches?"));
  }

  //! False if the solver does not find the end of the step
  template<int dim>
  bool ImplicitStepper<dim>::tryStep(ContactSqp<dim>& sqp, bool simplified, const State& from,
                                     double h, double end, State& state, StepReport& report)
  {
    ImplicitProblem<dim> problem(model_, *settings_.rule, workspace_, from, h, end, simplified);
    NodeVector<dim> z = problem.predictor();
    std::vector<FieldVector<double, dim>> tangential(model_.multiplierBegin.back(),
                                                     FieldVector<double, dim>(0));
    std::vector<double>& l = MidpointHistory::tangential(state);
    for (std::size_t i = 0; i < l.size(); ++i)
      tangential[i / dim][i % dim] = l[i];
    sqpReport_ = sqp.solve(problem, z, MidpointHistory::pressure(state), tangential);
    for (std::size_t i = 0; i < l.size(); ++i)
      l[i] = tangential[i / dim][i % dim];
    report.solve.iterations += sqpReport_.iterations;
    report.solve.cycles += sqpReport_.cycles;
    if (!sqpReport_.converged)
      return false;
    report.solve.residual = std::max(report.solve.residual, sqpReport_.residual);
    problem.configuration(z, state.q);
    if (settings_.rule->hasInertia())
      problem.velocities(z, state.p);
    state.time = end;
    MidpointHistory::directSteps(state) += sqpReport_.direct;
    MidpointHistory::shiftedSteps(state) += sqpReport_.shifted;
    MidpointHistory::frozenSteps(state) += sqpReport_.frozen;
    MidpointHistory::frictionDefect(state) =
      std::max(MidpointHistory::frictionDefect(state), sqpReport_.frictionDefect);
    accountWork(problem, z, from, state, h, report);
    return true;
  }

  //! Takes the contact forces from the residual, and leaves the works to the rule
  template<int dim>
  void ImplicitStepper<dim>::accountWork(ImplicitProblem<dim>& problem, const NodeVector<dim>& z,
                                         const State& from, State& to, double h, StepReport& report)
  {
    NodeVector<dim> R(z.size());
    SignoriniConstraints<dim> constraints;
    problem.constraints(z, constraints);
    problem.residual(z, R);
    const std::vector<double> D = problem.increment(z);
    reportContacts(constraints, to, h, report);
    const std::vector<double>& mu = MidpointHistory::pressure(to);
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      for (const auto& [node, value] : constraints.row(p))
        R[node].axpy(-mu[constraints[p].multiplier], value);
      slack_ += mu[constraints[p].multiplier] * std::abs(constraints[p].value);
    }
    if (model_.hasFriction())
      reportFriction(constraints, to, h, report, R);
    AcceptedStep<dim> step{model_, from,      to, h, constraints, D, R, problem.externalLoad(),
                           slack_, workspace_};
    settings_.rule->accountWork(step);
  }

  //! Impulses, which are the step times the forces, and the forces of the nodes for pictures
  template<int dim>
  void ImplicitStepper<dim>::reportContacts(const SignoriniConstraints<dim>& constraints, State& to,
                                            double h, StepReport& report) const
  {
    std::vector<double>& force = MidpointHistory::force(to);
    std::fill(force.begin(), force.end(), 0);
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const double pressure = MidpointHistory::pressure(to)[constraints[p].multiplier];
      if (pressure == 0)
        continue;
      const std::size_t contact = model_.contactOf(constraints[p].multiplier);
      const auto& geometry = model_.geometry(contact);
      const std::size_t body = geometry.surface().body;
      report.countPoint(contact, constraints[p].multiplier);
      Vec3 impulse(0);
      for (const auto& [node, value] : constraints.row(p))
        if (model_.members[body].has(node))
          for (int c = 0; c < dim; ++c)
            impulse[c] += h * pressure * value[c];
      const std::size_t node =
        geometry.multiplierNode(constraints[p].multiplier - model_.multiplierBegin[contact]);
      force[constraints[p].multiplier] = impulse.two_norm() / h;
      report.pairImpulse[contact] += impulse.two_norm();
      report.contact[contact].impulse += impulse;
      report.contact[contact].nodes.push_back(
        {geometry.surface().node[node] - model_.members[body].node, impulse.two_norm()});
      report.impulse += impulse;
      report.bodyImpulse[body] += impulse;
      if (const auto second = geometry.secondBody())
        report.bodyImpulse[*second] -= impulse;
    }
  }

  /* Friction forces F = T^T l: taken from R, kept in the state, and reported. A point slides if its
   * slip is not one of rounding; the law of Coulomb alone would not tell. */
  template<int dim>
  void ImplicitStepper<dim>::reportFriction(const SignoriniConstraints<dim>& constraints, State& to,
                                            double h, StepReport& report, NodeVector<dim>& R)
  {
    constexpr double moves = 1e-9; // slip over the length of the mesh
    std::vector<double>& force = MidpointHistory::frictionForce(to);
    const std::vector<double>& l = MidpointHistory::tangential(to);
    std::fill(force.begin(), force.end(), 0);
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const auto& constraint = constraints[p];
      const double mu = MidpointHistory::pressure(to)[constraint.multiplier];
      if (!(constraint.friction > 0) || !(mu > 0))
        continue;
      FieldVector<double, dim> own;
      for (int c = 0; c < dim; ++c)
        own[c] = l[constraint.multiplier * dim + c];
      const std::size_t contact = model_.contactOf(constraint.multiplier);
      const std::size_t body = model_.geometry(contact).surface().body;
      Vec3 impulse(0);
      for (const auto& [node, value] : constraints.friction(p)) {
        FieldVector<double, dim> F(0);
        value.umtv(own, F);
        R[node] -= F;
        for (int c = 0; c < dim; ++c) {
          force[node * dim + c] += F[c];
          if (model_.members[body].has(node)) {
            force[model_.nodeCount() * dim + contact * dim + c] += F[c];
            impulse[c] += h * F[c];
          }
        }
      }
      ContactReport& one = report.contact[contact];
      ++(constraint.slip.two_norm() > moves * model_.length * constraint.length ? one.sliding
                                                                                : one.sticking);
      one.frictionWork += own * constraint.slip;
      one.impulse += impulse;
      report.impulse += impulse;
      report.bodyImpulse[body] += impulse;
      if (const auto second = model_.geometry(contact).secondBody())
        report.bodyImpulse[*second] -= impulse;
      slack_ +=
        std::abs(own * constraint.slip + constraint.friction * mu * constraint.slip.two_norm());
    }
  }

  //! T = 1/2 v.M v and the potentials, both at the end of the step
  template<int dim>
  Record ImplicitStepper<dim>::record(const State&, const State& to) const
  {
    Record record = Record::of(to);
    std::vector<double> p(to.p.size());
    model_.momentum(to.q, to.p, p);
    record.kinetic = 0.5 * dot(p, to.p);
    record.stored = model_.system.potentials(to.time, to.q);
    record.momenta = model_.momenta(to.q, p);
    return record;
  }

  template<int dim>
  std::vector<std::string> ImplicitStepper<dim>::contactSurfaces() const
  {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < model_.contactCount(); ++k)
      names.push_back(model_.contactName(k));
    return names;
  }

  template<int dim>
  std::vector<MethodStatistic> ImplicitStepper<dim>::statistics(const State& state) const
  {
    std::vector<MethodStatistic> all{
      {"steps_with_exact_derivatives", MidpointHistory::exactSteps(state)},
      {"steps_with_direct_solver", MidpointHistory::directSteps(state)},
      {"steps_with_shifted_matrix", MidpointHistory::shiftedSteps(state)}};
    if (model_.hasFriction()) {
      all.push_back({"steps_with_frozen_friction", MidpointHistory::frozenSteps(state)});
      all.push_back({"largest_defect_of_friction", MidpointHistory::frictionDefect(state)});
    }
    return all;
  }

  //! Gaps of the end of the step are evaluated anew only if the workspace holds other ones.
  //! Multipliers are shown such that a force is lambda c', whatever the point of the gap.
  template<int dim>
  void ImplicitStepper<dim>::sampleContacts(const State&, const State& to,
                                            std::vector<VisualizationData>& visuals) const
  {
    const std::vector<double>& forces = MidpointHistory::force(to);
    EvaluatedGaps<dim> own;
    const bool known = workspace_.current.holds(model_, to.time, to.q);
    const auto& gaps = known ? workspace_.current.gaps() : own.at(model_, to.time, to.q);
    std::vector<double> multipliers = MidpointHistory::pressure(to);
    if (settings_.rule->gapPoint() == StepPoint::middle)
      for (double& multiplier : multipliers)
        multiplier *= 0.5;
    for (std::size_t k = 0; k < model_.contactCount(); ++k) {
      const std::size_t begin = model_.multiplierBegin[k], end = model_.multiplierBegin[k + 1];
      visuals.push_back(contactSnapshot(model_.geometry(k), to.q, gapsBetween(gaps, begin, end),
                                        ConstSpan(forces).subspan(begin, end - begin),
                                        ConstSpan(multipliers).subspan(begin, end - begin)));
    }
  }

  template class ImplicitStepper<2>;
  template class ImplicitStepper<3>;

} // namespace Dune::Impact
