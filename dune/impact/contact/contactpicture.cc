// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>

#include <dune/impact/contact/contactpicture.hh>

namespace Dune::Impact {

  namespace {

    template<int dim>
    void addFacets(const ContactSurface<dim>& surface, Visual& visual)
    {
      for (const auto& facet : surface.facets) {
        visual.cells.push_back(facet.count == 2 ? VisualCell::line : facet.count == 3 ? VisualCell::triangle : VisualCell::quadrilateral);
        visual.connectivity.insert(visual.connectivity.end(), facet.corners().begin(), facet.corners().end());
        visual.offsets.push_back(visual.connectivity.size());
      }
    }

    //! The surface with its present positions as reference
    template<int dim>
    ContactSurface<dim> deformed(ContactSurface<dim> surface, ConstSpan u)
    {
      for (std::size_t i = 0; i < surface.node.size(); ++i)
        surface.reference[i] = surface.position(i, u);
      return surface;
    }

  } // namespace

  template<int dim>
  Visual contactPicture(const ContactSurface<dim>& surface, ConstSpan u, const GapSet<dim>& gaps, ConstSpan forces)
  {
    const ContactSurface<dim> present = deformed(surface, u);
    const auto areas = nodeAreas(present);
    const std::size_t n = areas.size();
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    VisualField pressure{"pressure", 1, std::vector<double>(n)}, gap{"gap", 1, std::vector<double>(n, nothing)};
    VisualField normal{"normal", 3, std::vector<double>(3 * n, nothing)}, status{"status", 1, std::vector<double>(n, double(ContactStatus::alone))};
    Visual visual;
    for (std::size_t i = 0; i < n; ++i) {
      Vec3 point(0);
      for (int c = 0; c < dim; ++c)
        point[c] = present.reference[i][c];
      visual.points.push_back(point);
      pressure.values[i] = forces[i] / areas[i];
    }
    for (std::size_t p = 0; p < gaps.size(); ++p) {
      const std::size_t i = gaps[p].slot;
      gap.values[i] = gaps[p].value / gaps[p].weight;
      for (int c = 0; c < 3; ++c)
        normal.values[3 * i + c] = c < dim ? gaps[p].normal[c] : 0;
      status.values[i] = double(ContactStatus::open);
    }
    for (std::size_t i = 0; i < n; ++i)
      if (forces[i] > 0)
        status.values[i] = double(ContactStatus::touching);
    addFacets(surface, visual);
    visual.pointFields = {pressure, gap, normal, status};
    return visual;
  }

  template Visual contactPicture(const ContactSurface<2>&, ConstSpan, const GapSet<2>&, ConstSpan);
  template Visual contactPicture(const ContactSurface<3>&, ConstSpan, const GapSet<3>&, ConstSpan);

} // namespace Dune::Impact
