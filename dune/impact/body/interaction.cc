// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/body/interaction.hh>

namespace Dune::Impact {

  //! F = -k (1 - l/|d|) d at the point, -F at the other end; for the rest length l = 0 it is linear
  //! in d and defined at d = 0
  void Spring::addForce(double, ConstSpan q, SparseVector& force) const
  {
    const Vec3 d = difference(q);
    const double length = d.two_norm();
    if (length_ > 0 && !(length > 0))
      throw RunError("a spring of " + point_.body->name() +
                     " has shrunk to a point, where its force has no direction");
    const Vec3 f = Vec3(d) * (length_ > 0 ? -stiffness_ * (1 - length_ / length) : -stiffness_);
    point_.addFunctional(q, f, force);
    if (other_)
      other_->addFunctional(q, Vec3(f) * -1.0, force);
  }

  //! 1/2 k (|d| - l)^2
  Potentials Spring::potentials(double, ConstSpan q) const
  {
    const double extension = difference(q).two_norm() - length_;
    return {.elastic = 0.5 * stiffness_ * extension * extension};
  }

  /* -dF/dd = k [(1 - l/|d|) I + l/|d|^3 d d^T], mapped to the velocity dofs of both ends */
  void Spring::addStiffness(double, ConstSpan q, Triplets& entries) const
  {
    const Vec3 d = difference(q);
    const double length = d.two_norm();
    const double ratio = length_ > 0 ? length_ / length : 0;
    std::array<SparseVector, 3> rate; // d(d_c)/dt as functionals
    for (int c = 0; c < 3; ++c) {
      Vec3 unit(0);
      unit[c] = 1;
      point_.addFunctional(q, unit, rate[c]);
      if (other_)
        other_->addFunctional(q, unit * -1.0, rate[c]);
    }
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const double nn = length_ > 0 ? d[a] * d[b] / (length * length) : 0;
        const double value = stiffness_ * ((1 - ratio) * (a == b) + ratio * nn);
        for (const auto& row : rate[a])
          for (const auto& column : rate[b])
            entries.emplace_back(int(row.dof), int(column.dof), row.value * value * column.value);
      }
  }

} // namespace Dune::Impact
