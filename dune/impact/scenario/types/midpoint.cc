// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/scenario/registry.hh>
#include <dune/impact/timestep/midpoint.hh>

namespace Dune::Impact {

  namespace {

    template<int dim>
    std::unique_ptr<Stepper> buildMidpoint(const MethodInput& input, MidpointRule rule)
    {
      for (const auto& interaction : input.scene.system.interactions())
        if (!interaction->external())
          input.section.fail("method", "the midpoint rules cannot handle springs");
      const Section& solver = input.solver;
      typename Midpoint<dim>::Settings settings{.step = input.step, .rule = rule};
      settings.sqp.tolerance = solver.real("tolerance");
      settings.sqp.maxIterations = int(solver.integer("max-iterations"));
      settings.multigrid = solver.word("inner") == "multigrid";
      settings.minStep = solver.real("min-step", input.step / 64);
      return std::make_unique<Midpoint<dim>>(input.scene.system, input.scene.surfaceContacts<dim>(), settings);
    }

    void addRule(Registry& registry, const std::string& name, const std::string& summary, MidpointRule rule)
    {
      registry.add(MethodType{
        .name = name,
        .summary = summary,
        .keys = {},
        .bodies = {"solid", "plane", "cavity", "sphere", "cylinder"},
        .prescribedDofs = true,
        .build = [rule](const MethodInput& input) {
          return input.scene.dimension == 2 ? buildMidpoint<2>(input, rule) : buildMidpoint<3>(input, rule);
        }});
    }

  } // namespace

  void registerMidpoint(Registry& registry)
  {
    addRule(registry, "dissipative-midpoint", "implicit midpoint rule with averaged stress and discrete gradient of the gaps: no step raises the energy", MidpointRule::dissipative);
    addRule(registry, "midpoint", "implicit midpoint rule, gaps at the middle of the step", MidpointRule::midpoint);
    addRule(registry, "modified-midpoint", "implicit midpoint rule, gaps at the end of the step", MidpointRule::modified);
  }

} // namespace Dune::Impact
