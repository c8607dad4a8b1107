// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_TANGENTS_HH
#define DUNE_IMPACT_GEOMETRY_TANGENTS_HH

#include <array>
#include <cmath>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Directions across a given one
 */

namespace Dune::Impact {

  //! Two unit vectors that complete a unit normal to an orthonormal basis (the first in the plane
  //! for planar normals)
  inline std::array<Vec3, 2> tangents(const Vec3& normal)
  {
    if (normal[2] == 0)
      return {Vec3{-normal[1], normal[0], 0}, Vec3{0, 0, 1}};
    Vec3 first = std::abs(normal[0]) < std::abs(normal[1]) ? Vec3{0, -normal[2], normal[1]}
                                                           : Vec3{normal[2], 0, -normal[0]};
    first /= first.two_norm();
    return {first, cross(normal, first)};
  }

} // namespace Dune::Impact

#endif
