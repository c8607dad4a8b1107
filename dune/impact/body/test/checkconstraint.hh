// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_TEST_CHECKCONSTRAINT_HH
#define DUNE_IMPACT_BODY_TEST_CHECKCONSTRAINT_HH

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/constraint.hh>
#include <dune/impact/body/dynamics.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checknumbers.hh>

/** \file
 * \ingroup impact_body
 * \brief Does a joint keep the promises of its interface?
 *
 * \code
 * test.subTest(checkConstraint(joint, system, q, {.length = 0.1}));
 * \endcode
 * The configuration should be a general one that satisfies the constraint.
 */

namespace Dune::Impact {

  //! What checkConstraint() must know of the constraint
  struct CheckConstraintOptions
  {
    double length = 1;     //!< size of a tangent vector along which c changes smoothly
    double time = 0;       //!< instant of the check
    double duration = 1;   //!< time in which moved frames move noticeably
    bool stiffness = true; //!< the derivative of G^T lambda is complete
  };

  namespace Test {

    //! The parts of checkConstraint()
    class ConstraintCheck
    {
    public:
      ConstraintCheck(const Constraint& constraint, const System& system, ConstSpan q,
                      const CheckConstraintOptions& options)
        : constraint_(constraint)
        , moving_(dynamic_cast<const MovingConstraint*>(&constraint))
        , system_(system)
        , q_(q.begin(), q.end())
        , options_(options)
        , n_(system.velocitySize())
        , lambda_(randomNumbers(constraint.rows(), 1, random_))
      {}

      TestSuite run()
      {
        const Numbers q = q_, c = residual(options_.time, q_);
        suite_.require(constraint_.rows() > 0, "there are rows");
        suite_.require(largest(c) <= 1e-12 * (1 + largest(q_)), "the constraint holds")
          << largest(c);
        for (int i = 0; i < 4; ++i) {
          const Numbers d = randomNumbers(n_, options_.length, random_);
          derivative(d);
          if (moving_ && options_.stiffness)
            stiffness(d);
        }
        if (moving_)
          rate();
        reactions();
        suite_.check(sameBits(q, q_) && sameBits(c, residual(options_.time, q_)),
                     "inputs are left alone and residuals repeat bit for bit");
        return suite_;
      }

    private:
      Numbers residual(double t, ConstSpan q) const
      {
        Numbers c(constraint_.rows(), 7);
        constraint_.residual(t, q, c);
        return c;
      }

      //! The entries of G, the number of the first row taken off
      Triplets rows(ConstSpan q)
      {
        const std::size_t first = 3;
        Triplets entries, result;
        constraint_.addPoints(options_.time, q, first, entries);
        for (const auto& entry : entries) {
          const std::size_t row = std::size_t(entry.row()) - first,
                            column = std::size_t(entry.col());
          suite_.require(row < constraint_.rows() && column < n_,
                         "entries of the rows are inside, from the first row on")
            << row << ", " << column;
          result.emplace_back(int(row), int(column), entry.value());
        }
        return result;
      }

      //! G^T lambda
      Numbers force(ConstSpan q)
      {
        Numbers result(n_, 0);
        for (const auto& entry : rows(q))
          result[std::size_t(entry.col())] += entry.value() * lambda_[std::size_t(entry.row())];
        return result;
      }

      Numbers moved(const Numbers& direction, double factor) const
      {
        Numbers dq = direction, q1(q_.size(), 7);
        for (double& x : dq)
          x *= factor;
        system_.retract(q_, dq, q1);
        return q1;
      }

      //! G d is the derivative of c along d
      void derivative(const Numbers& d)
      {
        Numbers product(constraint_.rows(), 0), size(constraint_.rows(), 0);
        for (const auto& entry : rows(q_)) {
          const double term = entry.value() * d[std::size_t(entry.col())];
          product[std::size_t(entry.row())] += term;
          size[std::size_t(entry.row())] += std::abs(term);
        }
        for (std::size_t i = 0; i < product.size(); ++i) {
          const Difference slope([&](double x) { return residual(options_.time, moved(d, x))[i]; });
          const double tolerance =
            1e-8 * (size[i] + options_.length) + slope.rounding + 1e5 * epsilon;
          suite_.check(std::abs(product[i] - slope.value) <= tolerance,
                       "the rows are the derivative of the residual")
            << "row " << i << ": " << product[i] << " instead of " << slope.value;
        }
      }

