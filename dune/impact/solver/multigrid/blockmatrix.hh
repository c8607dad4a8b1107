// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_BLOCKMATRIX_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_BLOCKMATRIX_HH

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <dune/common/fmatrix.hh>
#include <dune/common/fvector.hh>

#include <dune/istl/bcrsmatrix.hh>
#include <dune/istl/bvector.hh>

#include <dune/impact/common/colouring.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Symmetric sparse matrix of small blocks, laid out for Gauss-Seidel
 */

namespace Dune::Impact {

  //! A vector with d numbers per node
  template<int d>
  using NodeVector = BlockVector<FieldVector<double, d>>;

  //! A d x d block
  template<int d>
  using NodeBlock = FieldMatrix<double, d, d>;

  //! One set of components per node: bit c stands for component c
  using NodeMask = std::vector<std::uint8_t>;

  //! The numbers of a vector, one node after the other
  template<int d>
  double* data(NodeVector<d>& x)
  {
    return x.size() == 0 ? nullptr : &x[0][0];
  }

  template<int d>
  const double* data(const NodeVector<d>& x)
  {
    return x.size() == 0 ? nullptr : &x[0][0];
  }

  //! s -= A x for one block
  template<int d>
  inline void subtractProduct(const double* A, const double* x, double* s)
  {
    for (int r = 0; r < d; ++r) {
      // a sum of its own: s waits for one subtraction per block only
      double product = A[r * d] * x[0];
      for (int c = 1; c < d; ++c)
        product += A[r * d + c] * x[c];
      s[r] -= product;
    }
  }

  /** \brief The order in which Gauss-Seidel visits the nodes of a pattern
   *
   * Large patterns are cut into chunks of neighbouring nodes; chunks of one colour are not
   * connected. Chunks do not depend on the number of threads, and neither does the sweep: it is
   * plain Gauss-Seidel in this order. Small patterns are one chunk in the order of the nodes.
   */
  struct SweepOrder
  {
    ColouredGroups groups;
    std::vector<std::uint32_t> rank; //!< of each node: the place of it in groups.item
  };

  /** \brief Block rows, split at the diagonal: A = L + D + U
   *
   * The matrix is square with a symmetric pattern that contains the diagonal. L has the columns
   * that come before the row in the order of sweeps, U those that come after it. Blocks are stored
   * in the order: all of L, row by row in the order of sweeps, then D, then all of U; columns of a
   * row of L or U are sorted. The place of a block in this order is its index k.
   *
   * Gauss-Seidel from zero needs L only, and the residual after a sweep U or L only. With the rows
   * of BCRSMatrix, from which this matrix is filled, or with L and U in alternation, such a half
   * sweep takes as long as a whole one, since memory is read in runs: 15 ms instead of 8 ms for
   * 1.7 million 3x3 blocks. Columns take 4 bytes instead of 8.
   */
  template<int d>
  class BlockMatrix
  {
  public:
    using Block = NodeBlock<d>;
    using Index = std::int32_t;

    BlockMatrix() = default;

    //! Pattern with zero blocks; columns of a row need not be sorted
    BlockMatrix(std::vector<std::size_t> rowBegin, std::vector<Index> columns);

    //! Copy of pattern and blocks
    explicit BlockMatrix(const BCRSMatrix<Block>& matrix);

    //! Copy the blocks of a matrix; the pattern is only replaced if it differs. True if it was
    //! kept.
    bool assign(const BCRSMatrix<Block>& matrix);

    //! Number of block rows
    std::size_t size() const { return lowerBegin_.size() - 1; }

    //! The order of sweeps
    const SweepOrder& order() const { return *order_; }

    //! Number of stored blocks
    std::size_t blocks() const { return columns_.size(); }

    //! Places begin, ..., end-1
    struct Range
    {
      std::size_t begin, end;
    };

    //! Blocks of row i in L
    Range lower(std::size_t i) const { return {lowerBegin_[rank(i)], lowerBegin_[rank(i) + 1]}; }

    //! Place of the diagonal block of row i
    std::size_t diagonal(std::size_t i) const { return lowerBegin_.back() + rank(i); }

    //! Blocks of row i in U
    Range upper(std::size_t i) const { return {upperBegin_[rank(i)], upperBegin_[rank(i) + 1]}; }

    //! All blocks of row i: of L, D, U
    std::array<Range, 3> row(std::size_t i) const
    {
      return {lower(i), Range{diagonal(i), diagonal(i) + 1}, upper(i)};
    }

    Index column(std::size_t k) const { return columns_[k]; }
    const Block& block(std::size_t k) const { return blocks_[k]; }
    Block& block(std::size_t k) { return blocks_[k]; }

