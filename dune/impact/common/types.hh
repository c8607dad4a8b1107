// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_TYPES_HH
#define DUNE_IMPACT_COMMON_TYPES_HH

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <dune/common/fmatrix.hh>
#include <dune/common/fvector.hh>

/** \file
 * \ingroup impact_common
 * \brief Names for the few plain types that all parts share
 */

namespace Dune::Impact {

  //! A slice of a flat array that may be written
  using Span = std::span<double>;

  //! A slice of a flat array that is only read
  using ConstSpan = std::span<const double>;

  /** \brief A point or vector of physical space
   *
   * Bodies of dimension one and two live in the x axis and the x-y plane; their other
   * components are zero. This keeps momenta, normals and probes free of case distinctions.
   */
  using Vec3 = FieldVector<double, 3>;

  //! A linear map of physical space
  using Mat3 = FieldMatrix<double, 3, 3>;

  //! One entry of a sparse functional on velocities, or of a sparse velocity
  struct Entry
  {
    std::size_t dof;
    double value;
  };

  //! A sparse functional on the velocity dofs of a system; dofs may repeat and then add up
  using SparseVector = std::vector<Entry>;

  //! Value of a sparse functional on a dense vector
  inline double dot(std::span<const Entry> functional, ConstSpan x)
  {
    double sum = 0;
    for (const auto& [dof, value] : functional)
      sum += value * x[dof];
    return sum;
  }

  //! Scalar product of two dense vectors
  inline double dot(ConstSpan a, ConstSpan b)
  {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += a[i] * b[i];
    return sum;
  }

  //! Sum of the sizes of the terms of dot(): its rounding error is a few epsilon of this
  inline double dotSize(std::span<const Entry> functional, ConstSpan x)
  {
    double sum = 0;
    for (const auto& [dof, value] : functional)
      sum += std::abs(value * x[dof]);
    return sum;
  }

  //! y += factor * functional
  inline void addTo(std::span<const Entry> functional, double factor, Span y)
  {
    for (const auto& [dof, value] : functional)
      y[dof] += factor * value;
  }

  //! Cross product
  inline Vec3 cross(const Vec3& a, const Vec3& b)
  {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }

} // namespace Dune::Impact

#endif
