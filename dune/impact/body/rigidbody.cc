// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/common/exceptions.hh>

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

    void store(const Quaternion& a, double* q)
    {
      q[6] = a.w();
      q[7] = a.x();
      q[8] = a.y();
      q[9] = a.z();
    }

  } // namespace

  RigidBody::RigidBody(const Settings& settings)
    : Body(settings.name)
    , shape_(settings.shape)
    , mass_(settings.mass.mass)
    , inverseMass_(settings.pivot ? 0 : 1 / settings.mass.mass)
    , inertia_(toEigen(settings.mass.inertia))
    , inverseInertia_(inertia_.cwiseInverse())
    , gravity_(toEigen(settings.gravity))
    , hasGravity_(gravity_.cwiseAbs().maxCoeff() > 0)
    , starts_(settings.bodies)
  {
    if (settings.pivot)
      pivot_ = toEigen(*settings.pivot);
    const bool centreIsNode = shape_->nodes().size() == 1 && shape_->nodes()[0].isZero();
    pointsEach_ = shape_->nodes().size() + (centreIsNode ? 0 : 1);
  }

  Vector3 RigidBody::local(std::size_t point) const
  {
    const std::size_t node = point % pointsEach_;
    return node < shape_->nodes().size() ? Vector3(shape_->nodes()[node] + shapeOffset())
                                         : shapeOffset();
  }

  Vector3 RigidBody::arm(ConstSpan q, std::size_t point) const
  {
    return place(q, point / pointsEach_).rotation * local(point);
  }

  //! Centre of mass: X itself, or X + R c with the offset c from the pivot in body axes
  Vector3 RigidBody::memberCentre(ConstSpan q, std::size_t member) const
  {
    const RigidPlace at = place(q, member);
    return pivot_ ? Vector3(at.centre + at.rotation * shapeOffset()) : at.centre;
  }

  /* With the momenta Pi = R^T h of both ends, in the body axes R of the start, solveRotation()
   * gives the rotation vector Theta, and R <- R map(Theta). The centre is summed with compensation;
   * the quaternion is normalised, so that round-off does not add up over many steps. */
  Vector3 RigidBody::move(RotationMap map, const double* q, const Vector3& velocity,
                          const Vector3& h0, const Vector3& h1, double h, double* q1) const
  {
    const RigidPlace at(q);
    const Quaternion back = at.rotation.conjugate();
    const Vector3 Pi0 = back * h0, Pi1 = h1 == h0 ? Pi0 : Vector3(back * h1);
    const auto Theta = solveRotation(map, inverseInertia_, Pi0, Pi1, h);
    if (!Theta)
      throw RunError(name() + ": turns too far in one step, the step must be smaller");
    for (int c = 0; c < 3; ++c) {
      q1[c] = q[c];
      q1[3 + c] = q[3 + c];
      if (!pivot_)
        addCompensated(q1[c], q1[3 + c], h * velocity[c]);
    }
    Quaternion next = at.rotation * stepQuaternion(map, *Theta);
    next.coeffs() *= 1 / next.coeffs().norm();
    store(next, q1);
    return at.rotation * *Theta;
  }

  //! X <- X + dx, R <- exp(dtheta) R: increments are spatial. A pivot does not move.
  void RigidBody::retract(ConstSpan q, ConstSpan dq, Span q1) const
  {
    for (std::size_t i = 0; i < count(); ++i) {
      const double *from = &q[i * RigidPlace::size], *d = &dq[i * dofs];
      double* to = &q1[i * RigidPlace::size];
      for (int c = 0; c < 3; ++c) {
        to[c] = from[c] + (pivot_ ? 0 : d[c]);
        to[3 + c] = from[3 + c];
      }
      const Quaternion a =
        stepQuaternion(RotationMap::exponential, load(d + 3)) * RigidPlace(from).rotation;
      store(a, to);
    }
  }

  //! dx = X1 - X, dtheta = log(R1 R^T)
  void RigidBody::difference(ConstSpan q, ConstSpan q1, Span dq) const
  {
    for (std::size_t i = 0; i < count(); ++i) {
      const double *from = &q[i * RigidPlace::size], *to = &q1[i * RigidPlace::size];
      const Quaternion turn = RigidPlace(to).rotation * RigidPlace(from).rotation.conjugate();
      for (int c = 0; c < 3; ++c)
        dq[i * dofs + c] = pivot_ ? 0 : to[c] - from[c];
      store(RotationExponential::inverse(turn.toRotationMatrix()), &dq[i * dofs + 3]);
    }
  }

  //! Free motion keeps the linear and the angular momentum in space
  double RigidBody::drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const
  {
    for (std::size_t i = 0; i < count(); ++i) {
      const double* pi = &p[i * dofs];
      const Vector3 angular = load(pi + 3);
      move(RotationMap::exponential, &q[i * RigidPlace::size], inverseMass_ * load(pi), angular,
           angular, h, &q1[i * RigidPlace::size]);
    }
    std::copy(p.begin(), p.end(), p1.begin());
    return kinetic(q, p);
  }

  //! Weight at the centre of mass; about a pivot it has the moment (X_c - X) x m g
  void RigidBody::addForce(double, ConstSpan q, double weight, Span p) const
  {
    if (!hasGravity_)
      return;
    const Vector3 force = mass_ * gravity_;
    for (std::size_t i = 0; i < count(); ++i) {
      const Vector3 moment = pivot_ ? Vector3((place(q, i).rotation * shapeOffset()).cross(force))
                                    : Vector3(Vector3::Zero());
      for (int c = 0; c < 3; ++c)
        if (pivot_)
          p[i * dofs + 3 + c] += weight * moment[c];
        else
          p[i * dofs + c] += weight * force[c];
    }
  }

  //! v = p/m, omega = R I^{-1} R^T h
  void RigidBody::velocity(ConstSpan q, ConstSpan p, Span v) const
  {
    for (std::size_t i = 0; i < count(); ++i) {
      store(inverseMass_ * load(&p[i * dofs]), &v[i * dofs]);
      store(angularVelocity(place(q, i).rotation, load(&p[i * dofs + 3])), &v[i * dofs + 3]);
    }
  }

  //! p = m v, h = R I R^T omega; no linear momentum with a pivot
  void RigidBody::momentum(ConstSpan q, ConstSpan v, Span p) const
  {
    for (std::size_t i = 0; i < count(); ++i) {
      store((pivot_ ? 0 : mass_) * load(&v[i * dofs]), &p[i * dofs]);
      const Quaternion a = place(q, i).rotation;
      store(a * inertia_.cwiseProduct(a.conjugate() * load(&v[i * dofs + 3])), &p[i * dofs + 3]);
    }
  }

  //! Entries of a member follow each other in the covector and are summed first, since the inverse
  //! inertia mixes the components of a moment
  void RigidBody::addVelocity(ConstSpan q, std::span<const Entry> covector, SparseVector& v) const
  {
    for (std::size_t begin = 0, end = 0; begin < covector.size(); begin = end) {
      const std::size_t member = covector[begin].dof / dofs;
      double sum[dofs] = {};
      for (end = begin; end < covector.size() && covector[end].dof / dofs == member; ++end)
        sum[covector[end].dof - member * dofs] += covector[end].value;
      const Vector3 turn = angularVelocity(place(q, member).rotation, load(sum + 3));
      for (std::size_t c = 0; c < 3; ++c)
        v.push_back({member * dofs + c, inverseMass_ * sum[c]});
      for (std::size_t c = 0; c < 3; ++c)
        v.push_back({member * dofs + 3 + c, turn[c]});
    }
  }

  //! sum 1/2 |p|^2/m + 1/2 Pi.I^{-1} Pi with Pi = R^T h
  double RigidBody::kinetic(ConstSpan q, ConstSpan p) const
  {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      const Vector3 Pi = place(q, i).rotation.conjugate() * load(&p[i * dofs + 3]);
      sum +=
        inverseMass_ * load(&p[i * dofs]).squaredNorm() + Pi.dot(inverseInertia_.cwiseProduct(Pi));
    }
    return 0.5 * sum;
  }

  //! -sum m g.X_c
  Potentials RigidBody::potentials(double, ConstSpan q) const
  {
    if (!hasGravity_)
      return {};
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i)
      sum -= mass_ * gravity_.dot(memberCentre(q, i));
    return {.potential = sum};
  }

  Potentials RigidBody::intervalPotentials(double t0, ConstSpan q0, double t1, ConstSpan q1) const
  {
    return {.potential = 0.5 * (potentials(t0, q0).potential + potentials(t1, q1).potential)};
  }

  //! About a pivot at X the linear momentum is m omega x (X_c - X) and the angular one X x p + h
  Momenta RigidBody::momenta(ConstSpan q, ConstSpan p) const
  {
    Momenta result;
    for (std::size_t i = 0; i < count(); ++i) {
      const RigidPlace at = place(q, i);
      const Vector3 h = load(&p[i * dofs + 3]);
      const Vector3 linear =
        pivot_ ? Vector3(mass_ * angularVelocity(at.rotation, h).cross(at.rotation * shapeOffset()))
               : load(&p[i * dofs]);
      result.linear += toVec3(linear);
      result.angular += toVec3(at.centre.cross(linear) + h);
    }
    return result;
  }

  //! With a pivot the moment R x F turns with R: -d(R x F) = (F.R) dtheta - R (F . dtheta)
  void RigidBody::addStiffness(double, ConstSpan q, std::size_t offset, Triplets& entries) const
  {
    if (!hasMoment())
      return;
    const Vector3 force = mass_ * gravity_;
    for (std::size_t i = 0; i < count(); ++i) {
      const Vector3 R = place(q, i).rotation * shapeOffset();
      const int first = int(offset + i * dofs + 3);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          entries.emplace_back(first + a, first + b, (a == b ? force.dot(R) : 0) - R[a] * force[b]);
    }
  }

  //! R I R^T
  Matrix3 RigidBody::spatialInertia(ConstSpan q, std::size_t member) const
  {
    const Matrix3 R = place(q, member).rotation.toRotationMatrix();
    return R * inertia_.asDiagonal() * R.transpose();
  }

  //! -omega x (R I R^T omega), because the spatial inertia turns with the body
  void RigidBody::addGyroscopicForce(ConstSpan q, ConstSpan v, double weight, Span p) const
  {
    for (std::size_t i = 0; i < count(); ++i) {
      const Vector3 omega = load(&v[i * dofs + 3]),
                    turn = omega.cross(spatialInertia(q, i) * omega);
      for (int c = 0; c < 3; ++c)
        p[i * dofs + 3 + c] -= weight * turn[c];
    }
  }

  //! d(omega x I omega) = (hat(omega) I - hat(I omega)) domega with the spatial inertia I
  void RigidBody::addGyroscopicDamping(ConstSpan q, ConstSpan v, std::size_t offset,
                                       Triplets& entries) const
  {
    for (std::size_t i = 0; i < count(); ++i) {
      const Vector3 omega = load(&v[i * dofs + 3]);
      const Matrix3 I = spatialInertia(q, i), block = hat(omega) * I - hat(I * omega);
      const int first = int(offset + i * dofs + 3);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          entries.emplace_back(first + a, first + b, block(a, b));
    }
  }

  //! The identity for X, the tangent T(dtheta) of the exponential map for R
  void RigidBody::addRetractTangent(ConstSpan dq, std::size_t offset, Triplets& entries) const
  {
    for (std::size_t i = 0; i < count(); ++i) {
      const Matrix3 T = RotationExponential::tangent(load(&dq[i * dofs + 3]));
      const int first = int(offset + i * dofs);
      for (int a = 0; a < 3; ++a) {
        entries.emplace_back(first + a, first + a, 1);
        for (int b = 0; b < 3; ++b)
          entries.emplace_back(first + 3 + a, first + 3 + b, T(a, b));
      }
    }
  }

  Vec3 RigidBody::reference(std::size_t point) const
  {
    const Start& start = starts_[point / pointsEach_];
    return start.position + toVec3(start.rotation * local(point));
  }

  Vec3 RigidBody::displacement(ConstSpan q, std::size_t point) const
  {
    return toVec3(place(q, point / pointsEach_).centre + arm(q, point)) - reference(point);
  }

  //! direction . (v + omega x a) = direction . v + (a x direction) . omega with the arm a from X to
  //! the point; v = 0 at a pivot
  void RigidBody::addPointFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                                     std::size_t offset, SparseVector& functional) const
  {
    const Vector3 turn = arm(q, point).cross(toEigen(direction));
    const std::size_t first = offset + point / pointsEach_ * dofs;
    for (std::size_t c = 0; c < 3 && !pivot_; ++c)
      functional.push_back({first + c, direction[c]});
    for (std::size_t c = 0; c < 3; ++c)
      functional.push_back({first + 3 + c, turn[c]});
  }

  //! The same with the arm from X to a place in space
  void RigidBody::addPlaceFunctional(ConstSpan q, std::size_t point, const Vec3& at,
                                     const Vec3& direction, std::size_t offset,
                                     SparseVector& functional) const
  {
    const std::size_t member = point / pointsEach_, first = offset + member * dofs;
    const Vector3 turn = (toEigen(at) - place(q, member).centre).cross(toEigen(direction));
    for (std::size_t c = 0; c < 3 && !pivot_; ++c)
      functional.push_back({first + c, direction[c]});
    for (std::size_t c = 0; c < 3; ++c)
      functional.push_back({first + 3 + c, turn[c]});
  }

  Frame RigidBody::pointFrame(ConstSpan q, std::size_t point) const
  {
    const RigidPlace at = place(q, point / pointsEach_);
    return {at.rotation.toRotationMatrix(), at.centre + arm(q, point)};
  }

  void RigidBody::addTurnFunctional(ConstSpan, std::size_t point, const Vec3& direction,
                                    std::size_t offset, SparseVector& functional) const
  {
    for (std::size_t c = 0; c < 3; ++c)
      functional.push_back({offset + point / pointsEach_ * dofs + 3 + c, direction[c]});
  }

  std::vector<std::size_t> RigidBody::patch(const std::string& place) const
  {
    std::vector<std::size_t> result;
    const bool centre = place == "centre-of-mass";
    const std::size_t nodes = shape_->nodes().size();
    for (std::size_t i = 0; i < pointCount(); ++i)
      if (centre ? i % pointsEach_ == pointsEach_ - 1 : place.empty() && i % pointsEach_ < nodes)
        result.push_back(i);
    return result;
  }

  Vec3 RigidBody::centreOfMass(ConstSpan q) const
  {
    Vector3 sum = Vector3::Zero();
    for (std::size_t i = 0; i < count(); ++i)
      sum += memberCentre(q, i);
    return toVec3(sum / double(count()));
  }

  void RigidBody::initialise(Span q, Span p) const
  {
    std::vector<double> v(velocitySize());
    for (std::size_t i = 0; i < count(); ++i) {
      double* at = &q[i * RigidPlace::size];
      store(toEigen(starts_[i].position), at);
      std::fill_n(at + 3, 3, 0.0);
      store(starts_[i].rotation, at);
      store(toEigen(starts_[i].velocity), &v[i * dofs]);
      store(toEigen(starts_[i].spin), &v[i * dofs + 3]);
    }
    momentum(q, v, p);
  }

  void RigidBody::sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const
  {
    const RigidPicture picture = shape_->picture();
    VisualizationField displacement{"displacement", 3, {}}, velocity{"velocity", 3, {}};
    for (std::size_t i = 0; i < count(); ++i) {
      const RigidPlace at = place(q, i);
      const Vector3 u = load(&v[i * dofs]), spin = load(&v[i * dofs + 3]);
      const std::size_t first = visual.points.size();
      for (const Vector3& x : picture.points) {
        const Vector3 R = at.rotation * (x + shapeOffset()), now = at.centre + R;
        const Vector3 moved = now - toEigen(starts_[i].position) -
                              starts_[i].rotation * (x + shapeOffset()),
                      w = u + spin.cross(R);
        visual.points.push_back(toVec3(now));
        displacement.values.insert(displacement.values.end(), moved.data(), moved.data() + 3);
        velocity.values.insert(velocity.values.end(), w.data(), w.data() + 3);
      }
      for (const auto& cell : picture.cells) {
        constexpr VisualizationCell types[] = {VisualizationCell::vertex, VisualizationCell::line,
                                               VisualizationCell::triangle,
                                               VisualizationCell::quadrilateral};
        visual.cells.push_back(types[cell.size() - 1]);
        for (std::size_t k : cell)
          visual.connectivity.push_back(first + k);
        visual.offsets.push_back(visual.connectivity.size());
      }
    }
    visual.pointFields = {std::move(displacement), std::move(velocity)};
  }

} // namespace Dune::Impact
