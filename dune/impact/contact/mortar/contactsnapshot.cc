// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>

#include <dune/impact/contact/mortar/contactsnapshot.hh>

namespace Dune::Impact {

  namespace {

    template<int dim>
    void addFacets(const ContactSurface<dim>& surface, VisualizationData& visual)
    {
      for (const auto& facet : surface.facets) {
        visual.cells.push_back(facet.count == 2   ? VisualizationCell::line
                               : facet.count == 3 ? VisualizationCell::triangle
                                                  : VisualizationCell::quadrilateral);
        visual.connectivity.insert(visual.connectivity.end(), facet.corners().begin(),
                                   facet.corners().end());
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

    //! Sums per node from the values of its multipliers
    template<int dim>
    std::vector<double> nodeSums(const WeightedGapGeometry<dim>& geometry, ConstSpan values)
    {
      std::vector<double> result(geometry.surface().node.size(), 0);
      for (std::size_t multiplier = 0; multiplier < values.size(); ++multiplier)
        result[geometry.multiplierNode(multiplier)] += values[multiplier];
      return result;
    }

    //! Gap, normal and status, from the forces of nodes
    template<int dim>
    std::vector<VisualizationField> gapFields(const WeightedGapGeometry<dim>& geometry,
                                              const WeightedGaps<dim>& gaps, ConstSpan forces)
    {
      const std::size_t n = forces.size();
      const double nothing = std::numeric_limits<double>::quiet_NaN();
      VisualizationField gap{"gap", 1, std::vector<double>(n, nothing)},
        normal{"normal", 3, std::vector<double>(3 * n, nothing)};
      VisualizationField status{"status", 1, std::vector<double>(n, double(ContactStatus::alone))};
      for (std::size_t p = 0; p < gaps.size(); ++p) {
        const std::size_t i = geometry.multiplierNode(gaps[p].multiplier);
        const double distance = gaps[p].value / gaps[p].weight;
        if (gap.values[i] <= distance) // of another multiplier; nothing is not
          continue;
        gap.values[i] = distance;
        for (int c = 0; c < 3; ++c)
          normal.values[3 * i + c] = c < dim ? gaps[p].normal[c] : 0;
        status.values[i] = double(ContactStatus::open);
      }
      for (std::size_t i = 0; i < n; ++i)
        if (forces[i] > 0)
          status.values[i] = double(ContactStatus::touching);
      return {gap, normal, status};
    }

  } // namespace

  //! Surface in the present configuration with gaps c_p/D_p, normals, status, and the pressure: the
  //! force of a node divided by its present area int N_p
  template<int dim>
  VisualizationData contactSnapshot(const WeightedGapGeometry<dim>& geometry, ConstSpan u,
                                    const WeightedGaps<dim>& gaps, ConstSpan forces,
                                    ConstSpan multipliers)
  {
    const ContactSurface<dim> present = deformed(geometry.surface(), u);
    const std::vector<double> ofNodes = nodeSums(geometry, forces);
    const auto areas = nodeAreas(present);
    VisualizationField pressure{"pressure", 1, {}};
    VisualizationData visual;
    for (std::size_t i = 0; i < areas.size(); ++i) {
      Vec3 point(0);
      for (int c = 0; c < dim; ++c)
        point[c] = present.reference[i][c];
      visual.points.push_back(point);
      pressure.values.push_back(ofNodes[i] / areas[i]);
    }
    addFacets(geometry.surface(), visual);
    visual.pointFields = gapFields<dim>(geometry, gaps, ofNodes);
    visual.pointFields.push_back(pressure);
    visual.pointFields.push_back({"multiplier", 1, nodeSums(geometry, multipliers)});
    return visual;
  }

  template VisualizationData contactSnapshot(const WeightedGapGeometry<2>&, ConstSpan,
                                             const WeightedGaps<2>&, ConstSpan, ConstSpan);
  template VisualizationData contactSnapshot(const WeightedGapGeometry<3>&, ConstSpan,
                                             const WeightedGaps<3>&, ConstSpan, ConstSpan);

} // namespace Dune::Impact
