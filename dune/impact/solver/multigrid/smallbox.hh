// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_SMALLBOX_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_SMALLBOX_HH

#include <algorithm>
#include <cmath>
#include <cstdint>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Minimisation in a box for the few unknowns of one node
 */

namespace Dune::Impact {

  /** \brief Where between lo and hi is q(t) = a/2 t^2 - s t least?
   *
   * a > 0: at s/a, or the bound before it. Otherwise at the better bound, if that is finite and
   * better than the present value t.
   */
  inline double minimiseScalar(double a, double s, double lo, double hi, double t)
  {
    if (a > 0)
      return std::clamp(s / a, lo, hi);
    const auto q = [&](double y) { return y * (a / 2 * y - s); };
    double best = t;
    for (const double bound : {lo, hi})
      if (std::isfinite(bound) && q(bound) < q(best))
        best = bound;
    return best;
  }

  /** \brief Lower the energy 1/2 v.Dv - s.v of one node within lo <= v <= hi, from v = 0
   *
   * One component after the other. The first round already gives the decrease of scalar
   * Gauss-Seidel, the others are cheap: few nodes are at their bounds. Needs no definiteness.
   */
  template<int d>
  inline void minimiseNode(const double* D, const double* s, const double* lo, const double* hi,
                           double* v)
  {
    constexpr int rounds = d == 1 ? 1 : 8;
    std::fill_n(v, d, 0.0);
    for (int round = 0; round < rounds; ++round) {
      bool moved = false;
      for (int c = 0; c < d; ++c) {
        double force = s[c];
        for (int k = 0; k < d; ++k)
          if (k != c)
            force -= D[c * d + k] * v[k];
        const double t = minimiseScalar(D[c * d + c], force, lo[c], hi[c], v[c]);
        moved = moved || t != v[c];
        v[c] = t;
      }
      if (!moved)
        return;
    }
  }

  /** \brief Inverse of the part of D that belongs to the free components
   *
   * Gauss-Jordan without exchange: the pivots are those of D = L diag L^T, and D is positive
   * definite exactly if they are positive. Components of the mask, and those with a zero diagonal,
   * get zero rows and columns.
   *
   * \return true if the part is positive definite; otherwise the result is zero
   */
  template<int d>
  inline bool invertFree(const double* D, std::uint8_t mask, double* inverse)
  {
    double A[d * d];
    bool used[d];
    for (int c = 0; c < d; ++c)
      used[c] = !(mask >> c & 1) && D[c * d + c] != 0;
    for (int r = 0; r < d; ++r)
      for (int c = 0; c < d; ++c)
        A[r * d + c] = used[r] && used[c] ? D[r * d + c] : 0;
    for (int p = 0; p < d; ++p) {
      if (!used[p])
        continue;
      const double pivot = A[p * d + p];
      if (!(pivot > 0)) {
        std::fill_n(inverse, d * d, 0.0);
        return false;
      }
      const double reciprocal = 1 / pivot;
      A[p * d + p] = 1;
      for (int c = 0; c < d; ++c)
        A[p * d + c] *= reciprocal;
      for (int r = 0; r < d; ++r)
        if (r != p) {
          const double factor = A[r * d + p];
          A[r * d + p] = 0;
          for (int c = 0; c < d; ++c)
            A[r * d + c] -= factor * A[p * d + c];
        }
    }
    std::copy_n(A, d * d, inverse);
    return true;
  }

} // namespace Dune::Impact

#endif
