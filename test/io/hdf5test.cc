// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>

#include <hdf5.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/io/hdf5.hh>

#include "support.hh"

using namespace Dune::Impact;
using namespace Dune::Impact::Testing;

namespace {

  const std::string letters = "quotes \" and \xc3\xa4";

  // The file of the tests: all types at the root, and a list in a group
  std::string makeImage()
  {
    Hdf5::Writer writer;
    writer.number("real", 0.1);
    writer.number("int", -7);
    writer.number("long", std::numeric_limits<long>::min());
    writer.number("unsigned", std::numeric_limits<unsigned long>::max());
    writer.text("text", letters);
    writer.text("empty text", "");
    writer.group("group", [&] {
      writer.list("list", difficultNumbers());
      writer.list("empty list", {});
    });
    writer.number("after", 1.);
    return writer.image();
  }

} // namespace

Dune::TestSuite roundTripTest()
{
  Dune::TestSuite test("round trip");
  Hdf5::Reader reader(makeImage());
  double real = 0, after = 0;
  int small = 0;
  long large = 0;
  unsigned long positive = 0;
  std::string text, none = "something";
  std::vector<double> list, emptyList(3);
  reader.number("real", real);
  reader.number("int", small);
  reader.number("long", large);
  reader.number("unsigned", positive);
  reader.text("text", text);
  reader.text("empty text", none);
  reader.group("group", [&] {
    reader.list("list", list);
    reader.list("empty list", emptyList);
  });
  reader.number("after", after);

  test.check(real == 0.1 && small == -7 && after == 1, "numbers") << real << " " << small;
  test.check(large == std::numeric_limits<long>::min(), "smallest integer") << large;
  test.check(positive == std::numeric_limits<unsigned long>::max(), "largest integer") << positive;
  test.check(text == letters && none.empty(), "texts") << text << none;
  test.check(sameBits(list, difficultNumbers()), "all bits of a list");
  test.check(emptyList.empty(), "empty list");
  return test;
}

// The image is an ordinary HDF5 file behind its user block, with little-endian doubles.
Dune::TestSuite formatTest()
{
  Dune::TestSuite test("format");
  const TemporaryFolder folder;
  const auto image = makeImage();
  test.check(image.substr(0, Hdf5::userBlockSize) == std::string(Hdf5::userBlockSize, '\0'),
             "user block");
  test.check(image.substr(Hdf5::userBlockSize, 8) == "\x89HDF\r\n\x1a\n", "signature");

  spill(folder / "file.h5", image);
  const auto file = H5Fopen((folder / "file.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  test.require(file >= 0, "HDF5 opens it from disk");
  const auto set = H5Dopen2(file, "group/list", H5P_DEFAULT);
  const auto type = H5Dget_type(set);
  test.check(H5Tequal(type, H5T_IEEE_F64LE) > 0, "little-endian doubles");
  H5Tclose(type);
  H5Dclose(set);
  H5Fclose(file);
  return test;
}

Dune::TestSuite errorTest()
{
  Dune::TestSuite test("errors");
  const auto image = makeImage();
  const auto failure = [&](auto read) {
    return errorOf<Hdf5::Error>([&] {
      Hdf5::Reader reader(image);
      read(reader);
    });
  };
  double number = 0;
  std::string text;
  std::vector<double> list;
  test.check(contains(failure([&](auto& r) { r.number("nothing", number); }), "nothing"),
             "missing number");
  test.check(contains(failure([&](auto& r) { r.text("nothing", text); }), "nothing"),
             "missing text");
  test.check(contains(failure([&](auto& r) { r.list("nothing", list); }), "nothing"),
             "missing list");
  test.check(contains(failure([&](auto& r) { r.group("nothing", [] {}); }), "nothing"),
             "missing group");
  test.check(contains(failure([&](auto& r) { r.text("real", text); }), "real is not a text"),
             "a number is no text");
  test.check(contains(failure([&](auto& r) { r.list("group", list); }), "group"),
             "a group is no list");
  test.check(!errorOf<Hdf5::Error>([] { Hdf5::Reader("no such thing"); }).empty(),
             "not an HDF5 file");
  test.check(
    !errorOf<Hdf5::Error>([&] { Hdf5::Reader(image.substr(0, image.size() / 2)); }).empty(),
    "cut off");

  const auto twice = errorOf<Hdf5::Error>([] {
    Hdf5::Writer writer;
    writer.number("x", 1.);
    writer.number("x", 2.);
  });
  test.check(contains(twice, "x"), "a name twice") << twice;
  return test;
}

// The user's own error handler is set again afterwards, and all handles are closed.
Dune::TestSuite tidyTest()
{
  Dune::TestSuite test("tidy");
  H5E_auto2_t before = nullptr, inside = nullptr, after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  {
    Hdf5::Writer writer;
    H5Eget_auto2(H5E_DEFAULT, &inside, &data);
  }
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  test.check(before != nullptr && inside == nullptr && after == before, "error handler");
  const auto open =
    H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_FILE | H5F_OBJ_GROUP | H5F_OBJ_DATASET | H5F_OBJ_ATTR);
  test.check(open == 0, "open objects") << open;
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  test.subTest(roundTripTest());
  test.subTest(formatTest());
  test.subTest(errorTest());
  test.subTest(tidyTest());
  return test.exit();
}
