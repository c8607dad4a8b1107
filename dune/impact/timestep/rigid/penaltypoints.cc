// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/rigid/penaltypoints.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();

    bool round(const RigidShape& shape)
    {
      return dynamic_cast<const BallShape*>(&shape) || dynamic_cast<const ShellShape*>(&shape);
    }

    //! Distance at which the surface of a ball begins, or minus that at which a shell begins
    double offset(const RigidShape& shape)
    {
      const auto* shell = dynamic_cast<const ShellShape*>(&shape);
      return shell ? -shell->inner() : shape.radius();
    }

    //! Number of the first of the bodies of a side
    std::size_t firstMember(const RigidSide& side)
    {
      return side.velocityOffset / RigidBody::dofs;
    }

  } // namespace

  PenaltyForce::PenaltyForce(double k, double g0, double g1) : value(0), slope(0)
  {
    if (g0 <= 0 && g1 <= 0) {
      value = -0.5 * k * (g0 + g1);
      slope = -0.5 * k;
    }
    else if (g0 < 0 || g1 < 0) {
      const double d = g1 - g0; // the larger of both sizes at least, since the signs differ
      value = -(penaltyEnergy(k, g1) - penaltyEnergy(k, g0)) / d;
      slope = (-k * std::min(g1, 0.0) - value) / d;
    }
  }

  PenaltyPoints::PenaltyPoints(const System& system, const std::vector<Contact>& contacts,
                               const RigidMembers& members)
  {
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      if (contacts[c].law.stiffness == 0)
        continue;
      if (const auto* pair = dynamic_cast<const RigidContact*>(contacts[c].coupling.get())) {
        const RigidShape &a = pair->first().body->shape(), &b = pair->second().body->shape();
        if (!pair->exactMultipliers())
          throw InputError(contacts[c].name + ": too many bodies for a penalty");
        for (const RigidShape* shape : {&a, &b})
          if (!round(*shape) && shape->surfaces() > 0 && !(shape->hollow() || shape->facets()))
            throw InputError(contacts[c].name +
                             ": a penalty is available for balls, shells, hollow boxes, rods "
                             "without radius, and bodies with nodes and facets");
        if (pair->first().body == pair->second().body && !round(a))
          throw InputError(contacts[c].name +
                           ": a penalty between bodies of one section is available for balls only");
        if (round(a) && round(b) && a.nodes().empty())
          addNodes(contacts[c], c, pair->second(), pair->first(), false);
        else {
          addNodes(contacts[c], c, pair->first(), pair->second(), true);
          if (!(round(a) && round(b)) && pair->first().body != pair->second().body)
            addNodes(contacts[c], c, pair->second(), pair->first(), false);
        }
      }
      else if (const auto* obstacle =
                 dynamic_cast<const PointObstacle*>(contacts[c].coupling.get())) {
        for (const PointHandle& handle : obstacle->points()) {
          const auto& body = dynamic_cast<const RigidBody&>(*handle.body);
          const std::size_t member =
            handle.velocityOffset / RigidBody::dofs + handle.point / body.pointsEach();
          points_.push_back(
            {.contact = c,
             .stiffness = contacts[c].law.stiffness,
             .dynamic = contacts[c].law.dynamicGap,
             .first = member,
             .node = body.shape().nodes()[handle.point % body.pointsEach()] + body.shapeOffset(),
             .radius = handle.radius(),
             .obstacle = obstacle->obstacle()});
        }
      }
      else
        throw InputError(contacts[c].name +
                         ": a penalty is available between rigid bodies, and with obstacles");
    }
    for (const Point& point : points_)
      if (point.first >= members.size() || point.second >= long(members.size()) ||
          system.bodyCount() == 0)
        throw std::logic_error("penalty point of a body that does not exist");
  }

  //! Each node of all bodies of the one side with each facet, or the centre, of all bodies of the
  //! other
  void PenaltyPoints::addNodes(const Contact& contact, std::size_t index, const RigidSide& nodes,
                               const RigidSide& surface, bool nodesFirst)
  {
    const RigidShape& shape = surface.body->shape();
    const Vector3 shift = surface.body->shapeOffset();
    std::vector<Polygon> polygons = shape.polygons();
    if (polygons.empty() && !round(shape))
      return;
    for (std::size_t i = 0; i < nodes.body->count(); ++i)
      for (std::size_t j = nodes.body == surface.body ? i + 1 : 0; j < surface.body->count(); ++j)
        for (const Vector3& node : nodes.body->shape().nodes()) {
          Point point{.contact = index,
                      .stiffness = contact.law.stiffness,
                      .dynamic = contact.law.dynamicGap,
                      .first = firstMember(nodes) + i,
                      .second = long(firstMember(surface) + j),
                      .node = node + nodes.body->shapeOffset(),
                      .radius = nodes.body->shape().radius(),
                      .nodeIsFirst = nodesFirst};
          if (round(shape)) {
            point.centre = shift;
            point.offset = offset(shape);
            points_.push_back(point);
          }
          for (const Polygon& polygon : polygons) {
            point.polygon = polygon;
            for (Vector3& corner : point.polygon)
              corner += shift;
            points_.push_back(point);
          }
        }
  }

  AffinePlace PenaltyPoints::place(std::size_t member, ConstSpan q) const
  {
    const RigidPlace at(&q[member * RigidPlace::size]);
    return {at.centre, at.rotation.toRotationMatrix()};
  }

  std::optional<PenaltyPoints::Separation> PenaltyPoints::evaluate(const Point& point, double t,
                                                                   const AffinePlace& first,
                                                                   const AffinePlace& second) const
  {
    const Vector3 x = first(point.node);
    double gap;
    Vector3 normal;
    if (point.obstacle) {
      const auto d = point.obstacle->distance(t, toVec3(x), Vec3(0));
      gap = d.gap - point.radius;
      normal = toEigen(d.normal);
    }
    else if (point.polygon.empty()) {
      const Vector3 d = x - second(point.centre);
      const double length = d.norm(), side = point.offset < 0 ? -1 : 1;
      gap = side * length - point.offset - point.radius;
      normal = side / length * d;
    }
    else {
      Polygon polygon;
      for (const Vector3& corner : point.polygon)
        polygon.push_back(second(corner));
      const auto d = polygonDistance(polygon, x);
      if (!d)
        return {};
      gap = d->gap - point.radius;
      normal = d->normal;
    }
    return Separation{gap, normal, x - (point.radius + 0.5 * gap) * normal};
  }

  double PenaltyPoints::gap(std::size_t i, double t, ConstSpan q) const
  {
    const Point& point = points_[i];
    const auto found =
      evaluate(point, t, place(point.first, q),
               point.second < 0 ? AffinePlace{} : place(std::size_t(point.second), q));
    return found ? found->gap : infinity;
  }

  std::optional<PenaltyPoints::Separation> PenaltyPoints::separation(
    std::size_t i, double t0, double t1, ConstSpan q0, ConstSpan q1,
    const std::vector<RigidIncrement>& increments) const
  {
    const Point& point = points_[i];
    const auto middle = [&](std::size_t member) {
      const RigidIncrement& move = increments[member];
      return AffinePlace{move.middle(),
                         0.5 * move.arm * (place(member, q0).axes + place(member, q1).axes)};
    };
    const AffinePlace first = middle(point.first),
                      second = point.second < 0 ? AffinePlace{} : middle(std::size_t(point.second));
    auto result = evaluate(point, 0.5 * (t0 + t1), first, second);
    if (result && !point.obstacle && point.polygon.empty() && !point.dynamic) { // two centres
      const std::size_t other = std::size_t(point.second);
      const Vector3 d0 = place(point.first, q0)(point.node) - place(other, q0)(point.centre),
                    d1 = place(point.first, q1)(point.node) - place(other, q1)(point.centre);
      result->normal = (point.offset < 0 ? -1 : 1) / (d0.norm() + d1.norm()) * (d0 + d1);
    }
    return result;
  }

} // namespace Dune::Impact
