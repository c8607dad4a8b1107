// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <sstream>
#include <stdexcept>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/scenario/keys.hh>

#include "example.hh"

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::messageOf;

TestSuite testLookup()
{
  TestSuite test("lookup");
  const auto table = Test::exampleTable();
  test.check(table.find("body", "particle", "mass"), "key of a type");
  test.check(table.find("body", "particle", "position"), "common key");
  test.check(!table.find("body", "particle", "density"), "key of another type");
  test.check(!table.find("body", "particle", "typo"), "unknown key");
  test.check(!table.find("bodi", "", "mass"), "unknown section");
  const std::vector<std::string> types = {"particle", "solid", "rod", "plane"};
  test.check(table.types("body") == types, "types");
  test.check(table.find("body", "", "type")->allowed == types,
             "the types are the allowed words of the chooser");
  test.check(table.find("body", "", "type")->required, "the chooser is required");
  test.check(table.types("contact").empty(), "no types");
  test.check(table.typesWith("body", "density") == std::vector<std::string>{"solid", "rod"},
             "types with a key");
  test.check(table.typesWith("body", "position") == std::vector<std::string>{""}, "common to all");
  test.check(table.keys("body", "particle").size() == 4, "all keys of a type");
  return test;
}

// A type may describe a common key in its own words
TestSuite testOverride()
{
  TestSuite test("a key of a type hides the common one");
  auto table = Test::exampleTable();
  table.add("body", "particle", "",
            {{.name = "position",
              .meaning = "of the point",
              .unit = "L",
              .kind = Kind::vector,
              .required = true}});
  test.check(table.find("body", "particle", "position")->meaning == "of the point", "special");
  test.check(table.find("body", "solid", "position")->meaning == "where it starts", "common");
  test.check(table.keys("body", "particle").size() == 4, "listed once");
  return test;
}

TestSuite testSizes()
{
  TestSuite test("sizes");
  const auto check = [&](const std::string& size, int dimension, int expected) {
    const Key key{.name = "k", .meaning = "m", .kind = Kind::vector, .size = size};
    test.check(sequenceSize(key, dimension) == expected, size)
      << size << " is " << sequenceSize(key, dimension);
  };
  check("d", 2, 2);
  check("6", 2, 6);
  check("d*d", 3, 9);
  check("d+r", 1, 1);
  check("d+r", 2, 3);
  check("2*d+2*r+1", 3, 13);
  test.check(sequenceSize({.name = "k", .meaning = "m", .kind = Kind::rotation}, 2) == 1,
             "rotation in 2D");
  test.check(sequenceSize({.name = "k", .meaning = "m", .kind = Kind::rotation}, 1) == 0,
             "rotation in 1D");
  for (const char* wrong : {"", "x", "d+", "0", "-1", "d*", "2d"})
    test.check(Test::throwsLogicError([&] {
                 sequenceSize({.name = "k", .meaning = "m", .kind = Kind::vector, .size = wrong},
                              2);
               }),
               wrong);
  return test;
}

// Contradictions in the table are found when it is built
TestSuite testWrongTables()
{
  TestSuite test("wrong tables");
  const auto check = [&](const char* name, const Key& key) {
    auto table = Test::exampleTable();
    test.check(Test::throwsLogicError([&] { table.add("output", "", "", {key}); }), name);
  };
  check("no meaning", {.name = "k", .meaning = "", .unit = "1"});
  check("no unit", {.name = "k", .meaning = "m"});
  check("unit of a word", {.name = "k", .meaning = "m", .unit = "L", .kind = Kind::text});
  check("unit of a count", {.name = "k", .meaning = "m", .unit = "L", .kind = Kind::count});
  check("wrong unit", {.name = "k", .meaning = "m", .unit = "kg"});
  check("default and required",
        {.name = "k", .meaning = "m", .unit = "1", .fallback = "1", .required = true});
  check("default with a unit", {.name = "k", .meaning = "m", .unit = "L", .fallback = "1"});
  check("no words", {.name = "k", .meaning = "m", .kind = Kind::word});
  check("default is no word",
        {.name = "k", .meaning = "m", .fallback = "c", .kind = Kind::word, .allowed = {"a", "b"}});
  check("wrong size",
        {.name = "k", .meaning = "m", .unit = "1", .kind = Kind::vector, .size = "q"});
  check("twice", {.name = "every", .meaning = "m", .unit = "1"});
  auto table = Test::exampleTable();
  test.check(Test::throwsLogicError([&] { table.addSection({.name = "body", .summary = ""}); }),
             "section twice");
  test.check(Test::throwsLogicError([&] { table.add("bodi", "", "", {}); }), "unknown section");
  test.check(Test::throwsLogicError([&] { table.add("output", "fast", "", {}); }),
             "type without a chooser");
  return test;
}

