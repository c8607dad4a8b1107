// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_OUTLINE_HH
#define DUNE_IMPACT_GEOMETRY_OUTLINE_HH

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include <dune/impact/common/types.hh>
#include <dune/impact/common/visualizationdata.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Lines of which outlines of obstacles are made
 */

namespace Dune::Impact {

  inline void addPolyline(VisualizationData& visual, std::span<const Vec3> points, bool closed)
  {
    const std::size_t first = visual.points.size(), n = points.size();
    visual.points.insert(visual.points.end(), points.begin(), points.end());
    for (std::size_t i = 0; i + !closed < n; ++i)
      visual.addCell(VisualizationCell::line, {first + i, first + (i + 1) % n});
  }

  inline void addLine(VisualizationData& visual, const Vec3& from, const Vec3& to)
  {
    addPolyline(visual, std::vector{from, to}, false);
  }

  //! A closed line centre + radius (a cos + b sin)
  inline void addCircle(VisualizationData& visual, const Vec3& centre, const Vec3& a, const Vec3& b,
                        double radius)
  {
    constexpr int corners = 64;
    std::vector<Vec3> points(corners, centre);
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      points[i].axpy(radius * std::cos(angle), a);
      points[i].axpy(radius * std::sin(angle), b);
    }
    addPolyline(visual, points, true);
  }

} // namespace Dune::Impact

#endif
