// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <vector>

#include <dune/impact/solver/multigrid/factorbackend.hh>
#include <dune/impact/solver/multigrid/sparsefactor.hh>

namespace Dune::Impact {

  template<int d>
  struct SparseFactor<d>::Data
  {
    explicit Data(FactorLibrary library) : library(library) {}

    void fillPattern(const BlockMatrix<d>& matrix);
    void fillValues(const BlockMatrix<d>& matrix, const NodeMask* mask);
    FactorLibrary choose(std::size_t unknowns) const;

    FactorLibrary library;
    std::uint64_t patternId = 0;
    FactorBackend::Matrix lower; // lower triangle, column by column
    std::unique_ptr<FactorBackend> backend;
    std::vector<char> free;
    mutable Eigen::VectorXd x;
  };

  // f(i, k) for the blocks k of row j with columns i >= j: column j of the lower triangle is row j
  // of the upper one
  template<int d, class F>
  void forUpperBlocks(const BlockMatrix<d>& matrix, std::size_t j, F&& f)
  {
    matrix.forSortedRow(j, [&](std::size_t k) {
      if (std::size_t(matrix.column(k)) >= j)
        f(std::size_t(matrix.column(k)), k);
    });
  }

  template<int d>
  FactorLibrary SparseFactor<d>::Data::choose(std::size_t unknowns) const
  {
    if (library != FactorLibrary::automatic)
      return library;
    return unknowns > largeFactor ? FactorLibrary::cholmod : FactorLibrary::eigen;
  }

  //! Lower triangle with all entries of the blocks, whatever the mask, so that the ordering is
  //! found once per pattern
  template<int d>
  void SparseFactor<d>::Data::fillPattern(const BlockMatrix<d>& matrix)
  {
    const std::size_t n = matrix.size();
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t j = 0; j < n; ++j)
      forUpperBlocks(matrix, j, [&](std::size_t i, std::size_t) {
        for (int a = 0; a < d; ++a)
          for (int b = i == j ? a : 0; b < d; ++b)
            entries.emplace_back(i * d + b, j * d + a, 1.0);
      });
    lower.resize(n * d, n * d);
    lower.setFromTriplets(entries.begin(), entries.end());
    backend = FactorBackend::make(choose(n * d));
    backend->analyse(lower, d);
    patternId = matrix.patternId();
  }

  //! Components that are masked or have a zero diagonal get the row of the identity
  template<int d>
  void SparseFactor<d>::Data::fillValues(const BlockMatrix<d>& matrix, const NodeMask* mask)
  {
    const std::size_t n = matrix.size();
    free.resize(n * d);
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < d; ++c)
        free[i * d + c] =
          !(mask && (*mask)[i] >> c & 1) && matrix.block(matrix.diagonal(i))[c][c] != 0;
    double* value = lower.valuePtr();
    for (std::size_t j = 0; j < n; ++j)
      for (int a = 0; a < d; ++a)
        forUpperBlocks(matrix, j, [&](std::size_t i, std::size_t k) {
          for (int b = i == j ? a : 0; b < d; ++b) {
            const bool used = free[j * d + a] && free[i * d + b];
            *value++ = used ? matrix.block(k)[a][b] : i == j && a == b;
          }
        });
  }

  template<int d>
  SparseFactor<d>::SparseFactor(FactorLibrary library) : data_(std::make_unique<Data>(library))
  {}

  template<int d>
  SparseFactor<d>::~SparseFactor() = default;

  template<int d>
  SparseFactor<d>::SparseFactor(SparseFactor&&) noexcept = default;

  template<int d>
  SparseFactor<d>& SparseFactor<d>::operator=(SparseFactor&&) noexcept = default;

  template<int d>
  void SparseFactor<d>::compute(const BlockMatrix<d>& matrix, const NodeMask* mask)
  {
    if (data_->patternId != matrix.patternId())
      data_->fillPattern(matrix);
    data_->fillValues(matrix, mask);
    data_->backend->factorise(data_->lower, data_->free);
    data_->x.resize(matrix.size() * d);
  }

  template<int d>
  double SparseFactor<d>::operations(const BlockMatrix<d>& matrix)
  {
    if (data_->patternId != matrix.patternId())
      data_->fillPattern(matrix);
    return data_->backend->operations();
  }

  template<int d>
  bool SparseFactor<d>::positive() const
  {
    return data_->backend && data_->backend->positive();
  }

  template<int d>
  bool SparseFactor<d>::valid() const
  {
    return data_->backend && data_->backend->valid();
  }

  template<int d>
  void SparseFactor<d>::solve(const NodeVector<d>& b, NodeVector<d>& x) const
  {
    Eigen::VectorXd& y = data_->x;
    for (std::size_t i = 0; i < b.size(); ++i)
      for (int c = 0; c < d; ++c)
        y[i * d + c] = data_->free[i * d + c] ? b[i][c] : 0;
    data_->backend->solve(y);
    for (std::size_t i = 0; i < b.size(); ++i)
      for (int c = 0; c < d; ++c)
        x[i][c] = data_->free[i * d + c] ? y[i * d + c] : 0;
  }

  template class SparseFactor<1>;
  template class SparseFactor<2>;
  template class SparseFactor<3>;

} // namespace Dune::Impact
