// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_DELASSUS_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_DELASSUS_HH

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief The matrix that maps contact impulses to contact velocities
 */

namespace Dune::Impact {

  /** \brief Delassus matrix H = G M^-1 G^T in block rows
   *
   * Row i belongs to contact i and has blocks of d x d numbers, d = 1 + number of tangents,
   * for the contacts j that share a body or a node with i. Component 0 of a block row is the
   * normal, the others are tangents. H is symmetric positive semidefinite; both triangles are
   * stored, and neither symmetry nor definiteness is checked.
   *
   * The matrix is filled from the first to the last row:
   * \code
   * H.clear(d);
   * for (...) {
   *   H.beginRow();
   *   H.add(j, values);  // once for each j coupled to this row, the row itself among them
   * }
   * \endcode
   * The columns of a row may come in any order, none of them twice. Memory is kept by clear(),
   * so a matrix that is filled again with a similar problem does not allocate.
   */
  class Delassus
  {
  public:
    //! One row: block k is in column columns[k], its entries row-wise from values + k*d*d
    struct Row
    {
      std::span<const std::size_t> columns;
      const double* values;
    };

    //! Remove all rows and set the block size d: 1, 2 or 3
    void clear(int blockSize);

    //! Make room for a number of rows and blocks
    void reserve(std::size_t rows, std::size_t blocks);

    //! Start the next row
    void beginRow();

    //! Add the block of the current row in the given column: d*d numbers, row-wise
    void add(std::size_t column, const double* values);

    //! Number of contacts, i.e. of block rows
    std::size_t size() const { return columns_.size(); }

    //! Number d of rows and columns of a block
    int blockSize() const { return blockSize_; }

    //! Number of stored blocks
    std::size_t blocks() const { return columns_.entries().size(); }

    //! True if no row has a block besides its diagonal one
    bool isDiagonal() const { return blocks() == size(); }

    //! True if no entry is NaN or infinite
    bool isFinite() const { return check_ == 0; }

    //! The blocks of row i
    Row row(std::size_t i) const
    {
      assert(i < size());
      return {columns_[i], values_.data() + columns_.begin(i) * blockEntries()};
    }

    //! The diagonal block of row i
    const double* diagonal(std::size_t i) const
    {
      assert(i < size() && diagonal_[i] != missing);
      return values_.data() + diagonal_[i] * blockEntries();
    }

    //! Block (i,j), or a null pointer if it is not stored
    const double* block(std::size_t i, std::size_t j) const;

    //! y = H x, both with size() * blockSize() entries
    void multiply(ConstSpan x, Span y) const;

    //! See DelassusMatrix; here G = H and W = 1, so that u is r itself @{
    template<int d>
    void addRate(std::size_t i, const double* u, double* w) const
    {
      auto [columns, value] = row(i);
      for (const std::size_t j : columns)
        for (int k = 0; k < d; ++k)
          for (int l = 0; l < d; ++l)
            w[k] += *value++ * u[j * d + l];
    }

    template<int d>
    void addVelocities(std::size_t i, const double* change, double* u) const
    {
      for (int k = 0; k < d; ++k)
        u[i * d + k] += change[k];
    }

    std::size_t dofs() const { return size() * blockSize_; }
    double rateSize(std::size_t i, int component, const double* s) const;
    const double* velocities(ConstSpan r, std::vector<double>&) const { return r.data(); }
    const double* velocitySizes(ConstSpan r, std::vector<double>&) const { return r.data(); }
    //! @}

    /** \brief Contacts that influence each other
     *
     * Rows i and j get the same label if stored blocks connect them, directly or over other
     * rows. Labels are 0, 1, ... in the order of the first row of each component.
     *
     * \param labels  resized to one label per row
     * \return        the number of components
     */
    std::size_t components(std::vector<std::size_t>& labels) const;

  private:
    static constexpr std::size_t missing = -1;

    std::size_t blockEntries() const { return std::size_t(blockSize_) * blockSize_; }

    int blockSize_ = 1;
    double check_ = 0; // sum of 0*entry: zero unless an entry is NaN or infinite
    CompressedRows<std::size_t> columns_;
    std::vector<std::size_t> diagonal_; // position of the diagonal block of each row
    std::vector<double> values_;
  };

} // namespace Dune::Impact

#endif
