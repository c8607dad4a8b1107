// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/midpoint/rigidstep.hh>

namespace Dune::Impact {

  namespace {

    //! Factor of theta that gives the Cayley vector of half the rotation: 1/(1 + sqrt(1 +
    //! |theta|^2/4))
    double halfFactor(const Vector3& theta)
    {
      return 1 / (1 + std::sqrt(1 + 0.25 * theta.squaredNorm()));
    }

    //! Rotation cay(theta) R as the quaternion of a placement
    void turn(const Quaternion& rotation, const Vector3& theta, double* q)
    {
      Quaternion next = stepQuaternion(RotationMap::cayley, theta) * rotation;
      next.normalize();
      const double numbers[] = {next.w(), next.x(), next.y(), next.z()};
      std::copy_n(numbers, 4, q + 6);
    }

  } // namespace

  RigidStep::RigidStep(const RigidBody& body, const double* q, const double* v, double h,
                       double length)
    : body_(body)
    , q_(q)
    , v_(v)
    , h_(h)
    , length_(length)
    , rotation_(RigidPlace(q).rotation)
    , velocity_(v[0], v[1], v[2])
    , spin_(rotation_.conjugate() * Vector3(v[3], v[4], v[5]))
    , inertia_(body.inverseInertia().cwiseInverse())
  {}

  //! Free motion y = (h V, L theta): theta keeps the angular momentum in space
  void RigidStep::predict(double* y) const
  {
    const Vector3 Pi = inertia_.cwiseProduct(spin_);
    const auto Theta = solveRotation(RotationMap::cayley, body_.inverseInertia(), Pi, Pi, h_);
    if (!Theta)
      throw RunError(body_.name() + ": turns too far in one step, the step must be smaller");
    const Vector3 theta = length_ * (rotation_ * *Theta);
    for (int c = 0; c < 3; ++c) {
      y[c] = body_.hasPivot() ? 0 : h_ * velocity_[c];
      y[3 + c] = theta[c];
    }
  }

  //! X + y and cay(theta) R
  void RigidStep::place(const double* y, double* q1) const
  {
    std::copy_n(q_, RigidPlace::size, q1);
    for (int c = 0; c < 3; ++c)
      addCompensated(q1[c], q1[3 + c], y[c]);
    turn(rotation_, theta(y), q1);
  }

  //! X + y/2 and half of the rotation about the same axis
  void RigidStep::placeMiddle(const double* y, double* q1) const
  {
    std::copy_n(q_, RigidPlace::size, q1);
    for (int c = 0; c < 3; ++c)
      q1[c] += 0.5 * y[c];
    turn(rotation_, halfFactor(theta(y)) * theta(y), q1);
  }

  //! V+ = 2 y/h - V, and in body axes W+ = 2/h R^T theta - W, which R_1 turns to space
  void RigidStep::velocities(const double* y, double* v1) const
  {
    const Vector3 turned = theta(y), W = 2 / h_ * (rotation_.conjugate() * turned) - spin_;
    const Vector3 spin = rotate(RotationMap::cayley, turned, rotation_ * W);
    for (int c = 0; c < 3; ++c) {
      v1[c] = 2 * y[c] / h_ - velocity_[c];
      v1[3 + c] = spin[c];
    }
  }

  /* 2 m/h^2 (y - h V) - m g for the centre, and for the rotation
   *
   *     1/L [(R_1 J W+ - R_0 J W)/h - 1/2 (R_0 d + R_1 d) x m g]
   *
   * with the arm d of the weight about a pivot. */
  void RigidStep::residual(const double* y, double* R) const
  {
    const Vector3 turned = theta(y), W = 2 / h_ * (rotation_.conjugate() * turned) - spin_;
    const Vector3 h0 = rotation_ * inertia_.cwiseProduct(spin_),
                  h1 = rotate(RotationMap::cayley, turned, rotation_ * inertia_.cwiseProduct(W));
    Vector3 moment = (h1 - h0) / h_;
    if (body_.hasMoment()) {
      const Vector3 arm = rotation_ * body_.shapeOffset();
      moment -= (0.5 * (arm + rotate(RotationMap::cayley, turned, arm)))
                  .cross(body_.memberMass() * body_.gravity());
    }
    for (int c = 0; c < 3; ++c) {
      R[c] = linearMass() * (y[c] - h_ * velocity_[c]) - body_.memberMass() * body_.gravity()[c];
      R[3 + c] = moment[c] / length_;
    }
  }

  double RigidStep::linearMass() const
  {
    return 2 * body_.memberMass() / (h_ * h_);
  }

  //! 2/(L h)^2 R J R^T with the axes R of the middle, near the derivative of the residual
  Matrix3 RigidStep::angularMass(const double* y) const
  {
    const Vector3 half = halfFactor(theta(y)) * theta(y);
    const Matrix3 axes = RotationCayley::map(half) * rotation_.toRotationMatrix();
    return 2 / (length_ * length_ * h_ * h_) * (axes * inertia_.asDiagonal() * axes.transpose());
  }

  //! Rotation vector in space per change of L theta: T(theta)/L with the tangent T of cay
  Matrix3 RigidStep::tangent(const double* y) const
  {
    return RotationCayley::tangent(theta(y)) / length_;
  }

  /* With s = sqrt(1 + |theta|^2/4), kappa = 1/(1 + s): the Cayley vector of the middle kappa theta
   * changes by kappa dtheta - kappa^2/(4 s) theta (theta . dtheta). */
  Matrix3 RigidStep::middleTangent(const double* y) const
  {
    const Vector3 t = theta(y);
    const double kappa = halfFactor(t), s = 1 / kappa - 1;
    const Matrix3 slope = kappa * Matrix3::Identity() - kappa * kappa / (4 * s) * t * t.transpose();
    return RotationCayley::tangent(kappa * t) * slope / length_;
  }

  //! Largest of m g, J W/(L h) and m V/h, as a scale of the residual
  double RigidStep::forces() const
  {
    const double weight = body_.memberMass() * body_.gravity().cwiseAbs().maxCoeff();
    const double angular = inertia_.cwiseProduct(spin_).cwiseAbs().maxCoeff() / (length_ * h_);
    return std::max(
      {weight, angular,
       body_.hasPivot() ? 0 : body_.memberMass() * velocity_.cwiseAbs().maxCoeff() / h_});
  }

} // namespace Dune::Impact
