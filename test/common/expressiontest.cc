// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <clocale>
#include <cmath>
#include <locale>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/expression.hh>

using namespace Dune;
using namespace Dune::Impact;

TestSuite testValues()
{
  TestSuite test("values");
  const double pi = std::numbers::pi;
  const auto check = [&](const std::string& text, double t, double expected) {
    const double value = Expression(text)(t);
    test.check(value == expected, text)
      << text << " at " << t << " is " << value << " not " << expected;
  };
  check("3", 7, 3);
  check(" 1e-3 + t ", 2, 1e-3 + 2);
  check("-2^2", 0, -4);
  check("2^3^2", 0, 512);
  check("1-2-3", 0, -4);
  check("6/3/2", 0, 1);
  check("2*pi", 0, 2 * pi);
  check("sin(2*pi*t)", 0.3, std::sin(2 * pi * 0.3));
  check("log(exp(t))", 1, 1);
  check("max(1, t, -4)+min(2, t)", 5, 7);
  check("atan2(t, -1)", 1, std::atan2(1., -1.));
  check("sign(t)", -3, -1);
  check("t < 1 ? 10 : t < 2 ? 20 : 30", 0.5, 10);
  check("t < 1 ? 10 : t < 2 ? 20 : 30", 1.5, 20);
  check("t < 1 ? 10 : t < 2 ? 20 : 30", 2.5, 30);
  check("(t>=1 && t<2)*5", 1, 5);
  check("(t>=1 && t<2)*5", 2, 0);
  check("t==2", 2, 1);
  check("1.5E+2", 0, 150);
  return test;
}

TestSuite testConstants()
{
  TestSuite test("constants");
  test.check(Expression().isConstant() && Expression()(1) == 0, "default");
  test.check(Expression(2.5).isConstant() && Expression(2.5)(1) == 2.5, "number");
  test.check(Expression("2*pi").isConstant(), "2*pi");
  test.check(Expression("sqrt(2)+abs(-1)").isConstant(), "tan, abs and sqrt contain a t");
  test.check(!Expression("0*t").isConstant(), "0*t");
  test.check(Expression(" t*2 ").text() == " t*2 ", "text as given");
  return test;
}

// Copies must not share the variable of the original, nor depend on its life
TestSuite testCopies()
{
  TestSuite test("copies");
  Expression copy;
  std::vector<Expression> many;
  {
    const Expression original("t^2");
    copy = original;
    test.check(original(2) == 4 && copy(3) == 9 && original(2) == 4, "independent");
    for (int i = 0; i < 20; ++i)
      many.push_back(original);
  }
  test.check(copy(5) == 25, "outlives the original");
  for (std::size_t i = 0; i < many.size(); ++i)
    test.check(many[i](double(i)) == double(i * i), "in a vector");
  Expression moved = std::move(many[3]);
  test.check(moved(4) == 16, "moved");
  const auto& same = copy;
  copy = same;
  test.check(copy(3) == 9, "assigned to itself");
  copy = Expression("7");
  test.check(copy(3) == 7 && copy.isConstant(), "assigned a constant");
  return test;
}

TestSuite testErrors()
{
  TestSuite test("errors");
  const std::vector<std::string> wrong = {
    "",          "  ",    "x",        "t+",      "2t",
    "t t",       "sin",   "sin(",     "sin()",   "sin(1,2)",
    "(t",        "t)",    ")(",       "t=3",     "t = 3",
    "t += 3",    "1,2",   "t,t",      "\"abc\"", "'a'",
    "t?1",       "t:1",   "1?2:3:4",  "(t?1):2", "t?(1:2)",
    "?",         ":",     "?:",       "1/t",     "log(t)",
    "0/0",       "1e999", "nan",      "inf",     "1..2",
    "1,5",       "_pi",   "_e",       "rint(2)", "sum(1)",
    "exp(1000)", "t@2",   "\xc3\xa4", "t;1",     "#",
    "min()",     "max()", "0x10",     "t\n",     std::string("t\0", 2),
    "1 2",       "$",     "t!",       "&&"};
  for (const auto& text : wrong) {
    try {
      const Expression expression(text);
      test.check(false, text) << "`" << text << "` was accepted with value " << expression(0);
    }
    catch (const InputError& error) {
      const std::string what = error.what();
      test.check(!what.empty() && what.find('\n') == what.npos, "one line: " + text);
    }
  }
  const auto message = [&](const std::string& text) -> std::string {
    try {
      Expression{text};
    }
    catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  test.check(message("1/t") == "`1/t` has no finite value at t = 0", "1/t") << message("1/t");
  try {
    Expression("sqrt(1-t)", "load.push.force")(2);
    test.check(false, "a later value that is not finite");
  }
  catch (const RunError& error) {
    test.check(std::string(error.what()) ==
                 "load.push.force: `sqrt(1-t)` has no finite value at t = 2",
               "a later value that is not finite")
      << error.what();
  }
  test.check(message("t=3") == "`=` assigns, a comparison is written `==`", "t=3")
    << message("t=3");
  test.check(message("2*x") == "Unexpected token \"x\" found at position 2", "2*x")
    << message("2*x");
  return test;
}

// The decimal point is a point, whatever the user's language
TestSuite testLocale()
{
  TestSuite test("locale");
  struct Comma : std::numpunct<char>
  {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const auto before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  test.check(Expression("1.5*t")(2) == 3, "1.5*t") << Expression("1.5*t")(2);
  test.check(Expression(1234.5).text() == "1234.5", "text of a number")
    << Expression(1234.5).text();
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  return test;
}

// Random sentences over the alphabet of the language: accepted or refused, nothing else
TestSuite testRandom()
{
  TestSuite test("random");
  const std::vector<std::string> tokens = {
    "t", "1", "2.5", "pi", "+",  "-",  "*", "/",    "^",    "(",      ")", "?",   ":",
    ",", "<", ">=",  "==", "&&", "||", "!", "sin(", "max(", "atan2(", " ", "1e5", "="};
  std::mt19937 random(1);
  int accepted = 0;
  const int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    std::string text;
    for (auto length = 1 + random() % 12; length > 0; --length)
      text += tokens[random() % tokens.size()];
    try {
      const Expression expression(text);
      test.check(std::isfinite(expression(0)), "finite") << text;
      expression(1.5);
      ++accepted;
    }
    catch (const InputError&) {
    }
    catch (const std::exception& error) {
      test.check(false, "another exception") << text << ": " << error.what();
    }
  }
  test.check(accepted > rounds / 100 && accepted < rounds / 2, "the mixture of both")
    << accepted << " accepted";
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testValues());
  test.subTest(testConstants());
  test.subTest(testCopies());
  test.subTest(testErrors());
  test.subTest(testLocale());
  test.subTest(testRandom());
  return test.exit();
}
