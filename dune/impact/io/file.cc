// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/file.hh>

namespace Dune::Impact {

  namespace {

    // Write, sync if asked, close: 0 or the first error number.
    int fill(FileDescriptor fd, std::string_view content, bool durable)
    {
      std::size_t written = 0;
      if (int error = writeAll(fd.get(), content, written))
        return error;
      if (durable && ::fsync(fd.get()) != 0)
        return errno;
      return fd.close();
    }

    // A renaming reaches the disk with its folder. Not all file systems can do this, and
    // none of them loses more than the newest name, so failures are ignored.
    void syncFolder(const std::filesystem::path& folder)
    {
      const FileDescriptor fd(
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      if (fd.get() >= 0)
        ::fsync(fd.get());
    }

  } // namespace

  FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept
  {
    if (this != &other) {
      close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }

  int FileDescriptor::close() noexcept
  {
    const int fd = std::exchange(fd_, -1);
    return fd >= 0 && ::close(fd) != 0 ? errno : 0;
  }

  std::string fileError(const std::filesystem::path& file, std::string_view action, int error)
  {
    return fmt::format("{}: {}: {}", file.string(), action, std::generic_category().message(error));
  }

  //! A write may take a part of the bytes only, or be interrupted by a signal; both are continued.
  int writeAll(int fd, std::string_view bytes, std::size_t& written) noexcept
  {
    written = 0;
    while (written < bytes.size()) {
      const auto n = ::write(fd, bytes.data() + written, bytes.size() - written);
      if (n > 0)
        written += n;
      else if (n == 0)
        return EIO;
      else if (errno != EINTR)
        return errno;
    }
    return 0;
  }

  void makeFolder(const std::filesystem::path& folder)
  {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
      throw RunError(
        fmt::format("{}: cannot create the folder: {}", folder.string(), error.message()));
  }

  std::string readFile(const std::filesystem::path& file)
  {
    const FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status;
    if (fd.get() < 0 || ::fstat(fd.get(), &status) != 0)
      throw InputError(fileError(file, "cannot read", errno));

    std::string content(status.st_size, '\0');
    std::size_t size = 0;
    while (size < content.size()) {
      const auto n = ::read(fd.get(), content.data() + size, content.size() - size);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        throw InputError(fileError(file, "cannot read", errno));
      if (n == 0)
        break;
      size += n;
    }
    content.resize(size);
    return content;
  }

  //! The content goes to a temporary file that is renamed in the end: at any time the name stands
  //! for the old content or the new one as a whole.
  void replaceFile(const std::filesystem::path& file, std::string_view content, bool durable)
  {
    const auto temporary = file.string() + ".tmp";
    FileDescriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (fd.get() < 0)
      throw RunError(fileError(file, "cannot create", errno));

    int error = fill(std::move(fd), content, durable);
    if (!error && std::rename(temporary.c_str(), file.c_str()) != 0)
      error = errno;
    if (error) {
      ::unlink(temporary.c_str());
      throw RunError(fileError(file, "cannot write", error));
    }
    if (durable)
      syncFolder(file.parent_path());
  }

} // namespace Dune::Impact
