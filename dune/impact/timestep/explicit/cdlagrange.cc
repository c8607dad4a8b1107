// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/law/rccm.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>
#include <dune/impact/timestep/explicit/criticalstep.hh>

namespace Dune::Impact {

  namespace {

    // What the method carries in addition to q and p
    constexpr HistoryBlock stepBlock{0, "step"}, impulseBlock{1, "impulse"};
    constexpr HistoryBlock damageBlock{2, "damage"}; // only where there is adhesion

    // entries of the step block
    enum : std::size_t { nextStep, eventContact, targetEnergy, stepNumbers };

    double& entry(State& state, std::size_t i)
    {
      return stepBlock(state)[i];
    }
    double entry(const State& state, std::size_t i)
    {
      return stepBlock(state)[i];
    }

  } // namespace

  CDLagrange::CDLagrange(const System& system, const std::vector<Contact>& contacts, int dimension,
                         const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , impulses_(system, contacts, dimension)
    , masslessNumber_(masslessNumbers(system, contacts))
    , force_(system.velocitySize())
  {
    requireImpulsePoints(contacts, "cd-lagrange", true);
    impulses_.setTolerance(settings.contactTolerance);
    impulses_.setStop(settings.stop);
    damageBegin_.push_back(0);
    for (const Contact& contact : contacts) {
      const auto* interface = bonds_.emplace_back(contact.geometry.find<RccmInterface>());
      damageBegin_.push_back(damageBegin_.back() + (interface ? interface->size() : 0));
    }
  }

  //! Initial momenta belong to t_0, and half a kick leads to p_{1/2} = p_0 + 1/2 h F(q_0) + G^T r;
  //! without halfStepStart they are p_{1/2} already.
  State CDLagrange::start(const State& initial, StepReport& report)
  {
    State from = initial;
    from.history.clear();
    stepBlock.create(from, std::vector<double>(stepNumbers, 0));
    impulseBlock.create(from, {});
    entry(from, eventContact) = -1;
    if (damageBegin_.back() > 0)
      damageBlock.create(from, std::vector<double>(damageBegin_.back(), 0));
    State to = from;
    if (settings_.halfStepStart)
      kickAt(0, from, to, report);
    else {
      report.begin(system_.bodyCount(), contacts_.size(), 0);
      impulses_.collect({to.time, 0, settings_.step}, to.q, settings_.gapTolerance);
      impulses_.reportGaps(report);
      accountMasslessContacts(0, to, report);
      entry(to, nextStep) = settings_.step;
      system_.setMotionMomenta(to.time, timeAfter(to, settings_.step), settings_.step, to.q, to.p);
    }
    return to;
  }

  void CDLagrange::copyFrame(const State& from, State& to) const
  {
    to.q.resize(from.q.size());
    to.p.resize(from.p.size());
    to.history = from.history;
    to.ledger = from.ledger;
    to.step = from.step + 1;
  }

  /* Drift to t_{k+1} and kick there. If all points have mass and the next step is h as well, the
   * weight h of the forces is known before the drift, and one pass over the bodies does both. */
  void CDLagrange::step(const State& from, State& to, StepReport& report)
  {
    copyFrame(from, to);
    const double h = entry(from, nextStep);
    to.time = timeAfter(from, h);
    to.ledger.showAll();
    const bool simple = settings_.landing == EventStep::none && !settings_.adaptiveEnergy &&
                        system_.masslessContacts().empty();
    if (simple && !estimateAt(to.step)) {
      system_.driftKick(from.q, from.p, h, to.time, h, to.q, to.p);
      damageInterfaces(h, from, to);
      addInterfaces(h, to, to.p);
      report.begin(system_.bodyCount(), contacts_.size(), 0);
      contactAndMotions(h, {h}, h, from.p, to, report);
      return;
    }
    drift(h, long(entry(from, eventContact)), from, to);
    accountSwitches(from, to);
    damageInterfaces(h, from, to);
    kickAt(h, from, to, report);
  }

  //! q_{k+1} = q_k + h M^{-1} p_{k+1/2}. The overlap of the massless contact whose event ends the
  //! step is set to zero exactly.
  void CDLagrange::drift(double h, long massless, const State& from, State& to) const
  {
    system_.driftTo(to.time, from.q, from.p, h, to.q, to.p);
    if (massless >= 0) {
      system_.masslessContacts()[massless]->closeExactly(to.time, to.q);
      system_.placeMasslessNodes(to.time, to.q);
    }
  }

  /* The kick at the instant of `to`, whose positions are known and whose momenta are those before
   * the kick. The step before has the length `before` (zero at the start). */
  void CDLagrange::kickAt(double before, const State& from, State& to, StepReport& report)
  {
    report.begin(system_.bodyCount(), contacts_.size(), 0);
    std::fill(force_.begin(), force_.end(), 0);
    system_.addForce(to.time, to.q, 1, force_);
    addInterfaces(1, to, force_);
    const Next next = chooseStep(before, from, to);
    entry(to, nextStep) = next.step;
    entry(to, eventContact) = double(next.massless);
    to.ledger.eventSteps += next.massless >= 0;

    const double weight = 0.5 * (before + next.step);
    for (std::size_t i = 0; i < force_.size(); ++i)
      to.p[i] += weight * force_[i];
    contactAndMotions(before, next, weight, from.p, to, report);
    if (before > 0 && next.step != before)
      accountStepChange(next.step - before, from.p, to);
  }

  /* Energy defect of a change of step: -1/4 (h+ - h-) F . (v+ - v-) with the forces F that store
   * energy; without contact and loads v+ - v- = 1/2 (h+ + h-) M^{-1} F. */
  void CDLagrange::accountStepChange(double change, ConstSpan pBefore, State& to)
  {
    SparseVector load;
    for (const auto& interaction : system_.interactions())
      if (interaction->external())
        interaction->addForce(to.time, to.q, load);
    addTo(load, -1, force_);
    std::vector<double> acceleration(force_.size());
    system_.velocity(to.q, force_, acceleration);
    double product = 0;
    for (std::size_t i = 0; i < force_.size(); ++i)
      product += acceleration[i] * (to.p[i] - pBefore[i]);
    to.ledger.stepWork -= 0.25 * change * product;
  }

  /* Contact impulses, prescribed motions and all works of a kick. The momenta of prescribed dofs
   * are set before the contact problem, so that contact meets their velocity; what impulses then
   * add to them is removed and belongs to the reaction. */
  void CDLagrange::contactAndMotions(double before, const Next& next, double weight,
                                     ConstSpan pBefore, State& to, StepReport& report)
  {
    report.weight = weight;
    std::vector<double> reaction;
    if (!system_.motions().empty()) {
      for (const Motion& motion : system_.motions())
        reaction.push_back(-to.p[motion.velocity]);
      system_.setMotionMomenta(to.time, timeAfter(to, next.step), next.step, to.q, to.p);
    }
    const std::vector<double> set = reaction.empty() ? std::vector<double>{} : to.p;

    report.workFollows = true;
    impulses_.collect({to.time, before, next.step}, to.q, settings_.gapTolerance,
                      ContactPoints::Form::nodes);
    impulses_.reportGaps(report);
    impulses_.kick(to.q, pBefore, to.p, impulseBlock(to), report, to.ledger);

    // what holds a prescribed dof: J = (set - without) - contact; its work is 1/2 J (v- + v+)
    SparseVector velocity;
    for (std::size_t i = 0; i < reaction.size(); ++i) {
      const std::size_t dof = system_.motions()[i].velocity;
      reaction[i] += set[dof] - (to.p[dof] - set[dof]);
      to.p[dof] = set[dof];
      velocity.clear();
      system_.addVelocity(to.q, std::array{Entry{dof, reaction[i]}}, velocity);
      to.ledger.externalWork += 0.5 * (dot(velocity, pBefore) + dot(velocity, to.p));
    }
    accountMasslessContacts(weight, to, report);
    accountMovedObstacles(before, next.step, to);
    accountMovedInterfaces(before, next.step, to);
    accountLoads(weight, pBefore, to);
  }

  //! The impulse weight lambda of the force lambda of each massless contact; overlap is the
  //! deformation of its spring, so that its gap is never negative.
  void CDLagrange::accountMasslessContacts(double weight, const State& to, StepReport& report) const
  {
    for (std::size_t i = 0; i < masslessNumber_.size(); ++i) {
      const auto& massless = system_.masslessContacts()[i];
      ContactReport& contact = report.contact[masslessNumber_[i]];
      contact.gap = std::max(0.0, -massless->overlap(to.time, to.q));
      report.minGap = std::min(report.minGap, contact.gap);
      const double force = massless->force(to.time, to.q);
      if (force == 0)
        continue;
      ++report.contacts;
      report.pairImpulse[masslessNumber_[i]] += weight * force;
      const Vec3 impulse = massless->normal() * (weight * force);
      contact.impulse += impulse;
      report.impulse += impulse;
      report.bodyImpulse[massless->firstBody()] += impulse;
      if (massless->secondBody())
        report.bodyImpulse[*massless->secondBody()] -= impulse;
    }
  }

  /* A moved obstacle changes the overlap d(t, q) of a massless tip also while q rests; the force
   * lambda does the work 1/2 lambda (change before the instant + change after it). */
  void CDLagrange::accountMovedObstacles(double before, double after, State& to) const
  {
    for (const auto& massless : system_.masslessContacts())
      if (const double force = massless->force(to.time, to.q); force > 0)
        to.ledger.externalWork +=
          0.5 * force *
          (massless->overlap(to.time + after, to.q) - massless->overlap(to.time - before, to.q));
  }

  //! Work of loads: 1/2 (v- + v+) . weight F
  void CDLagrange::accountLoads(double weight, ConstSpan pBefore, State& to) const
  {
    SparseVector force, velocity;
    for (const auto& interaction : system_.interactions())
      if (interaction->external()) {
        force.clear();
        velocity.clear();
        interaction->addForce(to.time, to.q, force);
        system_.addVelocity(to.q, force, velocity);
        to.ledger.externalWork += 0.5 * weight * (dot(velocity, pBefore) + dot(velocity, to.p));
      }
  }

  /* A massless contact is a spring that acts on one side only. With overlaps d0, d1 of different
   * sign the interval stores nothing, while a spring that stayed as it is would store
   * 1/2 k d0 d1: that is the defect, of the kick at the end (onset) or at the beginning (release)
   * of the interval. */
  void CDLagrange::accountSwitches(const State& from, State& to) const
  {
    for (const auto& massless : system_.masslessContacts()) {
      const double d0 = massless->overlap(from.time, from.q), d1 = massless->overlap(to.time, to.q);
      const double product = 0.5 * massless->stiffness() * d0 * d1;
      if (d0 <= 0 && d1 > 0)
        to.ledger.switchWork += product;
      else if (d0 > 0 && d1 <= 0) {
        to.ledger.switchWork -= product;
        to.ledger.showContactLoss(product); // belongs to the kick before this interval
      }
    }
  }

  ConstSpan CDLagrange::damage(const State& state, std::size_t contact) const
  {
    if (state.history.size() <= damageBlock.place)
      return {};
    return ConstSpan(damageBlock(state))
      .subspan(damageBegin_[contact], damageBegin_[contact + 1] - damageBegin_[contact]);
  }

  /* The damage of the end of an interval, and what it does to the energy. With psi(q0, q1; alpha)
   * the energy of an interval and e(alpha) the defect of its bonds that open or close,
   *
   *     psi(q0, q1; alpha_0) - psi(q0, q1; alpha_1)   is lost by damage,
   *     1/2 e(alpha_0) belongs to the kick at its beginning, 1/2 e(alpha_1) to that at its end. */
  void CDLagrange::damageInterfaces(double h, const State& from, State& to) const
  {
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const RccmInterface* interface = bonds_[c];
      if (!interface)
        continue;
      const auto values = Span(damageBlock(to)).subspan(damageBegin_[c], interface->size());
      const auto before = interface->interval(from.time, from.q, to.time, to.q, values);
      interface->advance(to.time, to.q, h, values);
      const auto after = interface->interval(from.time, from.q, to.time, to.q, values);
      to.ledger.damageWork -= before.energy - after.energy;
      to.ledger.switchWork += 0.5 * (before.defect + after.defect);
      to.ledger.showContactLoss(before.energy - after.energy - 0.5 * before.defect);
    }
  }

