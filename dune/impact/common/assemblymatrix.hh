// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_ASSEMBLYMATRIX_HH
#define DUNE_IMPACT_COMMON_ASSEMBLYMATRIX_HH

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <dune/common/fmatrix.hh>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_common
 * \brief Sparse matrices of nodes with a pattern that several matrices share
 */

namespace Dune::Impact {

  //! Columns of each row in increasing order
  struct SparsityPattern
  {
    std::vector<std::size_t> rowStart = {0};
    std::vector<std::uint32_t> column;

    std::size_t rows() const { return rowStart.size() - 1; }
    std::size_t entries() const { return column.size(); }

    //! Place of an entry, which must exist
    std::size_t find(std::size_t row, std::uint32_t col) const
    {
      const auto begin = column.begin() + rowStart[row], end = column.begin() + rowStart[row + 1];
      const auto place = std::lower_bound(begin, end, col);
      assert(place != end && *place == col);
      return place - column.begin();
    }
  };

  /** \brief Rows of blocks in which cells are assembled: numbers, or small square matrices
   *
   * A plain array of blocks in the order of the pattern; solvers copy it into the layout they
   * need. A matrix of numbers stands for the
   * multiples of the identity, as the mass of a solid.
   */
  template<class Block>
  struct AssemblyMatrix
  {
    std::shared_ptr<const SparsityPattern> pattern;
    std::vector<Block> block;

    AssemblyMatrix() = default;

    explicit AssemblyMatrix(std::shared_ptr<const SparsityPattern> p)
      : pattern(std::move(p))
      , block(pattern->entries(), Block(0.0))
    {}

    static constexpr std::size_t rowsPerChunk = 2048; //!< of products on several threads
    //! of loops over all blocks on several threads
    static constexpr std::size_t blocksPerChunk = 16384;

    std::size_t rows() const { return pattern->rows(); }

    //! Call f(k) for all blocks, on several threads
    template<class F>
    void forBlocks(F&& f) const
    {
      parallelFor(block.size(), threadCount(), f, blocksPerChunk);
    }

    void clear()
    {
      forBlocks([&](std::size_t k) { block[k] = Block(0.0); });
    }

    const Block& operator()(std::size_t row, std::uint32_t column) const
    {
      return block[pattern->find(row, column)];
    }

    //! Size of a block: one for numbers
    static constexpr int blockSize()
    {
      if constexpr (std::is_same_v<Block, double>)
        return 1;
      else
        return Block::rows;
    }

    /** \brief y += factor * A x for vectors with \a components numbers per row
     *
     * For blocks of size d, components is d; a matrix of numbers acts on each component.
     */
    void addProduct(double factor, ConstSpan x, int components, Span y) const
    {
      assert(blockSize() == 1 || blockSize() == components);
      parallelFor(
        rows(), threadCount(),
        [&](std::size_t i) {
          for (std::size_t k = pattern->rowStart[i]; k < pattern->rowStart[i + 1]; ++k) {
            const double* xj = &x[pattern->column[k] * components];
            double* yi = &y[i * components];
            for (int c = 0; c < components; ++c)
              if constexpr (std::is_same_v<Block, double>)
                yi[c] += factor * block[k] * xj[c];
              else
                for (int b = 0; b < components; ++b)
                  yi[c] += factor * block[k][c][b] * xj[b];
          }
        },
        rowsPerChunk);
    }
  };

} // namespace Dune::Impact

#endif
