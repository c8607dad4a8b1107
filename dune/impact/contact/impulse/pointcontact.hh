// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_IMPULSE_POINTCONTACT_HH
#define DUNE_IMPACT_CONTACT_IMPULSE_POINTCONTACT_HH

#include <optional>
#include <vector>

#include <dune/impact/body/interaction.hh>
#include <dune/impact/contact/impulse/impulsegeometry.hh>
#include <dune/impact/contact/impulse/penaltygeometry.hh>
#include <dune/impact/geometry/obstacle.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief Contact of points: with obstacles, with each other, and with the end faces of bars
 */

namespace Dune::Impact {

  //! Geometries whose points are evaluated one by one: derived classes say what one point does
  class PointwiseGeometry : public ImpulseGeometry
  {
  public:
    void gaps(double t, ConstSpan q, Span gaps) const override
    {
      for (std::size_t multiplier = 0; multiplier < multipliers(); ++multiplier)
        gaps[multiplier] = gap(t, q, multiplier);
    }

    double addPoints(const Instant& at, ConstSpan q, double tolerance,
                     ContactPoints& rows) const override;

  protected:
    virtual double gap(double t, ConstSpan q, std::size_t multiplier) const = 0;

    //! Fill the members of a row that depend on the geometry, and add its functionals
    virtual void fill(const Instant& at, ConstSpan q, std::size_t multiplier, ContactPoint& row,
                      ContactPoints& rows) const = 0;
  };

  //! Points of a body against an obstacle: g = distance - radius
  class PointObstacle
    : public PointwiseGeometry
    , public PenaltyGeometry
  {
  public:
    PointObstacle(std::vector<PointHandle> points, std::shared_ptr<const Obstacle> obstacle)
      : points_(std::move(points))
      , obstacle_(std::move(obstacle))
    {}

    std::size_t firstBody() const override { return points_.front().bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return {}; }
    std::size_t multipliers() const override { return points_.size(); }
    double length(ConstSpan q) const override;
    std::vector<PenaltyNode> penaltyNodes() const override;

  protected:
    double gap(double t, ConstSpan q, std::size_t multiplier) const override;
    void fill(const Instant& at, ConstSpan q, std::size_t multiplier, ContactPoint& row,
              ContactPoints& rows) const override;

  private:
    std::vector<PointHandle> points_;
    std::shared_ptr<const Obstacle> obstacle_;
  };

  //! Two balls, g = |x1 - x2| - r1 - r2, in two or three dimensions
  class BallPair : public PointwiseGeometry
  {
  public:
    BallPair(PointHandle first, PointHandle second) : first_(first), second_(second) {}

    std::size_t firstBody() const override { return first_.bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return second_.bodyIndex; }
    std::size_t multipliers() const override { return 1; }
    double length(ConstSpan q) const override;

  protected:
    double gap(double t, ConstSpan q, std::size_t multiplier) const override;
    void fill(const Instant& at, ConstSpan q, std::size_t multiplier, ContactPoint& row,
              ContactPoints& rows) const override;

  private:
    PointHandle first_, second_;
  };

  /** \brief A point in front of a face: g = n . (x2 - x1) - r1 - r2
   *
   * The face belongs to the first body, passes through its point x1 and has the outward normal
   * n. In one dimension n is the fixed direction from the first to the second body. In more
   * dimensions the face is the end of a bar, n = (x1 - y)/|x1 - y| with the neighbour y of the
   * end node, and the derivative of the gap contains that of n. A point farther beside the axis
   * than the lateral reach, or farther behind the face than the neighbour, has no contact.
   */
  class FacePoint : public PointwiseGeometry
  {
  public:
    //! In one dimension: fixed normal
    FacePoint(PointHandle first, PointHandle second, const Vec3& normal)
      : first_(first)
      , second_(second)
      , normal_(normal)
      , reach_(0)
    {}

    //! In more dimensions: the normal follows the bar
    FacePoint(PointHandle first, PointHandle neighbour, PointHandle second, double reach)
      : first_(first)
      , second_(second)
      , neighbour_(neighbour)
      , normal_(0)
      , reach_(reach)
    {}

    std::size_t firstBody() const override { return first_.bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return second_.bodyIndex; }
    std::size_t multipliers() const override { return 1; }
    double length(ConstSpan q) const override;

  protected:
    double gap(double t, ConstSpan q, std::size_t multiplier) const override;
    void fill(const Instant& at, ConstSpan q, std::size_t multiplier, ContactPoint& row,
              ContactPoints& rows) const override;

  private:
    struct Frame
    {
      Vec3 normal, distance; //!< distance = x2 - x1
      double gap;
      double span; //!< |x1 - y|
    };

    Frame frame(ConstSpan q) const;

    PointHandle first_, second_;
    std::optional<PointHandle> neighbour_;
    Vec3 normal_;
    double reach_;
  };

} // namespace Dune::Impact

#endif
