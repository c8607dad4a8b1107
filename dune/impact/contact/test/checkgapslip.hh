// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_TEST_CHECKGAPSLIP_HH
#define DUNE_IMPACT_CONTACT_TEST_CHECKGAPSLIP_HH

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/system.hh>
#include <dune/impact/body/test/checknumbers.hh>
#include <dune/impact/contact/beam/gapslip.hh>

/** \file
 * \ingroup impact_contact
 * \brief Does a geometry of gaps and slips keep the promises of its interface?
 *
 * \code
 * test.subTest(checkGapSlip(geometry, system, q, previous, {.length = 0.1}));
 * \endcode
 * The configurations should be general ones, and at least half of the multipliers of q should have
 * a partner.
 */

namespace Dune::Impact {

  //! What checkGapSlip() must know of the geometry
  struct CheckGapSlipOptions
  {
    //! size of a tangent vector that changes gaps by a good part of itself
    double length = 1;
    double time = 0; //!< of the configuration
    double step = 0; //!< time since the previous configuration
    //! derivatives of slips and forces are complete; those of gaps always are
    bool exact = true;
  };

  namespace Test {

    //! The parts of checkGapSlip()
    class GapSlipCheck
    {
    public:
      using Dense = Eigen::MatrixXd;

      GapSlipCheck(const GapSlipGeometry& geometry, const System& system, ConstSpan q,
                   ConstSpan previous, const CheckGapSlipOptions& options)
        : geometry_(geometry)
        , system_(system)
        , q_(q.begin(), q.end())
        , previous_(previous.begin(), previous.end())
        , options_(options)
        , n_(system.velocitySize())
        , m_(3 * geometry.multipliers())
        , l_(m_)
      {
        for (std::size_t i = 0; i < m_; ++i)
          l_[i] = 1 + 0.3 * double(i % 5) - 0.7 * double(i % 3);
        for (std::size_t i = 0; i < m_; ++i)
          if (int(i % 3) >= geometry.components())
            l_[i] = 0;
      }

      TestSuite run()
      {
        const Numbers q = q_, previous = previous_, l = l_;
        suite_.require(m_ > 0, "there are multipliers");
        rows_ = evaluate(q_, l_);
        sizes();
        derivatives();
        invalid();
        balance();
        noMotion();
        repeatable();
        suite_.check(sameBits(q, q_) && sameBits(previous, previous_) && sameBits(l, l_),
                     "inputs are left alone");
        return suite_;
      }

    private:
      GapSlip evaluate(ConstSpan q, const Numbers& l) const
      {
        GapSlip rows;
        geometry_.evaluate(options_.time, options_.step, q, previous_, l, rows);
        return rows;
      }

      static Dense dense(const Triplets& entries, std::size_t rows, std::size_t columns)
      {
        Dense A = Dense::Zero(Eigen::Index(rows), Eigen::Index(columns));
        for (const auto& entry : entries)
          A(entry.row(), entry.col()) += entry.value();
        return A;
      }

      static Eigen::VectorXd vector(const Numbers& x)
      {
        return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size()));
      }

      //! Relative to the largest entry
      static double error(const Dense& a, const Dense& b)
      {
        const double size = b.cwiseAbs().maxCoeff(), difference = (a - b).cwiseAbs().maxCoeff();
        return size > 0 ? difference / size : difference;
      }

