// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/contact/rigidsurface.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();

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

  RigidToFace::RigidToFace(std::size_t contact, BodySurface<3> first, const RigidSide& second, std::optional<GapWindow> window)
    : contact_(contact), second_(second)
    , faces_(contact, withoutNodes(first), first, withRadius(window ? *window : defaultWindow<3>(first.surface, first.surface), second.body->shape().radius()))
  {}

  std::size_t RigidToFace::slots() const
  {
    return second_.body->count() * second_.body->shape().nodes().size();
  }

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

  void RigidToFace::gaps(double, ConstSpan q, Span gaps) const
  {
    const auto feet = faces_.feet(q, nodes(q));
    for (std::size_t i = 0; i < feet.size(); ++i)
      gaps[i] = feet[i] ? feet[i]->gap - second_.body->shape().radius() : infinity;
  }

  double RigidToFace::addRows(const Instant&, ConstSpan q, double tolerance, RowSet& rows) const
  {
    const auto feet = faces_.feet(q, nodes(q));
    const BodySurface<3>& solid = faces_.second();
    const std::size_t nodesEach = second_.body->shape().nodes().size();
    double smallest = infinity;
    for (std::size_t i = 0; i < feet.size(); ++i) {
      if (!feet[i])
        continue;
      const double gap = feet[i]->gap - second_.body->shape().radius();
      smallest = std::min(smallest, gap);
      if (!(gap <= tolerance))
        continue;
      const auto& facet = solid.surface.facets[feet[i]->facet];
      Vec3 place(0);
      for (int k = 0; k < facet.count; ++k)
        place.axpy(feet[i]->weight[k], solid.position(facet.node[k], q));
      Row& row = rows.add();
      row.contact = contact_;
      row.slot = i;
      row.gap = gap;
      row.firstBody = solid.body.bodyIndex;
      row.secondBody = long(second_.bodyIndex);
      row.place = place;
      const Vec3 normal = feet[i]->normal * -1.0;
      const auto t = tangents(normal);
      row.axes = {normal, t[0], t[1]};
      const std::size_t member = i / nodesEach;
      const Vector3 arm = toEigen(place) - RigidPlace(second_.configuration(q, member)).centre;
      for (int c = 0; c < rows.components(); ++c)
        rows.addFunctional([&](SparseVector& entries) {
          for (int k = 0; k < facet.count; ++k)
            for (int d = 0; d < 3; ++d)
              entries.push_back({solid.dof(facet.node[k]) + d, feet[i]->weight[k] * row.axes[c][d]});
          addRigidFunctional(second_, member, arm, row.axes[c], -1, entries);
        });
    }
    return smallest;
  }

  double RigidToFace::length(ConstSpan q) const
  {
    double result = faces_.length(q);
    for (const auto& x : nodes(q))
      result = std::max(result, x.infinity_norm());
    return result;
  }

  void CouplingPair::gaps(double t, ConstSpan q, Span gaps) const
  {
    first_->gaps(t, q, gaps.subspan(0, first_->slots()));
    second_->gaps(t, q, gaps.subspan(first_->slots()));
  }

  double CouplingPair::addRows(const Instant& at, ConstSpan q, double tolerance, RowSet& rows) const
  {
    const double first = first_->addRows(at, q, tolerance, rows);
    const std::size_t begin = rows.size();
    const double second = second_->addRows(at, q, tolerance, rows);
    for (std::size_t i = begin; i < rows.size(); ++i)
      rows.row(i).slot += first_->slots();
    return std::min(first, second);
  }

} // namespace Dune::Impact
