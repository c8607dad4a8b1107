// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>

#include <dune/impact/contact/law/masslesstip.hh>

namespace Dune::Impact {

  //! Side of a bar end: a massless end is joined to its massive neighbour by the compliance of the
  //! end element; a massive end is itself the massive node, with compliance zero.
  MasslessTip::Side MasslessTip::side(const PointHandle& end, const Bar& bar, Bar::End which)
  {
    const std::size_t node = bar.endNode(which), q = end.configurationOffset,
                      p = end.velocityOffset;
    if (!bar.massless(which))
      return {end.bodyIndex, q + node, p + node, std::nullopt, 0};
    const std::size_t neighbour = bar.endNeighbour(which);
    return {end.bodyIndex, q + neighbour, p + neighbour, q + node, 1 / bar.endStiffness(which)};
  }

  //! delta = s (u1 - u2) - g0
  double MasslessTip::overlap(double t, ConstSpan q) const
  {
    const double other = second_ ? q[second_->massive] : obstacle_->displacement(t)[0];
    return facing_ * (q[first_.massive] - other) - gap_;
  }

  void MasslessTip::addOverlapFunctional(ConstSpan, SparseVector& functional) const
  {
    functional.push_back({first_.dof, facing_});
    if (second_)
      functional.push_back({second_->dof, -facing_});
  }

  //! Massless ends at equilibrium: the displacement of the massive node -+ s c lambda with lambda =
  //! delta/(c1 + c2) in contact, and lambda = 0 otherwise
  void MasslessTip::place(double t, Span q, bool closed) const
  {
    const double lambda = closed ? stiffness() * overlap(t, q) : 0;
    if (first_.massless)
      q[*first_.massless] = q[first_.massive] - facing_ * first_.compliance * lambda;
    if (second_ && second_->massless)
      q[*second_->massless] = q[second_->massive] + facing_ * second_->compliance * lambda;
  }

  std::vector<std::size_t> MasslessTip::masslessEnds() const
  {
    std::vector<std::size_t> result;
    if (first_.massless)
      result.push_back(*first_.massless);
    if (second_ && second_->massless)
      result.push_back(*second_->massless);
    return result;
  }

  //! Moves the massive nodes so that delta = 0, each by half, or the first alone against an
  //! obstacle
  void MasslessTip::closeExactly(double t, Span q) const
  {
    const double delta = overlap(t, q);
    q[first_.massive] -= facing_ * delta * (second_ ? 0.5 : 1);
    if (second_)
      q[second_->massive] += facing_ * delta * 0.5;
  }

} // namespace Dune::Impact
