// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/parametertree.hh>
#include <dune/common/parametertreeparser.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/scenario/inifile.hh>

#include "example.hh"

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::messageOf;

const std::string good = R"(
  # comment
title = "  spaces kept  "   # and a comment
quote = 'it''s "so"'
empty =
void  = ""
equal = a = b
many = "first
second = [no section]
  # no comment"
[ body.ball ]
density=1e-4#comment
sub.key = 3
time.step	=	0.5
[]
last = 1
[body.empty]
)";

TestSuite testGood()
{
  TestSuite test("good file");
  const auto file = IniFile::parse(good, "dir/good.ini");
  const std::vector<std::vector<std::string>> expected = {
    {"", "title", "  spaces kept  ", "3"},
    {"", "quote", "it''s \"so\"", "4"},
    {"", "empty", "", "5"},
    {"", "void", "", "6"},
    {"", "equal", "a = b", "7"},
    {"", "many", "first\nsecond = [no section]\n  # no comment", "8"},
    {"body.ball", "density", "1e-4", "12"},
    {"body.ball.sub", "key", "3", "13"},
    {"body.ball.time", "step", "0.5", "14"},
    {"", "last", "1", "16"}};
  test.require(file.entries().size() == expected.size(), "number of entries")
    << file.entries().size();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& entry = file.entries()[i];
    const std::vector<std::string> found = {entry.section, entry.key, entry.value,
                                            std::to_string(entry.line)};
    test.check(found == expected[i], "entry " + expected[i][1])
      << found[0] << "|" << found[1] << "|" << found[2] << "|" << found[3];
  }
  const std::vector<std::string> sections = {"body.ball", "body.ball.sub", "body.ball.time",
                                             "body.empty"};
  test.check(file.sections() == sections, "sections in order");
  test.check(file.hasSection("body.empty") && !file.hasSection("body"), "hasSection");
  test.check(file.directory() == "dir" && file.source() == "dir/good.ini", "directory");
  test.check(file.find("body.ball", "density")->value == "1e-4", "find");
  test.check(!file.find("body.ball", "young") && !file.find("", "density"), "find nothing");
  return test;
}

// What passes the strict scan means the same to Dune's own parser
TestSuite testAgreement()
{
  TestSuite test("agreement with Dune");
  for (const auto& text : {good, Test::exampleText}) {
    std::istringstream in(text);
    ParameterTree tree;
    ParameterTreeParser::readINITree(in, tree);
    const auto file = IniFile::parse(text, "x");
    for (const auto& entry : file.entries())
      test.check(tree.hasKey(entry.name()) && tree[entry.name()] == entry.value, entry.name());
  }
  const auto plain = IniFile::parse("a = 1\n[b]\nc = \"x y\"\n", "x");
  const auto withReturns = IniFile::parse("\xef\xbb\xbf"
                                          "a = 1\r\n[b]\r\nc = \"x y\"\r\n",
                                          "x");
  test.require(withReturns.entries().size() == 2, "DOS lines");
  for (int i : {0, 1})
    test.check(plain.entries()[i].name() == withReturns.entries()[i].name() &&
                 plain.entries()[i].value == withReturns.entries()[i].value,
               "DOS line " + std::to_string(i));
  return test;
}

TestSuite testBad()
{
  TestSuite test("bad files");
  const std::vector<std::pair<std::string, std::string>> cases = {
    {"", "is empty, it gives no values"},
    {"# only a comment\n[time]\n", "is empty, it gives no values"},
    {"a = 1\nhello world\n",
     "line 2: expected `key = value`, `[section]` or a comment, got `hello world`"},
    {"a = 1\nhello # x = 3\n",
     "line 2: expected `key = value`, `[section]` or a comment, got `hello`"},
    {"[time\na = 1", "line 1: a section ends with `]`, got `[time`"},
    {"[time] # steps\na = 1", "line 1: a section ends with `]`, got `[time] # steps`"},
    {"[ti me]\na = 1", "line 1: `ti me` is not a name of a section"},
    {"[a..b]\na = 1", "line 1: `a..b` is not a name of a section"},
    {"[.a]\na = 1", "line 1: `.a` is not a name of a section"},
    {"= 1", "line 1: `` is not a name of a key"},
    {"a b = 1", "line 1: `a b` is not a name of a key"},
    {"\"a\" = 1", "line 1: `\"a\"` is not a name of a key"},
    {"a. = 1", "line 1: `a.` is not a name of a key"},
    {"a = 1\n\na = 2", "line 3: a was already given in line 1"},
    {"b.a = 1\n[b]\na = 2", "line 3: b.a was already given in line 1"},
    {"a = 1\n[a]\nb = 2", "a is given as a key and as a section"},
    {"a.b = 1\na.b.c.d = 2", "a.b is given as a key and as a section"},
    {"a = \"x\nb = 1\n", "line 1: the quote is not closed"},
    {"a = \"x # y\"\nb = 1\n", "line 1: the quote is not closed"},
    {"a = \"\nx\"\n", "line 1: nothing follows the opening quote"},
    {"a = '   \nx'\n", "line 1: nothing follows the opening quote"},
    {"a = \"x\" y\nb = \"z\"\n", "line 1: text follows the closing quote"},
    {std::string("a = 1\0b", 7), "is not a text file in UTF-8"},
    {"\x7f"
     "ELF\x02\x01",
     "is not a text file in UTF-8"},
    {"a = \xff\xfe", "is not a text file in UTF-8"},
    {"a = \xc3", "is not a text file in UTF-8"},
    {"a = \xc0\xaf", "is not a text file in UTF-8"},
    {"a = \xed\xa0\x80", "is not a text file in UTF-8"},
    {"a = \x1b[31m", "is not a text file in UTF-8"}};
  for (const auto& [text, expected] : cases) {
    const auto message = messageOf([&] { IniFile::parse(text, "F.ini"); });
    test.check(message == "F.ini: " + expected, text) << message << "\nnot: " << expected;
  }
  return test;
}

