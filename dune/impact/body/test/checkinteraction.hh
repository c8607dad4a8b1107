// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_TEST_CHECKINTERACTION_HH
#define DUNE_IMPACT_BODY_TEST_CHECKINTERACTION_HH

#include <algorithm>
#include <cmath>
#include <random>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/interaction.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checknumbers.hh>

/** \file
 * \ingroup impact_body
 * \brief Does a spring or a load keep the promises of its interface?
 *
 * \code
 * test.subTest(checkInteraction(spring, system, state.q, {.length = 0.1, .internal = true}));
 * \endcode
 * The configuration should be a general one in which the force is not zero.
 */

namespace Dune::Impact {

  //! What checkInteraction() must know of the force
  struct CheckInteractionOptions
  {
    double length = 1; //!< size of a tangent vector that changes the force by about its own size
    double time = 0;   //!< instant of the check
    //! the force acts between bodies only, so that it gives the system no momentum
    bool internal = false;
    int dimension = 3; //!< of the space; moments are looked at in three dimensions
  };

  namespace Test {

    //! The parts of checkInteraction()
    class InteractionCheck
    {
    public:
      InteractionCheck(const Interaction& interaction, const System& system, ConstSpan q,
                       const CheckInteractionOptions& options)
        : interaction_(interaction)
        , system_(system)
        , q_(q.begin(), q.end())
        , options_(options)
        , n_(system.velocitySize())
        , force_(force(q_))
      {}

      TestSuite run()
      {
        const Numbers q = q_;
        suite_.check(
          std::all_of(force_.begin(), force_.end(), [](double x) { return std::isfinite(x); }),
          "the force is finite");
        for (int i = 0; i < 4; ++i) {
          const Numbers d = randomNumbers(n_, options_.length, random_);
          energy(d);
          stiffness(d);
        }
        if (options_.internal)
          momenta();
        suite_.check(sameBits(q, q_) && sameBits(force_, force(q_)),
                     "inputs are left alone and forces repeat bit for bit");
        return suite_;
      }

    private:
      //! F(t, q) as an array
      Numbers force(ConstSpan q)
      {
        SparseVector entries{{0, 0.5}};
        interaction_.addForce(options_.time, q, entries);
        suite_.check(entries.front().dof == 0 && entries.front().value == 0.5, "addForce appends");
        Numbers result(n_, 0);
        for (std::size_t i = 1; i < entries.size(); ++i) {
          suite_.require(entries[i].dof < n_, "dofs of the force are inside") << entries[i].dof;
          result[entries[i].dof] += entries[i].value;
        }
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

      //! F = -dV, or no energy at all
      void energy(const Numbers& d)
      {
        if (interaction_.external()) {
          suite_.check(interaction_.potentials(options_.time, moved(d, 1)).sum() == 0,
                       "an external force stores no energy");
          return;
        }
        double size = 0;
        const Difference slope([&](double x) {
          const double value = interaction_.potentials(options_.time, moved(d, x)).sum();
          size = std::max(size, std::abs(value));
          return value;
        });
        const double tolerance =
          1e-8 * productSize(force_, d) + slope.rounding + 1e5 * epsilon * size;
        suite_.check(std::abs(dot(force_, d) + slope.value) <= tolerance,
                     "the force is minus the derivative of the energy")
          << dot(force_, d) << " instead of " << -slope.value << ", tolerance " << tolerance;
      }

      //! K d = -dF along d, and nothing if the force does not depend on the configuration
      void stiffness(const Numbers& d)
      {
        Triplets entries{{0, 0, 1.0}};
        interaction_.addStiffness(options_.time, q_, entries);
        suite_.check(entries[0].row() == 0 && entries[0].col() == 0 && entries[0].value() == 1,
                     "addStiffness appends");
        Numbers kd(n_, 0), size(n_, 0);
        for (std::size_t i = 1; i < entries.size(); ++i) {
          const std::size_t row = std::size_t(entries[i].row()),
                            column = std::size_t(entries[i].col());
          suite_.require(row < n_ && column < n_, "entries of the stiffness are inside")
            << row << ", " << column;
          kd[row] += entries[i].value() * d[column];
          size[row] += std::abs(entries[i].value() * d[column]);
        }
        if (!interaction_.dependsOnConfiguration())
          suite_.check(sameBits(force(moved(d, 1)), force_),
                       "the force depends on the configuration only if it says so");
        for (std::size_t i = 0; i < n_; ++i) {
          const Difference slope([&](double x) { return force(moved(d, x))[i]; });
          const double tolerance = 1e-8 * size[i] + 1e-10 * largest(size) + slope.rounding +
                                   1e5 * epsilon * largest(force_);
          suite_.check(std::abs(kd[i] + slope.value) <= tolerance,
                       "the stiffness is minus the derivative of the force")
            << "dof " << i << ": " << kd[i] << " instead of " << -slope.value << ", tolerance "
            << tolerance;
        }
      }

      //! Forces between bodies are in equilibrium
      void momenta()
      {
        const Momenta sum = system_.momenta(q_, force_);
        const double size = productSize(force_, Numbers(n_, 1));
        double extent = options_.length;
        for (std::size_t b = 0; b < system_.bodyCount(); ++b)
          for (std::size_t i = 0; i < system_.body(b).pointCount(); ++i)
            extent = std::max(extent, system_.point(b, i).position(q_).infinity_norm());
        suite_.check(sum.linear.infinity_norm() <= 16 * epsilon * size,
                     "forces between bodies sum up to zero")
          << sum.linear;
        if (options_.dimension == 3)
          suite_.check(sum.angular.infinity_norm() <= 64 * epsilon * size * extent,
                       "forces between bodies have no moment")
            << sum.angular;
      }

      const Interaction& interaction_;
      const System& system_;
      Numbers q_;
      CheckInteractionOptions options_;
      std::size_t n_;
      std::mt19937 random_{4};
      TestSuite suite_{"checkInteraction"};
      Numbers force_;
    };

  } // namespace Test

  /** \brief Check a force at a configuration of its system
   *
   * The force is minus the derivative of the stored energy along retract(), or external and stores
   * nothing; the stiffness is minus the derivative of the force; forces between bodies are in
   * equilibrium; nothing has a memory.
   */
  inline TestSuite checkInteraction(const Interaction& interaction, const System& system,
                                    ConstSpan q, const CheckInteractionOptions& options = {})
  {
    return Test::InteractionCheck(interaction, system, q, options).run();
  }

} // namespace Dune::Impact

#endif
