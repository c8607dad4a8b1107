// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_SHAPES_HH
#define DUNE_IMPACT_GRID_SHAPES_HH

#include <array>

#include <dune/impact/grid/coarsemesh.hh>

/** \file
 * \ingroup impact_grid
 * \brief Generated meshes
 *
 * Wrong numbers (empty boxes, no cells) throw InputError. refineMesh() makes levels out of the
 * coarse meshes; curved boundaries are followed exactly.
 */

namespace Dune::Impact {

  /** \brief Box with cells[k] cells in direction k; simplices are made by cutting these cells
   *
   * Patches: xmin, xmax, ymin, ymax and, in three dimensions, zmin, zmax.
   */
  template<int dim>
  CoarseMesh<dim> makeBox(const FieldVector<double, dim>& lower,
                          const FieldVector<double, dim>& upper, const std::array<int, dim>& cells,
                          CellShape shape = CellShape::simplex);

  /** \brief Disc or ball about the origin with a number of cells along the radius
   *
   * Simplices: six triangles or twenty tetrahedra about the centre, each cut. Cubes: a square or
   * cube in the middle with layers around it, at least two cells along the radius.
   * Patch: surface.
   */
  template<int dim>
  CoarseMesh<dim> makeBall(double radius, int cells, CellShape shape = CellShape::simplex);

  /** \brief Ring or hollow ball about the origin with a number of cells across the wall
   *
   * Along the wall there are as many cells as make them about as long as thick.
   * Patches: inner, outer.
   */
  template<int dim>
  CoarseMesh<dim> makeShell(double inner, double outer, int cells,
                            CellShape shape = CellShape::simplex);

  extern template CoarseMesh<2> makeBox<2>(const FieldVector<double, 2>&,
                                           const FieldVector<double, 2>&, const std::array<int, 2>&,
                                           CellShape);
  extern template CoarseMesh<3> makeBox<3>(const FieldVector<double, 3>&,
                                           const FieldVector<double, 3>&, const std::array<int, 3>&,
                                           CellShape);
  extern template CoarseMesh<2> makeBall<2>(double, int, CellShape);
  extern template CoarseMesh<3> makeBall<3>(double, int, CellShape);
  extern template CoarseMesh<2> makeShell<2>(double, double, int, CellShape);
  extern template CoarseMesh<3> makeShell<3>(double, double, int, CellShape);

} // namespace Dune::Impact

#endif
