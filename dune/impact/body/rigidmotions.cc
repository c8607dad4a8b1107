// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <Eigen/Eigenvalues>

#include <dune/impact/body/framebody.hh>
#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/body/rigidmotions.hh>
#include <dune/impact/geometry/rigidmotion.hh>

namespace Dune::Impact {

  namespace {

    using Matrix = Eigen::MatrixXd;

    // Eigenvalues of the Gram matrix below this part of the largest one are zero: a support whose
    // extent is a thousandth of the body has 1e-6.
    constexpr double zero = 1e-11;

    //! Velocity at x of the motions: translations, then turns about the coordinate axes
    struct Motions
    {
      int dimension;
      Vector3 centre;
      double size;

      int count() const { return dimension == 2 ? 3 : 6; }

      Vector3 turn(int k) const
      {
        if (k < dimension)
          return Vector3::Zero();
        return Vector3(Vector3::Unit(dimension == 2 ? 2 : k - 3) / size);
      }

      Vector3 velocity(int k, const Vector3& x) const
      {
        return k < dimension ? Vector3(Vector3::Unit(k)) : Vector3(turn(k).cross(x - centre));
      }
    };

    //! Components of the nodes that supports hold, one number of bits per node
    const std::vector<std::uint8_t>* supports(const Body& body)
    {
      if (const auto* plane = dynamic_cast<const ImplicitBody<2>*>(&body))
        return &plane->fixed();
      if (const auto* space = dynamic_cast<const ImplicitBody<3>*>(&body))
        return &space->fixed();
      return nullptr;
    }

    //! Rows of V that belong to a solid
    void fillSolid(const System& system, std::size_t body, ConstSpan q, const Motions& motions,
                   Matrix& V)
    {
      const int d = motions.dimension;
      const std::size_t nodes = supports(system.body(body))->size();
      for (std::size_t i = 0; i < nodes; ++i) {
        const PointHandle point = system.point(body, i);
        const Vector3 x = toEigen(point.position(q));
        for (int k = 0; k < motions.count(); ++k)
          V.block(Eigen::Index(point.velocityOffset + i * d), k, d, 1) =
            motions.velocity(k, x).head(d);
      }
    }

    //! Rows of V that belong to a beam: turn and velocity in the axes of each frame
    void fillFrames(const System& system, std::size_t body, ConstSpan q, const Motions& motions,
                    Matrix& V)
    {
      const auto& frames = dynamic_cast<const FrameBody&>(system.body(body));
      const PointHandle first = system.point(body, 0);
      const std::size_t points = system.body(body).velocitySize() / 6;
      for (std::size_t i = 0; i < points; ++i) {
        const Frame g = frames.pointFrame(first.slice(q), i);
        const Eigen::Index row = Eigen::Index(first.velocityOffset + 6 * i);
        for (int k = 0; k < motions.count(); ++k) {
          V.block(row, k, 3, 1) = g.rotation.transpose() * motions.turn(k);
          V.block(row + 3, k, 3, 1) = g.rotation.transpose() * motions.velocity(k, g.position);
        }
      }
    }

    bool isBeam(const Body& body)
    {
      const auto* frames = dynamic_cast<const FrameBody*>(&body);
      return frames && frames->bodyAxes();
    }

    //! Centre and size of the box around the points
    Motions motionsOf(const System& system, std::span<const std::size_t> group, ConstSpan q)
    {
      Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
      bool plane = false;
      for (const std::size_t body : group) {
        const Body& one = system.body(body);
        plane = plane || dynamic_cast<const ImplicitBody<2>*>(&one);
        const std::size_t points = isBeam(one) ? one.velocitySize() / 6 : supports(one)->size();
        for (std::size_t i = 0; i < points; ++i) {
          const Vector3 x = toEigen(system.point(body, i).position(q));
          low = low.cwiseMin(x);
          high = high.cwiseMax(x);
        }
      }
      return {plane ? 2 : 3, 0.5 * (low + high), (high - low).norm()};
    }

    //! Sum of v_k^2 over the dofs k that supports or prescribed motions hold
    Matrix heldGram(const System& system, std::span<const std::size_t> group, const Matrix& V,
                    int dimension)
    {
      Matrix gram = Matrix::Zero(V.cols(), V.cols());
      for (const std::size_t body : group) {
        const auto* fixed = supports(system.body(body));
        const std::size_t first = system.point(body, 0).velocityOffset;
        for (std::size_t i = 0; i < system.body(body).velocitySize(); ++i)
          if (system.prescribed(first + i) ||
              (fixed && (*fixed)[i / dimension] >> i % dimension & 1)) {
            const auto row = V.row(Eigen::Index(first + i));
            gram += row.transpose() * row;
          }
      }
      return gram;
    }

    //! (G V)^T (G V) of all joints; rows of angles are in units of the size as V is
    Matrix jointGram(const System& system, ConstSpan q, const Matrix& V, double size)
    {
      Matrix gram = Matrix::Zero(V.cols(), V.cols());
      for (const auto& joint : system.constraints()) {
        Triplets entries;
        joint->addPoints(0, q, 0, entries);
        Matrix rows = Matrix::Zero(Eigen::Index(joint->rows()), V.cols());
        for (const auto& entry : entries)
          rows.row(entry.row()) += entry.value() * V.row(entry.col());
        for (std::size_t r = 0; r < joint->rows(); ++r)
          if (joint->angular(r))
            rows.row(Eigen::Index(r)) *= size;
        gram += rows.transpose() * rows;
      }
      return gram;
    }

  } // namespace

  Eigen::MatrixXd freeRigidMotions(const System& system, std::span<const std::size_t> group,
                                   ConstSpan q)
  {
    const bool known = std::ranges::all_of(group, [&](std::size_t body) {
      return isBeam(system.body(body)) || supports(system.body(body));
    });
    if (!known)
      return {};
    const Motions motions = motionsOf(system, group, q);
    Matrix V = Matrix::Zero(Eigen::Index(system.velocitySize()), motions.count());
    for (const std::size_t body : group)
      isBeam(system.body(body)) ? fillFrames(system, body, q, motions, V)
                                : fillSolid(system, body, q, motions, V);
    const Matrix gram =
      heldGram(system, group, V, motions.dimension) + jointGram(system, q, V, motions.size);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
    const double limit = zero * eigen.eigenvalues()[motions.count() - 1];
    Eigen::Index free = 0; // eigenvalues increase
    while (free < motions.count() && eigen.eigenvalues()[free] <= limit)
      ++free;
    return V * eigen.eigenvectors().leftCols(free);
  }

} // namespace Dune::Impact
