// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_DYNAMICS_HH
#define DUNE_IMPACT_BODY_DYNAMICS_HH

#include <dune/impact/body/framebody.hh>
#include <dune/impact/body/system.hh>

/** \file
 * \ingroup impact_body
 * \brief The equation of motion of a system with accelerations
 */

namespace Dune::Impact {

  //! What a constraint that moves, or whose rows turn, offers besides
  class MovingConstraint
  {
  public:
    virtual ~MovingConstraint() = default;

    //! dc/dt at a fixed configuration where c = 0, from the motion between t - h and t + h
    virtual void rate(double t, ConstSpan q, double h, Span rates) const = 0;

    //! Put what a moved frame holds to where it is at time t
    virtual void place(double t, Span q) const = 0;

    //! Append the entries of -d(G^T lambda)/dq
    virtual void addStiffness(ConstSpan q, ConstSpan lambda, Triplets& entries) const = 0;
  };

  /** \brief M(q) v' = F(t, q) + gyroscopic force(q, v) + G^T lambda, c(t, q) = 0
   *
   * The mass of all bodies here is block diagonal: blocks of six dofs, counted from the first one
   * of a body, do not see each other. That is true of lumped masses and of rigid bodies, and of a
   * consistent mass it is not.
   */
  class Dynamics
  {
  public:
    //! The system must outlive the object
    explicit Dynamics(const System& system);

    const System& system() const { return system_; }

    //! Number of rows of all joints
    std::size_t jointRows() const { return jointRows_; }

    //! Append the entries of M(q); dofs without mass have none
    void addMass(ConstSpan q, Triplets& entries) const;

    //! p += weight * (F(t, q) + gyroscopic force(q, v))
    void addForce(double t, ConstSpan q, ConstSpan v, double weight, Span p) const;

    //! Append the entries of minus its derivative by v
    void addDamping(ConstSpan q, ConstSpan v, Triplets& entries) const;

    //! Append the entries of the tangent of retract() at dq
    void addRetractTangent(ConstSpan dq, Triplets& entries) const;

    //! G v + dc/dt, the velocities of moved frames from positions h before and after
    std::vector<double> jointRates(double t, ConstSpan q, ConstSpan v, double h) const;

    //! c(t, q)
    std::vector<double> jointGaps(double t, ConstSpan q) const;

    //! Put what moved frames hold to where it is
    void placeJoints(double t, Span q) const;

    //! Append the entries of G with the given number of the first row
    void addJointRows(double t, ConstSpan q, std::size_t first, Triplets& entries) const;

    //! Append the entries of -d(G^T lambda)/dq
    void addJointStiffness(ConstSpan q, ConstSpan lambda, Triplets& entries) const;

    //! The mass of a node of a body
    double nodeMass(std::size_t body) const;

  private:
    struct Member
    {
      const Body* body;
      const FrameBody* frames; //!< null if it has none
      std::size_t q, v;        //!< where its slices begin

      ConstSpan configuration(ConstSpan x) const { return x.subspan(q, body->configurationSize()); }
      ConstSpan velocity(ConstSpan x) const { return x.subspan(v, body->velocitySize()); }
      Span velocity(Span x) const { return x.subspan(v, body->velocitySize()); }
    };

    void addMass(const Member& member, ConstSpan q, std::size_t offset, Triplets& entries) const;

    const System& system_;
    std::vector<Member> members_;
    std::vector<const MovingConstraint*> moving_; //!< per constraint, null if it is none
    std::size_t jointRows_ = 0;
  };

} // namespace Dune::Impact

#endif
