// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/scenario/suggest.hh>

using namespace Dune;
using namespace Dune::Impact;

TestSuite testDistance()
{
  TestSuite test("edit distance");
  const auto check = [&](const char* a, const char* b, std::size_t expected) {
    test.check(editDistance(a, b) == expected, a) << a << " -> " << b << ": " << editDistance(a, b);
    test.check(editDistance(b, a) == expected, b) << "not symmetric: " << a << ", " << b;
  };
  check("", "", 0);
  check("", "abc", 3);
  check("density", "density", 0);
  check("densty", "density", 1);
  check("desnity", "density", 1);
  check("dansity", "density", 1);
  check("ddensity", "density", 1);
  check("kitten", "sitting", 3);
  check("abcd", "badc", 2);
  check("ca", "abc", 3);
  return test;
}

TestSuite testSuggestion()
{
  TestSuite test("suggestion");
  const std::vector<std::string> names = {"density", "poisson", "young", "mass", "mesh", "x", "at"};
  const auto check = [&](const char* name, const std::string& expected) {
    const auto result = nearestName(name, names);
    test.check(result == expected, name)
      << name << " -> `" << result << "`, not `" << expected << "`";
  };
  check("densty", "density");
  check("desnity", "density");
  check("yung", "young");
  check("mas", "mass");
  check("mass", "mass");
  check("ta", "at");
  check("y", "");
  check("temperature", "");
  check("", "");
  check("poison-ratio", "");
  check(std::string(100000, 'a').c_str(), "");
  test.check(suggestion("densty", names) == ", did you mean `density`?", "sentence");
  test.check(suggestion("temperature", names).empty(), "no sentence");
  test.check(nearestName("mess", names) == "mass", "the first of equals");
  test.check(nearestName("a", {}).empty(), "no candidates");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testDistance());
  test.subTest(testSuggestion());
  return test.exit();
}
