// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/geometry/tospace.hh>

namespace Dune::Impact {

  template<int dim>
  ObstacleGap<dim>::ObstacleGap(ContactSurface<dim> surface,
                                std::shared_ptr<const Obstacle> obstacle, ObstacleGapKind kind)
    : samples_(std::move(surface), kind)
    , obstacle_(std::move(obstacle))
  {}

  //! Distance of the sample x_q = sum_a N_qa x_a; reference and displacement are summed apart, so
  //! that a small displacement keeps its digits.
  template<int dim>
  Obstacle::Distance ObstacleGap<dim>::distanceOf(double t, ConstSpan u, const Sample& sample) const
  {
    Vec3 reference(0), displacement(0);
    for (int a = 0; a < sample.count; ++a)
      for (int c = 0; c < dim; ++c) {
        reference[c] += sample.value[a] * surface().reference[sample.node[a]][c];
        displacement[c] += sample.value[a] * u[surface().node[sample.node[a]] * dim + c];
      }
    return obstacle_->distance(t, reference, displacement);
  }

  /* With the distances g_q and normals n_q of the obstacle at the samples
   *
   *     c_p = sum_q W_qp g_q,   dc_p by x_a = sum_q W_qp N_qa n_q.
   *
   * The normal of the surface at p is taken to be against dc_p by x_p. */
  template<int dim>
  void ObstacleGap<dim>::addGaps(double t, ConstSpan u, std::size_t multiplierOffset,
                                 WeightedGaps<dim>& gaps) const
  {
    std::vector<Obstacle::Distance> distances;
    for (const Sample& sample : samples_.samples())
      distances.push_back(distanceOf(t, u, sample));
    std::vector<typename WeightedGaps<dim>::Derivative> row;
    for (std::size_t p = 0; p < surface().node.size(); ++p) {
      samples_.clearRow(p, row);
      double value = 0;
      for (Index q : samples_.samplesOf(p)) {
        const Sample& sample = samples_.samples()[q];
        const double weight = sample.weightOf(p);
        value += weight * distances[q].gap;
        FieldVector<double, dim> slope;
        for (int c = 0; c < dim; ++c)
          slope[c] = weight * distances[q].normal[c];
        samples_.addToRow(p, sample, slope, row);
      }
      const auto& near = samples_.neighbours(p);
      const auto self = std::lower_bound(near.begin(), near.end(), Index(p)) - near.begin();
      const auto normal = row[self].value / -row[self].value.two_norm();
      gaps.add({multiplierOffset + p, surface().node[p], value, samples_.area(p), normal, normal},
               row);
    }
  }

  //! Blocks sum_q (sum_p mu_p W_qp) N_qa N_qb H_q with the second derivative H_q of the distance at
  //! the sample q
  template<int dim>
  void ObstacleGap<dim>::addCurvature(double t, ConstSpan u, std::span<const double> mu,
                                      std::vector<MatrixBlock<dim>>& blocks) const
  {
    for (const Sample& sample : samples_.samples()) {
      double factor = 0;
      for (int a = 0; a < sample.count; ++a)
        factor += mu[sample.node[a]] * sample.weight[a];
      if (factor == 0)
        continue;
      Vec3 reference(0), displacement(0);
      for (int a = 0; a < sample.count; ++a)
        for (int c = 0; c < dim; ++c) {
          reference[c] += sample.value[a] * surface().reference[sample.node[a]][c];
          displacement[c] += sample.value[a] * u[surface().node[sample.node[a]] * dim + c];
        }
      const auto hessian = obstacle_->curvature(t, reference, displacement);
      for (int a = 0; a < sample.count; ++a)
        for (int b = 0; b < sample.count; ++b) {
          MatrixBlock<dim> block{surface().node[sample.node[a]], surface().node[sample.node[b]],
                                 FieldMatrix<double, dim, dim>(0)};
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              block.value[i][j] = factor * sample.value[a] * sample.value[b] * hessian[i][j];
          blocks.push_back(block);
        }
    }
  }

  template<int dim>
  FieldVector<double, dim> ObstacleGap<dim>::obstacleDisplacement(double t) const
  {
    const Vec3 displacement = obstacle_->displacement(t);
    FieldVector<double, dim> result;
    for (int c = 0; c < dim; ++c)
      result[c] = displacement[c];
    return result;
  }

  template<int dim>
  std::optional<double> ObstacleGap<dim>::distance(double t, ConstSpan,
                                                   const FieldVector<double, dim>& x) const
  {
    return obstacle_->distance(t, toSpace<dim>(x), Vec3(0)).gap;
  }

  template class ObstacleGap<2>;
  template class ObstacleGap<3>;

} // namespace Dune::Impact
