// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/history.hh>

#include "support.hh"

using namespace Dune::Impact;
using namespace Dune::Impact::Testing;

namespace {

  const std::string header = "step,time,kinetic,elastic,potential,contact_energy,total,px,py,pz,lx,"
                             "ly,lz,min_gap,contacts,impulse_x,impulse_y,"
                             "impulse_z,dissipated,external_work,iterations";
  const std::string works = ",contact_work,friction_work,bulk_work";

  const std::vector<std::string> columns = {"centre.x", "centre.y"};

  // A row in which all numbers are different and need all their digits
  Record makeRecord(long step)
  {
    Record record;
    double next = (step + 1) / 3.;
    for (double* x :
         {&record.time, &record.kinetic, &record.stored.elastic, &record.stored.potential,
          &record.stored.contact, &record.dissipated, &record.externalWork, &record.contactWork,
          &record.frictionWork, &record.bulkWork})
      *x = next = next * 1.1 + 1e-7;
    for (auto* v : {&record.momenta.linear, &record.momenta.angular})
      for (auto& x : *v)
        x = next = -next * 1.3;
    record.step = step;
    return record;
  }

  StepReport makeReport(long step)
  {
    StepReport report;
    report.solve.iterations = 3 + step;
    report.minGap = -1e-5 / 7;
    report.contacts = 2;
    report.impulse = {1. / 3, -2. / 7, 1e300 / 9};
    return report;
  }

  void writeRows(HistoryWriter& writer, long begin, long end)
  {
    for (long step = begin; step < end; ++step)
      writer.write(makeRecord(step), makeReport(step), std::vector{step / 7., -step / 9.});
  }

  // Whether a file is the header and complete rows, of a table that starts with the same bytes
  bool isPrefixOfRows(const std::string& part, const std::string& whole)
  {
    return part.size() <= whole.size() && whole.compare(0, part.size(), part) == 0 &&
           part.ends_with('\n');
  }

} // namespace

// Every number comes back with all its bits, in its column.
Dune::TestSuite formatTest()
{
  Dune::TestSuite test("format");
  const TemporaryFolder folder;
  const auto r = makeRecord(5);
  const auto s = makeReport(5);
  {
    HistoryWriter writer(folder / "new" / "folder", columns);
    test.check(slurp(writer.file()) == header + ",centre.x,centre.y" + works + "\n",
               "header is there at once");
    writer.write(r, s, std::vector{0.1, -0.});
    writer.flush(true);
    test.check(writer.position() == file_size(writer.file()), "position");
  }
  const auto lines = split(slurp(folder / "new" / "folder" / "history.csv"), '\n');
  test.require(lines.size() == 2, "one row");

  const std::vector<double> expected = {5,
                                        r.time,
                                        r.kinetic,
                                        r.stored.elastic,
                                        r.stored.potential,
                                        r.stored.contact,
                                        r.total(),
                                        r.momenta.linear[0],
                                        r.momenta.linear[1],
                                        r.momenta.linear[2],
                                        r.momenta.angular[0],
                                        r.momenta.angular[1],
                                        r.momenta.angular[2],
                                        s.minGap,
                                        2,
                                        s.impulse[0],
                                        s.impulse[1],
                                        s.impulse[2],
                                        r.dissipated,
                                        r.externalWork,
                                        8,
                                        0.1,
                                        -0.,
                                        r.contactWork,
                                        r.frictionWork,
                                        r.bulkWork};
  const auto fields = split(lines[1], ',');
  test.require(fields.size() == expected.size(), "columns") << fields.size();
  for (std::size_t i = 0; i < fields.size(); ++i)
    test.check(sameBits(std::strtod(fields[i].c_str(), nullptr), expected[i]), "number")
      << i << ": " << fields[i];
  test.check(fields[21] == "0.10000000000000001", "17 digits") << fields[21];
  return test;
}

Dune::TestSuite specialTest()
{
  Dune::TestSuite test("special values");
  const TemporaryFolder folder;
  {
    HistoryWriter writer(folder.path(), std::vector<std::string>{"a,b \"c\".x", "plain"});
    Record record;
    record.kinetic = -std::nan("");
    record.dissipated = -INFINITY;
    writer.write(record, StepReport{}, std::vector{5e-324, 1e22});
  }
  const auto lines = split(slurp(folder / "history.csv"), '\n');
  test.require(lines.size() == 2, "rows are written when the writer goes");
  test.check(lines[0] == header + ",\"a,b \"\"c\"\".x\",plain" + works,
             "a name with separators is quoted")
    << lines[0];
  const auto fields = split(lines[1], ',');
  test.check(fields[13] == "nan", "no contact, no gap") << fields[13];
  test.check(fields[2] == "nan", "a nan has no sign") << fields[2];
  test.check(fields[18] == "-inf", "infinity") << fields[18];
  test.check(std::strtod(fields[21].c_str(), nullptr) == 5e-324, "denormal") << fields[21];
  return test;
}

// A table that is cut back and continued is the same as one written at once.
Dune::TestSuite resumeTest()
{
  Dune::TestSuite test("resume");
  const TemporaryFolder whole, parts;
  std::uint64_t position = 0;
  {
    HistoryWriter writer(whole.path(), columns);
    writeRows(writer, 0, 1000);
  }
  {
    HistoryWriter writer(parts.path(), columns);
    writeRows(writer, 0, 400);
    position = writer.position();
    writer.flush();
    test.check(position == file_size(writer.file()), "position");
    writeRows(writer, 400, 777);
  }
  {
    HistoryWriter writer(parts.path(), columns, position);
    test.check(writer.position() == position && file_size(writer.file()) == position, "cut back");
    writeRows(writer, 400, 1000);
  }
  const auto content = slurp(whole / "history.csv");
  test.check(split(content, '\n').size() == 1001, "rows");
  test.check(content == slurp(parts / "history.csv"), "same bytes");
  return test;
}

