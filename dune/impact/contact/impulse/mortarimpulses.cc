// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/contact/impulse/contactaxes.hh>
#include <dune/impact/contact/impulse/mortarimpulses.hh>
#include <dune/impact/contact/impulse/slipfunctional.hh>
#include <dune/impact/geometry/tospace.hh>

namespace Dune::Impact {

  namespace {

    constexpr double infinity = std::numeric_limits<double>::infinity();

  } // namespace

  template<int dim>
  MortarImpulses<dim>::MortarImpulses(std::shared_ptr<const WeightedGapGeometry<dim>> gaps,
                                      PointHandle first, std::optional<PointHandle> second)
    : gaps_(std::move(gaps))
    , first_(first)
    , second_(second)
  {}

  //! First velocity dof of a node of the system
  template<int dim>
  std::size_t MortarImpulses<dim>::dof(std::size_t node) const
  {
    const std::size_t place = node * dim;
    const bool first = place >= first_.configurationOffset &&
                       place < first_.configurationOffset + first_.body->configurationSize();
    const PointHandle& side = first || !second_ ? first_ : *second_;
    return place - side.configurationOffset + side.velocityOffset;
  }

  //! Whether a velocity dof belongs to the first side
  template<int dim>
  bool MortarImpulses<dim>::isFirst(std::size_t dof) const
  {
    return dof >= first_.velocityOffset &&
           dof < first_.velocityOffset + first_.body->velocitySize();
  }

  //! Position of a node of the system; the reference of a node is that of its body
  template<int dim>
  Vec3 MortarImpulses<dim>::place(std::size_t node, ConstSpan q) const
  {
    const PointHandle& side = isFirst(dof(node)) ? first_ : *second_;
    return PointHandle{side.body, side.bodyIndex, (dof(node) - side.velocityOffset) / dim,
                       side.configurationOffset, side.velocityOffset}
      .position(q);
  }

  //! g = c_p/weight_p; infinite for multipliers without a gap
  template<int dim>
  void MortarImpulses<dim>::gaps(double t, ConstSpan q, Span gaps) const
  {
    std::fill(gaps.begin(), gaps.end(), infinity);
    WeightedGaps<dim> set;
    gaps_->addGaps(t, q, 0, set);
    for (std::size_t p = 0; p < set.size(); ++p)
      gaps[set[p].multiplier] = set[p].value / set[p].weight;
  }

  /* Contact points with g = c_p/weight_p <= tolerance: the normal functional is dc_p/weight_p, the
   * slips are those of the node relative to the mortar nodes, see SlipFunctional. A unit impulse
   * pushes the first side by the sum of its entries, which need not be the normal. */
  template<int dim>
  double MortarImpulses<dim>::addPoints(const Instant& at, ConstSpan q, double tolerance,
                                        ContactPoints& rows) const
  {
    thread_local WeightedGaps<dim> set; // keeps its memory
    set.clear();
    gaps_->addGaps(at.time, q, 0, set);
    double smallest = infinity;
    std::vector<SlipPartner> partners;
    const auto path = [&](double from, double to) { // of an obstacle
      auto result = gaps_->obstacleDisplacement(to);
      return result -= gaps_->obstacleDisplacement(from);
    };
    const FieldVector<double, dim> drift = path(at.time, at.time + at.stepAfter),
                                   drifted = path(at.time - at.stepBefore, at.time);
    for (std::size_t p = 0; p < set.size(); ++p) {
      const double gap = set[p].value / set[p].weight;
      smallest = std::min(smallest, gap);
      if (!(gap <= tolerance))
        continue;
      ContactPoint& row = rows.add();
      row.multiplier = set[p].multiplier;
      row.gap = gap;
      row.first = ContactMember(first_.bodyIndex);
      row.owner = dof(set[p].node);
      if (second_)
        row.second = ContactMember(second_->bodyIndex);
      // the first side is pushed against the force on the other one
      row.axes = contactAxes(toSpace<dim>(set[p].direction) * -1.0);
      for (int c = 0; c < rows.components(); ++c) {
        row.obstacleVelocityAfter[c] =
          second_ || at.stepAfter == 0 ? 0 : -(row.axes[c] * toSpace<dim>(drift)) / at.stepAfter;
        row.obstacleVelocityBefore[c] = second_ || at.stepBefore == 0
                                          ? 0
                                          : -(row.axes[c] * toSpace<dim>(drifted)) / at.stepBefore;
      }
      Vec3 push(0); // of a unit impulse on the first side
      rows.addFunctional([&](SparseVector& entries) {
        for (const auto& entry : set.derivative(p)) {
          const Vec3 value = toSpace<dim>(entry.value) / set[p].weight;
          const std::size_t begin = dof(entry.node);
          addEntries<dim>(begin, value, entries);
          if (isFirst(begin))
            push += value;
        }
      });
      if (rows.components() > 1) {
        partners.clear();
        for (const auto& mortar : set.mortar(p))
          partners.push_back({dof(mortar.node), mortar.weight, place(mortar.node, q)});
        addSlips(SlipFunctional<dim>(dof(set[p].node), place(set[p].node, q), partners), row, rows);
      }
      row.push = push;
    }
    return smallest;
  }

  template<int dim>
  double MortarImpulses<dim>::length(ConstSpan q) const
  {
    double result = 0;
    for (const auto* surface : {&gaps_->surface(), gaps_->mortarSurface()})
      for (std::size_t i = 0; surface && i < surface->node.size(); ++i)
        result = std::max(
          {result, surface->reference[i].infinity_norm(), surface->position(i, q).infinity_norm()});
    return result;
  }

  template class MortarImpulses<2>;
  template class MortarImpulses<3>;

} // namespace Dune::Impact
