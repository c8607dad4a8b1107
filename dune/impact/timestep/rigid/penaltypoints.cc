// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/contact.hh>
#include <dune/impact/timestep/rigid/penaltypoints.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();

  } // namespace

  //! p = -k (g0 + g1)/2 if both ends overlap. If one does, the quotient -(U_1 - U_0)/(g1 - g0),
  //! with the slope (-U'(g1) - p)/(g1 - g0); the signs differ, so that the divisor does not cancel.
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

  PenaltyPoints::PenaltyPoints(const std::vector<Contact>& contacts, const RigidMembers& members)
  {
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const ContactLaw& law = contacts[c].law;
      if (law.stiffness == 0)
        continue;
      const auto* geometry = contacts[c].geometry.find<PenaltyGeometry>();
      try {
        if (!geometry)
          throw InputError("a penalty is available between rigid bodies, and with obstacles");
        for (const PenaltyNode& node : geometry->penaltyNodes())
          points_.push_back({node, c, law.stiffness, law.dynamicGap, members.number(node.first),
                             node.second ? long(members.number(*node.second)) : -1});
      }
      catch (const InputError& error) {
        throw InputError(contacts[c].name + ": " + error.what());
      }
      if (law.dynamicGap && std::ranges::none_of(points_, [&](const Point& point) {
            return point.contact == c && !point.obstacle && point.polygon.empty();
          }))
        throw ContactRefused(contacts[c].name, "penalty-gap",
                             "dynamic has no effect here, it is for balls and shells");
    }
  }

  AffinePlace PenaltyPoints::place(std::size_t member, ConstSpan q) const
  {
    const RigidPlace at(&q[member * RigidPlace::size]);
    return {at.centre, at.rotation.toRotationMatrix()};
  }

  /* Gap and normal of a node at x with a radius, towards an obstacle, a centre or a flat facet. Two
   * centres at a distance d: gap = s |d| - offset - radius, normal s d/|d|, with s = -1 for the
   * inside of a shell (offset < 0). The force acts half way between both surfaces. */
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
      evaluate(point, t, place(point.firstMember, q),
               point.secondMember < 0 ? AffinePlace{} : place(std::size_t(point.secondMember), q));
    return found ? found->gap : infinity;
  }

  /* The separation in the modified middle (X_0 + X_1)/2 + zeta (R_0 + R_1)/2. For two centres the
   * normal n = (d_0 + d_1)/(|d_0| + |d_1|) gives n . (d_1 - d_0) = |d_1| - |d_0|, so that the gap
   * that is carried stays the true one, unless the law asks for the dynamic gap. */
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
    const AffinePlace first = middle(point.firstMember),
                      second = point.secondMember < 0 ? AffinePlace{}
                                                      : middle(std::size_t(point.secondMember));
    auto result = evaluate(point, 0.5 * (t0 + t1), first, second);
    if (result && !point.obstacle && point.polygon.empty() && !point.dynamic) { // two centres
      const std::size_t other = std::size_t(point.secondMember);
      const Vector3 d0 = place(point.firstMember, q0)(point.node) - place(other, q0)(point.centre),
                    d1 = place(point.firstMember, q1)(point.node) - place(other, q1)(point.centre);
      result->normal = (point.offset < 0 ? -1 : 1) / (d0.norm() + d1.norm()) * (d0 + d1);
    }
    return result;
  }

} // namespace Dune::Impact
