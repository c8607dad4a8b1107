// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_IMPLICITBODY_HH
#define DUNE_IMPACT_BODY_IMPLICITBODY_HH

#include <cstdint>
#include <memory>
#include <vector>

#include <dune/common/fmatrix.hh>

#include <dune/impact/common/assemblymatrix.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_body
 * \brief What implicit methods ask of a body besides what every body offers
 */

namespace Dune::Impact {

  /** \brief A body of nodes with displacements, a mass matrix and an elastic energy W(u)
   *
   * A refinement of Body: a body that also derives from this class can be used with midpoint
   * rules and quasi-static methods. Displacements u, velocities v and forces have dim numbers per
   * node. Functions whose name begins with add add a multiple of their result.
   */
  template<int dim>
  class ImplicitBody
  {
  public:
    using Matrix = AssemblyMatrix<FieldMatrix<double, dim, dim>>;

    virtual ~ImplicitBody() = default;

    virtual const SolidMesh<dim>& mesh() const = 0;

    //! Pattern of mass and tangent
    virtual const std::shared_ptr<const SparsityPattern>& pattern() const = 0;

    //! Components that do not move: bit c of node i stands for component c
    virtual const std::vector<std::uint8_t>& fixed() const = 0;

    //! Velocity at the start
    virtual void initialVelocity(Span v) const = 0;

    //! p += factor M v
    virtual void addMassProduct(double factor, ConstSpan v, Span p) const = 0;

    //! A += factor M
    virtual void addMass(double factor, Matrix& A) const = 0;

    //! f += factor * force of gravity
    virtual void addGravity(double factor, Span f) const = 0;

    //! W(u), infinite where the material does not allow u
    virtual double storedEnergy(ConstSpan u) const = 0;

    //! f += weight * dW/du at the mean of two configurations
    virtual void addMidpointForce(ConstSpan u0, ConstSpan u1, double weight, Span f) const = 0;

    //! K += weight * d^2W/du^2 at the mean of two configurations
    virtual void addMidpointTangent(ConstSpan u0, ConstSpan u1, double weight, Matrix& K) const = 0;

    //! f += weight * F(u0, u1) with F(u0, u1) . (u1 - u0) = W(u1) - W(u0)
    virtual void addAveragedForce(ConstSpan u0, ConstSpan u1, double weight, Span f) const = 0;

    //! K += weight * symmetric surrogate of dF(u0, u1)/du1
    virtual void addAveragedTangent(ConstSpan u0, ConstSpan u1, double weight, Matrix& K) const = 0;
  };

} // namespace Dune::Impact

#endif
