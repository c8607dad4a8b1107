// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/scenario/scenariofile.hh>

#include "example.hh"

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::messageOf;
using Dune::Impact::Test::throwsLogicError;

const KeyTable table = Test::exampleTable();

ScenarioFile example(const std::vector<std::string>& overrides = {},
                     const std::string& text = Test::exampleText)
{
  auto ini = IniFile::parse(text, "F.ini");
  for (const auto& assignment : overrides)
    ini.set(assignment);
  return ScenarioFile(ini, table);
}

TestSuite testValues()
{
  TestSuite test("values");
  const auto file = example();
  test.check(file.dimension() == 2, "dimension");
  test.check(file.names("body") == std::vector<std::string>{"ball", "rod", "stone", "floor"},
             "names in file order");
  test.check(file.names("joint").empty(), "no names");
  test.check(file.top().text("title") == "Ball on a block", "text");
  test.check(file.top().vector("gravity") == Vec3{0, -9.81e-3, 0}, "vector");
  const auto time = file.section("time");
  test.check(time.type() == "moreau-jean" && time.name() == "time", "type of a single section");
  test.check(time.real("step") == 0.1 && time.real("theta") == 0.5, "real and its default");
  test.check(time.has("step") && !time.has("theta"), "has");
  const auto ball = file.section("body.ball");
  test.check(ball.label() == "ball" && ball.type() == "solid", "label and type");
  test.check(ball.vector("position") == Vec3(0.), "default of a vector");
  test.check(ball.rotation("spin") == Vec3{0, 0, -0.04}, "rotation in 2D");
  test.check(ball.words("clamped") == std::vector<std::string>{"left", "right"}, "words");
  test.check(ball.reals("deformation") == std::vector<double>{1, 0.1, 0, 1}, "reals");
  test.check(ball.path("mesh") == "meshes/ball.msh", "path");
  const auto rod = file.section("body.rod");
  test.check(rod.integer("elements") == 10, "default of a count");
  test.check(rod.reals("marks").size() == 3 && rod.reals("strain").size() == 6, "lists");
  const auto second = file.section("contact.ball-on-floor").reference("second");
  test.check(second.kind == "body" && second.name == "floor" && second.part == "top", "reference");
  const auto load = file.section("load.push");
  test.check(load.place("at").point == Vec3{0.5, 0.25, 0}, "place");
  test.check(load.flag("follower"), "flag");
  const auto force = load.expressions("force");
  test.check(force.size() == 2 && !force[0] && force[1]->text() == "0.1*sin( 2*pi*t )",
             "expressions");
  test.check(load.expression("power")(0.5) == 1.5, "expression");
  return test;
}

TestSuite testDimensions()
{
  TestSuite test("dimensions");
  const std::string body = "[body.a]\ntype = solid\nyoung = 1\ndensity = 1\n";
  const auto solid = [&](int dimension, const std::string& more) {
    return example({}, "dimension = " + std::to_string(dimension) + "\n" + body + more)
      .section("body.a");
  };
  test.check(solid(3, "spin = 1 2 3").rotation("spin") == Vec3{1, 2, 3}, "rotation in 3D");
  test.check(solid(3, "").rotation("spin", Vec3{1, 2, 3}) == Vec3{1, 2, 3}, "default in 3D");
  test.check(solid(2, "").rotation("spin", Vec3{1, 2, 3}) == Vec3{0, 0, 3}, "default in 2D");
  test.check(solid(1, "").rotation("spin") == Vec3(0.), "default in 1D");
  test.check(messageOf([&] { solid(1, "spin = 1").rotation("spin"); }) ==
               "F.ini: body.a.spin: has no meaning in dimension 1",
             "no rotation in 1D");
  test.check(solid(1, "velocity = 4").vector("velocity") == Vec3{4, 0, 0}, "vector in 1D");
  test.check(solid(3, "cells = 4 5 6").counts("cells") == std::vector<long>{4, 5, 6}, "counts");
  const auto place = [&](int dimension, const std::string& text) {
    return *parsePlace(text, dimension);
  };
  test.check(place(1, "3").node == 3 && place(2, "3").node == 3, "node");
  test.check(place(1, "3.0").point == Vec3{3, 0, 0} && place(1, "3e0").point == Vec3{3, 0, 0},
             "point in 1D");
  test.check(place(2, "tip").word == "tip", "word");
  test.check(formatPlace(place(1, "3.0"), 1) == "3.0" && formatPlace(place(1, "3"), 1) == "3",
             "told apart");
  return test;
}

