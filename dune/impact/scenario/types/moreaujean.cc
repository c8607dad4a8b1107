// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/scenario/registry.hh>
#include <dune/impact/timestep/explicit/moreaujean.hh>

namespace Dune::Impact {

  void registerMoreauJean(Registry& registry)
  {
    registry.add(MethodType{
      .name = "moreau-jean",
      .summary = "implicit theta scheme with contact impulses",
      .keys = {{.name = "theta",
                .meaning = "weight of the end of the step, from 1/2 (no numerical damping) to 1",
                .unit = "1",
                .fallback = "0.5",
                .kind = Kind::fraction}},
      .bodies = {"particle", "bar", "plane", "cavity", "sphere", "cylinder"},
      .restitutionLaws = true,
      .friction = {"particle", "bar"},
      .build = [](const MethodInput& input) -> std::unique_ptr<Stepper> {
        const double theta = input.section.real("theta");
        if (theta < 0.5)
          input.section.fail("theta", "must be at least 0.5, below it the scheme is not stable");
        if (!input.scene.system.masslessContacts().empty())
          input.section.fail("method",
                             "moreau-jean cannot handle ends without mass, use cd-lagrange");
        return std::make_unique<MoreauJean>(
          input.scene.system, input.scene.contacts, input.scene.dimension,
          MoreauJean::Settings{.step = input.step,
                               .theta = theta,
                               .gapTolerance = input.gapTolerance,
                               .contactTolerance = input.solver.real("contact-tolerance"),
                               .stop = input.stop});
      }});
  }

} // namespace Dune::Impact