    //! Place of block (i,j), which must be in the pattern
    std::size_t find(std::size_t i, std::size_t j) const;

    //! True if the pattern is the given one, columns of a row sorted
    bool hasPattern(const std::vector<std::size_t>& rowBegin,
                    const std::vector<Index>& columns) const;

    //! Equal numbers mean equal patterns: copies share the number, a new pattern gets a new one
    std::uint64_t patternId() const { return patternId_; }

    //! True if row c of block row i is zero
    bool isZeroRow(std::size_t i, int c) const
    {
      for (const auto [begin, end] : row(i))
        for (std::size_t k = begin; k < end; ++k)
          for (int b = 0; b < d; ++b)
            if (blocks_[k][c][b] != 0)
              return false;
      return true;
    }

    //! True if no entry is NaN or infinite
    bool isFinite(int threads = 1) const;

    //! s -= sum of A_k x_column(k) over the blocks of a range
    void subtract(const Range& range, const double* x, double* s) const
    {
      const double* A = reinterpret_cast<const double*>(blocks_.data()) + range.begin * d * d;
      double sum[d];
      for (int c = 0; c < d; ++c)
        sum[c] = s[c];
      for (std::size_t k = range.begin; k < range.end; ++k, A += d * d)
        subtractProduct<d>(A, x + std::size_t(columns_[k]) * d, sum);
      for (int c = 0; c < d; ++c)
        s[c] = sum[c];
    }

    //! The same from the last block to the first
    void subtractBackward(const Range& range, const double* x, double* s) const
    {
      const double* A = reinterpret_cast<const double*>(blocks_.data());
      double sum[d];
      for (int c = 0; c < d; ++c)
        sum[c] = s[c];
      for (std::size_t k = range.end; k-- > range.begin;)
        subtractProduct<d>(A + k * d * d, x + std::size_t(columns_[k]) * d, sum);
      for (int c = 0; c < d; ++c)
        s[c] = sum[c];
    }

    //! s -= A_i x, the whole row
    void subtractRow(std::size_t i, const double* x, double* s) const
    {
      subtract(lower(i), x, s);
      subtract(upper(i), x, s);
      subtractProduct<d>(&blocks_[diagonal(i)][0][0], x + i * d, s);
    }

    //! y = A x
    void multiply(const NodeVector<d>& x, NodeVector<d>& y, int threads = 1) const;

    //! r = b - A x
    void residual(const NodeVector<d>& x, const NodeVector<d>& b, NodeVector<d>& r,
                  int threads = 1) const;

    //! Call f(i) for all rows on several threads, in an order close to that of memory
    template<class F>
    void forRows(int threads, F&& f) const
    {
      const auto& item = order_->groups.item;
      parallelFor(
        item.size(), threads, [&](std::size_t k) { f(std::size_t(item[k])); }, rowsPerChunk);
    }

    //! Call f(k) for the blocks of row i by increasing columns
    template<class F>
    void forSortedRow(std::size_t i, F&& f) const
    {
      auto [l, lowerEnd] = lower(i);
      auto [u, upperEnd] = upper(i);
      const Index far = std::numeric_limits<Index>::max();
      for (bool diagonalDone = false; l < lowerEnd || u < upperEnd || !diagonalDone;) {
        const Index first = l < lowerEnd ? columns_[l] : far,
                    second = u < upperEnd ? columns_[u] : far;
        if (!diagonalDone && Index(i) < first && Index(i) < second) {
          f(diagonal(i));
          diagonalDone = true;
        }
        else
          f(first < second ? l++ : u++);
      }
    }

  private:
    static constexpr std::size_t rowsPerChunk = 512;

    std::size_t rank(std::size_t i) const { return order_->rank[i]; }

    std::size_t blocksOfRow(std::size_t i) const
    {
      const auto [l, lowerEnd] = lower(i);
      const auto [u, upperEnd] = upper(i);
      return lowerEnd - l + upperEnd - u + 1;
    }

    void split(const std::vector<std::size_t>& rowBegin, std::vector<Index> columns);

    std::uint64_t patternId_ = 0;
    std::shared_ptr<const SweepOrder> order_ = std::make_shared<const SweepOrder>();
    std::vector<std::size_t> lowerBegin_ = {0}, upperBegin_ = {0}; // by rank
    std::vector<Index> columns_;
    std::vector<Block> blocks_;
  };

  extern template class BlockMatrix<1>;
  extern template class BlockMatrix<2>;
  extern template class BlockMatrix<3>;

} // namespace Dune::Impact

#endif
