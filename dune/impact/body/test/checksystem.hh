// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_TEST_CHECKSYSTEM_HH
#define DUNE_IMPACT_BODY_TEST_CHECKSYSTEM_HH

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checknumbers.hh>
#include <dune/impact/common/state.hh>

/** \file
 * \ingroup impact_body
 * \brief Does a mechanical system keep the promises of its interface?
 *
 * Bodies have further ones, see checkBody().
 * The configuration should be a general one: deformed, turned, away from the origin, with
 * momenta in all dofs. Derivatives are compared with central differences of fourth order along
 * retract(); their tolerance is relative to the size of the terms, with room for rounding.
 */

namespace Dune::Impact {

  //! What checkSystem() must know of the system
  struct CheckSystemOptions
  {
    //! size of a tangent vector that changes forces by about their own size
    double length = 1;
    //! forces without stored energy act: forces are not compared with energies
    bool externalLoads = false;
    bool stiffness = true; //!< addStiffness() is implemented
    //! false where the trivialisation makes the derivative of the force unsymmetric
    bool symmetricStiffness = true;
    int dimension = 3; //!< of the space in which points move (checkBody only)
    //! supports take a part of the impulses on points (checkBody only)
    bool supported = false;
    bool curvedDrift = false; //!< the velocity of a drift depends on its length
    bool pivoted = false;     //!< a fixed point takes momentum while the system drifts
  };

  namespace Test {

    //! The parts of checkSystem()
    class SystemCheck
    {
    public:
      //! Drift over h to the time t1, for systems in which something else than the drift moves dofs
      using DriftTo =
        std::function<void(double t1, ConstSpan q, ConstSpan p, double h, Span q1, Span p1)>;

      SystemCheck(const MechanicalSystem& system, ConstSpan q, ConstSpan p, double t,
                  const CheckSystemOptions& options, DriftTo driftTo)
        : system_(system)
        , q_(q.begin(), q.end())
        , p_(p.begin(), p.end())
        , t_(t)
        , options_(options)
        , driftTo_(std::move(driftTo))
        , n_(system.velocitySize())
      {
        suite_.require(q.size() == system.configurationSize() && p.size() == n_,
                       "sizes of the arrays")
          << q.size() << " of " << system.configurationSize() << ", " << p.size() << " of " << n_;
        massive_ = Numbers(n_);
        const Numbers v = randomNumbers(n_, 1, random_);
        system.momentum(q_, v, massive_);
        for (double& m : massive_)
          m = m != 0;
      }

      TestSuite run()
      {
        const Numbers q = q_, p = p_;
        retraction();
        mass();
        sparseVelocity();
        energies();
        for (int i = 0; i < 4; ++i)
          derivatives();
        drift();
        repeatable();
        suite_.check(sameBits(q, q_) && sameBits(p, p_), "inputs are left alone");
        return suite_;
      }

    private:
      Numbers force(ConstSpan q, double weight = 1) const
      {
        Numbers f(n_, 0);
        system_.addForce(t_, q, weight, f);
        return f;
      }

      Numbers velocity(ConstSpan p) const
      {
        Numbers v(n_, 7);
        system_.velocity(q_, p, v);
        return v;
      }

      Numbers moved(ConstSpan direction, double factor) const
      {
        Numbers dq(direction.begin(), direction.end()), q1(q_.size(), 7);
        for (double& x : dq)
          x *= factor;
        system_.retract(q_, dq, q1);
        return q1;
      }

      //! A tangent vector that leaves massless dofs alone, which are placed by other means than
      //! forces
      Numbers direction()
      {
        Numbers x = randomNumbers(n_, options_.length, random_);
        for (std::size_t i = 0; i < n_; ++i)
          x[i] *= massive_[i];
        return x;
      }

      void retraction()
      {
        const Numbers q1 = moved(Numbers(n_, 0), 1);
        suite_.check(distance(q1, q_) <= 4 * epsilon * largest(q_),
                     "retract with zero is the identity")
          << distance(q1, q_);
        const Numbers dq = direction();
        suite_.check(!sameBits(moved(dq, 1), q_), "retract moves");
      }

