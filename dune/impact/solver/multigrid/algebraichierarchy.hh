// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_ALGEBRAICHIERARCHY_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_ALGEBRAICHIERARCHY_HH

#include <cstddef>
#include <memory>
#include <vector>

#include <dune/common/fvector.hh>

#include <dune/impact/common/assemblymatrix.hh>
#include <dune/impact/solver/multigrid/transfer.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Levels for nodes that have none: from the graph of the matrix and the positions of the
 * nodes
 */

namespace Dune::Impact {

  //! How an algebraic hierarchy is made, and where it ends
  struct AlgebraicHierarchySettings
  {
    std::size_t coarsest = 100; //!< a level with at most so many nodes is the last one
    //! edges longer than this multiple of the shortest one of a node are not coarsened along
    double stretch = 3;
    //! a level that has not lost nodes by this factor is not worth it, and ends the hierarchy
    double leastReduction = 1.5;
    //! 0: OMP_NUM_THREADS, or one per core; results do not depend on it
    int threads = 0;
  };

  //! Nodes of a level: who is connected to whom, and where they are
  template<int d>
  struct NodeCloud
  {
    SparsityPattern graph; //!< symmetric; diagonal entries are ignored
    std::vector<FieldVector<double, d>> positions;
  };

  /** \brief Transfers from the next coarser level to the given one, and so on, until few nodes are
   * left
   *
   * Coarse nodes are a maximal independent set of the nodes: no two of them are neighbours, every
   * other node has one as neighbour. Corners, edges and faces of the body, which are told by the
   * distance of a node from the centre of its neighbours, are visited first, so that the hull of a
   * level stays close to the body. Each node belongs to the nearest coarse neighbour; coarse nodes
   * whose nodes are connected are neighbours on the coarse level, which makes the coarse graph one
   * of a Delaunay mesh that knows where the body ends.
   *
   * A node at x gets the values of dimension + 1 coarse nodes x_I near by,
   *
   *     v = sum_I w_I v_I,   sum w_I = 1,   sum w_I x_I = x,
   *
   * of all such simplices the one with least sum |w_I| |x_I - x|^2, plus a penalty for sum |w_I| >
   * 1 which there is outside of the simplex only. Within the hull of the coarse nodes this is the
   * interpolation on their Delaunay simplices. Affine functions, and with them the rigid modes and
   * all constant strains, are exact on every level, up to nodes for which no such simplex is at
   * hand (thin walls): these are interpolated on the plane or line that is nearest. Unknowns stay
   * displacements of nodes, so that bounds of coarse corrections are bounds of nodes.
   */
  template<int d>
  std::vector<std::shared_ptr<const Transfer<d>>> algebraicTransfers(
    NodeCloud<d> nodes, const AlgebraicHierarchySettings& settings = {});

  /** \brief The nodes of the coarse level of a transfer of scalar weights
   *
   * Coarse nodes must be fine nodes too: those with the single weight one.
   */
  template<int d>
  NodeCloud<d> coarseCloud(const NodeCloud<d>& fine, const Transfer<d>& transfer);

} // namespace Dune::Impact

#endif
