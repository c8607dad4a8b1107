// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <Eigen/SparseLU>

#include <dune/impact/timestep/staticproblem.hh>

namespace Dune::Impact {

  namespace {

    //! Diagonal of the box around all points; one if there is but one point
    double sizeOf(const System& system)
    {
      const State state = system.initialState();
      Vec3 lower(std::numeric_limits<double>::infinity()), upper(-std::numeric_limits<double>::infinity());
      for (std::size_t b = 0; b < system.bodyCount(); ++b)
        for (std::size_t i = 0; i < system.body(b).pointCount(); ++i) {
          const Vec3 x = system.body(b).position(system.configurationSlice(b, state.q), i);
          for (int c = 0; c < 3; ++c) {
            lower[c] = std::min(lower[c], x[c]);
            upper[c] = std::max(upper[c], x[c]);
          }
        }
      const double size = (upper - lower).two_norm();
      return size > 0 ? size : 1;
    }

  } // namespace

  StaticProblem::StaticProblem(const System& system, const std::vector<FrictionContact>& contacts, const Settings& settings)
    : system_(system), contacts_(contacts), settings_(settings), slotBegin_{0}, length_(sizeOf(system))
  {
    for (const FrictionContact& contact : contacts_) {
      slotBegin_.push_back(slotBegin_.back() + contact.coupling->slots());
      reach_ = std::min(reach_, contact.coupling->reach());
    }
    for (const auto& constraint : system_.constraints())
      jointRows_ += constraint->rows();
    findFixed();
  }

  //! A row with a single entry holds its dof
  void StaticProblem::findFixed()
  {
    const State state = system_.initialState();
    Triplets rows;
    std::size_t first = 0;
    for (const auto& constraint : system_.constraints()) {
      constraint->addRows(0, state.q, first, rows);
      first += constraint->rows();
    }
    std::vector<int> count(jointRows_, 0), dof(jointRows_, 0);
    for (const auto& entry : rows)
      if (entry.value() != 0) {
        ++count[std::size_t(entry.row())];
        dof[std::size_t(entry.row())] = entry.col();
      }
    fixed_.assign(system_.velocitySize(), 0);
    for (std::size_t i = 0; i < jointRows_; ++i)
      if (count[i] == 1)
        fixed_[std::size_t(dof[i])] = 1;
  }

  double StaticProblem::stiffness() const
  {
    double largest = 0;
    for (const FrictionContact& contact : contacts_)
      largest = std::max(largest, contact.coupling->stiffness());
    return largest;
  }

  void StaticProblem::addExternal(double t, const Solution& at, std::vector<double>& force) const
  {
    SparseVector load;
    for (const auto& interaction : system_.interactions())
      if (interaction->external())
        interaction->addForce(t, at.q, load);
    addTo(load, 1, force);
    Triplets rows;
    std::size_t first = 0;
    for (const auto& constraint : system_.constraints()) {
      constraint->addRows(t, at.q, first, rows);
      first += constraint->rows();
    }
    for (const auto& entry : rows)
      force[std::size_t(entry.col())] += entry.value() * at.joints[std::size_t(entry.row())];
  }

