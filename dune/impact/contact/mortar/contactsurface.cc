// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/body/facetrule.hh>
#include <dune/impact/contact/mortar/contactsurface.hh>

namespace Dune::Impact {

  namespace {

    //! Append a facet; one of second order as linear facets between its nodes
    template<int dim>
    void addFlat(const typename SolidMesh<dim>::Facet& facet, ContactSurface<dim>& surface)
    {
      if (facet.middles == 0) {
        surface.facets.push_back(facet);
        return;
      }
      const auto add = [&](auto... nodes) {
        auto part = facet;
        part.middles = 0;
        part.node.fill(0);
        int k = 0;
        ((part.node[k++] = facet.node[nodes]), ...);
        surface.facets.push_back(part);
      };
      if constexpr (dim == 2) {
        add(0, 2);
        add(2, 1);
      }
      else {
        add(0, 3, 5);
        add(3, 1, 4);
        add(5, 4, 2);
        add(3, 4, 5);
      }
    }

  } // namespace

  //! Facets of a patch, or of the whole boundary, with corners numbered by their place in the
  //! sorted list of the nodes of the surface
  template<int dim>
  ContactSurface<dim> makeContactSurface(const SolidMesh<dim>& mesh, std::optional<int> patch,
                                         std::size_t body, std::size_t firstNode)
  {
    ContactSurface<dim> surface;
    surface.body = body;
    std::vector<Index> local;
    for (const auto& facet : mesh.facets)
      if (!patch || facet.patch == *patch) {
        addFlat(facet, surface);
        local.insert(local.end(), facet.nodes().begin(), facet.nodes().end());
      }
    std::sort(local.begin(), local.end());
    local.erase(std::unique(local.begin(), local.end()), local.end());
    for (Index i : local) {
      surface.node.push_back(firstNode + i);
      surface.reference.push_back(mesh.nodes[i]);
    }
    for (auto& facet : surface.facets)
      for (int c = 0; c < facet.count; ++c)
        facet.node[c] =
          Index(std::lower_bound(local.begin(), local.end(), facet.node[c]) - local.begin());
    return surface;
  }

  //! D_p = int N_p dS over the reference surface
  template<int dim>
  std::vector<double> nodeAreas(const ContactSurface<dim>& surface)
  {
    std::vector<double> area(surface.node.size(), 0);
    for (const auto& facet : surface.facets)
      for (const auto& point : facetRule<dim>(facet, [&](Index i) { return surface.reference[i]; }))
        for (int c = 0; c < facet.count; ++c)
          area[facet.node[c]] += point.weight * point.value[c];
    return area;
  }

  //! Present areas a_p = int N_p of the nodes with a force f_p: their sum, and the largest f_p/a_p.
  //! Facets without such a node are left out.
  template<int dim>
  ContactZone contactZone(const ContactSurface<dim>& surface, ConstSpan u, ConstSpan forces)
  {
    ContactZone zone;
    if (std::none_of(forces.begin(), forces.end(), [](double f) { return f > 0; }))
      return zone;
    std::vector<double> area(forces.size(), 0);
    for (const auto& facet : surface.facets) {
      const auto corners = facet.corners();
      if (std::none_of(corners.begin(), corners.end(), [&](Index i) { return forces[i] > 0; }))
        continue;
      for (const auto& point :
           facetRule<dim>(facet, [&](Index i) { return surface.position(i, u); }))
        for (int c = 0; c < facet.count; ++c)
          area[facet.node[c]] += point.weight * point.value[c];
    }
    for (std::size_t i = 0; i < area.size(); ++i)
      if (forces[i] > 0) {
        zone.area += area[i];
        zone.pressure = std::max(zone.pressure, forces[i] / area[i]);
      }
    return zone;
  }

  //! Mean over the facets of the largest distance of two corners
  template<int dim>
  double facetSize(const ContactSurface<dim>& surface)
  {
    double sum = 0;
    for (const auto& facet : surface.facets) {
      double size = 0;
      for (Index i : facet.corners())
        for (Index j : facet.corners())
          size = std::max(size, (surface.reference[i] - surface.reference[j]).two_norm());
      sum += size;
    }
    return sum / double(surface.facets.size());
  }

  template ContactSurface<2> makeContactSurface(const SolidMesh<2>&, std::optional<int>,
                                                std::size_t, std::size_t);
  template ContactSurface<3> makeContactSurface(const SolidMesh<3>&, std::optional<int>,
                                                std::size_t, std::size_t);
  template std::vector<double> nodeAreas(const ContactSurface<2>&);
  template std::vector<double> nodeAreas(const ContactSurface<3>&);
  template ContactZone contactZone(const ContactSurface<2>&, ConstSpan, ConstSpan);
  template ContactZone contactZone(const ContactSurface<3>&, ConstSpan, ConstSpan);
  template double facetSize(const ContactSurface<2>&);
  template double facetSize(const ContactSurface<3>&);

} // namespace Dune::Impact
