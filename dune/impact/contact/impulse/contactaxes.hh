// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_IMPULSE_CONTACTAXES_HH
#define DUNE_IMPACT_CONTACT_IMPULSE_CONTACTAXES_HH

#include <array>

#include <dune/impact/geometry/tangents.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief The directions of a contact point
 */

namespace Dune::Impact {

  //! Axes of a row: a unit normal and its tangents
  inline std::array<Vec3, 3> contactAxes(const Vec3& normal)
  {
    const auto t = tangents(normal);
    return {normal, t[0], t[1]};
  }

} // namespace Dune::Impact

#endif
