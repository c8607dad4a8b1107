// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/contact/impulse/contactaxes.hh>
#include <dune/impact/contact/rigid/rigidcontact.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::size_t mostPointMultipliers = 1 << 17;
    constexpr std::size_t fewMembers = 64;

  } // namespace

  //! One multiplier per point, rigid body and surface, up to mostPointMultipliers; beyond that they
  //! are shared by a hash of the key.
  PointRigid::PointRigid(std::vector<PointHandle> points, const RigidSide& second)
    : points_(std::move(points))
    , second_(second)
  {
    const std::size_t members = second_.body->count(),
                      all = points_.size() * members * second_.body->shape().surfaces();
    exactMultipliers_ = all <= mostPointMultipliers;
    multipliers_ = exactMultipliers_ ? all : mostPointMultipliers;
    all_ = members <= fewMembers || second_.body->shape().hollow();
  }

  std::size_t PointRigid::key(std::size_t point, std::size_t member, std::size_t surface) const
  {
    return (point * second_.body->count() + member) * second_.body->shape().surfaces() + surface;
  }

  std::size_t PointRigid::multiplier(std::size_t point, std::size_t member,
                                     std::size_t surface) const
  {
    const std::size_t index = key(point, member, surface);
    return exactMultipliers_ ? index : sharedMultiplier(index, multipliers_);
  }

  //! f(point, its position, rigid body, surface, gap, normal) for all that can have a gap within
  //! the tolerance
  template<class F>
  void PointRigid::visit(ConstSpan q, double tolerance, F&& f) const
  {
    const RigidShape& shape = second_.body->shape();
    const std::size_t members = second_.body->count();
    shapes_.clear();
    for (std::size_t i = 0; i < members; ++i)
      shapes_.emplace_back(*second_.body, second_.configuration(q, i));
    std::optional<BoxTree<3>> tree;
    if (!all_) {
      leaves_.clear();
      for (const PlacedShape& at : shapes_) {
        Box<3> box;
        box.add(toVec3(at.origin));
        leaves_.push_back(box.inflated(shape.extent()));
      }
      tree.emplace(leaves_);
      tree->refit(leaves_, treeBoxes_);
    }
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vector3 x = toEigen(points_[i].position(q));
      const auto touch = [&](std::size_t member) {
        const Vector3 y = shapes_[member].toBody(x);
        for (std::size_t s = 0; s < shape.surfaces(); ++s) {
          const SurfaceDistance d = shape.distance(s, y);
          f(i, x, member, s, d.gap - points_[i].radius(), shapes_[member].axes * d.normal);
        }
      };
      if (all_)
        for (std::size_t member = 0; member < members; ++member)
          touch(member);
      else {
        near.clear();
        Box<3> box;
        box.add(toVec3(x));
        tree->query(treeBoxes_, box.inflated(points_[i].radius() + std::max(tolerance, 0.0)),
                    [&](std::size_t member) { near.push_back(member); });
        std::sort(near.begin(), near.end());
        for (std::size_t member : near)
          touch(member);
      }
    }
  }

  //! Smallest gap of the points of each multiplier; infinite without a point
  void PointRigid::gaps(double, ConstSpan q, Span gaps) const
  {
    std::fill(gaps.begin(), gaps.end(), infinity);
    visit(q, 0,
          [&](std::size_t i, const Vector3&, std::size_t member, std::size_t surface, double gap,
              const Vector3&) {
            double& known = gaps[multiplier(i, member, surface)];
            known = std::min(known, gap);
          });
  }

  //! Contact points with gap <= tolerance: the impulse acts on the surface of the point, x - radius
  //! n, and on the rigid body at the same place, so that angular momentum is kept.
  double PointRigid::addPoints(const Instant&, ConstSpan q, double tolerance,
                               ContactPoints& rows) const
  {
    double smallest = infinity;
    visit(q, tolerance,
          [&](std::size_t i, const Vector3& x, std::size_t member, std::size_t surface, double gap,
              const Vector3& normal) {
            smallest = std::min(smallest, gap);
            if (!(gap <= tolerance))
              return;
            const PointHandle& point = points_[i];
            const Vector3 place = x - point.radius() * normal, arm = place - shapes_[member].centre;
            ContactPoint& row = rows.add();
            row.multiplier = multiplier(i, member, surface);
            row.key = key(i, member, surface);
            row.gap = gap;
            row.first = ContactMember(point.bodyIndex, point.body->member(point.point));
            row.second = ContactMember(second_.bodyIndex, member);
            row.place = toVec3(place);
            row.axes = contactAxes(toVec3(normal));
            for (int c = 0; c < rows.components(); ++c)
              rows.addFunctional([&](SparseVector& entries) {
                point.addFunctional(q, row.place, row.axes[c], entries);
                addRigidFunctional(second_, member, arm, row.axes[c], -1, entries);
              });
          });
    return smallest;
  }

  double PointRigid::length(ConstSpan q) const
  {
    double result = largestCoordinate(second_, q);
    for (const PointHandle& point : points_)
      result = std::max(result, point.position(q).infinity_norm());
    return result;
  }

} // namespace Dune::Impact