TestSuite testFiles()
{
  namespace fs = std::filesystem;
  TestSuite test("files");
  const auto directory = fs::temp_directory_path() / "dune-impact-inifiletest";
  fs::create_directories(directory);
  const auto path = (directory / "a.ini").string();
  std::ofstream(path) << "a = 3\n";
  test.check(IniFile::read(path).find("", "a")->value == "3", "read");
  const auto check = [&](const std::string& name, const std::string& expected) {
    const auto message = messageOf([&] { IniFile::read(name); });
    test.check(message == name + ": " + expected, name) << message;
  };
  check(directory.string(), "is a directory, not a scenario file");
  check(directory / "none.ini", "there is no such file");
  check(path + "/b.ini", "there is no such file");
  check("", "there is no such file");
  check("/dev/null", "is empty, it gives no values");
  check("/dev/zero", "is larger than 1 MiB, not a scenario file");
  fs::remove_all(directory);
  return test;
}

TestSuite testOverrides()
{
  TestSuite test("overrides");
  auto file = IniFile::parse("a = 1\n[b]\nc = 2\n", "F.ini");
  file.set("a=3");
  file.set(" b.c = 4 5 ");
  file.set("d.e='x y '");
  file.set("b.f=");
  file.set("b.c=6=7");
  test.check(file.find("", "a")->value == "3", "a");
  test.check(file.find("b", "c")->value == "6=7", "b.c");
  test.check(file.find("d", "e")->value == "x y " && file.hasSection("d"), "d.e");
  test.check(file.find("b", "f")->value.empty(), "b.f");
  test.check(file.entries().size() == 4 && file.entries()[1].key == "c", "order is kept");
  const std::vector<std::pair<std::string, std::string>> cases = {
    {"", "--set : expected section.key=value"},
    {"a", "--set a: expected section.key=value"},
    {"=1", "--set =1: the part before `=` is not a name of a key"},
    {"b..c=1", "--set b..c=1: the part before `=` is not a name of a key"},
    {"[b]=1", "--set [b]=1: the part before `=` is not a name of a key"},
    {"b.c=1\n2", "--set b.c=1?2: the value must be one line of text"},
    {"b.c=1#2", "--set b.c=1#2: the value must not contain `#`"},
    {"b.c=\"1", "--set b.c=\"1: line 1: the quote is not closed"},
    {"a.x=1", "F.ini: a is given as a key and as a section"}};
  for (const auto& [assignment, expected] : cases) {
    auto copy = file;
    const auto message = messageOf([&] { copy.set(assignment); });
    test.check(message == expected, assignment) << message;
  }
  return test;
}

TestSuite testText()
{
  TestSuite test("text of values");
  for (const std::string value : {"", "a b", " a", "a ", "\"a\"", "'", "\"", "it's", "a\nb",
                                  "a'\n\"b\n c", " '\" ", "a=b", "[x]", "\t"}) {
    const auto again =
      IniFile::parse("x = " + iniText(value) + "\ny = 1\n", "").find("", "x")->value;
    test.check(again == value, value) << "`" << value << "` became `" << again << "`";
  }
  test.check(messageOf([] { iniText("a#b"); }) == "`a#b` contains a `#`, which begins a comment",
             "#");
  test.check(iniText("a b") == "a b", "no quotes where none are needed");
  test.check(shown("a\nb\x1b") == "a?b?", "control characters");
  test.check(shown(std::string(100, 'x')) == std::string(60, 'x') + "...", "long");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testGood());
  test.subTest(testAgreement());
  test.subTest(testBad());
  test.subTest(testFiles());
  test.subTest(testOverrides());
  test.subTest(testText());
  return test.exit();
}
