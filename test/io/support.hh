// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_IO_SUPPORT_HH
#define DUNE_IMPACT_TEST_IO_SUPPORT_HH

#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/resource.h>

/** \file
 * \brief Folders that disappear, disks that are full, and errors as texts
 */

namespace Dune::Impact::Testing {

  //! A new folder that is removed at the end
  class TemporaryFolder
  {
  public:
    TemporaryFolder()
    {
      auto name = (std::filesystem::temp_directory_path() / "dune-impact-XXXXXX").string();
      if (!::mkdtemp(name.data()))
        throw std::runtime_error("cannot create a folder for the test");
      path_ = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    ~TemporaryFolder()
    {
      std::error_code ignored;
      std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
  };

  //! As long as it lives no file can grow beyond a size, as on a full disk
  class FileSizeLimit
  {
  public:
    explicit FileSizeLimit(std::uint64_t bytes)
    {
      handler_ = std::signal(SIGXFSZ, SIG_IGN);
      ::getrlimit(RLIMIT_FSIZE, &before_);
      auto limit = before_;
      limit.rlim_cur = bytes;
      if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
        throw std::runtime_error("cannot limit the size of files");
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    ~FileSizeLimit()
    {
      ::setrlimit(RLIMIT_FSIZE, &before_);
      std::signal(SIGXFSZ, handler_);
    }

  private:
    rlimit before_;
    void (*handler_)(int);
  };

  //! The text of the exception of type E that a call throws; empty if it throws none
  template<class E, class F>
  std::string errorOf(F&& call)
  {
    try {
      call();
    }
    catch (const E& error) {
      return error.what();
    }
    return "";
  }

  inline bool contains(const std::string& text, const std::string& part)
  {
    return text.find(part) != std::string::npos;
  }

  inline std::string slurp(const std::filesystem::path& file)
  {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
  }

  inline void spill(const std::filesystem::path& file, const std::string& content)
  {
    std::ofstream(file, std::ios::binary) << content;
  }

  //! The lines of a text, without their ends
  inline std::vector<std::string> split(const std::string& text, char separator)
  {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
      parts.push_back(part);
    return parts;
  }

  inline bool sameBits(double a, double b)
  {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }

  inline bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
  {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i)
      same = sameBits(a[i], b[i]);
    return same;
  }

  //! Doubles of all kinds: signed zeros, denormals, huge ones, infinities and nan
  inline std::vector<double> difficultNumbers()
  {
    std::vector<double> numbers;
    for (std::uint64_t bits :
         {0x0000000000000000ul, 0x8000000000000000ul, 0x0000000000000001ul, 0x800fffffffffffff,
          0x7feffffffffffffful, 0x7ff0000000000000ul, 0xfff0000000000000ul, 0x7ff8000000000000ul,
          0xfff8000000000123ul, 0x3fb999999999999aul, 0x3ff0000000000001ul, 0xc00921fb54442d18ul})
      numbers.push_back(std::bit_cast<double>(bits));
    return numbers;
  }

} // namespace Dune::Impact::Testing

#endif
