// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>
#include <cmath>
#include <numbers>

#include <dune/impact/geometry/obstacle.hh>
#include <dune/impact/geometry/outline.hh>
#include <dune/impact/geometry/tangents.hh>

namespace Dune::Impact {

  namespace {

    //! Length and direction of a vector; the x axis if it has no direction
    std::pair<double, Vec3> polar(const Vec3& d)
    {
      const double length = d.two_norm();
      return {length, length > 0 ? d / length : Vec3{1, 0, 0}};
    }

    //! Second derivative (I - n n^T - a a^T)/|d| of |d| with n = d/|d|; a is the unit axis across
    //! which d is measured, or zero
    Mat3 curvatureOfLength(const Vec3& d, const Vec3& a)
    {
      const auto [length, n] = polar(d);
      Mat3 H(0);
      if (length > 0)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            H[i][j] = ((i == j) - n[i] * n[j] - a[i] * a[j]) / length;
      return H;
    }

    //! A circle, or circles of latitude and longitude
    VisualizationData roundOutline(const Vec3& centre, double radius, int dimension)
    {
      VisualizationData visual;
      const Vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
      if (dimension < 3) {
        addCircle(visual, centre, x, y, radius);
        return visual;
      }
      for (int k = 0; k < 6; ++k) {
        const double angle = k * std::numbers::pi / 6;
        Vec3 a(0);
        a.axpy(std::cos(angle), x);
        a.axpy(std::sin(angle), y);
        addCircle(visual, centre, a, z, radius);
        const double height = -1 + (2 * k + 1) / 6.0;
        Vec3 middle = centre;
        middle[2] += radius * height;
        addCircle(visual, middle, x, y, radius * std::sqrt(1 - height * height));
      }
      return visual;
    }

  } // namespace

  //! Outline of the moved obstacle: the outline around near - u in the frame of the obstacle,
  //! shifted by its displacement u(t)
  VisualizationData Obstacle::picture(double t, const Vec3& near, double distance,
                                      int dimension) const
  {
    const Vec3 u = displacement(t);
    VisualizationData visual = outline(near - u, distance, dimension);
    for (Vec3& point : visual.points)
      point += u;
    return visual;
  }

  //! A square, or a line, around the foot point
  VisualizationData Plane::outline(const Vec3& near, double distance, int dimension) const
  {
    VisualizationData visual;
    Vec3 foot = near;
    foot.axpy(-(normal_ * (near - point_)), normal_);
    if (dimension == 1) { // a point, drawn as a short line
      addLine(visual, foot + Vec3{0, -0.1 * distance, 0}, foot + Vec3{0, 0.1 * distance, 0});
      return visual;
    }
    const auto [a, b] = tangents(normal_);
    if (dimension == 2) {
      addLine(visual, foot - distance * a, foot + distance * a);
      return visual;
    }
    visual.points = {foot - distance * a - distance * b, foot + distance * a - distance * b,
                     foot + distance * a + distance * b, foot - distance * a + distance * b};
    visual.addCell(VisualizationCell::quadrilateral, {0, 1, 2, 3});
    return visual;
  }

  VisualizationData Cavity::outline(const Vec3&, double, int dimension) const
  {
    return roundOutline(centre_, radius_, dimension);
  }

  VisualizationData Sphere::outline(const Vec3&, double, int dimension) const
  {
    return roundOutline(centre_, radius_, dimension);
  }

  //! Circles and lines along the axis
  VisualizationData Cylinder::outline(const Vec3& near, double distance, int dimension) const
  {
    if (dimension < 3)
      return roundOutline(centre_, radius_, dimension);
    VisualizationData visual;
    const auto [a, b] = tangents(axis_);
    Vec3 middle = centre_;
    middle.axpy(axis_ * (near - centre_), axis_);
    for (int k = -2; k <= 2; ++k)
      addCircle(visual, middle + 0.5 * k * distance * axis_, a, b, radius_);
    for (int k = 0; k < 12; ++k) {
      const double angle = k * std::numbers::pi / 6;
      const Vec3 x = middle + radius_ * (std::cos(angle) * a + std::sin(angle) * b);
      addLine(visual, x - distance * axis_, x + distance * axis_);
    }
    return visual;
  }

  void Obstacle::setMotion(std::array<Expression, 3> displacement)
  {
    motion_ = std::move(displacement);
    moves_ = true;
  }

  Vec3 Obstacle::displacement(double t) const
  {
    return moves_ ? Vec3{motion_[0](t), motion_[1](t), motion_[2](t)} : Vec3(0);
  }

  //! Difference quotient (u(t + h) - u(t))/h: times h it is the motion of the step without error
  Vec3 Obstacle::velocity(double t, double h) const
  {
    return moves_ && h != 0 ? (displacement(t + h) - displacement(t)) / h : Vec3(0);
  }

  //! Inside of a sphere: g = radius - |d|, n = -d/|d| with d = x - centre
  Obstacle::Distance Cavity::evaluate(const Vec3& reference, const Vec3& displacement) const
  {
    const auto [length, direction] = polar(reference + displacement - centre_);
    return {radius_ - length, Vec3(direction) * -1.0};
  }

  //! Outside of a sphere: g = |d| - radius, n = d/|d| with d = x - centre
  Obstacle::Distance Sphere::evaluate(const Vec3& reference, const Vec3& displacement) const
  {
    const auto [length, direction] = polar(reference + displacement - centre_);
    return {length - radius_, direction};
  }

  //! Outside of an infinite cylinder: g = |d| - radius, n = d/|d| with d = (I - a a^T)(x - centre)
  //! and the axis a
  Obstacle::Distance Cylinder::evaluate(const Vec3& reference, const Vec3& displacement) const
  {
    Vec3 d = reference + displacement - centre_;
    d.axpy(-(axis_ * d), axis_);
    const auto [length, direction] = polar(d);
    return {length - radius_, direction};
  }

  Mat3 Cavity::evaluateCurvature(const Vec3& x) const
  {
    return curvatureOfLength(x - centre_, Vec3(0)) *= -1.0;
  }

  Mat3 Sphere::evaluateCurvature(const Vec3& x) const
  {
    return curvatureOfLength(x - centre_, Vec3(0));
  }

  //! Curvature around the axis only: (I - n n^T - a a^T)/|d|
  Mat3 Cylinder::evaluateCurvature(const Vec3& x) const
  {
    Vec3 d = x - centre_;
    d.axpy(-(axis_ * d), axis_);
    return curvatureOfLength(d, axis_);
  }

} // namespace Dune::Impact