// Defaults computed by the caller are checked and recorded like values of the file
TestSuite testComputedDefaults()
{
  TestSuite test("computed defaults");
  const auto file = example({"time.courant=0.5"});
  const auto time = file.section("time");
  test.check(time.real("courant", 0.9) == 0.5, "the file wins");
  test.check(file.section("body.floor").vector("velocity", Vec3{0.1, 0.2, 7}) == Vec3{0.1, 0.2, 0},
             "vector");
  test.check(file.section("body.rod").reals("marks", std::vector<double>{1, 2}).size() == 3,
             "the file wins for lists");
  test.check(file.section("output").integer("every", 12) == 12, "before the default of the table");
  const double third = 1. / 3;
  const auto stone = example({}, "dimension=2\n[time]\nmethod=leapfrog\n").section("time");
  test.check(stone.real("step", third) == third, "all bits");
  test.check(messageOf([&] { stone.real("step", -1.); }) ==
               "F.ini: time.step: must be positive, got -1",
             "checked");
  test.check(messageOf([&] { stone.real("step", std::numeric_limits<double>::quiet_NaN()); }) ==
               "F.ini: time.step: must be a finite number, got nan",
             "finite");
  std::ostringstream out;
  file.writeEffective(out);
  test.check(out.str().find("velocity = 0.1 0.2\n") != std::string::npos, "recorded") << out.str();
  test.check(out.str().find("[output]\nevery = 12\n") != std::string::npos,
             "section of defaults only");
  return test;
}

TestSuite testProgrammer()
{
  TestSuite test("errors of the programmer");
  const auto file = example();
  const auto ball = file.section("body.ball");
  test.check(throwsLogicError([&] { ball.real("type"); }), "wrong kind");
  test.check(throwsLogicError([&] { ball.integer("density"); }), "real as an integer");
  test.check(throwsLogicError([&] { ball.real("normal"); }), "key of another type");
  test.check(throwsLogicError([&] { ball.vector("deformation"); }), "too long");
  test.check(throwsLogicError([&] { file.section("bodi"); }), "unknown kind of section");
  test.check(throwsLogicError([&] { file.section("body.none"); }), "unknown section");
  test.check(messageOf([&] { ball.fail("mesh", "has no cells"); }) ==
               "F.ini: body.ball.mesh: has no cells",
             "fail");
  return test;
}

