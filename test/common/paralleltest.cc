// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/parallel.hh>

using namespace Dune;
using namespace Dune::Impact;

//! Every number is visited once, whatever the number of threads and the size of chunks
TestSuite testVisits()
{
  TestSuite test("visits");
  for (int threads : {1, 2, 7})
    for (std::size_t count : {0, 1, 63, 64, 65, 1000})
      for (std::size_t chunk : {1, 64}) {
        std::vector<int> visits(count, 0);
        parallelFor(count, threads, [&](std::size_t i) { ++visits[i]; }, chunk);
        test.check(visits == std::vector<int>(count, 1), "each once")
          << threads << " threads, " << count << " in chunks of " << chunk;
      }
  return test;
}

//! Of several errors the one of the lowest chunk is seen
TestSuite testErrors()
{
  TestSuite test("errors");
  for (int threads : {1, 3}) {
    std::string seen;
    try {
      parallelFor(
        1000, threads,
        [](std::size_t i) {
          if (i % 300 == 299)
            throw std::runtime_error(std::to_string(i));
        },
        10);
    }
    catch (const std::runtime_error& error) {
      seen = error.what();
    }
    test.check(seen == "299", "the first error") << seen;
  }
  return test;
}

TestSuite testCount()
{
  TestSuite test("number of threads");
  setenv("OMP_NUM_THREADS", "3", 1);
  test.check(threadCount() == 3 && threadCount(5) == 5,
             "a wanted number goes before the environment")
    << threadCount();
  setenv("OMP_NUM_THREADS", "nonsense", 1);
  test.check(threadCount() >= 1, "at least one") << threadCount();
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testVisits());
  test.subTest(testErrors());
  test.subTest(testCount());
  return test.exit();
}
