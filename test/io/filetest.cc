// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fcntl.h>
#include <unistd.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/file.hh>

#include "support.hh"

using namespace Dune::Impact;
using namespace Dune::Impact::Testing;

// A file is replaced as a whole or not at all.
Dune::TestSuite replaceTest()
{
  Dune::TestSuite test("replaceFile");
  const TemporaryFolder folder;
  const auto file = folder / "result.txt";
  const std::string binary("one\0two\n", 8);

  replaceFile(file, "old");
  replaceFile(file, binary, true);
  test.check(slurp(file) == binary, "new content");
  test.check(readFile(file) == binary, "read back");
  test.check(!exists(folder / "result.txt.tmp"), "no temporary file is left");

  std::string error;
  {
    const FileSizeLimit limit(1000);
    error = errorOf<RunError>([&] { replaceFile(file, std::string(5000, 'x')); });
  }
  test.check(error == file.string() + ": cannot write: File too large", "sentence of a full disk")
    << error;
  test.check(slurp(file) == binary, "a failure leaves the old content");
  test.check(!exists(folder / "result.txt.tmp"), "a failure leaves no temporary file");
  return test;
}

Dune::TestSuite deviceTest()
{
  Dune::TestSuite test("/dev/full");
  if (!std::filesystem::exists("/dev/full"))
    return test;
  const TemporaryFolder folder;
  const auto file = folder / "result.txt";
  std::filesystem::create_symlink("/dev/full", folder / "result.txt.tmp");
  const auto error = errorOf<RunError>([&] { replaceFile(file, "content"); });
  test.check(contains(error, "result.txt: cannot write: No space left on device"), "sentence")
    << error;
  test.check(!exists(file), "no file");
  return test;
}

Dune::TestSuite errorTest()
{
  Dune::TestSuite test("errors");
  const TemporaryFolder folder;
  const auto missing = errorOf<InputError>([&] { readFile(folder / "missing"); });
  test.check(contains(missing, "missing: cannot read: No such file"), "missing file") << missing;
  const auto unreadable = errorOf<InputError>([&] { readFile(folder.path()); });
  test.check(contains(unreadable, "cannot read: Is a directory"), "a folder is not a file")
    << unreadable;

  spill(folder / "plain", "x");
  const auto nested = errorOf<RunError>([&] { makeFolder(folder / "plain" / "below"); });
  test.check(contains(nested, "cannot create the folder"), "a folder below a file") << nested;
  const auto nowhere = errorOf<RunError>([&] { replaceFile(folder / "none" / "file", "x"); });
  test.check(contains(nowhere, "cannot create"), "a file in no folder") << nowhere;
  makeFolder(folder / "a" / "b");
  test.check(is_directory(folder / "a" / "b"), "folder with parents");
  return test;
}

Dune::TestSuite descriptorTest()
{
  Dune::TestSuite test("FileDescriptor");
  const TemporaryFolder folder;
  FileDescriptor a(::open((folder / "a").c_str(), O_WRONLY | O_CREAT, 0666));
  const int number = a.get();
  test.require(number >= 0, "opened");
  FileDescriptor b(std::move(a));
  test.check(b.get() == number && a.get() == -1, "moved");
  a = std::move(b);
  test.check(a.get() == number && b.get() == -1, "moved back");
  test.check(a.close() == 0 && ::fcntl(number, F_GETFD) == -1, "closed");
  test.check(a.close() == 0, "closed twice");
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  test.subTest(replaceTest());
  test.subTest(deviceTest());
  test.subTest(errorTest());
  test.subTest(descriptorTest());
  return test.exit();
}
