// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/common/dynmatrix.hh>

#include <dune/impact/body/facetrule.hh>
#include <dune/impact/contact/mortar/surfacesamples.hh>

namespace Dune::Impact {

  //! Samples: the points of the rules of all facets with dual weights, or the nodes with N = 1 and
  //! W = D_p; and for each node its samples and the nodes of these
  template<int dim>
  SurfaceSamples<dim>::SurfaceSamples(ContactSurface<dim> surface, ObstacleGapKind kind)
    : surface_(std::move(surface))
    , area_(nodeAreas(surface_))
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
        near.insert(near.end(), samples_[q].node.begin(),
                    samples_[q].node.begin() + samples_[q].count);
        samplesOf_[samples_[q].node[a]].push_back(Index(q));
      }
    for (auto& near : neighbours_) {
      std::sort(near.begin(), near.end());
      near.erase(std::unique(near.begin(), near.end()), near.end());
    }
  }

  /* Weights W_qi = w_q psi_i(x_q) of the points of the rule of a facet, with the dual basis psi_i
   * = D_i sum_j (M^-1)_ij N_j. The rule is that of the mass matrix M, so that biorthogonality,
   * sum_q W_qi N_j(x_q) = delta_ij D_i, holds exactly. */
  template<int dim>
  void SurfaceSamples<dim>::addFacetSamples(const typename ContactSurface<dim>::Facet& facet)
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
    A.invert(); // M^-1; the factor D_i follows below
    for (const auto& point : rule) {
      Sample sample{.node = {}, .count = n, .value = point.value, .weight = {}};
      std::copy_n(facet.node.begin(), n, sample.node.begin());
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          sample.weight[i] += point.weight * D[i] * A[i][j] * point.value[j];
      samples_.push_back(sample);
    }
  }

  template<int dim>
  void SurfaceSamples<dim>::clearRow(std::size_t p, std::vector<NodeEntry<dim>>& row) const
  {
    row.clear();
    for (Index a : neighbours_[p])
      row.push_back({surface_.node[a], FieldVector<double, dim>(0)});
  }

  template<int dim>
  void SurfaceSamples<dim>::addToRow(std::size_t p, const Sample& sample,
                                     const FieldVector<double, dim>& factor,
                                     std::vector<NodeEntry<dim>>& row) const
  {
    for (int a = 0; a < sample.count; ++a) {
      const auto place =
        std::lower_bound(neighbours_[p].begin(), neighbours_[p].end(), sample.node[a]) -
        neighbours_[p].begin();
      row[place].value.axpy(sample.value[a], factor);
    }
  }

  template class SurfaceSamples<2>;
  template class SurfaceSamples<3>;

} // namespace Dune::Impact
