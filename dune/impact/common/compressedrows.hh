// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_COMPRESSEDROWS_HH
#define DUNE_IMPACT_COMMON_COMPRESSEDROWS_HH

#include <cassert>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

/** \file
 * \ingroup impact_common
 * \brief Rows of different lengths in one array
 */

namespace Dune::Impact {

  /** \brief Rows of entries, one after the other in one array (compressed row storage)
   *
   * Row i has the entries with the numbers offset_i, ..., offset_{i+1} - 1, where offset_0 = 0. An
   * entry is whatever a row consists of: a column and a value (a row of a contact Jacobian), a
   * column (a pattern), a node of a stencil. Values that are kept in an array of their own, as the
   * blocks of a Delassus matrix, are found with begin(i).
   *
   * Rows are filled from the first to the last one:
   * \code
   * CompressedRows<Entry> rows;
   * rows.addRow(span);                                  // a whole row, or
   * rows.addRow([&](std::vector<Entry>& entries) {...}); // what the function appends, or
   * rows.beginRow();                                    // entry by entry
   * rows.add(entry);
   * \endcode
   * or all at once from entries in any order, see group(). Memory is kept by clear(), so that
   * nothing is allocated where rows of similar sizes are filled again and again. An object that was
   * moved from can only be assigned to or destroyed.
   */
  template<class Entry>
  class CompressedRows
  {
  public:
    //! Remove all rows, keep the memory
    void clear()
    {
      entries_.clear();
      offsets_.resize(1);
    }

    void reserve(std::size_t rows, std::size_t entries)
    {
      offsets_.reserve(rows + 1);
      entries_.reserve(entries);
    }

    //! Start the next row, which is empty
    void beginRow() { offsets_.push_back(entries_.size()); }

    //! Append an entry to the last row
    void add(const Entry& entry)
    {
      assert(size() > 0);
      entries_.push_back(entry);
      offsets_.back() = entries_.size();
    }

    //! Append entries to the last row
    void add(std::span<const Entry> entries)
    {
      assert(size() > 0);
      entries_.insert(entries_.end(), entries.begin(), entries.end());
      offsets_.back() = entries_.size();
    }

    //! The next row with all its entries
    void addRow(std::span<const Entry> row)
    {
      entries_.insert(entries_.end(), row.begin(), row.end());
      offsets_.push_back(entries_.size());
    }

    //! The next row; fill(entries) appends its entries to those of all rows before it
    template<std::invocable<std::vector<Entry>&> Fill>
    void addRow(Fill&& fill)
    {
      fill(entries_);
      offsets_.push_back(entries_.size());
    }

    //! Rows without entries
    void addEmptyRows(std::size_t count)
    {
      offsets_.resize(offsets_.size() + count, entries_.size());
    }

    /** \brief Replace all rows: sort entries by rows
     *
     * Entries of a row keep their order (counting sort).
     *
     * \param rows     least number of rows
     * \param forEach  called twice, with the same result, with a function add(row, entry), which it
     *                 calls for all entries
     */
    template<class ForEach>
    void group(std::size_t rows, ForEach&& forEach)
    {
      // first the sizes of rows, then their beginnings, which move to their ends: one place later
      offsets_.assign(rows + 1, 0);
      forEach([&](std::size_t row, const Entry&) {
        if (row >= size())
          offsets_.resize(row + 2, 0);
        ++offsets_[row + 1];
      });
      std::size_t count = 0;
      for (std::size_t& offset : offsets_) {
        const std::size_t begin = count;
        count += offset;
        offset = begin;
      }
      entries_.resize(count);
      forEach([&](std::size_t row, const Entry& entry) { entries_[offsets_[row + 1]++] = entry; });
    }

    //! Number of rows
    std::size_t size() const { return offsets_.size() - 1; }

    bool empty() const { return size() == 0; }

    //! Number of the first entry of row i; of i = size() the number of all entries
    std::size_t begin(std::size_t i) const { return offsets_[i]; }

    std::span<const Entry> operator[](std::size_t i) const
    {
      assert(i < size());
      return {entries_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
    }

    std::span<Entry> operator[](std::size_t i)
    {
      assert(i < size());
      return {entries_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
    }

    //! The last row
    std::span<const Entry> back() const { return (*this)[size() - 1]; }

    //! Entries of all rows
    std::span<const Entry> entries() const { return entries_; }

    //! Numbers of the first entries of all rows, then the number of all entries
    std::span<const std::size_t> offsets() const { return offsets_; }

  private:
    std::vector<Entry> entries_;
    std::vector<std::size_t> offsets_ = {0};
  };

} // namespace Dune::Impact

#endif
