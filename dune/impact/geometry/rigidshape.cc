// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <numbers>

#include <dune/impact/geometry/rigidshape.hh>

namespace Dune::Impact {

  namespace {

    //! Distance from a point and the direction away from it; at the point itself any direction
    SurfaceDistance fromPoint(const Vector3& d)
    {
      const double length = d.norm();
      return {length, length > 0 ? Vector3(d / length) : Vector3(0, 0, 1)};
    }

    //! A sphere of quadrilaterals and triangles
    RigidPicture sphere(double radius)
    {
      constexpr std::size_t rings = 6, sectors = 10;
      RigidPicture picture;
      picture.points.push_back({0, 0, -radius});
      for (std::size_t i = 1; i < rings; ++i)
        for (std::size_t j = 0; j < sectors; ++j) {
          const double a = std::numbers::pi * (double(i) / rings - 0.5),
                       b = 2 * std::numbers::pi * double(j) / sectors;
          picture.points.push_back(
            radius * Vector3(std::cos(a) * std::cos(b), std::cos(a) * std::sin(b), std::sin(a)));
        }
      picture.points.push_back({0, 0, radius});
      const auto at = [&](std::size_t i, std::size_t j) {
        return 1 + (i - 1) * sectors + j % sectors;
      };
      for (std::size_t j = 0; j < sectors; ++j) {
        picture.cells.push_back({0, at(1, j + 1), at(1, j)});
        for (std::size_t i = 1; i + 1 < rings; ++i)
          picture.cells.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
        picture.cells.push_back(
          {picture.points.size() - 1, at(rings - 1, j), at(rings - 1, j + 1)});
      }
      return picture;
    }

    //! Corner k of a box: bit c of k is the side along axis c
    Vector3 corner(const Vector3& size, int k)
    {
      return 0.5 * Vector3((k & 1 ? 1 : -1) * size[0], (k & 2 ? 1 : -1) * size[1],
                           (k & 4 ? 1 : -1) * size[2]);
    }

    //! Corners of the six faces, lower and upper along each axis, counter-clockwise from outside
    constexpr int boxFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

    //! Faces of a box as polygons, counter-clockwise seen from outside or, if `inside`, from inside
    std::vector<Polygon> boxPolygons(const Vector3& size, bool inside)
    {
      std::vector<Polygon> polygons;
      for (const auto& face : boxFaces) {
        Polygon polygon;
        for (int k : face)
          polygon.push_back(corner(size, k));
        if (inside)
          std::reverse(polygon.begin(), polygon.end());
        polygons.push_back(std::move(polygon));
      }
      return polygons;
    }

    RigidPicture boxPicture(const Vector3& size)
    {
      RigidPicture picture;
      for (int k = 0; k < 8; ++k)
        picture.points.push_back(corner(size, k));
      for (const auto& face : boxFaces)
        picture.cells.push_back(
          {std::size_t(face[0]), std::size_t(face[1]), std::size_t(face[2]), std::size_t(face[3])});
      return picture;
    }

  } // namespace

  SurfaceDistance BallShape::distance(std::size_t, const Vector3& x) const
  {
    auto result = fromPoint(x);
    result.gap -= radius();
    return result;
  }

  RigidPicture BallShape::picture() const
  {
    return sphere(radius());
  }

  double BallShape::volume(double radius)
  {
    return 4 * std::numbers::pi / 3 * radius * radius * radius;
  }

  //! Solid ball: inertia 2/5 m r^2 about each axis
  RigidMass BallShape::mass(double radius, double mass)
  {
    return {mass, Vec3(0.4 * mass * radius * radius)};
  }

  //! Gap inner - |x| of a point inside, with the normal -x/|x| towards the centre
  SurfaceDistance ShellShape::distance(std::size_t, const Vector3& x) const
  {
    const auto d = fromPoint(x);
    return {inner_ - d.gap, -d.normal};
  }

  RigidPicture ShellShape::picture() const
  {
    return sphere(outer_);
  }

  double ShellShape::volume(double inner, double outer)
  {
    return BallShape::volume(outer) - BallShape::volume(inner);
  }

