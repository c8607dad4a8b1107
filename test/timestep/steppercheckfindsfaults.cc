// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checknumbers.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "scenes.hh"

/* Methods with one fault each, which checkStepper() must find. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  //! A method that is wrong in one respect
  struct FaultyStepper : CDLagrange
  {
    enum Fault { none, memory, counter, report_, ledger, old, record_ };

    template<class... Arguments>
    FaultyStepper(Fault fault, Arguments&&... arguments)
      : CDLagrange(std::forward<Arguments>(arguments)...)
      , fault_(fault)
    {}

    void step(const State& from, State& to, StepReport& report) override
    {
      const int before = report.contacts;
      const double time = to.time;
      CDLagrange::step(from, to, report);
      if (fault_ == memory)
        to.q[0] += 1e-15 * double(++calls_);
      if (fault_ == counter)
        to.step = from.step;
      if (fault_ == report_)
        report.contacts += before;
      if (fault_ == ledger)
        to.ledger.externalWork += 1e-6;
      if (fault_ == old && !(time >= 0))
        to.p[0] += 1e-15;
    }

    Record record(const State& from, const State& to) const override
    {
      Record result = CDLagrange::record(from, to);
      if (fault_ == record_)
        result.time = from.time;
      return result;
    }

  private:
    Fault fault_;
    int calls_ = 0;
  };

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const Scene scene = barBetweenWalls(8, 0.5, -0.2);
  for (int fault = FaultyStepper::none; fault <= FaultyStepper::record_; ++fault) {
    FaultyStepper stepper(FaultyStepper::Fault(fault), scene.system, scene.contacts,
                          scene.dimension, CDLagrange::Settings{.step = 0.1});
    const bool found = findsFault([&] {
      return checkStepper(stepper, scene.system.initialState(), {.steps = 50, .balance = 1e-13});
    });
    test.check(found == (fault != FaultyStepper::none), "a faulty method") << "fault " << fault;
  }
  return test.exit();
}
