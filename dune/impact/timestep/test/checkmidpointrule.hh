// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_TEST_CHECKMIDPOINTRULE_HH
#define DUNE_IMPACT_TIMESTEP_TEST_CHECKMIDPOINTRULE_HH

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

/** \file
 * \ingroup impact_timestep
 * \brief Does a rule of the midpoint family keep the promises of its interface?
 *
 * \code
 * auto rule = std::make_shared<MyRule<2>>();
 * test.subTest(checkMidpointRule<2>(rule, system, contacts, {.step = 0.1, .length = 0.05}));
 * \endcode
 * The system should have a solid with a nonlinear material and contacts with a curved obstacle or
 * with another solid, which close in the run.
 */

namespace Dune::Impact {

  //! What checkMidpointRule() must know of the scene
  struct CheckMidpointRuleOptions
  {
    double step = 1; //!< of time
    int steps = 8;   //!< of the run whose energies are compared with the ledger
    //! displacements of this size deform cells by some percent, and neither make nor end gaps
    double length = 1;
    //! error of the energy balance of a step beyond ImplicitStepper::slack(), in terms of the
    //! largest energy of the run
    double balance = 1e-12;
  };

  namespace Test {

    //! Carries out checkMidpointRule()
    template<int dim, class Contacts>
    class MidpointRuleCheck
    {
    public:
      MidpointRuleCheck(std::shared_ptr<const MidpointRule<dim>> rule, const System& system,
                        const Contacts& contacts, const CheckMidpointRuleOptions& options)
        : rule_(std::move(rule))
        , system_(system)
        , options_(options)
        , model_(system, contacts)
        , stepper_(system, contacts, {.step = options.step, .rule = rule_})
        , suite_("checkMidpointRule, " + rule_->name())
      {}

      TestSuite run()
      {
        for (const auto& member : model_.members)
          for (int repeat = 0; repeat < 3; ++repeat)
            bulk(*member.body);
        contact();
        work();
        return suite_;
      }

    private:
      using Body = ImplicitBody<dim>;

      static Numbers moved(const Numbers& x, double factor, const Numbers& d)
      {
        Numbers result = x;
        for (std::size_t i = 0; i < x.size(); ++i)
          result[i] += factor * d[i];
        return result;
      }

      Numbers randomVector(std::size_t size)
      {
        return randomNumbers(size, options_.length, random_);
      }

      Numbers force(const Body& body, const Numbers& x, const Numbers& z) const
      {
        Numbers f(x.size(), 0);
        rule_->addForce(body, x, z, f);
        return f;
      }

      Numbers tangentProduct(const Body& body, const Numbers& x, const Numbers& z,
                             const Numbers& d) const
      {
        typename Body::Matrix A(body.pattern());
        rule_->addTangent(body, x, z, A);
        Numbers product(x.size(), 0);
        A.addProduct(1, d, dim, product);
        return product;
      }

      //! Bulk force: tangent, potential and work
      void bulk(const Body& body)
      {
        const Numbers x = randomVector(body.mesh().nodes.size() * dim),
                      z = moved(x, 1, randomVector(x.size())), d = randomVector(x.size()),
                      w = randomVector(x.size());
        suite_.require(std::isfinite(body.storedEnergy(z)),
                       "the material allows the displacements");
        const Numbers Kd = tangentProduct(body, x, z, d), Kw = tangentProduct(body, x, z, w);
        suite_.check(std::abs(dot(w, Kd) - dot(d, Kw)) <= 1e-12 * productSize(w, Kd),
                     "the tangent is symmetric")
          << dot(w, Kd) - dot(d, Kw);
        if (rule_->exactTangent())
          tangent(body, x, z, d, w);
        else
          tangent(body, x, x, d, d);
        potential(body, x, z, d);
        if (rule_->exactWork())
          exactWork(body, x, z);
      }

      //! w.K d against differences of w.f; with w = d only the symmetric part is seen
      void tangent(const Body& body, const Numbers& x, const Numbers& z, const Numbers& d,
                   const Numbers& w)
      {
        const Difference slope([&](double s) { return dot(w, force(body, x, moved(z, s, d))); });
        const Numbers Kd = tangentProduct(body, x, z, d);
        suite_.check(std::abs(dot(w, Kd) - slope.value) <=
                       1e-7 * productSize(w, Kd) + slope.rounding,
                     "the tangent is the derivative of the force, or its symmetric part")
          << dot(w, Kd) << " instead of " << slope.value;
      }

