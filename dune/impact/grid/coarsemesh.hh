// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_COARSEMESH_HH
#define DUNE_IMPACT_GRID_COARSEMESH_HH

#include <functional>
#include <string>
#include <vector>

#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_grid
 * \brief A coarse mesh with curved facets, and its uniform refinement
 */

namespace Dune::Impact {

  /** \brief The shape of a boundary facet as a map of its reference element
   *
   * The corners of the reference element are the corners of the facet in their order, for
   * quadrilaterals in the lexicographic order of DUNE: corner 3 of the facet is corner 2 there.
   */
  template<int dim>
  using Curve = std::function<FieldVector<double, dim>(const FieldVector<double, dim - 1>&)>;

  //! All that is known of a body before refinement
  template<int dim>
  struct CoarseMesh
  {
    SolidMesh<dim> mesh;
    //! per facet, empty for a straight one; no entries at all if nothing is curved
    std::vector<Curve<dim>> curves;
    //! cells have middle nodes, which give the curves: nothing else uses them
    bool secondOrder = false;
    std::vector<std::string> notes = {}; //!< what the file has and the mesh does not, as sentences
  };

  /** \brief Refine uniformly through a UGGrid
   *
   * Nodes that refinement makes on a curved facet lie on the curve. Level 0 keeps the order of
   * the nodes; on finer levels nodes are numbered as the elements meet them.
   * Throws InputError with "origin: ..." if the refined mesh is not valid.
   */
  template<int dim>
  SolidMesh<dim> refineMesh(const CoarseMesh<dim>& coarse, int levels, const std::string& origin);

  extern template SolidMesh<2> refineMesh(const CoarseMesh<2>&, int, const std::string&);
  extern template SolidMesh<3> refineMesh(const CoarseMesh<3>&, int, const std::string&);

} // namespace Dune::Impact

#endif
