// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/rigid/rigidmembers.hh>

namespace Dune::Impact {

  namespace {

    Vector3 load(const double* x)
    {
      return {x[0], x[1], x[2]};
    }
    void store(const Vector3& x, double* to)
    {
      std::copy_n(x.data(), 3, to);
    }

  } // namespace

  //! A load belongs to the bodies whose dofs occur in its force at the start.
  RigidMembers::RigidMembers(const System& system, RotationMap map) : system_(system), map_(map)
  {
    for (std::size_t b = 0; b < system.bodyCount(); ++b) {
      const auto* body = dynamic_cast<const RigidBody*>(&system.body(b));
      if (!body)
        throw InputError(system.body(b).name() + " is not rigid");
      anyForce_ = anyForce_ || body->hasGravity();
      begin_.push_back(members_.size());
      for (std::size_t i = 0; i < body->count(); ++i) {
        members_.push_back(body);
        bodyIndex_.push_back(b);
      }
    }
    loads_.resize(size());
    const State initial = system.initialState();
    for (const auto& interaction : system.interactions()) {
      if (interaction->dependsOnConfiguration())
        throw InputError("energy-momentum steps cannot handle springs");
      SparseVector entries;
      interaction->addForce(0, initial.q, entries);
      for (const Entry& entry : entries) {
        auto& list = loads_[entry.dof / RigidBody::dofs];
        if (list.empty() || list.back() != interaction.get())
          list.push_back(interaction.get());
        anyForce_ = true;
      }
    }
  }

  //! Force and moment of weight and loads at q. On a body with a pivot the weight is the moment
  //! (R d) x m g, with the arm d from the pivot to the centre of mass.
  RigidMembers::Wrench RigidMembers::wrench(std::size_t i, double t, ConstSpan q) const
  {
    Wrench sum{Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
    for (const Interaction* interaction : loads_[i]) {
      SparseVector entries;
      interaction->addForce(t, q, entries);
      for (const auto& [dof, value] : entries)
        if (dof / RigidBody::dofs == i)
          (dof % RigidBody::dofs < 3 ? sum.loadForce : sum.loadMoment)[dof % 3] += value;
    }
    sum.force = sum.loadForce;
    sum.moment = sum.loadMoment;
    const RigidBody& body = *members_[i];
    if (body.hasGravity()) {
      const Vector3 weight = body.memberMass() * body.gravity();
      if (body.hasPivot())
        sum.moment +=
          (RigidPlace(&q[i * RigidPlace::size]).rotation * body.shapeOffset()).cross(weight);
      else
        sum.force += weight;
    }
    return sum;
  }

  /* With the impulse (P, L) of contact, the force f and the moment m
   *
   *     p_1 = p_0 + P + h f,   X_1 = X_0 + h/(2M) (p_0 + p_1),   h_1 = h_0 + L + h m.
   *
   * Forces are constant in the step, so that their moments at the modified arm are
   * m = zeta/2 (m(q_0) + m(q_1)): a fixed point iteration for q_1, if moments act on the body. */
  RigidIncrement RigidMembers::advance(std::size_t i, double t0, double h, ConstSpan q, ConstSpan p,
                                       const Vector3& linear, const Vector3& angular, Span q1,
                                       Span p1, double& loadWork) const
  {
    const RigidBody& body = *members_[i];
    const double *qi = &q[i * RigidPlace::size], *pi = &p[i * RigidBody::dofs];
    double *qo = &q1[i * RigidPlace::size], *po = &p1[i * RigidBody::dofs];
    const bool turning = body.hasMoment() || !loads_[i].empty();
    const Vector3 linear0 = load(pi), angular0 = load(pi + 3);
    RigidIncrement result;
    result.start = load(qi);
    loadWork = 0;
    if (!anyForce_ || !(turning || body.hasGravity())) {
      const Vector3 velocity = body.inverseMass() * (linear0 + 0.5 * linear),
                    end = angular0 + angular;
      result.shift = h * velocity;
      result.turn = body.move(map_, qi, velocity, angular0, end, h, qo);
      result.arm = armFactor(map_, result.turn.squaredNorm());
      store(linear0 + linear, po);
      store(end, po + 3);
      return result;
    }
    const Wrench first = wrench(i, t0 + 0.5 * h, q);
    const Vector3 velocity = body.inverseMass() * (linear0 + 0.5 * (linear + h * first.force));
    result.shift = h * velocity;
    Vector3 moment = first.moment, loadMoment = first.loadMoment, end;
    double last = std::numeric_limits<double>::infinity();
    for (int sweep = 0;; ++sweep) {
      end = angular0 + angular + h * moment;
      result.turn = body.move(map_, qi, velocity, angular0, end, h, qo);
      result.arm = armFactor(map_, result.turn.squaredNorm());
      if (!turning)
        break;
      const Wrench other = wrench(i, t0 + 0.5 * h, q1);
      const Vector3 next = 0.5 * result.arm * (first.moment + other.moment);
      loadMoment = 0.5 * result.arm * (first.loadMoment + other.loadMoment);
      const double change = h * (next - moment).norm(),
                   size = angular0.norm() + angular.norm() + h * next.norm();
      moment = next;
      if (change <= 1e-16 * size || (change >= 0.5 * last && change <= 1e-14 * size))
        break;
      if (sweep > 200 || !(std::isfinite(change)))
        throw RunError(body.name() +
                       ": the moments of a step could not be found, the step must be smaller");
      last = change;
    }
    store(body.hasPivot() ? linear0 : Vector3(linear0 + linear + h * first.force), po);
    store(end, po + 3);
    loadWork = first.loadForce.dot(result.shift) + loadMoment.dot(result.turn);
    return result;
  }

  //! R J^{-1} R^T
  Matrix3 RigidMembers::inverseInertia(std::size_t i, ConstSpan q) const
  {
    const Matrix3 axes = RigidPlace(&q[i * RigidPlace::size]).rotation.toRotationMatrix();
    return axes * members_[i]->inverseInertia().asDiagonal() * axes.transpose();
  }

} // namespace Dune::Impact
