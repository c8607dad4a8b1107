// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <stdexcept>

#include <dune/impact/body/massfactor.hh>

namespace Dune::Impact {

  //! L D L^T of the mass with the rows and columns of the free nodes
  MassFactor::Factor::Factor(const AssemblyMatrix<double>& mass, std::vector<std::size_t> freeNodes)
    : node(std::move(freeNodes))
  {
    const SparsityPattern& pattern = *mass.pattern;
    std::vector<int> row(pattern.rows(), -1);
    for (std::size_t i = 0; i < node.size(); ++i)
      row[node[i]] = int(i);
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i : node)
      for (std::size_t k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k)
        if (const int column = row[pattern.column[k]]; column >= 0)
          entries.emplace_back(row[i], column, mass.block[k]);
    Eigen::SparseMatrix<double> matrix(int(node.size()), int(node.size()));
    matrix.setFromTriplets(entries.begin(), entries.end());
    cholesky.compute(matrix);
    if (!node.empty() &&
        (cholesky.info() != Eigen::Success || !(cholesky.vectorD().minCoeff() > 0)))
      throw std::logic_error("the mass matrix of a valid mesh is positive definite");
  }

  MassFactor::MassFactor(const AssemblyMatrix<double>& mass, int dimension,
                         std::vector<std::uint8_t> fixed)
    : source_(std::make_shared<Source>())
  {
    source_->mass = mass;
    source_->dimension = dimension;
    source_->fixed = std::move(fixed);
  }

  //! One factor per set of free nodes: components with the same set share it
  const MassFactor::Factors& MassFactor::factors() const
  {
    Source& source = *source_;
    std::call_once(source.made, [&] {
      for (int c = 0; c < source.dimension; ++c) {
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < source.mass.rows(); ++i)
          if (source.fixed.empty() || !(source.fixed[i] >> c & 1))
            free.push_back(i);
        const auto same = std::find_if(source.factors.begin(), source.factors.end(),
                                       [&](const auto& factor) { return factor->node == free; });
        source.factors.push_back(same != source.factors.end()
                                   ? *same
                                   : std::make_shared<const Factor>(source.mass, std::move(free)));
      }
    });
    return source.factors;
  }

  //! The mass is a multiple of the identity per pair of nodes: one solve per component, on its free
  //! nodes
  void MassFactor::solve(ConstSpan p, Span v) const
  {
    std::fill(v.begin(), v.end(), 0);
    const std::size_t d = source_->dimension;
    for (std::size_t c = 0; c < d; ++c) {
      const Factor& factor = *factors()[c];
      const auto& node = factor.node;
      if (node.empty())
        continue;
      Eigen::VectorXd b(node.size());
      for (std::size_t i = 0; i < node.size(); ++i)
        b[i] = p[node[i] * d + c];
      const Eigen::VectorXd x = factor.cholesky.solve(b);
      for (std::size_t i = 0; i < node.size(); ++i)
        v[node[i] * d + c] = x[i];
    }
  }

  void MassFactor::solve(std::span<const Entry> p, SparseVector& v) const
  {
    std::vector<double> right(source_->mass.rows() * source_->dimension, 0), left(right.size());
    addTo(p, 1, right);
    solve(right, left);
    for (std::size_t i = 0; i < left.size(); ++i)
      if (left[i] != 0)
        v.push_back({i, left[i]});
  }

} // namespace Dune::Impact
