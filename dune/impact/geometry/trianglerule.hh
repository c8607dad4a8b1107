// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_TRIANGLERULE_HH
#define DUNE_IMPACT_GEOMETRY_TRIANGLERULE_HH

#include <array>

/** \file
 * \ingroup impact_geometry
 * \brief Quadrature on triangles in barycentric coordinates
 */

namespace Dune::Impact {

  //! A point of a quadrature rule
  struct TrianglePoint
  {
    std::array<double, 3> place; //!< barycentric
    double weight;               //!< weights sum up to one
  };

  //! Four points, exact for polynomials of degree 3; the weight of the centre is negative
  inline constexpr std::array<TrianglePoint, 4> fourPointRule()
  {
    constexpr double third = 1.0 / 3, outer = 25.0 / 48;
    return {{{{third, third, third}, -27.0 / 48},
             {{0.6, 0.2, 0.2}, outer},
             {{0.2, 0.6, 0.2}, outer},
             {{0.2, 0.2, 0.6}, outer}}};
  }

} // namespace Dune::Impact

#endif