      void sizes()
      {
        suite_.require(rows_.g.size() == m_ && rows_.valid.size() == m_ / 3,
                       "three numbers per multiplier")
          << rows_.g.size() << ", " << rows_.valid.size();
        suite_.check(rows_.obstacleVelocity.empty() || rows_.obstacleVelocity.size() == m_,
                     "rates of obstacles for all multipliers or for none");
        const auto inside = [&](const Triplets& entries, std::size_t rows) {
          return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
            return std::size_t(entry.row()) < rows && std::size_t(entry.col()) < n_;
          });
        };
        suite_.require(inside(rows_.derivative, m_) && inside(rows_.rows, m_) &&
                         inside(rows_.stiffness, n_),
                       "entries are inside");
        suite_.check(2 * std::count(rows_.valid.begin(), rows_.valid.end(), 1) >=
                       long(rows_.valid.size()),
                     "multipliers have partners");
        for (std::size_t i = 0; i < m_ / 3; ++i)
          suite_.check(geometry_.weight(i) > 0, "weights are positive") << geometry_.weight(i);
        suite_.check(std::isfinite(rows_.minGap), "there is a smallest gap") << rows_.minGap;
        suite_.check(geometry_.reach() > 0, "the reach is positive") << geometry_.reach();
      }

      /* Derivatives of g and of B^T l along all dofs by central differences of fourth order,
       * relative to the largest entry; the rows of gaps are their derivative. */
      void derivatives()
      {
        const Dense B = dense(rows_.rows, m_, n_), D = dense(rows_.derivative, m_, n_),
                    K = dense(rows_.stiffness, n_, n_);
        for (std::size_t i = 0; i < m_; i += 3)
          suite_.check((B.row(Eigen::Index(i)) - D.row(Eigen::Index(i))).cwiseAbs().maxCoeff() <=
                         1e-12,
                       "normal rows are the derivative of the gap")
            << "multiplier " << i / 3;
        Dense g(m_, n_), f(n_, n_);
        const double h = 1e-4 * options_.length;
        for (std::size_t j = 0; j < n_; ++j) {
          const auto at = [&](double x) {
            Numbers dq(n_, 0), q1(q_.size());
            dq[j] = x;
            system_.retract(q_, dq, q1);
            const GapSlip r = evaluate(q1, l_);
            return std::pair<Eigen::VectorXd, Eigen::VectorXd>(
              vector(r.g), dense(r.rows, m_, n_).transpose() * vector(l_));
          };
          const auto [g1, f1] = at(h);
          const auto [g2, f2] = at(-h);
          const auto [g3, f3] = at(2 * h);
          const auto [g4, f4] = at(-2 * h);
          g.col(Eigen::Index(j)) = (8 * (g1 - g2) - (g3 - g4)) / (12 * h);
          f.col(Eigen::Index(j)) = (8 * (f1 - f2) - (f3 - f4)) / (12 * h);
        }
        for (std::size_t i = 0; i < m_; ++i)
          if (!rows_.valid[i / 3] || (!options_.exact && i % 3 > 0))
            g.row(Eigen::Index(i)) = D.row(Eigen::Index(i));
        suite_.check(error(D, g) <= 1e-7, "derivative of gaps and slips") << error(D, g);
        if (options_.exact)
          suite_.check(error(K, f) <= 1e-7, "derivative of the force") << error(K, f);
      }

      //! Multipliers without a partner have no entries, and their l means nothing
      void invalid()
      {
        Numbers l = l_;
        for (std::size_t i = 0; i < m_; ++i)
          if (!rows_.valid[i / 3])
            l[i] += 5;
        for (const Triplets* entries : {&rows_.rows, &rows_.derivative})
          suite_.check(std::all_of(entries->begin(), entries->end(),
                                   [&](const auto& entry) {
                                     return entry.value() == 0 ||
                                            rows_.valid[std::size_t(entry.row()) / 3];
                                   }),
                       "multipliers without a partner have no rows");
        const GapSlip other = evaluate(q_, l);
        suite_.check(other.force == rows_.force &&
                       dense(other.stiffness, n_, n_) == dense(rows_.stiffness, n_, n_),
                     "multipliers without a partner carry no force");
      }

      //! B^T l, read as momenta: `force` on the first body, the opposite on the second
      void balance()
      {
        const Eigen::VectorXd covector = dense(rows_.rows, m_, n_).transpose() * vector(l_);
        const Numbers p(covector.data(), covector.data() + n_);
        const auto linear = [&](std::size_t b) {
          return system_.body(b)
            .momenta(system_.configurationSlice(b, q_), system_.velocitySlice(b, p))
            .linear;
        };
        const double tolerance = 64 * epsilon * productSize(p, Numbers(n_, 1));
        const Vec3 first = linear(geometry_.firstBody());
        suite_.check((first - rows_.force).infinity_norm() <= tolerance,
                     "the force is that on the first body")
          << rows_.force << " instead of " << first;
        if (const auto second = geometry_.secondBody())
          suite_.check((first + linear(*second)).infinity_norm() <= tolerance,
                       "forces between bodies sum up to zero");
      }

      //! A configuration has not slipped away from itself
      void noMotion()
      {
        GapSlip rows;
        geometry_.evaluate(options_.time, 0, q_, q_, l_, rows);
        for (std::size_t i = 0; i < m_; ++i)
          if (i % 3 > 0 && rows.valid[i / 3])
            suite_.check(std::abs(rows.g[i]) <= 64 * epsilon * (1 + largest(q_)),
                         "no slip without motion")
              << "multiplier " << i / 3 << ": " << rows.g[i];
      }

      //! Twice the same bits, also into an object that holds something else
      void repeatable()
      {
        GapSlip again = evaluate(previous_, Numbers(m_, 0));
        geometry_.evaluate(options_.time, options_.step, q_, previous_, l_, again);
        const auto same = [](const Triplets& a, const Triplets& b) {
          return std::equal(
            a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
              return x.row() == y.row() && x.col() == y.col() && x.value() == y.value();
            });
        };
        suite_.check(sameBits(again.g, rows_.g) &&
                       sameBits(again.obstacleVelocity, rows_.obstacleVelocity) &&
                       again.valid == rows_.valid && again.minGap == rows_.minGap &&
                       again.force == rows_.force && same(again.derivative, rows_.derivative) &&
                       same(again.rows, rows_.rows) && same(again.stiffness, rows_.stiffness),
                     "the same input gives the same bits, whatever the object held");
      }

      const GapSlipGeometry& geometry_;
      const System& system_;
      Numbers q_, previous_;
      CheckGapSlipOptions options_;
      std::size_t n_, m_;
      Numbers l_;
      GapSlip rows_;
      TestSuite suite_{"checkGapSlip"};
    };

  } // namespace Test

  /** \brief Check a geometry of gaps and slips at a configuration and the one before it
   *
   * The derivative of gaps and slips and that of the force B^T l agree with differences along
   * retract(), the normal rows of B with the derivative of the gap; forces between bodies are in
   * equilibrium; multipliers without a partner carry nothing; nothing has a memory.
   */
  inline TestSuite checkGapSlip(const GapSlipGeometry& geometry, const System& system, ConstSpan q,
                                ConstSpan previous, const CheckGapSlipOptions& options = {})
  {
    return Test::GapSlipCheck(geometry, system, q, previous, options).run();
  }

} // namespace Dune::Impact

#endif