      //! f.d against differences of the potential
      void potential(const Body& body, const Numbers& x, const Numbers& z, const Numbers& d)
      {
        if (!rule_->potential(body, x, z))
          return;
        const Difference slope(
          [&](double s) { return rule_->potential(body, x, moved(z, s, d)).value_or(0); });
        const Numbers f = force(body, x, z);
        suite_.check(std::abs(dot(f, d) - slope.value) <= 1e-8 * productSize(f, d) + slope.rounding,
                     "the force is the gradient of the potential")
          << dot(f, d) << " instead of " << slope.value;
      }

      //! f.D = W(z) - W(x)
      void exactWork(const Body& body, const Numbers& x, const Numbers& z)
      {
        const Numbers f = force(body, x, z), D = moved(z, -1, x);
        const double before = body.storedEnergy(x), after = body.storedEnergy(z);
        suite_.check(std::abs(dot(f, D) - (after - before)) <=
                       1e-12 * (productSize(f, D) + std::abs(before) + std::abs(after)),
                     "the work of the force is the change of the energy")
          << dot(f, D) << " instead of " << after - before;
      }

      static NodeVector<dim> nodes(const Numbers& x)
      {
        NodeVector<dim> result(x.size() / dim);
        std::copy(x.begin(), x.end(), data(result));
        return result;
      }

      static double apply(std::span<const NodeEntry<dim>> row, const Numbers& d)
      {
        double sum = 0;
        for (const auto& [node, value] : row)
          for (int c = 0; c < dim; ++c)
            sum += value[c] * d[node * dim + c];
        return sum;
      }

      static double size(std::span<const NodeEntry<dim>> row)
      {
        double sum = 0;
        for (const auto& entry : row)
          sum += entry.value.two_norm();
        return sum;
      }

      //! The constraints of the first step, at random places near its first guess
      void contact()
      {
        StepReport report;
        const State from = stepper_.start(system_.initialState(), report);
        ImplicitWorkspace<dim> workspace(model_);
        ImplicitProblem<dim> problem(model_, *rule_, workspace, from, options_.step, options_.step);
        const auto& guess = problem.predictor();
        const Numbers first(data(guess), data(guess) + guess.size() * dim);
        for (int repeat = 0; repeat < 3; ++repeat) {
          const Numbers z = moved(first, 1, randomVector(first.size())),
                        d = randomVector(first.size());
          SignoriniConstraints<dim> constraints;
          problem.constraints(nodes(z), constraints);
          suite_.require(model_.contactCount() == 0 || constraints.size() > 0,
                         "some node has a gap");
          for (std::size_t p = 0; p < constraints.size(); ++p)
            derivativeRow(problem, constraints, p, z, d);
          if (problem.energy(nodes(z)))
            curvature(problem, constraints, z, d);
        }
      }

      //! C_p.d against differences of phi_p; a rule with a potential has B_p = C_p
      void derivativeRow(ImplicitProblem<dim>& problem,
                         const SignoriniConstraints<dim>& constraints, std::size_t p,
                         const Numbers& z, const Numbers& d)
      {
        SignoriniConstraints<dim> other;
        const Difference slope([&](double s) {
          problem.constraints(nodes(moved(z, s, d)), other);
          return other.size() == constraints.size() ? other[p].value : std::nan("");
        });
        const auto row = constraints.derivative(p);
        const double exact = apply(row, d), tolerance = 1e-8 * size(row) * options_.length;
        suite_.check(std::abs(exact - slope.value) <= tolerance + slope.rounding,
                     "rows are derivatives of the constraints")
          << "constraint " << p << ": " << exact << " instead of " << slope.value;
        if (problem.energy(nodes(z)))
          suite_.check(std::abs(apply(constraints.row(p), d) - exact) <= 1e-4 * tolerance,
                       "with a potential the force rows are the derivatives")
            << "constraint " << p << ": " << apply(constraints.row(p), d) << ", " << exact;
      }

