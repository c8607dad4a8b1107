// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <memory>
#include <type_traits>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/scenario/types/joint.hh>
#include <dune/impact/timestep/frames/staticstepper.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

namespace Dune::Impact {

  namespace {

    //! A residual as large as the forces themselves says nothing
    double readTolerance(const Section& solver)
    {
      const double tolerance = solver.real("tolerance");
      if (!(tolerance < 1))
        solver.fail("tolerance", fmt::format("must be below 1, got {}", tolerance));
      return tolerance;
    }

    //! Laws of impact and adhesion are those of other methods
    void refuseLaws(const std::vector<Contact>& contacts, const std::string& method)
    {
      for (const Contact& contact : contacts) {
        const auto refuse = [&](const char* key, const char* law) {
          throw ContactRefused(contact.name, key,
                               fmt::format("{} cannot handle the {} of contact.{}, which is "
                                           "available for solids with cd-lagrange",
                                           method, law, contact.name));
        };
        if (contact.law.restitution != 0)
          refuse("restitution", "restitution");
        if (contact.geometry.offers<RccmInterface>())
          refuse("law", "adhesion");
      }
    }

    /** \brief The stepper of solids
     *
     * \param makeRule  makeRule(input, dimension) is a rule for the dimension, an integral constant
     */
    template<int dim, class MakeRule>
    std::unique_ptr<Stepper> buildSolids(const MethodInput& input, const MakeRule& makeRule)
    {
      for (const auto& interaction : input.scene.system.interactions())
        if (!interaction->external())
          input.section.fail("method", "cannot handle springs");
      if (input.scene.system.bodyCount() == 0 ||
          !dynamic_cast<const ImplicitBody<dim>*>(&input.scene.system.body(0)))
        input.section.fail("method", "needs a solid; rigid bodies alone move with energy-momentum");
      refuseLaws(input.scene.contacts, input.section.type());
      const Section& solver = input.solver;
      typename ImplicitStepper<dim>::Settings settings{.step = input.step};
      settings.sqp.stop = settings.inner.stop = input.stop;
      settings.sqp.tolerance = readTolerance(solver);
      settings.sqp.maxIterations = int(solver.integer("max-iterations"));
      settings.sqp.exactJacobian = solver.word("jacobian") == "exact";
      settings.sqp.curvature = solver.flag("constraint-hessian");
      settings.multigrid = solver.word("inner") == "multigrid";
      settings.minStep = solver.real("min-step", input.step / 64);
      settings.rule = makeRule(input, std::integral_constant<int, dim>());
      return std::make_unique<ImplicitStepper<dim>>(input.scene.system, input.scene.contacts,
                                                    settings);
    }

    //! Beams: a Newton method of its own, on frames
    std::unique_ptr<Stepper> buildStatic(const MethodInput& input)
    {
      const System& system = input.scene.system;
      for (std::size_t b = 0; b < system.bodyCount(); ++b) {
        const auto* beam = dynamic_cast<const Beam*>(&system.body(b));
        if (!beam)
          input.section.fail(
            "method", fmt::format("quasi-static cannot handle beams together with solids, as {} is",
                                  system.body(b).name()));
        if (beam->formulation() != BeamFormulation::exponential)
          input.section.fail(
            "method", fmt::format("quasi-static needs formulation = exponential, which {} has not",
                                  beam->name()));
      }
      refuseDoubleJoints(input);
      for (const Contact& contact : input.scene.contacts)
        if (contact.geometry.offers<ImpulseGeometry>())
          input.section.fail(
            "method",
            fmt::format(
              "quasi-static beams touch with their round surface, contact.{} is one of nodes",
              contact.name));
      StaticStepper::Settings settings{.step = input.step,
                                       .minStep = input.solver.real("min-step", input.step / 64)};
      settings.newton.stop = input.stop;
      settings.newton.tolerance = readTolerance(input.solver);
      settings.newton.smallIncrement = 100 * settings.newton.tolerance; // convergence is quadratic
      settings.newton.maxIterations = int(input.solver.integer("max-iterations", 30));
      return std::make_unique<StaticStepper>(system, input.scene.contacts, settings);
    }

