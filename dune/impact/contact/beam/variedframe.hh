// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_BEAM_VARIEDFRAME_HH
#define DUNE_IMPACT_CONTACT_BEAM_VARIEDFRAME_HH

#include <dune/impact/geometry/se3.hh>

/** \file
 * \ingroup impact_contact_beam
 * \brief Numbers, vectors and frames together with their derivatives by a few variables
 */

namespace Dune::Impact {

  //! Values with derivatives by that many variables
  template<int variables>
  struct Variation
  {
    using Gradient = Eigen::Matrix<double, 1, variables>;
    using Jacobian = Eigen::Matrix<double, 3, variables>;

    //! A number with its derivative
    struct Number
    {
      double value;
      Gradient d;
    };

    //! A vector with its derivative
    struct Varied
    {
      Vector3 value;
      Jacobian d;

      friend Varied operator+(const Varied& a, const Varied& b)
      {
        return {a.value + b.value, a.d + b.d};
      }
      friend Varied operator-(const Varied& a, const Varied& b)
      {
        return {a.value - b.value, a.d - b.d};
      }
      friend Varied operator*(double a, const Varied& b) { return {a * b.value, a * b.d}; }
      friend Varied operator*(const Number& a, const Varied& b)
      {
        return {a.value * b.value, a.value * b.d + b.value * a.d};
      }
      friend Number dot(const Varied& a, const Varied& b)
      {
        return {a.value.dot(b.value), a.value.transpose() * b.d + b.value.transpose() * a.d};
      }
      friend Varied cross(const Varied& a, const Varied& b)
      {
        return {a.value.cross(b.value), hat(a.value) * b.d - hat(b.value) * a.d};
      }

      friend Number norm(const Varied& a)
      {
        const double size = a.value.norm();
        return {size, a.value.transpose() * a.d / size};
      }

      friend Varied normalised(const Varied& a)
      {
        const Number size = norm(a);
        return {a.value / size.value, (a.d - a.value / size.value * size.d) / size.value};
      }
    };

    //! A vector that does not change
    static Varied constant(const Vector3& x) { return {x, Jacobian::Zero()}; }

    //! A frame whose increment is linear in the variables
    struct VariedFrame
    {
      Frame frame;
      //! angular and linear increments in the frame
      Jacobian turn = Jacobian::Zero(), move = Jacobian::Zero();

      Varied position() const { return {frame.position, frame.rotation * move}; }
      //! R X, d(R X) = R (dX + turn x X)
      Varied rotate(const Varied& X) const
      {
        return {frame.rotation * X.value, frame.rotation * (X.d - hat(X.value) * turn)};
      }
      //! R^T c, d(R^T c) = R^T dc + R^T c x turn
      Varied rotateBack(const Varied& c) const
      {
        const Vector3 x = frame.rotation.transpose() * c.value;
        return {x, frame.rotation.transpose() * c.d + hat(x) * turn};
      }
    };

    //! A frame whose increments are the six variables from a number on
    static VariedFrame variedFrame(const Frame& frame, int first)
    {
      VariedFrame result{frame};
      result.turn.template block<3, 3>(0, first) = Matrix3::Identity();
      result.move.template block<3, 3>(0, first + 3) = Matrix3::Identity();
      return result;
    }

    //! Derivative of (X x y, y)
    static Eigen::Matrix<double, 6, variables> wrenchDerivative(const Varied& X, const Varied& y)
    {
      Eigen::Matrix<double, 6, variables> D;
      D << cross(X, y).d, y.d;
      return D;
    }
  };

  //! (X x y, y): force y at the point X of a section
  inline Vector6 wrench(const Vector3& X, const Vector3& y)
  {
    return parts(X.cross(y), y);
  }

} // namespace Dune::Impact

#endif
