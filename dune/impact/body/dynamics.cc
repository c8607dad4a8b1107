// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/body/dynamics.hh>

namespace Dune::Impact {

  Dynamics::Dynamics(const System& system) : system_(system)
  {
    for (std::size_t b = 0; b < system.bodyCount(); ++b) {
      const PointHandle first = system.point(b, 0);
      members_.push_back({first.body, dynamic_cast<const FrameBody*>(first.body),
                          first.configurationOffset, first.velocityOffset});
    }
    for (const auto& constraint : system.constraints()) {
      moving_.push_back(dynamic_cast<const MovingConstraint*>(constraint.get()));
      jointRows_ += constraint->rows();
    }
  }

  /* Six products p = M(q) v, the k-th with v = 1 at dof k of every block of six dofs: blocks do not
   * see each other, so p has column k of all blocks. */
  void Dynamics::addMass(const Member& member, ConstSpan q, std::size_t offset,
                         Triplets& entries) const
  {
    constexpr std::size_t block = 6;
    const std::size_t n = member.body->velocitySize();
    std::vector<double> v(n), p(n);
    for (std::size_t k = 0; k < std::min(block, n); ++k) {
      std::fill(v.begin(), v.end(), 0.0);
      for (std::size_t i = k; i < n; i += block)
        v[i] = 1;
      member.body->momentum(q, v, p);
      for (std::size_t i = 0; i < n; ++i)
        if (p[i] != 0)
          entries.emplace_back(int(offset + i), int(offset + i / block * block + k), p[i]);
    }
  }

  void Dynamics::addMass(ConstSpan q, Triplets& entries) const
  {
    for (const Member& member : members_)
      addMass(member, member.configuration(q), member.v, entries);
  }

  void Dynamics::addForce(double t, ConstSpan q, ConstSpan v, double weight, Span p) const
  {
    system_.addForce(t, q, weight, p);
    for (const Member& member : members_)
      if (member.frames)
        member.frames->addGyroscopicForce(member.configuration(q), member.velocity(v), weight,
                                          member.velocity(p));
  }

  void Dynamics::addDamping(ConstSpan q, ConstSpan v, Triplets& entries) const
  {
    for (const Member& member : members_)
      if (member.frames)
        member.frames->addGyroscopicDamping(member.configuration(q), member.velocity(v), member.v,
                                            entries);
  }

  //! The identity for bodies with displacements only: their retraction is a sum
  void Dynamics::addRetractTangent(ConstSpan dq, Triplets& entries) const
  {
    for (const Member& member : members_)
      if (member.frames)
        member.frames->addRetractTangent(member.velocity(dq), member.v, entries);
      else
        for (std::size_t i = 0; i < member.body->velocitySize(); ++i)
          entries.emplace_back(int(member.v + i), int(member.v + i), 1);
  }

  void Dynamics::addJointRows(double t, ConstSpan q, std::size_t first, Triplets& entries) const
  {
    for (const auto& constraint : system_.constraints()) {
      constraint->addPoints(t, q, first, entries);
      first += constraint->rows();
    }
  }

  //! G v + dc/dt; only moving constraints have the second term
  std::vector<double> Dynamics::jointRates(double t, ConstSpan q, ConstSpan v, double h) const
  {
    std::vector<double> rates(jointRows_, 0);
    Triplets rows;
    addJointRows(t, q, 0, rows);
    std::size_t first = 0;
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const std::size_t size = system_.constraints()[i]->rows();
      if (moving_[i])
        moving_[i]->rate(t, q, h, Span(rates).subspan(first, size));
      first += size;
    }
    addProduct(rows, 1, v, rates);
    return rates;
  }

  std::vector<double> Dynamics::jointGaps(double t, ConstSpan q) const
  {
    std::vector<double> gaps(jointRows_, 0);
    std::size_t first = 0;
    for (const auto& constraint : system_.constraints()) {
      constraint->residual(t, q, Span(gaps).subspan(first, constraint->rows()));
      first += constraint->rows();
    }
    return gaps;
  }

  void Dynamics::placeJoints(double t, Span q) const
  {
    for (const MovingConstraint* constraint : moving_)
      if (constraint)
        constraint->place(t, q);
  }

  void Dynamics::addJointStiffness(ConstSpan q, ConstSpan lambda, Triplets& entries) const
  {
    std::size_t first = 0;
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const std::size_t size = system_.constraints()[i]->rows();
      if (moving_[i])
        moving_[i]->addStiffness(q, lambda.subspan(first, size), entries);
      first += size;
    }
  }

  //! Mean of the diagonal entries of M that belong to linear dofs
  double Dynamics::nodeMass(std::size_t body) const
  {
    const State state = system_.initialState();
    Triplets entries;
    addMass(members_[body], members_[body].configuration(state.q), 0, entries);
    double sum = 0;
    int count = 0;
    for (const auto& entry : entries)
      if (entry.row() == entry.col() && !members_[body].body->angular(std::size_t(entry.row()))) {
        sum += entry.value();
        ++count;
      }
    return count > 0 ? sum / count : members_[body].body->mass();
  }

} // namespace Dune::Impact
