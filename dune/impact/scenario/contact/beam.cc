// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/contact/beam/beamcontact.hh>
#include <dune/impact/contact/beam/beamobstacle.hh>
#include <dune/impact/scenario/contact/beam.hh>

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

    void add(const Section& section, Scene& scene, std::shared_ptr<const GapSlipGeometry> coupling,
             const ContactLaw& law)
    {
      scene.frictionContacts.push_back({section.label(), std::move(coupling), law.friction,
                                        law.restitution, law.slip == Slip::midStep});
    }

  } // namespace

  void addBeamObstacle(const Section& section, Scene& scene, std::size_t beam,
                       std::shared_ptr<const Obstacle> obstacle, const ContactLaw& law)
  {
    add(section, scene,
        std::make_shared<BeamObstacle>(scene.system, beam, std::move(obstacle),
                                       readConstraints(section)),
        law);
  }

  void addBeamContact(const Section& section, Scene& scene, std::size_t first, std::size_t second,
                      const ContactLaw& law)
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
    add(section, scene,
        std::make_shared<BeamContact>(scene.system, first, second, readConstraints(section)), law);
  }

} // namespace Dune::Impact