// One override that makes the example wrong, and what the user is told
const std::vector<std::pair<std::string, std::string>> wrongValues = {
  {"body.ball.density=-1", "body.ball.density: must be positive, got -1"},
  {"body.ball.density=0", "body.ball.density: must be positive, got 0"},
  {"body.ball.density=nan", "body.ball.density: must be a finite number, got nan"},
  {"body.ball.density=inf", "body.ball.density: must be a finite number, got inf"},
  {"body.ball.density=1e999", "body.ball.density: must be a finite number, got 1e999"},
  {"body.ball.density=1e-4x", "body.ball.density: must be a number, got 1e-4x"},
  {"body.ball.density=1,5", "body.ball.density: must be a number, got 1,5"},
  {"body.ball.density=1 2", "body.ball.density: must be a number, got 1 2"},
  {"body.ball.density=0x10", "body.ball.density: must be a number, got 0x10"},
  {"body.ball.density=--1", "body.ball.density: must be a number, got --1"},
  {"body.ball.density=+-1", "body.ball.density: must be a number, got +-1"},
  {"body.ball.density=", "body.ball.density: has no value"},
  {"body.ball.densty=1", "body.ball: unknown key `densty`, did you mean `density`?"},
  {"body.ball.temperature=1", "body.ball: unknown key `temperature`"},
  {"titel=x", "unknown key `titel`, did you mean `title`?"},
  {"body.floor.mass=1", "body.floor.mass: has no meaning for type = plane"},
  {"bodi.ball.mass=1", "unknown section [bodi.ball], did you mean body?"},
  {"weather.rain=1", "unknown section [weather]"},
  {"body.mass=1", "section [body] needs a name, as in [body.NAME]"},
  {"time.a.step=1", "section [time.a]: there is only one section [time]"},
  {"body.ball.left.mass=1", "section [body.ball.left]: a name must not contain a dot"},
  {"body.ball.type=sold", "body.ball.type: must be one of `particle`, `solid`, `rod`, `plane`, got "
                          "`sold`, did you mean `solid`?"},
  {"body.new.mass=1", "body.new.type: is required, one of `particle`, `solid`, `rod`, `plane`"},
  {"body.new.type=particle", "body.new.mass: is required"},
  {"dimension=4", "dimension: must be one of `1`, `2`, `3`, got `4`"},
  {"dimension=2.0", "dimension: must be a whole number, got 2.0"},
  {"gravity=0", "gravity: needs 2 numbers in dimension 2, got 1"},
  {"gravity=0 0 0", "gravity: needs 2 numbers in dimension 2, got 3"},
  {"gravity=0 down", "gravity: must be a number, got down"},
  {"body.ball.spin=0 1", "body.ball.spin: needs 1 number in dimension 2, got 2"},
  {"body.ball.deformation=1 0", "body.ball.deformation: needs 4 numbers in dimension 2, got 2"},
  {"body.rod.strain=1 0", "body.rod.strain: needs 6 numbers, got 2"},
  {"body.rod.marks=1 a", "body.rod.marks: must be a number, got a"},
  {"body.rod.elements=0", "body.rod.elements: must be positive, got 0"},
  {"body.rod.elements=2.5", "body.rod.elements: must be a whole number, got 2.5"},
  {"body.rod.elements=99999999999999999999",
   "body.rod.elements: is too large, got 99999999999999999999"},
  {"time.theta=1.5", "time.theta: must be between 0 and 1, got 1.5"},
  {"time.end=-1", "time.end: must be zero or positive, got -1"},
  {"time.courant=0.5", "time.step: is not used in this scenario"},
  {"body.ball.cells=4 4", "body.ball.cells: is not used in this scenario"},
  {"contact.ball-on-floor.law=unilateral",
   "contact.ball-on-floor.stiffness: has no meaning for law = unilateral"},
  {"contact.ball-on-floor.law=penlty", "contact.ball-on-floor.law: must be one of `unilateral`, "
                                       "`penalty`, got `penlty`, did you mean `penalty`?"},
  {"contact.ball-on-floor.first=bal",
   "contact.ball-on-floor.first: there is no body `bal`, did you mean `ball`?"},
  {"contact.ball-on-floor.first=floor.top",
   "contact.ball-on-floor.first: must be a name without a part, got `floor.top`"},
  {"contact.ball-on-floor.second=floor.",
   "contact.ball-on-floor.second: a part is missing after the dot, got `floor.`"},
  {"contact.b.first=ball", "contact.b.second: is required"},
  {"load.push.follower=true", "load.push.follower: must be yes or no, on or off, got true"},
  {"load.push.at=1 2 3",
   "load.push.at: must be a word, a node number or a point of dimension 2, got 1 2 3"},
  {"load.push.at=-3",
   "load.push.at: must be a word, a node number or a point of dimension 2, got -3"},
  {"load.push.at=center",
   "load.push.at: must be one of `centre`, `tip`, got `center`, did you mean `centre`?"},
  {"load.push.force=1 + t 0", "load.push.force: needs 2 expressions in dimension 2, got 4"},
  {"load.push.force=free x",
   "load.push.force: is not an expression in t: Unexpected token \"x\" found at position 0"},
  {"load.push.power=1/t",
   "load.push.power: is not an expression in t: `1/t` has no finite value at t = 0"},
  {"load.push.power=t=1",
   "load.push.power: is not an expression in t: `=` assigns, a comparison is written `==`"}};

TestSuite testErrors()
{
  TestSuite test("errors of the user");
  for (const auto& [assignment, expected] : wrongValues) {
    const auto message = messageOf([&] { Test::readExample(example({assignment})); });
    test.check(message == "F.ini: " + expected, assignment)
      << assignment << "\n  says: " << message << "\n  not:  " << expected;
  }
  test.check(messageOf([] {
               Test::readExample(example({"time.theta=0.3", "time.method=leapfrog"}));
             }) == "F.ini: time.theta: has no meaning for method = leapfrog",
             "theta");
  test.check(messageOf([] { Test::readExample(example({"time.method=leapfrog"})); }).empty(),
             "no theta");
  test.check(messageOf([] { example({}, "title = x\n"); }) == "F.ini: dimension: is required",
             "dimension");
  const auto unread = example({}, "dimension = 2\n[output]\n[load.a]\n");
  test.check(messageOf([&] { unread.finish(); }) ==
               "F.ini: section [output] is not used in this scenario",
             "unread section");
  const auto untouched = example({}, "dimension = 2\ntitle = x\n[output]\nevery = 3\n");
  untouched.section("output").integer("every");
  test.check(messageOf([&] { untouched.finish(); }) == "F.ini: title: is not used in this scenario",
             "unread title");
  return test;
}

