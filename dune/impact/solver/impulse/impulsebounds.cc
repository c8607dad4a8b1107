// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/solver/impulse/impulsebounds.hh>

namespace Dune::Impact {

  namespace {

    constexpr double epsilon = std::numeric_limits<double>::epsilon();

    // Tangential impulses nearer to the cone than `near` are put to `inside` of its radius, so that
    // they are in it however their length is rounded
    constexpr double near = 1 - 4 * epsilon, inside = 1 - 6 * epsilon;

    //! r_N >= 0 and |r_T| <= mu r_N, by cutting r_T
    template<int d, class Matrix>
    void cutToCones(const ContactProblemWith<Matrix>& problem, Span r)
    {
      for (std::size_t i = 0; i < problem.matrix.size(); ++i) {
        double* x = &r[i * d];
        const double mu = friction(problem, i);
        if (!(x[0] > 0) || (mu == 0 && d > 1)) {
          x[0] = std::max(x[0], 0.0);
          std::fill_n(x + 1, d - 1, 0.0);
          continue;
        }
        if constexpr (d > 1) {
          double square = x[1] * x[1];
          if constexpr (d > 2)
            square += x[2] * x[2];
          const double limit = mu * x[0], length = std::sqrt(square);
          if (length > near * limit)
            for (int k = 1; k < d; ++k)
              x[k] *= inside * limit / length;
        }
      }
    }

    //! The length s <= 1 of impulses whose work is not positive: s = -r.b/(r.H r) if r.(b + H r) is
    //! above its round-off
    double lengthWithoutGain(ConstSpan b, ConstSpan product, ConstSpan r)
    {
      double linear = 0, quadratic = 0, size = 0;
      for (std::size_t i = 0; i < r.size(); ++i) {
        const double x = r[i] * b[i], y = r[i] * product[i];
        linear += x;
        quadratic += y;
        size += std::abs(x) + std::abs(y);
      }
      if (!(linear + quadratic > 0.5 * epsilon * size))
        return 1;
      return quadratic > 0 ? std::clamp(-linear / quadratic, 0.0, 1 - epsilon) : 0;
    }

  } // namespace

  template<class Matrix>
  SolveReport boundImpulses(const ContactProblemWith<Matrix>& problem, double tolerance,
                            int iterations, Span r, ContactProducts& products)
  {
    const double scale = velocityScale(problem), enough = tolerance * scale;
    withBlockSize(problem.matrix.blockSize(), [&](auto d) { cutToCones<d>(problem, r); });
    const auto judge = [&] {
      return contactReport(iterations, contactResidual(problem, r, enough, products), scale,
                           tolerance);
    };
    const SolveReport report = judge();
    SolveReport shorter = report;
    // the round-off of H r can be larger than the work that is left: then a little shorter again
    for (double margin = 16 * epsilon; margin < 1; margin *= 8) {
      const double s = lengthWithoutGain(problem.b, products.product, r);
      if (!(s < 1))
        break;
      for (double& x : r)
        x *= (1 - margin) * s;
      shorter = judge();
    }
    shorter.converged =
      shorter.converged || (report.converged && shorter.residual <= 2 * report.residual);
    return shorter;
  }

  template SolveReport boundImpulses(const ContactProblem&, double, int, Span, ContactProducts&);
  template SolveReport boundImpulses(const FactoredProblem&, double, int, Span, ContactProducts&);
  template SolveReport boundImpulses(const LumpedProblem&, double, int, Span, ContactProducts&);

} // namespace Dune::Impact
