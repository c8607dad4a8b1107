// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SCALARROOT_HH
#define DUNE_IMPACT_SOLVER_SCALARROOT_HH

#include <algorithm>
#include <cmath>

/** \file
 * \ingroup impact_solver
 * \brief Roots of functions of one variable
 */

namespace Dune::Impact {

  //! A point and the value of a function there
  struct Sample
  {
    double x, value;
  };

  /** \brief Root of a continuous function between two points where it has different signs
   *
   * Regula falsi in the Illinois form: the value at an end that stays twice is halved. It ends
   * where |f| <= tolerance, or where no number is left between the ends; then the end with the
   * smaller value is returned. A value that is not a number ends the search.
   */
  template<class F>
  Sample bracketedRoot(F&& f, Sample a, Sample b, double tolerance)
  {
    if (std::abs(a.value) <= tolerance || std::abs(b.value) <= tolerance)
      return std::abs(a.value) < std::abs(b.value) ? a : b;
    double weightA = a.value, weightB = b.value; // values, or halves of them
    for (;;) {
      double x = b.x - weightB * ((b.x - a.x) / (weightB - weightA));
      const double low = std::min(a.x, b.x), high = std::max(a.x, b.x);
      if (!(x > low && x < high))
        x = low + 0.5 * (high - low);
      if (!(x > low && x < high))
        return std::abs(a.value) < std::abs(b.value) ? a : b;
      const Sample c{x, f(x)};
      if (!(std::abs(c.value) > tolerance))
        return c;
      if ((c.value > 0) == (b.value > 0)) {
        b = c;
        weightB = c.value;
        weightA *= 0.5;
      }
      else {
        a = c;
        weightA = c.value;
        weightB *= 0.5;
      }
    }
  }

  //! A parabola A x^2 + B x + C
  struct Parabola
  {
    double A = 0, B = 0, C = 0;

    //! Through the values at 0, x and 2 x
    static Parabola through(double x, double at0, double at1, double at2)
    {
      const double curvature = (at2 - at1) - (at1 - at0), A = 0.5 * curvature / (x * x);
      return {A, (at1 - at0) / x - A * x, at0};
    }

    double discriminant() const { return B * B - 4 * A * C; }
    double slope(double x) const { return 2 * A * x + B; }

    //! The larger root of a convex parabola with real roots, without cancellation
    double largerRoot() const
    {
      const double root = std::sqrt(discriminant());
      return B <= 0 ? (-B + root) / (2 * A) : -2 * C / (B + root);
    }

    //! The root that is nearest to zero
    double rootNearZero() const
    {
      return C == 0 ? 0 : -2 * C / (B + std::copysign(std::sqrt(discriminant()), B));
    }

    //! The reflection of zero about the vertex, where the value is C again
    double mirror() const { return -B / A; }
  };

} // namespace Dune::Impact

#endif
