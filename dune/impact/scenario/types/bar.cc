// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/body/bar.hh>
#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  namespace {

    //! One word for both ends, or one for each
    std::array<Bar::Tip, 2> readTips(const Section& section)
    {
      const std::vector<std::string> words = section.words("tip");
      if (words.size() > 2)
        section.fail("tip", "must be one word for both ends or two, for left and right");
      std::array<Bar::Tip, 2> tip;
      for (std::size_t end : {0, 1}) {
        const std::string& word = words[std::min(end, words.size() - 1)];
        if (word != "massive" && word != "massless-shifted" && word != "massless-split")
          section.fail("tip", "must be massive, massless-shifted or massless-split, got " + word);
        tip[end] = word == "massive"          ? Bar::Tip::massive
                   : word == "massless-split" ? Bar::Tip::masslessSplit
                                              : Bar::Tip::masslessShifted;
      }
      return tip;
    }

    Bar::Settings readBar(const Section& section, const Scene& scene)
    {
      Bar::Settings settings{.name = section.label(),
                             .dimension = scene.dimension,
                             .length = section.real("length"),
                             .elements = std::size_t(section.integer("elements")),
                             .area = section.real("area"),
                             .young = section.real("young"),
                             .density = section.real("density"),
                             .position = section.vector("position"),
                             .tip = readTips(section),
                             .motion = {.velocity = section.vector("velocity")},
                             .gravity = scene.gravity};
      if (std::ranges::count(settings.tip, Bar::Tip::masslessSplit) > 0)
        settings.tipFraction = section.real("tip-fraction");
      if (scene.dimension > 1) {
        settings.axis = section.vector("axis", Vec3{1, 0, 0});
        settings.motion.spin = section.rotation("spin");
      }
      return settings;
    }

    void checkBar(const Section& section, const Bar::Settings& settings)
    {
      if (!(settings.axis.two_norm() > 0))
        section.fail("axis", "must not be zero");
      if (settings.elements > 100'000'000)
        section.fail("elements", "must be at most 100000000");
      if (!(settings.tipFraction > 0 && settings.tipFraction < 1))
        section.fail("tip-fraction", "must be above 0 and below 1");
      const int massless =
        (settings.tip[0] != Bar::Tip::massive) + (settings.tip[1] != Bar::Tip::massive);
      if (massless > 0 && settings.dimension > 1)
        section.fail("tip", "ends without mass are possible in dimension 1 only");
      if (settings.elements < std::size_t(massless) + 1)
        section.fail(
          "elements",
          "a bar with an end without mass needs at least two elements, with two such ends three");
    }

    // The bar itself
    std::vector<Key> barKeys()
    {
      return {{.name = "length",
               .meaning = "length",
               .unit = "L",
               .kind = Kind::positive,
               .required = true},
              {.name = "elements",
               .meaning = "number of elements",
               .unit = "1",
               .kind = Kind::count,
               .required = true},
              {.name = "area",
               .meaning = "area of the section",
               .unit = "L^2",
               .kind = Kind::positive,
               .required = true},
              {.name = "young",
               .meaning = "Young's modulus",
               .unit = "M/(L T^2)",
               .kind = Kind::positive,
               .required = true},
              {.name = "density",
               .meaning = "mass per volume",
               .unit = "M/L^3",
               .kind = Kind::positive,
               .required = true}};
    }

    // Where and how it starts, and its ends
    std::vector<Key> barStartKeys()
    {
      return {
        {.name = "position",
         .meaning = "position of the left end at the start",
         .unit = "L",
         .fallback = "0",
         .kind = Kind::vector},
        {.name = "axis",
         .meaning = "direction from left to right (dimension 2 and 3)",
         .unit = "1",
         .kind = Kind::vector,
         .computed = "along the first coordinate"},
        {.name = "velocity",
         .meaning = "velocity at the start",
         .unit = "L/T",
         .fallback = "0",
         .kind = Kind::vector},
        {.name = "spin",
         .meaning = "angular velocity about the centre of mass at the start (dimension 2 and 3)",
         .unit = "1/T",
         .fallback = "0",
         .kind = Kind::rotation},
        {.name = "tip",
         .meaning = "massive, massless-shifted (the mass of the end moved to its neighbour), or "
                    "massless-split (the end element split: its mass sits at `tip-fraction` of it "
                    "from the end); one word for both ends or one for each",
         .fallback = "massive",
         .kind = Kind::words},
        {.name = "tip-fraction",
         .meaning = "part of the end element between the mass and an end that is massless-split",
         .unit = "1",
         .fallback = "0.25",
         .kind = Kind::fraction}};
    }

  } // namespace

  void registerBar(Registry& registry)
  {
    registry.add(
      BodyType{.name = "bar",
               .summary = "an elastic bar that carries axial force, P1 elements with lumped mass",
               .keys = joinKeys({barKeys(), barStartKeys()}),
               .build = [](const Section& section, Scene& scene) {
                 const Bar::Settings settings = readBar(section, scene);
                 checkBar(section, settings);
                 scene.add(std::make_unique<Bar>(settings));
               }});
  }

} // namespace Dune::Impact
