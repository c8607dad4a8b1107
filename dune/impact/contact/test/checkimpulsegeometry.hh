// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_TEST_CHECKIMPULSEGEOMETRY_HH
#define DUNE_IMPACT_CONTACT_TEST_CHECKIMPULSEGEOMETRY_HH

#include <dune/impact/body/lumpedbody.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/contact/impulse/impulsegeometry.hh>

/** \file
 * \ingroup impact_contact
 * \brief Does a geometry keep the promises of its interface?
 *
 * \code
 * test.subTest(checkImpulseGeometry(geometry, system, state.q, {.dimension = 2, .length = 0.1}));
 * \endcode
 * The configuration should be a general one in which at least one multiplier has a partner.
 */

namespace Dune::Impact {

  //! What checkImpulseGeometry() must know of the geometry
  struct CheckImpulseGeometryOptions
  {
    //! of the space: rows are asked for with 1 and with this many components
    int dimension = 3;
    //! size of a tangent vector that changes the gap by a good part of itself
    double length = 1;
    double time = 0;     //!< instant of the check
    double duration = 1; //!< time in which obstacles move noticeably
    //! tangential impulses between bodies have no moment either (points that meet)
    bool tangentialMoments = false;
    //! gaps are integrals over an area: only where they are closed the normal functional is their
    //! derivative
    bool weighted = false;
  };

  namespace Test {

    //! Carries out checkImpulseGeometry()
    class ImpulseGeometryCheck
    {
    public:
      ImpulseGeometryCheck(const ImpulseGeometry& geometry, const System& system, ConstSpan q,
                           const CheckImpulseGeometryOptions& options)
        : geometry_(geometry)
        , system_(system)
        , q_(q.begin(), q.end())
        , options_(options)
        , gaps_(gaps(q, options.time))
      {}

      TestSuite run()
      {
        const Numbers q = q_;
        suite_.require(geometry_.multipliers() > 0, "there are multipliers");
        suite_.check(geometry_.length(q_) > 0 && std::isfinite(geometry_.length(q_)),
                     "the length of the scene is positive")
          << geometry_.length(q_);
        selection();
        suite_.require(open_ > 0, "some multiplier has a partner");
        translation();
        for (int components : {1, options_.dimension}) {
          const ContactPoints rows = this->rows(components, instant());
          for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!options_.weighted)
              derivative(rows, i);
            axes(rows, i);
            for (int c = 0; c < components; ++c)
              impulse(rows, i, c);
          }
          obstacleVelocities(components);
        }
        suite_.check(sameBits(q, q_) && sameBits(gaps_, gaps(q_, options_.time)),
                     "inputs are left alone and gaps repeat bit for bit");
        return suite_;
      }

    private:
      Instant instant() const
      {
        return {options_.time, 0.01 * options_.duration, 0.02 * options_.duration};
      }

      Numbers gaps(ConstSpan q, double t) const
      {
        Numbers result(geometry_.multipliers(), 7);
        geometry_.gaps(t, q, result);
        return result;
      }

      //! Rows of all multipliers that have a partner
      ContactPoints rows(int components, const Instant& at) const
      {
        ContactPoints result;
        result.clear(components);
        geometry_.addPoints(at, q_, std::numeric_limits<double>::max(), result);
        return result;
      }

      //! addPoints() and gaps() speak of the same gaps, whatever the tolerance
      void selection()
      {
        const double smallest = *std::min_element(gaps_.begin(), gaps_.end());
        Numbers tolerances = gaps_;
        tolerances.insert(tolerances.end(),
                          {smallest - options_.length, std::numeric_limits<double>::max()});
        for (double tolerance : tolerances) {
          if (!std::isfinite(tolerance))
            continue;
          ContactPoints rows;
          rows.clear(1);
          suite_.check(geometry_.addPoints(instant(), q_, tolerance, rows) == smallest,
                       "addRows returns the smallest gap");
          std::size_t expected = 0;
          for (std::size_t multiplier = 0; multiplier < gaps_.size(); ++multiplier) {
            if (!(gaps_[multiplier] <= tolerance))
              continue;
            suite_.require(expected < rows.size(),
                           "each multiplier within the tolerance has a row");
            suite_.check(rows[expected].multiplier == multiplier &&
                           rows[expected].gap == gaps_[multiplier],
                         "rows have the gaps of their multipliers")
              << "multiplier " << multiplier;
            ++expected;
          }
          suite_.check(expected == rows.size(), "no multiplier beyond the tolerance has a row")
            << rows.size() << " instead of " << expected;
        }
        open_ = rows(1, instant()).size();
      }

      //! The normal functional is the derivative of the gap
      void derivative(const ContactPoints& rows, std::size_t row)
      {
        for (int repeat = 0; repeat < 4; ++repeat) {
          const Numbers dq = randomNumbers(system_.velocitySize(), options_.length, random_);
          Numbers step(dq.size()), q1(q_.size());
          Difference slope([&](double x) {
            std::transform(dq.begin(), dq.end(), step.begin(), [&](double d) { return d * x; });
            system_.retract(q_, step, q1);
            return gaps(q1, options_.time)[rows[row].multiplier];
          });
          const auto functional = rows.functional(row, 0);
          const double tolerance =
            1e-8 * dotSize(functional, dq) + slope.rounding + 1e5 * epsilon * geometry_.length(q_);
          suite_.check(std::abs(dot(functional, dq) - slope.value) <= tolerance,
                       "the normal functional is the derivative of the gap")
            << "multiplier " << rows[row].multiplier << ": " << dot(functional, dq)
            << " instead of " << slope.value;
        }
      }

