// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/solver/impulse/connected.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>

/** \file
 * \brief Contact inside a step: impulses of the variant `mid`, and penalties
 */

namespace Dune::Impact {

  //! Contact points of the predicted configuration; w- is their mean rate in the free step without
  //! the part of weight and loads
  void EnergyMomentum::findUnilateral(const State& from)
  {
    const ContactPoints& set = impulses_.points();
    for (std::size_t i = 0; i < set.size(); ++i) {
      const ContactPoint& row = set[i];
      Acting acting{.first = members_.number(row.first),
                    .second = row.second ? long(members_.number(*row.second)) : -1,
                    .contact = row.contact,
                    .axes = {},
                    .place = toEigen(row.place)};
      for (int c = 0; c < components_; ++c) {
        acting.axes[c] = toEigen(row.axes[c]);
        acting.obstacleVelocity[c] = row.obstacleVelocityBefore[c];
      }
      for (int c = 0; c < components_; ++c) {
        acting.before[c] = rate(acting, c);
        if (!members_.forceless())
          acting.before[c] -= forceRate(acting, c, from.q);
      }
      rows_.push_back(acting);
    }
    sortByIslands();
  }

  //! Points that act together, over common members, stand together in rows_
  void EnergyMomentum::sortByIslands()
  {
    constexpr std::size_t none = -1;
    firstRow_.assign(members_.size(), none);
    const std::size_t islands = labelComponents(
      rows_.size(),
      [&](auto&& connect) {
        const auto see = [&](std::size_t row, std::size_t member) {
          if (firstRow_[member] == none)
            firstRow_[member] = row;
          connect(row, firstRow_[member]);
        };
        for (std::size_t i = 0; i < rows_.size(); ++i) {
          see(i, rows_[i].first);
          if (rows_[i].second >= 0)
            see(i, std::size_t(rows_[i].second));
        }
      },
      labels_);
    const auto label = [&](const Acting& row) { return labels_[firstRow_[row.first]]; };
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](const Acting& a, const Acting& b) { return label(a) < label(b); });
    islands_.assign(1, 0);
    for (std::size_t i = 1; i < rows_.size(); ++i)
      if (label(rows_[i]) != label(rows_[i - 1]))
        islands_.push_back(i);
    if (islands > 0)
      islands_.push_back(rows_.size());
  }

  //! Mean rate of the step, axis . (increment of first - increment of second)/h + obstacle
  //! velocity, with the increments of both bodies at the same place in space
  double EnergyMomentum::rate(const Acting& row, int c) const
  {
    Vector3 increment = increments_[row.first].increment(row.place);
    if (row.second >= 0)
      increment -= increments_[std::size_t(row.second)].increment(row.place);
    return row.axes[c].dot(increment) / settings_.step + row.obstacleVelocity[c];
  }

  //! What weight and loads add to the mean rate of a step: half of their acceleration times the
  //! step
  double EnergyMomentum::forceRate(const Acting& row, int c, ConstSpan q) const
  {
    const auto part = [&](std::size_t i) {
      const double* f = &force_[i * RigidBody::dofs];
      const Vector3 arm = row.place - increments_[i].middle(), force(f[0], f[1], f[2]),
                    moment(f[3], f[4], f[5]);
      return members_.body(i).inverseMass() * force.dot(row.axes[c]) +
             arm.cross(row.axes[c]).dot(members_.inverseInertia(i, q) * moment);
    };
    return 0.5 * settings_.step *
           (part(row.first) - (row.second >= 0 ? part(std::size_t(row.second)) : 0));
  }

  /* The response of rigid members to impulses inside a step. A member of mass m and inverse inertia
   * J^{-1} with its centre X in the middle of the step, and the arms a_i = c_i - X of the places
   * c_i of impulses, adds to half of the block of the axes u of point i and v of point j
   *
   *     1/2 s_i s_j (u.v / m + (J^{-1} (a_i x u)) . (a_j x v)),
   *
   * where s = 1 if it is the first side of a point, -1 if it is the second. Its rows of G are
   * s (u, a_i x u), and those of W half of s (u/m, J^{-1} (a_i x u)). */
  class EnergyMomentum::Response : public DelassusFactors
  {
  public:
    Response(const EnergyMomentum& method, const std::vector<Acting>& points, int components,
             ConstSpan q)
      : method_(method)
      , points_(points)
      , components_(components)
      , inertia_(method.members_.size())
      , middle_(method.members_.size())
    {
      sides_.group(inertia_.size(), [&](auto&& add) {
        for (std::size_t i = 0; i < points.size(); ++i)
          forSides(i, [&](std::size_t member, double sign) { add(member, Side{i, sign}); });
      });
      for (std::size_t member = 0; member < inertia_.size(); ++member)
        if (!sides_[member].empty()) {
          inertia_[member] = method.members_.inverseInertia(member, q);
          middle_[member] = method.increments_[member].middle();
        }
    }

    std::size_t size() const { return points_.size(); }
    int blockSize() const { return components_; }

    template<class Block>
    void addBlocks(std::size_t i, Block&& block) const
    {
      block(i);
      forSides(i, [&](std::size_t member, double sign) {
        for (const auto& [j, other] : sides_[member])
          addMember(member, sign, points_[i], other, points_[j], block(j));
      });
    }

    //! Which points factors() is about
    void select(std::size_t begin, std::size_t end)
    {
      begin_ = begin;
      end_ = end;
    }

    const FactoredDelassus& factors() override
    {
      factors_.clear(components_);
      for (std::size_t i = begin_; i < end_; ++i) {
        factors_.beginRow();
        forSides(i, [&](std::size_t member, double sign) {
          for (int c = 0; c < components_; ++c)
            addFactors(member, sign, points_[i], c);
        });
        factors_.endRow();
      }
      return factors_;
    }

  private:
    //! A point that a member belongs to
    struct Side
    {
      std::size_t point;
      double sign;
    };

    template<class F>
    void forSides(std::size_t i, F&& f) const
    {
      f(points_[i].first, 1.0);
      if (points_[i].second >= 0)
        f(std::size_t(points_[i].second), -1.0);
    }

    void addMember(std::size_t member, double sign, const Acting& point, double otherSign,
                   const Acting& other, double* block) const
    {
      const Vector3& middle = middle_[member];
      const double inverseMass = method_.members_.body(member).inverseMass();
      for (int c = 0; c < components_; ++c) {
        const Vector3 turn = inertia_[member] * (point.place - middle).cross(point.axes[c]);
        for (int d = 0; d < components_; ++d)
          block[c * components_ + d] += 0.5 * sign * otherSign *
                                        (inverseMass * point.axes[c].dot(other.axes[d]) +
                                         turn.dot((other.place - middle).cross(other.axes[d])));
      }
    }

    void addFactors(std::size_t member, double sign, const Acting& point, int c)
    {
      const Vector3& axis = point.axes[c];
      const Vector3 moment = (point.place - middle_[member]).cross(axis);
      const Vector3 turn = 0.5 * inertia_[member] * moment;
      const double move = 0.5 * method_.members_.body(member).inverseMass();
      const std::size_t first = member * RigidBody::dofs;
      for (int k = 0; k < 3; ++k) {
        factors_.addFunctional(c, first + k, sign * axis[k]);
        factors_.addVelocity(c, first + k, sign * move * axis[k]);
        factors_.addFunctional(c, first + 3 + k, sign * moment[k]);
        factors_.addVelocity(c, first + 3 + k, sign * turn[k]);
      }
    }

    const EnergyMomentum& method_;
    const std::vector<Acting>& points_;
    int components_;
    std::size_t begin_ = 0, end_ = 0;
    CompressedRows<Side> sides_; // by members
    std::vector<Matrix3> inertia_;
    std::vector<Vector3> middle_;
    FactoredDelassus factors_;
  };

  //! Half of the Delassus matrix: how mean rates change with impulses, for small rotations
  void EnergyMomentum::assemble(const std::vector<Acting>& points, int components, ConstSpan q,
                                Delassus& matrix)
  {
    assembly_.assemble(Response(*this, points, components, q), matrix);
  }

  //! The response of the points of `mid` to the end of the step
  void EnergyMomentum::assembleUnilateral(ConstSpan q)
  {
    response_ = std::make_shared<Response>(*this, rows_, components_, q);
    assembly_.assemble(*response_, unilateral_);
  }

  //! What the rate of a component is compared to: zero, or the part that restitution leaves
  double EnergyMomentum::aim(const Acting& row, int c) const
  {
    const ContactLaw& law = contacts_[row.contact].law;
    const double before = row.before[c];
    if (c == 0)
      return 0.5 * (1 - law.restitutionAt(before)) * std::min(before, 0.0);
    return law.slip == Slip::midStep ? 0 : 0.5 * before;
  }

  /* One pass of `mid`: with the last impulses s and half of the Delassus matrix D the mean rate is
   * w(r) = w(s) + D (r - s), and 0 <= r perp w(r) - (1 - e)/2 min(w-, 0) >= 0. Returns the largest
   * change of an impulse. */
  double EnergyMomentum::solveUnilateral(StepReport& report)
  {
    if (rows_.empty())
      return 0;
    const std::size_t n = impulse_.size();
    rhs_.resize(n);
    product_.resize(n);
    friction_.resize(rows_.size());
    unilateral_.multiply(impulse_, product_);
    change_.assign(impulse_.begin(), impulse_.end());
    report.solve = {};
    for (std::size_t k = 0; k + 1 < islands_.size(); ++k) {
      double size = 0;
      for (std::size_t i = islands_[k]; i < islands_[k + 1]; ++i) {
        friction_[i] = contacts_[rows_[i].contact].law.friction;
        for (int c = 0; c < components_; ++c) {
          const double w = rate(rows_[i], c), known = product_[i * components_ + c],
                       wanted = aim(rows_[i], c);
          rhs_[i * components_ + c] = w - known - wanted;
          size = std::max(size, std::abs(w) + std::abs(known) + std::abs(wanted));
        }
      }
      addPart(solveIsland(islands_[k], islands_[k + 1], size), report.solve);
    }
    double change = 0;
    for (std::size_t i = 0; i < n; ++i)
      change = std::max(change, std::abs(impulse_[i] - change_[i]));
    return change;
  }

  //! Points that act together, with their block of the matrix; size is that of the terms of rates
  SolveReport EnergyMomentum::solveIsland(std::size_t begin, std::size_t end, double size)
  {
    const std::size_t d = std::size_t(components_), n = (end - begin) * d;
    const bool whole = begin == 0 && end == rows_.size();
    if (!whole) {
      island_.clear(components_);
      for (std::size_t i = begin; i < end; ++i) {
        island_.beginRow();
        auto [columns, values] = unilateral_.row(i);
        for (const std::size_t j : columns) {
          island_.add(j - begin, values);
          values += d * d;
        }
      }
    }
    response_->select(begin, end);
    const SolveReport report =
      solver_.solveContact({whole ? unilateral_ : island_, ConstSpan(rhs_).subspan(begin * d, n),
                            ConstSpan(friction_).subspan(begin, end - begin), 0, size},
                           Span(impulse_).subspan(begin * d, n), response_.get());
    requireImpulses(report, settings_.contactTolerance, contacts_[rows_[begin].contact].name);
    return report;
  }

  //! Largest natural map of the points of `mid` in the motion computed last, in units of the
  //! largest speed without impulses of those that act together
  double EnergyMomentum::unilateralResidual() const
  {
    double worst = 0;
    for (std::size_t k = 0; k + 1 < islands_.size(); ++k) {
      double residual = 0, scale = 0;
      for (std::size_t i = islands_[k]; i < islands_[k + 1]; ++i) {
        double w[3];
        for (int c = 0; c < components_; ++c) {
          w[c] = rate(rows_[i], c) - aim(rows_[i], c);
          scale = std::max(scale, std::abs(rhs_[i * components_ + c]));
        }
        residual = largerOrNaN(residual, naturalMap(components_, unilateral_.diagonal(i),
                                                    friction_[i], &impulse_[i * components_], w));
      }
      worst = largerOrNaN(worst, residual == 0 ? 0 : residual / scale);
    }
    return worst;
  }

  //! Gaps g_0 and g_1 = g_0 + h w of all penalties after the last pass; points with an overlap at
  //! one end, or with an impulse, take part
  void EnergyMomentum::findPenalties(const State& from, const State& to)
  {
    penaltyRows_.clear();
    penaltyIndex_.clear();
    gapBefore_.resize(penalties_.size());
    gapAfter_.resize(penalties_.size());
    seen_.resize(penalties_.size());
    for (std::size_t i = 0; i < penalties_.size(); ++i) {
      double& before = gapBefore_[i];
      before = gapBlock(from)[i];
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
      Acting row{.first = point.firstMember,
                 .second = point.secondMember,
                 .contact = point.contact,
                 .axes = {seen->normal},
                 .place = seen->place,
                 .sign = point.nodeIsFirst ? 1.0 : -1.0};
      if (point.obstacle)
        row.obstacleVelocity[0] =
          -seen->normal.dot(toEigen(point.obstacle->velocity(from.time, settings_.step)));
      gapAfter_[i] = before + settings_.step * rate(row, 0);
      if (before < 0 || gapAfter_[i] < 0 || penaltyImpulse_[i] > 0) {
        penaltyRows_.push_back(row);
        penaltyIndex_.push_back(i);
      }
    }
  }

  /* Newton's method for r_i = h p(g0, g0 + h w(r)) with the derivative h/2 D of the rates; returns
   * the largest change of an impulse. */
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
  void EnergyMomentum::accountUnilateral(State& to, StepReport& report) const
  {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (impulse_[i * components_] == 0)
        continue;
      const Acting& row = rows_[i];
      ++report.contacts;
      report.pairImpulse[row.contact] += impulse_[i * components_];
      ContactReport& contact = report.contact[row.contact];
      if (const double mu = contacts_[row.contact].law.friction; mu > 0)
        contact.addFrictionPoint(
          std::hypot(impulse_[i * components_ + 1], impulse_[i * components_ + 2]),
          impulse_[i * components_], mu);
      Vector3 total = Vector3::Zero();
      for (int c = 0; c < components_; ++c) {
        const double r = impulse_[i * components_ + c];
        total += r * row.axes[c];
        const double work = r * rate(row, c);
        (c == 0 ? to.ledger.contactWork : to.ledger.frictionWork) += work;
        if (c > 0)
          contact.frictionWork += work;
        to.ledger.externalWork -= r * row.obstacleVelocity[c];
      }
      accountImpulse(row, total, report);
    }
  }

  void EnergyMomentum::accountImpulse(const Acting& row, const Vector3& impulse,
                                      StepReport& report) const
  {
    report.contact[row.contact].impulse += toVec3(row.sign * impulse);
    report.impulse += toVec3(row.sign * impulse);
    report.bodyImpulse[members_.bodyIndex(row.first)] += toVec3(impulse);
    if (row.second >= 0)
      report.bodyImpulse[members_.bodyIndex(std::size_t(row.second))] -= toVec3(impulse);
  }

  //! Carry the gaps; a node that leaves its facet while it overlaps loses what is stored
  void EnergyMomentum::accountPenalties(const State& from, State& to, StepReport& report)
  {
    if (penalties_.size() == 0)
      return;
    findPenalties(from, to);
    std::vector<double>& gaps = gapBlock(to);
    for (std::size_t i = 0; i < penalties_.size(); ++i) {
      gaps[i] = gapAfter_[i];
      if (!seen_[i])
        to.ledger.contactWork += penaltyEnergy(penalties_[i].stiffness, gaps[i]) -
                                 penaltyEnergy(penalties_[i].stiffness, gapBefore_[i]);
    }
    for (std::size_t i = 0; i < penaltyRows_.size(); ++i) {
      const double r = penaltyImpulse_[penaltyIndex_[i]];
      if (r == 0)
        continue;
      const Acting& row = penaltyRows_[i];
      ++report.contacts;
      // the normal of two centres is not quite a unit vector
      report.pairImpulse[row.contact] += r * row.axes[0].norm();
      to.ledger.externalWork -= r * row.obstacleVelocity[0];
      accountImpulse(row, r * row.axes[0], report);
    }
  }

} // namespace Dune::Impact
