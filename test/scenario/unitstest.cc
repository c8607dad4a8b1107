// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/scenario/units.hh>

#include "example.hh"

using namespace Dune;
using namespace Dune::Impact;

TestSuite testUnits()
{
  TestSuite test("units");
  const auto check = [&](const std::string& text, int dimension, Unit expected) {
    const auto unit = parseUnit(text, dimension);
    test.check(unit == expected, text)
      << text << ": " << unit.mass << " " << unit.length << " " << unit.time;
  };
  check("1", 3, {});
  check("M/L^3", 3, {1, -3, 0});
  check("L/T", 3, {0, 1, -1});
  check("M/(L T^2)", 3, {1, -1, -2});
  check("M L^2/T^3", 3, {1, 2, -3});
  check("1/T", 3, {0, 0, -1});
  check("L^-1", 3, {0, -1, 0});
  check("(L/T)^2", 3, {0, 2, -2});
  check("M/L T", 3, {1, -1, 1});
  check("M/L^d", 2, {1, -2, 0});
  check("M/(L^(d-2) T^2)", 2, {1, 0, -2});
  check("M/(L^(d-2) T^2)", 3, {1, -1, -2});
  check("L^(d+1)", 1, {0, 2, 0});
  for (const char* wrong : {"", "kg", "M/", "M^", "(M", "M)", "M^x", "M^(2", "M^(d*2)", "2", "M,L"})
    test.check(Test::throwsLogicError([&] { parseUnit(wrong, 3); }), wrong);
  return test;
}

TestSuite testSequences()
{
  TestSuite test("units of sequences");
  const Unit length{0, 1, 0}, none{};
  test.check(parseUnits("L", 2, 3) == std::vector<Unit>{length, length, length}, "one for all");
  test.check(parseUnits("L[d], 1", 2, 3) == std::vector<Unit>{length, length, none}, "L[d], 1");
  test.check(parseUnits("1[3], L", 2, 5) == std::vector<Unit>{none, none, none, length, length},
             "1[3], L");
  test.check(Test::throwsLogicError([] { parseUnits("L,", 2, 3); }), "L,");
  test.check(Test::throwsLogicError([] { parseUnits("L[x]", 2, 3); }), "L[x]");
  return test;
}

TestSuite testFactors()
{
  TestSuite test("factors");
  const UnitFactors factors{.mass = 4, .length = 0.5, .time = 8};
  test.check(parseUnit("M/L^3", 3).factor(factors) == 32, "M/L^3");
  test.check(parseUnit("M L/T^2", 3).factor(factors) == 4 * 0.5 / 64, "M L/T^2");
  const UnitFactors grams{.mass = 1000, .length = 1000, .time = 1000};
  test.check(std::abs(parseUnit("M/L^3", 3).factor(grams) - 1e-6) < 1e-20, "kg/m^3 in g/mm^3");
  return test;
}

TestSuite testExpressions()
{
  TestSuite test("expressions");
  const auto check = [&](const std::string& text, const std::string& expected) {
    const auto result = rescaleExpression(text, 4, 0.5);
    test.check(result == expected, text) << text << " -> " << result;
  };
  check("free", "free");
  check("3", "12");
  check("-1e-1", "-0.4");
  check("t", "4*((t/0.5))");
  check("t+tan(t)*sqrt(2)", "4*((t/0.5)+tan((t/0.5))*sqrt(2))");
  check("t<1?t:1.e5", "4*((t/0.5)<1?(t/0.5):1.e5)");
  check("sin( 2*pi*t )", "4*(sin( 2*pi*(t/0.5) ))");
  for (const std::string text : {"t", "t^2-1", "max(t,1)*2", "t < 1 ? 3*t : 3", "2/(t+1)", "1-t"}) {
    const Expression before(text), after(rescaleExpression(text, 4, 0.5));
    for (double t : {0., 0.3, 1., 1.7})
      test.check(after(0.5 * t) == 4 * before(t), text) << "at " << t;
  }
  return test;
}

// The example in other units: all numbers are multiplied by their factor, bit for bit for
// powers of two, and going back gives the original
TestSuite testRescale()
{
  TestSuite test("rescale");
  const auto table = Test::exampleTable();
  const auto original = IniFile::parse(Test::exampleText, "F.ini");
  const UnitFactors factors{.mass = 4, .length = 0.5, .time = 8};
  const auto text = rescale(original, table, factors);
  const ScenarioFile scaled(IniFile::parse(text, "F.ini"), table);
  const auto check = [&](const std::string& section, const std::string& key,
                         const std::vector<double>& expected) {
    const auto words = splitWords(scaled.ini().find(section, key)->value);
    test.require(words.size() == expected.size(), key);
    for (std::size_t i = 0; i < words.size(); ++i)
      test.check(*parseReal(words[i]) == expected[i], section + "." + key)
        << words[i] << " not " << expected[i];
  };
  check("", "gravity", {0, -9.81e-3 * 0.5 / 64});
  check("time", "step", {0.1 * 8});
  check("body.ball", "density", {1e-4 * 4 / 0.25});
  check("body.ball", "young", {4. / 64});
  check("body.ball", "spin", {-0.04 / 8});
  check("body.ball", "deformation", {1, 0.1, 0, 1});
  check("body.rod", "strain", {0, 0, 0.1 / 0.5, 0, 0, 1.5});
  check("body.rod", "marks", {0.05, 0.1, 0.15});
  check("contact.ball-on-floor", "stiffness", {12.5 * 4 / 64});
  check("load.push", "at", {0.25, 0.125});
  test.check(scaled.ini().find("load.push", "force")->value ==
               "free 0.03125*(0.1*sin( 2*pi*(t/8) ))",
             "force")
    << scaled.ini().find("load.push", "force")->value;
  test.check(scaled.ini().sections() == original.sections(), "sections in the same order");
  Test::readExample(scaled);

  const auto plain = "dimension = 1\n[body.a]\ntype = particle\nmass = 0.1\nposition = "
                     "0.3\n[load.p]\nbody = a\nat = 0.5\n";
  const auto there =
    rescale(IniFile::parse(plain, "F.ini"), table, {.mass = 2, .length = 2, .time = 2});
  test.check(there.find("at = 1.0\n") != there.npos, "a point in 1D stays a point") << there;
  const auto back =
    rescale(IniFile::parse(there, "F.ini"), table, {.mass = 0.5, .length = 0.5, .time = 0.5});
  test.check(back == plain, "there and back") << back;
  return test;
}

TestSuite testErrors()
{
  TestSuite test("errors");
  const auto table = Test::exampleTable();
  const auto message = Test::messageOf(
    [&] { rescale(IniFile::parse("dimension = 2\ngravity = 0 x\n", "F.ini"), table, {}); });
  test.check(message == "F.ini: gravity: must be a finite number, got x", "a word") << message;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testUnits());
  test.subTest(testSequences());
  test.subTest(testFactors());
  test.subTest(testExpressions());
  test.subTest(testRescale());
  test.subTest(testErrors());
  return test.exit();
}
