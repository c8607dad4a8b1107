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

  //! A node in the middle of an edge: the numbers of its ends, and its position
  template<int dim>
  struct EdgeNode
  {
    Index a, b;
    FieldVector<double, dim> position;
  };

  //! All that is known of a body before refinement
  template<int dim>
  struct CoarseMesh
  {
    SolidMesh<dim> mesh;
    //! per facet, empty for a straight one; no entries at all if nothing is curved
    std::vector<Curve<dim>> curves;
    //! nodes in the middle of edges of a file of second order; they also give the curves
    std::vector<EdgeNode<dim>> middles = {};
    //! how many of them are inside and not in the middle: refinement knows nothing of these
    std::size_t bentInside = 0;
    std::vector<std::string> notes = {}; //!< what the file has and the mesh does not, as sentences
  };

  /** \brief Refine uniformly through a UGGrid
   *
   * Nodes that refinement makes on a curved facet lie on the curve. Level 0 keeps the order of
   * the nodes; on finer levels nodes are numbered as the elements meet them.
   *
   * With order = 2 the last level gets nodes in the middle of its edges: those that the file gives
   * if nothing is refined, otherwise on the curve for edges on the boundary and in the middle for
   * edges inside. The last prolongation then leads from first to second order.
   *
   * Throws InputError with "origin: ..." if the refined mesh is not valid.
   */
  template<int dim>
  SolidMesh<dim> refineMesh(const CoarseMesh<dim>& coarse, int levels, const std::string& origin,
                            int order = 1);

  extern template SolidMesh<2> refineMesh(const CoarseMesh<2>&, int, const std::string&, int);
  extern template SolidMesh<3> refineMesh(const CoarseMesh<3>&, int, const std::string&, int);

} // namespace Dune::Impact

#endif
