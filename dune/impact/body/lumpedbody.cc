// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/body/lumpedbody.hh>

namespace Dune::Impact {

  LumpedBody::LumpedBody(std::string name, int dimension, const Vec3& gravity,
                         const InitialMotion& motion)
    : Body(std::move(name))
    , dimension_(dimension)
    , gravity_(gravity)
    , hasGravity_(gravity.infinity_norm() > 0)
    , motion_(motion)
  {}

  //! Nodes without mass have the inverse mass zero: no momentum moves them
  void LumpedBody::setNodes(std::vector<Vec3> reference, std::vector<double> mass)
  {
    reference_ = std::move(reference);
    mass_ = std::move(mass);
    inverseMass_.clear();
    for (double m : mass_)
      inverseMass_.insert(inverseMass_.end(), dimension_, m > 0 ? 1 / m : 0);
  }

  //! Held components have the inverse mass zero, as if their mass were infinite
  void LumpedBody::fix(std::vector<std::uint8_t> fixed)
  {
    fixed_ = std::move(fixed);
    for (std::size_t node = 0; node < nodes(); ++node)
      for (int c = 0; c < dimension_; ++c)
        if (held(node, c))
          inverseMass_[node * dimension_ + c] = 0;
  }

  void LumpedBody::retract(ConstSpan q, ConstSpan dq, Span q1) const
  {
    for (std::size_t i = 0; i < q.size(); ++i)
      q1[i] = q[i] + dq[i];
  }

  //! q1 = q + h M^-1 p, p1 = p; returns 1/2 p.M^-1 p
  double LumpedBody::drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const
  {
    double sum = 0;
    for (std::size_t i = 0; i < inverseMass_.size(); ++i) {
      const double v = inverseMass_[i] * p[i];
      q1[i] = q[i] + h * v;
      p1[i] = p[i];
      sum += p[i] * v;
    }
    return 0.5 * sum;
  }

  //! Weight m g on components that can move
  void LumpedBody::addForce(double, ConstSpan, double weight, Span p) const
  {
    if (!hasGravity_)
      return;
    for (std::size_t node = 0; node < nodes(); ++node)
      for (int c = 0; c < dimension_; ++c)
        if (!held(node, c))
          p[node * dimension_ + c] += weight * (mass_[node] * gravity_[c]);
  }

  void LumpedBody::velocity(ConstSpan, ConstSpan p, Span v) const
  {
    for (std::size_t i = 0; i < inverseMass_.size(); ++i)
      v[i] = inverseMass_[i] * p[i];
  }

  //! p = M v, zero on components that cannot move
  void LumpedBody::momentum(ConstSpan, ConstSpan v, Span p) const
  {
    std::size_t i = 0;
    for (double m : mass_)
      for (int c = 0; c < dimension_; ++c, ++i)
        p[i] = inverseMass_[i] > 0 ? m * v[i] : 0;
  }

  void LumpedBody::addVelocity(ConstSpan, std::span<const Entry> covector, SparseVector& v) const
  {
    for (const auto& [dof, value] : covector)
      v.push_back({dof, inverseMass_[dof] * value});
  }

  //! 1/2 p.M^-1 p
  double LumpedBody::kinetic(ConstSpan, ConstSpan p) const
  {
    double sum = 0;
    for (std::size_t i = 0; i < inverseMass_.size(); ++i)
      sum += p[i] * (inverseMass_[i] * p[i]);
    return 0.5 * sum;
  }

  //! -sum m g.x
  double LumpedBody::gravityPotential(ConstSpan q) const
  {
    if (!hasGravity_)
      return 0;
    double sum = 0;
    for (std::size_t node = 0; node < nodes(); ++node)
      sum -= mass_[node] * (gravity_ * position(q, node));
    return sum;
  }

  Potentials LumpedBody::potentials(double, ConstSpan q) const
  {
    return {.elastic = elastic(q), .potential = gravityPotential(q)};
  }

  Potentials LumpedBody::intervalPotentials(double, ConstSpan q0, double, ConstSpan q1) const
  {
    return {.elastic = intervalElastic(q0, q1),
            .potential = 0.5 * (gravityPotential(q0) + gravityPotential(q1))};
  }

  //! The sums of p and of x x p over the nodes, with position x; held components have p = 0
  Momenta LumpedBody::momenta(ConstSpan q, ConstSpan p) const
  {
    Momenta result;
    for (std::size_t node = 0; node < nodes(); ++node) {
      Vec3 momentum(0);
      for (int c = 0; c < dimension_; ++c)
        if (!held(node, c))
          momentum[c] = p[node * dimension_ + c];
      result.linear += momentum;
      result.angular += cross(position(q, node), momentum);
    }
    return result;
  }

  void LumpedBody::addStiffness(double, ConstSpan, std::size_t, Triplets&) const
  {}

  Vec3 LumpedBody::displacement(ConstSpan q, std::size_t point) const
  {
    Vec3 u(0);
    for (int c = 0; c < dimension_; ++c)
      u[c] = q[point * dimension_ + c];
    return u;
  }

  void LumpedBody::addPointFunctional(ConstSpan, std::size_t point, const Vec3& direction,
                                      std::size_t offset, SparseVector& functional) const
  {
    for (int c = 0; c < dimension_; ++c)
      functional.push_back({offset + point * dimension_ + c, direction[c]});
  }

  double LumpedBody::mass() const
  {
    double sum = 0;
    for (double m : mass_)
      sum += m;
    return sum;
  }

  Vec3 LumpedBody::centreOfMass(ConstSpan q) const
  {
    Vec3 sum(0);
    for (std::size_t node = 0; node < nodes(); ++node)
      sum.axpy(mass_[node], position(q, node));
    return sum /= mass();
  }

  //! velocity + spin x (x - centre of mass), zero on held components
  void LumpedBody::startVelocity(ConstSpan q, Span v) const
  {
    const Vec3 centre = centreOfMass(q);
    for (std::size_t node = 0; node < nodes(); ++node) {
      const Vec3 u = motion_.velocity + cross(motion_.spin, position(q, node) - centre);
      for (int c = 0; c < dimension_; ++c)
        v[node * dimension_ + c] = held(node, c) ? 0 : u[c];
    }
  }

  void LumpedBody::initialise(Span q, Span p) const
  {
    initialDisplacement(q);
    std::vector<double> v(p.size());
    startVelocity(q, v);
    momentum(q, v, p);
  }

} // namespace Dune::Impact