// A table that lost its end, of whatever length, and other tables are refused.
Dune::TestSuite refuseTest()
{
  Dune::TestSuite test("refuse to resume");
  const TemporaryFolder folder;
  const auto file = folder / "history.csv";
  {
    HistoryWriter writer(folder.path(), columns);
    writeRows(writer, 0, 100);
  }
  const auto content = slurp(file);
  const auto resume = [&](std::uint64_t bytes, const std::vector<std::string>& names) {
    return errorOf<InputError>([&] { HistoryWriter(folder.path(), names, bytes); });
  };

  test.check(contains(resume(content.size() - 1, columns), "no row ends at byte"), "inside a row");
  test.check(contains(resume(10, columns), "its columns are not those"), "inside the header");
  test.check(contains(resume(content.size(), {"other.x"}), "its columns are not those"),
             "other probes");
  test.check(slurp(file) == content, "a refused file is not touched");

  for (int i = 0; i < 20; ++i) {
    spill(file, content.substr(0, content.size() * i / 20));
    const auto error = resume(content.size(), columns);
    test.check(contains(error, "history.csv: cannot continue the table: the checkpoint needs"),
               "shortened")
      << i << "/20: " << error;
  }
  std::filesystem::remove(file);
  const auto error = resume(content.size(), columns);
  test.check(contains(error, "No such file"), "missing") << error;
  test.check(!exists(file), "a missing file is not created");
  return test;
}

// The file ends with a complete row wherever the disk is full, and goes on when there is room.
Dune::TestSuite fullDiskTest()
{
  Dune::TestSuite test("full disk");
  const TemporaryFolder reference;
  {
    HistoryWriter writer(reference.path(), columns);
    writeRows(writer, 0, 500);
  }
  const auto whole = slurp(reference / "history.csv");
  for (std::uint64_t limit : {300ul, 4096ul, 65536ul, 100001ul}) {
    const TemporaryFolder folder;
    std::string error;
    {
      HistoryWriter writer(folder.path(), columns);
      std::optional<FileSizeLimit> full(limit);
      for (long row = 0; row < 500; ++row) {
        auto text = errorOf<RunError>([&] { writeRows(writer, row, row + 1); });
        error = text.empty() ? error : text;
      }
      auto text = errorOf<RunError>([&] { writer.flush(); });
      full.reset();
      test.check(text == writer.file().string() + ": cannot write: File too large", "sentence")
        << text;
      const auto part = slurp(writer.file());
      test.check(isPrefixOfRows(part, whole), "complete rows")
        << limit << ": " << part.size() << " bytes";
      test.check(part.size() <= limit && part.size() + 1000 > limit, "as many rows as fit")
        << limit << ": " << part.size();
    }
    test.check(slurp(folder / "history.csv") == whole, "nothing is lost when there is room again")
      << limit;
    test.check(contains(error, "File too large"), "write() notices it, too")
      << limit << ": " << error;
  }
  return test;
}

// The writer goes on a full disk: no exception, and no incomplete row.
Dune::TestSuite destructorTest()
{
  Dune::TestSuite test("destructor");
  const TemporaryFolder folder;
  std::optional<FileSizeLimit> full;
  {
    HistoryWriter writer(folder.path(), columns);
    writeRows(writer, 0, 20);
    full.emplace(2000);
  }
  full.reset();
  const auto content = slurp(folder / "history.csv");
  test.check(content.ends_with('\n') && content.size() < 2000 && split(content, '\n').size() > 2,
             "complete rows")
    << content.size();
  return test;
}

Dune::TestSuite deviceTest()
{
  Dune::TestSuite test("/dev/full");
  const TemporaryFolder folder;
  if (std::filesystem::exists("/dev/full")) {
    std::filesystem::create_symlink("/dev/full", folder / "history.csv");
    const auto error = errorOf<RunError>([&] { HistoryWriter(folder.path(), columns); });
    test.check(error ==
                 (folder / "history.csv").string() + ": cannot write: No space left on device",
               "sentence")
      << error;
  }
  return test;
}

// Rows of a slow run are on disk after about a second without flush.
Dune::TestSuite timeTest()
{
  Dune::TestSuite test("time");
  const TemporaryFolder folder;
  HistoryWriter writer(folder.path(), columns);
  const auto begin = std::chrono::steady_clock::now();
  long row = 0;
  const auto size = file_size(writer.file());
  while (file_size(writer.file()) == size &&
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)) {
    writeRows(writer, row, row + 1);
    ++row;
    struct timespec pause = {0, 20000000};
    ::nanosleep(&pause, nullptr);
  }
  test.check(file_size(writer.file()) > size && writer.position() < 65536, "flushed by time")
    << row << " rows";
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  test.subTest(formatTest());
  test.subTest(specialTest());
  test.subTest(resumeTest());
  test.subTest(refuseTest());
  test.subTest(fullDiskTest());
  test.subTest(destructorTest());
  test.subTest(deviceTest());
  test.subTest(timeTest());
  return test.exit();
}