// The misspelt name is reported, not the missing one
TestSuite testOrder()
{
  TestSuite test("unknown names first");
  const auto text = "dimension = 7\n[body.a]\ntype = particle\nmas = -1\n";
  const auto message = messageOf([&] { Test::readExample(example({}, text)); });
  test.check(message == "F.ini: body.a: unknown key `mas`, did you mean `mass`?", "mas") << message;
  return test;
}

std::string effective(const ScenarioFile& file)
{
  std::ostringstream out;
  file.writeEffective(out);
  return out.str();
}

TestSuite testEffective()
{
  TestSuite test("effective scenario");
  const auto file = example({"title='  two\" words '", "time.end=1e-320", "body.ball.poisson=-0.0",
                             "gravity=0.1 -9.80665"});
  const auto numbers = Test::readExample(file);
  const auto text = effective(file);
  const auto again = example({}, text);
  test.check(Test::readExample(again) == numbers, "the same numbers");
  test.check(effective(again) == text, "the same text") << text << "\n---\n" << effective(again);
  test.check(again.top().text("title") == "  two\" words ", "blanks and quotes");
  const auto begin =
    "title = \"  two\" words \"\ndimension = 2\ngravity = 0.1 -9.80665\n\n[time]\nmethod = "
    "moreau-jean\n"
    "step = 0.1\nend = 1e-320\ntheta = 0.5\n\n[body.ball]\ntype = solid\nmesh = meshes/ball.msh\n";
  test.check(text.starts_with(begin), "order and form") << text;
  test.check(text.find("poisson = -0\n") != text.npos, "signed zero");
  test.check(text.ends_with("\n[output]\nevery = 1\noffset = 0\n"),
             "sections of defaults come last");
  return test;
}

TestSuite testPaths()
{
  namespace fs = std::filesystem;
  TestSuite test("paths");
  const auto directory = fs::temp_directory_path() / "dune-impact-scenariofiletest";
  fs::create_directories(directory / "out" / "run");
  const auto path = directory / "a.ini";
  std::ofstream(path) << Test::exampleText;
  const ScenarioFile file(path, {"time.end=3"}, table);
  Test::readExample(file);
  test.check(file.section("time").real("end") == 3, "overrides");
  test.check(file.section("body.ball").path("mesh") == directory / "meshes/ball.msh",
             "relative to the file");
  std::ofstream out(directory / "out" / "run" / "scenario.ini");
  file.writeEffective(out, directory / "out" / "run");
  out.close();
  const ScenarioFile moved(directory / "out" / "run" / "scenario.ini", {}, table);
  Test::readExample(moved);
  test.check(moved.section("body.ball").path("mesh").lexically_normal() ==
               directory / "meshes/ball.msh",
             "written elsewhere")
    << moved.section("body.ball").path("mesh");
  test.check(moved.hash() == file.hash(), "the hash does not depend on the place");
  const auto message = messageOf([&] { ScenarioFile(directory / "none.ini", {}, table); });
  test.check(message == (directory / "none.ini").string() + ": there is no such file", "no file")
    << message;
  fs::remove_all(directory);
  return test;
}

TestSuite testHash()
{
  TestSuite test("hash");
  const auto hash = [](const std::vector<std::string>& overrides,
                       const std::string& text = Test::exampleText) {
    const auto file = example(overrides, text);
    Test::readExample(file);
    return file.hash({"time.end", "output", "load.push.power"});
  };
  const auto reference = hash({});
  test.check(hash({"time.end=7", "output.every=5", "load.push.power=t"}) == reference,
             "skipped keys");
  test.check(hash({"time.theta=0.5"}) == reference, "a default spelt out");
  test.check(hash({"time.step=1e-1"}) == reference, "another spelling");
  test.check(hash({"time.step=0.2"}) != reference, "another step");
  test.check(hash({"body.ball.mesh=b.msh"}) != reference, "another mesh");
  test.check(hash({"load.push.follower=no"}) != reference, "another load");
  const std::string stone = "[body.stone]\ntype = particle\nmass = 0.25\n",
                    method = "method = moreau-jean\n";
  auto reordered = Test::exampleText;
  reordered.erase(reordered.find(method), method.size());
  test.check(hash({}, reordered + "[time]\n" + method) == reference, "order of keys");
  auto swapped = Test::exampleText;
  swapped.erase(swapped.find(stone), stone.size());
  test.check(hash({}, swapped + stone) != reference, "order of bodies");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testValues());
  test.subTest(testDimensions());
  test.subTest(testComputedDefaults());
  test.subTest(testProgrammer());
  test.subTest(testErrors());
  test.subTest(testOrder());
  test.subTest(testEffective());
  test.subTest(testPaths());
  test.subTest(testHash());
  return test.exit();
}
