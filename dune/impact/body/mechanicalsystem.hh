// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_MECHANICALSYSTEM_HH
#define DUNE_IMPACT_BODY_MECHANICALSYSTEM_HH

#include <stdexcept>
#include <vector>

#include <Eigen/SparseCore>

#include <dune/impact/common/energies.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_body
 * \brief The one abstraction that all bodies and all steppers share
 */

namespace Dune::Impact {

  //! Entries of a sparse matrix on velocity dofs
  using Triplets = std::vector<Eigen::Triplet<double>>;

  //! y += factor * A x
  inline void addProduct(const Triplets& A, double factor, ConstSpan x, Span y)
  {
    for (const auto& entry : A)
      y[std::size_t(entry.row())] += factor * entry.value() * x[std::size_t(entry.col())];
  }

  /** \brief A configuration manifold with a retraction, a mass, an energy and a force
   *
   * A configuration q is an array of configurationSize() numbers: displacements of nodes, a
   * centre and a quaternion, frames of beam nodes. Velocities and momenta have velocitySize()
   * numbers in a trivialisation that the system chooses; it may differ from the number of
   * configuration variables.
   *
   * Explicit methods are compositions of drifts and kicks:
   *
   *     drift:  (q, p) -> (q1, p1)   free motion over a time h
   *     kick:   p += w F(t, q)
   *
   * The drift is where the manifold lives: q + h M^{-1} p in a linear space, the rotation of a
   * rigid body, the per-node Cayley step of a beam; the momentum changes only because its
   * trivialisation moves along. On a curved manifold the velocity of a drift depends on its
   * length; driftVelocity() and driftMomentum() translate. Implicit methods use the stiffness
   * besides.
   *
   * All functions are const: a system has no memory. Arrays that are written never overlap
   * those that are read. Every implementation must pass checkSystem().
   */
  class MechanicalSystem
  {
  public:
    virtual ~MechanicalSystem() = default;

    virtual std::size_t configurationSize() const = 0;
    virtual std::size_t velocitySize() const = 0;

    //! q1 = q moved along the tangent vector dq (velocitySize() numbers)
    virtual void retract(ConstSpan q, ConstSpan dq, Span q1) const = 0;

    //! The inverse of retract(), dq from q to q1; in linear spaces q1 - q
    virtual void difference(ConstSpan q, ConstSpan q1, Span dq) const
    {
      if (configurationSize() != velocitySize())
        throw std::logic_error("a system on a curved manifold must say what its difference is");
      for (std::size_t i = 0; i < dq.size(); ++i)
        dq[i] = q1[i] - q[i];
    }

    //! True if a velocity dof is an angular velocity, false if it is a velocity
    virtual bool angular(std::size_t) const { return false; }

    //! Free motion over a time h; returns the kinetic energy of this interval
    virtual double drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const = 0;

    //! Velocity v of the interval over which drift(q, p, h) moves
    virtual void driftVelocity(ConstSpan q, ConstSpan p, double, Span v) const
    {
      velocity(q, p, v);
    }

    //! Momentum with which the interval drift(q, p, h) has the velocity v
    virtual void driftMomentum(ConstSpan q, ConstSpan v, double, Span p) const
    {
      momentum(q, v, p);
    }

    //! p += weight * F(t, q), with F = -d(potential) + loads
    virtual void addForce(double t, ConstSpan q, double weight, Span p) const = 0;

    /** \brief Drift over h, then kick by weight * F(t1, q1)
     *
     * A system that is limited by memory bandwidth does both in one pass.
     */
    virtual void driftKick(ConstSpan q, ConstSpan p, double h, double t1, double weight, Span q1,
                           Span p1) const
    {
      drift(q, p, h, q1, p1);
      addForce(t1, q1, weight, p1);
    }

    //! v = M(q)^{-1} p; massless dofs give zero
    virtual void velocity(ConstSpan q, ConstSpan p, Span v) const = 0;

    //! p = M(q) v
    virtual void momentum(ConstSpan q, ConstSpan v, Span p) const = 0;

    //! Append the sparse velocity M(q)^{-1} covector
    virtual void addVelocity(ConstSpan q, std::span<const Entry> covector,
                             SparseVector& v) const = 0;

    //! Kinetic energy
    virtual double kinetic(ConstSpan q, ConstSpan p) const = 0;

    //! Stored energies of a configuration
    virtual Potentials potentials(double t, ConstSpan q) const = 0;

    /** \brief Stored energies of the interval between two configurations
     *
     * The leapfrog energy T(p) + intervalPotentials is what CD-Lagrange conserves. For a
     * quadratic energy 1/2 u K u the interval form is 1/2 u0 K u1, in general
     * 1/2 (V0 + V1) - 1/4 (q1 - q0) . (f1 - f0) with f the internal force.
     */
    virtual Potentials intervalPotentials(double t0, ConstSpan q0, double t1,
                                          ConstSpan q1) const = 0;

    //! Linear momentum, and angular momentum about the origin
    virtual Momenta momenta(ConstSpan q, ConstSpan p) const = 0;

    //! Append the entries of -dF/dq, with the offset added to rows and columns
    virtual void addStiffness(double t, ConstSpan q, std::size_t offset,
                              Triplets& entries) const = 0;

    //! True if addStiffnessProduct() is there; for systems whose matrix would be too large
    virtual bool matrixFree() const { return false; }

    //! y += -dF/dq x, only of systems that are matrixFree()
    virtual void addStiffnessProduct(double, ConstSpan, ConstSpan, Span) const {}
  };

} // namespace Dune::Impact

#endif
