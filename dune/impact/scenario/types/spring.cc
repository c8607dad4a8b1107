// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  void registerSpring(Registry& registry)
  {
    const std::vector<std::string> places = {"centre-of-mass", "left", "right", "tip"};
    registry.add(SectionType{
      .name = "spring",
      .summary = "a spring from a body to an anchor or to another body, energy 1/2 stiffness "
                 "(distance - length)^2",
      .keys =
        {{.name = "body",
          .meaning = "the body",
          .kind = Kind::name,
          .allowed = {"body"},
          .required = true},
         {.name = "at",
          .meaning = "where on the body",
          .unit = "L",
          .kind = Kind::place,
          .allowed = places,
          .computed = "its centre for a particle or rigid body, its right end for a bar or beam"},
         {.name = "anchor",
          .meaning = "fixed point, instead of `other`",
          .unit = "L",
          .fallback = "0",
          .kind = Kind::vector},
         {.name = "other", .meaning = "the other body", .kind = Kind::name, .allowed = {"body"}},
         {.name = "other-at",
          .meaning = "where on the other body",
          .unit = "L",
          .kind = Kind::place,
          .allowed = places,
          .computed = "its centre for a particle or rigid body, its left end for a bar or beam"},
         {.name = "stiffness",
          .meaning = "force per elongation",
          .unit = "M/T^2",
          .kind = Kind::positive,
          .required = true},
         {.name = "length",
          .meaning = "length without force",
          .unit = "L",
          .fallback = "0",
          .kind = Kind::nonNegative}},
      .build = [](const Section& section, Scene& scene) {
        const std::size_t body = scene.body(section, "body");
        const PointHandle point = scene.massivePoint(section, "at", body, "right");
        const double stiffness = section.real("stiffness"), length = section.real("length");
        if (!section.has("other"))
          return scene.system.add(
            std::make_unique<Spring>(point, section.vector("anchor"), stiffness, length));
        if (section.has("anchor"))
          section.fail("anchor", "has no meaning together with `other`");
        const std::size_t other = scene.body(section, "other");
        scene.system.add(std::make_unique<Spring>(
          point, scene.massivePoint(section, "other-at", other, "left"), stiffness, length));
      }});
  }

} // namespace Dune::Impact
