// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_RIGID_RIGIDCONTACT_HH
#define DUNE_IMPACT_CONTACT_RIGID_RIGIDCONTACT_HH

#include <optional>
#include <vector>

#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/impulse/penaltygeometry.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/contact/rigid/boxmanifold.hh>

/** \file
 * \ingroup impact_contact_rigid
 * \brief Contact with rigid bodies
 */

namespace Dune::Impact {

  //! The rigid bodies of one section, and where their numbers begin in the arrays of the system
  struct RigidSide
  {
    const RigidBody* body;
    std::size_t bodyIndex;
    std::size_t configurationOffset, velocityOffset;

    RigidSide(const System& system, std::size_t index)
      : body(dynamic_cast<const RigidBody*>(&system.body(index)))
      , bodyIndex(index)
      , configurationOffset(system.point(index, 0).configurationOffset)
      , velocityOffset(system.point(index, 0).velocityOffset)
    {}

    const double* configuration(ConstSpan q, std::size_t member) const
    {
      return q.data() + configurationOffset + member * RigidPlace::size;
    }
  };

  //! One of a number of multipliers, the same for the same key
  std::size_t sharedMultiplier(std::size_t key, std::size_t multipliers);

  //! A bound for the coordinates of the bodies of one side
  double largestCoordinate(const RigidSide& side, ConstSpan q);

  //! Append the functional sign * direction . (velocity of the material at an arm from the centre
  //! about which the body turns)
  void addRigidFunctional(const RigidSide& side, std::size_t member, const Vector3& arm,
                          const Vec3& direction, double sign, SparseVector& entries);

  //! A rigid shape in space: x = origin + axes y for a point y of the shape
  struct PlacedShape
  {
    Vector3 origin; //!< centre of mass
    Vector3 centre; //!< about which the body turns: the same, or the pivot
    Matrix3 axes;

    PlacedShape(const RigidBody& body, const double* q);

    Vector3 toSpace(const Vector3& y) const { return origin + axes * y; }
    Vector3 toBody(const Vector3& x) const { return axes.transpose() * (x - origin); }
  };

  /** \brief Rigid bodies against rigid bodies, or those of one section among each other
   *
   * Nodes of one side touch surfaces of the other, both ways; balls touch with their centre and
   * radius; rods also with their axis and radius, which touches edges and the axes of rods between
   * their ends; two boxes touch with faces and edges, see boxContacts(); two meshes, or a mesh and
   * a box, touch with their convex edges besides, see touchEdge(). The impulse acts half way
   * between both sides on both bodies, which keeps the angular momentum exactly.
   *
   * Pairs are found by boxes around the bodies in a tree. With many bodies the multipliers are
   * shared by several points.
   */
  class RigidContact
    : public ImpulseGeometry
    , public PenaltyGeometry
  {
  public:
    RigidContact(const RigidSide& first, const RigidSide& second);

    std::size_t firstBody() const override { return first_.bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return second_.bodyIndex; }
    std::size_t multipliers() const override { return multipliers_; }
    void gaps(double t, ConstSpan q, Span gaps) const override;
    double addPoints(const Instant& at, ConstSpan q, double tolerance,
                     ContactPoints& rows) const override;
    double length(ConstSpan q) const override;

    std::vector<PenaltyNode> penaltyNodes() const override;

  private:
    struct Point
    {
      double gap;
      Vector3 normal; //!< on the first side
      Vector3 place;
      std::size_t first, second, feature;
    };

    //! An axis of the one side and an edge or axis of the other
    struct Lines
    {
      Segment first, second;
      double firstRadius, secondRadius;
    };

    void addLines(const RigidShape& a, const RigidShape& b);
    void addEdges(const RigidShape& a, const RigidShape& b);
    double touchEdges(const PlacedShape& a, const PlacedShape& b, std::size_t i, std::size_t j,
                      double tolerance) const;
    std::optional<Point> touchEdge(std::size_t k, std::size_t l, const PlacedShape& a,
                                   const PlacedShape& b) const;
    double touchLines(const PlacedShape& a, const PlacedShape& b, std::size_t i, std::size_t j,
                      double tolerance) const;
    template<class F>
    void findPairs(ConstSpan q, double margin, F&& f) const;
    double touch(ConstSpan q, std::size_t i, std::size_t j, double tolerance) const;
    double touchBoxes(const PlacedShape& a, const PlacedShape& b, std::size_t i, std::size_t j,
                      double tolerance) const;
    double touchNodes(const RigidShape& nodes, const PlacedShape& a, const RigidShape& surface,
                      const PlacedShape& b, double side, std::size_t i, std::size_t j,
                      double tolerance) const;
    std::size_t key(const Point& point) const;
    std::size_t multiplier(const Point& point) const;
    void addRow(const Point& point, ConstSpan q, ContactPoints& rows) const;

    RigidSide first_, second_;
    bool self_; //!< bodies of one section among each other
    bool firstNodes_, secondNodes_, boxes_;
    std::vector<Lines> lines_;
    std::vector<SharpEdge> firstEdges_, secondEdges_; //!< that touch each other
    BoxTree<3> edgeTree_;                             //!< of those of the second side, in its axes
    BoxTree<3>::Boxes edgeBoxes_;
    //! per pair: nodes on surfaces or those of boxes, then lines, then edges
    std::size_t features_;
    std::size_t lineFeature_, edgeFeature_; //!< where these begin
    std::size_t multipliers_;
    bool exactMultipliers_;
    bool all_; //!< few pairs: all of them are looked at

    // scratch
    mutable std::vector<Point> points_;
    mutable std::vector<BoxContact> contacts_;
    mutable std::vector<Box<3>> leaves_;
    mutable BoxTree<3>::Boxes treeBoxes_;
  };

  /** \brief Points of other bodies against the surface of rigid bodies
   *
   * One multiplier per point, rigid body and surface; with very many of them several share a
   * multiplier. A point without a radius meets the rigid body where it is itself, so that impulses
   * along the normal and across it have no moment together. Few rigid bodies are all looked at; of
   * many a tree of boxes finds those that a point can touch.
   */
  class PointRigid : public ImpulseGeometry
  {
  public:
    PointRigid(std::vector<PointHandle> points, const RigidSide& second);

    std::size_t firstBody() const override { return points_.front().bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return second_.bodyIndex; }
    std::size_t multipliers() const override { return multipliers_; }
    void gaps(double t, ConstSpan q, Span gaps) const override;
    double addPoints(const Instant& at, ConstSpan q, double tolerance,
                     ContactPoints& rows) const override;
    double length(ConstSpan q) const override;

  private:
    template<class F>
    void visit(ConstSpan q, double tolerance, F&& f) const;
    std::size_t key(std::size_t point, std::size_t member, std::size_t surface) const;
    std::size_t multiplier(std::size_t point, std::size_t member, std::size_t surface) const;

    std::vector<PointHandle> points_;
    RigidSide second_;
    std::size_t multipliers_;
    bool exactMultipliers_;
    bool all_; //!< few rigid bodies, or hollow ones: all of them are looked at

    // scratch
    mutable std::vector<PlacedShape> shapes_;
    mutable std::vector<Box<3>> leaves_;
    mutable BoxTree<3>::Boxes treeBoxes_;
  };

} // namespace Dune::Impact

#endif