  //! Inertia 2/5 m (b^5 - a^5)/(b^3 - a^3) with the radii a, b; for a thin shell 2/3 m b^2. Both
  //! differences are divided by b - a, so that thin shells lose no digits.
  RigidMass ShellShape::mass(double inner, double outer, double mass)
  {
    const double a = inner, b = outer;
    // (b^5 - a^5)/(b - a)
    const double fifth = ((((a + b) * a + b * b) * a + b * b * b) * a + b * b * b * b);
    const double third = (a + b) * a + b * b;
    return {mass, Vec3(0.4 * mass * (fifth / third))};
  }

  BoxShape::BoxShape(const Vector3& size) : size_(size)
  {
    std::vector<Vector3> nodes;
    for (int k = 0; k < 8; ++k)
      nodes.push_back(corner(size, k));
    setNodes(std::move(nodes), 0, 0.5 * size.norm());
  }

  //! Signed distance: outside |x - y| from the closest point y = min(max(x, -half), half) of the
  //! box, inside the largest of |x_c| - half_c, the distance from the nearest face
  SurfaceDistance BoxShape::distance(std::size_t, const Vector3& x) const
  {
    const Vector3 half = 0.5 * size_, closest = x.cwiseMin(half).cwiseMax(-half);
    if (closest != x) {
      const Vector3 d = x - closest;
      const double length = d.norm();
      return {length, d / length};
    }
    int axis;
    const double gap = (x.cwiseAbs() - half).maxCoeff(&axis);
    Vector3 normal = Vector3::Zero();
    normal[axis] = x[axis] < 0 ? -1 : 1;
    return {gap, normal};
  }

  std::vector<Polygon> BoxShape::polygons() const
  {
    return boxPolygons(size_, false);
  }

  //! From each corner along the axes on which it is low
  std::vector<Segment> BoxShape::edges() const
  {
    std::vector<Segment> result;
    for (int k = 0; k < 8; ++k)
      for (int bit : {1, 2, 4})
        if (!(k & bit))
          result.push_back({corner(size_, k), corner(size_, k | bit)});
    return result;
  }

  //! An edge is parallel to one axis; its two faces are orthogonal to the other axes c, and the
  //! directions along them into the box are -+e_c.
  std::vector<SharpEdge> BoxShape::sharpEdges() const
  {
    std::vector<SharpEdge> result;
    for (const Segment& ends : edges()) {
      SharpEdge edge{.ends = ends, .inward = {}};
      int side = 0;
      for (int c = 0; c < 3; ++c)
        if (ends[0][c] == ends[1][c])
          edge.inward[side++] =
            ends[0][c] > 0 ? Vector3(-Vector3::Unit(c)) : Vector3(Vector3::Unit(c));
      result.push_back(edge);
    }
    return result;
  }

  RigidPicture BoxShape::picture() const
  {
    return boxPicture(size_);
  }

  //! Solid box with edges a, b, c: inertia m/12 (b^2 + c^2), and cyclically
  RigidMass BoxShape::mass(const Vector3& size, double mass)
  {
    const Vector3 s = size.cwiseProduct(size);
    return {mass,
            {mass / 12 * (s[1] + s[2]), mass / 12 * (s[2] + s[0]), mass / 12 * (s[0] + s[1])}};
  }

  HollowBoxShape::HollowBoxShape(const Vector3& size) : size_(size)
  {
    setNodes({}, 0, 0.5 * size.norm());
  }

  //! Gap size/2 -+ x_c from the plane of the wall 2 c (lower) or 2 c + 1 (upper), normal inwards;
  //! the walls count as infinite planes.
  SurfaceDistance HollowBoxShape::distance(std::size_t surface, const Vector3& x) const
  {
    const int axis = int(surface) / 2;
    const double side = surface % 2 == 0 ? -1 : 1;
    Vector3 normal = Vector3::Zero();
    normal[axis] = -side;
    return {0.5 * size_[axis] - side * x[axis], normal};
  }

  std::vector<Polygon> HollowBoxShape::polygons() const
  {
    return boxPolygons(size_, true);
  }

  RigidPicture HollowBoxShape::picture() const
  {
    return boxPicture(size_);
  }

