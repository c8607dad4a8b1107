// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_MESHCHECKS_HH
#define DUNE_IMPACT_GRID_MESHCHECKS_HH

#include <optional>
#include <string>
#include <vector>

#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_grid
 * \brief What a mesh must satisfy before anything is computed with it
 */

namespace Dune::Impact {

  //! What nodes and cells are called in messages: by default they are counted from zero
  struct MeshLabels
  {
    std::vector<std::size_t> node = {}, cell = {};

    std::string nodeName(std::size_t i) const
    {
      return "node " + std::to_string(node.empty() ? i : node.at(i));
    }
    std::string cellName(std::size_t i) const
    {
      return "cell " + std::to_string(cell.empty() ? i : cell.at(i));
    }
  };

  /** \brief The first thing wrong with a mesh, as the end of a sentence
   *
   * Looked for: no cells, corners that do not exist, positions that are not finite, nodes of no
   * cell, cells of zero or negative volume (at a corner, for cubes; at a node or an integration
   * point, for second order), facets of more than two cells, patch names that occur twice.
   */
  template<int dim>
  std::optional<std::string> meshDefect(const SolidMesh<dim>& mesh, const MeshLabels& labels = {});

  //! Throw InputError with "origin: " and the defect of the mesh, if it has one
  template<int dim>
  void checkMesh(const SolidMesh<dim>& mesh, const std::string& origin,
                 const MeshLabels& labels = {});

  //! Volume of a cell (area in two dimensions), negative for an inverted one
  template<int dim>
  double cellVolume(const SolidMesh<dim>& mesh, std::size_t cell);

  //! Volume of all cells
  template<int dim>
  double meshVolume(const SolidMesh<dim>& mesh);

  extern template std::optional<std::string> meshDefect(const SolidMesh<2>&, const MeshLabels&);
  extern template std::optional<std::string> meshDefect(const SolidMesh<3>&, const MeshLabels&);
  extern template void checkMesh(const SolidMesh<2>&, const std::string&, const MeshLabels&);
  extern template void checkMesh(const SolidMesh<3>&, const std::string&, const MeshLabels&);
  extern template double cellVolume(const SolidMesh<2>&, std::size_t);
  extern template double cellVolume(const SolidMesh<3>&, std::size_t);
  extern template double meshVolume(const SolidMesh<2>&);
  extern template double meshVolume(const SolidMesh<3>&);

} // namespace Dune::Impact

#endif
