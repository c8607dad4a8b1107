// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <atomic>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/solver/sqp/decoupledmortarbasis.hh>

/* The product T^T H T of DecoupledMortarBasis */

namespace Dune::Impact {

  namespace {

    constexpr std::size_t rowsPerChunk = 256;

  } // namespace

  //! Q^T H Q, without mortar nodes: the pattern stays
  template<int d>
  void DecoupledMortarBasis<d>::rotate(const BlockMatrix<d>& H, BlockMatrix<d>& A) const
  {
    A = H;
    for (const Node& node : nodes_) {
      const Block transposed = node.basis.transposed();
      for (const auto [begin, end] : A.row(node.node))
        for (std::size_t k = begin; k < end; ++k) {
          A.block(k).leftmultiply(transposed);
          A.block(A.find(A.column(k), node.node)).rightmultiply(node.basis);
        }
    }
  }

  /* Row r of T^T (H T): the rows k of H with T_kr != 0, each times T_kr^T, then each block of
   * column l times row l of T. `row` collects the blocks, each column at the place that the
   * accumulator has for it. */
  template<int d>
  void DecoupledMortarBasis<d>::multiplyRow(const BlockMatrix<d>& H,
                                            const std::vector<std::vector<std::size_t>>& extraOf,
                                            const std::vector<MatrixBlock<d>>& extra, std::size_t r,
                                            RowAccumulator& row) const
  {
    const auto add = [&](const Block* factor, std::size_t l, const Block& block) {
      Block left = block;
      if (factor)
        left.leftmultiply(factor->transposed());
      if (nodeOf_[l] == none)
        return row.add(l, left);
      for (const auto& [column, value] : nodes_[nodeOf_[l]].row) {
        Block product = left;
        row.add(column, product.rightmultiply(value));
      }
    };
    const auto addRow = [&](const Block* factor, std::size_t k) {
      for (const auto [begin, end] : H.row(k))
        for (std::size_t place = begin; place < end; ++place)
          add(factor, std::size_t(H.column(place)), H.block(place));
      if (!extraOf.empty())
        for (std::size_t e : extraOf[k])
          add(factor, extra[e].column, extra[e].value);
    };
    if (nodeOf_[r] == none)
      addRow(nullptr, r);
    if (coupled_)
      for (const auto& [k, e] : sources_[r])
        addRow(&nodes_[k].row[e].value, nodes_[k].node);
    else if (nodeOf_[r] != none)
      addRow(&nodes_[nodeOf_[r]].basis, r);
  }

  //! A block of a column is added to those before
  template<int d>
  void DecoupledMortarBasis<d>::RowAccumulator::add(std::size_t column, const Block& value)
  {
    if (place[column] != none) {
      entries[place[column]].value += value;
      return;
    }
    place[column] = int(entries.size());
    entries.push_back({column, value});
    columns.push_back(column);
  }

  //! The row with sorted columns; the accumulator is empty again
  template<int d>
  std::vector<typename DecoupledMortarBasis<d>::BlockEntry>
  DecoupledMortarBasis<d>::RowAccumulator::take()
  {
    std::sort(columns.begin(), columns.end());
    std::vector<BlockEntry> row;
    row.reserve(columns.size());
    for (const std::size_t column : columns) {
      row.push_back(entries[place[column]]);
      place[column] = none;
    }
    entries.clear();
    columns.clear();
    return row;
  }

  //! True if T changes nothing in row r of H
  template<int d>
  bool DecoupledMortarBasis<d>::isPlain(const BlockMatrix<d>& H, std::size_t r) const
  {
    if (nodeOf_[r] != none || (coupled_ && !sources_[r].empty()))
      return false;
    for (const auto [begin, end] : H.row(r))
      for (std::size_t k = begin; k < end; ++k)
        if (nodeOf_[H.column(k)] != none)
          return false;
    return true;
  }

