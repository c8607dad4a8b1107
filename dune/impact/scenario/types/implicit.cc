// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/scenario/registry.hh>
#include <dune/impact/timestep/implicitstepper.hh>

namespace Dune::Impact {

  namespace {

    template<int dim>
    std::unique_ptr<Stepper> buildImplicit(const MethodInput& input, ImplicitRule rule)
    {
      for (const auto& interaction : input.scene.system.interactions())
        if (!interaction->external())
          input.section.fail("method", "cannot handle springs");
      const Section& solver = input.solver;
      typename ImplicitStepper<dim>::Settings settings{.step = input.step, .rule = rule};
      settings.sqp.tolerance = solver.real("tolerance");
      settings.sqp.maxIterations = int(solver.integer("max-iterations"));
      settings.sqp.exactJacobian = solver.word("jacobian") == "exact";
      settings.sqp.curvature = solver.flag("constraint-hessian");
      settings.multigrid = solver.word("inner") == "multigrid";
      settings.minStep = solver.real("min-step", input.step / 64);
      if (rule == ImplicitRule::dissipative)
        settings.returnedEnergy = input.section.real("return-lost-energy");
      return std::make_unique<ImplicitStepper<dim>>(input.scene.system, input.scene.surfaceContacts<dim>(), settings);
    }

    void addRule(Registry& registry, const std::string& name, const std::string& summary, ImplicitRule rule, std::vector<Key> keys = {})
    {
      registry.add(MethodType{
        .name = name,
        .summary = summary,
        .keys = std::move(keys),
        .bodies = {"solid", "plane", "cavity", "sphere", "cylinder"},
        .prescribedDofs = true,
        .build = [rule](const MethodInput& input) {
          return input.scene.dimension == 2 ? buildImplicit<2>(input, rule) : buildImplicit<3>(input, rule);
        }});
    }

  } // namespace

  void registerImplicit(Registry& registry)
  {
    addRule(registry, "dissipative-midpoint", "implicit midpoint rule with averaged stress and discrete gradient of the gaps: no step raises the energy", ImplicitRule::dissipative,
            {{.name = "return-lost-energy", .meaning = "part of the energy lost by contact that is given back as velocity in the same step", .unit = "1", .fallback = "0", .kind = Kind::fraction}});
    addRule(registry, "midpoint", "implicit midpoint rule, gaps at the middle of the step", ImplicitRule::midpoint);
    addRule(registry, "modified-midpoint", "implicit midpoint rule, gaps at the end of the step", ImplicitRule::modified);
    addRule(registry, "quasi-static", "equilibrium at the end of each step, without inertia; initial velocities are ignored", ImplicitRule::quasiStatic);
  }

} // namespace Dune::Impact
