// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_MESHREADER_HH
#define DUNE_IMPACT_GRID_MESHREADER_HH

#include <string>

#include <dune/impact/grid/coarsemesh.hh>

/** \file
 * \ingroup impact_grid
 * \brief Reading Gmsh files
 */

namespace Dune::Impact {

  /** \brief Read a text file of Gmsh format 2.2
   *
   * Cells are triangles and quadrilaterals (dim = 2), tetrahedra and hexahedra (dim = 3). The
   * physical groups of dimension dim - 1 become the patches, with their number and their name.
   * Boundary facets of meshes made with -order 2 (not hexahedra) are curved by their middle
   * nodes, which are kept apart from the nodes of the mesh. Nodes keep the order of the file.
   *
   * Throws InputError with one sentence "file: ..." for files that are missing, binary, of
   * another format, of another dimension, or not a mesh in the sense of checkMesh().
   */
  template<int dim>
  CoarseMesh<dim> readGmsh(const std::string& file);

  extern template CoarseMesh<2> readGmsh(const std::string&);
  extern template CoarseMesh<3> readGmsh(const std::string&);

} // namespace Dune::Impact

#endif
