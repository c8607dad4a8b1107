// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/contact/mortar/mortargap.hh>

/* Second derivatives of weighted gaps by the positions of nodes. */

namespace Dune::Impact {

  namespace {

    //! local += factor v w^T
    template<int dim>
    void addProduct(double factor, std::span<const FieldVector<double, dim>> v,
                    std::span<const FieldVector<double, dim>> w, LocalCurvature<dim>& local)
    {
      for (std::size_t i = 0; i < v.size(); ++i)
        for (std::size_t j = 0; j < w.size(); ++j)
          for (int c = 0; c < dim; ++c)
            local(i, j)[c].axpy(factor * v[i][c], w[j]);
    }

  } // namespace

  //! Blocks of the second derivative of sum_p mu_p c_p over the multipliers p that have a gap,
  //! facet by facet: c_p is the sum of what the facets of its face contribute.
  template<int dim>
  void MortarGap<dim>::addCurvature(double, ConstSpan u, std::span<const double> mu,
                                    std::vector<MatrixBlock<dim>>& blocks) const
  {
    if (std::all_of(mu.begin(), mu.end(), [](double x) { return x == 0; }))
      return;
    Evaluation at;
    evaluate(u, true, mu, at);
    std::vector<double> weights(mu.size(), 0);
    for (std::size_t k = 0; k < mu.size(); ++k)
      if (mu[k] != 0 && !at.facets.empty() && hasGap(at, Index(k)))
        weights[k] = mu[k];
    std::vector<std::vector<MatrixBlock<dim>>> parts(at.facets.size());
    parallelFor(
      parts.size(), threads_,
      [&](std::size_t i) {
        if (at.facets[i].gaps)
          addFacetCurvature(at, i, weights, parts[i]);
      },
      4);
    for (const auto& part : parts)
      blocks.insert(blocks.end(), part.begin(), part.end());
  }

  /** With F = sum_p mu_p c_p of the moments q, and q of the columns z = (a, n, b):
   *
   *     F_z = sum_k F_k (q_k)_z,   F_zz = sum_k F_k (q_k)_zz + sum_kl F_kl (q_k)_z (q_l)_z^T
   */
  template<int dim>
  void MortarGap<dim>::addFacetCurvature(const Evaluation& at, std::size_t facet,
                                         std::span<const double> mu,
                                         std::vector<MatrixBlock<dim>>& blocks) const
  {
    const NearFacet& near = at.facets[facet];
    const auto& multipliers = normals_.cornerNormals(facet);
    if (std::all_of(multipliers.begin(), multipliers.end(), [&](Index k) { return mu[k] == 0; }))
      return;
    const auto& moments = near.result.moments;
    const FacetGaps<dim>& gaps = *near.gaps;
    std::array<double, FacetMoments<dim>::count> factor{};
    LocalCurvature<dim> local(moments.columns());
    std::vector<Vector> gradient(moments.columns(), Vector(0));
    for (int k = 0; k < moments.moments(); ++k) {
      for (int p = 0; p < dim; ++p)
        factor[k] += flat_.weight() * mu[multipliers[p]] * gaps.derivative(p, k);
      for (std::size_t i = 0; i < gradient.size(); ++i)
        gradient[i].axpy(factor[k], moments.row(k)[i]);
      for (int l = 0; l < moments.moments(); ++l) {
        double second = 0;
        for (int p = 0; p < dim; ++p)
          second += flat_.weight() * mu[multipliers[p]] * gaps.derivative(p, k, l);
        if (second != 0)
          addProduct(second, moments.row(k), moments.row(l), local);
      }
    }
    kernel_.addCurvature(near.geometry, near.result, factor, local);
    local.symmetrise();
    addNodeCurvature(at, facet, gradient, local, blocks);
  }

  //! From columns to nodes x: F_xx = z_x^T F_zz z_x + F_n . n_xx
  template<int dim>
  void MortarGap<dim>::addNodeCurvature(const Evaluation& at, std::size_t facet,
                                        const std::vector<Vector>& gradient,
                                        const LocalCurvature<dim>& local,
                                        std::vector<MatrixBlock<dim>>& blocks) const
  {
    struct Part // of the derivative of a column
    {
      std::size_t column, node;
      Matrix value;
    };
    std::vector<Part> parts;
    Matrix identity(0);
    for (int c = 0; c < dim; ++c)
      identity[c][c] = 1;
    for (int i = 0; i < dim; ++i) {
      const Index corner = flat_.facets[facet].node[i];
      const Index k = normals_.cornerNormal(facet, i);
      const NodeNormal& normal = at.normal[k];
      parts.push_back({std::size_t(i), surface_.node[corner], identity});
      for (std::size_t j = 0; j < normal.derivative.size(); ++j)
        parts.push_back(
          {std::size_t(dim + i), surface_.node[normals_.ring(corner)[j]], normal.derivative[j]});
      for (const auto& block : normals_.curvature(k, at.x, normal, gradient[dim + i]))
        blocks.push_back({surface_.node[block.row], surface_.node[block.column], block.value});
    }
    const auto& mortar = at.facets[facet].result.moments.mortar;
    for (std::size_t j = 0; j < mortar.size(); ++j)
      parts.push_back({2 * dim + j, mortar_.node[mortar[j]], identity});
    for (const Part& s : parts)
      for (const Part& t : parts)
        blocks.push_back(
          {s.node, t.node, transposedProduct(s.value, local(s.column, t.column) * t.value)});
  }

  template void MortarGap<2>::addCurvature(double, ConstSpan, std::span<const double>,
                                           std::vector<MatrixBlock<2>>&) const;
  template void MortarGap<2>::addFacetCurvature(const MortarGap<2>::Evaluation&, std::size_t,
                                                std::span<const double>,
                                                std::vector<MatrixBlock<2>>&) const;
  template void MortarGap<2>::addNodeCurvature(const MortarGap<2>::Evaluation&, std::size_t,
                                               const std::vector<FieldVector<double, 2>>&,
                                               const LocalCurvature<2>&,
                                               std::vector<MatrixBlock<2>>&) const;
  template void MortarGap<3>::addCurvature(double, ConstSpan, std::span<const double>,
                                           std::vector<MatrixBlock<3>>&) const;
  template void MortarGap<3>::addFacetCurvature(const MortarGap<3>::Evaluation&, std::size_t,
                                                std::span<const double>,
                                                std::vector<MatrixBlock<3>>&) const;
  template void MortarGap<3>::addNodeCurvature(const MortarGap<3>::Evaluation&, std::size_t,
                                               const std::vector<FieldVector<double, 3>>&,
                                               const LocalCurvature<3>&,
                                               std::vector<MatrixBlock<3>>&) const;

} // namespace Dune::Impact
