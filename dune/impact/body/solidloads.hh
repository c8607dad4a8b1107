// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_SOLIDLOADS_HH
#define DUNE_IMPACT_BODY_SOLIDLOADS_HH

#include <memory>
#include <vector>

#include <dune/impact/common/assemblymatrix.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_body
 * \brief Mass and loads of a mesh
 *
 * In two dimensions all is per unit thickness.
 */

namespace Dune::Impact {

  /** \brief int density N_a N_b, to be understood as a multiple of the identity
   *
   * The pattern is that of cellPattern() or any larger one.
   */
  template<int dim>
  AssemblyMatrix<double> consistentMass(const SolidMesh<dim>& mesh, double density,
                                        std::shared_ptr<const SparsityPattern> pattern);

  //! int density N_a, the row sums of the consistent mass: the load of gravity with that mass. At
  //! corners of P2 triangles it is zero, at those of P2 tetrahedra negative
  template<int dim>
  std::vector<double> lumpedMass(const SolidMesh<dim>& mesh, double density);

  /** \brief Positive masses of the nodes
   *
   * Row sums of the consistent mass for P1 and Q1. For P2 the diagonal of the consistent mass,
   * scaled per cell to the mass of the cell (Hinton, Rock and Zienkiewicz).
   */
  template<int dim>
  std::vector<double> diagonalMass(const SolidMesh<dim>& mesh, double density);

  /** \brief f_a += force int N_a, force per reference volume
   *
   * Gravity is the force density * g.
   */
  template<int dim>
  void addBodyForce(const SolidMesh<dim>& mesh, const FieldVector<double, dim>& force, Span f);

  //! f_a += traction int N_a over a patch, traction per reference area
  template<int dim>
  void addTraction(const SolidMesh<dim>& mesh, int patch, const FieldVector<double, dim>& traction,
                   Span f);

  /** \brief f_a -= pressure int n N_a over a patch in the configuration u
   *
   * With the current displacement the load follows the surface; with an empty u the reference
   * configuration is used, a dead load.
   */
  template<int dim>
  void addPressure(const SolidMesh<dim>& mesh, int patch, double pressure, ConstSpan u, Span f);

} // namespace Dune::Impact

#endif
