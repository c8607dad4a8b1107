// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/timestep/explicit/cdlagrange.hh>

/* Event steps of CD-Lagrange: steps that end where a massless contact begins or ends. */

namespace Dune::Impact {

  namespace {

    /* Smallest positive root of 1/2 a x^2 + b x + c, or infinity; c != 0. Written so that nothing
     * cancels: the roots are s/a and 2c/s with s = -b -+ sqrt(b^2 - 2ac). */
    double smallestPositiveRoot(double a, double b, double c)
    {
      const double none = std::numeric_limits<double>::infinity();
      const double discriminant = b * b - 2 * a * c;
      if (discriminant < 0)
        return none;
      const double s = -b - std::copysign(std::sqrt(discriminant), b);
      const double first = s / a, second = 2 * c / s;
      return std::min(first > 0 ? first : none, second > 0 ? second : none);
    }

  } // namespace

  /* The first change of sign of an overlap in the next step. After a kick and a drift of length x
   * the overlap is
   *
   *     delta + x (v + 1/2 (before + x) a),   v = d.M^{-1} p + obstacle velocity,  a = d.M^{-1} F
   *
   * with the overlap functional d; impulses of other contacts at the instant are not known yet. The
   * contact `reached`, at whose event this instant is, has an overlap of zero up to rounding. */
  CDLagrange::Next CDLagrange::firstEvent(double before, long reached, const State& to) const
  {
    Next next{settings_.step};
    SparseVector functional, velocity;
    for (std::size_t i = 0; i < system_.masslessContacts().size(); ++i) {
      if (long(i) == reached)
        continue;
      const MasslessContact& massless = *system_.masslessContacts()[i];
      functional.clear();
      velocity.clear();
      massless.addOverlapFunctional(to.q, functional);
      system_.addVelocity(to.q, functional, velocity);
      const double delta = massless.overlap(to.time, to.q);
      // by the obstacle
      const double moved =
        (massless.overlap(to.time + settings_.step, to.q) - delta) / settings_.step;
      const double v = dot(velocity, to.p) + moved, a = dot(velocity, force_);
      const double end = delta + settings_.step * (v + 0.5 * (before + settings_.step) * a);
      const bool onset = delta < 0 && end > 0 && settings_.landing == EventStep::both;
      const bool release = delta > 0 && end <= 0;
      if (!onset && !release)
        continue;
      const double root = smallestPositiveRoot(a, v + 0.5 * before * a, delta);
      if (root < next.step)
        next = {root, long(i)};
    }
    return next;
  }

  /* Energy that the next step x brings until steps have their nominal length h again,
   *
   *     1/8 (before^2 - x^2) F_k.M^{-1}F_k + 1/8 (x^2 - h^2) F_{k+1}.M^{-1}F_{k+1}
   *
   * and 1/2 k delta_k delta_{k+1} (begin) or its negative (release) of the massless contacts that
   * switch inside of the step. */
  double CDLagrange::energyGain(double before, const Next& next, const State& to) const
  {
    const double x = next.step, h = settings_.step;
    std::vector<double> p = to.p, p1(p.size()), q1(to.q.size()), force(p.size(), 0);
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] += 0.5 * (before + x) * force_[i];
    system_.driftTo(to.time + x, to.q, p, x, q1, p1);

    double gain = 0;
    for (std::size_t i = 0; i < system_.masslessContacts().size(); ++i) {
      const MasslessContact& massless = *system_.masslessContacts()[i];
      const double d0 = massless.overlap(to.time, to.q), d1 = massless.overlap(to.time + x, q1);
      if (long(i) != next.massless && (d0 > 0) != (d1 > 0))
        gain += (d1 > 0 ? 0.5 : -0.5) * massless.stiffness() * d0 * d1;
    }
    const auto square = [&](ConstSpan q, const std::vector<double>& F) {
      std::vector<double> acceleration(F.size());
      system_.velocity(q, F, acceleration);
      return dot(F, acceleration);
    };
    if (before > 0 && x != before)
      gain += 0.125 * (before * before - x * x) * square(to.q, force_);
    if (x != h) {
      system_.addForce(to.time + x, q1, 1, force);
      gain += 0.125 * (x * x - h * h) * square(q1, force);
    }
    return gain;
  }

  /* Each of the maps of leapfrog steps of constant length keeps an energy, but not the same one:
   * steps of changing length drive the highest modes of a mesh as a swing is driven, and their
   * energy grows without bound at Courant numbers near one. Event steps therefore are made as long
   * as the sum of all defects is no gain. If it would be one, the event step is made only if it
   * gains less than the nominal step. */
  CDLagrange::Next CDLagrange::chooseEventStep(double before, long reached, const State& to) const
  {
    const Next event = firstEvent(before, reached, to), nominal{settings_.step};
    if (event.massless < 0)
      return nominal;
    const double gain = energyGain(before, event, to),
                 rounding = std::ldexp(system_.kinetic(to.q, to.p), -40);
    if (to.ledger.switchWork + to.ledger.stepWork + gain <= rounding)
      return event;
    return gain <= energyGain(before, nominal, to) ? event : nominal;
  }

} // namespace Dune::Impact
