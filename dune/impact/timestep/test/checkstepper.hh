// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_TEST_CHECKSTEPPER_HH
#define DUNE_IMPACT_TIMESTEP_TEST_CHECKSTEPPER_HH

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep
 * \brief Does a time stepping method keep the promises of its interface?
 *
 * \code
 * test.subTest(checkStepper(stepper, system.initialState(), {.steps = 200, .balance = 1e-12}));
 * \endcode
 * The run should contain impacts and all that the method can do.
 */

namespace Dune::Impact {

  //! What checkStepper() must know of the method and the run
  struct CheckStepperOptions
  {
    long steps = 100;
    //! allowed change of total + dissipated - externalWork, relative to the energies; none: not
    //! checked
    std::optional<double> balance = {};
    std::optional<State> failing = {}; //!< a state from which the step must throw RunError
  };

  namespace Test {

    inline bool same(const StepReport& a, const StepReport& b)
    {
      return a.solve.iterations == b.solve.iterations && a.solve.residual == b.solve.residual &&
             a.solve.converged == b.solve.converged && a.minGap == b.minGap &&
             a.contacts == b.contacts && a.impulse == b.impulse && a.weight == b.weight &&
             a.pairImpulse == b.pairImpulse && a.contact == b.contact &&
             a.workFollows == b.workFollows && a.bodyImpulse == b.bodyImpulse;
    }

    inline bool same(const Record& a, const Record& b)
    {
      return a.step == b.step && a.time == b.time && a.kinetic == b.kinetic &&
             a.stored.elastic == b.stored.elastic && a.stored.potential == b.stored.potential &&
             a.stored.contact == b.stored.contact && a.momenta.linear == b.momenta.linear &&
             a.momenta.angular == b.momenta.angular && a.dissipated == b.dissipated &&
             a.externalWork == b.externalWork && a.contactWork == b.contactWork &&
             a.frictionWork == b.frictionWork && a.bulkWork == b.bulkWork;
    }

    //! A state with the same layout that makes no sense
    inline State garbage(State state)
    {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      std::fill(state.q.begin(), state.q.end(), nan);
      std::fill(state.p.begin(), state.p.end(), nan);
      for (Block& block : state.history) {
        block.name = "garbage";
        block.version = 77;
        std::fill(block.values.begin(), block.values.end(), nan);
      }
      state.ledger = {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan};
      state.time = nan;
      state.step = -5;
      return state;
    }

    inline StepReport garbageReport()
    {
      StepReport report;
      report.solve = {99, 99, false};
      report.minGap = -99;
      report.contacts = 99;
      report.impulse = 99;
      report.weight = 99;
      report.pairImpulse.assign(7, 99);
      report.contact.assign(7, {99, Vec3(99), 99, 99, 99, {{99, 99}}});
      report.bodyImpulse.assign(9, Vec3(99));
      return report;
    }

    //! Carries out checkStepper()
    class StepperCheck
    {
    public:
      StepperCheck(Stepper& stepper, const State& initial, const CheckStepperOptions& options)
        : stepper_(stepper)
        , initial_(initial)
        , options_(options)
      {}

      TestSuite run()
      {
        start();
        march();
        repeat();
        if (options_.failing)
          fail();
        if (options_.balance)
          balance();
        return suite_;
      }

    private:
      void start()
      {
        const State copy = initial_;
        StepReport report, other = garbageReport();
        states_.push_back(stepper_.start(initial_, report));
        suite_.check(stepper_.start(initial_, other) == states_.front(),
                     "starting twice gives the same bits");
        suite_.check(same(report, other), "the report of the start forgets what it held");
        suite_.check(initial_ == copy, "start leaves the initial state alone");
      }

      //! The reference run: every step into a new state
      void march()
      {
        for (long i = 0; i < options_.steps; ++i) {
          const State from = states_.back();
          State to;
          StepReport report;
          stepper_.step(states_.back(), to, report);
          suite_.check(states_.back() == from, "a step leaves its beginning alone") << "step " << i;
          suite_.check(to.step == from.step + 1 && to.time > from.time,
                       "a step counts itself and moves on in time")
            << to.step << ", " << to.time;
          const Record record = stepper_.record(from, to);
          suite_.check(record.step == to.step && record.time == to.time,
                       "the record belongs to the end of the step");
          suite_.check(same(record, stepper_.record(from, to)), "a record repeats");
          records_.push_back(record);
          reports_.push_back(report);
          states_.push_back(to);
        }
      }

      void checkStep(std::size_t i, State to, StepReport report, const char* what)
      {
        stepper_.step(states_[i], to, report);
        suite_.check(to == states_[i + 1], what) << "step " << i;
        suite_.check(same(report, reports_[i]), what) << "report of step " << i;
      }

      //! All steps again in another order, into states of all kinds
      void repeat()
      {
        const std::size_t n = reports_.size();
        for (std::size_t i = n; i-- > 0;) {
          checkStep(i, {}, {}, "a step after steps from other states gives the same bits");
          checkStep(i, garbage(states_[i]), garbageReport(), "a step overwrites what its end held");
          checkStep(i, states_[n - i], reports_[n - 1 - i], "a step overwrites another state");
        }
        State small;
        small.q.assign(1, 99);
        small.history.assign(1, {"garbage", 9, {1, 2, 3}});
        checkStep(n / 2, small, {}, "a step overwrites a state of another size");
      }

      void fail()
      {
        const State copy = *options_.failing;
        State to;
        StepReport report;
        bool thrown = false;
        try {
          stepper_.step(*options_.failing, to, report);
        }
        catch (const RunError&) {
          thrown = true;
        }
        suite_.check(thrown, "a step that cannot be made throws RunError");
        suite_.check(*options_.failing == copy, "a failed step leaves its beginning alone");
        for (std::size_t i = 0; i < reports_.size(); ++i)
          checkStep(i, to, report, "a failed step has no influence on later ones");
      }

      void balance()
      {
        const auto constant = [](const Record& r) {
          return r.total() + r.dissipated - r.externalWork;
        };
        double scale = 0, worst = 0;
        for (const Record& r : records_) {
          scale = std::max({scale, std::abs(r.kinetic), std::abs(r.stored.elastic),
                            std::abs(r.stored.potential), std::abs(r.stored.contact),
                            std::abs(r.externalWork)});
          worst = std::max(worst, std::abs(constant(r) - constant(records_.front())));
        }
        suite_.check(worst <= *options_.balance * scale,
                     "total + dissipated - external work is constant")
          << worst / scale << " of the energy";
      }

      Stepper& stepper_;
      const State initial_;
      CheckStepperOptions options_;
      std::vector<State> states_;
      std::vector<Record> records_;
      std::vector<StepReport> reports_;
      TestSuite suite_{"checkStepper"};
    };

  } // namespace Test

  /** \brief Check a time stepping method on a run from an initial state
   *
   * Steps repeat bit for bit in any order, from any earlier state and into any other; they leave
   * the state at their beginning alone; a failed step leaves no trace; and, if asked for, the
   * energy changes by the work in the ledger only.
   */
  inline TestSuite checkStepper(Stepper& stepper, const State& initial,
                                const CheckStepperOptions& options = {})
  {
    return Test::StepperCheck(stepper, initial, options).run();
  }

} // namespace Dune::Impact

#endif
