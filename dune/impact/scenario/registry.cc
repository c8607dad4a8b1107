// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  namespace {

    template<class Type>
    const Type& find(const std::vector<Type>& types, const std::string& name)
    {
      const auto found = std::find_if(types.begin(), types.end(),
                                      [&](const Type& type) { return type.name == name; });
      if (found == types.end())
        // the reader admits only types of the table
        throw std::logic_error("there is no type " + name);
      return *found;
    }

    void addTop(KeyTable& table)
    {
      table.addSection({.name = "", .summary = "what concerns the whole scenario"},
                       {{.name = "title",
                         .meaning = "one line about the scenario",
                         .fallback = "",
                         .kind = Kind::text},
                        {.name = "dimension",
                         .meaning = "dimension of space",
                         .kind = Kind::integer,
                         .allowed = {"1", "2", "3"},
                         .required = true},
                        {.name = "gravity",
                         .meaning = "acceleration of gravity",
                         .unit = "L/T^2",
                         .fallback = "0",
                         .kind = Kind::vector},
                        {.name = "units",
                         .meaning = "the units in use, a label for the output",
                         .fallback = "",
                         .kind = Kind::text}});
    }

    void addTime(KeyTable& table)
    {
      table.addSection(
        {.name = "time", .summary = "method and length of the simulation", .chooser = "method"},
        {{.name = "method",
          .meaning = "the time stepping method",
          .kind = Kind::word,
          .required = true},
         {.name = "step",
          .meaning = "length of a time step",
          .unit = "T",
          .kind = Kind::positive,
          .computed = "courant times the critical step"},
         {.name = "end",
          .meaning = "time to simulate: round(end/step) steps, none is shortened; with steps of "
                     "different length, steps are made until this time is reached",
          .unit = "T",
          .kind = Kind::positive,
          .computed = "steps times step"},
         {.name = "steps",
          .meaning = "number of steps to make, instead of `end`",
          .unit = "1",
          .kind = Kind::count,
          .computed = "round(end/step)"},
         {.name = "gap-tolerance",
          .meaning = "a contact point acts if its gap is not larger",
          .unit = "L",
          .kind = Kind::nonNegative,
          .computed = "2^-40 (9e-13) of the largest coordinate"}});
    }

    void addProbe(KeyTable& table)
    {
      table.addSection(
        {.name = "probe", .summary = "columns of history.csv for a place of a body", .named = true},
        {{.name = "body",
          .meaning = "the body",
          .kind = Kind::name,
          .allowed = {"body"},
          .required = true},
         {.name = "at",
          .meaning =
            "where on the body: a word, the number of a node, or a point (the node next to it)",
          .unit = "L",
          .fallback = "centre-of-mass",
          .kind = Kind::place,
          .allowed = {"centre-of-mass", "left", "right", "tip"}},
         {.name = "quantity",
          .meaning =
            "what to write; `force` is the contact force on the whole body, velocities are those "
            "of the interval that ends at the time of the row for staggered methods; `rotation` is "
            "the rotation vector of a section of a beam since the start; `reaction` and "
            "`reaction-moment` are what joints and moved frames do to a beam, at a node (the "
            "moment about it) or to the whole beam (the moment about the origin)",
          .fallback = "position",
          .kind = Kind::word,
          .allowed = {"position", "displacement", "velocity", "force", "rotation", "reaction",
                      "reaction-moment"}}});
    }

    void addSolver(KeyTable& table)
    {
      table.addSection(
        {.name = "solver",
         .summary = "how the equations of an implicit step and contact impulses are solved"},
        {{.name = "tolerance",
          .meaning = "residual of the forces, relative to the largest force",
          .unit = "1",
          .fallback = "1e-11",
          .kind = Kind::positive},
         {.name = "contact-tolerance",
          .meaning =
            "part of the speed to which the laws of contact and friction hold where contact is by "
            "impulses (cd-lagrange, moreau-jean, energy-momentum); hundreds of bodies in a heap "
            "want 1e-3. Momenta are exact in any case, impulses stay in their cones and do no more "
            "work than the laws allow. Steps that miss it are counted in the summary, up to a "
            "millionth of the speed, or 1000 times of it and a hundredth of the speed; above the "
            "run stops",
          .unit = "1",
          .fallback = "1e-10",
          .kind = Kind::fraction},
         {.name = "max-iterations",
          .meaning = "iterations of the nonlinear solver before a step is halved",
          .unit = "1",
          .fallback = "100",
          .kind = Kind::count},
         {.name = "inner",
          .meaning = "solver of the quadratic problems: multigrid on the levels of `refine`, with "
                     "algebraic levels below a coarsest one that is too large for a factor (2000 "
                     "nodes in the plane, 300 in space), and a sparse factor for the rest of a "
                     "step in which levels do not contract; or a sparse factor always",
          .fallback = "multigrid",
          .kind = Kind::word,
          .allowed = {"multigrid", "direct"}},
         {.name = "jacobian",
          .meaning = "derivative of the gaps in the quadratic problems: simplified so that gaps "
                     "become bounds, or exact with a direct solver (`inner` is not used). Steps "
                     "that the simplified one does not solve are tried with the exact one, and "
                     "second derivatives, before they are halved, quasi-static ones after that, on "
                     "up to 20 000 nodes in the plane and 4000 in space",
          .fallback = "decoupled",
          .kind = Kind::word,
          .allowed = {"decoupled", "exact"}},
         {.name = "constraint-hessian",
          .meaning = "second derivatives of the gaps in the quadratic problems",
          .fallback = "no",
          .kind = Kind::flag},
         {.name = "min-step",
          .meaning = "a step that cannot be solved is halved, but not below this length",
          .unit = "T",
          .kind = Kind::positive,
          .computed = "1/64 of the step"}});
    }

    void addOutput(KeyTable& table)
    {
      table.addSection(
        {.name = "output", .summary = "what a run writes"},
        {{.name = "directory",
          .meaning = "folder for the results, relative to where the program is started",
          .kind = Kind::text,
          .computed = "out/ and the name of the scenario file"},
         {.name = "history-every",
          .meaning = "steps between two rows of history.csv",
          .unit = "1",
          .fallback = "1",
          .kind = Kind::count},
         {.name = "vtk-every",
          .meaning = "steps between two pictures for ParaView, 0 for none",
          .unit = "1",
          .fallback = "0",
          .kind = Kind::integer},
         {.name = "checkpoint-every",
          .meaning = "steps between two checkpoints, 0 for none",
          .unit = "1",
          .fallback = "0",
          .kind = Kind::integer},
         {.name = "report",
          .meaning = "write report.html, a page with plots and the motion, and film.h5, from which "
                     "it is made",
          .fallback = "yes",
          .kind = Kind::flag}});
    }

  } // namespace

  const BodyType& Registry::body(const std::string& name) const
  {
    return find(bodies_, name);
  }

  const MethodType& Registry::method(const std::string& name) const
  {
    return find(methods_, name);
  }

  KeyTable Registry::table() const
  {
    KeyTable table;
    addTop(table);
    addTime(table);
    for (const MethodType& method : methods_)
      table.add("time", method.name, method.summary, method.keys);
    table.addSection(
      {.name = "body", .summary = "a body or an obstacle", .named = true, .chooser = "type"},
      {{.name = "type",
        .meaning = "kind of body or obstacle",
        .kind = Kind::word,
        .required = true}});
    for (const BodyType& body : bodies_)
      table.add("body", body.name, body.summary, body.keys);
    for (const SectionType& section : sections_)
      table.addSection({.name = section.name, .summary = section.summary, .named = true},
                       section.keys);
    addProbe(table);
    addSolver(table);
    addOutput(table);
    return table;
  }

  void Registry::printPairings(std::ostream& out) const
  {
    fmt::print(out, "| method | bodies |\n|---|---|\n");
    for (const MethodType& method : methods_)
      fmt::print(out, "| `{}` | {} |\n", method.name, fmt::join(method.bodies, ", "));
  }

  Registry makeRegistry(const std::vector<MaterialType>& materials)
  {
    Registry registry;
    registerParticle(registry);
    registerBar(registry);
    registerSolid(registry, materials);
    for (auto* add :
         {registerObstacles, registerSpring, registerContact, registerLoad, registerMotion,
          registerJoint, registerCDLagrange, registerMoreauJean, registerImplicit, registerBeam,
          registerMultisymplectic, registerRigid, registerEnergyMomentum, registerNsga})
      add(registry);
    return registry;
  }

} // namespace Dune::Impact
