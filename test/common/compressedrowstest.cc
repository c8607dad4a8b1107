// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/compressedrows.hh>

using namespace Dune;
using namespace Dune::Impact;

template<class Entry>
bool equal(std::span<const Entry> row, const std::vector<Entry>& expected)
{
  return std::equal(row.begin(), row.end(), expected.begin(), expected.end());
}

//! Rows that are added in all ways, some of them empty
TestSuite testFilling()
{
  TestSuite test("filling");
  CompressedRows<int> rows;
  const auto check = [&](std::size_t i, const std::vector<int>& expected, const char* what) {
    test.check(i < rows.size() && equal(std::as_const(rows)[i], expected), what);
  };
  test.check(rows.empty() && rows.size() == 0 && rows.entries().empty(), "no rows at first");

  rows.addRow(std::array{3, 1, 2});
  rows.addEmptyRows(2);
  rows.addRow([](std::vector<int>& entries) {
    entries.push_back(7);
    entries.push_back(8);
  });
  rows.beginRow();
  rows.add(5);
  rows.add(std::array{6, 4});
  rows.beginRow();

  test.check(rows.size() == 6, "number of rows") << rows.size();
  check(0, {3, 1, 2}, "a whole row");
  check(1, {}, "an empty row");
  check(2, {}, "another empty row");
  check(3, {7, 8}, "a row by a function");
  check(4, {5, 6, 4}, "a row entry by entry");
  check(5, {}, "a row that was only begun");
  test.check(rows.back().empty(), "the last row");
  test.check(equal<int>(rows.entries(), {3, 1, 2, 7, 8, 5, 6, 4}), "all entries in their order");
  test.check(equal<std::size_t>(rows.offsets(), {0, 3, 3, 3, 5, 8, 8}), "offsets");
  test.check(rows.begin(4) == 5 && rows.begin(6) == 8, "beginnings of rows");

  rows[3][1] = 9;
  check(3, {7, 9}, "entries can be changed");
  return test;
}

TestSuite testClear()
{
  TestSuite test("clear");
  CompressedRows<double> rows;
  rows.reserve(2, 3);
  const auto fill = [&] {
    rows.addRow(std::array{1.0, 2.0});
    rows.addRow(std::array{3.0});
  };
  fill();
  const double* memory = rows.entries().data();
  rows.clear();
  test.check(rows.empty() && rows.entries().empty(), "no rows are left");
  fill();
  test.check(rows.size() == 2 && equal<double>(rows.back(), {3}), "rows are filled again");
  test.check(rows.entries().data() == memory, "in the same memory");

  CompressedRows<double> copy = rows;
  rows.clear();
  test.check(copy.size() == 2 && equal<double>(copy.back(), {3}), "a copy is another object");
  return test;
}

//! Entries that come in any order
TestSuite testGroup()
{
  TestSuite test("group");
  const std::vector<std::pair<std::size_t, int>> entries = {{2, 10}, {0, 11}, {2, 9}, {3, 8}};
  CompressedRows<int> rows;
  rows.addRow(std::array{1}); // is replaced
  int calls = 0;
  const auto forEach = [&](auto&& add) {
    ++calls;
    for (const auto& [row, entry] : entries)
      add(row, entry);
  };
  for (const std::size_t least : {0, 4, 6}) {
    rows.group(least, forEach);
    test.check(rows.size() == std::max<std::size_t>(least, 4), "number of rows") << rows.size();
    test.check(equal<int>(rows.entries(), {11, 10, 9, 8}), "rows one after the other");
    test.check(equal<int>(std::as_const(rows)[2], {10, 9}), "entries of a row keep their order");
    test.check(rows[1].empty() && rows[0].size() == 1 && rows[3].size() == 1, "sizes of rows");
    test.check(rows.begin(rows.size()) == 4, "number of entries");
  }
  test.check(calls == 6, "two passes each");
  rows.group(0, [](auto&&) {});
  test.check(rows.empty(), "no entries");
  rows.addRow(std::array{2});
  test.check(rows.size() == 1 && equal<int>(rows.back(), {2}), "rows can follow");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testFilling());
  test.subTest(testClear());
  test.subTest(testGroup());
  return test.exit();
}
