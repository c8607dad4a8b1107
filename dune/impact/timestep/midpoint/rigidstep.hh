// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_RIGIDSTEP_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_RIGIDSTEP_HH

#include <dune/impact/body/rigidbody.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief One rigid body in an implicit step
 */

namespace Dune::Impact {

  /** \brief The equations of a rigid body in the unknowns y = (DX, L theta), two nodes of three
   * numbers
   *
   * DX is the motion of the centre, theta the Cayley vector of the rotation in space,
   * Lambda_1 = cay(theta) Lambda_0, and L a length of the body. With v_1 = 2 DX/h - v_0 and the
   * angular velocities in body axes W_1 = 2 Theta/h - W_0, Theta = Lambda_0^T theta, forces and
   * moments balance if
   *
   *     m (v_1 - v_0)/h - m g = f,      (Lambda_1 J W_1 - Lambda_0 J W_0)/h - m_g = m.
   *
   * Then the kinetic energy changes by f.DX + m.theta exactly, and a material point moves by
   * DX + theta x (R_0 + R_1)/2: the same midpoint as that of nodes of solids. m_g is the moment of
   * weight about a pivot, with the mean arm.
   */
  class RigidStep
  {
  public:
    //! From the configuration q (ten numbers) with the velocities v (six), by a step h
    RigidStep(const RigidBody& body, const double* q, const double* v, double h, double length);

    //! Free motion, without weight; throws RunError if the body turns too far
    void predict(double* y) const;

    //! The configuration at the end of the step
    void place(const double* y, double* q1) const;

    //! Half way: the mean centre, half of the rotation
    void placeMiddle(const double* y, double* q1) const;

    //! Velocities at the end
    void velocities(const double* y, double* v1) const;

    //! What is left for forces and for moments over L
    void residual(const double* y, double* R) const;

    //! A symmetric positive definite stand-in for its derivative: 2m/h^2, and 2/(L h)^2 times the
    //! inertia half way
    double linearMass() const;
    Matrix3 angularMass(const double* y) const;

    //! From a change of L theta to the rotation of the end, and of the middle, in space
    Matrix3 tangent(const double* y) const;
    Matrix3 middleTangent(const double* y) const;

    //! Forces of the given motion, and of weight: a scale
    double forces() const;

    double length() const { return length_; }

  private:
    Vector3 theta(const double* y) const { return Vector3(y[3], y[4], y[5]) / length_; }

    const RigidBody& body_;
    const double *q_, *v_;
    double h_, length_;
    Quaternion rotation_;
    Vector3 velocity_, spin_; //!< the second in body axes
    Vector3 inertia_;
  };

} // namespace Dune::Impact

#endif
