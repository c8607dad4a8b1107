// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_BOXVECTORS_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_BOXVECTORS_HH

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/common/parallel.hh>
#include <dune/impact/solver/multigrid/boxproblem.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Sums, steps and norms of vectors in a box, on several threads
 */

namespace Dune::Impact::BoxVectors {

  //! Of loops over vectors on several threads
  inline constexpr std::size_t numbersPerChunk = 16384;

  //! y += factor * x
  template<int d>
  void add(double factor, const NodeVector<d>& x, NodeVector<d>& y, int threads)
  {
    const double* px = data<d>(x);
    double* py = data<d>(y);
    parallelFor(
      x.size() * d, threads, [=](std::size_t k) { py[k] += factor * px[k]; }, numbersPerChunk);
  }

  //! y = x + factor * y
  template<int d>
  void addScaled(const NodeVector<d>& x, double factor, NodeVector<d>& y, int threads)
  {
    const double* px = data<d>(x);
    double* py = data<d>(y);
    parallelFor(
      x.size() * d, threads, [=](std::size_t k) { py[k] = px[k] + factor * py[k]; },
      numbersPerChunk);
  }

  //! A minimum in place of a sum, for parallelSum()
  struct Smallest
  {
    double value = std::numeric_limits<double>::infinity();

    Smallest& operator+=(const Smallest& other)
    {
      value = std::min(value, other.value);
      return *this;
    }
  };

  //! Largest alpha with x + alpha v in the box
  template<int d>
  double largestStep(const BoxProblem<d>& problem, const NodeVector<d>& x, const NodeVector<d>& v,
                     int threads)
  {
    const double *px = data<d>(x), *pv = data<d>(v), *lower = data<d>(problem.lower),
                 *upper = data<d>(problem.upper);
    return parallelSum<Smallest>(
             x.size() * d, threads,
             [=](std::size_t begin, std::size_t end) {
               double alpha = std::numeric_limits<double>::infinity();
               for (std::size_t k = begin; k < end; ++k) {
                 const double room = (pv[k] > 0 ? upper[k] : lower[k]) - px[k];
                 // most divisions are not needed
                 if (std::abs(room) < alpha * std::abs(pv[k]) && pv[k] != 0)
                   alpha = std::min(alpha, room / pv[k]);
               }
               return Smallest{alpha};
             },
             numbersPerChunk)
      .value;
  }

  //! Residual norms: of the free components, and of components at a bound with a force away from
  //! it
  struct SplitNorm
  {
    double free = 0, released = 0;

    SplitNorm& operator+=(const SplitNorm& other)
    {
      free += other.free;
      released += other.released;
      return *this;
    }
  };

  template<int d>
  SplitNorm splitNorm(const BoxProblem<d>& problem, const NodeMask& mask, const NodeVector<d>& x,
                      const NodeVector<d>& r, int threads)
  {
    const SplitNorm squares = parallelSum<SplitNorm>(
      x.size(), threads,
      [&](std::size_t begin, std::size_t end) {
        SplitNorm sum;
        for (std::size_t i = begin; i < end; ++i)
          for (int c = 0; c < d; ++c) {
            const double force = r[i][c];
            if (!(mask[i] >> c & 1))
              sum.free += force * force;
            else if (force > 0 ? x[i][c] < problem.upper[i][c] : x[i][c] > problem.lower[i][c])
              sum.released += force * force;
          }
        return sum;
      },
      numbersPerChunk / d);
    return {std::sqrt(squares.free), std::sqrt(squares.released)};
  }

} // namespace Dune::Impact::BoxVectors

#endif
