// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/beamcoordinates.hh>

/* What implicit methods ask of a beam: derivatives of its forces */

namespace Dune::Impact {

  using namespace BeamCoordinates;

  //! Append a block of the stiffness unless a support holds one of the nodes
  void Beam::addBlock(std::size_t row, std::size_t column, const Matrix6& block, std::size_t offset,
                      Triplets& entries) const
  {
    if (fixed(row) || fixed(column))
      return;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        entries.emplace_back(int(offset + 6 * row) + i, int(offset + 6 * column) + j, block(i, j));
  }

  /* With variations zeta of the frames, dx = T^{-1}(-x) zeta_{a+1} - T^{-1}(x) zeta_a, and the
   * forces F_a = T^{-T}(x) sigma,   F_{a+1} = -T^{-T}(-x) sigma change by their tangents and by
   * dsigma = C/ds dx. Gravity: d(Lambda^T g) = hat(Lambda^T g) omega. */
  template<class Map>
  void Beam::addElementStiffness(ConstSpan q, std::size_t offset, Triplets& entries) const
  {
    for (std::size_t a = 0; a < elements(); ++a) {
      const Vector6 x = relativeTwist(q, a), sigma = section_.stiffness.cwiseProduct(excess(x, a));
      const Matrix6 forth = Map::tangentInverse(x), back = Map::tangentInverse(-x),
                    C = Matrix6((section_.stiffness / mesh_.length[a]).asDiagonal());
      const Matrix6 first =
        Map::tangentInverseTransposedDerivative(x, sigma) + forth.transpose() * C;
      const Matrix6 second =
        Map::tangentInverseTransposedDerivative(-x, sigma) - back.transpose() * C;
      addBlock(a, a, first * forth, offset, entries);
      addBlock(a, a + 1, -first * back, offset, entries);
      addBlock(a + 1, a, second * forth, offset, entries);
      addBlock(a + 1, a + 1, -second * back, offset, entries);
    }
  }

  void Beam::addStiffness(double, ConstSpan q, std::size_t offset, Triplets& entries) const
  {
    if (formulation_ == BeamFormulation::cayley)
      addElementStiffness<Cayley>(q, offset, entries);
    else
      addElementStiffness<Exponential>(q, offset, entries);
    if (gravity_.isZero(0))
      return;
    for (std::size_t a = 0; a < nodes(); ++a) {
      Matrix6 block = Matrix6::Zero();
      block.bottomLeftCorner<3, 3>() = -nodeMass(a) * hat(rotation(q, a).transpose() * gravity_);
      addBlock(a, a, block, offset, entries);
    }
  }

  // -- what methods with accelerations ask for ----------------------------------------------------

  void Beam::addGyroscopicForce(ConstSpan, ConstSpan v, double weight, Span p) const
  {
    for (std::size_t a = 0; a < nodes(); ++a) {
      if (fixed(a))
        continue;
      const Vector6 xi = twist(v, a), momentum = inertia(a).cwiseProduct(xi);
      const Vector3 omega = xi.head<3>();
      twist(p, a) -=
        weight * parts(omega.cross(momentum.head<3>()), omega.cross(momentum.tail<3>()));
    }
  }

  //! d(omega x l) = hat(omega) dl - hat(l) domega
  void Beam::addGyroscopicDamping(ConstSpan, ConstSpan v, std::size_t offset,
                                  Triplets& entries) const
  {
    for (std::size_t a = 0; a < nodes(); ++a) {
      const Vector6 xi = twist(v, a), J = inertia(a), momentum = J.cwiseProduct(xi);
      const Matrix3 turn = hat(xi.head<3>());
      Matrix6 block = Matrix6::Zero();
      block.topLeftCorner<3, 3>() = turn * J.head<3>().asDiagonal() - hat(momentum.head<3>());
      block.bottomLeftCorner<3, 3>() = -hat(momentum.tail<3>());
      block.bottomRightCorner<3, 3>() = turn * J.tail<3>().asDiagonal();
      addBlock(a, a, block, offset, entries);
    }
  }

  //! g tau(dq + x) = g tau(dq) tau(T(-dq) x) to first order in x, with the right-trivialised
  //! tangent T of tau
  void Beam::addRetractTangent(ConstSpan dq, std::size_t offset, Triplets& entries) const
  {
    for (std::size_t a = 0; a < nodes(); ++a)
      addBlock(a, a,
               formulation_ == BeamFormulation::cayley ? Cayley::tangent(-twist(dq, a))
                                                       : Exponential::tangent(-twist(dq, a)),
               offset, entries);
  }

} // namespace Dune::Impact
