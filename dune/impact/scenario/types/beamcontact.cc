// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/contact/beamcontact.hh>
#include <dune/impact/scenario/types/beamcontact.hh>

namespace Dune::Impact {

  void addBeamContact(const Section& section, Scene& scene, std::size_t first, std::size_t second, const ContactLaw& law)
  {
    for (const auto& [key, body] : {std::pair("first", first), std::pair("second", second)}) {
      const auto* beam = dynamic_cast<const Beam*>(&scene.system.body(body));
      const std::string& name = scene.system.body(body).name();
      if (!beam)
        section.fail(key, fmt::format("must be a beam too, which {} is not", name));
      if (beam->formulation() != BeamFormulation::exponential)
        section.fail(key, fmt::format("contact of beams needs formulation = exponential, which {} has not", name));
      if (!(beam->section().radius > 0))
        section.fail(key, fmt::format("contact of beams needs a circular section, which {} has not", name));
    }
    if (law.restitution != 0)
      section.fail("restitution", "must be 0 for beams");
    const std::string method = section.word("method", "mortar");
    if (method == "point")
      section.fail("method", "must be mortar, dual-mortar or collocation between beams");
    BeamConstraints constraints = method == "mortar" ? BeamConstraints::mortar : BeamConstraints::dualMortar;
    if (method == "collocation")
      constraints = section.word("points") == "nodes" ? BeamConstraints::nodes : BeamConstraints::midpoints;
    scene.frictionContacts.push_back({section.label(), std::make_unique<BeamContact>(scene.system, first, second, constraints), law.friction});
  }

} // namespace Dune::Impact
