// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/timestep/rigid/energymomentum.hh>

namespace Dune::Impact {

  namespace {

    // Passes of an implicit step; passes in which impulses do not settle further before an
    // acceptable residual of the law of contact will do
    constexpr int maxPasses = 100, maxStalls = 4;

    // Impulses of an implicit step have converged if they change by less than the first part; by
    // less than the second if rounding keeps them from settling.
    constexpr double settled = 1e-15, nearlySettled = 1e-11;

    bool anyFriction(const std::vector<Contact>& contacts)
    {
      return std::any_of(contacts.begin(), contacts.end(),
                         [](const Contact& c) { return c.law.friction > 0; });
    }

    double largest(ConstSpan x)
    {
      double result = 0;
      for (double value : x)
        result = std::max(result, std::abs(value));
      return result;
    }

    /* Whether the impulses of implicit contact have been found, from their changes. Impulses of
     * redundant contacts need not settle: then the law decides, which they obey all the same. */
    class Convergence
    {
    public:
      //! Throws if there is no progress. lawHolds(strict) is asked if changes do not fall: for the
      //! tolerance, and for what is acceptable where that is missed again and again.
      template<class Law>
      bool reached(double change, double scale, Law&& lawHolds)
      {
        const bool falls = change < 0.5 * last_;
        bool done = change <= settled * scale || (!falls && change <= nearlySettled * scale);
        if (!done && !falls)
          done = lawHolds(++stalls_ <= maxStalls);
        if (!done && (!std::isfinite(change) || ++passes_ > maxPasses))
          throw RunError(
            fmt::format("the contact impulses of an implicit step could not be found, they change "
                        "by {:.2g} of their size; the step must be smaller",
                        change / scale));
        last_ = change;
        return done;
      }

      int passes() const { return passes_; }

    private:
      double last_ = std::numeric_limits<double>::infinity();
      int passes_ = 0, stalls_ = 0;
    };

  } // namespace

  EnergyMomentum::EnergyMomentum(const System& system, const std::vector<Contact>& contacts,
                                 const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , members_(system, settings.map)
    , penalties_(contacts, members_)
    , impulses_(system, contacts, 3)
    , components_(anyFriction(contacts) ? 3 : 1)
    , solver_({.tolerance = settings.contactTolerance})
    , force_(system.velocitySize())
    , increments_(members_.size())
    , loadWork_(members_.size())
  {
    requireImpulsePoints(contacts, "energy-momentum", false);
    impulses_.setTolerance(settings.contactTolerance);
    impulses_.setStop(settings.stop);
    solver_.setStop(settings.stop);
  }

  //! The gaps that penalties carry begin as the true gaps.
  State EnergyMomentum::start(const State& initial, StepReport& report)
  {
    State state = initial;
    state.history.clear();
    impulseBlock.create(state, {});
    gapBlock.create(state, std::vector<double>(penalties_.size(), 0));
    for (std::size_t i = 0; i < penalties_.size(); ++i)
      gapBlock(state)[i] = penalties_.gap(i, state.time, state.q);
    kickedBlock.create(state, {});
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);
    if (settings_.mid)
      reportGaps(state, false, report);
    else
      kick(state, report);
    return state;
  }

