// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <Eigen/SparseLU>

#include <dune/impact/timestep/frames/alartcurniersystem.hh>

namespace Dune::Impact {

  double sizeOf(const System& system, double otherwise)
  {
    const State state = system.initialState();
    Vec3 lower(std::numeric_limits<double>::infinity()),
      upper(-std::numeric_limits<double>::infinity());
    for (std::size_t b = 0; b < system.bodyCount(); ++b)
      for (std::size_t i = 0; i < system.body(b).pointCount(); ++i) {
        const Vec3 x = system.body(b).position(system.configurationSlice(b, state.q), i);
        for (int c = 0; c < 3; ++c) {
          lower[c] = std::min(lower[c], x[c]);
          upper[c] = std::max(upper[c], x[c]);
        }
      }
    const double size = (upper - lower).two_norm();
    return size > 0 ? size : otherwise > 0 ? otherwise : 1;
  }

  AlartCurnierSystem::AlartCurnierSystem(const System& system, std::size_t multipliers,
                                         double length)
    : dynamics_(system)
    , multipliers_(multipliers)
    , dofs_(system.velocitySize())
    , length_(sizeOf(system, length))
  {
    for (const auto& constraint : system.constraints())
      for (std::size_t i = 0; i < constraint->rows(); ++i)
        angularRow_.push_back(constraint->angular(i));
    for (std::size_t i = 0; i < dofs_; ++i)
      angular_.push_back(system.angular(i));
    findFixed();
  }

  //! A row with a single entry holds its dof
  void AlartCurnierSystem::findFixed()
  {
    const State state = dynamics_.system().initialState();
    Triplets rows;
    dynamics_.addJointRows(0, state.q, 0, rows);
    std::vector<int> count(jointRows(), 0), dof(jointRows(), 0);
    for (const auto& entry : rows)
      if (entry.value() != 0) {
        ++count[std::size_t(entry.row())];
        dof[std::size_t(entry.row())] = entry.col();
      }
    fixed_.assign(dofs_, 0);
    for (std::size_t i = 0; i < jointRows(); ++i)
      if (count[i] == 1)
        fixed_[std::size_t(dof[i])] = 1;
  }

  void AlartCurnierSystem::begin()
  {
    entries.clear();
    residual = Eigen::VectorXd::Zero(Eigen::Index(size()));
  }

  /* Scales with the length L of the system and the largest entry E of K in these units: dq is
   * measured in L (angles in 1), forces and contact multipliers in E/L, moments in E. A dof without
   * a diagonal entry in K receives one and stays where it is. */
  void AlartCurnierSystem::scale()
  {
    rowScale_.resize(Eigen::Index(size()));
    columnScale_.resize(Eigen::Index(size()));
    for (std::size_t i = 0; i < dofs_; ++i)
      columnScale_[Eigen::Index(i)] = angular_[i] ? 1 : length_;
    double energy = 0;
    std::vector<char> moves(dofs_, 0);
    for (const auto& entry : entries) {
      energy = std::max(
        energy, std::abs(entry.value() * columnScale_[entry.row()] * columnScale_[entry.col()]));
      if (entry.row() == entry.col() && entry.value() != 0)
        moves[std::size_t(entry.row())] = 1;
    }
    if (!(energy > 0))
      energy = 1;
    for (std::size_t i = 0; i < dofs_; ++i) {
      const Eigen::Index k = Eigen::Index(i);
      rowScale_[k] = columnScale_[k] / energy;
      if (!moves[i])
        entries.emplace_back(int(i), int(i), 1 / (rowScale_[k] * columnScale_[k]));
    }
    for (std::size_t i = 0; i < jointRows(); ++i) {
      rowScale_[Eigen::Index(dofs_ + i)] = angularRow_[i] ? 1 : 1 / length_;
      columnScale_[Eigen::Index(dofs_ + i)] = angularRow_[i] ? energy : energy / length_;
    }
    for (std::size_t i = dofs_ + jointRows(); i < size(); ++i) {
      rowScale_[Eigen::Index(i)] = length_ / energy;
      columnScale_[Eigen::Index(i)] = energy / length_;
    }
  }

  //! residual += G^T lambda; entries G, -G^T, and the stiffness of G^T lambda
  void AlartCurnierSystem::addJoints(double t, ConstSpan q, ConstSpan lambda, ConstSpan rowResidual)
  {
    Triplets joints;
    dynamics_.addJointRows(t, q, dofs_, joints);
    dynamics_.addJointStiffness(q, lambda, entries);
    for (std::size_t i = 0; i < jointRows(); ++i)
      residual[Eigen::Index(dofs_ + i)] = rowResidual[i];
    for (const auto& entry : joints) {
      residual[entry.col()] += entry.value() * lambda[std::size_t(entry.row()) - dofs_];
      entries.push_back(entry);
      entries.emplace_back(entry.col(), entry.row(), -entry.value());
    }
  }