  /* Six plates with the same mass per area. With the areas A_0 = bc, A_1 = ca, A_2 = ab of the
   * faces the mean of x^2 is (2 A_0 a^2/4 + 2 (A_1 + A_2) a^2/12)/(2 (A_0 + A_1 + A_2)). */
  RigidMass HollowBoxShape::mass(const Vector3& size, double mass)
  {
    const Vector3 area(size[1] * size[2], size[2] * size[0], size[0] * size[1]);
    Vector3 mean;
    for (int c = 0; c < 3; ++c)
      mean[c] = size[c] * size[c] * (0.25 * area[c] + (area.sum() - area[c]) / 12) / area.sum();
    return {mass,
            {mass * (mean[1] + mean[2]), mass * (mean[2] + mean[0]), mass * (mean[0] + mean[1])}};
  }

  RodShape::RodShape(double length, double radius, std::size_t count) : length_(length)
  {
    std::vector<Vector3> nodes;
    for (std::size_t i = 0; i < count; ++i)
      nodes.emplace_back(length * (double(i) / double(count - 1) - 0.5), 0, 0);
    setNodes(std::move(nodes), radius, 0.5 * length + radius);
  }

  //! Capsule: distance from the closest point of the axis, x_0 clamped to [-length/2, length/2],
  //! less the radius
  SurfaceDistance RodShape::distance(std::size_t, const Vector3& x) const
  {
    auto result = fromPoint(x - Vector3(std::clamp(x[0], -0.5 * length_, 0.5 * length_), 0, 0));
    result.gap -= radius();
    return result;
  }

  std::optional<Segment> RodShape::axis() const
  {
    if (radius() == 0)
      return {};
    return Segment{nodes().front(), nodes().back()};
  }

  RigidPicture RodShape::picture() const
  {
    RigidPicture picture{nodes(), {}};
    for (std::size_t i = 0; i + 1 < nodes().size(); ++i)
      picture.cells.push_back({i, i + 1});
    return picture;
  }

  //! Solid cylinder: 1/2 m r^2 about the axis, m (r^2/4 + length^2/12) across it; the round ends do
  //! not count.
  RigidMass RodShape::mass(double length, double radius, double mass)
  {
    const double across = mass * (0.25 * radius * radius + length * length / 12);
    return {mass, {0.5 * mass * radius * radius, across, across}};
  }

  /* Sums over the tetrahedra of the triangles and the mean o of the vertices, with corners a, b, c
   * from o: volume det(a,b,c)/6, first moment volume (a + b + c)/4, second moment
   * volume/20 (s s^T + a a^T + b b^T + c c^T) with s = a + b + c. */
  VolumeProperties volumeProperties(const std::vector<Vector3>& vertices,
                                    const std::vector<TriangleShape::Triangle>& triangles)
  {
    Vector3 o = Vector3::Zero();
    for (const Vector3& x : vertices)
      o += x;
    o /= double(vertices.size());
    double volume = 0;
    Vector3 first = Vector3::Zero();
    Matrix3 second = Matrix3::Zero();
    for (const auto& t : triangles) {
      const Vector3 a = vertices[t[0]] - o, b = vertices[t[1]] - o, c = vertices[t[2]] - o,
                    s = a + b + c;
      const double v = a.dot(b.cross(c)) / 6;
      volume += v;
      first += v / 4 * s;
      second +=
        v / 20 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
    const Vector3 centre = first / volume;
    second -= volume * centre * centre.transpose();
    return {volume, o + centre, second.trace() * Matrix3::Identity() - second};
  }

  //! Height n . (x - a) over the plane of the polygon, with the unit normal n and the corner a. The
  //! projection of x is inside if n . ((c - b) x (x - b)) >= 0 for all edges from b to c.
  std::optional<SurfaceDistance> polygonDistance(const Polygon& polygon, const Vector3& x)
  {
    const Vector3& a = polygon[0];
    const Vector3 normal = (polygon[1] - a).cross(polygon[2] - a).normalized();
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vector3 &b = polygon[k], &c = polygon[(k + 1) % polygon.size()];
      if (normal.dot((c - b).cross(x - b)) < 0)
        return {};
    }
    const double gap = normal.dot(x - a);
    if (gap < -(polygon[1] - a).norm())
      return {};
    return SurfaceDistance{gap, normal};
  }

} // namespace Dune::Impact