      void axes(const ContactPoints& rows, std::size_t row)
      {
        for (int a = 0; a < rows.components(); ++a)
          for (int b = 0; b <= a; ++b) {
            const double value = rows[row].axes[a] * rows[row].axes[b];
            suite_.check(std::abs(value - (a == b)) <= 16 * epsilon,
                         "axes are orthogonal unit vectors")
              << a << ", " << b << ": " << value;
          }
      }

      //! Momenta that a unit impulse of a row gives to a body
      Momenta momenta(const ContactPoints& rows, std::size_t row, int component,
                      std::size_t body) const
      {
        Numbers p(system_.velocitySize(), 0);
        addTo(rows.functional(row, component), 1, p);
        return system_.body(body).momenta(system_.configurationSlice(body, q_),
                                          system_.velocitySlice(body, p));
      }

      //! An impulse acts along its axis on the first body and against it on the second; bodies
      //! alone get no moment
      void impulse(const ContactPoints& rows, std::size_t row, int component)
      {
        const ContactPoint& r = rows[row];
        Vec3 axis = r.unitImpulse(component);
        const double size = std::max(options_.length, geometry_.length(q_));
        Momenta first = momenta(rows, row, component, r.first.body);
        suite_.check(r.second.has_value() == geometry_.secondBody().has_value(),
                     "points have a second body if the geometry has one")
          << "multiplier " << r.multiplier;
        for (int c = options_.dimension; c < 3; ++c)
          suite_.check(axis[c] == 0, "axes lie in the space") << axis;
        const Vec3 difference = first.linear - axis;
        suite_.check(difference.infinity_norm() <= 32 * epsilon,
                     "an impulse acts along its axis on the first body")
          << "multiplier " << r.multiplier << " component " << component << ": " << first.linear
          << " instead of " << axis;
        if (!r.second)
          return;
        first += momenta(rows, row, component, r.second->body);
        suite_.check(first.linear.infinity_norm() <= 32 * epsilon,
                     "impulses between bodies sum up to zero")
          << first.linear;
        if (component == 0 || options_.tangentialMoments)
          suite_.check(first.angular.infinity_norm() <= 64 * epsilon * size,
                       "impulses between bodies have no moment")
            << first.angular;
      }

      //! Gaps between bodies do not change if all bodies are moved together
      void translation()
      {
        Vec3 shift(0);
        for (int c = 0; c < options_.dimension; ++c)
          shift[c] = options_.length * (0.4 + 0.3 * c);
        Numbers dq(system_.velocitySize(), 0), q1(q_.size());
        std::size_t offset = 0;
        for (std::size_t i = 0; i < system_.bodyCount(); ++i) {
          const auto* body = dynamic_cast<const LumpedBody*>(&system_.body(i));
          if (!body)
            return; // tangent vectors of translations are known for displacements only
          for (std::size_t k = 0; k < body->velocitySize(); ++k)
            dq[offset + k] = shift[k % body->dimension()];
          offset += body->velocitySize();
        }
        system_.retract(q_, dq, q1);
        const Numbers moved = gaps(q1, options_.time);
        const ContactPoints rows = this->rows(1, instant());
        for (std::size_t i = 0; i < rows.size(); ++i)
          if (rows[i].second)
            suite_.check(std::abs(moved[rows[i].multiplier] - rows[i].gap) <=
                           16 * epsilon * (geometry_.length(q_) + geometry_.length(q1)),
                         "gaps between bodies do not change under translations")
              << moved[rows[i].multiplier] << " instead of " << rows[i].gap;
      }

      //! With bodies at rest the gap changes at the rate of the obstacle
      void obstacleVelocities(int components)
      {
        const double h = 1e-4 * options_.duration, t = options_.time;
        const ContactPoints rows = this->rows(components, {t, h, h}),
                            longer = this->rows(components, {t, h, 100 * h}),
                            start = this->rows(components, {t, 0, h});
        const Numbers before = gaps(q_, t - h), after = gaps(q_, t + h);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const std::size_t multiplier = rows[i].multiplier;
          const double rate = (after[multiplier] - before[multiplier]) / (2 * h),
                       mean = 0.5 * (rows[i].obstacleVelocityBefore[0] +
                                     rows[i].obstacleVelocityAfter[0]);
          const double tolerance = 1e-6 * std::abs(mean) + 32 * epsilon * geometry_.length(q_) / h;
          suite_.check(std::abs(rate - mean) <= tolerance,
                       "obstacle velocities are the rate of the gap of bodies at rest")
            << "multiplier " << multiplier << ": " << mean << " instead of " << rate;
          suite_.check(longer[i].obstacleVelocityBefore == rows[i].obstacleVelocityBefore,
                       "the obstacle velocity before does not depend on the step after");
          suite_.check(start[i].obstacleVelocityAfter == rows[i].obstacleVelocityAfter,
                       "the obstacle velocity after does not depend on the step before");
        }
      }

      const ImpulseGeometry& geometry_;
      const System& system_;
      Numbers q_;
      CheckImpulseGeometryOptions options_;
      Numbers gaps_;
      std::size_t open_ = 0;
      std::mt19937 random_{3};
      TestSuite suite_{"checkImpulseGeometry"};
    };

  } // namespace Test

  /** \brief Check a geometry at a configuration of its system
   *
   * Rows and gaps agree; the normal functional is the derivative of the gap along retract();
   * axes are orthonormal and functionals act along them; impulses between bodies are in
   * equilibrium, which is to say that rigid motions do not change the gap; obstacleVelocities are
   * those of the obstacle.
   */
  inline TestSuite checkImpulseGeometry(const ImpulseGeometry& geometry, const System& system,
                                        ConstSpan q,
                                        const CheckImpulseGeometryOptions& options = {})
  {
    return Test::ImpulseGeometryCheck(geometry, system, q, options).run();
  }

} // namespace Dune::Impact

#endif
