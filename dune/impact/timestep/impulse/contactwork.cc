// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/impact/timestep/impulse/contactimpulses.hh>

// What contact impulses have done: gaps, impulses and works of the report and the ledger

namespace Dune::Impact {

  void ContactImpulses::reportGaps(StepReport& report) const
  {
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (geometry_[c])
        report.contact[c].gap = gaps_[c];
    report.findMinGap();
  }

  double ContactImpulses::tangentialImpulse(std::size_t point) const
  {
    double sum = 0;
    for (int c = 1; c < components_; ++c)
      sum += impulse_[point * components_ + c] * impulse_[point * components_ + c];
    return std::sqrt(sum);
  }

  //! Parts r N_j of a normal impulse r on the nodes j of a solid, from the functional of the point
  void ContactImpulses::reportNodes(std::size_t point, ContactReport& contact) const
  {
    const SolidDofs& solid = solid_[points_[point].contact];
    const double r = impulse_[point * components_];
    if (solid.begin == solid.end)
      return;
    const auto add = [&](std::size_t dof, double part) {
      contact.nodes.push_back({(dof - solid.begin) / solid.each, part});
    };
    if (points_.isCompressed(point))
      return add(points_.dof(point), r);
    if (const auto owner = points_[point].owner)
      return add(*owner, r);
    const Vec3& normal = points_[point].axes[0];
    for (const auto& [dof, value] : points_.functional(point, 0))
      if (dof >= solid.begin && dof < solid.end)
        add(dof, r * value * normal[(dof - solid.begin) % solid.each]);
  }

  /* Work of an impulse on the system: 1/2 r (G v+ + G v-) = 1/2 r (w+ + w-) - 1/2 r o with the
   * obstacle velocities o; the first part is what contact takes, the second what a moved obstacle
   * gives. */
  void ContactImpulses::accountWork(StepReport& report, Ledger& ledger) const
  {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const ContactPoint& point = points_[i];
      if (impulse_[i * components_] == 0)
        continue;
      ++report.contacts;
      report.pairImpulse[point.contact] += impulse_[i * components_];
      Vec3 total(0);
      for (int c = 0; c < components_; ++c) {
        const double r = impulse_[i * components_ + c];
        total.axpy(r, point.unitImpulse(c));
        const double work = 0.5 * r * (after_[i * components_ + c] + before_[i * components_ + c]);
        (c == 0 ? ledger.contactWork : ledger.frictionWork) += work;
        if (c > 0)
          report.contact[point.contact].frictionWork += work;
        ledger.externalWork -=
          0.5 * r * (point.obstacleVelocityBefore[c] + point.obstacleVelocityAfter[c]);
      }
      ContactReport& contact = report.contact[point.contact];
      contact.impulse += total;
      reportNodes(i, contact);
      if (friction_[i] > 0)
        contact.addFrictionPoint(tangentialImpulse(i), impulse_[i * components_], friction_[i]);
      report.impulse += total;
      report.bodyImpulse[point.first.body] += total;
      if (point.second)
        report.bodyImpulse[point.second->body] -= total;
    }
  }

} // namespace Dune::Impact
