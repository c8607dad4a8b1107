// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cassert>
#include <cerrno>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/history.hh>

namespace Dune::Impact {

  namespace {

    constexpr std::size_t bufferSize = 1 << 16;

    constexpr std::string_view fixedColumns =
      "step,time,kinetic,elastic,potential,contact_energy,total,px,py,pz,lx,ly,lz,min_gap,contacts,"
      "impulse_x,impulse_y,impulse_z,dissipated,external_work,iterations";

    // at the end of each row
    constexpr std::string_view workColumns = ",contact_work,friction_work,bulk_work";

    // A name with a separator in it is quoted, as spreadsheets do.
    std::string quoted(const std::string& name)
    {
      if (name.find_first_of(",\"\n\r") == std::string::npos)
        return name;
      std::string result = "\"";
      for (char c : name)
        result.append(c == '"' ? 2 : 1, c);
      return result + '"';
    }

    std::string headerLine(std::span<const std::string> columns)
    {
      std::string line(fixedColumns);
      for (const auto& name : columns)
        line += ',' + quoted(name);
      return line.append(workColumns) + '\n';
    }

    // The sign of a nan means nothing and depends on the processor.
    void appendNumber(std::string& out, double x)
    {
      if (std::isnan(x))
        out += ",nan";
      else
        fmt::format_to(std::back_inserter(out), FMT_COMPILE(",{:.17g}"), x);
    }

    void appendNumber(std::string& out, int x)
    {
      fmt::format_to(std::back_inserter(out), FMT_COMPILE(",{}"), x);
    }

    template<class... T>
    void appendNumbers(std::string& out, const T&... x)
    {
      (appendNumber(out, x), ...);
    }

    void appendNumbers(std::string& out, const Vec3& x)
    {
      appendNumbers(out, x[0], x[1], x[2]);
    }

    // The bytes [begin, begin + size) of an open file, fewer at its end.
    std::string readPart(int fd, std::uint64_t begin, std::size_t size)
    {
      std::string part(size, '\0');
      const auto n = ::pread(fd, part.data(), size, begin);
      part.resize(n > 0 ? n : 0);
      return part;
    }

    // Whether a table can be continued after `bytes` bytes; it may be too long to read it all.
    void checkResume(const std::filesystem::path& file, int fd, const std::string& header,
                     std::uint64_t bytes)
    {
      const auto refuse = [&](const std::string& why) {
        throw InputError(fmt::format("{}: cannot continue the table: {}", file.string(), why));
      };
      if (fd < 0)
        refuse(std::generic_category().message(errno));
      const std::uint64_t size = ::lseek(fd, 0, SEEK_END);
      if (size < bytes)
        refuse(fmt::format("the checkpoint needs {} bytes, the file has {}", bytes, size));
      if (bytes < header.size() || readPart(fd, 0, header.size()) != header)
        refuse("its columns are not those of this scenario");
      if (readPart(fd, bytes - 1, 1) != "\n")
        refuse(fmt::format("no row ends at byte {}", bytes));
    }

  } // namespace

  HistoryWriter::HistoryWriter(const std::filesystem::path& directory,
                               std::span<const std::string> columns)
    : file_(directory / "history.csv")
    , values_(columns.size())
  {
    makeFolder(directory);
    fd_ = FileDescriptor(
      ::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
    if (fd_.get() < 0)
      throw RunError(fileError(file_, "cannot create", errno));
    buffer_.reserve(2 * bufferSize);
    buffer_ = headerLine(columns);
    flush(); // a file that cannot be written is noticed before the first step
  }

  HistoryWriter::HistoryWriter(const std::filesystem::path& directory,
                               std::span<const std::string> columns, std::uint64_t bytes)
    : file_(directory / "history.csv")
    , values_(columns.size())
    , written_(bytes)
    , flushed_(std::chrono::steady_clock::now())
  {
    fd_ = FileDescriptor(::open(file_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
    checkResume(file_, fd_.get(), headerLine(columns), bytes);
    if (::ftruncate(fd_.get(), bytes) != 0)
      throw RunError(fileError(file_, "cannot write", errno));
    buffer_.reserve(2 * bufferSize);
  }

  HistoryWriter::~HistoryWriter()
  {
    writeBuffer();
  }

  void HistoryWriter::write(const Record& record, const StepReport& report,
                            std::span<const double> values)
  {
    assert(values.size() == values_);
    append(record, report);
    for (double x : values)
      appendNumber(buffer_, x);
    appendNumbers(buffer_, record.contactWork, record.frictionWork, record.bulkWork);
    buffer_ += '\n';

    // Writing the row took microseconds, so a look at the clock costs nothing.
    if (buffer_.size() >= bufferSize ||
        std::chrono::steady_clock::now() - flushed_ > std::chrono::seconds(1))
      flush();
  }

  void HistoryWriter::append(const Record& r, const StepReport& report)
  {
    const double gap =
      std::isinf(report.minGap) ? std::numeric_limits<double>::quiet_NaN() : report.minGap;
    fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE("{}"), r.step);
    appendNumbers(buffer_, r.time, r.kinetic, r.stored.elastic, r.stored.potential,
                  r.stored.contact, r.total());
    appendNumbers(buffer_, r.momenta.linear);
    appendNumbers(buffer_, r.momenta.angular);
    appendNumbers(buffer_, gap, report.contacts);
    appendNumbers(buffer_, report.impulse);
    appendNumbers(buffer_, r.dissipated, r.externalWork, report.solve.iterations);
  }

  void HistoryWriter::flush(bool sync)
  {
    flushed_ = std::chrono::steady_clock::now();
    if (int error = writeBuffer())
      throw RunError(fileError(file_, "cannot write", error));
    if (sync && ::fsync(fd_.get()) != 0)
      throw RunError(fileError(file_, "cannot write", errno));
  }

  // Of a write that stopped half-way, the complete rows stay and the rest is cut off.
  int HistoryWriter::writeBuffer() noexcept
  {
    std::size_t size = 0;
    const int error = writeAll(fd_.get(), buffer_, size);
    if (error) {
      const auto lastRow = size > 0 ? buffer_.rfind('\n', size - 1) : std::string::npos;
      size = lastRow == std::string::npos ? 0 : lastRow + 1;
      [[maybe_unused]] const int cut = ::ftruncate(fd_.get(), written_ + size);
    }
    written_ += size;
    buffer_.erase(0, size);
    return error;
  }

} // namespace Dune::Impact
