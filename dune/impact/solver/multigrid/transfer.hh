// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_TRANSFER_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_TRANSFER_HH

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/solver/multigrid/blockmatrix.hh>
#include <dune/impact/solver/multigrid/boxsmoother.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Between two levels: prolongation, restriction, Galerkin product
 */

namespace Dune::Impact {

  /** \brief Prolongation P from coarse to fine nodes
   *
   * Fine node i gets v_i = sum_I P_iI v_I. An entry is a scalar weight, applied to all components
   * (hierarchies of P1 or Q1 functions), or a d x d block (a change of basis on the fine level).
   * Filled from the first to the last fine node:
   * \code
   * Transfer<d> P(coarseSize);
   * for (...) {
   *   P.beginRow();
   *   P.add(I, 0.5);    // or P.add(I, block), once for each I
   * }
   * P.finish();
   * \endcode
   * A row may be empty: a node whose values are given (Dirichlet) has no coarse part.
   */
  template<int d>
  class Transfer
  {
  public:
    using Block = NodeBlock<d>;

    //! An entry of a row or column: the node at the other end, and the place of the value
    struct Entry
    {
      int node;
      int place;
    };

    explicit Transfer(std::size_t coarseSize) : coarseSize_(coarseSize) {}

    void beginRow() { rows_.beginRow(); }
    void add(int coarse, double weight);
    void add(int coarse, const Block& block);

    //! To be called after the last row
    void finish();

    std::size_t fineSize() const { return rows_.size(); }
    std::size_t coarseSize() const { return coarseSize_; }

    //! Coarse nodes that fine node i depends on
    std::span<const Entry> parents(std::size_t i) const { return rows_[i]; }

    //! Fine nodes that depend on coarse node I
    std::span<const Entry> children(std::size_t I) const { return columns_[I]; }

    //! True if the other one has entries at the same places, whatever their values
    bool samePattern(const Transfer& other) const
    {
      return coarseSize_ == other.coarseSize_ &&
             std::ranges::equal(rows_.offsets(), other.rows_.offsets()) &&
             std::ranges::equal(rows_.entries(), other.rows_.entries(), {}, &Entry::node,
                                &Entry::node);
    }

    //! True if the entry is a scalar weight
    bool isScalar(const Entry& entry) const
    {
      return blockOf_.empty() || blockOf_[entry.place] < 0;
    }
    double weight(const Entry& entry) const { return weights_[entry.place]; }
    const Block& block(const Entry& entry) const { return blocks_[blockOf_[entry.place]]; }

    //! fine += P coarse, but for the masked components; mask may be null
    void addProlonged(const NodeVector<d>& coarse, const NodeMask* mask, NodeVector<d>& fine,
                      int threads = 1) const;

    //! coarse = P^T fine
    void restrictResidual(const NodeVector<d>& fine, NodeVector<d>& coarse, int threads = 1) const;

    /** \brief Bounds for coarse corrections that no prolonged correction can violate
     *
     * Row a of fine node i with bounds lower <= 0 <= upper and row sum S = sum |P_ab| allows
     *
     *     lower/S <= v_b <= upper/S  where P_ab > 0,   -upper/S <= v_b <= -lower/S  where P_ab < 0,
     *
     * since then sum P_ab v_b >= sum |P_ab| lower/S = lower. The coarse bounds are the
     * intersections over all rows (Mandel 1984, Kornhuber 1994). Masked components do not move
     * and do not count.
     */
    void restrictBounds(const CorrectionBounds<d>& fine, const NodeMask* mask,
                        CorrectionBounds<d>& coarse) const;

    /** \brief Bounds for a coarse problem that resembles the fine one
     *
     * The mean of the finite bounds of the children, weighted by the entries of P. Prolonged
     * corrections within them may violate fine bounds a little: they are a first guess.
     */
    void averageBounds(const CorrectionBounds<d>& fine, CorrectionBounds<d>& coarse,
                       int threads = 1) const;

  private:
    std::size_t coarseSize_;
    CompressedRows<Entry> rows_, columns_;
    std::vector<double> weights_;
    std::vector<int> blockOf_; // empty if all entries are scalar
    std::vector<Block> blocks_;
    NodeVector<d> rowSum_;
  };

  /** \brief Coarse matrix P^T A P, A symmetric
   *
   * The pattern is found once. Values are computed row by row, for all or for some coarse rows;
   * rows and columns of A that belong to masked components count as zero (truncated basis
   * functions). Row I: first the combination t = sum_i P_iI^T A_i of fine rows, then t P. Rows are
   * computed by several threads, each with memory of its own.
   */
  template<int d>
  class GalerkinProduct
  {
  public:
    explicit GalerkinProduct(int threads = 1) : threads_(threads) {}

    //! Find the pattern; coarse becomes a matrix of zeros
    void setup(const BlockMatrix<d>& fine, const Transfer<d>& transfer, BlockMatrix<d>& coarse);

    //! Take another transfer with the same pattern
    void setTransfer(const Transfer<d>& transfer) { transfer_ = &transfer; }

    //! Compute all rows
    void compute(const BlockMatrix<d>& fine, const NodeMask* mask, BlockMatrix<d>& coarse);

    //! Compute some rows
    void compute(const BlockMatrix<d>& fine, const NodeMask* mask, std::span<const int> rows,
                 BlockMatrix<d>& coarse);

  private:
    using Block = NodeBlock<d>;

    //! What a thread needs
    struct Scratch
    {
      std::vector<int> finePlace;           // of a fine node in the current row, or -1
      std::vector<std::size_t> coarsePlace; // of a coarse node in the coarse matrix
      std::vector<int> nodes;               // fine nodes of the current row
      std::vector<Block> combined;          // t
    };

    void computeRow(const BlockMatrix<d>& fine, const NodeMask* mask, std::size_t I,
                    Scratch& scratch, BlockMatrix<d>& coarse) const;
    void gatherRow(const BlockMatrix<d>& fine, const NodeMask* mask, std::size_t I,
                   Scratch& scratch) const;

    template<class RowOf>
    void computeRows(const BlockMatrix<d>& fine, const NodeMask* mask, std::size_t count,
                     RowOf&& rowOf, BlockMatrix<d>& coarse);

    int threads_;
    const Transfer<d>* transfer_ = nullptr;
    std::vector<Scratch> scratch_; // per thread
  };

  extern template class Transfer<1>;
  extern template class Transfer<2>;
  extern template class Transfer<3>;
  extern template class GalerkinProduct<1>;
  extern template class GalerkinProduct<2>;
  extern template class GalerkinProduct<3>;

} // namespace Dune::Impact

#endif
