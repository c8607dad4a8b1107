// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/contact/beam/beamcontact.hh>
#include <dune/impact/contact/beam/beamobstacle.hh>
#include <dune/impact/scenario/contact/builders.hh>

namespace Dune::Impact {

  namespace {

    BeamConstraints readConstraints(const Section& section)
    {
      const std::string method = section.word("method", "mortar");
      if (method == "point" || method == "node-to-face")
        section.fail("method", "must be mortar, dual-mortar or collocation between beams");
      if (method != "collocation")
        return method == "mortar" ? BeamConstraints::mortar : BeamConstraints::dualMortar;
      const std::string points = section.word("points");
      return points == "nodes"     ? BeamConstraints::nodes
             : points == "gauss-2" ? BeamConstraints::gaussTwo
                                   : BeamConstraints::midpoints;
    }

  } // namespace

  /* A whole beam with a circular section touches an obstacle with its surface; a part of it, any
   * other beam, and every beam with method = point with the nodes of its axis. */
  bool touchesRound(const Section& section, const Scene& scene, const SideInput& side)
  {
    const auto* beam = dynamic_cast<const Beam*>(&scene.system.body(side.body));
    if (!beam || beam->formulation() != BeamFormulation::exponential)
      return false;
    const bool surface = section.word("method", "point") != "point";
    if (surface && !side.part.empty())
      section.fail("method",
                   "must be point for a part of a beam, which touches with the nodes of its axis");
    if (surface && !(beam->section().radius > 0))
      section.fail("method",
                   fmt::format("must be point, because {} has no circular section", beam->name()));
    return surface || (!section.has("method") && side.part.empty() && beam->section().radius > 0);
  }

  ContactGeometry beamOnObstacle(const Section& section, const Scene& scene, std::size_t beam,
                                 std::shared_ptr<const Obstacle> obstacle)
  {
    return std::make_shared<BeamObstacle>(scene.system, beam, std::move(obstacle),
                                          readConstraints(section));
  }

  ContactGeometry beamOnBeam(const Section& section, const Scene& scene, std::size_t first,
                             std::size_t second)
  {
    for (const auto& [key, body] : {std::pair("first", first), std::pair("second", second)}) {
      const auto* beam = dynamic_cast<const Beam*>(&scene.system.body(body));
      const std::string& name = scene.system.body(body).name();
      if (!beam)
        section.fail(key, fmt::format("must be a beam too, which {} is not", name));
      if (beam->formulation() != BeamFormulation::exponential)
        section.fail(
          key,
          fmt::format("contact of beams needs formulation = exponential, which {} has not", name));
      if (!(beam->section().radius > 0))
        section.fail(
          key, fmt::format("contact of beams needs a circular section, which {} has not", name));
    }
    const BeamPartner partner =
      section.word("partner") == "section" ? BeamPartner::section : BeamPartner::closest;
    return std::make_shared<BeamContact>(scene.system, first, second, readConstraints(section),
                                         partner);
  }

} // namespace Dune::Impact
