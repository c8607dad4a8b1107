// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_FILE_HH
#define DUNE_IMPACT_IO_FILE_HH

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

/** \file
 * \ingroup impact_io
 * \brief POSIX files whose failures are sentences
 *
 * Streams of the standard library hide why a write failed. Everything that a run writes goes
 * through these few functions instead, so that a full disk is reported with the name of the
 * file and the reason, and never leaves a half-written file under a final name.
 */

namespace Dune::Impact {

  //! Owner of an open file
  class FileDescriptor
  {
  public:
    explicit FileDescriptor(int fd = -1) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor() { close(); }

    int get() const { return fd_; }

    //! Close now; returns 0 or the error number
    int close() noexcept;

  private:
    int fd_;
  };

  //! The text "FILE: ACTION: REASON" for an error number of the system
  std::string fileError(const std::filesystem::path& file, std::string_view action, int error);

  /** \brief Write all bytes, in as many calls as the system wants
   * \param[out] written  the bytes that went out, also after a failure
   * \return 0 or the error number
   */
  int writeAll(int fd, std::string_view bytes, std::size_t& written) noexcept;

  //! Create a folder and its parents; throws RunError
  void makeFolder(const std::filesystem::path& folder);

  //! The bytes of a file; throws InputError
  std::string readFile(const std::filesystem::path& file);

  /** \brief Write a file under a temporary name in the same folder, then rename it
   *
   * Either the whole new content is found under the name or what was there before. A failure
   * removes the temporary file and throws RunError.
   *
   * \param durable  whether the content must have reached the disk before the renaming
   */
  void replaceFile(const std::filesystem::path& file, std::string_view content,
                   bool durable = false);

} // namespace Dune::Impact

#endif
