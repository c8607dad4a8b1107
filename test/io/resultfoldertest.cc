// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <set>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/io/file.hh>
#include <dune/impact/io/resultfolder.hh>

#include "support.hh"

using namespace Dune::Impact;
using namespace Dune::Impact::Testing;

// A folder is given to one at a time.
Dune::TestSuite lockTest()
{
  Dune::TestSuite test("lock");
  const TemporaryFolder folder, other;
  {
    const FolderLock first(folder.path());
    test.check(first.result() == FolderLock::Result::held, "the first one has it");
    test.check(FolderLock(folder.path()).result() == FolderLock::Result::busy,
               "the second has not");
    test.check(FolderLock(other.path()).result() == FolderLock::Result::held, "another folder");
    test.check(std::filesystem::is_empty(folder.path()), "no file tells of it");
  }
  test.check(FolderLock(folder.path()).result() == FolderLock::Result::held, "free again");
  test.check(FolderLock(folder / "none").result() == FolderLock::Result::unsupported,
             "a folder that does not exist");
  return test;
}

// What a run writes goes, the rest stays.
Dune::TestSuite removeTest()
{
  Dune::TestSuite test("removeResults");
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "vtk");
  const auto index = [](const std::string& entry) {
    return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
           "<Collection>\n<DataSet timestep=\"0\" part=\"0\" file=\"" +
           entry + "\"/>\n</Collection>\n</VTKFile>\n";
  };
  const std::set<std::string> stays = {"notes.txt",
                                       "scenario.ini",
                                       "mine.pvd",
                                       "history.csv.old",
                                       "checkpoint-a.h5",
                                       "vtk/run-ball-12.vtu",
                                       "vtk/clip-000001.vtu",
                                       "vtk/mine-ball-000001.vtu"};
  for (const char* name :
       {"history.csv", "summary.json", "report.html", "film.h5", "film.h5.tmp",
        "checkpoint-000000012.h5", "checkpoint-000000013.h5.tmp", "vtk/run-ball-000000.vtu",
        "vtk/run-ball-000001.vtu.tmp", "vtk/old one-a-b-0000012.vtu"})
    replaceFile(folder / name, "x");
  for (const std::string& name : stays)
    replaceFile(folder / name, "x");
  replaceFile(folder / "old one.pvd", index("vtk/old one-a-b-0000012.vtu"));
  replaceFile(folder / "mine.pvd", index("vtk/somebody.vtu"));
  removeResults(folder.path(), "run");
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file())
      left.insert(entry.path().lexically_relative(folder.path()).string());
  test.check(left == stays, "the files of others are left");
  for (const std::string& name : left)
    test.check(stays.contains(name), "goes") << name;
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  test.subTest(lockTest());
  test.subTest(removeTest());
  return test.exit();
}
