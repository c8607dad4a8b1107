// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/scenario/registry.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>

namespace Dune::Impact {

  namespace {

    //! The tolerance of contact under either of its names
    double readContactTolerance(const Section& section, const Section& solver)
    {
      if (!section.has("friction-tolerance"))
        return solver.real("contact-tolerance");
      if (solver.has("contact-tolerance"))
        section.fail("friction-tolerance", "is another name of solver.contact-tolerance, which is "
                                           "given too");
      return section.real("friction-tolerance");
    }

  } // namespace

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
                .meaning = "another name of `contact-tolerance` in [solver]; only one of them may "
                           "be given",
                .unit = "1",
                .kind = Kind::positive,
                .computed = "that of `contact-tolerance`"},
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
          .contactTolerance = readContactTolerance(section, input.solver),
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
