// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/scenario/registry.hh>
#include <dune/impact/timestep/frames/multisymplectic.hh>

namespace Dune::Impact {

  namespace {

    //! The tips decide which contact they have; a variant that is given must agree
    void checkVariant(const Section& section, const Scene& scene)
    {
      const bool massless = !scene.system.masslessContacts().empty();
      const std::string variant = section.word("variant", massless ? "prolonged" : "bounce");
      if (variant == "prolonged" && !massless)
        section.fail("variant", "prolonged needs a contact of bars with tip = massless-split");
      if (variant == "bounce" && massless)
        section.fail("variant", "bounce needs ends with mass, tip = massive");
    }

    //! Impacts keep the energy, so there is nothing else that may change it
    void checkScene(const Section& section, const Scene& scene)
    {
      for (std::size_t b = 0; b < scene.system.bodyCount(); ++b)
        if (const auto* beam = dynamic_cast<const Beam*>(&scene.system.body(b));
            beam && beam->formulation() != BeamFormulation::cayley)
          section.fail("method",
                       fmt::format("multisymplectic needs formulation = cayley, which {} has not",
                                   beam->name()));
      for (const Contact& contact : scene.contacts)
        if (contact.law.restitution != 0 || contact.law.friction != 0)
          section.fail("method", fmt::format("multisymplectic impacts keep the energy: contact.{} "
                                             "must have no restitution and no friction",
                                             contact.name));
      for (const auto& interaction : scene.system.interactions())
        if (interaction->external())
          section.fail("method", "multisymplectic cannot handle loads, which change the energy");
      for (const auto& obstacle : scene.obstacles)
        if (obstacle->moves())
          section.fail("method",
                       fmt::format("multisymplectic cannot handle obstacles that move, as {} does",
                                   obstacle->name()));
    }

  } // namespace

  void registerMultisymplectic(Registry& registry)
  {
    registry.add(MethodType{
      .name = "multisymplectic",
      .summary = "explicit variational integrator that splits steps at the instants of contact, "
                 "with impacts that keep the energy",
      .keys =
        {{.name = "courant",
          .meaning = "fraction of the critical step, instead of `step`",
          .unit = "1",
          .kind = Kind::fraction},
         {.name = "variant",
          .meaning =
            "bounce: ends with mass rebound; prolonged: ends of bars without mass stay in contact",
          .kind = Kind::word,
          .allowed = {"bounce", "prolonged"},
          .computed = "what the tips of the bars say"},
         {.name = "energy-target",
          .meaning = "the energy that an impact restores: that of the interval before it, or that "
                     "of the start",
          .fallback = "local",
          .kind = Kind::word,
          .allowed = {"local", "global"}},
         {.name = "start",
          .meaning = "whether the initial velocities belong to time zero or to the first interval",
          .fallback = "time-zero",
          .kind = Kind::word,
          .allowed = {"time-zero", "first-interval"}}},
      .bodies = {"bar", "beam", "plane"},
      .conditionallyStable = true,
      .build = [](const MethodInput& input) -> std::unique_ptr<Stepper> {
        checkVariant(input.section, input.scene);
        checkScene(input.section, input.scene);
        return std::make_unique<Multisymplectic>(
          input.scene.system, input.scene.contacts,
          Multisymplectic::Settings{
            .step = input.step,
            .target = input.section.word("energy-target") == "local" ? EnergyTarget::local
                                                                     : EnergyTarget::global,
            .firstInterval = input.section.word("start") == "first-interval",
            .stop = input.stop});
      }});
  }

} // namespace Dune::Impact
