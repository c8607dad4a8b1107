// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_SIMULATION_HH
#define DUNE_IMPACT_SCENARIO_SIMULATION_HH

#include <filesystem>
#include <memory>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/io/checkpoint.hh>
#include <dune/impact/io/history.hh>
#include <dune/impact/io/progress.hh>
#include <dune/impact/io/runsummary.hh>
#include <dune/impact/io/vtk.hh>
#include <dune/impact/scenario/probe.hh>
#include <dune/impact/scenario/registry.hh>
#include <dune/impact/scenario/scenariofile.hh>

/** \file
 * \ingroup impact_scenario
 * \brief From the scenario file to the results
 */

namespace Dune::Impact {

  //! How a run is started
  struct RunOptions
  {
    std::optional<std::filesystem::path> output; //!< instead of output.directory
    bool resume = false;
    bool quiet = false;
  };

  /** \brief A scenario that is ready to run
   *
   * The constructor reads and checks everything that can be checked without stepping, and throws
   * InputError. run() writes the results; it throws InputError before anything is written, and
   * RunError when the run ends early with the results complete up to the last accepted step. A
   * stop that the token asks for is such an end, also inside a step.
   */
  class Simulation
  {
  public:
    Simulation(const std::filesystem::path& file, const std::vector<std::string>& overrides,
               const Registry& registry, StopToken stop = {});

    void run(const RunOptions& options);

    const Scene& scene() const { return scene_; }
    Stepper& stepper() { return *stepper_; }
    const std::string& method() const { return method_; }
    double step() const { return step_; }
    double criticalStep() const { return criticalStep_; }
    long steps() const { return steps_; }
    State initialState() const { return scene_.system.initialState(); }

    //! What is not used of the input, one sentence each
    std::vector<std::string> notes() const;

    //! Folder of the results
    std::filesystem::path directory(const RunOptions& options) const;

  private:
    class Output;

    void checkBodies(const Registry& registry) const;
    void buildScene(const Registry& registry);
    void buildMethod(const Registry& registry);
    void checkLaws(const Registry& registry, const MethodType& method) const;
    void checkFriction(const Registry& registry, const MethodType& method,
                       const Contact& contact) const;
    void readPlan(const Section& time, const MethodType& method);
    void checkStart() const;
    void readOutput();
    bool finished(const State& state) const;
    double endTime() const;
    std::uint64_t hash() const;
    void loop(State& state, StepReport& report, Output& output, const RunOptions& options);
    [[noreturn]] void interrupt(const State& state, Output& output, const char* reason) const;
    void observeGain(const State& before, const State& after);
    void warnOfGain() const;
    void warnOfOverlap(const std::vector<DeepOverlap>& overlaps) const;
    void warnOfResidual(const SummaryNumbers& numbers) const;
    void checkFinite(const State& state, const Record& record) const;
    void checkCrossing(const State& state) const;
    [[noreturn]] void stop(const State& state, const std::string& reason) const;

    std::unique_ptr<KeyTable> table_; //!< the file refers to it
    ScenarioFile file_;
    Scene scene_;
    StopToken stop_;
    std::string title_, units_, method_;
    double step_ = 0, end_ = 0, criticalStep_ = 0, gapTolerance_ = 0;
    long steps_ = 0;          //!< number of steps, if they have one length
    bool stepsGiven_ = false; //!< the number was given and not the end
    std::unique_ptr<Stepper> stepper_;
    std::vector<Probe> probes_;
    std::string directory_;
    long historyEvery_ = 1, vtkEvery_ = 0, checkpointEvery_ = 0;
    bool report_ = true;
    //! largest energy that contact has added in a step, and when
    double contactGain_ = 0, contactGainTime_ = 0;
  };

} // namespace Dune::Impact

#endif