  //! p -= weight d psi(q, alpha)/dq, the forces of adhesion
  void CDLagrange::addInterfaces(double weight, const State& to, Span p) const
  {
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (bonds_[c])
        bonds_[c]->addForce(to.time, to.q, damage(to, c), weight, p);
  }

  //! Work of moved obstacles on the bonds of adhesion, over both intervals at the instant
  void CDLagrange::accountMovedInterfaces(double before, double after, State& to) const
  {
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (bonds_[c])
        to.ledger.externalWork +=
          bonds_[c]->obstacleWork(to.time, to.time - before, to.time + after, to.q, damage(to, c));
  }

  CDLagrange::Next CDLagrange::chooseStep(double before, const State& from, State& to)
  {
    if (settings_.landing != EventStep::none)
      return chooseEventStep(before, long(entry(to, eventContact)), to);
    if (settings_.adaptiveEnergy && before > 0)
      return chooseEnergy(before, from, to);
    if (before > 0 && estimateAt(to.step))
      return chooseEstimated(before, to);
    return {before > 0 ? before : settings_.step};
  }

  /* The step from the critical step h_c at q_{k+1}. A given step may exceed h_c by a
   * thousandth. A step that follows is min(courant h_c, longestStep), and is kept as long as it is
   * at most 1 % longer or 10 % shorter than this and not above h_c: each change of step has an
   * energy defect, see accountStepChange(). */
  CDLagrange::Next CDLagrange::chooseEstimated(double before, const State& to) const
  {
    const ConstSpan values = damageBegin_.back() > 0 ? ConstSpan(damageBlock(to)) : ConstSpan{};
    const double critical = Impact::criticalStep(system_, contacts_, to.time, to.q, values);
    if (!follows()) {
      if (before > 1.001 * critical)
        throw RunError(
          fmt::format("the step {:.6g} is above the stability limit of the deformed bodies, {:.6g}",
                      before, critical));
      return {before};
    }
    const double wanted = std::min(settings_.courant * critical, settings_.longestStep);
    const bool tooLong = before > std::min(1.01 * wanted, critical),
               tooShort = before < 0.9 * wanted;
    return {tooLong || tooShort ? wanted : before};
  }

