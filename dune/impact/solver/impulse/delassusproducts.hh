// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_DELASSUSPRODUCTS_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_DELASSUSPRODUCTS_HH

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief What the forms of the matrix that maps contact impulses to contact velocities have in
 * common
 */

namespace Dune::Impact {

  //! Call f with the block size 1, 2 or 3 as a constant
  template<class F>
  decltype(auto) withBlockSize(int d, F&& f)
  {
    assert(d >= 1 && d <= 3);
    switch (d) {
    case 1:
      return std::forward<F>(f)(std::integral_constant<int, 1>());
    case 2:
      return std::forward<F>(f)(std::integral_constant<int, 2>());
    default:
      return std::forward<F>(f)(std::integral_constant<int, 3>());
    }
  }

  /** \brief A Delassus matrix as a product H = G W
   *
   * W maps impulses r to velocities u = W r of as many dofs as the matrix likes, G these to the
   * velocities H r of the contacts. Contact i sees few dofs: addRate() adds G_i u, its velocity,
   * and addVelocities() adds W_i dr_i, what a change of its impulse does to u. velocitySizes() and
   * rateSize() are the same with the sizes of all terms, to which the rounding of a velocity
   * refers. Both functions with scratch memory return a pointer to it, or to the impulses where
   * these are u themselves.
   */
  template<class Matrix>
  concept DelassusMatrix = requires(const Matrix& H, std::size_t i, const double* x, double* y,
                                    ConstSpan r, Span w, std::vector<double>& scratch) {
    { H.size() } -> std::convertible_to<std::size_t>; // contacts
    { H.blockSize() } -> std::same_as<int>;
    { H.dofs() } -> std::convertible_to<std::size_t>; // size of u
    { H.isFinite() } -> std::same_as<bool>;
    { H.diagonal(i) } -> std::same_as<const double*>; // block H_ii, row-wise
    H.template addRate<3>(i, x, y);
    H.template addVelocities<3>(i, x, y);
    { H.velocities(r, scratch) } -> std::same_as<const double*>;
    { H.velocitySizes(r, scratch) } -> std::same_as<const double*>;
    { H.rateSize(i, 0, x) } -> std::same_as<double>;
    H.multiply(r, w);
  };

  //! u = W r, one contact after the other
  template<class Matrix>
  const double* sumVelocities(const Matrix& H, ConstSpan r, std::vector<double>& u)
  {
    assert(r.size() == H.size() * H.blockSize());
    u.assign(H.dofs(), 0);
    withBlockSize(H.blockSize(), [&](auto d) {
      for (std::size_t i = 0; i < H.size(); ++i)
        H.template addVelocities<d>(i, &r[i * d], u.data());
    });
    return u.data();
  }

  //! y = G (W x)
  template<class Matrix>
  void multiplyFactors(const Matrix& H, ConstSpan x, Span y)
  {
    assert(y.size() == x.size());
    std::vector<double> scratch;
    const double* u = H.velocities(x, scratch);
    std::fill(y.begin(), y.end(), 0.0);
    withBlockSize(H.blockSize(), [&](auto d) {
      for (std::size_t i = 0; i < H.size(); ++i)
        H.template addRate<d>(i, u, &y[i * d]);
    });
  }

} // namespace Dune::Impact

#endif
