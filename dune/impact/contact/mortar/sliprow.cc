// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/contact/mortar/sliprow.hh>

namespace Dune::Impact {

  //! Number of the entry of a node, a new one if it has none
  template<int dim>
  std::size_t SlipRow<dim>::place(std::size_t node)
  {
    const auto known =
      std::ranges::find_if(row_, [&](const auto& entry) { return entry.node == node; });
    if (known != row_.end())
      return std::size_t(known - row_.begin());
    row_.push_back({node, Matrix(0)});
    share_.push_back(0);
    return row_.size() - 1;
  }

  //! T~_p = |r_p| (1 - r r^T) on p, -m_pj times that on mortar nodes, and on a turn the same times
  //! the matrix of Theta -> Theta x arm
  template<int dim>
  void SlipRow<dim>::makePlain(const SlipEnd<dim>& atX, const SlipEnd<dim>& atZ,
                               const std::optional<NodeTurn<dim>>& turn)
  {
    row_.clear();
    share_.clear();
    axis_ = 0;
    for (const auto* end : {&atX, &atZ})
      axis_.axpy(0.5 * end->gap->weight * end->gap->slope, end->gap->direction);
    const double length = axis_.two_norm();
    Matrix tangential(0);
    if (length > 0)
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          tangential[i][j] = (i == j ? length : 0) - axis_[i] * axis_[j] / length;
    row_.push_back({atZ.gap->node, tangential});
    share_.push_back(0);
    for (const auto* end : {&atX, &atZ})
      for (const auto& [node, weight] : end->mortar)
        row_[place(node)].value.axpy(-0.5 * weight, tangential);
    if constexpr (dim == 3)
      if (turn) {
        Matrix cross(0); // Theta -> arm x Theta
        for (int i = 0; i < 3; ++i) {
          cross[i][(i + 1) % 3] = -turn->arm[(i + 2) % 3];
          cross[i][(i + 2) % 3] = turn->arm[(i + 1) % 3];
        }
        row_[place(turn->node)].value += cross.leftmultiplyany(tangential);
      }
  }

  //! Half of the shares of one end
  template<int dim>
  void SlipRow<dim>::addShares(std::span<const NodeWeight> shares)
  {
    for (const auto& [node, weight] : shares)
      share_[place(node)] += 0.5 * weight;
  }

  /* P with the weights q. Component c of the slip has the row f_a = row c of the matrices. In the
   * plane theta and J are numbers. */
  template<int dim>
  void SlipRow<dim>::removeRigid()
  {
    double sum = 0;
    Vector centroid(0);
    for (std::size_t a = 0; a < row_.size(); ++a) {
      sum += share_[a];
      centroid.axpy(share_[a], arm_[a]);
    }
    centroid /= sum;
    for (Vector& arm : arm_)
      arm -= centroid;
    FieldMatrix<double, 3, 3> inertia(0);
    for (std::size_t a = 0; a < row_.size(); ++a)
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          inertia[i][j] +=
            share_[a] * ((i == j ? arm_[a].two_norm2() : 0) - arm_[a][i] * arm_[a][j]);
    const double polar = inertia[0][0] + inertia[1][1]; // in the plane
    for (int c = 0; c < dim; ++c) {
      Vector resultant(0);
      for (const auto& entry : row_)
        resultant += entry.value[c];
      for (std::size_t a = 0; a < row_.size(); ++a)
        row_[a].value[c].axpy(-share_[a] / sum, resultant);
      if constexpr (dim == 2) {
        double moment = 0;
        for (std::size_t a = 0; a < row_.size(); ++a)
          moment += arm_[a][0] * row_[a].value[c][1] - arm_[a][1] * row_[a].value[c][0];
        for (std::size_t a = 0; a < row_.size(); ++a) {
          row_[a].value[c][0] += share_[a] * moment / polar * arm_[a][1];
          row_[a].value[c][1] -= share_[a] * moment / polar * arm_[a][0];
        }
      }
      else {
        Vector moment(0), theta(0);
        for (std::size_t a = 0; a < row_.size(); ++a)
          moment += cross(arm_[a], row_[a].value[c]);
        inertia.solve(theta, moment);
        for (std::size_t a = 0; a < row_.size(); ++a)
          row_[a].value[c].axpy(-share_[a], cross(theta, arm_[a]));
      }
    }
  }

  template class SlipRow<2>;
  template class SlipRow<3>;

} // namespace Dune::Impact
