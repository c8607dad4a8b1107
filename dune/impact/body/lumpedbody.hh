// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_LUMPEDBODY_HH
#define DUNE_IMPACT_BODY_LUMPEDBODY_HH

#include <algorithm>
#include <cstdint>
#include <vector>

#include <dune/impact/body/body.hh>

/** \file
 * \ingroup impact_body
 * \brief What all bodies made of nodes have in common
 */

namespace Dune::Impact {

  /** \brief Nodes with displacements as configuration and a diagonal mass
   *
   * Node i has the reference position X_i, the displacement u_i = q[i*dimension ...] and the
   * mass m_i >= 0. A node without mass has no momentum; drift leaves it where it is and
   * placeMasslessNodes() or a massless contact places it. Gravity acts on every node.
   *
   * Components of nodes can be fixed: they have no velocity, no momentum, and forces on them go
   * to the support.
   */
  class LumpedBody : public Body
  {
  public:
    LumpedBody(std::string name, int dimension, const Vec3& gravity, const InitialMotion& motion);

    int dimension() const { return dimension_; }
    std::size_t nodes() const { return reference_.size(); }
    double nodeMass(std::size_t node) const { return mass_[node]; }

    std::size_t configurationSize() const override { return nodes() * dimension_; }
    std::size_t velocitySize() const override { return nodes() * dimension_; }

    void retract(ConstSpan q, ConstSpan dq, Span q1) const override;
    double drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const override;
    void addForce(double t, ConstSpan q, double weight, Span p) const override;
    void velocity(ConstSpan q, ConstSpan p, Span v) const override;
    void momentum(ConstSpan q, ConstSpan v, Span p) const override;
    void addVelocity(ConstSpan q, std::span<const Entry> covector, SparseVector& v) const override;
    double kinetic(ConstSpan q, ConstSpan p) const override;
    Potentials potentials(double t, ConstSpan q) const override;
    Potentials intervalPotentials(double t0, ConstSpan q0, double t1, ConstSpan q1) const override;
    Momenta momenta(ConstSpan q, ConstSpan p) const override;
    void addStiffness(double t, ConstSpan q, std::size_t offset, Triplets& entries) const override;

    std::size_t pointCount() const override { return nodes(); }
    Vec3 reference(std::size_t point) const override { return reference_[point]; }
    Vec3 displacement(ConstSpan q, std::size_t point) const override;
    void addPointFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                            std::size_t offset, SparseVector& functional) const override;
    bool carriesMass(std::size_t point) const override { return mass_[point] > 0; }
    bool held(std::size_t point, int component) const override
    {
      return !fixed_.empty() && (fixed_[point] >> component & 1);
    }
    double mass() const override;
    Vec3 centreOfMass(ConstSpan q) const override;
    void initialise(Span q, Span p) const override;

  protected:
    //! To be called once by the constructor of a derived class
    void setNodes(std::vector<Vec3> reference, std::vector<double> mass);

    //! Fix components: bit c of entry i stands for component c of node i
    void fix(std::vector<std::uint8_t> fixed);

    //! empty if none were fixed
    const std::vector<std::uint8_t>& fixedComponents() const { return fixed_; }

    //! Displacements at the start
    virtual void initialDisplacement(Span q) const { std::fill(q.begin(), q.end(), 0); }

    //! The rigid motion at the start, but zero for fixed components
    void startVelocity(ConstSpan q, Span v) const;

    //! Elastic energy of a configuration, and of an interval in the leapfrog form
    virtual double elastic(ConstSpan) const { return 0; }
    virtual double intervalElastic(ConstSpan, ConstSpan) const { return 0; }

    const std::vector<double>& masses() const { return mass_; }
    const std::vector<double>& inverseMasses() const { return inverseMass_; } //!< per dof
    bool hasGravity() const { return hasGravity_; }
    const Vec3& gravity() const { return gravity_; }

  private:
    //! Potential of gravity, -sum m g . (X + u)
    double gravityPotential(ConstSpan q) const;

    int dimension_;
    Vec3 gravity_;
    bool hasGravity_;
    InitialMotion motion_;
    std::vector<Vec3> reference_;
    std::vector<double> mass_;
    std::vector<std::uint8_t> fixed_;
    std::vector<double> inverseMass_; //!< per dof, zero for massless nodes and fixed components
  };

} // namespace Dune::Impact

#endif
