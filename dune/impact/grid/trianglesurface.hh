// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_TRIANGLESURFACE_HH
#define DUNE_IMPACT_GRID_TRIANGLESURFACE_HH

#include <array>
#include <filesystem>
#include <vector>

#include <dune/impact/geometry/so3.hh>

/** \file
 * \ingroup impact_grid
 * \brief Closed surfaces of triangles from files
 */

namespace Dune::Impact {

  //! Vertices that are all used, and triangles that are counter-clockwise seen from outside
  struct TriangleSurface
  {
    std::vector<Vector3> vertices;
    std::vector<std::array<std::size_t, 3>> triangles;
  };

  /** \brief Read a closed surface
   *
   * A file that ends with .stl is STL, as text or binary; its corners are joined where they are
   * equal. Any other file is Gmsh 2.2: the boundary of its tetrahedra if it has any, else its
   * triangles. InputError if the surface is empty, not closed, not oriented, degenerate or inside
   * out in parts; a surface that is inside out as a whole is turned.
   */
  TriangleSurface readTriangleSurface(const std::filesystem::path& file);

} // namespace Dune::Impact

#endif
