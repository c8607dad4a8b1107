// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/scenario/registry.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>

namespace Dune::Impact {

  void registerEnergyMomentum(Registry& registry)
  {
    registry.add(MethodType{
      .name = "energy-momentum",
      .summary = "rigid bodies that keep energy and momenta, with impulses or penalties in contact",
      .keys = {{.name = "map",
                .meaning =
                  "from the angular velocity of a step to its rotation: the exponential, or the "
                  "Cayley map, which allows larger steps and turns a little too slowly",
                .fallback = "exp",
                .kind = Kind::word,
                .allowed = {"exp", "cayley"}},
               {.name = "variant",
                .meaning =
                  "kick: impulses at the beginning of a step, for the points that overlap there; "
                  "mid: impulses in the step, for the points that would overlap at its end",
                .fallback = "kick",
                .kind = Kind::word,
                .allowed = {"kick", "mid"}},
               {.name = "friction-tolerance",
                .meaning =
                  "part of the speed to which the law of friction holds with `kick`; hundreds of "
                  "bodies in a heap want 1e-3. Momenta are exact in any case, and impulses do no "
                  "more work than the law allows. Steps that miss it are counted in the summary, "
                  "up to 1000 times of it and a hundredth of the speed; above the run stops",
                .unit = "1",
                .fallback = "1e-13",
                .kind = Kind::positive},
               {.name = "projection",
                .meaning =
                  "whether bodies that overlap at the end of a step are pushed apart; it keeps "
                  "long rest in place, and the change of energy is entered as a loss",
                .fallback = "no",
                .kind = Kind::flag}},
      .bodies = {"rigid", "plane", "cavity", "sphere", "cylinder"},
      .penaltyContact = true,
      .restitutionLaws = true,
      .friction = {"rigid"},
      .build = [](const MethodInput& input) -> std::unique_ptr<Stepper> {
        const Section& section = input.section;
        const EnergyMomentum::Settings settings{
          .step = input.step,
          .gapTolerance = input.gapTolerance,
          .map = section.word("map") == "cayley" ? RotationMap::cayley : RotationMap::exponential,
          .mid = section.word("variant") == "mid",
          .projection = section.flag("projection"),
          .frictionTolerance = section.real("friction-tolerance"),
          .stop = input.stop};
        try {
          return std::make_unique<EnergyMomentum>(input.scene.system, input.scene.contacts,
                                                  settings);
        }
        catch (const ContactRefused&) {
          throw; // names its key itself
        }
        catch (const InputError& error) {
          section.fail("method", error.what());
        }
      }});
  }

} // namespace Dune::Impact