      void mass()
      {
        Numbers p = p_, v = randomNumbers(n_, 1, random_), back(n_);
        for (std::size_t i = 0; i < n_; ++i) {
          p[i] *= massive_[i];
          v[i] *= massive_[i];
        }
        system_.momentum(q_, velocity(p), back);
        suite_.check(distance(back, p) <= 64 * epsilon * largest(p), "momentum(velocity(p)) = p")
          << distance(back, p);
        system_.momentum(q_, v, back);
        suite_.check(distance(velocity(back), v) <= 64 * epsilon * largest(v),
                     "velocity(momentum(v)) = v")
          << distance(velocity(back), v);
        suite_.check(dot(back, v) > 0, "the mass is positive") << dot(back, v);

        const Numbers all = velocity(randomNumbers(n_, 1, random_));
        for (std::size_t i = 0; i < n_; ++i)
          suite_.check(massive_[i] == 1 || all[i] == 0, "massless dofs have no velocity")
            << "dof " << i << ": " << all[i];

        const double kinetic = system_.kinetic(q_, p), half = 0.5 * dot(p, velocity(p));
        suite_.check(std::abs(kinetic - half) <= 8 * double(n_) * epsilon * kinetic,
                     "kinetic energy is 1/2 p.v")
          << kinetic << " " << half;
      }

      //! A covector with few entries in no order, one of them twice
      SparseVector covector()
      {
        std::uniform_int_distribution<std::size_t> dof(0, n_ - 1);
        std::uniform_real_distribution<double> value(-1, 1);
        SparseVector result;
        for (int i = 0; i < 5; ++i)
          result.push_back({dof(random_), value(random_)});
        result.push_back({result.front().dof, value(random_)});
        return result;
      }

      void sparseVelocity()
      {
        for (int i = 0; i < 8; ++i) {
          const SparseVector a = covector(), b = covector();
          SparseVector va{{0, 0.5}}, vb;
          system_.addVelocity(q_, a, va);
          system_.addVelocity(q_, b, vb);
          suite_.check(va.front().dof == 0 && va.front().value == 0.5, "addVelocity appends");
          va.erase(va.begin());

          Numbers dense(n_, 0), sparse(n_, 0), other(n_, 0);
          addTo(a, 1, dense);
          addTo(va, 1, sparse);
          addTo(b, 1, other);
          const Numbers expected = velocity(dense);
          suite_.check(distance(sparse, expected) <= 32 * epsilon * largest(expected),
                       "addVelocity agrees with velocity")
            << distance(sparse, expected);
          const double ab = dot(va, other), ba = dot(vb, dense);
          suite_.check(std::abs(ab - ba) <=
                         64 * epsilon * (dotSize(va, other) + dotSize(vb, dense)),
                       "the inverse mass is symmetric")
            << ab << " " << ba;
        }
      }

      void energies()
      {
        const Potentials at = system_.potentials(t_, q_),
                         interval = system_.intervalPotentials(t_, q_, t_, q_);
        const auto same = [&](double a, double b) {
          return std::abs(a - b) <= 64 * epsilon * double(n_) * std::max(std::abs(a), std::abs(b));
        };
        suite_.check(same(at.elastic, interval.elastic) && same(at.potential, interval.potential) &&
                       same(at.contact, interval.contact),
                     "the energy of an interval without motion is that of its ends")
          << at.elastic << " " << interval.elastic << ", " << at.potential << " "
          << interval.potential;
        const Numbers q1 = moved(direction(), 0.1);
        const double forth = system_.intervalPotentials(t_, q_, t_, q1).sum(),
                     back = system_.intervalPotentials(t_, q1, t_, q_).sum();
        suite_.check(same(forth, back) || std::abs(forth - back) <=
                                            1e-12 * (std::abs(at.elastic) + std::abs(at.potential)),
                     "the energy of an interval is that of the reversed one")
          << forth << " " << back;
      }

      void derivatives()
      {
        const Numbers d = direction(), f = force(q_);
        Numbers twice(n_, 1);
        system_.addForce(t_, q_, -2, twice);
        for (std::size_t i = 0; i < n_; ++i)
          suite_.check(massive_[i] == 0 || std::abs(twice[i] - (1 - 2 * f[i])) <=
                                             16 * epsilon * (1 + std::abs(twice[i]) + largest(f)),
                       "addForce adds weight * F")
            << "dof " << i << ": " << twice[i] << " " << f[i];
        if (!options_.externalLoads) {
          double size = 0, change = 0;
          const double here = system_.potentials(t_, q_).sum();
          const Difference slope([&](double x) {
            const Potentials v = system_.potentials(t_, moved(d, x));
            change = std::max(change, std::abs((v.sum() - here) / x));
            size =
              std::max({size, std::abs(v.elastic), std::abs(v.potential), std::abs(v.contact)});
            return v.sum();
          });
          const double tolerance =
            1e-8 * productSize(f, d) + 1e-7 * change + slope.rounding + 1e5 * epsilon * size;
          suite_.check(std::abs(dot(f, d) + slope.value) <= tolerance,
                       "the force is minus the derivative of the energy")
            << dot(f, d) << " instead of " << -slope.value << ", tolerance " << tolerance;
        }
        if (options_.stiffness)
          stiffness(d, f);
      }