  /* The energy of the next interval as a function of its length, minus the energy of the first
   * interval and all work since then. Work before the first interval is not work since then. */
  CDLagrange::Next CDLagrange::chooseEnergy(double before, const State& from, State& to)
  {
    const auto work = [](const Ledger& ledger) {
      return ledger.contactWork + ledger.frictionWork + ledger.externalWork;
    };
    const double potential = system_.potentials(to.time, to.q).sum();
    double& target = entry(to, targetEnergy);
    if (from.step == 0)
      target = system_.kinetic(from.q, from.p) +
               0.5 * (system_.potentials(from.time, from.q).sum() + potential) - work(from.ledger);
    std::vector<double> q(to.q.size()), p(to.p.size());

    const auto defect = [&](double x) {
      trial_ = to;
      trialReport_.begin(system_.bodyCount(), contacts_.size(), 0);
      const double weight = 0.5 * (before + x);
      for (std::size_t i = 0; i < force_.size(); ++i)
        trial_.p[i] += weight * force_[i];
      contactAndMotions(before, {x}, weight, from.p, trial_, trialReport_);
      system_.driftTo(to.time + x, trial_.q, trial_.p, x, q, p);
      const double energy = system_.kinetic(trial_.q, trial_.p) +
                            0.5 * (potential + system_.potentials(to.time + x, q).sum());
      return energy - target - work(trial_.ledger);
    };
    const double scale = system_.kinetic(to.q, to.p) + std::abs(potential) + std::abs(target);
    if (const auto root = EnergyStep::nearest(
          defect, before, EnergyStep::window(before, settings_.step, settings_.criticalStep),
          1e-12 * scale))
      return {*root};
    to.ledger.noRoots += 1;
    return {settings_.step};
  }

