// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/scenario/types/joint.hh>
#include <dune/impact/timestep/frames/nsga.hh>

namespace Dune::Impact {

  namespace {

    void checkBodies(const MethodInput& input)
    {
      const System& system = input.scene.system;
      for (std::size_t b = 0; b < system.bodyCount(); ++b)
        if (const auto* beam = dynamic_cast<const Beam*>(&system.body(b));
            beam && beam->formulation() != BeamFormulation::exponential)
          input.section.fail(
            "method",
            fmt::format("nsga needs formulation = exponential, which {} has not", beam->name()));
      if (!system.masslessContacts().empty())
        input.section.fail("method", "nsga cannot handle ends without mass, use cd-lagrange");
      refuseDoubleJoints(input);
    }

  } // namespace

  void registerNsga(Registry& registry)
  {
    registry.add(MethodType{
      .name = "nsga",
      .summary = "nonsmooth generalised-alpha: smooth motion, then corrections of positions and "
                 "velocities by contact with friction and impacts",
      .keys = {{.name = "rho-infinity",
                .meaning =
                  "spectral radius for infinite frequencies, from 1 (no numerical damping) to 0",
                .unit = "1",
                .fallback = "0.8",
                .kind = Kind::fraction}},
      .bodies = {"particle", "bar", "beam", "rigid", "plane", "cavity", "sphere", "cylinder"},
      .joints = true,
      .friction = {"particle", "bar", "beam", "rigid"},
      .build = [](const MethodInput& input) -> std::unique_ptr<Stepper> {
        checkBodies(input);
        Nsga::Settings settings{.step = input.step,
                                .minStep = input.solver.real("min-step", input.step / 64),
                                .rho = input.section.real("rho-infinity"),
                                .gapTolerance = input.gapTolerance};
        settings.length = input.scene.length();
        settings.stop = input.stop;
        settings.maxIterations = int(input.solver.integer("max-iterations", 30));
        return std::make_unique<Nsga>(input.scene.system, input.scene.contacts, settings);
      }});
  }

} // namespace Dune::Impact
