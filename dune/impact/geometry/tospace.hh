// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_TOSPACE_HH
#define DUNE_IMPACT_GEOMETRY_TOSPACE_HH

#include <algorithm>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Vectors of the plane as vectors of space
 */

namespace Dune::Impact {

  //! The same vector in space; components that a plane does not have are zero
  template<int dim>
  Vec3 toSpace(const FieldVector<double, dim>& x)
  {
    Vec3 result(0);
    std::copy(x.begin(), x.end(), result.begin());
    return result;
  }

} // namespace Dune::Impact

#endif
