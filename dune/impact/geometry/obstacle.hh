// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_OBSTACLE_HH
#define DUNE_IMPACT_GEOMETRY_OBSTACLE_HH

#include <array>
#include <string>

#include <dune/impact/common/expression.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/common/visualizationdata.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Rigid obstacles: fixed, or moved as a function of time
 */

namespace Dune::Impact {

  /** \brief A rigid obstacle given by its signed distance
   *
   * The gap g(x) is positive on the free side and its gradient is the unit normal. A translation
   * of the obstacle is an expression in time per component.
   */
  class Obstacle
  {
  public:
    //! Gap and normal at a point
    struct Distance
    {
      double gap;
      Vec3 normal; //!< gradient of the gap
    };

    explicit Obstacle(std::string name) : name_(std::move(name)) {}

    virtual ~Obstacle() = default;

    const std::string& name() const { return name_; }

    //! Move the obstacle by a displacement that depends on time
    void setMotion(std::array<Expression, 3> displacement);

    bool moves() const { return moves_; }

    //! Displacement at time t, and its mean velocity between t and t + h (h may be negative)
    Vec3 displacement(double t) const;
    Vec3 velocity(double t, double h) const;

    /** \brief Signed distance of the point reference + displacement
     *
     * Both parts are given so that a plane can keep the digits of a small displacement.
     */
    Distance distance(double t, const Vec3& reference, const Vec3& displacement) const
    {
      return evaluate(reference, moves_ ? displacement - this->displacement(t) : displacement);
    }

    //! Second derivative of the distance at the point reference + displacement
    Mat3 curvature(double t, const Vec3& reference, const Vec3& displacement) const
    {
      return evaluateCurvature(moves_ ? reference + displacement - this->displacement(t)
                                      : reference + displacement);
    }

    //! A point that tells how large the coordinates of the scene are
    virtual Vec3 centre() const = 0;

    //! Picture at time t of the part within a distance of a point, for a scene of a dimension
    VisualizationData picture(double t, const Vec3& near, double distance, int dimension) const;

  protected:
    //! The same without motion; an obstacle that does not say what it looks like is not seen
    virtual VisualizationData outline(const Vec3& /*near*/, double /*distance*/,
                                      int /*dimension*/) const
    {
      return {};
    }

    //! Distance from the obstacle where it is without motion
    virtual Distance evaluate(const Vec3& reference, const Vec3& displacement) const = 0;

    //! Second derivative of the distance at a point
    virtual Mat3 evaluateCurvature(const Vec3& x) const = 0;

  private:
    std::string name_;
    bool moves_ = false;
    std::array<Expression, 3> motion_;
  };

  //! Half space: g = n . (x - point)
  class Plane : public Obstacle
  {
  public:
    Plane(std::string name, const Vec3& point, const Vec3& normal)
      : Obstacle(std::move(name))
      , point_(point)
      , normal_(normal / normal.two_norm())
    {}

    const Vec3& normal() const { return normal_; }
    Vec3 centre() const override { return point_; }

  protected:
    VisualizationData outline(const Vec3& near, double distance, int dimension) const override;
    Distance evaluate(const Vec3& reference, const Vec3& displacement) const override
    {
      return {normal_ * (reference - point_) + normal_ * displacement, normal_};
    }

    Mat3 evaluateCurvature(const Vec3&) const override { return Mat3(0); }

  private:
    Vec3 point_, normal_;
  };

  //! Inside of a circle or sphere: g = radius - |x - centre|; at the centre itself the normal is
  //! arbitrary
  class Cavity : public Obstacle
  {
  public:
    Cavity(std::string name, const Vec3& centre, double radius)
      : Obstacle(std::move(name))
      , centre_(centre)
      , radius_(radius)
    {}

    Vec3 centre() const override { return centre_; }

  protected:
    VisualizationData outline(const Vec3& near, double distance, int dimension) const override;
    Distance evaluate(const Vec3& reference, const Vec3& displacement) const override;
    Mat3 evaluateCurvature(const Vec3& x) const override;

  private:
    Vec3 centre_;
    double radius_;
  };

  //! Outside of a circle or sphere: g = |x - centre| - radius
  class Sphere : public Obstacle
  {
  public:
    Sphere(std::string name, const Vec3& centre, double radius)
      : Obstacle(std::move(name))
      , centre_(centre)
      , radius_(radius)
    {}

    Vec3 centre() const override { return centre_; }

  protected:
    VisualizationData outline(const Vec3& near, double distance, int dimension) const override;
    Distance evaluate(const Vec3& reference, const Vec3& displacement) const override;
    Mat3 evaluateCurvature(const Vec3& x) const override;

  private:
    Vec3 centre_;
    double radius_;
  };

  //! Outside of an infinite cylinder: g = |(I - a a^T)(x - centre)| - radius with the unit axis a
  class Cylinder : public Obstacle
  {
  public:
    Cylinder(std::string name, const Vec3& centre, const Vec3& axis, double radius)
      : Obstacle(std::move(name))
      , centre_(centre)
      , axis_(axis / axis.two_norm())
      , radius_(radius)
    {}

    Vec3 centre() const override { return centre_; }

  protected:
    VisualizationData outline(const Vec3& near, double distance, int dimension) const override;
    Distance evaluate(const Vec3& reference, const Vec3& displacement) const override;
    Mat3 evaluateCurvature(const Vec3& x) const override;

  private:
    Vec3 centre_, axis_;
    double radius_;
  };

} // namespace Dune::Impact

#endif
