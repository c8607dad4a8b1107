// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_RIGIDSHAPE_HH
#define DUNE_IMPACT_GEOMETRY_RIGIDSHAPE_HH

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dune/impact/common/types.hh>
#include <dune/impact/geometry/boxtree.hh>
#include <dune/impact/geometry/rigidmotion.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Shapes of rigid bodies: what touches, and how mass is spread
 *
 * A shape lives in body axes: the origin is the centre of mass, the axes are principal axes of
 * inertia. It touches in two ways: its nodes (points with a radius) touch the surfaces of others,
 * and its surface, given by signed distances, is touched by the nodes of others.
 */

namespace Dune::Impact {

  //! Mass and principal moments of inertia about the centre of mass
  struct RigidMass
  {
    double mass;
    Vec3 inertia;
  };

  //! Signed distance of a point from a surface: positive on the free side, with its gradient
  struct SurfaceDistance
  {
    double gap;
    Vector3 normal;
  };

  //! Points and cells for pictures, in body axes
  struct RigidPicture
  {
    std::vector<Vector3> points;
    std::vector<std::vector<std::size_t>> cells; //!< one point, two, a triangle or a quadrilateral
  };

  //! From one end to the other
  using Segment = std::array<Vector3, 2>;

  //! A straight edge between two faces of a surface that meet convexly
  struct SharpEdge
  {
    Segment ends;
    std::array<Vector3, 2> inward; //!< unit vectors across the edge, along each face
  };

  //! A flat convex part of a surface, corners counter-clockwise seen from the free side
  using Polygon = std::vector<Vector3>;

  //! Shape of a rigid body in body axes: nodes that touch, surfaces that are touched
  class RigidShape
  {
  public:
    virtual ~RigidShape() = default;

    const std::vector<Vector3>& nodes() const { return nodes_; }
    double radius() const { return radius_; } //!< of all nodes

    //! Largest distance of the surface and the nodes from the centre of mass
    double extent() const { return extent_; }

    //! Number of surfaces that a point can touch independently of each other, zero if there are
    //! only nodes
    virtual std::size_t surfaces() const = 0;

    //! Distance from one of them
    virtual SurfaceDistance distance(std::size_t surface, const Vector3& x) const = 0;

    //! The smallest of these distances
    virtual double nearest(const Vector3& x) const
    {
      double gap = std::numeric_limits<double>::infinity();
      for (std::size_t surface = 0; surface < surfaces(); ++surface)
        gap = std::min(gap, distance(surface, x).gap);
      return gap;
    }

    //! Flat parts of the surface, empty if it is round
    virtual std::vector<Polygon> polygons() const { return {}; }

    //! Straight edges of the surface
    virtual std::vector<Segment> edges() const { return {}; }

    //! Those of them that other edges can touch
    virtual std::vector<SharpEdge> sharpEdges() const { return {}; }

    //! Middle line of a shape that has the radius of its nodes all along it
    virtual std::optional<Segment> axis() const { return {}; }

    //! Edge lengths if the shape is a solid box
    virtual const Vector3* box() const { return nullptr; }

    //! True if other bodies are inside
    virtual bool hollow() const { return false; }

    //! True if each surface is a flat facet of its own that does not enclose anything
    virtual bool facets() const { return false; }

    virtual RigidPicture picture() const = 0;

  protected:
    void setNodes(std::vector<Vector3> nodes, double radius, double extent)
    {
      nodes_ = std::move(nodes);
      radius_ = radius;
      extent_ = extent;
    }

  private:
    std::vector<Vector3> nodes_;
    double radius_ = 0;
    double extent_ = 0;
  };

  //! A ball
  class BallShape : public RigidShape
  {
  public:
    explicit BallShape(double radius) { setNodes({Vector3::Zero()}, radius, radius); }

    std::size_t surfaces() const override { return 1; }
    SurfaceDistance distance(std::size_t surface, const Vector3& x) const override;
    RigidPicture picture() const override;

    static RigidMass mass(double radius, double mass);
    static double volume(double radius);
  };

  //! A spherical shell that is touched from inside
  class ShellShape : public RigidShape
  {
  public:
    ShellShape(double inner, double outer) : inner_(inner), outer_(outer)
    {
      setNodes({}, 0, outer);
    }

    std::size_t surfaces() const override { return 1; }
    SurfaceDistance distance(std::size_t surface, const Vector3& x) const override;
    RigidPicture picture() const override;
    bool hollow() const override { return true; }
    double inner() const { return inner_; }

    static RigidMass mass(double inner, double outer, double mass);
    static double volume(double inner, double outer);

  private:
    double inner_, outer_;
  };

