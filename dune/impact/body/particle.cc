// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/body/particle.hh>

namespace Dune::Impact {

  void Particle::sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const
  {
    const Vec3 u = displacement(q, 0);
    const Vec3 velocity = displacement(v, 0); // same layout as a displacement
    visual.points = {reference(0) + u};
    visual.addCell(VisualizationCell::vertex, {0});
    visual.pointFields = {{"displacement", 3, {u[0], u[1], u[2]}},
                          {"velocity", 3, {velocity[0], velocity[1], velocity[2]}},
                          {"radius", 1, {radius_}}};
  }

} // namespace Dune::Impact
