// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/scenario/contactcolumns.hh>

namespace Dune::Impact {

  namespace {

    //! Forces of the nodes of a surface, whose nodes are numbered as in the body
    template<int dim>
    std::vector<double> nodeForces(const ContactSurface<dim>& surface,
                                   const std::vector<NodeImpulse>& impulses, double time)
    {
      std::vector<double> forces(surface.node.size(), 0);
      for (const auto& [node, impulse] : impulses) {
        const auto place = std::lower_bound(surface.node.begin(), surface.node.end(), node);
        if (place != surface.node.end() && *place == node)
          forces[std::size_t(place - surface.node.begin())] += impulse / time;
      }
      return forces;
    }

  } // namespace

  ContactColumns::ContactColumns(const Scene& scene, const Contact& contact, std::size_t number)
    : scene_(scene)
    , contact_(contact)
    , number_(number)
    , edge_(surfaceOfFirst<2>())
    , surface_(surfaceOfFirst<3>())
  {}

  template<int dim>
  std::optional<ContactSurface<dim>> ContactColumns::surfaceOfFirst() const
  {
    const std::size_t body = contact_.geometry.firstBody();
    const auto* solid = dynamic_cast<const ImplicitBody<dim>*>(&scene_.system.body(body));
    if (!solid)
      return {};
    const auto patch =
      contact_.first.patch ? std::optional(int(*contact_.first.patch)) : std::nullopt;
    return makeContactSurface<dim>(solid->mesh(), patch, body, 0);
  }

  void ContactColumns::addNames(std::vector<std::string>& names) const
  {
    const auto add = [&](std::initializer_list<const char*> quantities) {
      for (const char* quantity : quantities)
        names.push_back(contact_.name + "." + quantity);
    };
    add({"force_x", "force_y", "force_z", "gap"});
    if (edge_ || surface_)
      add({"area", "pressure"});
    if (contact_.law.friction > 0)
      add({"sticking", "sliding", "friction_work"});
  }

  void ContactColumns::addValues(const StepReport& report, ConstSpan q, double frictionWork,
                                 std::vector<double>& values) const
  {
    const ContactReport& contact = report.contact[number_];
    for (double impulse : contact.impulse)
      values.push_back(report.weight > 0 ? impulse / report.weight : 0);
    values.push_back(std::isinf(contact.gap) ? std::numeric_limits<double>::quiet_NaN()
                                             : contact.gap);
    if (edge_ || surface_) {
      const ContactZone now = zone(report, q);
      values.insert(values.end(), {now.area, now.pressure});
    }
    if (contact_.law.friction > 0)
      values.insert(values.end(),
                    {double(contact.sticking), double(contact.sliding), frictionWork});
  }

  ContactZone ContactColumns::zone(const StepReport& report, ConstSpan q) const
  {
    const std::vector<NodeImpulse>& impulses = report.contact[number_].nodes;
    if (impulses.empty() || !(report.weight > 0))
      return {};
    const ConstSpan u = scene_.system.configurationSlice(contact_.geometry.firstBody(), q);
    return edge_ ? contactZone<2>(*edge_, u, nodeForces(*edge_, impulses, report.weight))
                 : contactZone<3>(*surface_, u, nodeForces(*surface_, impulses, report.weight));
  }

} // namespace Dune::Impact
