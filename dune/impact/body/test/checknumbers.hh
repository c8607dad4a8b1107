// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_TEST_CHECKNUMBERS_HH
#define DUNE_IMPACT_BODY_TEST_CHECKNUMBERS_HH

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include <dune/common/exceptions.hh>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_body
 * \brief Arrays of numbers in checks: sizes, distances, random ones
 */

namespace Dune::Impact {

  namespace Test {

    using Numbers = std::vector<double>;

    constexpr double epsilon = std::numeric_limits<double>::epsilon();

    //! Bit for bit the same, NaN included
    inline bool sameBits(ConstSpan a, ConstSpan b)
    {
      return a.size() == b.size() &&
             std::equal(a.begin(), a.end(), b.begin(),
                        [](double x, double y) { return x == y || (x != x && y != y); });
    }

    //! Sum of the sizes of the terms of dot()
    inline double productSize(ConstSpan a, ConstSpan b)
    {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        sum += std::abs(a[i] * b[i]);
      return sum;
    }

    inline double largest(ConstSpan a)
    {
      double result = 0;
      for (double x : a)
        result = std::max(result, std::abs(x));
      return result;
    }

    //! Largest difference of two arrays
    inline double distance(ConstSpan a, ConstSpan b)
    {
      double result = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        result = std::max(result, std::abs(a[i] - b[i]));
      return result;
    }

    inline Numbers randomNumbers(std::size_t size, double scale, std::mt19937& random)
    {
      std::uniform_real_distribution<double> uniform(-scale, scale);
      Numbers x(size);
      for (double& value : x)
        value = uniform(random);
      return x;
    }

    //! Derivative of x -> f(x) at 0 by central differences of fourth order, and what rounding may
    //! do to it
    struct Difference
    {
      double value, rounding;

      explicit Difference(const std::function<double(double)>& f)
      {
        constexpr double h = 1e-3;
        const double a = f(h), b = f(-h), c = f(h / 2), d = f(-h / 2);
        const double coarse = (a - b) / (2 * h), fine = (c - d) / h;
        value = (4 * fine - coarse) / 3;
        rounding =
          32 * epsilon * std::max({std::abs(a), std::abs(b), std::abs(c), std::abs(d)}) / h;
      }
    };

    //! True if a function throws an exception of a type
    template<class Exception, class F>
    bool throws(F&& f)
    {
      try {
        f();
      }
      catch (const Exception&) {
        return true;
      }
      return false;
    }

    //! True if a check such as checkBody() finds a fault: for tests of checks
    template<class F>
    bool findsFault(F&& check)
    {
      try {
        return !static_cast<bool>(check());
      }
      catch (const Dune::Exception&) {
        return true;
      }
    }

  } // namespace Test

} // namespace Dune::Impact

#endif
