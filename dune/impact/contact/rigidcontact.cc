// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/contact/rigidcontact.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::size_t mostExactSlots = 4096;
    constexpr std::size_t fewPairs = 64;

    bool isBall(const RigidShape& shape)
    {
      return dynamic_cast<const BallShape*>(&shape) != nullptr;
    }

    //! Entries of the functional direction . (velocity of the material at a place)
    void addEntries(const RigidSide& side, std::size_t member, const Vector3& arm, const Vec3& direction, double sign, SparseVector& entries)
    {
      const std::size_t first = side.velocityOffset + member * RigidBody::dofs;
      const Vector3 d = sign * toEigen(direction), turn = arm.cross(d);
      for (int c = 0; c < 3 && !side.body->hasPivot(); ++c)
        entries.push_back({first + c, d[c]});
      for (int c = 0; c < 3; ++c)
        entries.push_back({first + 3 + c, turn[c]});
    }

    void setAxes(const Vec3& normal, Row& row)
    {
      const auto t = tangents(normal);
      row.axes = {normal, t[0], t[1]};
    }

    double largestCoordinate(const RigidSide& side, ConstSpan q)
    {
      double result = 0;
      for (std::size_t i = 0; i < side.body->count(); ++i)
        result = std::max(result, RigidPlace(side.configuration(q, i)).centre.cwiseAbs().maxCoeff());
      return result + side.body->shape().extent();
    }

  } // namespace

  PlacedShape::PlacedShape(const RigidBody& body, const double* q)
  {
    const RigidPlace at(q);
    centre = at.centre;
    axes = at.rotation.toRotationMatrix();
    origin = body.hasPivot() ? Vector3(centre + axes * body.shapeOffset()) : centre;
  }

  RigidContact::RigidContact(std::size_t contact, const RigidSide& first, const RigidSide& second)
    : contact_(contact), first_(first), second_(second), self_(first.body == second.body)
  {
    const RigidShape &a = first.body->shape(), &b = second.body->shape();
    boxes_ = a.box() && b.box();
    // a ball touches with its centre, so that its surface is needed by nodes without a surface only
    firstNodes_ = !boxes_ && b.surfaces() > 0 && !(isBall(b) && !isBall(a) && a.surfaces() > 0);
    secondNodes_ = !boxes_ && a.surfaces() > 0 && !(isBall(a) && b.surfaces() > 0);
    features_ = boxes_ ? boxFeatures : firstNodes_ * a.nodes().size() * b.surfaces() + secondNodes_ * b.nodes().size() * a.surfaces();
    const std::size_t n = first.body->count(), m = second.body->count(), pairs = n * m;
    all_ = pairs <= fewPairs;
    exactSlots_ = pairs * features_ <= mostExactSlots;
    slots_ = pairs * features_;
    for (std::size_t shared = mostExactSlots; !exactSlots_; shared *= 2)
      if (shared >= 16 * (n + m)) {
        slots_ = shared;
        break;
      }
  }

  template<class F>
  void RigidContact::findPairs(ConstSpan q, double margin, F&& f) const
  {
    const std::size_t n = first_.body->count(), m = second_.body->count();
    if (all_) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = self_ ? i + 1 : 0; j < m; ++j)
          f(i, j);
      return;
    }
    const auto boxOf = [&](const RigidSide& side, std::size_t member) {
      const PlacedShape at(*side.body, side.configuration(q, member));
      Box<3> box;
      box.add(toVec3(at.origin));
      return box.inflated(side.body->shape().extent() + margin);
    };
    leaves_.clear();
    for (std::size_t j = 0; j < m; ++j)
      leaves_.push_back(boxOf(second_, j));
    const BoxTree<3> tree(leaves_);
    tree.refit(leaves_, treeBoxes_);
    for (std::size_t i = 0; i < n; ++i)
      tree.query(treeBoxes_, self_ ? leaves_[i] : boxOf(first_, i), [&](std::size_t j) {
        if (!self_ || j > i)
          f(i, j);
      });
  }

  double RigidContact::touchBoxes(const PlacedShape& a, const PlacedShape& b, std::size_t i, std::size_t j, double tolerance) const
  {
    Vector3 normal;
    const PlacedBox first{a.origin, a.axes, 0.5 * *first_.body->shape().box()}, second{b.origin, b.axes, 0.5 * *second_.body->shape().box()};
    const double gap = boxContacts(first, second, tolerance, normal, contacts_);
    for (const BoxContact& c : contacts_)
      points_.push_back({c.gap, normal, c.place, i, j, c.feature});
    return gap;
  }

  //! Nodes of a against the surfaces of b; the normal points out of b, on the first side if `side` is 1
  double RigidContact::touchNodes(const RigidShape& nodes, const PlacedShape& a, const RigidShape& surface, const PlacedShape& b, double side, std::size_t i, std::size_t j, double tolerance) const
  {
    double smallest = infinity;
    const std::size_t surfaces = surface.surfaces(), offset = side > 0 || !firstNodes_ ? 0 : first_.body->shape().nodes().size() * second_.body->shape().surfaces();
    const Vector3 origin = b.toBody(a.origin);
    const Matrix3 turn = b.axes.transpose() * a.axes;
    for (std::size_t k = 0; k < nodes.nodes().size(); ++k) {
      const Vector3 y = origin + turn * nodes.nodes()[k];
      const double nearest = surface.nearest(y) - nodes.radius();
      smallest = std::min(smallest, nearest);
      for (std::size_t s = 0; nearest <= tolerance && s < surfaces; ++s) {
        const SurfaceDistance d = surface.distance(s, y);
        const double gap = d.gap - nodes.radius();
        if (!(gap <= tolerance))
          continue;
        const Vector3 normal = b.axes * d.normal;
        points_.push_back({gap, side * normal, a.toSpace(nodes.nodes()[k]) - (nodes.radius() + 0.5 * gap) * normal, i, j, offset + k * surfaces + s});
      }
    }
    return smallest;
  }

  double RigidContact::touch(ConstSpan q, std::size_t i, std::size_t j, double tolerance) const
  {
    const RigidShape &first = first_.body->shape(), &second = second_.body->shape();
    const double *qa = first_.configuration(q, i), *qb = second_.configuration(q, j);
    const PlacedShape a(*first_.body, qa), b(*second_.body, qb);
    if (!all_ && !first.hollow() && !second.hollow() && (a.origin - b.origin).norm() > first.extent() + second.extent() + std::max(tolerance, 0.0))
      return infinity;
    if (boxes_)
      return touchBoxes(a, b, i, j, tolerance);
    double smallest = infinity;
    if (firstNodes_)
      smallest = touchNodes(first, a, second, b, 1, i, j, tolerance);
    if (secondNodes_)
      smallest = std::min(smallest, touchNodes(second, b, first, a, -1, i, j, tolerance));
    return smallest;
  }

  std::size_t RigidContact::slot(const Point& point) const
  {
    const std::size_t pair = point.first * second_.body->count() + point.second, index = pair * features_ + point.feature;
    return exactSlots_ ? index : (index * 0x9e3779b97f4a7c15ull >> 20) % slots_;
  }

  void RigidContact::gaps(double, ConstSpan q, Span gaps) const
  {
    std::fill(gaps.begin(), gaps.end(), infinity);
    points_.clear();
    double smallest = infinity;
    findPairs(q, 0, [&](std::size_t i, std::size_t j) { smallest = std::min(smallest, touch(q, i, j, all_ ? infinity : 0)); });
    for (const Point& point : points_) {
      double& gap = gaps[slot(point)];
      gap = std::min(gap, point.gap);
    }
  }

  void RigidContact::addRow(const Point& point, ConstSpan q, RowSet& rows) const
  {
    Row& row = rows.add();
    row.contact = contact_;
    row.slot = slot(point);
    row.gap = point.gap;
    row.firstBody = first_.bodyIndex;
    row.secondBody = long(second_.bodyIndex);
    row.place = toVec3(point.place);
    setAxes(toVec3(point.normal), row);
    const Vector3 armA = point.place - RigidPlace(first_.configuration(q, point.first)).centre, armB = point.place - RigidPlace(second_.configuration(q, point.second)).centre;
    for (int c = 0; c < rows.components(); ++c)
      rows.addFunctional([&](SparseVector& entries) {
        addEntries(first_, point.first, armA, row.axes[c], 1, entries);
        addEntries(second_, point.second, armB, row.axes[c], -1, entries);
      });
  }

  double RigidContact::addRows(const Instant&, ConstSpan q, double tolerance, RowSet& rows) const
  {
    points_.clear();
    double smallest = infinity;
    findPairs(q, std::max(tolerance, 0.0), [&](std::size_t i, std::size_t j) { smallest = std::min(smallest, touch(q, i, j, tolerance)); });
    for (const Point& point : points_)
      addRow(point, q, rows);
    return smallest;
  }

  double RigidContact::length(ConstSpan q) const
  {
    return std::max(largestCoordinate(first_, q), largestCoordinate(second_, q));
  }

  PointRigid::Parts PointRigid::parts(std::size_t slot) const
  {
    const std::size_t surfaces = second_.body->shape().surfaces(), members = second_.body->count();
    return {points_[slot / (surfaces * members)], slot / surfaces % members, slot % surfaces};
  }

  double PointRigid::gap(double, ConstSpan q, std::size_t slot) const
  {
    const auto [point, member, surface] = parts(slot);
    const PlacedShape b(*second_.body, second_.configuration(q, member));
    return second_.body->shape().distance(surface, b.toBody(toEigen(point.position(q)))).gap - point.radius();
  }

  void PointRigid::fill(const Instant&, ConstSpan q, std::size_t slot, Row& row, RowSet& rows) const
  {
    const auto [point, member, surface] = parts(slot);
    const PlacedShape b(*second_.body, second_.configuration(q, member));
    const Vector3 x = toEigen(point.position(q)), normal = b.axes * second_.body->shape().distance(surface, b.toBody(x)).normal;
    const Vector3 place = x - (point.radius() + 0.5 * row.gap) * normal, arm = place - b.centre;
    row.firstBody = point.bodyIndex;
    row.secondBody = long(second_.bodyIndex);
    row.place = toVec3(place);
    setAxes(toVec3(normal), row);
    for (int c = 0; c < rows.components(); ++c)
      rows.addFunctional([&](SparseVector& entries) {
        point.addFunctional(q, row.place, row.axes[c], entries);
        addEntries(second_, member, arm, row.axes[c], -1, entries);
      });
  }

  double PointRigid::length(ConstSpan q) const
  {
    double result = largestCoordinate(second_, q);
    for (const PointHandle& point : points_)
      result = std::max(result, point.position(q).infinity_norm());
    return result;
  }

} // namespace Dune::Impact