    bool hasBeams(const Scene& scene)
    {
      for (std::size_t b = 0; b < scene.system.bodyCount(); ++b)
        if (dynamic_cast<const Beam*>(&scene.system.body(b)))
          return true;
      return false;
    }

    template<class MakeRule>
    std::unique_ptr<Stepper> build(const MethodInput& input, const MakeRule& makeRule)
    {
      if (!input.scene.system.constraints().empty())
        input.section.fail("method",
                           "joints hold beams with quasi-static, beams and rigid bodies with nsga");
      return input.scene.dimension == 2 ? buildSolids<2>(input, makeRule)
                                        : buildSolids<3>(input, makeRule);
    }

    //! A rule with inertia
    template<class MakeRule>
    void addRule(Registry& registry, const std::string& name, const std::string& summary,
                 const MakeRule& makeRule, std::vector<Key> keys = {},
                 std::vector<std::string> friction = {})
    {
      registry.add(MethodType{
        .name = name,
        .summary = summary,
        .keys = std::move(keys),
        .bodies = {"solid", "plane", "cavity", "sphere", "cylinder", "rigid"},
        .prescribedDofs = true,
        .joints = false,
        .impacts = true,
        .friction = std::move(friction),
        .build = [makeRule](const MethodInput& input) { return build(input, makeRule); }});
    }

    //! Equilibria, of solids or of beams
    void addQuasiStatic(Registry& registry)
    {
      registry.add(MethodType{
        .name = "quasi-static",
        .summary = "equilibrium at the end of each step, without inertia; bodies start at rest",
        .keys = {},
        .bodies = {"solid", "plane", "cavity", "sphere", "cylinder", "beam"},
        .prescribedDofs = true,
        .joints = true,
        .impacts = false,
        .inertia = false,
        .friction = {"beam", "solid"},
        .build = [](const MethodInput& input) {
          return hasBeams(input.scene) ? buildStatic(input)
                                       : build(input, [](const MethodInput&, auto dim) {
                                           return std::make_shared<QuasiStatic<dim>>();
                                         });
        }});
    }

  } // namespace

  void registerImplicit(Registry& registry)
  {
    addRule(
      registry, "dissipative-midpoint",
      "implicit midpoint rule with averaged stress and discrete gradient of the gaps: no step "
      "raises the energy",
      [](const MethodInput& input, auto dim) {
        const bool settle = input.section.flag("settle-velocity");
        if (settle && std::ranges::none_of(input.scene.contacts, [](const Contact& contact) {
              return contact.law.friction > 0;
            }))
          input.section.fail("settle-velocity", "has no effect, as no contact has friction");
        return std::make_shared<DissipativeMidpoint<dim>>(input.section.real("return-lost-energy"),
                                                          settle);
      },
      {{.name = "return-lost-energy",
        .meaning =
          "part of the energy lost by contact that is given back as velocity in the same step",
        .unit = "1",
        .fallback = "0",
        .kind = Kind::fraction},
       {.name = "settle-velocity",
        .meaning =
          "whether friction takes the velocity of points that stick, which changes its sign from "
          "step to step, as far as the bounds of the step allow; it never raises the energy",
        .fallback = "no",
        .kind = Kind::flag}},
      {"solid", "rigid"});
    addRule(registry, "midpoint", "implicit midpoint rule, gaps at the middle of the step",
            [](const MethodInput&, auto dim) { return std::make_shared<Midpoint<dim>>(); });
    addRule(registry, "modified-midpoint", "implicit midpoint rule, gaps at the end of the step",
            [](const MethodInput&, auto dim) { return std::make_shared<ModifiedMidpoint<dim>>(); });
    addQuasiStatic(registry);
  }

} // namespace Dune::Impact