  void StaticProblem::evaluateContacts(double t, const Solution& at, const std::vector<double>& previous, std::vector<FrictionRows>& rows) const
  {
    rows.assign(contacts_.size(), {});
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const ConstSpan forces(at.forces.data() + 3 * slotBegin_[k], 3 * contacts_[k].coupling->slots());
      contacts_[k].coupling->evaluate(t, at.q, previous, forces, rows[k]);
    }
  }

  /* A slot whose gap depends on nothing that is free to move, as between two clamped sections, carries no
   * force: its multiplier would be arbitrary. */
  void StaticProblem::addContact(std::size_t contact, double p, const Solution& at, const FrictionRows& rows)
  {
    const std::size_t n = system_.velocitySize(), begin = slotBegin_[contact], slots = contacts_[contact].coupling->slots();
    const int first = int(n + jointRows_ + 3 * begin);
    std::vector<double> freeNorm(slots, 0);
    for (const auto& entry : rows.derivative)
      if (entry.row() % 3 == 0 && !fixed_[std::size_t(entry.col())] && !system_.angular(std::size_t(entry.col())))
        freeNorm[std::size_t(entry.row()) / 3] += entry.value() * entry.value();

    std::vector<Eigen::Matrix3d> derivative(slots, Eigen::Matrix3d::Zero());
    for (std::size_t s = 0; s < slots; ++s) {
      const Eigen::Vector3d l(at.forces.data() + 3 * (begin + s));
      Eigen::Vector3d g(rows.g.data() + 3 * s);
      if (l.isZero(0))
        for (double& x : g)
          if (std::abs(x) <= std::ldexp(length_, -40)) // sides that touch without a force, up to rounding
            x = 0;
      Eigen::Vector3d value = Eigen::Vector3d::Zero();
      if (rows.valid[s] && freeNorm[s] > 1e-8) { // closest points are not more accurate than that
        const CoulombProjection projection(l - p * g, contacts_[contact].friction);
        value = projection.value;
        derivative[s] = projection.derivative;
        sets_[begin + s] = projection.set;
      }
      const Eigen::Matrix3d rest = Eigen::Matrix3d::Identity() - derivative[s];
      for (int i = 0; i < 3; ++i) {
        residual_[first + int(3 * s) + i] = value[i] - l[i];
        for (int j = 0; j < 3; ++j)
          if (rest(i, j) != 0)
            entries_.emplace_back(first + int(3 * s) + i, first + int(3 * s) + j, rest(i, j));
      }
      largestForce_ = std::max(largestForce_, l.cwiseAbs().maxCoeff());
    }
    for (const auto& entry : rows.derivative) {
      const std::size_t s = std::size_t(entry.row()) / 3;
      for (int i = 0; i < 3; ++i)
        if (const double d = derivative[s](i, entry.row() % 3); d != 0)
          entries_.emplace_back(first + int(3 * s) + i, entry.col(), p * d * entry.value());
    }
    for (const auto& entry : rows.rows) {
      residual_[entry.col()] += entry.value() * at.forces[3 * begin + std::size_t(entry.row())];
      entries_.emplace_back(entry.col(), first + entry.row(), -entry.value());
    }
    for (const auto& entry : rows.stiffness)
      entries_.emplace_back(entry.row(), entry.col(), -entry.value());
    minGap_ = std::min(minGap_, rows.minGap);
  }

  void StaticProblem::assemble(double t, const std::vector<double>& previous, double p, const Solution& at)
  {
    const std::size_t n = system_.velocitySize(), size = n + jointRows_ + 3 * slots();
    entries_.clear();
    residual_ = Eigen::VectorXd::Zero(Eigen::Index(size));
    system_.addForce(t, at.q, 1, Span(residual_.data(), n));
    system_.addStiffness(t, at.q, 0, entries_);

    rowScale_.resize(Eigen::Index(size));
    columnScale_.resize(Eigen::Index(size));
    for (std::size_t i = 0; i < n; ++i)
      columnScale_[Eigen::Index(i)] = system_.angular(i) ? 1 : length_;
    double energy = 0;
    for (const auto& entry : entries_)
      energy = std::max(energy, std::abs(entry.value() * columnScale_[entry.row()] * columnScale_[entry.col()]));
    if (!(energy > 0))
      energy = 1;
    for (std::size_t i = 0; i < n; ++i)
      rowScale_[Eigen::Index(i)] = columnScale_[Eigen::Index(i)] / energy;

    std::vector<double> external(n, 0);
    addExternal(t, at, external);
    largestForce_ = 0;
    for (std::size_t i = 0; i < n; ++i)
      largestForce_ = std::max(largestForce_, std::abs(external[i]) * columnScale_[Eigen::Index(i)] / length_);

    std::size_t row = n;
    Triplets joints;
    for (const auto& constraint : system_.constraints()) {
      constraint->residual(t, at.q, Span(residual_.data() + row, constraint->rows()));
      constraint->addRows(t, at.q, row, joints);
      for (std::size_t i = 0; i < constraint->rows(); ++i) {
        residual_[Eigen::Index(row + i)] *= -1;
        rowScale_[Eigen::Index(row + i)] = constraint->angular(i) ? 1 : 1 / length_;
        columnScale_[Eigen::Index(row + i)] = constraint->angular(i) ? energy : energy / length_;
      }
      row += constraint->rows();
    }
    for (const auto& entry : joints) {
      residual_[entry.col()] += entry.value() * at.joints[std::size_t(entry.row()) - n];
      entries_.push_back(entry);
      entries_.emplace_back(entry.col(), entry.row(), -entry.value());
    }
    for (; row < size; ++row) {
      rowScale_[Eigen::Index(row)] = length_ / energy;
      columnScale_[Eigen::Index(row)] = energy / length_;
    }
    minGap_ = std::numeric_limits<double>::infinity();
    sets_.assign(slots(), ContactSet::open);
    std::vector<FrictionRows> rows;
    evaluateContacts(t, at, previous, rows);
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      addContact(k, p, at, rows[k]);
  }

  //! Returns the size of the increment of q, of lengths relative to the system, and how much of it was applied
  double StaticProblem::apply(const Eigen::VectorXd& step, Solution& at) const
  {
    const std::size_t n = system_.velocitySize();
    double turn = 0, move = 0;
    for (std::size_t i = 0; i < n; ++i)
      (system_.angular(i) ? turn : move) = std::max(system_.angular(i) ? turn : move, std::abs(step[Eigen::Index(i)]));
    const double factor = std::min({1.0, turn > 0 ? settings_.largestTurn / turn : 1, move > 0 ? reach_ / move : 1});
    std::vector<double> dq(n), q1(at.q.size());
    for (std::size_t i = 0; i < n; ++i)
      dq[i] = factor * step[Eigen::Index(i)];
    system_.retract(at.q, dq, q1);
    at.q.swap(q1);
    for (std::size_t i = 0; i < at.joints.size(); ++i)
      at.joints[i] += factor * step[Eigen::Index(n + i)];
    for (std::size_t i = 0; i < at.forces.size(); ++i)
      at.forces[i] += factor * step[Eigen::Index(n + jointRows_ + i)];
    return std::max(turn, move / length_);
  }

  StaticProblem::Outcome StaticProblem::solve(double t, const std::vector<double>& previous, double p, Solution& solution)
  {
    Outcome outcome;
    std::vector<ContactSet> before;
    double increment = std::numeric_limits<double>::infinity();
    for (outcome.iterations = 0;; ++outcome.iterations) {
      assemble(t, previous, p, solution);
      double forces = 0, gaps = 0;
      for (std::size_t i = 0; i < std::size_t(residual_.size()); ++i) {
        const Eigen::Index k = Eigen::Index(i);
        if (i < system_.velocitySize())
          forces = std::max(forces, std::abs(residual_[k]) * columnScale_[k] / length_);
        else if (i < system_.velocitySize() + jointRows_)
          gaps = std::max(gaps, std::abs(residual_[k]) * rowScale_[k]);
        else
          forces = std::max(forces, std::abs(residual_[k]));
      }
      if (!std::isfinite(forces) || !std::isfinite(gaps))
        return outcome;
      outcome.residual = largestForce_ > 0 ? forces / largestForce_ : 0;
      outcome.minGap = minGap_;
      const bool rest = outcome.iterations == 0 && forces <= settings_.tolerance * largestForce_ && gaps <= settings_.tolerance;
      const bool small = rest || increment <= settings_.smallIncrement;
      if (small && before == sets_) {
        outcome.converged = true;
        for (ContactSet set : sets_) {
          outcome.active += set != ContactSet::open;
          outcome.sticking += set == ContactSet::stick;
        }
        return outcome;
      }
      if (outcome.iterations >= settings_.maxIterations || (std::isfinite(increment) && increment > 1e6))
        return outcome;
      before = sets_;
      for (auto& entry : entries_)
        entry = {entry.row(), entry.col(), entry.value() * rowScale_[entry.row()] * columnScale_[entry.col()]};
      Eigen::SparseMatrix<double> matrix(residual_.size(), residual_.size());
      matrix.setFromTriplets(entries_.begin(), entries_.end());
      Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> factor;
      factor.compute(matrix);
      if (factor.info() != Eigen::Success)
        return outcome;
      const Eigen::VectorXd scaled = factor.solve(residual_.cwiseProduct(rowScale_));
      increment = apply(scaled.cwiseProduct(columnScale_), solution);
    }
  }

} // namespace Dune::Impact
