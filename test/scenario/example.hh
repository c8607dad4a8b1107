// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_SCENARIO_EXAMPLE_HH
#define DUNE_IMPACT_TEST_SCENARIO_EXAMPLE_HH

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/scenario/scenariofile.hh>

/** \file
 * \brief A small table of keys of every kind, a scenario and a reader for it
 */

namespace Dune::Impact::Test {

  inline void addBodies(KeyTable& table)
  {
    const Key mass{
      .name = "mass", .meaning = "mass", .unit = "M", .kind = Kind::positive, .required = true};
    const Key density{.name = "density",
                      .meaning = "mass per volume",
                      .unit = "M/L^d",
                      .kind = Kind::positive,
                      .required = true};
    table.addSection({.name = "body",
                      .summary = "something that moves or is in the way",
                      .named = true,
                      .chooser = "type"},
                     {{.name = "position",
                       .meaning = "where it starts",
                       .unit = "L",
                       .fallback = "0",
                       .kind = Kind::vector},
                      {.name = "velocity",
                       .meaning = "initial velocity",
                       .unit = "L/T",
                       .fallback = "0",
                       .kind = Kind::vector}});
    table.add("body", "particle", "a point with mass", {mass});
    table.add("body", "solid", "a deformable body",
              {density,
               {.name = "mesh", .meaning = "file of the mesh", .kind = Kind::path},
               {.name = "cells", .meaning = "cells per direction", .kind = Kind::counts},
               {.name = "young",
                .meaning = "Young's modulus",
                .unit = "M/(L^(d-2) T^2)",
                .kind = Kind::positive,
                .required = true},
               {.name = "poisson",
                .meaning = "Poisson's ratio",
                .unit = "1",
                .fallback = "0.3",
                .kind = Kind::real},
               {.name = "spin",
                .meaning = "angular velocity",
                .unit = "1/T",
                .fallback = "0",
                .kind = Kind::rotation},
               {.name = "clamped", .meaning = "patches that do not move", .kind = Kind::words},
               {.name = "deformation",
                .meaning = "initial gradient",
                .unit = "1",
                .kind = Kind::vector,
                .size = "d*d",
                .computed = "identity"}});
    table.add(
      "body", "rod", "an elastic rod",
      {density,
       mass,
       {.name = "elements", .meaning = "number of elements", .fallback = "10", .kind = Kind::count},
       {.name = "strain",
        .meaning = "initial strain",
        .unit = "1/L[3], 1",
        .fallback = "0",
        .kind = Kind::vector,
        .size = "6"},
       {.name = "marks",
        .meaning = "points of interest along the rod",
        .unit = "L",
        .kind = Kind::list}});
    table.add("body", "plane", "a fixed plane",
              {{.name = "normal",
                .meaning = "pointing to the bodies",
                .unit = "1",
                .kind = Kind::vector,
                .required = true}});
  }

  inline KeyTable exampleTable()
  {
    KeyTable table;
    table.addSection({.name = "", .summary = "what concerns all"},
                     {{.name = "title", .meaning = "one line", .fallback = "", .kind = Kind::text},
                      {.name = "dimension",
                       .meaning = "of space",
                       .kind = Kind::integer,
                       .allowed = {"1", "2", "3"},
                       .required = true},
                      {.name = "gravity",
                       .meaning = "acceleration",
                       .unit = "L/T^2",
                       .fallback = "0",
                       .kind = Kind::vector}});
    table.addSection({.name = "time", .summary = "the method and its steps", .chooser = "method"},
                     {{.name = "step",
                       .meaning = "length of a step",
                       .unit = "T",
                       .kind = Kind::positive,
                       .computed = "from courant"},
                      {.name = "courant",
                       .meaning = "part of the critical step",
                       .unit = "1",
                       .kind = Kind::fraction},
                      {.name = "end",
                       .meaning = "end of the simulation",
                       .unit = "T",
                       .kind = Kind::nonNegative,
                       .required = true}});
    table.add("time", "leapfrog", "explicit", {});
    table.add("time", "moreau-jean", "implicit",
              {{.name = "theta",
                .meaning = "weight of the new state",
                .unit = "1",
                .fallback = "0.5",
                .kind = Kind::fraction}});
    addBodies(table);
    table.addSection({.name = "contact", .summary = "a pair of bodies", .named = true},
                     {{.name = "first",
                       .meaning = "one side",
                       .kind = Kind::name,
                       .allowed = {"body"},
                       .required = true},
                      {.name = "second",
                       .meaning = "the other side",
                       .kind = Kind::name,
                       .allowed = {"body"},
                       .required = true,
                       .parts = true},
                      {.name = "law",
                       .meaning = "what happens in contact",
                       .fallback = "unilateral",
                       .kind = Kind::word,
                       .allowed = {"unilateral", "penalty"}},
                      {.name = "stiffness",
                       .meaning = "force per depth",
                       .unit = "M/T^2",
                       .kind = Kind::positive,
                       .when = "law = penalty"}});
    table.addSection({.name = "load", .summary = "a force", .named = true},
                     {{.name = "body",
                       .meaning = "on which it acts",
                       .kind = Kind::name,
                       .allowed = {"body"},
                       .required = true},
                      {.name = "at",
                       .meaning = "where",
                       .unit = "L",
                       .fallback = "centre",
                       .kind = Kind::place,
                       .allowed = {"centre", "tip"}},
                      {.name = "force",
                       .meaning = "the force",
                       .unit = "M L/T^2",
                       .fallback = "free",
                       .kind = Kind::expressionVector},
                      {.name = "power",
                       .meaning = "power of a motor",
                       .unit = "M L^2/T^3",
                       .fallback = "0",
                       .kind = Kind::expression},
                      {.name = "follower",
                       .meaning = "turns with the body",
                       .fallback = "no",
                       .kind = Kind::flag}});
    table.addSection(
      {.name = "output", .summary = "what is written"},
      {{.name = "every", .meaning = "steps between rows", .fallback = "1", .kind = Kind::count},
       {.name = "offset", .meaning = "first row", .fallback = "0", .kind = Kind::integer}});
    return table;
  }

