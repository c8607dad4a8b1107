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

  /** \brief How a point C finds its partner F on the axis of the mortar beam
   *
   * The tangent x_F' of the axis jumps at nodes that carry a force, by the jump of the shear; the
   * section normals t_F are continuous. On the inner side of such a kink two points of the axis
   * are closest, and the partner jumps from one to the other; with sections it moves continuously.
   */
  enum class BeamPartner {
    closest, //!< the closest point of the axis, x_F'.(x_F - x_C) = 0
    section  //!< the section that C lies in, t_F.(x_F - x_C) = 0
  };

  /** \brief A material point of the nonmortar beam and its partner on the mortar beam
   *
   * C is the point at s of an element of the nonmortar beam, F its BeamPartner, the point at eta of
   * an element of the mortar beam. With the frames at C and F, their section normals t_C, t_F and
   * the radii r1, r2
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
   * mortar element, six each. B_n is the derivative of g_N for closest points; for sections the
   * two differ by (n.x_F') deta, the shear strain of the mortar beam times the way of the partner.
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

    //! Where the partner is
    struct Place
    {
      double eta;
      bool held; //!< at a node between two elements, where closest points do not move
      BeamPartner kind;
    };

    BeamPoint(const Side& nonmortar, double s, const Side& mortar, const Place& partner,
              const Vector3& l);
  };

  //! The equation of a partner, d.(x_F - x_C) = 0 with d = x_F' or t_F, and its derivative along
  //! eta
  struct PartnerEquation
  {
    double value, slope, size; //!< size: d.x_F', the slope where the beam is straight

    PartnerEquation(BeamPartner kind, const BeamPiece& piece, double eta, const Vector3& x);
  };

} // namespace Dune::Impact

#endif
