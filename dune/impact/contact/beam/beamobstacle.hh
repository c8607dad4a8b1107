// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_BEAM_BEAMOBSTACLE_HH
#define DUNE_IMPACT_CONTACT_BEAM_BEAMOBSTACLE_HH

#include <memory>

#include <dune/impact/contact/beam/beampoints.hh>
#include <dune/impact/contact/beam/gapslip.hh>
#include <dune/impact/geometry/obstacle.hh>

/** \file
 * \ingroup impact_contact_beam
 * \brief Contact of a thin round beam with an obstacle
 */

namespace Dune::Impact {

  /** \brief A material point of a round beam in front of an obstacle with the distance d(x)
   *
   * With n = grad d, which points away from the obstacle, the section normal t_C and the radius r
   *
   *     g_N = d(x_C) - r,   t1 = normalised part across n of t_C,   t2 = n x t1,
   *     g_T = (t1, t2) . (p - p^prev - u),   p = x_C + R_C X,   X = -r R_C^T n,
   *
   * with the way u of the obstacle in the step. Where the beam stands on the obstacle t1 comes from
   * its first section axis. Forces l act on the beam, at p. Columns are the left and the right
   * node, six each.
   */
  struct BeamObstaclePoint
  {
    Vector3 g;
    std::array<Vector3, 3> axes;             //!< n, t1, t2
    Eigen::Matrix<double, 3, 12> derivative; //!< of g
    Eigen::Matrix<double, 3, 12> rows;       //!< B
    Matrix12 stiffness;                      //!< d(B^T l)/dq
    Vector3 force;                           //!< on the beam, spatial

    //! Where the obstacle is: gap of the axis, n and its derivative by x; its way in the step
    struct Wall
    {
      double distance;
      Vector3 normal;
      Matrix3 curvature;
      Vector3 way;
    };

    BeamObstaclePoint(const BeamPiece& now, const BeamPiece& before, double radius, double s,
                      const Wall& wall, const Vector3& l);
  };

  //! Contact of a beam with an obstacle through points on the beam; multipliers are those of
  //! BeamContactPoints
  class BeamObstacle : public GapSlipGeometry
  {
  public:
    BeamObstacle(const System& system, std::size_t beam, std::shared_ptr<const Obstacle> obstacle,
                 BeamConstraints constraints);

    std::size_t multipliers() const override { return multipliers_.size(); }
    void evaluate(double t, double h, ConstSpan q, ConstSpan previous, ConstSpan l,
                  GapSlip& rows) const override;
    double weight(std::size_t multiplier) const override { return multipliers_.weight[multiplier]; }
    double reach() const override;
    double stiffness() const override { return bendingStiffness(*beam_); }
    std::size_t firstBody() const override { return handle_.bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return {}; }

  private:
    PointHandle handle_;
    const Beam* beam_;
    std::shared_ptr<const Obstacle> obstacle_;
    BeamContactPoints multipliers_;
    std::vector<double> sum_;
  };

} // namespace Dune::Impact

#endif
