// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_TRIANGLERULE_HH
#define DUNE_IMPACT_GEOMETRY_TRIANGLERULE_HH

#include <array>
#include <cmath>

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

  /** \brief Six points, positive weights, exact for polynomials of degree 4
   *
   *     places (a, a, 1 - 2a) and permutations,   a = (8 - sqrt(10) +- sqrt(38 - 44 sqrt(2/5))) / 18,
   *     weights (620 +- sqrt(213125 - 53320 sqrt(10))) / 3720
   */
  inline const std::array<TrianglePoint, 6>& sixPointRule()
  {
    static const auto rule = [] {
      std::array<TrianglePoint, 6> points;
      int i = 0;
      for (double sign : {1.0, -1.0}) {
        const double a = (8 - std::sqrt(10) + sign * std::sqrt(38 - 44 * std::sqrt(0.4))) / 18;
        const double weight = (620 + sign * std::sqrt(213125 - 53320 * std::sqrt(10))) / 3720;
        for (int k = 0; k < 3; ++k, ++i) {
          points[i] = {{a, a, a}, weight};
          points[i].place[k] = 1 - 2 * a;
        }
      }
      return points;
    }();
    return rule;
  }

} // namespace Dune::Impact

#endif