  //! Energy of the interval [t_k, t_{k+1}]: T(p_{k+1/2}) and the potentials of the interval, for
  //! linear elasticity 1/2 u_k K u_{k+1}
  Record CDLagrange::record(const State& from, const State& to) const
  {
    Record record = Record::of(to);
    record.kinetic = system_.kinetic(from.q, from.p);
    record.stored = system_.intervalPotentials(from.time, from.q, to.time, to.q);
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (bonds_[c])
        record.stored.contact +=
          bonds_[c]->interval(from.time, from.q, to.time, to.q, damage(to, c)).energy;
    record.momenta = system_.momenta(from.q, from.p);
    return record;
  }

  std::vector<MethodStatistic> CDLagrange::statistics(const State& state) const
  {
    if (damageBegin_.back() == 0)
      return {};
    double broken = 0;
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (bonds_[c])
        for (double alpha : damage(state, c))
          broken += bonds_[c]->law().broken(alpha);
    return {{"damage_work", state.ledger.damageWork},
            {"bonds", double(damageBegin_.back())},
            {"broken_bonds", broken}};
  }

  //! Contacts with adhesion show their bonds
  std::vector<std::string> CDLagrange::contactSurfaces() const
  {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (bonds_[c])
        names.push_back(contacts_[c].name);
    return names;
  }

  void CDLagrange::sampleContacts(const State&, const State& to,
                                  std::vector<VisualizationData>& visuals) const
  {
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (const RccmInterface* interface = bonds_[c]) {
        std::vector<double> forces;
        for (std::size_t i = 0; i < interface->size(); ++i)
          forces.push_back(
            impulses_.normalImpulse(impulseBlock(to), c, interface->bond(i).multiplier) /
            entry(to, nextStep));
        visuals.push_back(interface->picture(to.time, to.q, damage(to, c), forces));
      }
  }

} // namespace Dune::Impact
