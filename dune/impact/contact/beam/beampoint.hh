// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_BEAM_BEAMPOINT_HH
#define DUNE_IMPACT_CONTACT_BEAM_BEAMPOINT_HH

#include <dune/impact/body/beamelement.hh>

/** \file
 * \ingroup impact_contact_beam
 * \brief Gap, slip and their derivatives at one point of two thin round beams
 */

namespace Dune::Impact {

  //! An element of a beam in a configuration: frame of its left node and relative motion to the
  //! right one
  struct BeamPiece
  {
    Frame left;
    Vector6 x;

    Frame frame(double s) const { return left * Exponential::map(s * x); }
  };

  /** \brief A material point of the nonmortar beam and the closest point of the mortar beam
   *
   * C is the point at s of an element of the nonmortar beam, F the point at eta of an element of
   * the mortar beam whose centreline x_F(eta) is closest to x_C: x_F'.(x_F - x_C) = 0. With the
   * frames at C and F, their section normals t_C, t_F and the radii r1, r2
   *
   *     n = (x_F - x_C)/|x_F - x_C|,   g_N = |x_F - x_C| - r1 - r2,
   *     t1 = normalised part across n of t_C + sign(t_C.t_F) t_F,   t2 = n x t1.
   *
   * The slip is that of the material points that touch, X_C = r1 R_C^T n and X_F = -r2 R_F^T n in
   * the sections, since the previous configuration, with the same s, eta, X:
   *
   *     g_T = (t1, t2) . ((p_F - p_F^prev) - (p_C - p_C^prev)).
   *
   * It does not change under rigid motions. Forces l act at these points: B_c has the entries
   * (X_F x R_F^T c, R_F^T c) at F and their negatives at C, spread to the nodes by the
   * interpolation of velocities. Columns are (left, right) node of the nonmortar, then of the
   * mortar element, six each.
   */
  struct BeamPoint
  {
    using Vector24 = Eigen::Matrix<double, 24, 1>;
    using Rows = Eigen::Matrix<double, 3, 24>;
    using Matrix24 = Eigen::Matrix<double, 24, 24>;

    //! The piece of a beam on one side of the contact
    struct Side
    {
      BeamPiece now, before; //!< in this and in the previous configuration
      double radius;
    };

    Vector3 g; //!< gap and slips
    Vector3 normal;
    Rows derivative;    //!< of g
    Rows rows;          //!< B
    Matrix24 stiffness; //!< d(B^T l)/dq
    Vector3 force;      //!< on the mortar side, spatial

    //! eta is the closest point, unless it is held (at a node between two elements, where the
    //! tangent has a kink)
    BeamPoint(const Side& nonmortar, double s, const Side& mortar, double eta, bool held,
              const Vector3& l);
  };

  //! x_F'.(x_F - x_C) and its derivative along eta
  struct ClosestPointEquation
  {
    double value, slope, size; //!< size: |x_F'|^2

    ClosestPointEquation(const BeamPiece& piece, double eta, const Vector3& x);
  };

} // namespace Dune::Impact

#endif
