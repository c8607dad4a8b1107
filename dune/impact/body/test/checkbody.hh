// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_TEST_CHECKBODY_HH
#define DUNE_IMPACT_BODY_TEST_CHECKBODY_HH

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/body.hh>
#include <dune/impact/body/test/checknumbers.hh>
#include <dune/impact/body/test/checksystem.hh>

/** \file
 * \ingroup impact_body
 * \brief Does a body keep the promises of its interface?
 *
 * For tests of bodies, also of bodies in other modules:
 * \code
 * MyBody body(...);
 * test.subTest(checkBody(body, q, p, t, {.length = 0.1}));
 * \endcode
 */

namespace Dune::Impact {

  namespace Test {

    //! The parts of checkBody()
    class BodyCheck
    {
    public:
      BodyCheck(const Body& body, ConstSpan q, ConstSpan p, const CheckSystemOptions& options)
        : body_(body)
        , q_(q)
        , p_(p)
        , options_(options)
        , n_(body.velocitySize())
      {}

      TestSuite run()
      {
        for (std::size_t point = 0; point < body_.pointCount(); ++point)
          for (int c = 0; c < options_.dimension; ++c) {
            Vec3 unit(0);
            unit[c] = 1;
            const Numbers impulse = functional(point, unit);
            derivative(point, c, impulse);
            if (!options_.supported)
              momenta(point, unit, impulse);
          }
        centreOfMass();
        return suite_;
      }

    private:
      //! The functional of a point in a direction, as an array
      Numbers functional(std::size_t point, const Vec3& direction)
      {
        SparseVector entries;
        body_.addPointFunctional(q_, point, direction, 5, entries);
        Numbers result(n_, 0);
        for (const auto& [dof, value] : entries) {
          suite_.require(dof >= 5 && dof - 5 < n_, "dofs of a point are inside, with the offset")
            << dof;
          result[dof - 5] += value;
        }
        return result;
      }

      void derivative(std::size_t point, int c, const Numbers& impulse)
      {
        const Numbers dq = randomNumbers(n_, options_.length, random_);
        Numbers step(n_), q1(q_.size());
        const Difference slope([&](double x) {
          std::transform(dq.begin(), dq.end(), step.begin(), [&](double d) { return d * x; });
          body_.retract(q_, step, q1);
          return body_.position(q1, point)[c];
        });
        suite_.check(std::abs(dot(impulse, dq) - slope.value) <=
                       1e-8 * productSize(impulse, dq) + slope.rounding,
                     "the functional of a point is the derivative of its position")
          << "point " << point << " component " << c << ": " << dot(impulse, dq) << " instead of "
          << slope.value;
      }

      void momenta(std::size_t point, const Vec3& unit, const Numbers& impulse)
      {
        const Vec3 x = body_.position(q_, point), moment = cross(x, unit);
        Momenta m = body_.momenta(q_, impulse);
        m.linear -= unit;
        m.angular -= moment;
        suite_.check(m.linear.infinity_norm() <= 16 * epsilon,
                     "an impulse on a point is linear momentum")
          << m.linear;
        suite_.check(m.angular.infinity_norm() <=
                       64 * epsilon * (x.infinity_norm() + options_.length),
                     "an impulse on a point has its moment about the origin")
          << m.angular;
      }

      void centreOfMass()
      {
        Numbers q1(q_.size()), p1(n_);
        const Momenta m = body_.momenta(q_, p_);
        for (int c = 0; c < 3; ++c) {
          const double h =
            0.1 * options_.length /
            std::max(std::numeric_limits<double>::min(), m.linear.infinity_norm() / body_.mass());
          const Difference slope([&](double x) {
            body_.drift(q_, p_, h * x, q1, p1);
            return body_.mass() * body_.centreOfMass(q1)[c];
          });
          suite_.check(std::abs(h * m.linear[c] - slope.value) <=
                         1e-8 * std::abs(h * m.linear[c]) + 8 * slope.rounding,
                       "linear momentum is mass times velocity of the centre of mass")
            << h * m.linear[c] << " instead of " << slope.value;
        }
      }

      const Body& body_;
      ConstSpan q_, p_;
      CheckSystemOptions options_;
      std::size_t n_;
      std::mt19937 random_{2};
      TestSuite suite_{"points of a body"};
    };

  } // namespace Test

  /** \brief Check a body: the system that it is, and its points
   *
   * The functional of a point must be the derivative of its position along retract(); as a
   * momentum it is an impulse on that point, so that momenta() must give it back with its
   * moment about the origin. The momentum is the mass times the velocity of the centre of mass.
   */
  inline TestSuite checkBody(const Body& body, ConstSpan q, ConstSpan p, double t,
                             const CheckSystemOptions& options = {})
  {
    TestSuite suite("checkBody " + body.name());
    suite.subTest(checkSystem(body, q, p, t, options));
    suite.subTest(Test::BodyCheck(body, q, p, options).run());
    return suite;
  }

} // namespace Dune::Impact

#endif