      void stiffness(const Numbers& d, const Numbers& f)
      {
        const std::size_t offset = 3;
        Triplets entries{{0, 0, 1.0}};
        system_.addStiffness(t_, q_, offset, entries);
        suite_.check(entries[0].row() == 0 && entries[0].col() == 0 && entries[0].value() == 1,
                     "addStiffness appends");
        const Numbers e = direction();
        Numbers kd(n_, 0), ke(n_, 0), size(n_, 0);
        for (std::size_t i = 1; i < entries.size(); ++i) {
          const std::size_t row = entries[i].row() - offset, column = entries[i].col() - offset;
          suite_.require(row < n_ && column < n_,
                         "entries of the stiffness are inside, with the offset")
            << row << ", " << column;
          kd[row] += entries[i].value() * d[column];
          ke[row] += entries[i].value() * e[column];
          size[row] += std::abs(entries[i].value() * d[column]);
        }
        for (std::size_t i = 0; i < n_; ++i)
          if (massive_[i] == 1) {
            const Difference slope([&](double x) { return force(moved(d, x))[i]; });
            const double tolerance =
              1e-8 * size[i] + 1e-10 * largest(size) + slope.rounding + 1e5 * epsilon * largest(f);
            suite_.check(std::abs(kd[i] + slope.value) <= tolerance,
                         "the stiffness is minus the derivative of the force")
              << "dof " << i << ": " << kd[i] << " instead of " << -slope.value << ", tolerance "
              << tolerance;
          }
        if (options_.symmetricStiffness)
          suite_.check(std::abs(dot(kd, e) - dot(ke, d)) <=
                         64 * epsilon * (productSize(size, e) + productSize(ke, d)),
                       "the stiffness is symmetric")
            << dot(kd, e) << " " << dot(ke, d);
      }

      //! A time in which the system moves by a tenth of its length
      double time() const
      {
        const double speed = largest(velocity(p_));
        return speed > 0 ? 0.1 * options_.length / speed : 1;
      }

      void drift()
      {
        const double h = time();
        Numbers p = p_;
        for (std::size_t i = 0; i < n_; ++i)
          p[i] *= massive_[i];
        Numbers q1(q_.size(), 7), p1(n_, 7), q2(q_.size(), 7), p2(n_, 7);
        const double interval = system_.drift(q_, p, h, q1, p1),
                     reversed = system_.drift(q1, p1, -h, q2, p2);
        const double size = largest(q_) + options_.length;
        suite_.check(distance(q2, q_) <= 64 * epsilon * size, "drift can be reversed")
          << distance(q2, q_);
        suite_.check(distance(p2, p) <= 64 * epsilon * largest(p),
                     "the drift of momenta can be reversed")
          << distance(p2, p);
        suite_.check(largest(p) == 0 || !sameBits(q1, q_), "drift moves");

        const Momenta a = system_.momenta(q_, p), b = system_.momenta(q1, p1);
        Vec3 linear = b.linear - a.linear, angular = b.angular - a.angular;
        const double sum = productSize(p, Numbers(n_, 1));
        suite_.check(options_.pivoted || linear.infinity_norm() <= 64 * epsilon * sum,
                     "drift conserves linear momentum")
          << linear;
        suite_.check(options_.pivoted ||
                       angular.infinity_norm() <=
                         64 * epsilon * double(n_) * (sum * size + a.angular.infinity_norm()),
                     "drift conserves angular momentum")
          << angular;
        const double kinetic = system_.kinetic(q_, p),
                     rounding = 64 * epsilon * double(n_) * kinetic;
        suite_.check(std::abs(reversed - interval) <= rounding,
                     "the reversed drift has the same kinetic energy")
          << interval << " " << reversed;
        if (!options_.curvedDrift)
          suite_.check(std::abs(system_.kinetic(q1, p1) - kinetic) <= rounding &&
                         std::abs(interval - kinetic) <= rounding,
                       "drift conserves kinetic energy")
            << system_.kinetic(q1, p1) << " " << interval << " " << kinetic;
        driftVelocity(p, h, interval);
        driftKick(p, h);
      }

      //! The velocity of a drift, its momentum and its energy belong together; a short drift has
      //! the velocity M^{-1} p
      void driftVelocity(const Numbers& p, double h, double interval)
      {
        Numbers v(n_, 7), back(n_, 7), mass(n_, 7), q1(q_.size()), p1(n_);
        system_.driftVelocity(q_, p, h, v);
        system_.driftMomentum(q_, v, h, back);
        suite_.check(distance(back, p) <= 64 * epsilon * largest(p),
                     "driftMomentum(driftVelocity(p)) = p")
          << distance(back, p);
        system_.momentum(q_, v, mass);
        suite_.check(std::abs(0.5 * dot(mass, v) - interval) <=
                       64 * epsilon * double(n_) * interval,
                     "drift returns the kinetic energy of its velocity")
          << 0.5 * dot(mass, v) << " " << interval;
        system_.driftVelocity(q_, p, 0, v);
        suite_.check(distance(v, velocity(p)) <= 8 * epsilon * largest(v),
                     "a drift without length has the velocity of the momentum")
          << distance(v, velocity(p));
        const double kinetic = system_.kinetic(q_, p),
                     nearby = system_.drift(q_, p, 1e-6 * h, q1, p1);
        suite_.check(std::abs(nearby - kinetic) <= 1e-5 * kinetic,
                     "a short drift has the kinetic energy of the momentum")
          << nearby << " " << kinetic;
      }

