// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_RIGID_RIGIDMEMBERS_HH
#define DUNE_IMPACT_TIMESTEP_RIGID_RIGIDMEMBERS_HH

#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/impulse/contactpoints.hh>

/** \file
 * \ingroup impact_timestep_rigid
 * \brief The rigid bodies of a system and one energy-momentum step of each
 */

namespace Dune::Impact {

  //! How a rigid body moves in a step
  struct RigidIncrement
  {
    Vector3 start;  //!< X_n
    Vector3 shift;  //!< X_{n+1} - X_n
    Vector3 turn;   //!< theta, in space
    double arm = 1; //!< zeta: modified arm = zeta (R_n + R_{n+1})/2

    //! The middle of X in the step
    Vector3 middle() const { return start + 0.5 * shift; }

    //! Exact increment of the material point whose modified arm ends at a place
    Vector3 increment(const Vector3& place) const { return shift + turn.cross(place - middle()); }
  };

  /** \brief The rigid bodies of a system, one after the other
   *
   * All bodies of the system must be rigid: then body i has the numbers 10 i ... of the
   * configuration and 6 i ... of the momenta.
   *
   * A step with the impulse (P, L) of contact, the mean force f and moment m of weight and loads is
   *
   *     p_1 = p_0 + P + h f,   X_1 = X_0 + h/(2M) (p_0 + p_1)
   *     h_1 = h_0 + L + h m,   Theta from (S) in rigidmotion.hh
   *
   * Its work is exactly (P + h f) . (X_1 - X_0)/h + (L + h m) . theta/h. Forces act at the
   * modified arm, m = R x f, so that a constant force works along the way of its point.
   */
  class RigidMembers
  {
  public:
    RigidMembers(const System& system, RotationMap map);

    RotationMap map() const { return map_; }
    std::size_t size() const { return members_.size(); }
    const RigidBody& body(std::size_t i) const { return *members_[i]; }
    std::size_t bodyIndex(std::size_t i) const { return bodyIndex_[i]; }

    //! Number of a member of a body among all
    std::size_t number(const ContactMember& one) const { return begin_[one.body] + one.member; }

    //! True if no weight and no load acts on anything
    bool forceless() const { return !anyForce_; }

    /** \brief Move one body over a step
     *
     * \param t0, q, p          state at the beginning, of the whole system
     * \param linear, angular   impulses of contact; the angular one about the middle of X
     * \param q1, p1            receive the end, only the numbers of this body
     * \param loadWork          receives the work of loads
     */
    RigidIncrement advance(std::size_t i, double t0, double h, ConstSpan q, ConstSpan p,
                           const Vector3& linear, const Vector3& angular, Span q1, Span p1,
                           double& loadWork) const;

    //! Inverse inertia in space
    Matrix3 inverseInertia(std::size_t i, ConstSpan q) const;

  private:
    struct Wrench
    {
      Vector3 force, moment, loadForce, loadMoment;
    };

    Wrench wrench(std::size_t i, double t, ConstSpan q) const;

    const System& system_;
    RotationMap map_;
    std::vector<const RigidBody*> members_;
    std::vector<std::size_t> bodyIndex_;
    std::vector<std::size_t> begin_;                     //!< first member of each body
    std::vector<std::vector<const Interaction*>> loads_; //!< per body
    bool anyForce_ = false;
  };

} // namespace Dune::Impact

#endif
