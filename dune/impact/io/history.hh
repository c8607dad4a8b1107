// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_HISTORY_HH
#define DUNE_IMPACT_IO_HISTORY_HH

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <dune/impact/common/record.hh>
#include <dune/impact/common/stepreport.hh>
#include <dune/impact/io/file.hh>

/** \file
 * \ingroup impact_io
 * \brief The table of energies, momenta and probes over time
 */

namespace Dune::Impact {

  /** \brief Writes DIR/history.csv, one row per recorded step
   *
   * A number has 17 significant digits, so that reading it gives back the same double. What
   * a row cannot know is `nan`: the gap when there is no contact.
   *
   * Rows are collected and written together when 64 KiB are full or a second has passed. The
   * file on disk always ends with a complete row, also after a write failed half-way.
   */
  class HistoryWriter
  {
  public:
    //! Start a new table; the given columns, of probes and contacts, follow the fixed ones, and the
    //! accumulated works come last. Throws RunError
    HistoryWriter(const std::filesystem::path& directory, std::span<const std::string> columns);

    /** \brief Continue a table after its first `bytes` bytes; what is behind them is cut off
     *
     * Throws InputError if the file is missing, shorter than that, has other columns, or has
     * no row that ends there.
     */
    HistoryWriter(const std::filesystem::path& directory, std::span<const std::string> columns,
                  std::uint64_t bytes);

    HistoryWriter(const HistoryWriter&) = delete;
    HistoryWriter& operator=(const HistoryWriter&) = delete;

    //! Writes what is left, silently
    ~HistoryWriter();

    //! Append a row; `values` has one number per given column. Throws RunError
    void write(const Record& record, const StepReport& report, std::span<const double> values = {});

    /** \brief Hand all rows to the system
     *
     * When the disk is full the file is cut back to its last complete row, and RunError
     * names the file and the reason. The rows that did not fit stay in memory for a later
     * attempt.
     *
     * \param sync  whether to wait until the rows are on the disk
     */
    void flush(bool sync = false);

    //! Byte offset after the last row; this is the size of the file after flush()
    std::uint64_t position() const { return written_ + buffer_.size(); }

    const std::filesystem::path& file() const { return file_; }

  private:
    void append(const Record& record, const StepReport& report);
    int writeBuffer() noexcept;

    std::filesystem::path file_;
    std::size_t values_;
    FileDescriptor fd_;
    std::string buffer_;        // complete rows only
    std::uint64_t written_ = 0; // bytes of the file, complete rows only
    std::chrono::steady_clock::time_point flushed_;
  };

} // namespace Dune::Impact

#endif