  inline const std::string exampleText = R"(# a scenario with keys of every kind
title     = Ball on a block
dimension = 2
gravity   = 0 -9.81e-3
[time]
method = moreau-jean
step   = 0.1     # a tenth
end    = 120
[body.ball]
type     = solid
mesh     = meshes/ball.msh
young    = 1
density  = 1e-4
velocity = 2 0.1
spin     = -0.04
clamped  = left right
deformation = 1 0.1 0 1
[body.rod]
type    = rod
density = 0.7
mass    = 3
strain  = 0 0 0.1 0 0 1.5
marks   = 0.1 0.2 0.3
[body.stone]
type = particle
mass = 0.25
[body.floor]
type   = plane
normal = 0 1
[contact.ball-on-floor]
first  = ball
second = floor.top
law    = penalty
stiffness = 12.5
[load.push]
body  = ball
at    = 0.5 0.25
force = free 0.1*sin( 2*pi*t )
power = t < 1 ? 3*t : 3
follower = yes
)";

  //! All numbers of the example
  using Numbers = std::vector<double>;

  template<class Range = std::initializer_list<double>>
  void append(Numbers& numbers, const Range& more)
  {
    numbers.insert(numbers.end(), more.begin(), more.end());
  }

  inline void readBody(const Section& body, Numbers& numbers)
  {
    append(numbers, body.vector("position"));
    append(numbers, body.vector("velocity"));
    if (body.type() == "particle")
      append(numbers, {body.real("mass")});
    else if (body.type() == "solid") {
      append(numbers, {body.real("density"), body.real("young"), body.real("poisson")});
      append(numbers, body.rotation("spin"));
      if (body.has("mesh"))
        body.path("mesh");
      else
        for (long n : body.counts("cells", std::vector<long>(body.dimension(), 4)))
          numbers.push_back(double(n));
      numbers.push_back(double(body.words("clamped", std::vector<std::string>{}).size()));
      std::vector<double> identity(body.dimension() * body.dimension(), 0.);
      for (int i = 0; i < body.dimension(); ++i)
        identity[i * (body.dimension() + 1)] = 1;
      append(numbers, body.reals("deformation", identity));
    }
    else if (body.type() == "rod") {
      append(numbers, {body.real("density"), body.real("mass"), double(body.integer("elements"))});
      append(numbers, body.reals("strain"));
      if (body.has("marks"))
        append(numbers, body.reals("marks"));
    }
    else
      append(numbers, body.vector("normal"));
  }

  inline void readLoad(const Section& load, Numbers& numbers)
  {
    load.reference("body");
    const auto place = load.place("at");
    if (place.point)
      append(numbers, *place.point);
    numbers.push_back(place.node ? double(*place.node) : -1.);
    for (const auto& force : load.expressions("force"))
      append(numbers, {force ? (*force)(0.5) : -1., force ? (*force)(2) : -1.});
    const auto power = load.expression("power");
    append(numbers, {power(0.5), power(2), double(load.flag("follower"))});
  }

  //! Read everything as the program would
  inline Numbers readExample(const ScenarioFile& file)
  {
    Numbers numbers{double(file.dimension())};
    file.top().text("title");
    append(numbers, file.top().vector("gravity"));
    const auto time = file.section("time");
    append(numbers,
           {time.has("courant") ? time.real("courant") : time.real("step"), time.real("end")});
    if (time.type() == "moreau-jean")
      append(numbers, {time.real("theta")});
    for (const auto& name : file.names("body"))
      readBody(file.section("body." + name), numbers);
    for (const auto& name : file.names("contact")) {
      const auto contact = file.section("contact." + name);
      contact.reference("first");
      contact.reference("second");
      if (contact.word("law") == "penalty")
        append(numbers, {contact.real("stiffness")});
    }
    for (const auto& name : file.names("load"))
      readLoad(file.section("load." + name), numbers);
    const auto output = file.section("output");
    append(numbers, {double(output.integer("every")), double(output.integer("offset"))});
    file.finish();
    return numbers;
  }

  //! The text of the InputError that a function throws, "" if it throws none
  template<class Function>
  std::string messageOf(Function&& function)
  {
    try {
      function();
    }
    catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  //! Whether a function reports an error of the programmer
  template<class Function>
  bool throwsLogicError(Function&& function)
  {
    try {
      function();
    }
    catch (const std::logic_error&) {
      return true;
    }
    return false;
  }

} // namespace Dune::Impact::Test

#endif
