// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/geometry/obstacle.hh>

namespace Dune::Impact {

  namespace {

    //! Length and direction of a vector; the x axis if it has no direction
    std::pair<double, Vec3> polar(const Vec3& d)
    {
      const double length = d.two_norm();
      return {length, length > 0 ? d / length : Vec3{1, 0, 0}};
    }

    //! Second derivative (I - n n^T - a a^T)/|d| of |d|, where d is orthogonal to the unit vectors n = d/|d| and, if there is one, a
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

  } // namespace

  void Obstacle::setMotion(std::array<Expression, 3> displacement)
  {
    motion_ = std::move(displacement);
    moves_ = true;
  }

  Vec3 Obstacle::displacement(double t) const
  {
    return moves_ ? Vec3{motion_[0](t), motion_[1](t), motion_[2](t)} : Vec3(0);
  }

  Vec3 Obstacle::velocity(double t, double h) const
  {
    return moves_ && h != 0 ? (displacement(t + h) - displacement(t)) / h : Vec3(0);
  }

  Obstacle::Distance Cavity::evaluate(const Vec3& reference, const Vec3& displacement) const
  {
    const auto [length, direction] = polar(reference + displacement - centre_);
    return {radius_ - length, Vec3(direction) * -1.0};
  }

  Obstacle::Distance Sphere::evaluate(const Vec3& reference, const Vec3& displacement) const
  {
    const auto [length, direction] = polar(reference + displacement - centre_);
    return {length - radius_, direction};
  }

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

  Mat3 Cylinder::evaluateCurvature(const Vec3& x) const
  {
    Vec3 d = x - centre_;
    d.axpy(-(axis_ * d), axis_);
    return curvatureOfLength(d, axis_);
  }

} // namespace Dune::Impact
