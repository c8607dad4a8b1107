// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/timestep/energymomentum.hh>

namespace Dune::Impact {

  namespace {

    // What the method carries besides q and p
    enum : std::size_t { impulseBlock, gapBlock, blockCount };

    constexpr int maxPasses = 100;

    // Impulses of an implicit step have converged if they change by less than the first part; by less
    // than the second if rounding keeps them from settling.
    constexpr double settled = 1e-15, nearlySettled = 1e-11;

    bool anyFriction(const std::vector<Contact>& contacts)
    {
      return std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.law.friction > 0; });
    }

    double largest(ConstSpan x)
    {
      double result = 0;
      for (double value : x)
        result = std::max(result, std::abs(value));
      return result;
    }

    //! Whether the impulses of implicit contact have been found, from their changes
    class Convergence
    {
    public:
      //! Throws if there is no progress
      bool reached(double change, double scale)
      {
        const bool done = change <= settled * scale || (change >= 0.5 * last_ && change <= nearlySettled * scale);
        if (!done && (!std::isfinite(change) || ++passes_ > maxPasses))
          throw RunError(fmt::format("the contact impulses of an implicit step could not be found, they change by {:.2g} of their size; the step must be smaller", change / scale));
        last_ = change;
        return done;
      }

      int passes() const { return passes_; }

    private:
      double last_ = std::numeric_limits<double>::infinity();
      int passes_ = 0;
    };

  } // namespace

  EnergyMomentum::EnergyMomentum(const System& system, const std::vector<Contact>& contacts, const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , members_(system, settings.map)
    , penalties_(system, contacts, members_)
    , impulses_(system, contacts, 3)
    , components_(anyFriction(contacts) ? 3 : 1)
    , force_(system.velocitySize())
    , increments_(members_.size())
    , loadWork_(members_.size())
  {
    impulses_.setFrictionTolerance(settings.frictionTolerance);
  }

  State EnergyMomentum::start(const State& initial, StepReport& report)
  {
    State state = initial;
    state.history.resize(blockCount);
    state.history[impulseBlock] = {"impulse", 1, std::vector<double>(settings_.mid ? 0 : impulses_.warmSize(), 0)};
    state.history[gapBlock] = {"gap", 1, std::vector<double>(penalties_.size(), 0)};
    for (std::size_t i = 0; i < penalties_.size(); ++i)
      state.history[gapBlock].values[i] = penalties_.gap(i, state.time, state.q);
    ContactImpulses::reset(system_, contacts_.size(), report);
    report.minGap = impulses_.collect({state.time, 0, settings_.step}, state.q, settings_.gapTolerance);
    for (double gap : state.history[gapBlock].values)
      report.minGap = std::min(report.minGap, gap);
    return state;
  }

  void EnergyMomentum::step(const State& from, State& to, StepReport& report)
  {
    to.q.resize(from.q.size());
    to.p.resize(from.p.size());
    to.history = from.history;
    to.ledger = from.ledger;
    to.step = from.step + 1;
    to.time = double(to.step) * settings_.step;
    ContactImpulses::reset(system_, contacts_.size(), report);
    report.minGap = std::numeric_limits<double>::infinity();
    report.weight = settings_.step;

    if (!members_.forceless()) {
      std::fill(force_.begin(), force_.end(), 0);
      system_.addForce(from.time + 0.5 * settings_.step, from.q, 1, force_);
    }
    if (settings_.mid)
      momenta_.assign(from.p.begin(), from.p.end());
    else
      kick(from, to, report);
    moveWithContacts(from, momenta_, to, report);
    for (double work : loadWork_)
      to.ledger.externalWork += work;
    if (settings_.projection)
      project(to);
    to.ledger.shownDissipation = to.ledger.dissipation();
    to.ledger.shownExternalWork = to.ledger.externalWork;
  }

  //! Impulses at the beginning of the step; momenta_ receives the momenta after them
  void EnergyMomentum::kick(const State& from, State& to, StepReport& report)
  {
    const double h = settings_.step;
    momenta_.assign(from.p.begin(), from.p.end());
    report.minGap = impulses_.collect({from.time, h, h}, from.q, settings_.gapTolerance);
    Span warm = to.history[impulseBlock].values;
    if (members_.forceless() || impulses_.rows().size() == 0)
      return impulses_.kick(from.q, from.p, momenta_, warm, report, to.ledger);
    before_.assign(from.p.begin(), from.p.end());
    for (std::size_t i = 0; i < force_.size(); ++i) {
      before_[i] -= 0.5 * h * force_[i];
      momenta_[i] += 0.5 * h * force_[i];
    }
    impulses_.kick(from.q, before_, momenta_, warm, report, to.ledger);
    for (std::size_t i = 0; i < force_.size(); ++i)
      momenta_[i] -= 0.5 * h * force_[i];
  }

  void EnergyMomentum::advanceAll(const State& from, ConstSpan p, State& to)
  {
    const Vector3 none = Vector3::Zero();
    for (std::size_t i = 0; i < members_.size(); ++i)
      increments_[i] = members_.advance(i, from.time, settings_.step, from.q, p, none, none, to.q, to.p, loadWork_[i]);
  }

  /* The moment of an impulse r at the place c is (c - X) x r with X in the middle of the step, which
   * depends on the linear impulse but not on the rotation. */
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
        return free_[i].middle() + 0.25 * settings_.step * members_.body(i).inverseMass() * linear_[i];
      };
      angular_[row.first] += (row.place - middle(row.first)).cross(r);
      if (row.second >= 0)
        angular_[std::size_t(row.second)] -= (row.place - middle(std::size_t(row.second))).cross(r);
    });
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (touched_[i])
        increments_[i] = members_.advance(i, from.time, settings_.step, from.q, p, linear_[i], angular_[i], to.q, to.p, loadWork_[i]);
  }

  void EnergyMomentum::moveWithContacts(const State& from, ConstSpan p, State& to, StepReport& report)
  {
    advanceAll(from, p, to);
    rows_.clear();
    penaltyRows_.clear();
    if (settings_.mid) {
      report.minGap = impulses_.collect({to.time, settings_.step, settings_.step}, to.q, settings_.gapTolerance);
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
      assemble(rows_, components_, to.q, unilateral_);
    Convergence convergence;
    for (bool done = false; !done;) {
      findPenalties(from, to);
      for (const Acting& row : penaltyRows_)
        touch(row);
      const double change = std::max(solveUnilateral(report), solvePenalties(to));
      advanceTouched(from, p, to);
      done = convergence.reached(change, std::max(largest(impulse_), largest(penaltyImpulse_)));
    }
    report.solve.iterations = std::max(report.solve.iterations, convergence.passes());
    enterUnilateral(to, report);
    enterPenalties(from, to, report);
  }

  //! Rows of the predicted configuration
  void EnergyMomentum::findUnilateral(const State& from)
  {
    const RowSet& set = impulses_.rows();
    for (std::size_t i = 0; i < set.size(); ++i) {
      const Row& row = set[i];
      const auto entries = set.functional(i, 0);
      Acting acting{.first = entries.front().dof / RigidBody::dofs, .second = row.secondBody < 0 ? -1 : long(entries.back().dof / RigidBody::dofs),
                    .contact = row.contact, .axes = {}, .place = toEigen(row.place)};
      for (int c = 0; c < components_; ++c) {
        acting.axes[c] = toEigen(row.axes[c]);
        acting.drive[c] = row.driveBefore[c];
      }
      for (int c = 0; c < components_; ++c) {
        acting.before[c] = rate(acting, c);
        if (!members_.forceless())
          acting.before[c] -= forceRate(acting, c, from.q);
      }
      rows_.push_back(acting);
    }
  }

  double EnergyMomentum::rate(const Acting& row, int c) const
  {
    Vector3 increment = increments_[row.first].increment(row.place);
    if (row.second >= 0)
      increment -= increments_[std::size_t(row.second)].increment(row.place);
    return row.axes[c].dot(increment) / settings_.step + row.drive[c];
  }

  //! What weight and loads add to the mean rate of a step: half of their acceleration times the step
  double EnergyMomentum::forceRate(const Acting& row, int c, ConstSpan q) const
  {
    const auto part = [&](std::size_t i) {
      const double* f = &force_[i * RigidBody::dofs];
      const Vector3 arm = row.place - increments_[i].middle(), force(f[0], f[1], f[2]), moment(f[3], f[4], f[5]);
      return members_.body(i).inverseMass() * force.dot(row.axes[c]) + arm.cross(row.axes[c]).dot(members_.inverseInertia(i, q) * moment);
    };
    return 0.5 * settings_.step * (part(row.first) - (row.second >= 0 ? part(std::size_t(row.second)) : 0));
  }

  //! Half of the Delassus matrix: how mean rates change with impulses, for small rotations
  void EnergyMomentum::assemble(const std::vector<Acting>& rows, int components, ConstSpan q, Delassus& matrix) const
  {
    std::vector<std::vector<std::pair<std::size_t, double>>> rowsOf(members_.size()); // row, and 1 for its first side, -1 for its second
    std::vector<Matrix3> inertia(members_.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto& [member, sign] : {std::pair(long(rows[i].first), 1.0), std::pair(rows[i].second, -1.0)})
        if (member >= 0) {
          if (rowsOf[std::size_t(member)].empty())
            inertia[std::size_t(member)] = members_.inverseInertia(std::size_t(member), q);
          rowsOf[std::size_t(member)].push_back({i, sign});
        }
    matrix.clear(components);
    std::vector<std::array<double, 9>> blocks(rows.size());
    std::vector<char> seen(rows.size(), false);
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      columns.assign(1, i);
      seen[i] = true;
      blocks[i].fill(0);
      for (const auto& [side, sign] : {std::pair(long(rows[i].first), 1.0), std::pair(rows[i].second, -1.0)}) {
        if (side < 0)
          continue;
        const std::size_t member = std::size_t(side);
        const Vector3 middle = increments_[member].middle();
        for (const auto& [j, other] : rowsOf[member]) {
          if (!seen[j]) {
            seen[j] = true;
            blocks[j].fill(0);
            columns.push_back(j);
          }
          for (int c = 0; c < components; ++c) {
            const Vector3 turn = inertia[member] * (rows[i].place - middle).cross(rows[i].axes[c]);
            for (int d = 0; d < components; ++d)
              blocks[j][c * components + d] += 0.5 * sign * other
                                               * (members_.body(member).inverseMass() * rows[i].axes[c].dot(rows[j].axes[d]) + turn.dot((rows[j].place - middle).cross(rows[j].axes[d])));
          }
        }
      }
      matrix.beginRow();
      for (std::size_t j : columns) {
        matrix.add(j, blocks[j].data());
        seen[j] = false;
      }
    }
  }

  //! One pass of `mid`; returns the largest change of an impulse
  double EnergyMomentum::solveUnilateral(StepReport& report)
  {
    if (rows_.empty())
      return 0;
    const std::size_t n = impulse_.size();
    rhs_.resize(n);
    product_.resize(n);
    friction_.resize(rows_.size());
    unilateral_.multiply(impulse_, product_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const ContactLaw& law = contacts_[rows_[i].contact].law;
      friction_[i] = law.friction;
      for (int c = 0; c < components_; ++c) {
        const double before = rows_[i].before[c];
        const double aim = c == 0 ? 0.5 * (1 - law.restitutionAt(before)) * std::min(before, 0.0) : law.slip == Slip::midStep ? 0 : 0.5 * before;
        rhs_[i * components_ + c] = rate(rows_[i], c) - product_[i * components_ + c] - aim;
      }
    }
    change_.assign(impulse_.begin(), impulse_.end());
    report.solve = solver_.solveContact({unilateral_, rhs_, friction_}, impulse_);
    if (!report.solve.converged && !(components_ > 1 && report.solve.residual <= 1e-10))
      throw RunError(fmt::format("{}: the contact impulses could not be found, residual {:.2g} of the speed", contacts_[rows_[0].contact].name, report.solve.residual));
    double change = 0;
    for (std::size_t i = 0; i < n; ++i)
      change = std::max(change, std::abs(impulse_[i] - change_[i]));
    return change;
  }

  //! The points that touch by a penalty, or may, as the last pass has moved the bodies
  void EnergyMomentum::findPenalties(const State& from, const State& to)
  {
    penaltyRows_.clear();
    penaltyIndex_.clear();
    gapBefore_.resize(penalties_.size());
    gapAfter_.resize(penalties_.size());
    seen_.resize(penalties_.size());
    for (std::size_t i = 0; i < penalties_.size(); ++i) {
      double& before = gapBefore_[i];
      before = from.history[gapBlock].values[i];
      if (!(before <= 0))
        before = penalties_.gap(i, from.time, from.q);
      const auto seen = penalties_.separation(i, from.time, to.time, from.q, to.q, increments_);
      if (!seen || !std::isfinite(before)) {
        gapAfter_[i] = penalties_.gap(i, to.time, to.q);
        seen_[i] = false;
        penaltyImpulse_[i] = 0;
        continue;
      }
      seen_[i] = true;
      const PenaltyPoints::Point& point = penalties_[i];
      Acting row{.first = point.first, .second = point.second, .contact = point.contact, .axes = {seen->normal}, .place = seen->place, .sign = point.nodeIsFirst ? 1.0 : -1.0};
      if (point.obstacle)
        row.drive[0] = -seen->normal.dot(toEigen(point.obstacle->velocity(from.time, settings_.step)));
      gapAfter_[i] = before + settings_.step * rate(row, 0);
      if (before < 0 || gapAfter_[i] < 0 || penaltyImpulse_[i] > 0) {
        penaltyRows_.push_back(row);
        penaltyIndex_.push_back(i);
      }
    }
  }

  /* Newton's method for r_i = h p(g0, g0 + h w(r)) with the derivative h/2 D of the rates; returns the
   * largest change of an impulse. */
  double EnergyMomentum::solvePenalties(const State& to)
  {
    const std::size_t n = penaltyRows_.size();
    if (n == 0)
      return 0;
    assemble(penaltyRows_, 1, to.q, penalty_);
    const double h = settings_.step;
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd b(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = penaltyIndex_[i];
      const PenaltyForce force(penalties_[k].stiffness, gapBefore_[k], gapAfter_[k]);
      b[i] = h * force.value - penaltyImpulse_[k];
      const auto [columns, values] = penalty_.row(i);
      for (std::size_t j = 0; j < columns.size(); ++j)
        A(i, columns[j]) -= h * h * force.slope * values[j];
    }
    const Eigen::VectorXd change = A.partialPivLu().solve(b);
    for (std::size_t i = 0; i < n; ++i)
      penaltyImpulse_[penaltyIndex_[i]] += change[i];
    return change.cwiseAbs().maxCoeff();
  }

  //! Work r w of the impulses of `mid`, the part of moved obstacles apart
  void EnergyMomentum::enterUnilateral(State& to, StepReport& report) const
  {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (impulse_[i * components_] == 0)
        continue;
      const Acting& row = rows_[i];
      ++report.contacts;
      report.pairImpulse[row.contact] += impulse_[i * components_];
      Vector3 total = Vector3::Zero();
      for (int c = 0; c < components_; ++c) {
        const double r = impulse_[i * components_ + c];
        total += r * row.axes[c];
        (c == 0 ? to.ledger.contactWork : to.ledger.frictionWork) += r * rate(row, c);
        to.ledger.externalWork -= r * row.drive[c];
      }
      enterImpulse(row, total, report);
    }
  }

  void EnergyMomentum::enterImpulse(const Acting& row, const Vector3& impulse, StepReport& report) const
  {
    report.impulse += toVec3(row.sign * impulse);
    report.bodyImpulse[members_.bodyIndex(row.first)] += toVec3(impulse);
    if (row.second >= 0)
      report.bodyImpulse[members_.bodyIndex(std::size_t(row.second))] -= toVec3(impulse);
  }

  //! Carry the gaps; a node that leaves its facet while it overlaps loses what is stored
  void EnergyMomentum::enterPenalties(const State& from, State& to, StepReport& report)
  {
    if (penalties_.size() == 0)
      return;
    findPenalties(from, to);
    std::vector<double>& gaps = to.history[gapBlock].values;
    for (std::size_t i = 0; i < penalties_.size(); ++i) {
      gaps[i] = gapAfter_[i];
      report.minGap = std::min(report.minGap, gaps[i]);
      if (!seen_[i])
        to.ledger.contactWork += penaltyEnergy(penalties_[i].stiffness, gaps[i]) - penaltyEnergy(penalties_[i].stiffness, gapBefore_[i]);
    }
    for (std::size_t i = 0; i < penaltyRows_.size(); ++i) {
      const double r = penaltyImpulse_[penaltyIndex_[i]];
      if (r == 0)
        continue;
      const Acting& row = penaltyRows_[i];
      ++report.contacts;
      report.pairImpulse[row.contact] += r * row.axes[0].norm(); // the normal of two centres is not quite a unit vector
      to.ledger.externalWork -= r * row.drive[0];
      enterImpulse(row, r * row.axes[0], report);
    }
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
      const RowSet& set = impulses_.rows();
      rows_.clear();
      for (std::size_t i = 0; i < set.size(); ++i) {
        const auto entries = set.functional(i, 0);
        rows_.push_back({.first = entries.front().dof / RigidBody::dofs, .second = set[i].secondBody < 0 ? -1 : long(entries.back().dof / RigidBody::dofs),
                         .contact = set[i].contact, .axes = {toEigen(set[i].axes[0])}, .place = toEigen(set[i].place)});
      }
      double worst = 0;
      rhs_.assign(set.size(), 0);
      for (std::size_t i = 0; i < set.size(); ++i) {
        rhs_[i] = set[i].gap;
        worst = std::max(worst, -set[i].gap);
      }
      if (!(worst > settings_.gapTolerance))
        break;
      for (std::size_t i = 0; i < members_.size(); ++i)
        increments_[i] = {.start = RigidPlace(&to.q[i * RigidPlace::size]).centre, .shift = Vector3::Zero(), .turn = Vector3::Zero()};
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
      to.ledger.stepWork += system_.kinetic(to.q, to.p) + system_.potentials(to.time, to.q).sum() - before;
  }

  Record EnergyMomentum::record(const State&, const State& to) const
  {
    Record record;
    record.step = to.step;
    record.time = to.time;
    record.kinetic = system_.kinetic(to.q, to.p);
    record.stored = system_.potentials(to.time, to.q);
    for (std::size_t i = 0; i < penalties_.size(); ++i)
      record.stored.contact += penaltyEnergy(penalties_[i].stiffness, to.history[gapBlock].values[i]);
    record.momenta = system_.momenta(to.q, to.p);
    record.dissipated = to.ledger.shownDissipation;
    record.externalWork = to.ledger.shownExternalWork;
    return record;
  }

} // namespace Dune::Impact
