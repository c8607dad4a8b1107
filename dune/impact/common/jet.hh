// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_JET_HH
#define DUNE_IMPACT_COMMON_JET_HH

#include <array>
#include <cmath>

/** \file
 * \ingroup impact_common
 * \brief Numbers that carry their first and second derivatives
 */

namespace Dune::Impact {

  /** \brief Value, gradient and second derivative of a function of n variables
   *
   * The second derivative is kept as its lower half. A function template that is called with
   * jets gives the exact derivatives of what it computes with double:
   *
   *     d(ab) = a db + b da,   dd(ab) = a ddb + b dda + da db^T + db da^T
   */
  template<int n>
  struct Jet
  {
    static constexpr int pairs = n * (n + 1) / 2;

    double value = 0;
    std::array<double, n> first{};
    std::array<double, pairs> second{}; //!< entry (i, j), j <= i, at i (i + 1) / 2 + j

    Jet() = default;
    Jet(double constant) : value(constant) {}

    //! The variable i at a value
    static Jet variable(double value, int i)
    {
      Jet x(value);
      x.first[i] = 1;
      return x;
    }

    double derivative(int i, int j) const
    {
      return i < j ? second[j * (j + 1) / 2 + i] : second[i * (i + 1) / 2 + j];
    }

    Jet& operator+=(const Jet& b)
    {
      value += b.value;
      for (int i = 0; i < n; ++i)
        first[i] += b.first[i];
      for (int k = 0; k < pairs; ++k)
        second[k] += b.second[k];
      return *this;
    }

    Jet& operator*=(double b)
    {
      value *= b;
      for (double& x : first)
        x *= b;
      for (double& x : second)
        x *= b;
      return *this;
    }

    Jet& operator-=(const Jet& b) { return *this += b * -1.0; }

    friend Jet operator+(Jet a, const Jet& b) { return a += b; }
    friend Jet operator-(Jet a, const Jet& b) { return a -= b; }
    friend Jet operator-(Jet a) { return a *= -1.0; }
    friend Jet operator*(Jet a, double b) { return a *= b; }
    friend Jet operator*(double b, Jet a) { return a *= b; }

    friend Jet operator*(const Jet& a, const Jet& b)
    {
      Jet c(a.value * b.value);
      for (int i = 0, k = 0; i < n; ++i) {
        c.first[i] = a.value * b.first[i] + b.value * a.first[i];
        for (int j = 0; j <= i; ++j, ++k)
          c.second[k] = a.value * b.second[k] + b.value * a.second[k] + a.first[i] * b.first[j] +
                        a.first[j] * b.first[i];
      }
      return c;
    }

    friend Jet operator/(const Jet& a, const Jet& b)
    {
      const double inverse = 1 / b.value;
      return a * b.chain(inverse, -inverse * inverse, 2 * inverse * inverse * inverse);
    }

    friend Jet sqrt(const Jet& a)
    {
      const double root = std::sqrt(a.value);
      return a.chain(root, 0.5 / root, -0.25 / (root * a.value));
    }

    //! f(x) with f and its two derivatives at the value of x
    Jet chain(double f, double df, double ddf) const
    {
      Jet c(f);
      for (int i = 0, k = 0; i < n; ++i) {
        c.first[i] = df * first[i];
        for (int j = 0; j <= i; ++j, ++k)
          c.second[k] = df * second[k] + ddf * first[i] * first[j];
      }
      return c;
    }
  };

} // namespace Dune::Impact

#endif
