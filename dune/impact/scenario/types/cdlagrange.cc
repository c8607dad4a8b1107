// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <dune/impact/contact/law/rccm.hh>
#include <dune/impact/scenario/registry.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>

namespace Dune::Impact {

  namespace {

    EventStep readEventStep(const Section& section, const Scene& scene)
    {
      const std::string word = section.word("landing");
      if (word != "none" && scene.system.masslessContacts().empty())
        section.fail("landing", "needs a contact of a bar with tip = massless-shifted");
      return word == "none"      ? EventStep::none
             : word == "release" ? EventStep::release
                                 : EventStep::both;
    }

    bool hasSolids(const Scene& scene)
    {
      for (std::size_t i = 0; i < scene.system.bodyCount(); ++i)
        if (scene.system.body(i).matrixFree())
          return true;
      return false;
    }

    //! The longest step, delayTime/delayExponent: in longer ones delayed damage would overshoot the
    //! jump
    double delayLimit(const Section& section, const MethodInput& input)
    {
      double limit = std::numeric_limits<double>::infinity();
      for (const Contact& contact : input.scene.contacts)
        if (const auto* bonds = contact.geometry.find<RccmInterface>();
            bonds && bonds->law().delayTime > 0)
          limit = std::min(limit, bonds->law().delayTime / bonds->law().delayExponent);
      if (input.step > limit)
        section.fail(
          section.has("courant") ? "courant" : "step",
          fmt::format(
            "the step {:.6g} is longer than {:.6g}, delay-time over delay-exponent of an interface",
            input.step, limit));
      return limit;
    }

    // The keys of the method
    std::vector<Key> methodKeys()
    {
      return {{.name = "courant",
               .meaning = "fraction of the critical step, instead of `step`",
               .unit = "1",
               .kind = Kind::fraction},
              {.name = "landing",
               .meaning = "shorten steps to end on the release, or on the begin and the release, "
                          "of contacts of ends without mass",
               .fallback = "none",
               .kind = Kind::word,
               .allowed = {"none", "release", "both"}},
              {.name = "adaptive-energy",
               .meaning =
                 "experimental: choose the length of each step so that the energy is kept, where "
                 "such a length exists; steps without one are counted as no_root",
               .fallback = "no",
               .kind = Kind::flag},
              {.name = "estimate-every",
               .meaning =
                 "number of steps after which the critical step of deformed solids is estimated "
                 "anew; with `courant` the step follows it, a given `step` above it ends the run",
               .unit = "1",
               .fallback = "500",
               .kind = Kind::integer},
              {.name = "start",
               .meaning = "whether the initial velocities belong to time zero (the first half "
                          "step includes forces and contact) or to the first interval",
               .fallback = "time-zero",
               .kind = Kind::word,
               .allowed = {"time-zero", "first-interval"}}};
    }

  } // namespace

  void registerCDLagrange(Registry& registry)
  {
    registry.add(MethodType{
      .name = "cd-lagrange",
      .summary = "explicit central differences with contact impulses",
      .keys = methodKeys(),
      .bodies = {"particle", "bar", "solid", "rigid", "plane", "cavity", "sphere", "cylinder",
                 "drop"},
      .conditionallyStable = true,
      .prescribedDofs = true,
      .restitutionLaws = true,
      .friction = {"particle", "bar", "solid", "rigid"},
      .build = [](const MethodInput& input) -> std::unique_ptr<Stepper> {
        const Section& section = input.section;
        CDLagrange::Settings settings{.step = input.step,
                                      .gapTolerance = input.gapTolerance,
                                      .contactTolerance = input.solver.real("contact-tolerance"),
                                      .landing = readEventStep(section, input.scene),
                                      .adaptiveEnergy = section.flag("adaptive-energy"),
                                      .halfStepStart = section.word("start") == "time-zero",
                                      .criticalStep = input.criticalStep,
                                      .stop = input.stop};
        if (settings.adaptiveEnergy && settings.landing != EventStep::none)
          section.fail("adaptive-energy", "cannot be combined with landing");
        if (hasSolids(input.scene) && settings.landing == EventStep::none &&
            !settings.adaptiveEnergy) {
          settings.estimateEvery = section.integer("estimate-every");
          if (settings.estimateEvery < 1)
            section.fail("estimate-every",
                         fmt::format("must be at least 1, got {}", settings.estimateEvery));
          settings.courant = section.has("courant") ? section.real("courant") : 0;
        }
        settings.longestStep = delayLimit(section, input);
        return std::make_unique<CDLagrange>(input.scene.system, input.scene.contacts,
                                            input.scene.dimension, settings);
      }});
  }

} // namespace Dune::Impact
