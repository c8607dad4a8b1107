// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <dune/impact/geometry/drop.hh>
#include <dune/impact/geometry/outline.hh>

namespace Dune::Impact {

  Drop::Drop(std::string name, const Vec3& centre, const Vec3& axis, double radius, double angle)
    : Obstacle(std::move(name))
    , centre_(centre)
    , axis_(axis / axis.two_norm())
    , radius_(radius)
    , cosine_(std::cos(angle))
    , sine_(std::sin(angle))
  {}

  /* Cylindrical coordinates about the axis a: d = x - centre, height = a . d, distance = |d -
   * height a|, across = e = (d - height a)/distance. The tip is nearest where w . d = sin b
   * distance + cos b height < 0, with the direction w along the wall. */
  Drop::Polar Drop::polar(const Vec3& x) const
  {
    Polar p{.d = x - centre_, .across = {}, .height = 0, .distance = 0, .tip = false};
    p.height = axis_ * p.d;
    p.across = p.d;
    p.across.axpy(-p.height, axis_);
    p.distance = p.across.two_norm();
    if (p.distance > 0)
      p.across /= p.distance;
    else { // on the axis any direction will do, in the plane for an axis in the plane
      p.across = axis_[2] == 0 ? Vec3{-axis_[1], axis_[0], 0}
                               : cross(axis_, axis_[0] == 0 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
      p.across /= p.across.two_norm();
    }
    p.tip = sine_ * p.distance + cosine_ * p.height < 0;
    return p;
  }

  //! Gap radius - |d| with the normal -d/|d| at the tip, radius - cos b distance + sin b height
  //! with the normal sin b a - cos b e at the wall; both agree where tip and wall meet.
  Obstacle::Distance Drop::evaluate(const Vec3& reference, const Vec3& displacement) const
  {
    const Polar p = polar(reference + displacement);
    if (p.tip) {
      const double length = p.d.two_norm();
      return {radius_ - length, p.d / -length};
    }
    Vec3 normal = axis_ * sine_;
    normal.axpy(-cosine_, p.across);
    return {radius_ - cosine_ * p.distance + sine_ * p.height, normal};
  }

  //! Second derivative of the gap: -(I - n n^T)/|d| with n = d/|d| at the tip; at the wall -cos b
  //! (I - a a^T - e e^T)/distance, the curvature around the axis
  Mat3 Drop::evaluateCurvature(const Vec3& x) const
  {
    const Polar p = polar(x);
    Mat3 H(0);
    const double length = p.tip ? p.d.two_norm() : p.distance;
    if (!(length > 0))
      return H;
    const Vec3 n = p.tip ? p.d / length : p.across, a = p.tip ? Vec3(0) : axis_;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        H[i][j] = -(p.tip ? 1 : cosine_) * ((i == j) - n[i] * n[j] - a[i] * a[j]) / length;
    return H;
  }

  //! The two sides in the plane, meridians and circles in space: the arc of the tip, and the wall
  //! to beyond the place
  VisualizationData Drop::outline(const Vec3& near, double distance, int dimension) const
  {
    constexpr int arcPoints = 16, wallPoints = 4, circlesOfTip = 3;
    // angle between the axis and the place where the tip meets the wall
    const double end = std::atan2(cosine_, sine_);
    const double wall = std::max(0.0, axis_ * (near - centre_)) + distance;
    std::vector<std::array<double, 2>> profile; // height along the axis, distance from it
    for (int i = 0; i <= arcPoints; ++i)
      profile.push_back(
        {-radius_ * std::cos(end * i / arcPoints), radius_ * std::sin(end * i / arcPoints)});
    for (int i = 1; i <= wallPoints; ++i)
      profile.push_back({radius_ * -sine_ + wall * i / wallPoints * cosine_,
                         radius_ * cosine_ + wall * i / wallPoints * sine_});

    VisualizationData visual;
    const Vec3 a = polar(centre_).across, b = cross(axis_, a);
    const int meridians = dimension < 3 ? 2 : 12;
    for (int k = 0; k < meridians; ++k) {
      const double angle = 2 * std::numbers::pi * k / meridians;
      std::vector<Vec3> line;
      for (const auto& [height, away] : profile)
        line.push_back(centre_ + height * axis_ +
                       away * (std::cos(angle) * a + (dimension < 3 ? 0 : std::sin(angle)) * b));
      addPolyline(visual, line, false);
    }
    if (dimension < 3)
      return visual;
    for (std::size_t i = arcPoints / (circlesOfTip + 1); i < profile.size();
         i += i < arcPoints ? arcPoints / (circlesOfTip + 1) : 1)
      addCircle(visual, centre_ + profile[i][0] * axis_, a, b, profile[i][1]);
    return visual;
  }

} // namespace Dune::Impact