  //! A box, also a plate; its nodes are its corners
  class BoxShape : public RigidShape
  {
  public:
    explicit BoxShape(const Vector3& size);

    std::size_t surfaces() const override { return 1; }
    SurfaceDistance distance(std::size_t surface, const Vector3& x) const override;
    std::vector<Polygon> polygons() const override;
    std::vector<Segment> edges() const override;
    std::vector<SharpEdge> sharpEdges() const override;
    const Vector3* box() const override { return &size_; }
    RigidPicture picture() const override;

    static RigidMass mass(const Vector3& size, double mass);

  private:
    Vector3 size_;
  };

  //! The inside of a box with thin walls; each of the six walls is a surface of its own
  class HollowBoxShape : public RigidShape
  {
  public:
    explicit HollowBoxShape(const Vector3& size);

    std::size_t surfaces() const override { return 6; }
    SurfaceDistance distance(std::size_t surface, const Vector3& x) const override;
    double nearest(const Vector3& x) const override
    {
      return (0.5 * size_ - x.cwiseAbs()).minCoeff();
    }
    std::vector<Polygon> polygons() const override;
    RigidPicture picture() const override;
    bool hollow() const override { return true; }

    static RigidMass mass(const Vector3& size, double mass);

  private:
    Vector3 size_;
  };

  //! Nodes along the first axis from -length/2 to length/2 with a radius; the surface is that of a
  //! cylinder with round ends, none if the radius is zero
  class RodShape : public RigidShape
  {
  public:
    RodShape(double length, double radius, std::size_t nodes);

    std::size_t surfaces() const override { return radius() > 0 ? 1 : 0; }
    SurfaceDistance distance(std::size_t surface, const Vector3& x) const override;
    std::optional<Segment> axis() const override;
    RigidPicture picture() const override;

    //! Of a cylinder of the length without round ends
    static RigidMass mass(double length, double radius, double mass);

  private:
    double length_;
  };

  /** \brief A closed surface of triangles
   *
   * The distance is that to the closest point, with the sign of the mean normal there (Baerentzen
   * and Aanaes, 2005).
   */
  class TriangleShape : public RigidShape
  {
  public:
    using Triangle = std::array<std::size_t, 3>;

    TriangleShape(std::vector<Vector3> vertices, std::vector<Triangle> triangles);

    std::size_t surfaces() const override { return 1; }
    SurfaceDistance distance(std::size_t surface, const Vector3& x) const override;
    std::vector<Polygon> polygons() const override;
    std::vector<Segment> edges() const override { return edges_; }
    std::vector<SharpEdge> sharpEdges() const override { return sharpEdges_; }
    RigidPicture picture() const override;

  private:
    struct Nearest
    {
      double square;
      Vector3 point;
      Vector3 normal; //!< not of unit length
    };

    Nearest nearest(std::size_t triangle, const Vector3& x) const;
    void findEdges();

    std::vector<Triangle> triangles_;
    std::vector<Segment> edges_;         //!< where the surface is not flat
    std::vector<SharpEdge> sharpEdges_;  //!< those of them that are convex
    double edge_;                        //!< the shortest
    std::vector<Vector3> normals_;       //!< unit normals of the triangles
    std::vector<Vector3> vertexNormals_; //!< sums weighted with angles
    //! sum of both normals, edge k from corner k to k + 1
    std::vector<std::array<Vector3, 3>> edgeNormals_;
    BoxTree<3> tree_;
    BoxTree<3>::Boxes boxes_;
  };

  /** \brief Nodes, and flat facets that do not enclose anything
   *
   * Each facet is a surface of its own, touched from the side of its normal by points whose
   * projection is inside and that are not deeper than its first edge is long.
   */
  class FacetShape : public RigidShape
  {
  public:
    FacetShape(std::vector<Vector3> nodes, double radius, std::vector<Polygon> facets);

    std::size_t surfaces() const override { return facets_.size(); }
    SurfaceDistance distance(std::size_t surface, const Vector3& x) const override;
    std::vector<Polygon> polygons() const override { return facets_; }
    bool facets() const override { return true; }
    RigidPicture picture() const override;

  private:
    std::vector<Polygon> facets_;
  };

  //! Volume, centre and inertia about it (per density) of what a closed surface of triangles
  //! encloses
  struct VolumeProperties
  {
    double volume;
    Vector3 centre;
    Matrix3 inertia;
  };

  VolumeProperties volumeProperties(const std::vector<Vector3>& vertices,
                                    const std::vector<TriangleShape::Triangle>& triangles);

  //! Signed distance from a flat convex polygon if the projection is inside and the point not
  //! deeper than the first edge is long
  std::optional<SurfaceDistance> polygonDistance(const Polygon& polygon, const Vector3& x);

} // namespace Dune::Impact

#endif