  //! The motion with penalties and the impulses of `mid`, the projection, then the impulses of
  //! `kick` at t_{n+1}
  void EnergyMomentum::step(const State& from, State& to, StepReport& report)
  {
    to.q.resize(from.q.size());
    to.p.resize(from.p.size());
    to.history = from.history;
    to.ledger = from.ledger;
    to.step = from.step + 1;
    to.time = double(to.step) * settings_.step;
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);
    if (settings_.mid)
      findForce(from);
    const std::vector<double>& kicked = kickedBlock(from);
    moveWithContacts(from, kicked.empty() ? from.p : kicked, to, report);
    for (double work : loadWork_)
      to.ledger.externalWork += work;
    if (settings_.projection)
      project(to);
    to.ledger.showAll();
    if (settings_.mid)
      reportGaps(to, rows_.empty() && penaltyRows_.empty() && !settings_.projection, report);
    else
      kick(to, report);
  }

  //! Weight and loads in the configuration of a state, at the middle time of the step that begins
  //! there
  void EnergyMomentum::findForce(const State& at)
  {
    if (members_.forceless())
      return;
    std::fill(force_.begin(), force_.end(), 0);
    system_.addForce(at.time + 0.5 * settings_.step, at.q, 1, force_);
  }

  //! Gaps of the configuration that a step has reached; known if contact points were collected
  //! there
  void EnergyMomentum::reportGaps(const State& at, bool known, StepReport& report)
  {
    if (!known)
      impulses_.collect({at.time, settings_.step, settings_.step}, at.q,
                        -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < penalties_.size(); ++i) {
      double& smallest = report.contact[penalties_[i].contact].gap;
      smallest = std::min(smallest, penalties_.gap(i, at.time, at.q));
    }
    impulses_.reportGaps(report);
  }

  /* Impulses at the instant of a state, which carries the momenta after them into its step. With
   * weight and loads F the contact law holds for p - h/2 F before and p + h/2 F after: the mean
   * momenta of both intervals. */
  void EnergyMomentum::kick(State& at, StepReport& report)
  {
    const double h = settings_.step;
    const SolveReport motion = report.solve;
    report.workFollows = true;
    impulses_.collect({at.time, h, h}, at.q, settings_.gapTolerance);
    reportGaps(at, true, report);
    std::vector<double>&list = impulseBlock(at), &kicked = kickedBlock(at);
    if (impulses_.points().size() == 0) {
      list.clear();
      kicked.clear();
      return;
    }
    kicked.assign(at.p.begin(), at.p.end());
    if (members_.forceless())
      impulses_.kick(at.q, at.p, kicked, list, report, at.ledger);
    else {
      findForce(at);
      before_.assign(at.p.begin(), at.p.end());
      for (std::size_t i = 0; i < force_.size(); ++i) {
        before_[i] -= 0.5 * h * force_[i];
        kicked[i] += 0.5 * h * force_[i];
      }
      impulses_.kick(at.q, before_, kicked, list, report, at.ledger);
      for (std::size_t i = 0; i < force_.size(); ++i)
        kicked[i] -= 0.5 * h * force_[i];
    }
    report.solve.iterations = std::max(report.solve.iterations, motion.iterations);
  }

  //! Free step of all bodies, without impulses inside the step
  void EnergyMomentum::advanceAll(const State& from, ConstSpan p, State& to)
  {
    const Vector3 none = Vector3::Zero();
    for (std::size_t i = 0; i < members_.size(); ++i)
      increments_[i] = members_.advance(i, from.time, settings_.step, from.q, p, none, none, to.q,
                                        to.p, loadWork_[i]);
  }

  /* The moment of an impulse r at the place c is (c - X) x r with X in the middle of the step,
   * which depends on the linear impulse but not on the rotation. */
  void EnergyMomentum::advanceTouched(const State& from, ConstSpan p, State& to)
  {
    linear_.assign(members_.size(), Vector3::Zero());
    angular_.assign(members_.size(), Vector3::Zero());
    const auto each = [&](auto&& f) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        Vector3 r = Vector3::Zero();
        for (int c = 0; c < components_; ++c)
          r += impulse_[i * components_ + c] * rows_[i].axes[c];
        f(rows_[i], r);
      }
      for (std::size_t i = 0; i < penaltyRows_.size(); ++i)
        f(penaltyRows_[i], Vector3(penaltyImpulse_[penaltyIndex_[i]] * penaltyRows_[i].axes[0]));
    };
    each([&](const Acting& row, const Vector3& r) {
      linear_[row.first] += r;
      if (row.second >= 0)
        linear_[std::size_t(row.second)] -= r;
    });
    each([&](const Acting& row, const Vector3& r) {
      const auto middle = [&](std::size_t i) -> Vector3 {
        return free_[i].middle() +
               0.25 * settings_.step * members_.body(i).inverseMass() * linear_[i];
      };
      angular_[row.first] += (row.place - middle(row.first)).cross(r);
      if (row.second >= 0)
        angular_[std::size_t(row.second)] -= (row.place - middle(std::size_t(row.second))).cross(r);
    });
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (touched_[i])
        increments_[i] = members_.advance(i, from.time, settings_.step, from.q, p, linear_[i],
                                          angular_[i], to.q, to.p, loadWork_[i]);
  }

  /* Contact inside a step. A free step predicts the closed points; then impulses and the motion of
   * the touched bodies alternate until the impulses settle. Bodies without contact move once. */
  void EnergyMomentum::moveWithContacts(const State& from, ConstSpan p, State& to,
                                        StepReport& report)
  {
    advanceAll(from, p, to);
    rows_.clear();
    penaltyRows_.clear();
    if (settings_.mid) {
      impulses_.collect({to.time, settings_.step, settings_.step}, to.q, settings_.gapTolerance);
      findUnilateral(from);
    }
    penaltyImpulse_.assign(penalties_.size(), 0);
    if (rows_.empty() && penalties_.size() == 0)
      return;
    free_ = increments_;
    touched_.assign(members_.size(), false);
    const auto touch = [&](const Acting& row) {
      touched_[row.first] = true;
      if (row.second >= 0)
        touched_[std::size_t(row.second)] = true;
    };
    impulse_.assign(rows_.size() * components_, 0);
    for (const Acting& row : rows_)
      touch(row);
    if (!rows_.empty())
      assembleUnilateral(to.q);
    double penaltyChange = 0, scale = 0;
    // the law in the motion that has been computed, by the rule of all contact impulses; penalties
    // are no matter of choice and settle
    const auto lawHolds = [&](bool strict) {
      if (rows_.empty() || penaltyChange > nearlySettled * scale)
        return false;
      strict = strict && report.solve.converged; // more passes do not help where the solver fails
      const double residual = unilateralResidual();
      report.solve.residual = residual;
      report.solve.converged = residual <= settings_.contactTolerance;
      return report.solve.converged ||
             (!strict && residual <= acceptableResidual(settings_.contactTolerance));
    };
    Convergence convergence;
    for (bool done = false; !done;) {
      settings_.stop.check();
      findPenalties(from, to);
      for (const Acting& row : penaltyRows_)
        touch(row);
      double change = solveUnilateral(report);
      penaltyChange = solvePenalties(to);
      change = std::max(change, penaltyChange);
      advanceTouched(from, p, to);
      scale = std::max(largest(impulse_), largest(penaltyImpulse_));
      done = convergence.reached(change, scale, lawHolds);
    }
    report.solve.iterations = std::max(report.solve.iterations, convergence.passes());
    accountUnilateral(to, report);
    accountPenalties(from, to, report);
  }

  /* Least motion in the metric of mass that closes no gap below zero:
   *   dq = M^{-1} G^T s,  0 <= s  perp  g + G M^{-1} G^T s >= 0,
   * repeated since gaps are not linear. Momenta stay; the change of energy is entered. */
  void EnergyMomentum::project(State& to)
  {
    constexpr int rounds = 4;
    const double before = system_.kinetic(to.q, to.p) + system_.potentials(to.time, to.q).sum();
    bool moved = false;
    std::vector<double> s, dq(to.p.size()), q(to.q.size());
    for (int round = 0; round < rounds; ++round) {
      impulses_.collect({to.time, 0, 0}, to.q, 0);
      const ContactPoints& set = impulses_.points();
      rows_.clear();
      for (std::size_t i = 0; i < set.size(); ++i)
        rows_.push_back({.first = members_.number(set[i].first),
                         .second = set[i].second ? long(members_.number(*set[i].second)) : -1,
                         .contact = set[i].contact,
                         .axes = {toEigen(set[i].axes[0])},
                         .place = toEigen(set[i].place)});
      double worst = 0;
      rhs_.assign(set.size(), 0);
      for (std::size_t i = 0; i < set.size(); ++i) {
        rhs_[i] = set[i].gap;
        worst = std::max(worst, -set[i].gap);
      }
      if (!(worst > settings_.gapTolerance))
        break;
      for (std::size_t i = 0; i < members_.size(); ++i)
        increments_[i] = {.start = RigidPlace(&to.q[i * RigidPlace::size]).centre,
                          .shift = Vector3::Zero(),
                          .turn = Vector3::Zero()};
      assemble(rows_, 1, to.q, unilateral_);
      s.assign(set.size(), 0);
      friction_.clear();
      if (!solver_.solveContact({unilateral_, rhs_, friction_}, s).converged)
        break;
      std::fill(dq.begin(), dq.end(), 0);
      SparseVector velocity;
      for (std::size_t i = 0; i < set.size(); ++i)
        if (s[i] > 0) {
          velocity.clear();
          system_.addVelocity(to.q, set.functional(i, 0), velocity);
          addTo(velocity, 0.5 * s[i], dq); // unilateral_ is half the matrix
        }
      system_.retract(to.q, dq, q);
      std::swap(to.q, q);
      moved = true;
    }
    if (moved)
      to.ledger.stepWork +=
        system_.kinetic(to.q, to.p) + system_.potentials(to.time, to.q).sum() - before;
  }

  //! T + V at t_{n+1}, with k/2 min(g, 0)^2 of the gaps g that penalties carry
  Record EnergyMomentum::record(const State&, const State& to) const
  {
    Record record = Record::of(to);
    record.kinetic = system_.kinetic(to.q, to.p);
    record.stored = system_.potentials(to.time, to.q);
    for (std::size_t i = 0; i < penalties_.size(); ++i)
      record.stored.contact += penaltyEnergy(penalties_[i].stiffness, gapBlock(to)[i]);
    record.momenta = system_.momenta(to.q, to.p);
    return record;
  }

} // namespace Dune::Impact
