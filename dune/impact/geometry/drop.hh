// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_DROP_HH
#define DUNE_IMPACT_GEOMETRY_DROP_HH

#include <dune/impact/geometry/obstacle.hh>

/** \file
 * \ingroup impact_geometry
 * \brief A mould in the shape of a drop
 */

namespace Dune::Impact {

  /** \brief Outside of a drop: a round tip that goes over into straight walls, open at the other
   * end
   *
   * With d = x - centre, the unit axis a towards the opening, the unit vector e of d across the
   * axis, and the angle b between axis and wall let m = cos b e - sin b a be the direction to the
   * wall and w = sin b e + cos b a the direction along it. Then
   *
   *     g = radius - |d|   where w . d < 0 (the tip),   g = radius - m . d   elsewhere (the wall),
   *
   * with a continuous gradient. In two dimensions the drop is a wedge with a round edge.
   */
  class Drop : public Obstacle
  {
  public:
    Drop(std::string name, const Vec3& centre, const Vec3& axis, double radius, double angle);

    Vec3 centre() const override { return centre_; }

  protected:
    Distance evaluate(const Vec3& reference, const Vec3& displacement) const override;
    Mat3 evaluateCurvature(const Vec3& x) const override;
    VisualizationData outline(const Vec3& near, double distance, int dimension) const override;

  private:
    //! Direction across the axis, and the distance from it
    struct Polar
    {
      Vec3 d, across;
      double height, distance;
      bool tip;
    };

    Polar polar(const Vec3& x) const;

    Vec3 centre_, axis_;
    double radius_, cosine_, sine_;
  };

} // namespace Dune::Impact

#endif
