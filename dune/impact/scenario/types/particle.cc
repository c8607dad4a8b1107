// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/body/particle.hh>
#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  void registerParticle(Registry& registry)
  {
    registry.add(BodyType{
      .name = "particle",
      .summary = "a point mass",
      .keys =
        {{.name = "mass", .meaning = "mass", .unit = "M", .kind = Kind::positive, .required = true},
         {.name = "radius",
          .meaning = "radius of its surface, for contact only",
          .unit = "L",
          .fallback = "0",
          .kind = Kind::nonNegative},
         {.name = "position",
          .meaning = "position at the start",
          .unit = "L",
          .fallback = "0",
          .kind = Kind::vector},
         {.name = "velocity",
          .meaning = "velocity at the start",
          .unit = "L/T",
          .fallback = "0",
          .kind = Kind::vector}},
      .build = [](const Section& section, Scene& scene) {
        scene.add(
          std::make_unique<Particle>(Particle::Settings{.name = section.label(),
                                                        .dimension = scene.dimension,
                                                        .mass = section.real("mass"),
                                                        .radius = section.real("radius"),
                                                        .position = section.vector("position"),
                                                        .velocity = section.vector("velocity"),
                                                        .gravity = scene.gravity}));
      }});
  }

} // namespace Dune::Impact
