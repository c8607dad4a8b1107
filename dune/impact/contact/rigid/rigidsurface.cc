// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/contact/impulse/contactaxes.hh>
#include <dune/impact/contact/rigid/rigidsurface.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::size_t mostFeet = 8;    // facets that a ball touches at once
    constexpr double perpendicular = 1e-9; // of the distance: a foot within its facet

    //! The window of distances of centres of nodes
    GapWindow withRadius(GapWindow window, double radius)
    {
      window.upper += radius;
      return window;
    }

    //! A surface of which only the facets of the other side matter
    BodySurface<3> withoutNodes(BodySurface<3> surface)
    {
      surface.surface.node.clear();
      surface.surface.reference.clear();
      surface.surface.facets.clear();
      return surface;
    }

  } // namespace

  RigidToFace::RigidToFace(BodySurface<3> first, const RigidSide& second,
                           std::optional<GapWindow> window)
    : second_(second)
    , faces_(withoutNodes(first), first,
             withRadius(window ? *window : defaultWindow<3>(first.surface, first.surface),
                        second.body->shape().radius()))
  {}

  std::size_t RigidToFace::multipliersEach() const
  {
    return second_.body->shape().radius() > 0 ? mostFeet : 1;
  }

  std::size_t RigidToFace::multipliers() const
  {
    return second_.body->count() * second_.body->shape().nodes().size() * multipliersEach();
  }

  //! Nodes of all rigid bodies in space, body by body
  std::vector<FieldVector<double, 3>> RigidToFace::nodes(ConstSpan q) const
  {
    std::vector<FieldVector<double, 3>> x;
    for (std::size_t i = 0; i < second_.body->count(); ++i) {
      const PlacedShape at(*second_.body, second_.configuration(q, i));
      for (const Vector3& node : second_.body->shape().nodes())
        x.push_back(toVec3(at.toSpace(node)));
    }
    return x;
  }

  //! f(multiplier, node, foot) for the closest foot of each node; for balls also for feet on other
  //! facets in front of which the centre is, height = gap up to rounding
  template<class F>
  void RigidToFace::visit(ConstSpan q, F&& f) const
  {
    const auto x = nodes(q);
    const auto closest = faces_.feet(q, x);
    const auto all =
      multipliersEach() > 1 ? faces_.allFeet(q, x) : std::vector<std::vector<Foot>>();
    for (std::size_t i = 0; i < closest.size(); ++i) {
      if (!closest[i])
        continue;
      f(i * multipliersEach(), i, *closest[i]);
      std::size_t used = 1;
      for (std::size_t k = 0; !all.empty() && k < all[i].size() && used < multipliersEach(); ++k)
        if (const Foot& foot = all[i][k]; foot.facet != closest[i]->facet && foot.gap > 0 &&
                                          foot.height >= (1 - perpendicular) * foot.gap)
          f(i * multipliersEach() + used++, i, foot);
    }
  }

  void RigidToFace::gaps(double, ConstSpan q, Span gaps) const
  {
    std::fill(gaps.begin(), gaps.end(), infinity);
    visit(q, [&](std::size_t multiplier, std::size_t, const Foot& foot) {
      gaps[multiplier] = foot.gap - second_.body->shape().radius();
    });
  }

  //! Contact points with gap = distance - radius <= tolerance at y = sum_k N_k y_k of the facet: a
  //! = -n acts as N_k a on its nodes and as -a at y on the rigid body.
  double RigidToFace::addPoints(const Instant&, ConstSpan q, double tolerance,
                                ContactPoints& rows) const
  {
    const BodySurface<3>& solid = faces_.second();
    const std::size_t nodesEach = second_.body->shape().nodes().size();
    double smallest = infinity;
    visit(q, [&](std::size_t multiplier, std::size_t i, const Foot& foot) {
      const double gap = foot.gap - second_.body->shape().radius();
      smallest = std::min(smallest, gap);
      if (!(gap <= tolerance))
        return;
      const auto& facet = solid.surface.facets[foot.facet];
      Vec3 place(0);
      for (int k = 0; k < facet.count; ++k)
        place.axpy(foot.weight[k], solid.position(facet.node[k], q));
      ContactPoint& row = rows.add();
      row.multiplier = multiplier;
      row.gap = gap;
      row.first = ContactMember(solid.body.bodyIndex);
      row.second = ContactMember(second_.bodyIndex, i / nodesEach);
      row.place = place;
      row.axes = contactAxes(foot.normal * -1.0);
      const std::size_t member = i / nodesEach;
      const Vector3 arm = toEigen(place) - RigidPlace(second_.configuration(q, member)).centre;
      for (int c = 0; c < rows.components(); ++c)
        rows.addFunctional([&](SparseVector& entries) {
          for (int k = 0; k < facet.count; ++k)
            for (int d = 0; d < 3; ++d)
              entries.push_back({solid.dof(facet.node[k]) + d, foot.weight[k] * row.axes[c][d]});
          addRigidFunctional(second_, member, arm, row.axes[c], -1, entries);
        });
    });
    return smallest;
  }

  double RigidToFace::length(ConstSpan q) const
  {
    double result = faces_.length(q);
    for (const auto& x : nodes(q))
      result = std::max(result, x.infinity_norm());
    return result;
  }

  void ImpulseGeometryPair::gaps(double t, ConstSpan q, Span gaps) const
  {
    first_->gaps(t, q, gaps.subspan(0, first_->multipliers()));
    second_->gaps(t, q, gaps.subspan(first_->multipliers()));
  }

  //! Contact points of both geometries; the multipliers of the second follow the ones of the first.
  double ImpulseGeometryPair::addPoints(const Instant& at, ConstSpan q, double tolerance,
                                        ContactPoints& rows) const
  {
    const double first = first_->addPoints(at, q, tolerance, rows);
    const std::size_t begin = rows.size();
    const double second = second_->addPoints(at, q, tolerance, rows);
    for (std::size_t i = begin; i < rows.size(); ++i)
      rows.point(i).multiplier += first_->multipliers();
    return std::min(first, second);
  }

} // namespace Dune::Impact
