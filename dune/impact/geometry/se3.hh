// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_SE3_HH
#define DUNE_IMPACT_GEOMETRY_SE3_HH

#include <dune/impact/geometry/so3.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Frames (rotation and position): exponential and Cayley map, adjoint actions, tangents
 *
 * The one place where an order of the parts is chosen: twists x = (w, u) and covectors (m, n)
 * have the angular part first and the linear part last, in every function and array of this
 * module. Sources with the linear part first are translated by swapParts().
 *
 * The maps have the same interface, so that bodies can be written for either. As for rotations
 * T(x) is the right-trivialised tangent, and the left-trivialised one is T(-x):
 *
 *     d/dt tau(x(t)) tau(x)^{-1} = T(x) x',     tau(x)^{-1} d/dt tau(x(t)) = T(-x) x'.
 */

namespace Dune::Impact {

  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;

  //! A vector of the two parts
  inline Vector6 parts(const Vector3& angular, const Vector3& linear)
  {
    Vector6 x;
    x << angular, linear;
    return x;
  }

  //! Exchange (angular, linear) and (linear, angular)
  inline Vector6 swapParts(const Vector6& x)
  {
    return parts(x.tail<3>(), x.head<3>());
  }

  //! The same for matrices that map one such vector to another
  inline Matrix6 swapParts(const Matrix6& A)
  {
    Matrix6 B;
    B << A.bottomRightCorner<3, 3>(), A.bottomLeftCorner<3, 3>(), A.topRightCorner<3, 3>(),
      A.topLeftCorner<3, 3>();
    return B;
  }

  //! A frame: x -> rotation x + position
  struct Frame
  {
    Matrix3 rotation = Matrix3::Identity();
    Vector3 position = Vector3::Zero();

    friend Frame operator*(const Frame& a, const Frame& b)
    {
      return {a.rotation * b.rotation, a.rotation * b.position + a.position};
    }
    Frame inverse() const { return {rotation.transpose(), -(rotation.transpose() * position)}; }
  };

  //! a^{-1} b
  inline Frame relative(const Frame& a, const Frame& b)
  {
    return {a.rotation.transpose() * b.rotation,
            a.rotation.transpose() * (b.position - a.position)};
  }

  //! Ad_g (w, u) = (R w, R u + r x R w)
  inline Vector6 adjoint(const Frame& g, const Vector6& x)
  {
    const Vector3 w = g.rotation * x.head<3>();
    return parts(w, g.rotation * x.tail<3>() + g.position.cross(w));
  }

  //! Its transpose, Ad*_g (m, n) = (R^T (m + n x r), R^T n)
  inline Vector6 coadjoint(const Frame& g, const Vector6& y)
  {
    const Vector3 n = y.tail<3>();
    return parts(g.rotation.transpose() * (y.head<3>() + n.cross(g.position)),
                 g.rotation.transpose() * n);
  }

  //! The matrix of adjoint(); its transpose is that of coadjoint()
  Matrix6 adjointMatrix(const Frame& g);

  //! The matrix of the Lie bracket: ad_(w,u) = [hat(w), 0; hat(u), hat(w)]
  Matrix6 bracketMatrix(const Vector6& x);

  /** \brief The exponential map of SE(3)
   *
   * With the maps R, T of SO(3) and Q(w, u) = dT(w)/dw . u
   *
   *     tau(w, u) = (R(w), T(w) u),   T(w, u) = [T(w), 0; Q(w, u), T(w)]
   */
  struct Exponential
  {
    static Frame map(const Vector6& x)
    {
      return {SO::map(x.head<3>()), SO::tangent(x.head<3>()) * x.tail<3>()};
    }

    static Vector6 inverse(const Frame& g);

    static Matrix6 tangent(const Vector6& x);

    static Matrix6 tangentInverse(const Vector6& x);

    //! The matrix of z -> d/dx (T(x) y) z
    static Matrix6 tangentDerivative(const Vector6& x, const Vector6& y);

    //! The same of T^{-1}: from T T^{-1} y = y
    static Matrix6 tangentInverseDerivative(const Vector6& x, const Vector6& y);

    /** \brief The same of the transpose T^T for a covector y
     *
     * From T(w, u)^T = [T(-w), Q(-w, -u); 0, T(-w)].
     */
    static Matrix6 tangentTransposedDerivative(const Vector6& x, const Vector6& y);

    //! The same of T^{-T}: from T^T T^{-T} y = y
    static Matrix6 tangentInverseTransposedDerivative(const Vector6& x, const Vector6& y);

    //! T^{-T}(x) y and T^{-T}(-x) y
    static std::array<Vector6, 2> tangentInverseTransposedPair(const Vector6& x, const Vector6& y);

  private:
    using SO = RotationExponential;
  };

  /** \brief The Cayley map of SE(3), that of 4x4 matrices
   *
   *     tau(w, u) = (R(w), (I - 1/2 hat(w))^{-1} u)
   *     T^{-1}(w, u) = [I - 1/2 hat(w) + 1/4 w w^T, 0; -1/2 (I - 1/2 hat(w)) hat(u), I - 1/2
   * hat(w)]
   */
  struct Cayley
  {
    static Frame map(const Vector6& x)
    {
      return {SO::map(x.head<3>()), SO::solve(x.head<3>(), x.tail<3>())};
    }

    //! u = r - 1/2 w x r
    static Vector6 inverse(const Frame& g)
    {
      const Vector3 w = SO::inverse(g.rotation);
      return parts(w, g.position - 0.5 * w.cross(g.position));
    }

    static Matrix6 tangent(const Vector6& x);

    static Matrix6 tangentInverse(const Vector6& x);

    /** \brief T^{-T}(w, u) (m, n) = (m', n')
     *
     *     n' = n + 1/2 w x n,   m' = m + 1/2 w x m + 1/4 w (w.m) + 1/2 u x n'
     */
    static Vector6 tangentInverseTransposed(const Vector6& x, const Vector6& y)
    {
      const Vector3 w = x.head<3>(), u = x.tail<3>(), m = y.head<3>(), n = y.tail<3>();
      const Vector3 n1 = n + 0.5 * w.cross(n);
      return parts(m + 0.5 * w.cross(m) + 0.25 * w.dot(m) * w + 0.5 * u.cross(n1), n1);
    }

    //! T^{-T}(x) y and T^{-T}(-x) y, which share most of their terms
    static std::array<Vector6, 2> tangentInverseTransposedPair(const Vector6& x, const Vector6& y)
    {
      const Vector3 w = 0.5 * x.head<3>(), u = 0.5 * x.tail<3>(), m = y.head<3>(), n = y.tail<3>();
      const Vector3 wn = w.cross(n), wm = w.cross(m), even = m + w.dot(m) * w + u.cross(wn),
                    odd = wm + u.cross(n);
      return {parts(even + odd, n + wn), parts(even - odd, n - wn)};
    }

    //! The matrix of z -> d/dx (T^{-1}(x) y) z
    static Matrix6 tangentInverseDerivative(const Vector6& x, const Vector6& y);

    //! The same of T: from T^{-1} T y = y
    static Matrix6 tangentDerivative(const Vector6& x, const Vector6& y);

    //! The matrix of z -> d/dx (T^{-T}(x) y) z for a covector y = (m, n)
    static Matrix6 tangentInverseTransposedDerivative(const Vector6& x, const Vector6& y);

  private:
    using SO = RotationCayley;
  };

} // namespace Dune::Impact

#endif
