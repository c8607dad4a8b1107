// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>
#include <map>

#include <dune/impact/geometry/rigidshape.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();

    double largestNorm(const std::vector<Vector3>& points)
    {
      double result = 0;
      for (const Vector3& x : points)
        result = std::max(result, x.norm());
      return result;
    }

    // Two triangles form an edge if the length of the sum of their unit normals is less than two by
    // more than this
    constexpr double flat = 1e-9;

  } // namespace

  /* Pseudonormals of vertices are the sums of the normals of their triangles, weighted with the
   * angles there; those of edges are the sums of the normals of both triangles. The sign of (x -
   * y) . pseudonormal at the closest point y tells whether x is outside of the closed mesh. */
  TriangleShape::TriangleShape(std::vector<Vector3> vertices, std::vector<Triangle> triangles)
    : triangles_(std::move(triangles))
    , edge_(infinity)
  {
    const double extent = largestNorm(vertices);
    setNodes(std::move(vertices), 0, extent);
    const std::vector<Vector3>& x = nodes();
    std::vector<Box<3>> leaves;
    std::map<std::pair<std::size_t, std::size_t>, Vector3> edges;
    vertexNormals_.assign(x.size(), Vector3::Zero());
    for (const Triangle& t : triangles_) {
      const Vector3 normal = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).normalized();
      normals_.push_back(normal);
      Box<3> box;
      for (int k = 0; k < 3; ++k) {
        const Vector3 &a = x[t[k]], u = x[t[(k + 1) % 3]] - a, v = x[t[(k + 2) % 3]] - a;
        vertexNormals_[t[k]] += std::atan2(u.cross(v).norm(), u.dot(v)) * normal;
        const auto [edge, isNew] =
          edges.try_emplace(std::minmax(t[k], t[(k + 1) % 3]), Vector3::Zero());
        edge->second += normal;
        edge_ = std::min(edge_, u.norm());
        box.add(toVec3(a));
      }
      leaves.push_back(box);
    }
    for (const Triangle& t : triangles_)
      edgeNormals_.push_back({edges[std::minmax(t[0], t[1])], edges[std::minmax(t[1], t[2])],
                              edges[std::minmax(t[2], t[0])]});
    findEdges();
    tree_ = BoxTree<3>(leaves);
    tree_.refit(leaves, boxes_);
  }

  //! Edges where the normals of both triangles differ; sharp ones have the second triangle below
  //! the plane of the first
  void TriangleShape::findEdges()
  {
    struct Half
    {
      std::size_t triangle, opposite;
    };
    const std::vector<Vector3>& x = nodes();
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Half>> halves;
    for (std::size_t i = 0; i < triangles_.size(); ++i)
      for (int k = 0; k < 3; ++k)
        halves[std::minmax(triangles_[i][k], triangles_[i][(k + 1) % 3])].push_back(
          {i, triangles_[i][(k + 2) % 3]});
    for (const auto& [ends, sides] : halves) {
      if (sides.size() != 2 ||
          !((normals_[sides[0].triangle] + normals_[sides[1].triangle]).norm() < 2 - flat))
        continue;
      const Vector3 &a = x[ends.first], along = (x[ends.second] - a).normalized();
      edges_.push_back({a, x[ends.second]});
      if (!((x[sides[1].opposite] - a).dot(normals_[sides[0].triangle]) < 0))
        continue;
      SharpEdge edge{.ends = edges_.back(), .inward = {}};
      for (int side : {0, 1}) {
        const Vector3 across = x[sides[side].opposite] - a;
        edge.inward[side] = (across - along.dot(across) * along).normalized();
      }
      sharpEdges_.push_back(edge);
    }
  }

  //! Closest point of a triangle and the normal that belongs to it (Ericson, Real-Time Collision
  //! Detection, 5.1.5)
  TriangleShape::Nearest TriangleShape::nearest(std::size_t triangle, const Vector3& x) const
  {
    const auto& t = triangles_[triangle];
    const Vector3 &a = nodes()[t[0]], &b = nodes()[t[1]], &c = nodes()[t[2]];
    const auto result = [&](const Vector3& point, const Vector3& normal) {
      return Nearest{(x - point).squaredNorm(), point, normal};
    };
    const Vector3 ab = b - a, ac = c - a, ap = x - a;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0)
      return result(a, vertexNormals_[t[0]]);
    const Vector3 bp = x - b;
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3)
      return result(b, vertexNormals_[t[1]]);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
      return result(a + d1 / (d1 - d3) * ab, edgeNormals_[triangle][0]);
    const Vector3 cp = x - c;
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6)
      return result(c, vertexNormals_[t[2]]);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
      return result(a + d2 / (d2 - d6) * ac, edgeNormals_[triangle][2]);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
      return result(b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), edgeNormals_[triangle][1]);
    const double sum = va + vb + vc;
    return result(a + vb / sum * ab + vc / sum * ac, normals_[triangle]);
  }

  //! Signed distance +-|x - y| from the closest point y of the mesh with the sign of (x - y) .
  //! pseudonormal at y; the gradient is +-(x - y)/|x - y|, and on the mesh the pseudonormal.
  SurfaceDistance TriangleShape::distance(std::size_t, const Vector3& x) const
  {
    // boxes around x that grow until one holds a triangle which is nearer than the box is wide
    Nearest best{infinity, Vector3::Zero(), Vector3::Zero()};
    double reach = edge_;
    for (;; reach *= 2) {
      Box<3> box;
      box.add(toVec3(x));
      tree_.query(boxes_, box.inflated(reach), [&](std::size_t i) {
        if (const Nearest n = nearest(i, x); n.square < best.square)
          best = n;
      });
      if (best.square <= reach * reach || !std::isfinite(reach))
        break;
    }
    const Vector3 d = x - best.point;
    const double length = std::sqrt(best.square), sign = d.dot(best.normal) < 0 ? -1 : 1;
    if (length > 0)
      return {sign * length, sign / length * d};
    return {0, best.normal.normalized()};
  }

  std::vector<Polygon> TriangleShape::polygons() const
  {
    std::vector<Polygon> polygons;
    for (const Triangle& t : triangles_)
      polygons.push_back({nodes()[t[0]], nodes()[t[1]], nodes()[t[2]]});
    return polygons;
  }

  RigidPicture TriangleShape::picture() const
  {
    RigidPicture picture{nodes(), {}};
    for (const Triangle& t : triangles_)
      picture.cells.push_back({t[0], t[1], t[2]});
    return picture;
  }

  FacetShape::FacetShape(std::vector<Vector3> nodes, double radius, std::vector<Polygon> facets)
    : facets_(std::move(facets))
  {
    double extent = largestNorm(nodes) + radius;
    for (const Polygon& facet : facets_)
      extent = std::max(extent, largestNorm(facet));
    setNodes(std::move(nodes), radius, extent);
  }

  SurfaceDistance FacetShape::distance(std::size_t surface, const Vector3& x) const
  {
    return polygonDistance(facets_[surface], x)
      .value_or(SurfaceDistance{infinity, Vector3::UnitZ()});
  }

  RigidPicture FacetShape::picture() const
  {
    RigidPicture picture{nodes(), {}};
    for (std::size_t i = 0; i < nodes().size(); ++i)
      picture.cells.push_back({i});
    for (const Polygon& facet : facets_) {
      const std::size_t first = picture.points.size();
      picture.points.insert(picture.points.end(), facet.begin(), facet.end());
      for (std::size_t k = 2; k < facet.size(); ++k)
        picture.cells.push_back({first, first + k - 1, first + k});
    }
    return picture;
  }

} // namespace Dune::Impact
