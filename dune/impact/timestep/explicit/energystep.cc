// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/timestep/explicit/energystep.hh>

namespace Dune::Impact {

  namespace {

    //! Bisection down to neighbouring floating point numbers
    double bisect(const EnergyStep::Defect& g, double a, double b, double ga)
    {
      while (true) {
        const double middle = a + 0.5 * (b - a);
        if (middle <= a || middle >= b)
          return middle;
        const double gm = g(middle);
        if (gm == 0)
          return middle;
        if ((gm < 0) == (ga < 0)) {
          a = middle;
          ga = gm;
        }
        else
          b = middle;
      }
    }

  } // namespace

  //! Roots of f(x)/(x + h) with h = lastStep: the division removes the root x = -h. Each of the
  //! equal intervals in which the quotient changes sign is bisected.
  std::vector<double> EnergyStep::roots(const Defect& defect, double lastStep, double lower,
                                        double upper, int samples)
  {
    const auto reduced = [&](double x) { return defect(x) / (x + lastStep); };
    std::vector<double> result;
    double a = lower, ga = reduced(a);
    for (int i = 1; i <= samples; ++i) {
      const double b = lower + (upper - lower) * i / samples;
      const double gb = reduced(b);
      if (ga == 0)
        result.push_back(a);
      else if ((ga < 0 && gb > 0) || (ga > 0 && gb < 0))
        result.push_back(bisect(reduced, a, b, ga));
      a = b;
      ga = gb;
    }
    if (ga == 0)
      result.push_back(a);
    return result;
  }

  EnergyStep::Window EnergyStep::window(double lastStep, double nominalStep, double criticalStep)
  {
    return {std::max(lastStep / 1.25, 0.2 * nominalStep),
            std::min({1.25 * lastStep, 0.95 * criticalStep, 5 * nominalStep})};
  }

  //! The last step if |f| <= tolerance there, otherwise the nearest root with |f| <= tolerance:
  //! where f jumps, bisection finds a change of sign that is not a root.
  std::optional<double> EnergyStep::nearest(const Defect& defect, double lastStep,
                                            const Window& window, double tolerance)
  {
    const auto keeps = [&](double x) { return std::abs(defect(x)) <= tolerance; };
    if (!(window.lower < window.upper))
      return std::nullopt;
    if (window.lower <= lastStep && lastStep <= window.upper && keeps(lastStep))
      return lastStep;
    std::vector<double> all = roots(defect, lastStep, window.lower, window.upper, 16);
    std::sort(all.begin(), all.end(),
              [&](double a, double b) { return std::abs(a - lastStep) < std::abs(b - lastStep); });
    const auto root = std::find_if(all.begin(), all.end(), keeps);
    return root == all.end() ? std::nullopt : std::optional(*root);
  }

} // namespace Dune::Impact