      //! K d is minus the derivative of G^T lambda along d
      void stiffness(const Numbers& d)
      {
        Triplets entries;
        moving_->addStiffness(q_, lambda_, entries);
        Numbers kd(n_, 0);
        for (const auto& entry : entries) {
          suite_.require(std::size_t(entry.row()) < n_ && std::size_t(entry.col()) < n_,
                         "entries of the stiffness are inside");
          kd[std::size_t(entry.row())] += entry.value() * d[std::size_t(entry.col())];
        }
        const double size = largest(force(q_)) * options_.length;
        for (std::size_t i = 0; i < n_; ++i) {
          const Difference slope([&](double x) { return force(moved(d, x))[i]; });
          suite_.check(std::abs(kd[i] + slope.value) <=
                         1e-8 * size + slope.rounding + 1e5 * epsilon * size,
                       "the stiffness is minus the derivative of the force")
            << "dof " << i << ": " << kd[i] << " instead of " << -slope.value;
        }
      }

      //! dc/dt of a configuration at rest
      void rate()
      {
        const double h = 1e-4 * options_.duration, t = options_.time;
        Numbers rates(constraint_.rows(), 7);
        moving_->rate(t, q_, h, rates);
        const Numbers before = residual(t - h, q_), after = residual(t + h, q_);
        for (std::size_t i = 0; i < rates.size(); ++i) {
          const double expected = (after[i] - before[i]) / (2 * h);
          suite_.check(std::abs(rates[i] - expected) <=
                         1e-6 * largest(rates) + 64 * epsilon * (1 + largest(q_)) / h,
                       "rates are those of the residual of a configuration at rest")
            << "row " << i << ": " << rates[i] << " instead of " << expected;
        }
      }

      /* Per body: force and moment of G^T lambda, read as momenta, are the sums of the reactions
       * F and M + x cross F about the origin. */
      void reactions()
      {
        const Numbers f = force(q_);
        std::vector<Reaction> reactions;
        constraint_.addReactions(q_, lambda_, reactions);
        std::vector<Momenta> sums(system_.bodyCount(), Momenta{Vec3(0), Vec3(0)});
        for (const Reaction& reaction : reactions) {
          suite_.require(reaction.body < sums.size(), "reactions know their body");
          const Vec3 x = system_.point(reaction.body, reaction.point).position(q_);
          sums[reaction.body].linear += reaction.force;
          sums[reaction.body].angular += reaction.moment + cross(x, reaction.force);
        }
        for (std::size_t b = 0; b < sums.size(); ++b) {
          const Momenta m =
            system_.body(b).momenta(system_.configurationSlice(b, q_), system_.velocitySlice(b, f));
          const Vec3 force = m.linear - sums[b].linear, moment = m.angular - sums[b].angular;
          const double size = 256 * epsilon * (1 + largest(q_));
          suite_.check(force.infinity_norm() <= size, "reactions are the forces G^T lambda")
            << "body " << b << ": " << sums[b].linear << " instead of " << m.linear;
          suite_.check(moment.infinity_norm() <= size, "reactions have the moments of G^T lambda")
            << "body " << b << ": " << sums[b].angular << " instead of " << m.angular;
        }
      }

      const Constraint& constraint_;
      const MovingConstraint* moving_;
      const System& system_;
      Numbers q_;
      CheckConstraintOptions options_;
      std::size_t n_;
      std::mt19937 random_{5};
      Numbers lambda_;
      TestSuite suite_{"checkConstraint"};
    };

  } // namespace Test

  /** \brief Check a constraint at a configuration that satisfies it
   *
   * The rows G are the derivative of the residual along retract(), the stiffness that of the force
   * G^T lambda; rates are those of moved frames; reactions have the force and the moment of
   * G^T lambda on each body.
   */
  inline TestSuite checkConstraint(const Constraint& constraint, const System& system, ConstSpan q,
                                   const CheckConstraintOptions& options = {})
  {
    return Test::ConstraintCheck(constraint, system, q, options).run();
  }

} // namespace Dune::Impact

#endif
