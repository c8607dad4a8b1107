// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  void registerLoad(Registry& registry)
  {
    registry.add(SectionType{
      .name = "load",
      .summary = "a force on a point of a body",
      .keys = {{.name = "body", .meaning = "the body", .kind = Kind::name, .allowed = {"body"}, .required = true},
               {.name = "at", .meaning = "where on the body", .unit = "L", .kind = Kind::place, .allowed = {"centre-of-mass", "left", "right", "tip"}, .computed = "its centre for a particle, its right end for a bar"},
               {.name = "force", .meaning = "force per component, expressions in t", .unit = "M L/T^2", .kind = Kind::expressionVector, .required = true}},
      .build = [](const Section& section, Scene& scene) {
        const std::size_t body = scene.body(section, "body");
        std::array<Expression, 3> force;
        const auto given = section.expressions("force");
        for (std::size_t c = 0; c < given.size(); ++c) {
          if (!given[c])
            section.fail("force", "a component of a force cannot be free, write 0");
          force[c] = *given[c];
        }
        scene.system.add(std::make_unique<Load>(scene.massivePoint(section, "at", body, "right"), force));
      }});
  }

} // namespace Dune::Impact
