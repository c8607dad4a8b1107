// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_RIGID_PENALTYPOINTS_HH
#define DUNE_IMPACT_TIMESTEP_RIGID_PENALTYPOINTS_HH

#include <dune/impact/contact/contact.hh>
#include <dune/impact/contact/impulse/penaltygeometry.hh>
#include <dune/impact/timestep/rigid/rigidmembers.hh>

/** \file
 * \ingroup impact_timestep_rigid
 * \brief Penalty contact of rigid bodies with an algorithmic gap
 */

namespace Dune::Impact {

  //! An affine map from the body axes of a body to space: a placement, or the mean of two of them
  struct AffinePlace
  {
    Vector3 origin;
    Matrix3 axes;

    Vector3 operator()(const Vector3& y) const { return origin + axes * y; }
  };

  //! U(g) = k/2 min(g, 0)^2
  inline double penaltyEnergy(double k, double g)
  {
    return g < 0 ? 0.5 * k * g * g : 0;
  }

  //! p = -(U(g1) - U(g0))/(g1 - g0), and its derivative with respect to g1
  struct PenaltyForce
  {
    double value, slope;

    PenaltyForce(double k, double g0, double g1);
  };

  /** \brief All points of a system that touch by a penalty
   *
   * A node of the one body and a flat facet, the centre of a ball or spherical shell, or an
   * obstacle on the other side. In a step the gap changes by
   *
   *     g_1 = g_0 + n . (increment of the node - increment of the other side)
   *
   * with the normal n in the modified configuration of the middle, where material is at
   * (X_0 + X_1)/2 + zeta (R_0 + R_1)/2. For two centres n = (d_0 + d_1)/(|d_0| + |d_1|), and g
   * stays their true gap, unless the law asks for the dynamic gap, with the unit normal of the
   * middle. The force -(U_1 - U_0)/(g_1 - g_0) along n then takes exactly the energy that U gains.
   * g is carried from step to step; while it is open it is the true gap.
   */
  class PenaltyPoints
  {
  public:
    //! What a point sees
    struct Separation
    {
      double gap;
      Vector3 normal; //!< on the first side
      Vector3 place;
    };

    //! Members and contacts must outlive the object; InputError if a penalty is not available
    PenaltyPoints(const std::vector<Contact>& contacts, const RigidMembers& members);

    //! A node and what it can touch, with the numbers of its rigid bodies among all
    struct Point : PenaltyNode
    {
      std::size_t contact;
      double stiffness;
      bool dynamic; //!< law.dynamicGap
      std::size_t firstMember;
      long secondMember; //!< -1 for an obstacle
    };

    std::size_t size() const { return points_.size(); }
    const Point& operator[](std::size_t i) const { return points_[i]; }

    //! True gap in a configuration, infinite if the point sees nothing
    double gap(std::size_t i, double t, ConstSpan q) const;

    //! Normal and place in a step; nothing if the node is not over its facet
    std::optional<Separation> separation(std::size_t i, double t0, double t1, ConstSpan q0,
                                         ConstSpan q1,
                                         const std::vector<RigidIncrement>& increments) const;

  private:
    AffinePlace place(std::size_t member, ConstSpan q) const;
    std::optional<Separation> evaluate(const Point& point, double t, const AffinePlace& first,
                                       const AffinePlace& second) const;

    std::vector<Point> points_;
  };

} // namespace Dune::Impact

#endif