  //! Multipliers with a partner whose gap depends on a free dof: |dg_N/dq|^2 > 1e-8, which is about
  //! the accuracy of closest points
  std::vector<char> AlartCurnierSystem::usable(const GapSlip& rows) const
  {
    std::vector<double> freeNorm(rows.valid.size(), 0);
    for (const auto& entry : rows.derivative)
      if (entry.row() % 3 == 0 && !fixed_[std::size_t(entry.col())]) {
        const double x = entry.value() / (angular_[std::size_t(entry.col())] ? length_ : 1);
        freeNorm[std::size_t(entry.row()) / 3] += x * x;
      }
    std::vector<char> result(rows.valid.size());
    for (std::size_t s = 0; s < result.size(); ++s)
      result[s] = rows.valid[s] && freeNorm[s] > 1e-8;
    return result;
  }

  /* Residual P(l - p g) - l, entries I - P' (plus the regularisation) and p P' dg/dq; the force
   * B^T l in the balance of forces with its derivatives. An unusable multiplier has the equation
   * l = 0. */
  void AlartCurnierSystem::addContact(const Cone& cone, const GapSlip& rows, ConstSpan l,
                                      std::vector<ContactSet>& sets)
  {
    const std::size_t multipliers = rows.valid.size();
    const int first = int(dofs_ + jointRows() + 3 * cone.firstMultiplier);
    const std::vector<char> carries = usable(rows);
    std::vector<Eigen::Matrix3d> derivative(multipliers, Eigen::Matrix3d::Zero());
    for (std::size_t s = 0; s < multipliers; ++s) {
      const Eigen::Vector3d force(l.data() + 3 * s);
      Eigen::Vector3d g(rows.g.data() + 3 * s);
      if (force.isZero(0))
        for (double& x : g)
          if (std::abs(x) <= cone.touching) // sides that touch without a force, up to rounding
            x = 0;
      Eigen::Vector3d value = Eigen::Vector3d::Zero();
      if (carries[s]) {
        const CoulombProjection projection(force - cone.p * g, cone.friction);
        value = projection.value;
        derivative[s] = projection.derivative;
        for (int i = cone.components; i < 3; ++i)
          derivative[s].row(i).setZero();
        sets[cone.firstMultiplier + s] = projection.set;
      }
      Eigen::Matrix3d rest = Eigen::Matrix3d::Identity() - derivative[s];
      rest.diagonal().array() += cone.regularisation;
      for (int i = 0; i < 3; ++i) {
        residual[first + int(3 * s) + i] = value[i] - force[i];
        for (int j = 0; j < 3; ++j)
          if (rest(i, j) != 0)
            entries.emplace_back(first + int(3 * s) + i, first + int(3 * s) + j, rest(i, j));
      }
    }
    for (const auto& entry : rows.derivative) {
      const std::size_t s = std::size_t(entry.row()) / 3;
      for (int i = 0; i < 3; ++i)
        if (const double d = derivative[s](i, entry.row() % 3); d != 0)
          entries.emplace_back(first + int(3 * s) + i, entry.col(), cone.p * d * entry.value());
    }
    for (const auto& entry : rows.rows) {
      residual[entry.col()] += entry.value() * l[std::size_t(entry.row())];
      entries.emplace_back(entry.col(), first + entry.row(), -entry.value());
    }
    for (const auto& entry : rows.stiffness)
      entries.emplace_back(entry.row(), entry.col(), -entry.value());
  }

  //! Largest residual of the balance of forces, moments divided by L, and of the contact equations
  double AlartCurnierSystem::forceResidual() const
  {
    double largest = 0;
    for (std::size_t i = 0; i < size(); ++i)
      if (i < dofs_ || i >= dofs_ + jointRows()) {
        const Eigen::Index k = Eigen::Index(i);
        const double x = std::abs(residual[k]) * (i < dofs_ ? columnScale_[k] / length_ : 1);
        if (!(x <= largest)) // also of what is not a number
          largest = x;
      }
    return largest;
  }

  double AlartCurnierSystem::jointResidual() const
  {
    double largest = 0;
    for (std::size_t i = dofs_; i < dofs_ + jointRows(); ++i)
      if (const double x = std::abs(residual[Eigen::Index(i)]) * rowScale_[Eigen::Index(i)];
          !(x <= largest))
        largest = x;
    return largest;
  }

  //! (R A C) y = R b, x = C y with the scales of rows and columns, by sparse LU
  Eigen::VectorXd AlartCurnierSystem::solve()
  {
    for (auto& entry : entries)
      entry = {entry.row(), entry.col(),
               entry.value() * rowScale_[entry.row()] * columnScale_[entry.col()]};
    Eigen::SparseMatrix<double> matrix(residual.size(), residual.size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> factor;
    factor.compute(matrix);
    if (factor.info() != Eigen::Success)
      return {};
    const Eigen::VectorXd scaled = factor.solve(residual.cwiseProduct(rowScale_));
    if (!scaled.allFinite())
      return {};
    return scaled.cwiseProduct(columnScale_);
  }

  AlartCurnierSystem::Size AlartCurnierSystem::sizeOfIncrement(const Eigen::VectorXd& step) const
  {
    Size size;
    for (std::size_t i = 0; i < dofs_; ++i) {
      double& largest = angular_[i] ? size.turn : size.move;
      largest = std::max(largest, std::abs(step[Eigen::Index(i)]));
    }
    return size;
  }

} // namespace Dune::Impact
