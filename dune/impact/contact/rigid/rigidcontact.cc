// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/contact/impulse/contactaxes.hh>
#include <dune/impact/contact/rigid/rigidcontact.hh>
#include <dune/impact/geometry/closestpoint.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::size_t mostExactMultipliers = 4096;
    constexpr std::size_t fewPairs = 64;
    // square of the sine of the angle of lines that count as parallel
    constexpr double parallel = 1e-6;
    // overlap of edges that still touch, as a part of the shorter one
    constexpr double deepest = 0.1;

    bool isBall(const RigidShape& shape)
    {
      return dynamic_cast<const BallShape*>(&shape) != nullptr;
    }

  } // namespace

  //! Multiplicative hash: the factor is 2^64 divided by the golden ratio, which spreads consecutive
  //! keys.
  std::size_t sharedMultiplier(std::size_t key, std::size_t multipliers)
  {
    return (key * 0x9e3779b97f4a7c15ull >> 20) % multipliers;
  }

  double largestCoordinate(const RigidSide& side, ConstSpan q)
  {
    double result = 0;
    for (std::size_t i = 0; i < side.body->count(); ++i)
      result = std::max(result, RigidPlace(side.configuration(q, i)).centre.cwiseAbs().maxCoeff());
    return result + side.body->shape().extent();
  }

  //! d . (v + omega x arm) = d . v + (arm x d) . omega with d = sign direction; a body with a pivot
  //! has no v.
  void addRigidFunctional(const RigidSide& side, std::size_t member, const Vector3& arm,
                          const Vec3& direction, double sign, SparseVector& entries)
  {
    const std::size_t first = side.velocityOffset + member * RigidBody::dofs;
    const Vector3 d = sign * toEigen(direction), turn = arm.cross(d);
    for (int c = 0; c < 3 && !side.body->hasPivot(); ++c)
      entries.push_back({first + c, d[c]});
    for (int c = 0; c < 3; ++c)
      entries.push_back({first + 3 + c, turn[c]});
  }

  PlacedShape::PlacedShape(const RigidBody& body, const double* q)
  {
    const RigidPlace at(q);
    centre = at.centre;
    axes = at.rotation.toRotationMatrix();
    origin = body.hasPivot() ? Vector3(centre + axes * body.shapeOffset()) : centre;
  }

  /* Features of a pair of bodies: nodes on surfaces, or the nine of two boxes, then lines, then
   * edges. Each pair and feature has its own multiplier if there are at most mostExactMultipliers;
   * otherwise the multipliers are shared, at least 16 per body. */
  RigidContact::RigidContact(const RigidSide& first, const RigidSide& second)
    : first_(first)
    , second_(second)
    , self_(first.body == second.body)
  {
    const RigidShape &a = first.body->shape(), &b = second.body->shape();
    boxes_ = a.box() && b.box();
    // a ball touches with its centre, so that its surface is needed by nodes without a surface only
    firstNodes_ = !boxes_ && b.surfaces() > 0 && !(isBall(b) && !isBall(a) && a.surfaces() > 0);
    secondNodes_ = !boxes_ && a.surfaces() > 0 && !(isBall(a) && b.surfaces() > 0);
    features_ = boxes_ ? boxFeatures
                       : firstNodes_ * a.nodes().size() * b.surfaces() +
                           secondNodes_ * b.nodes().size() * a.surfaces();
    addLines(a, b);
    lineFeature_ = features_;
    features_ += lines_.size();
    addEdges(a, b);
    edgeFeature_ = features_;
    features_ += firstEdges_.size() * secondEdges_.size();
    const std::size_t n = first.body->count(), m = second.body->count(), pairs = n * m;
    all_ = pairs <= fewPairs;
    exactMultipliers_ = pairs * features_ <= mostExactMultipliers;
    multipliers_ = pairs * features_;
    for (std::size_t shared = mostExactMultipliers; !exactMultipliers_; shared *= 2)
      if (shared >= 16 * (n + m)) {
        multipliers_ = shared;
        break;
      }
  }

  //! Lines that can touch between their ends: the axes of two rods, or the axis of a rod and the
  //! straight edges of the other shape
  void RigidContact::addLines(const RigidShape& a, const RigidShape& b)
  {
    if (const auto axis = a.axis()) {
      if (const auto other = b.axis())
        lines_.push_back({*axis, *other, a.radius(), b.radius()});
      for (const Segment& edge : b.edges())
        lines_.push_back({*axis, edge, a.radius(), 0});
    }
    else if (const auto other = b.axis())
      for (const Segment& edge : a.edges())
        lines_.push_back({edge, *other, 0, b.radius()});
  }

  //! Contact of two lines at the feet x, y of their common perpendicular, both between the ends:
  //! gap = |x - y| - r1 - r2, n = (x - y)/|x - y|, with the place half way between both surfaces.
  double RigidContact::touchLines(const PlacedShape& a, const PlacedShape& b, std::size_t i,
                                  std::size_t j, double tolerance) const
  {
    double smallest = infinity;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const Lines& lines = lines_[k];
      const Vector3 p = a.toSpace(lines.first[0]), u = a.axes * (lines.first[1] - lines.first[0]);
      const Vector3 q = b.toSpace(lines.second[0]),
                    v = b.axes * (lines.second[1] - lines.second[0]), d = q - p;
      const auto near = commonPerpendicular(u, v, d, parallel);
      if (!near)
        continue;
      const Vector3 x = p + near->s * u, way = x - (q + near->t * v);
      const double distance = way.norm(), gap = distance - lines.firstRadius - lines.secondRadius;
      smallest = std::min(smallest, gap);
      if (!(gap <= tolerance) || distance == 0)
        continue;
      const Vector3 normal = way / distance;
      points_.push_back(
        {gap, normal, x - (lines.firstRadius + 0.5 * gap) * normal, i, j, lineFeature_ + k});
    }
    return smallest;
  }

  void RigidContact::addEdges(const RigidShape& a, const RigidShape& b)
  {
    if (boxes_ || a.sharpEdges().empty() || b.sharpEdges().empty())
      return;
    firstEdges_ = a.sharpEdges();
    secondEdges_ = b.sharpEdges();
    std::vector<Box<3>> leaves;
    for (const SharpEdge& edge : secondEdges_) {
      Box<3> box;
      for (const Vector3& end : edge.ends)
        box.add(toVec3(end));
      leaves.push_back(box);
    }
    edgeTree_ = BoxTree<3>(leaves);
    edgeTree_.refit(leaves, edgeBoxes_);
  }

  /* Two edges that cross. Their common perpendicular n is the direction in which the bodies are
   * nearest there if it leads out of the faces of both edges, n.t <= 0 for the directions t along
   * the faces of the second one and n.t >= 0 for those of the first, and the gap is the distance of
   * both lines along it. Where they overlap they must do so less than they reach beyond each other,
   * or their ends, which are nodes, are the nearer way out; and if the point of the one edge is out
   * of the other body by about half of the overlap the edges are on far sides of both. */
  std::optional<RigidContact::Point> RigidContact::touchEdge(std::size_t k, std::size_t l,
                                                             const PlacedShape& a,
                                                             const PlacedShape& b) const
  {
    constexpr double slack = 1e-9, outside = 0.45;
    const SharpEdge &first = firstEdges_[k], &second = secondEdges_[l];
    const Vector3 p = a.toSpace(first.ends[0]), u = a.axes * (first.ends[1] - first.ends[0]);
    const Vector3 q = b.toSpace(second.ends[0]), v = b.axes * (second.ends[1] - second.ends[0]),
                  d = q - p;
    const auto near = commonPerpendicular(u, v, d, parallel);
    if (!near)
      return {};
    Vector3 normal = u.cross(v) / std::sqrt(near->square);
    const auto leadsOut = [&](const Vector3& n) {
      return std::all_of(second.inward.begin(), second.inward.end(),
                         [&](const Vector3& in) { return n.dot(b.axes * in) <= slack; }) &&
             std::all_of(first.inward.begin(), first.inward.end(),
                         [&](const Vector3& in) { return n.dot(a.axes * in) >= -slack; });
    };
    if (!leadsOut(normal)) {
      normal = -normal;
      if (!leadsOut(normal))
        return {};
    }
    const double s = near->s, t = near->t;
    const Vector3 x = p + s * u, y = q + t * v;
    const double gap = normal.dot(x - y), lengthA = u.norm(), lengthB = v.norm();
    if (gap < 0) {
      const double reach = std::min(std::min(s, 1 - s) * lengthA, std::min(t, 1 - t) * lengthB);
      if (-gap > reach || -gap > deepest * std::min(lengthA, lengthB) ||
          second_.body->shape().distance(0, b.toBody(x)).gap > -outside * gap ||
          first_.body->shape().distance(0, a.toBody(y)).gap > -outside * gap)
        return {};
    }
    return Point{.gap = gap,
                 .normal = normal,
                 .place = 0.5 * (x + y),
                 .first = 0,
                 .second = 0,
                 .feature = edgeFeature_ + k * secondEdges_.size() + l};
  }

  //! Pairs of sharp edges that are near, by the tree of the edges of b in the axes of b
  double RigidContact::touchEdges(const PlacedShape& a, const PlacedShape& b, std::size_t i,
                                  std::size_t j, double tolerance) const
  {
    double smallest = infinity;
    const Vector3 origin = b.toBody(a.origin);
    const Matrix3 turn = b.axes.transpose() * a.axes;
    for (std::size_t k = 0; k < firstEdges_.size(); ++k) {
      const Segment& ends = firstEdges_[k].ends;
      Box<3> box;
      for (const Vector3& end : ends)
        box.add(toVec3(origin + turn * end));
      edgeTree_.query(edgeBoxes_,
                      box.inflated(std::max(tolerance, 0.0) + deepest * (ends[1] - ends[0]).norm()),
                      [&](std::size_t l) {
                        auto point = touchEdge(k, l, a, b);
                        if (!point)
                          return;
                        smallest = std::min(smallest, point->gap);
                        if (!(point->gap <= tolerance))
                          return;
                        point->first = i;
                        point->second = j;
                        points_.push_back(*point);
                      });
    }
    return smallest;
  }

  //! f(i, j) for all pairs of bodies if they are few, otherwise for pairs whose boxes overlap;
  //! within one section each pair occurs once.
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

  //! Contact points of two boxes, all with one normal, see boxContacts()
  double RigidContact::touchBoxes(const PlacedShape& a, const PlacedShape& b, std::size_t i,
                                  std::size_t j, double tolerance) const
  {
    Vector3 normal;
    const PlacedBox first{a.origin, a.axes, 0.5 * *first_.body->shape().box()},
      second{b.origin, b.axes, 0.5 * *second_.body->shape().box()};
    const double gap = boxContacts(first, second, tolerance, normal, contacts_);
    for (const BoxContact& c : contacts_)
      points_.push_back({c.gap, normal, c.place, i, j, c.feature});
    return gap;
  }

  /* Nodes of a against the surfaces of b: gap = distance - radius, place half way between both
   * surfaces. The contact point has the normal on the first side: the one out of b, times `side`,
   * which is 1 if a is the first side and -1 otherwise. */
  double RigidContact::touchNodes(const RigidShape& nodes, const PlacedShape& a,
                                  const RigidShape& surface, const PlacedShape& b, double side,
                                  std::size_t i, std::size_t j, double tolerance) const
  {
    double smallest = infinity;
    const std::size_t surfaces = surface.surfaces(),
                      offset = side > 0 || !firstNodes_ ? 0
                                                        : first_.body->shape().nodes().size() *
                                                            second_.body->shape().surfaces();
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
        points_.push_back({gap, side * normal,
                           a.toSpace(nodes.nodes()[k]) - (nodes.radius() + 0.5 * gap) * normal, i,
                           j, offset + k * surfaces + s});
      }
    }
    return smallest;
  }

  //! Appends the contact points of one pair of bodies and returns its smallest gap; spheres around
  //! solid bodies exclude pairs that are far apart.
  double RigidContact::touch(ConstSpan q, std::size_t i, std::size_t j, double tolerance) const
  {
    const RigidShape &first = first_.body->shape(), &second = second_.body->shape();
    const double *qa = first_.configuration(q, i), *qb = second_.configuration(q, j);
    const PlacedShape a(*first_.body, qa), b(*second_.body, qb);
    if (!all_ && !first.hollow() && !second.hollow() &&
        (a.origin - b.origin).norm() > first.extent() + second.extent() + std::max(tolerance, 0.0))
      return infinity;
    if (boxes_)
      return touchBoxes(a, b, i, j, tolerance);
    double smallest = infinity;
    if (firstNodes_)
      smallest = touchNodes(first, a, second, b, 1, i, j, tolerance);
    if (secondNodes_)
      smallest = std::min(smallest, touchNodes(second, b, first, a, -1, i, j, tolerance));
    if (!lines_.empty())
      smallest = std::min(smallest, touchLines(a, b, i, j, tolerance));
    if (!firstEdges_.empty())
      smallest = std::min(smallest, touchEdges(a, b, i, j, tolerance));
    return smallest;
  }

  std::size_t RigidContact::key(const Point& point) const
  {
    return (point.first * second_.body->count() + point.second) * features_ + point.feature;
  }

  std::size_t RigidContact::multiplier(const Point& point) const
  {
    return exactMultipliers_ ? key(point) : sharedMultiplier(key(point), multipliers_);
  }

  //! Smallest gap of the points of each multiplier; infinite without a point. All gaps are computed
  //! if the pairs are few, otherwise those up to zero.
  void RigidContact::gaps(double, ConstSpan q, Span gaps) const
  {
    std::fill(gaps.begin(), gaps.end(), infinity);
    points_.clear();
    double smallest = infinity;
    findPairs(q, 0, [&](std::size_t i, std::size_t j) {
      smallest = std::min(smallest, touch(q, i, j, all_ ? infinity : 0));
    });
    for (const Point& point : points_) {
      double& gap = gaps[multiplier(point)];
      gap = std::min(gap, point.gap);
    }
  }

  //! Functionals of a contact point: the relative velocity of both bodies at its place along the
  //! axes
  void RigidContact::addRow(const Point& point, ConstSpan q, ContactPoints& rows) const
  {
    ContactPoint& row = rows.add();
    row.multiplier = multiplier(point);
    row.key = key(point);
    row.gap = point.gap;
    row.first = ContactMember(first_.bodyIndex, point.first);
    row.second = ContactMember(second_.bodyIndex, point.second);
    row.place = toVec3(point.place);
    row.axes = contactAxes(toVec3(point.normal));
    const Vector3 armA = point.place - RigidPlace(first_.configuration(q, point.first)).centre,
                  armB = point.place - RigidPlace(second_.configuration(q, point.second)).centre;
    for (int c = 0; c < rows.components(); ++c)
      rows.addFunctional([&](SparseVector& entries) {
        addRigidFunctional(first_, point.first, armA, row.axes[c], 1, entries);
        addRigidFunctional(second_, point.second, armB, row.axes[c], -1, entries);
      });
  }

  double RigidContact::addPoints(const Instant&, ConstSpan q, double tolerance,
                                 ContactPoints& rows) const
  {
    points_.clear();
    double smallest = infinity;
    findPairs(q, std::max(tolerance, 0.0), [&](std::size_t i, std::size_t j) {
      smallest = std::min(smallest, touch(q, i, j, tolerance));
    });
    for (const Point& point : points_)
      addRow(point, q, rows);
    return smallest;
  }

  double RigidContact::length(ConstSpan q) const
  {
    return std::max(largestCoordinate(first_, q), largestCoordinate(second_, q));
  }

} // namespace Dune::Impact
