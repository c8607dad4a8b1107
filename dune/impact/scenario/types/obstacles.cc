// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <numbers>

#include <fmt/format.h>

#include <dune/impact/geometry/drop.hh>
#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  namespace {

    const Key centre{
      .name = "centre", .meaning = "centre", .unit = "L", .fallback = "0", .kind = Kind::vector};
    const Key radius{
      .name = "radius", .meaning = "radius", .unit = "L", .kind = Kind::positive, .required = true};

    //! A direction that must not be zero
    Vec3 readDirection(const Section& section, const std::string& key)
    {
      const Vec3 direction = section.vector(key);
      if (!(direction.two_norm() > 0))
        section.fail(key, "must not be zero");
      return direction;
    }

    void registerPlane(Registry& registry)
    {
      registry.add(BodyType{.name = "plane",
                            .summary = "an obstacle: half space behind a plane",
                            .keys = {{.name = "point",
                                      .meaning = "a point of the plane",
                                      .unit = "L",
                                      .fallback = "0",
                                      .kind = Kind::vector},
                                     {.name = "normal",
                                      .meaning = "direction towards the free side, of any length",
                                      .unit = "1",
                                      .kind = Kind::vector,
                                      .required = true}},
                            .build = [](const Section& section, Scene& scene) {
                              scene.add(std::make_shared<Plane>(section.label(),
                                                                section.vector("point"),
                                                                readDirection(section, "normal")));
                            }});
    }

    void registerBalls(Registry& registry)
    {
      registry.add(BodyType{.name = "cavity",
                            .summary = "an obstacle: everything outside of a circle or sphere",
                            .keys = {centre, radius},
                            .build = [](const Section& section, Scene& scene) {
                              scene.add(std::make_shared<Cavity>(
                                section.label(), section.vector("centre"), section.real("radius")));
                            }});
      registry.add(BodyType{.name = "sphere",
                            .summary = "an obstacle: the inside of a circle or sphere",
                            .keys = {centre, radius},
                            .build = [](const Section& section, Scene& scene) {
                              scene.add(std::make_shared<Sphere>(
                                section.label(), section.vector("centre"), section.real("radius")));
                            }});
    }

    void registerDrop(Registry& registry)
    {
      registry.add(
        BodyType{.name = "drop",
                 .summary = "an obstacle: everything outside of a drop, a round tip with straight "
                            "walls that open along an axis; a mould",
                 .keys = {{.name = "centre",
                           .meaning = "centre of the tip",
                           .unit = "L",
                           .fallback = "0",
                           .kind = Kind::vector},
                          {.name = "radius",
                           .meaning = "radius of the tip",
                           .unit = "L",
                           .kind = Kind::positive,
                           .required = true},
                          {.name = "axis",
                           .meaning = "direction towards the opening, of any length",
                           .unit = "1",
                           .kind = Kind::vector,
                           .required = true},
                          {.name = "angle",
                           .meaning = "angle between the axis and the wall, from 0 to pi/2",
                           .unit = "1",
                           .kind = Kind::nonNegative,
                           .required = true}},
                 .build = [](const Section& section, Scene& scene) {
                   if (scene.dimension == 1)
                     section.fail("type", "a drop needs dimension 2 or 3");
                   const double angle = section.real("angle");
                   if (!(angle < 0.5 * std::numbers::pi))
                     section.fail("angle", fmt::format("must be below pi/2, got {:.6g}", angle));
                   scene.add(std::make_shared<Drop>(section.label(), section.vector("centre"),
                                                    readDirection(section, "axis"),
                                                    section.real("radius"), angle));
                 }});
    }

    void registerCylinder(Registry& registry)
    {
      registry.add(BodyType{
        .name = "cylinder",
        .summary = "an obstacle: the inside of an infinite cylinder (dimension 3)",
        .keys = {centre,
                 radius,
                 {.name = "axis",
                  .meaning = "direction of the axis, of any length",
                  .unit = "1",
                  .kind = Kind::vector,
                  .required = true}},
        .build = [](const Section& section, Scene& scene) {
          if (scene.dimension != 3)
            section.fail("type",
                         "a cylinder needs dimension = 3; in dimension 2 use sphere for a disc");
          scene.add(std::make_shared<Cylinder>(section.label(), section.vector("centre"),
                                               readDirection(section, "axis"),
                                               section.real("radius")));
        }});
    }

  } // namespace

  void registerObstacles(Registry& registry)
  {
    registerPlane(registry);
    registerBalls(registry);
    registerDrop(registry);
    registerCylinder(registry);
  }

} // namespace Dune::Impact
