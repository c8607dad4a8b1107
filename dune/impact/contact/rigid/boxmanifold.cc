// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/contact/rigid/boxmanifold.hh>

namespace Dune::Impact {

  namespace {

    // Corners closer than this part of the size are one: borders that coincide up to rounding cut
    // off slivers
    constexpr double sameCorner = 1e-9;

    //! Half width of a box along a unit vector: sum_c half_c |axis_c . direction|
    double reach(const PlacedBox& box, const Vector3& direction)
    {
      return (box.axes.transpose() * direction).cwiseAbs().dot(box.half);
    }

    //! The part of a polygon with n . x <= bound
    void clip(std::vector<Vector3>& polygon, const Vector3& n, double bound,
              std::vector<Vector3>& scratch)
    {
      scratch.clear();
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vector3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        const double u = n.dot(a) - bound, v = n.dot(b) - bound;
        if (u <= 0)
          scratch.push_back(a);
        if ((u < 0 && v > 0) || (u > 0 && v < 0))
          scratch.push_back(a + u / (u - v) * (b - a));
      }
      std::swap(polygon, scratch);
    }

    //! Face of a box whose outward normal points most against a direction
    std::vector<Vector3> incidentFace(const PlacedBox& box, const Vector3& direction)
    {
      int axis;
      const Vector3 d = box.axes.transpose() * direction;
      d.cwiseAbs().maxCoeff(&axis);
      const double side = d[axis] > 0 ? -1 : 1;
      const Vector3 middle = box.centre + side * box.half[axis] * box.axes.col(axis);
      const Vector3 u = box.half[(axis + 1) % 3] * box.axes.col((axis + 1) % 3),
                    v = box.half[(axis + 2) % 3] * box.axes.col((axis + 2) % 3);
      return {middle - u - v, middle + u - v, middle + u + v, middle - u + v};
    }

    //! Contact of the face of `reference` with the outward normal n = side * column(axis); points
    //! of `other` below it
    void faceContacts(const PlacedBox& reference, int axis, const Vector3& n,
                      const PlacedBox& other, double tolerance, std::vector<BoxContact>& contacts)
    {
      std::vector<Vector3> polygon = incidentFace(other, n), scratch;
      for (int k = 1; k < 3; ++k) {
        const int c = (axis + k) % 3;
        const Vector3 border = reference.axes.col(c);
        const double middle = border.dot(reference.centre);
        clip(polygon, border, middle + reference.half[c], scratch);
        clip(polygon, -border, reference.half[c] - middle, scratch);
      }
      const double level = n.dot(reference.centre) + reference.half[axis];
      const double same = sameCorner * reference.half.maxCoeff();
      for (std::size_t i = 0; i < polygon.size() && contacts.size() < boxFeatures - 1; ++i) {
        const double gap = n.dot(polygon[i]) - level;
        const Vector3 place = polygon[i] - 0.5 * gap * n;
        const bool known = std::any_of(contacts.begin(), contacts.end(), [&](const BoxContact& c) {
          return (c.place - place).norm() <= same;
        });
        if (gap <= tolerance && !known)
          contacts.push_back({gap, place, contacts.size()});
      }
    }

    /* Middle of the closest points p + s u and q + t v of two edges, from u . (d + t v - s u) = 0
     * and the same with v, d = q - p. The edge of each box is the one that lies farthest towards
     * the other box. */
    Vector3 edgePlace(const PlacedBox& a, int i, const PlacedBox& b, int j, const Vector3& n)
    {
      const auto edge = [](const PlacedBox& box, int axis, const Vector3& towards) {
        Vector3 x = box.centre;
        for (int c = 0; c < 3; ++c)
          if (c != axis)
            x += (box.axes.col(c).dot(towards) > 0 ? 1 : -1) * box.half[c] * box.axes.col(c);
        return x;
      };
      const Vector3 p = edge(a, i, -n), q = edge(b, j, n), u = a.axes.col(i), v = b.axes.col(j),
                    d = q - p;
      const double uv = u.dot(v), det = 1 - uv * uv;
      const double s = (u.dot(d) - uv * v.dot(d)) / det, t = (uv * u.dot(d) - v.dot(d)) / det;
      return 0.5 * ((p + s * u) + (q + t * v));
    }

  } // namespace

  /* Separating axes: |axis . d| - reach_1 - reach_2 with the vector d between the centres, for six
   * normals of faces and nine products of edges. The largest value is the gap, its axis the
   * normal; an edge must exceed a face by 1e-6 of the size. */
  double boxContacts(const PlacedBox& first, const PlacedBox& second, double tolerance,
                     Vector3& normal, std::vector<BoxContact>& contacts)
  {
    contacts.clear();
    const Vector3 d = first.centre - second.centre;
    double face = -std::numeric_limits<double>::infinity(), edge = face;
    int best = 0, bestA = 0, bestB = 0;
    Vector3 edgeNormal = Vector3::Zero();
    for (int k = 0; k < 6; ++k) {
      const Vector3 axis = k < 3 ? first.axes.col(k) : second.axes.col(k - 3);
      const double apart = std::abs(axis.dot(d)) - reach(first, axis) - reach(second, axis);
      if (apart > face) {
        face = apart;
        best = k;
      }
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        Vector3 axis = first.axes.col(i).cross(second.axes.col(j));
        const double length = axis.norm();
        if (length < 1e-3) // nearly parallel edges: a face is as good
          continue;
        axis /= length;
        const double apart = std::abs(axis.dot(d)) - reach(first, axis) - reach(second, axis);
        if (apart > edge) {
          edge = apart;
          bestA = i;
          bestB = j;
          edgeNormal = axis;
        }
      }
    // the tolerance of the preference is small beside the boxes and large beside rounding
    const double size = std::max(first.half.maxCoeff(), second.half.maxCoeff());
    if (edge > face + 1e-6 * size) {
      normal = edgeNormal.dot(d) < 0 ? Vector3(-edgeNormal) : edgeNormal;
      if (edge <= tolerance)
        contacts.push_back({edge, edgePlace(first, bestA, second, bestB, normal), boxFeatures - 1});
      return edge;
    }
    const Vector3 axis = best < 3 ? first.axes.col(best) : second.axes.col(best - 3);
    normal = axis.dot(d) < 0 ? Vector3(-axis) : axis;
    if (face > tolerance)
      return face;
    if (best < 3)
      faceContacts(first, best, -normal, second, tolerance, contacts);
    else
      faceContacts(second, best - 3, normal, first, tolerance, contacts);
    return face;
  }

} // namespace Dune::Impact
