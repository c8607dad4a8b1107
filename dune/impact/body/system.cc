// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/body/system.hh>

namespace Dune::Impact {

  std::size_t System::add(std::unique_ptr<Body> body)
  {
    const std::size_t q = configurationSize_, v = velocitySize_;
    configurationSize_ += body->configurationSize();
    velocitySize_ += body->velocitySize();
    massless_ = massless_ || body->hasMasslessPoints();
    bodies_.push_back({std::move(body), q, v});
    if (!prescribed_.empty())
      prescribed_.resize(velocitySize_, false);
    return bodies_.size() - 1;
  }

  /* Only bodies whose configuration is their displacement have components to prescribe, so the
   * indices of both arrays follow from the functional of that component, which is the same in
   * every configuration. */
  void System::prescribe(const PointHandle& point, int component, Expression displacement)
  {
    Vec3 unit(0);
    unit[component] = 1;
    if (point.body->held(point.point, component))
      throw InputError(point.body->name() + ": a part that is held by a support cannot be moved");
    SparseVector functional;
    point.body->addPointFunctional({}, point.point, unit, point.velocityOffset, functional);
    prescribed_.resize(velocitySize_, false);
    for (const auto& [dof, value] : functional)
      if (value != 0) {
        if (prescribed_[dof])
          throw InputError(point.body->name() + ": the motion of a point is prescribed twice");
        prescribed_[dof] = true;
        motions_.push_back(
          {dof - point.velocityOffset + point.configurationOffset, dof, displacement});
      }
  }

  PointHandle System::point(std::size_t body, std::size_t point) const
  {
    const Member& member = bodies_[body];
    return {member.body.get(), body, point, member.q, member.v};
  }

  ConstSpan System::configurationSlice(std::size_t body, ConstSpan q) const
  {
    return bodies_[body].configuration(q);
  }

  ConstSpan System::velocitySlice(std::size_t body, ConstSpan v) const
  {
    return bodies_[body].velocity(v);
  }

  State System::initialState() const
  {
    State state;
    state.q.resize(configurationSize_);
    state.p.resize(velocitySize_);
    for (const Member& member : bodies_)
      member.body->initialise(member.configuration(Span(state.q)), member.velocity(Span(state.p)));
    placeMotions(0, state.q);
    placeMasslessNodes(0, state.q);
    return state;
  }

  void System::placeMasslessNodes(double t, Span q) const
  {
    for (const Member& member : bodies_)
      member.body->placeMasslessNodes(member.configuration(q));
    for (const auto& contact : masslessContacts_)
      contact->placeMasslessNodes(t, q);
  }

  void System::placeMasslessNodes(double t, Span q, ConstSpan closed) const
  {
    if (!massless_)
      return;
    for (const Member& member : bodies_)
      member.body->placeMasslessNodes(member.configuration(q));
    for (std::size_t i = 0; i < masslessContacts_.size(); ++i)
      masslessContacts_[i]->place(t, q, closed[i] != 0);
  }

  void System::placeMotions(double t, Span q) const
  {
    for (const Motion& motion : motions_)
      q[motion.configuration] = motion(t);
  }

  //! p = M v on prescribed dofs, with v the prescribed velocities and zero elsewhere
  void System::setMotionMomenta(double t, double t1, double h, ConstSpan q, Span p) const
  {
    if (motions_.empty())
      return;
    std::vector<double> v(velocitySize_), all(velocitySize_);
    for (const Motion& motion : motions_)
      v[motion.velocity] = motion.rate(t, t1, h);
    momentum(q, v, all);
    for (const Motion& motion : motions_)
      p[motion.velocity] = all[motion.velocity];
  }

  void System::retract(ConstSpan q, ConstSpan dq, Span q1) const
  {
    for (const Member& member : bodies_)
      member.body->retract(member.configuration(q), member.velocity(dq), member.configuration(q1));
  }

  void System::difference(ConstSpan q, ConstSpan q1, Span dq) const
  {
    for (const Member& member : bodies_)
      member.body->difference(member.configuration(q), member.configuration(q1),
                              member.velocity(dq));
  }

  bool System::angular(std::size_t dof) const
  {
    const Member& member = bodies_[owner(dof)];
    return member.body->angular(dof - member.v);
  }

  double System::drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const
  {
    double kinetic = 0;
    for (const Member& member : bodies_)
      kinetic += member.body->drift(member.configuration(q), member.velocity(p), h,
                                    member.configuration(q1), member.velocity(p1));
    return kinetic;
  }

  void System::driftVelocity(ConstSpan q, ConstSpan p, double h, Span v) const
  {
    for (const Member& member : bodies_)
      member.body->driftVelocity(member.configuration(q), member.velocity(p), h,
                                 member.velocity(v));
  }

  void System::driftMomentum(ConstSpan q, ConstSpan v, double h, Span p) const
  {
    for (const Member& member : bodies_)
      member.body->driftMomentum(member.configuration(q), member.velocity(v), h,
                                 member.velocity(p));
  }