      //! d.(mu B)' d of all constraints, each with mu = 1, against differences
      void curvature(ImplicitProblem<dim>& problem, const SignoriniConstraints<dim>& constraints,
                     const Numbers& z, const Numbers& d)
      {
        std::vector<double> mu(model_.multiplierBegin.back(), 0);
        double scale = 0;
        for (std::size_t p = 0; p < constraints.size(); ++p) {
          mu[constraints[p].multiplier] = 1;
          scale += size(constraints.row(p)) * options_.length;
        }
        std::vector<MatrixBlock<dim>> blocks;
        problem.addCurvature(nodes(z), mu, blocks);
        double exact = 0;
        for (const auto& [row, column, value] : blocks)
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              exact -= d[row * dim + i] * value[i][j] * d[column * dim + j];
        SignoriniConstraints<dim> other;
        const Difference slope([&](double s) {
          problem.constraints(nodes(moved(z, s, d)), other);
          double sum = 0;
          for (std::size_t p = 0; p < other.size(); ++p)
            sum += apply(other.row(p), d);
          return sum;
        });
        suite_.check(std::abs(exact - slope.value) <= 1e-8 * scale + slope.rounding,
                     "the curvature is the derivative of the force rows")
          << exact << " instead of " << slope.value;
      }

      //! Energies of a run against the ledger
      void work()
      {
        StepReport report;
        State from = stepper_.start(system_.initialState(), report), to;
        Record last = stepper_.record(from, from);
        double scale = 0;
        bool touched = model_.contactCount() == 0;
        try {
          for (int n = 0; n < options_.steps; ++n, std::swap(from, to)) {
            stepper_.step(from, to, report);
            const Record now = stepper_.record(from, to);
            scale = std::max({scale, std::abs(now.kinetic), std::abs(now.stored.elastic),
                              std::abs(now.stored.potential), std::abs(now.externalWork)});
            touched = touched || report.contacts > 0;
            balance(from, to, last, now, options_.balance * scale);
            last = now;
          }
        }
        catch (const RunError& error) {
          suite_.check(false, "steps are solved") << error.what();
        }
        suite_.check(touched, "contacts close in the run");
      }

      //! One step: the change of energy, and what the rule claims of its parts
      void balance(const State& from, const State& to, const Record& last, const Record& now,
                   double roundOff)
      {
        const double defect = (now.total() - last.total()) + (now.dissipated - last.dissipated) -
                              (now.externalWork - last.externalWork);
        suite_.check(std::abs(defect) <= stepper_.slack() + roundOff,
                     "the energy changes by the work in the ledger")
          << "step " << now.step << ": " << defect << ", slack " << stepper_.slack();
        const double contact = to.ledger.contactWork - from.ledger.contactWork;
        if (rule_->dissipativeContact())
          suite_.check(contact <= stepper_.slack() + roundOff, "contact adds no energy")
            << "step " << now.step << ": " << contact;
        if (rule_->exactWork() && rule_->hasInertia())
          suite_.check(to.ledger.stepWork == from.ledger.stepWork, "the bulk force has no defect")
            << "step " << now.step << ": " << to.ledger.stepWork - from.ledger.stepWork;
      }

      std::shared_ptr<const MidpointRule<dim>> rule_;
      const System& system_;
      CheckMidpointRuleOptions options_;
      ImplicitModel<dim> model_;
      ImplicitStepper<dim> stepper_;
      std::mt19937 random_{7};
      TestSuite suite_;
    };

  } // namespace Test

  /** \brief Check a rule on a system with contacts
   *
   * - The tangent is symmetric and the derivative of the bulk force, or, where the rule says that
   * it is a surrogate, the symmetric part of the derivative in the limit of a short step.
   * - The bulk force is the gradient of the potential, if there is one, and does the work of the
   *   energy, if the rule says so.
   * - Derivative rows are derivatives of the constraints. With a potential they are the force rows,
   *   and the curvature is their derivative.
   * - In a run the energy changes by the work in the ledger only, and contact adds none if the rule
   *   says so.
   */
  template<int dim, class Contacts>
  TestSuite checkMidpointRule(std::shared_ptr<const MidpointRule<dim>> rule, const System& system,
                              const Contacts& contacts,
                              const CheckMidpointRuleOptions& options = {})
  {
    return Test::MidpointRuleCheck<dim, Contacts>(std::move(rule), system, contacts, options).run();
  }

} // namespace Dune::Impact

#endif