  /* A = T^T (H + extra) T. Rows that T changes are computed, the others are copied. The pattern of
   * A is kept if all rows have the same columns as before: multigrid then keeps its own patterns.
   */
  template<int d>
  void DecoupledMortarBasis<d>::transform(const BlockMatrix<d>& H,
                                          const std::vector<MatrixBlock<d>>& extra,
                                          BlockMatrix<d>& A, int threads) const
  {
    if (!coupled_ && extra.empty())
      return rotate(H, A);
    const std::size_t n = H.size();
    std::vector<std::vector<std::size_t>> extraOf(extra.empty() ? 0 : n);
    for (std::size_t e = 0; e < extra.size(); ++e)
      extraOf[extra[e].row].push_back(e);
    std::vector<std::vector<BlockEntry>> changed(n);        // rows; empty where H is copied
    std::vector<RowAccumulator> rows(std::max(1, threads)); // per worker
    parallelRanges(
      n, threads,
      [&](std::size_t begin, std::size_t end, int worker) {
        RowAccumulator& row = rows[worker];
        row.place.resize(n, none);
        for (std::size_t r = begin; r < end; ++r)
          if (!isPlain(H, r) || (!extraOf.empty() && !extraOf[r].empty())) {
            multiplyRow(H, extraOf, extra, r, row);
            changed[r] = row.take();
          }
      },
      rowsPerChunk);
    if (!hasRows(H, changed, A, threads)) {
      std::vector<std::size_t> rowBegin = {0};
      std::vector<typename BlockMatrix<d>::Index> columns;
      columns.reserve(H.blocks());
      for (std::size_t r = 0; r < n; ++r) {
        if (changed[r].empty())
          H.forSortedRow(r, [&](std::size_t k) { columns.push_back(H.column(k)); });
        for (const auto& entry : changed[r])
          columns.push_back(typename BlockMatrix<d>::Index(entry.node));
        rowBegin.push_back(columns.size());
      }
      A = BlockMatrix<d>(std::move(rowBegin), std::move(columns));
    }
    parallelFor(
      n, threads,
      [&](std::size_t r) {
        if (changed[r].empty()) // H and A may split their rows differently
          for (const auto [begin, end] : H.row(r))
            for (std::size_t k = begin; k < end; ++k)
              A.block(A.find(r, H.column(k))) = H.block(k);
        else {
          auto entry = changed[r].begin();
          A.forSortedRow(r, [&](std::size_t k) { A.block(k) = (entry++)->value; });
        }
      },
      rowsPerChunk);
  }

  //! True if the pattern of A is that of H, or of the changed rows
  template<int d>
  bool DecoupledMortarBasis<d>::hasRows(const BlockMatrix<d>& H,
                                        const std::vector<std::vector<BlockEntry>>& changed,
                                        const BlockMatrix<d>& A, int threads) const
  {
    if (A.size() != H.size())
      return false;
    std::atomic<bool> same = true;
    parallelFor(
      H.size(), threads,
      [&](std::size_t r) {
        std::vector<std::size_t> columns;
        A.forSortedRow(r, [&](std::size_t k) { columns.push_back(A.column(k)); });
        std::size_t next = 0;
        const auto compare = [&](std::size_t column) {
          if (next >= columns.size() || columns[next++] != column)
            same = false;
        };
        if (changed[r].empty())
          H.forSortedRow(r, [&](std::size_t k) { compare(H.column(k)); });
        for (const auto& entry : changed[r])
          compare(entry.node);
        if (next != columns.size())
          same = false;
      },
      rowsPerChunk);
    return same;
  }

#define DUNE_IMPACT_INSTANTIATE(d)                                                                 \
  template struct DecoupledMortarBasis<d>::RowAccumulator;                                         \
  template void DecoupledMortarBasis<d>::rotate(const BlockMatrix<d>&, BlockMatrix<d>&) const;     \
  template void DecoupledMortarBasis<d>::multiplyRow(                                              \
    const BlockMatrix<d>&, const std::vector<std::vector<std::size_t>>&,                           \
    const std::vector<MatrixBlock<d>>&, std::size_t, RowAccumulator&) const;                       \
  template bool DecoupledMortarBasis<d>::isPlain(const BlockMatrix<d>&, std::size_t) const;        \
  template bool DecoupledMortarBasis<d>::hasRows(const BlockMatrix<d>&,                            \
                                                 const std::vector<std::vector<BlockEntry>>&,      \
                                                 const BlockMatrix<d>&, int) const;                \
  template void DecoupledMortarBasis<d>::transform(                                                \
    const BlockMatrix<d>&, const std::vector<MatrixBlock<d>>&, BlockMatrix<d>&, int) const;

  DUNE_IMPACT_INSTANTIATE(2)
  DUNE_IMPACT_INSTANTIATE(3)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
