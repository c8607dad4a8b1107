// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/timestep/midpoint/midpointhistory.hh>
#include <dune/impact/timestep/midpoint/midpointrules.hh>
#include <dune/impact/timestep/midpoint/settlement.hh>

namespace Dune::Impact {

  //! f = W'((x+z)/2)
  template<int dim>
  void ModifiedMidpoint<dim>::addForce(const Body& body, ConstSpan x, ConstSpan z, Span f) const
  {
    body.addMidpointForce(x, z, 1, f);
  }

  //! 1/2 W''((x+z)/2)
  template<int dim>
  void ModifiedMidpoint<dim>::addTangent(const Body& body, ConstSpan x, ConstSpan z,
                                         Matrix& A) const
  {
    body.addMidpointTangent(x, z, 0.5, A);
  }

  //! 2 W((x+z)/2), with the gradient W'((x+z)/2) by z
  template<int dim>
  std::optional<double> ModifiedMidpoint<dim>::potential(const Body& body, ConstSpan x,
                                                         ConstSpan z) const
  {
    std::vector<double> middle(x.size());
    for (std::size_t i = 0; i < middle.size(); ++i)
      middle[i] = 0.5 * (x[i] + z[i]);
    return 2 * body.storedEnergy(middle);
  }

  //! f from the averaged stress, with f.(z - x) = W(z) - W(x)
  template<int dim>
  void DissipativeMidpoint<dim>::addForce(const Body& body, ConstSpan x, ConstSpan z, Span f) const
  {
    body.addAveragedForce(x, z, 1, f);
  }

  template<int dim>
  void DissipativeMidpoint<dim>::addTangent(const Body& body, ConstSpan x, ConstSpan z,
                                            Matrix& A) const
  {
    body.addAveragedTangent(x, z, 1, A);
  }

  //! c(z) + max(0, -c(x)) >= 0: an overlap at the start need not vanish in one step, and must not
  //! grow
  template<int dim>
  double DissipativeMidpoint<dim>::constraint(const StepGap<dim>& gap) const
  {
    return gap.gap->value + std::max(0.0, -gap.start->value);
  }

  //! The discrete gradient: B (D - o) = c(z) - c(x) with the motion o of the obstacle
  template<int dim>
  void DissipativeMidpoint<dim>::forceRow(const StepGap<dim>& gap, Row& row) const
  {
    gap.discreteGradient(row);
  }

  template<int dim>
  void DissipativeMidpoint<dim>::accountWork(AcceptedStep<dim>& step) const
  {
    MidpointRule<dim>::accountWork(step);
    if (returnedEnergy_ > 0)
      returnEnergy(step);
    if (settle_)
      Settlement<dim>(step).apply();
  }

  /* v+ += alpha y with y = M^{-1} w, w = c'(z)^T mu returns the energy c = beta mu.max(0, c(x)) if
   *
   *     a alpha^2 + b alpha - c = 0,   a = 1/2 w.y,   b = w.v+.
   *
   * The positive root without cancellation is 2c/(b + sqrt(b^2 + 4ac)) if b > 0. */
  template<int dim>
  void DissipativeMidpoint<dim>::returnEnergy(AcceptedStep<dim>& step) const
  {
    State& to = step.to;
    const WeightedGaps<dim>&before = step.startGaps(), &after = step.endGaps();
    const std::vector<double>& mu = MidpointHistory::pressure(to);
    double loss = 0;
    for (std::size_t p = 0; p < before.size(); ++p)
      loss += mu[before[p].multiplier] * std::max(0.0, before[p].value);
    if (!(loss > 0))
      return;
    std::vector<double> w(to.p.size(), 0), y(to.p.size(), 0);
    for (std::size_t p = 0; p < after.size(); ++p)
      for (const auto& [node, value] : after.derivative(p))
        for (int c = 0; c < dim; ++c)
          if (!step.model.isFixed(node * dim + c))
            w[node * dim + c] += mu[after[p].multiplier] * value[c];
    step.model.system.velocity(to.q, w, y);
    const double a = 0.5 * dot(w, y), b = dot(w, to.p), c = returnedEnergy_ * loss;
    const double root = std::sqrt(b * b + 4 * a * c);
    const double alpha = b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
    for (std::size_t i = 0; i < y.size(); ++i)
      to.p[i] += alpha * y[i];
    to.ledger.contactWork += c;
  }

  //! f = W'(z)
  template<int dim>
  void QuasiStatic<dim>::addForce(const Body& body, ConstSpan, ConstSpan z, Span f) const
  {
    body.addMidpointForce(z, z, 1, f);
  }

  //! W''(z)
  template<int dim>
  void QuasiStatic<dim>::addTangent(const Body& body, ConstSpan, ConstSpan z, Matrix& A) const
  {
    body.addMidpointTangent(z, z, 1, A);
  }

  template<int dim>
  std::optional<double> QuasiStatic<dim>::potential(const Body& body, ConstSpan, ConstSpan z) const
  {
    return body.storedEnergy(z);
  }