      void driftKick(const Numbers& p, double h)
      {
        const double t1 = t_ + h, weight = 0.7 * h;
        Numbers q1(q_.size(), 7), p1(n_, 7), q2(q_.size(), 8), p2(n_, 8);
        system_.driftKick(q_, p, h, t1, weight, q1, p1);
        driftTo_(t1, q_, p, h, q2, p2);
        const double before = largest(p2);
        system_.addForce(t1, q2, weight, p2);
        suite_.check(distance(q1, q2) <= 8 * epsilon * (largest(q_) + options_.length),
                     "driftKick drifts")
          << distance(q1, q2);
        suite_.check(distance(p1, p2) <=
                       64 * epsilon * (before + weight * largest(force(q2)) + largest(p2)),
                     "driftKick is drift and addForce")
          << distance(p1, p2);
      }

      //! All results once more
      Numbers everything() const
      {
        Numbers result;
        const auto append = [&](ConstSpan x) { result.insert(result.end(), x.begin(), x.end()); };
        const double h = time();
        Numbers q1(q_.size(), 7), p1(n_, 7);
        system_.drift(q_, p_, h, q1, p1);
        append(q1);
        append(p1);
        system_.driftKick(q_, p_, h, t_ + h, h, q1, p1);
        append(q1);
        append(p1);
        append(force(q1));
        append(velocity(p_));
        const Potentials v = system_.potentials(t_, q_),
                         w = system_.intervalPotentials(t_, q_, t_ + h, q1);
        const Momenta m = system_.momenta(q_, p_);
        append(Numbers{v.elastic, v.potential, v.contact, w.elastic, w.potential, w.contact,
                       system_.kinetic(q_, p_)});
        append(
          Numbers{m.linear[0], m.linear[1], m.linear[2], m.angular[0], m.angular[1], m.angular[2]});
        Triplets entries;
        if (options_.stiffness)
          system_.addStiffness(t_, q_, 0, entries);
        for (const auto& entry : entries)
          append(Numbers{double(entry.row()), double(entry.col()), entry.value()});
        return result;
      }

      void repeatable()
      {
        const Numbers first = everything(), second = everything();
        suite_.check(sameBits(first, second), "the same input gives the same bits");
        suite_.check(
          std::all_of(first.begin(), first.end(), [](double x) { return std::isfinite(x); }),
          "all results are finite");
      }

      const MechanicalSystem& system_;
      Numbers q_, p_;
      double t_;
      CheckSystemOptions options_;
      DriftTo driftTo_;
      std::size_t n_;
      Numbers massive_; //!< 1 for dofs with mass, 0 for those without
      std::mt19937 random_{1};
      TestSuite suite_{"checkSystem"};
    };

  } // namespace Test

  /** \brief Check a mechanical system at a configuration q with momenta p
   *
   * Dofs without mass are recognised by momentum(); no force is asked of them.
   */
  inline TestSuite checkSystem(const MechanicalSystem& system, ConstSpan q, ConstSpan p, double t,
                               const CheckSystemOptions& options = {})
  {
    const auto driftTo = [&system](double, ConstSpan q0, ConstSpan p0, double h, Span q1, Span p1) {
      system.drift(q0, p0, h, q1, p1);
    };
    return Test::SystemCheck(system, q, p, t, options, driftTo).run();
  }

  //! Check a product of bodies; its driftKick also places prescribed dofs and massless points
  inline TestSuite checkSystem(const System& system, ConstSpan q, ConstSpan p, double t,
                               const CheckSystemOptions& options = {})
  {
    const auto driftTo = [&system](double t1, ConstSpan q0, ConstSpan p0, double h, Span q1,
                                   Span p1) { system.driftTo(t1, q0, p0, h, q1, p1); };
    return Test::SystemCheck(system, q, p, t, options, driftTo).run();
  }

  //! The same for the configuration, momenta and time of a state
  template<class S>
  TestSuite checkSystem(const S& system, const State& state, const CheckSystemOptions& options = {})
  {
    return checkSystem(system, state.q, state.p, state.time, options);
  }

} // namespace Dune::Impact

#endif