  void System::driftTo(double t1, ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const
  {
    drift(q, p, h, q1, p1);
    placeMotions(t1, q1);
    placeMasslessNodes(t1, q1);
  }

  void System::addInteractions(double t, ConstSpan q, double weight, Span p) const
  {
    if (interactions_.empty())
      return;
    thread_local SparseVector force;
    for (const auto& interaction : interactions_) {
      force.clear();
      interaction->addForce(t, q, force);
      addTo(force, weight, p);
    }
  }

  void System::addForce(double t, ConstSpan q, double weight, Span p) const
  {
    for (const Member& member : bodies_)
      member.body->addForce(t, member.configuration(q), weight, member.velocity(p));
    addInteractions(t, q, weight, p);
  }

  //! Bodies drift and kick in one pass over memory. Prescribed dofs and massless points must be
  //! placed in between: then all bodies drift first.
  void System::driftKick(ConstSpan q, ConstSpan p, double h, double t1, double weight, Span q1,
                         Span p1) const
  {
    if (!motions_.empty() || massless_) {
      driftTo(t1, q, p, h, q1, p1);
      return addForce(t1, q1, weight, p1);
    }
    for (const Member& member : bodies_)
      member.body->driftKick(member.configuration(q), member.velocity(p), h, t1, weight,
                             member.configuration(q1), member.velocity(p1));
    addInteractions(t1, q1, weight, p1);
  }

  void System::velocity(ConstSpan q, ConstSpan p, Span v) const
  {
    for (const Member& member : bodies_)
      member.body->velocity(member.configuration(q), member.velocity(p), member.velocity(v));
  }

  void System::momentum(ConstSpan q, ConstSpan v, Span p) const
  {
    for (const Member& member : bodies_)
      member.body->momentum(member.configuration(q), member.velocity(v), member.velocity(p));
  }

  //! Bodies are sorted by their first dof: the last one that does not begin after the dof
  std::size_t System::owner(std::size_t dof) const
  {
    const auto next = std::upper_bound(bodies_.begin(), bodies_.end(), dof,
                                       [](std::size_t d, const Member& m) { return d < m.v; });
    return std::size_t(next - bodies_.begin()) - 1;
  }

  //! Runs of entries that belong to one body go to this body, in its own numbers of dofs
  void System::addVelocity(ConstSpan q, std::span<const Entry> covector, SparseVector& v) const
  {
    thread_local SparseVector local;
    for (std::size_t begin = 0, end = 0; begin < covector.size(); begin = end) {
      const Member& member = bodies_[owner(covector[begin].dof)];
      const std::size_t bound = member.v + member.body->velocitySize();
      local.clear();
      for (end = begin;
           end < covector.size() && covector[end].dof >= member.v && covector[end].dof < bound;
           ++end)
        local.push_back({covector[end].dof - member.v, covector[end].value});
      const std::size_t first = v.size();
      member.body->addVelocity(member.configuration(q), local, v);
      for (std::size_t i = first; i < v.size(); ++i)
        v[i].dof += member.v;
    }
  }

  double System::kinetic(ConstSpan q, ConstSpan p) const
  {
    double sum = 0;
    for (const Member& member : bodies_)
      sum += member.body->kinetic(member.configuration(q), member.velocity(p));
    return sum;
  }

  Potentials System::potentials(double t, ConstSpan q) const
  {
    Potentials sum;
    for (const Member& member : bodies_)
      sum += member.body->potentials(t, member.configuration(q));
    for (const auto& interaction : interactions_)
      sum += interaction->potentials(t, q);
    return sum;
  }

  //! The mean of both ends for interactions; bodies have interval energies of their own
  Potentials System::intervalPotentials(double t0, ConstSpan q0, double t1, ConstSpan q1) const
  {
    Potentials sum;
    for (const auto& interaction : interactions_) {
      sum += interaction->potentials(t0, q0);
      sum += interaction->potentials(t1, q1);
    }
    sum = {0.5 * sum.elastic, 0.5 * sum.potential, 0.5 * sum.contact};
    for (const Member& member : bodies_)
      sum +=
        member.body->intervalPotentials(t0, member.configuration(q0), t1, member.configuration(q1));
    return sum;
  }

  Momenta System::momenta(ConstSpan q, ConstSpan p) const
  {
    Momenta sum;
    for (const Member& member : bodies_)
      sum += member.body->momenta(member.configuration(q), member.velocity(p));
    return sum;
  }

  //! Interactions number dofs from the first one of the system, so the offset is added to their
  //! entries afterwards
  void System::addStiffness(double t, ConstSpan q, std::size_t offset, Triplets& entries) const
  {
    for (const Member& member : bodies_)
      member.body->addStiffness(t, member.configuration(q), offset + member.v, entries);
    const std::size_t first = entries.size();
    for (const auto& interaction : interactions_)
      interaction->addStiffness(t, q, entries);
    for (std::size_t i = first; offset > 0 && i < entries.size(); ++i)
      entries[i] = {int(entries[i].row() + offset), int(entries[i].col() + offset),
                    entries[i].value()};
  }

} // namespace Dune::Impact
