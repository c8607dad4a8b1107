// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/contact/rowcontact.hh>

namespace Dune::Impact {

  RowContact::RowContact(const System& system, const Coupling& coupling, int dimension, std::size_t first, long second)
    : system_(system), coupling_(coupling), dimension_(dimension), first_(first), second_(second)
  {}

  double RowContact::motion(ConstSpan q, ConstSpan previous) const
  {
    double largest = 0;
    for (long b : {long(first_), second_})
      if (b >= 0) {
        const Body& body = system_.body(std::size_t(b));
        const ConstSpan now = system_.configurationSlice(std::size_t(b), q), before = system_.configurationSlice(std::size_t(b), previous);
        for (std::size_t i = 0; i < body.pointCount(); ++i)
          largest = std::max(largest, (body.displacement(now, i) - body.displacement(before, i)).two_norm());
      }
    return largest;
  }

  void RowContact::evaluate(double t, double h, ConstSpan q, ConstSpan previous, ConstSpan l, FrictionRows& result) const
  {
    const std::size_t n = slots();
    result = {};
    result.g.assign(3 * n, 0);
    result.valid.assign(n, 0);
    RowSet rows;
    rows.clear(dimension_);
    const double margin = 2 * motion(q, previous) + std::ldexp(coupling_.length(q), -40);
    result.minGap = coupling_.addRows({t, h, h}, q, margin, rows);
    if (rows.size() == 0)
      return;
    std::vector<double> dq(system_.velocitySize());
    system_.difference(previous, q, dq);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      std::size_t slot = row.slot;
      for (std::size_t tried = 0; result.valid[slot] && tried < n; ++tried) // several points may share a slot
        slot = (slot + 1) % n;
      result.valid[slot] = 1;
      for (int c = 0; c < dimension_; ++c) {
        const auto functional = rows.functional(i, c);
        const std::size_t k = 3 * slot + std::size_t(c);
        result.g[k] = c == 0 ? row.gap : dot(functional, dq) + h * row.driveBefore[std::size_t(c)];
        if (row.driveBefore[std::size_t(c)] != 0) {
          result.drive.resize(3 * n, 0);
          result.drive[k] = row.driveBefore[std::size_t(c)];
        }
        for (const auto& [dof, value] : functional) {
          result.rows.emplace_back(int(k), int(dof), value);
          result.derivative.emplace_back(int(k), int(dof), value);
        }
        result.force.axpy(l[k], row.axes[std::size_t(c)]);
      }
    }
  }

} // namespace Dune::Impact
