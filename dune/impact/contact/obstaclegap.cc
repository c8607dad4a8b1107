// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/common/dynmatrix.hh>

#include <dune/impact/body/facetrule.hh>
#include <dune/impact/contact/obstaclegap.hh>

namespace Dune::Impact {

  template<int dim>
  ObstacleGap<dim>::ObstacleGap(ContactSurface<dim> surface, std::shared_ptr<const Obstacle> obstacle, ObstacleGapKind kind)
    : surface_(std::move(surface)), obstacle_(std::move(obstacle)), area_(nodeAreas(surface_))
  {
    if (kind == ObstacleGapKind::weighted)
      for (const auto& facet : surface_.facets)
        addFacetSamples(facet);
    else
      for (std::size_t i = 0; i < surface_.node.size(); ++i)
        samples_.push_back({{Index(i)}, 1, {1.0}, {area_[i]}});
    neighbours_.resize(surface_.node.size());
    samplesOf_.resize(surface_.node.size());
    for (std::size_t q = 0; q < samples_.size(); ++q)
      for (int a = 0; a < samples_[q].count; ++a) {
        auto& near = neighbours_[samples_[q].node[a]];
        near.insert(near.end(), samples_[q].node.begin(), samples_[q].node.begin() + samples_[q].count);
        samplesOf_[samples_[q].node[a]].push_back(Index(q));
      }
    for (auto& near : neighbours_) {
      std::sort(near.begin(), near.end());
      near.erase(std::unique(near.begin(), near.end()), near.end());
    }
  }

  template<int dim>
  void ObstacleGap<dim>::addFacetSamples(const typename ContactSurface<dim>::Facet& facet)
  {
    const auto rule = facetRule<dim>(facet, [&](Index i) { return surface_.reference[i]; });
    const int n = facet.count;
    DynamicMatrix<double> A(n, n, 0.0);
    std::array<double, corners> D{};
    for (const auto& point : rule)
      for (int i = 0; i < n; ++i) {
        D[i] += point.weight * point.value[i];
        for (int j = 0; j < n; ++j)
          A[i][j] += point.weight * point.value[i] * point.value[j];
      }
    A.invert(); // D M^-1 after the rows are scaled
    for (const auto& point : rule) {
      Sample sample{.node = facet.node, .count = n, .value = point.value, .weight = {}};
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          sample.weight[i] += point.weight * D[i] * A[i][j] * point.value[j];
      samples_.push_back(sample);
    }
  }

  template<int dim>
  Obstacle::Distance ObstacleGap<dim>::distance(double t, ConstSpan u, const Sample& sample) const
  {
    Vec3 reference(0), displacement(0);
    for (int a = 0; a < sample.count; ++a)
      for (int c = 0; c < dim; ++c) {
        reference[c] += sample.value[a] * surface_.reference[sample.node[a]][c];
        displacement[c] += sample.value[a] * u[surface_.node[sample.node[a]] * dim + c];
      }
    return obstacle_->distance(t, reference, displacement);
  }

  template<int dim>
  void ObstacleGap<dim>::addGaps(double t, ConstSpan u, std::size_t slotOffset, GapSet<dim>& gaps) const
  {
    std::vector<Obstacle::Distance> distances;
    for (const Sample& sample : samples_)
      distances.push_back(distance(t, u, sample));
    std::vector<typename GapSet<dim>::Derivative> row;
    for (std::size_t p = 0; p < surface_.node.size(); ++p) {
      row.clear();
      for (Index a : neighbours_[p])
        row.push_back({surface_.node[a], FieldVector<double, dim>(0)});
      double value = 0;
      for (Index q : samplesOf_[p]) {
        const Sample& sample = samples_[q];
        const auto self = std::find(sample.node.begin(), sample.node.end(), Index(p)) - sample.node.begin();
        value += sample.weight[self] * distances[q].gap;
        for (int a = 0; a < sample.count; ++a) {
          const auto place = std::lower_bound(neighbours_[p].begin(), neighbours_[p].end(), sample.node[a]) - neighbours_[p].begin();
          for (int c = 0; c < dim; ++c)
            row[place].value[c] += sample.weight[self] * sample.value[a] * distances[q].normal[c];
        }
      }
      const auto self = std::lower_bound(neighbours_[p].begin(), neighbours_[p].end(), Index(p)) - neighbours_[p].begin();
      const auto normal = row[self].value / -row[self].value.two_norm();
      gaps.add({slotOffset + p, surface_.node[p], value, area_[p], normal, normal}, row);
    }
  }

  template<int dim>
  void ObstacleGap<dim>::addCurvature(double t, ConstSpan u, std::span<const double> mu, std::vector<MatrixBlock<dim>>& blocks) const
  {
    for (const Sample& sample : samples_) {
      double factor = 0;
      for (int a = 0; a < sample.count; ++a)
        factor += mu[sample.node[a]] * sample.weight[a];
      if (factor == 0)
        continue;
      Vec3 reference(0), displacement(0);
      for (int a = 0; a < sample.count; ++a)
        for (int c = 0; c < dim; ++c) {
          reference[c] += sample.value[a] * surface_.reference[sample.node[a]][c];
          displacement[c] += sample.value[a] * u[surface_.node[sample.node[a]] * dim + c];
        }
      const auto hessian = obstacle_->curvature(t, reference, displacement);
      for (int a = 0; a < sample.count; ++a)
        for (int b = 0; b < sample.count; ++b) {
          MatrixBlock<dim> block{surface_.node[sample.node[a]], surface_.node[sample.node[b]], FieldMatrix<double, dim, dim>(0)};
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

  template class ObstacleGap<2>;
  template class ObstacleGap<3>;

} // namespace Dune::Impact
