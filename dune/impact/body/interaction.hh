// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_INTERACTION_HH
#define DUNE_IMPACT_BODY_INTERACTION_HH

#include <array>
#include <optional>

#include <dune/impact/body/body.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/expression.hh>

/** \file
 * \ingroup impact_body
 * \brief Springs and loads: forces that are neither bodies nor contacts
 */

namespace Dune::Impact {

  //! A point of a body that is part of a system: the body and where its slices begin
  struct PointHandle
  {
    const Body* body;
    std::size_t bodyIndex;
    std::size_t point;
    std::size_t configurationOffset;
    std::size_t velocityOffset;

    ConstSpan slice(ConstSpan q) const
    {
      return q.subspan(configurationOffset, body->configurationSize());
    }
    Vec3 reference() const { return body->reference(point); }
    Vec3 displacement(ConstSpan q) const { return body->displacement(slice(q), point); }
    Vec3 position(ConstSpan q) const { return body->position(slice(q), point); }
    double radius() const { return body->radius(point); }

    //! Append the functional v -> direction . (velocity of the point)
    void addFunctional(ConstSpan q, const Vec3& direction, SparseVector& functional) const
    {
      body->addPointFunctional(slice(q), point, direction, velocityOffset, functional);
    }

    //! The same for the material at a place in space that moves with the point
    void addFunctional(ConstSpan q, const Vec3& place, const Vec3& direction,
                       SparseVector& functional) const
    {
      body->addPlaceFunctional(slice(q), point, place, direction, velocityOffset, functional);
    }
  };

  /** \brief A force between bodies or on a body
   *
   * It acts on the arrays of the whole system. Stored energy belongs to the system; the work of
   * an external force is entered in the ledger.
   */
  class Interaction
  {
  public:
    virtual ~Interaction() = default;

    //! Append the force F(t, q) as a covector
    virtual void addForce(double t, ConstSpan q, SparseVector& force) const = 0;

    //! Stored energies
    virtual Potentials potentials(double t, ConstSpan q) const = 0;

    //! Append the entries of -dF/dq
    virtual void addStiffness(double t, ConstSpan q, Triplets& entries) const = 0;

    //! True if the force has no stored energy, so that its work must be recorded
    virtual bool external() const = 0;

    //! True if the force changes with q
    virtual bool dependsOnConfiguration() const = 0;
  };

  /** \brief Spring between two points, or between a point and a fixed anchor
   *
   * With d = x - y the energy is 1/2 k (|d| - l)^2 and the force on x is -k (1 - l/|d|) d. Its
   * energy in an interval is the mean of both ends.
   */
  class Spring : public Interaction
  {
  public:
    Spring(PointHandle point, const Vec3& anchor, double stiffness, double length)
      : point_(point)
      , anchor_(anchor)
      , stiffness_(stiffness)
      , length_(length)
    {}

    Spring(PointHandle point, PointHandle other, double stiffness, double length)
      : point_(point)
      , other_(other)
      , anchor_(0)
      , stiffness_(stiffness)
      , length_(length)
    {}

    void addForce(double t, ConstSpan q, SparseVector& force) const override;
    Potentials potentials(double t, ConstSpan q) const override;
    void addStiffness(double t, ConstSpan q, Triplets& entries) const override;
    bool external() const override { return false; }
    bool dependsOnConfiguration() const override { return true; }

  private:
    Vec3 difference(ConstSpan q) const
    {
      return point_.position(q) - (other_ ? other_->position(q) : anchor_);
    }

    PointHandle point_;
    std::optional<PointHandle> other_;
    Vec3 anchor_;
    double stiffness_;
    double length_;
  };

  //! A force on a point that depends on time only
  class Load : public Interaction
  {
  public:
    Load(PointHandle point, std::array<Expression, 3> force)
      : point_(point)
      , force_(std::move(force))
    {}

    void addForce(double t, ConstSpan q, SparseVector& force) const override
    {
      point_.addFunctional(q, {force_[0](t), force_[1](t), force_[2](t)}, force);
    }

    Potentials potentials(double, ConstSpan) const override { return {}; }
    void addStiffness(double, ConstSpan, Triplets&) const override {}
    bool external() const override { return true; }
    bool dependsOnConfiguration() const override { return false; }

  private:
    PointHandle point_;
    std::array<Expression, 3> force_;
  };

  /** \brief Position-level contact of points without mass
   *
   * A massless end is where it is without contact (Body::placeMasslessNodes), or where contact
   * holds it. With the overlap delta of the unloaded ends the contact force is k max(0, delta),
   * where k is the stiffness of the end elements in series: continuous, without impact.
   */
  class MasslessContact
  {
  public:
    virtual ~MasslessContact() = default;

    //! Overlap of the unloaded ends; positive means contact
    virtual double overlap(double t, ConstSpan q) const = 0;

    //! Stiffness of the closed contact
    virtual double stiffness() const = 0;

    //! Append the functional v -> rate of the overlap, on dofs that carry mass
    virtual void addOverlapFunctional(ConstSpan q, SparseVector& functional) const = 0;

    /** \brief Place the massless ends, which Body::placeMasslessNodes has put where they are
     * without contact
     *
     * If closed they are held together, also where the overlap is negative and contact pulls: a
     * method that looks for the instant of release wants the motion beyond it.
     */
    virtual void place(double t, Span q, bool closed) const = 0;

    //! The same with contact where ends overlap
    void placeMasslessNodes(double t, Span q) const { place(t, q, overlap(t, q) > 0); }

    //! Move the bodies by a rounding error so that the overlap is zero
    virtual void closeExactly(double t, Span q) const = 0;

    //! Indices into q of the ends without mass, which no other contact may place
    virtual std::vector<std::size_t> masslessEnds() const = 0;

    //! Unit vector of the force on the first side
    virtual Vec3 normal() const = 0;

    //! Number of the body of the first side, and that of the second unless it is an obstacle
    virtual std::size_t firstBody() const = 0;
    virtual std::optional<std::size_t> secondBody() const = 0;

    double force(double t, ConstSpan q) const { return stiffness() * std::max(0.0, overlap(t, q)); }
  };

} // namespace Dune::Impact

#endif
