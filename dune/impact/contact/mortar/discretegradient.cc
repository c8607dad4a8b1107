// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/common/fmatrix.hh>

#include <dune/impact/contact/mortar/discretegradient.hh>

namespace Dune::Impact {

  namespace {

    //! Least part of the square of the length of the mesh that a motion must have to be corrected
    //! for
    constexpr double roundOff = 1e-24;

    template<int dim>
    double product(const std::vector<NodeEntry<dim>>& a, const std::vector<NodeEntry<dim>>& b)
    {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i].value * b[i].value;
      return sum;
    }

  } // namespace

  //! Half of the derivative at one configuration; the sum of both is the mean g.
  template<int dim>
  void DiscreteGradient<dim>::add(std::span<const NodeEntry<dim>> entries)
  {
    for (const auto& [node, value] : entries) {
      const auto known = std::find_if(row_.begin(), row_.end(),
                                      [n = node](const auto& entry) { return entry.node == n; });
      auto& entry =
        known == row_.end() ? row_.emplace_back(NodeEntry<dim>{node, Vector(0)}) : *known;
      entry.value.axpy(0.5, value);
    }
  }

  //! Arms of the nodes: positions in the mean configuration m = (x + z)/2 from their centroid
  template<int dim>
  void DiscreteGradient<dim>::buildArms(ConstSpan x, ConstSpan z, std::span<const Vector> positions)
  {
    arm_.clear();
    Vector centroid(0);
    for (const auto& entry : row_) {
      Vector m = positions[entry.node];
      for (int c = 0; c < dim; ++c)
        m[c] += 0.5 * (x[entry.node * dim + c] + z[entry.node * dim + c]);
      arm_.push_back(m);
      centroid.axpy(1.0 / row_.size(), m);
    }
    for (Vector& arm : arm_)
      arm -= centroid;
  }

  /* Euclidean projection P onto fields f without translation and without rotation about the
   * centroid: f_i -= mean f, then f_i -= omega x r_i with the arms r_i and
   *
   *     (sum_i |r_i|^2 I - r_i r_i^T) omega = sum_i r_i x f_i. */
  template<int dim>
  void DiscreteGradient<dim>::removeRigid(std::vector<NodeEntry<dim>>& field) const
  {
    Vector mean(0);
    for (const auto& entry : field)
      mean.axpy(1.0 / field.size(), entry.value);
    for (auto& entry : field)
      entry.value -= mean;
    if constexpr (dim == 2) {
      double moment = 0, inertia = 0;
      for (std::size_t i = 0; i < field.size(); ++i) {
        moment += arm_[i][0] * field[i].value[1] - arm_[i][1] * field[i].value[0];
        inertia += arm_[i].two_norm2();
      }
      for (std::size_t i = 0; i < field.size(); ++i) {
        field[i].value[0] += moment / inertia * arm_[i][1];
        field[i].value[1] -= moment / inertia * arm_[i][0];
      }
    }
    else {
      Vector moment(0), rotation(0);
      FieldMatrix<double, 3, 3> inertia(0);
      for (std::size_t i = 0; i < field.size(); ++i) {
        moment += cross(arm_[i], field[i].value);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            inertia[a][b] += (a == b ? arm_[i].two_norm2() : 0) - arm_[i][a] * arm_[i][b];
      }
      inertia.solve(rotation, moment);
      for (std::size_t i = 0; i < field.size(); ++i)
        field[i].value -= cross(rotation, arm_[i]);
    }
  }

  //! C^ = P g + e q/|q|^2 with q = P D and e = c(z) - c(x) - P g . q, so that C^ . D = c(z) - c(x).
  //! P is orthogonal, hence P g . D = P g . q. A motion within rounding needs no correction.
  template<int dim>
  const std::vector<NodeEntry<dim>>& DiscreteGradient<dim>::row(std::span<const NodeEntry<dim>> atX,
                                                                std::span<const NodeEntry<dim>> atZ,
                                                                ConstSpan x, ConstSpan z,
                                                                std::span<const Vector> positions,
                                                                const Vector& obstacleIncrement,
                                                                double change, double length)
  {
    row_.clear();
    add(atX);
    add(atZ);
    q_ = row_;
    for (auto& [node, value] : q_)
      for (int c = 0; c < dim; ++c)
        value[c] = z[node * dim + c] - x[node * dim + c] - obstacleIncrement[c];
    if (!positions.empty()) {
      buildArms(x, z, positions);
      removeRigid(row_);
      removeRigid(q_);
    }
    const double square = product(q_, q_);
    if (square <= roundOff * length * length)
      return row_;
    const double factor = (change - product(row_, q_)) / square;
    for (std::size_t i = 0; i < row_.size(); ++i)
      row_[i].value.axpy(factor, q_[i].value);
    return row_;
  }

  template class DiscreteGradient<2>;
  template class DiscreteGradient<3>;

} // namespace Dune::Impact