  //! Trapezoidal rule: half of the works of each end. Part of stepWork is the defect
  //! W(z) - W(x) - 1/2 (W'(x) + W'(z)).D.
  template<int dim>
  void QuasiStatic<dim>::accountWork(AcceptedStep<dim>& step) const
  {
    accountEnd(step, step.from);
    accountEnd(step, step.to);
    for (std::size_t p = 0; p < step.constraints.size(); ++p) {
      const double work = step.tangential(p) * step.constraints[p].slip;
      step.to.ledger.frictionWork += work;
      step.to.ledger.stepWork -= work;
    }
    for (const auto& member : step.model.members)
      step.to.ledger.stepWork += member.body->storedEnergy(member.slice(ConstSpan(step.to.q))) -
                                 member.body->storedEnergy(member.slice(ConstSpan(step.from.q)));
  }

  /* Half of the works of one end, with r = W' - gravity - load - c'^T mu: load.D/2, and r.D/2 on
   * fixed components, are external. On free components r.D/2 is a defect of the step at its
   * beginning and the residual of the solver at its end. */
  template<int dim>
  void QuasiStatic<dim>::accountEnd(AcceptedStep<dim>& step, const State& at) const
  {
    const State& from = step.from;
    State& to = step.to;
    std::vector<double> load(to.q.size(), 0), r(to.q.size(), 0);
    SparseVector force;
    for (const auto& interaction : step.model.system.interactions())
      interaction->addForce(at.time, at.q, force);
    addTo(force, 1, load);
    for (const auto& member : step.model.members) {
      const ConstSpan u = member.slice(ConstSpan(at.q));
      addForce(*member.body, u, u, member.slice(Span(r)));
    }
    to.ledger.stepWork -= 0.5 * (dot(r, to.q) - dot(r, from.q));
    for (const auto& member : step.model.members)
      member.body->addGravity(-1, member.slice(Span(r)));
    addTo(force, -1, r);
    accountContacts(step, at, r);
    accountFriction(step, at, r);
    for (std::size_t i = 0; i < to.q.size(); ++i) {
      const double half = 0.5 * (to.q[i] - from.q[i]);
      to.ledger.externalWork += (load[i] + (step.model.isFixed(i) ? r[i] : 0)) * half;
      if (step.model.isFixed(i))
        continue;
      if (&at == &from)
        to.ledger.stepWork += r[i] * half;
      else
        step.slack += std::abs(r[i] * half);
    }
  }

  //! Work 1/2 mu.c' (D - obstacleIncrement) with multipliers and gaps of one end of a step; their
  //! force is taken from r
  template<int dim>
  void QuasiStatic<dim>::accountContacts(AcceptedStep<dim>& step, const State& at,
                                         std::vector<double>& r) const
  {
    State& to = step.to;
    const WeightedGaps<dim>& gaps = &at == &step.from ? step.startGaps() : step.endGaps();
    for (std::size_t p = 0; p < gaps.size(); ++p) {
      const double pressure = MidpointHistory::pressure(at)[gaps[p].multiplier];
      const auto increment = step.obstacleIncrement(step.model.contactOf(gaps[p].multiplier));
      for (const auto& [node, value] : gaps.derivative(p))
        for (int c = 0; c < dim; ++c) {
          const std::size_t i = node * dim + c;
          to.ledger.contactWork +=
            0.5 * pressure * value[c] * (to.q[i] - step.from.q[i] - increment[c]);
          to.ledger.externalWork += 0.5 * pressure * value[c] * increment[c];
          r[i] -= pressure * value[c];
        }
    }
  }

  /* Half of the work of the friction forces F of one end: F.D/2 less what obstacles do by their
   * motion. The work of friction in the step is l.s by its law; the trapezoidal rule differs from
   * it at second order, and the difference is a defect of the step. F is taken from r. */
  template<int dim>
  void QuasiStatic<dim>::accountFriction(AcceptedStep<dim>& step, const State& at,
                                         std::vector<double>& r) const
  {
    const std::vector<double>& force = MidpointHistory::frictionForce(at);
    if (force.empty())
      return;
    State& to = step.to;
    for (std::size_t i = 0; i < r.size(); ++i) {
      to.ledger.stepWork += 0.5 * force[i] * (to.q[i] - step.from.q[i]);
      r[i] -= force[i];
    }
    for (std::size_t k = 0; k < step.model.contactCount(); ++k) {
      const auto increment = step.obstacleIncrement(k);
      for (int c = 0; c < dim; ++c) {
        const double driven = 0.5 * force[r.size() + k * dim + c] * increment[c];
        to.ledger.externalWork += driven;
        to.ledger.stepWork -= driven;
      }
    }
  }

  template class ModifiedMidpoint<2>;
  template class ModifiedMidpoint<3>;
  template class Midpoint<2>;
  template class Midpoint<3>;
  template class DissipativeMidpoint<2>;
  template class DissipativeMidpoint<3>;
  template class QuasiStatic<2>;
  template class QuasiStatic<3>;

} // namespace Dune::Impact
