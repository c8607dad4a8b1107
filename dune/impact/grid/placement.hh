// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_PLACEMENT_HH
#define DUNE_IMPACT_GRID_PLACEMENT_HH

#include <dune/impact/common/types.hh>
#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_grid
 * \brief Rigid motion of a mesh
 */

namespace Dune::Impact {

  /** \brief Turn a mesh about the origin, then shift it: X becomes position + exp(rotation) X
   *
   * The rotation is a vector along the axis, as long as the angle; in two dimensions only its
   * third component counts. Without a rotation the coordinates keep all their digits.
   */
  template<int dim>
  void placeMesh(SolidMesh<dim>& mesh, const Vec3& position, const Vec3& rotation);

  extern template void placeMesh(SolidMesh<2>&, const Vec3&, const Vec3&);
  extern template void placeMesh(SolidMesh<3>&, const Vec3&, const Vec3&);

} // namespace Dune::Impact

#endif