std::string help(const std::string& topic)
{
  std::ostringstream out;
  Test::exampleTable().printHelp(out, topic);
  return out.str();
}

TestSuite testHelp()
{
  TestSuite test("help");
  const auto contains = [&](const std::string& topic, const std::string& part) {
    const auto text = help(topic);
    test.check(text.find(part) != text.npos, topic)
      << "help " << topic << " lacks `" << part << "`:\n"
      << text;
  };
  contains("", "[body.NAME]            something that moves or is in the way\n    particle         "
               "  a point with mass\n");
  contains("", "the top of the file    what concerns all\n");
  contains("time", "[time]: the method and its steps\n");
  contains("time", "method = moreau-jean: implicit\n");
  contains("body", "dune-impact help body.particle\n");
  contains("body.particle", "[body.NAME] with type = particle: a point with mass\n  mass\n");
  contains("body.particle", "For all of [body.NAME]: type, position, velocity\n");
  contains("body.density",
           "  density\n      mass per volume\n      value: a number > 0\n      unit: M/L^d\n"
           "      default: required\n      type: solid, rod\n");
  contains("body.type", "      value: particle | solid | rod | plane\n");
  contains("time.step", "      default: from courant\n");
  contains("contact.stiffness", "      only for: law = penalty\n");
  contains("gravity",
           "      value: as many numbers as dimensions\n      unit: L/T^2\n      default: 0\n");
  // every key has its own page, and says what it is
  const auto table = Test::exampleTable();
  for (const auto& section : table.sections())
    for (const auto& key : table.keyNames(section.name))
      contains(fullName(section.name, key), "  " + key + "\n");
  return test;
}

TestSuite testHelpErrors()
{
  TestSuite test("help errors");
  const auto check = [&](const std::string& topic, const std::string& expected) {
    const auto message = messageOf([&] { help(topic); });
    test.check(message == "help: unknown topic " + expected, topic) << message;
  };
  check("bodi", "`bodi`, did you mean `body`?");
  check("body.densty", "`body.densty`, did you mean `body.density`?");
  check("gravty", "`gravty`, did you mean `gravity`?");
  check("body.", "`body.`, did you mean `body`?");
  check("temperature", "`temperature`");
  check(".", "`.`");
  return test;
}

TestSuite testMarkdown()
{
  TestSuite test("markdown");
  std::ostringstream out;
  const auto table = Test::exampleTable();
  table.printMarkdown(out);
  const auto text = out.str();
  const auto contains = [&](const std::string& part) {
    test.check(text.find(part) != text.npos, part) << "lacks " << part;
  };
  contains("## Top of the file\n\nwhat concerns all\n");
  contains("## `[body.NAME]`\n");
  contains("### `type = rod`\n\nan elastic rod\n");
  contains("\n- **`density`**: mass per volume\\\n  a number > 0, unit M/L^d; required\n");
  contains("\n- **`law`**: what happens in contact\\\n"
           "  unilateral | penalty; default: unilateral\n");
  contains("\n- **`stiffness`**: force per depth\\\n");
  contains(", only for law = penalty; ");
  for (const auto& section : table.sections())
    for (const auto& key : table.keyNames(section.name))
      contains("\n- **`" + key + "`**: ");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    test.check(line.size() <= 102, "the line fits") << line;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testLookup());
  test.subTest(testOverride());
  test.subTest(testSizes());
  test.subTest(testWrongTables());
  test.subTest(testHelp());
  test.subTest(testHelpErrors());
  test.subTest(testMarkdown());
  return test.exit();
}
