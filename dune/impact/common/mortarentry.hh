// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_MORTARENTRY_HH
#define DUNE_IMPACT_COMMON_MORTARENTRY_HH

#include <array>
#include <cstddef>

/** \file
 * \ingroup impact_common
 * \brief What a node in contact meets
 */

namespace Dune::Impact {

  /** \brief A node that a node in contact meets, at a compressed contact point,
   * see ContactPoints
   *
   * Its velocity counts in the normal component with weight n, and in that along the tangent t_c
   * with weight t_c + tiltWeight_c n.
   */
  struct MortarEntry
  {
    std::size_t dof; //!< the first of its three
    double weight;
    std::array<double, 2> tiltWeight; //!< for both tangents
  };

} // namespace Dune::Impact

#endif
