// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_SIMULATIONOUTPUT_HH
#define DUNE_IMPACT_SCENARIO_SIMULATIONOUTPUT_HH

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include <unistd.h>

#include <fmt/format.h>

#include <dune/common/timer.hh>

#include <dune/impact/common/version.hh>
#include <dune/impact/io/file.hh>
#include <dune/impact/io/html/animation.hh>
#include <dune/impact/io/html/report.hh>
#include <dune/impact/io/resultfolder.hh>
#include <dune/impact/scenario/contactcolumns.hh>
#include <dune/impact/scenario/simulation.hh>

/** \file
 * \ingroup impact_scenario
 * \brief What a run writes, for simulation.cc only
 */

namespace Dune::Impact {

  //! The files of a run
  class Simulation::Output
  {
  public:
    Output(Simulation& simulation, std::filesystem::path directory, const RunOptions& options)
      : simulation_(simulation)
      , directory_(std::move(directory))
      , name_(std::filesystem::path(simulation.file_.ini().source()).stem().string())
    {
      for (const Probe& probe : simulation.probes_)
        probe.addColumns(columns_);
      const std::vector<Contact>& contacts = simulation.scene_.contacts;
      for (std::size_t c = 0; c < contacts.size(); ++c)
        contactColumns_.emplace_back(simulation.scene_, contacts[c], c).addNames(columns_);
      for (std::size_t i = 0; i < simulation.scene_.system.bodyCount(); ++i)
        parts_.push_back(simulation.scene_.system.body(i).name());
      for (const std::string& contact : simulation.stepper_->contactSurfaces())
        parts_.push_back("contact-" + contact);
      const std::size_t bodies = simulation.scene_.system.bodyCount();
      std::vector<std::string> filmed = parts_;
      for (const auto& obstacle : simulation.scene_.obstacles)
        filmed.push_back(obstacle->name());
      std::vector<Animation::Kind> kinds(filmed.size(), Animation::Kind::obstacle);
      std::fill_n(kinds.begin(), parts_.size(), Animation::Kind::contact);
      std::fill_n(kinds.begin(), bodies, Animation::Kind::body);
      film_ = Animation(simulation.scene_.dimension, filmed, kinds);
      setStage();
      std::vector<double> sizes;
      for (std::size_t c = 0; c < contacts.size(); ++c)
        sizes.push_back(simulation.scene_.smallestSize(c));
      summary_.setContactSizes(std::move(sizes));
      if (!options.resume)
        createDirectory();
      lock();
      if (options.resume)
        load();
      else
        begin();
      progress_ = std::make_unique<Progress>(
        loaded_ ? loaded_->state.time : 0, simulation.endTime(),
        options.quiet ? Progress::Mode::quiet : Progress::Mode::automatic);
    }

    //! The state from which a resumed run continues
    const std::optional<Checkpoint>& loaded() const { return loaded_; }
    RunSummary& summary() { return summary_; }
    Progress& progress() { return *progress_; }

    //! The row of the configuration that a step with this report has reached, of which the summary
    //! has been told
    void writeRow(const Record& record, const StepReport& report, ConstSpan q,
                  const RecordedMomenta& recordedMomenta)
    {
      values_.clear();
      for (const Probe& probe : simulation_.probes_)
        probe.addValues(simulation_.scene_.system, q, recordedMomenta, report, values_);
      for (std::size_t c = 0; c < contactColumns_.size(); ++c)
        contactColumns_[c].addValues(report, q, summary_.frictionWork(c), values_);
      history_->write(record, report, values_);
    }

    //! Is a picture or a frame of the film due?
    bool shows(long step, bool last) const { return showsPicture(step) || showsFrame(step, last); }

    //! Pictures for ParaView and a frame of the film, as far as they are due; `from` and `to` are
    //! the ends of the last step
    void show(ConstSpan q, const RecordedMomenta& recordedMomenta, const State& from,
              const State& to, bool last)
    {
      std::vector<VisualizationData> visuals = sample(q, recordedMomenta, from, to);
      if (showsPicture(to.step))
        pictures_->write(to.step, to.time, visuals);
      if (showsFrame(to.step, last)) {
        addObstacles(to.time, visuals);
        last ? film_.addLast(to.step, to.time, visuals) : film_.add(to.step, to.time, visuals);
      }
    }

    void writeCheckpoint(const State& state)
    {
      history_->flush(true);
      if (simulation_.report_)
        film_.save(directory_ / "film.h5");
      saveCheckpoint(directory_, state,
                     {.scenarioHash = simulation_.hash(),
                      .method = simulation_.method_,
                      .version = version(),
                      .historyBytes = history_->position(),
                      .summary = summary_.pack(),
                      .summaryVersion = RunSummary::packVersion,
                      .pictureSteps = instants(&AnimationInstant::step),
                      .pictureTimes = instants(&AnimationInstant::time)});
    }

    //! The summary is written even if the rest of the history cannot be
    void finish(const State& state, const std::string& stopReason)
    {
      writeSummary(state, stopReason);
      history_->flush();
      if (simulation_.report_) {
        film_.save(directory_ / "film.h5");
        writeReport(directory_);
      }
    }

  private:
    bool showsPicture(long step) const { return pictures_ && step % simulation_.vtkEvery_ == 0; }
    bool showsFrame(long step, bool last) const
    {
      return simulation_.report_ && (last || film_.wants(step));
    }

    //! Bodies in the configuration q with the velocities of the recordedMomenta, and the contact
    //! surfaces after a step
    std::vector<VisualizationData> sample(ConstSpan q, const RecordedMomenta& recordedMomenta,
                                          const State& from, const State& to) const
    {
      const System& system = simulation_.scene_.system;
      std::vector<double> v(recordedMomenta.p.begin(), recordedMomenta.p.end());
      if (!recordedMomenta.velocities)
        system.velocity(recordedMomenta.q, recordedMomenta.p, v);
      std::vector<VisualizationData> visuals(system.bodyCount());
      for (std::size_t i = 0; i < visuals.size(); ++i)
        system.body(i).sample(system.configurationSlice(i, q), system.velocitySlice(i, v),
                              visuals[i]);
      simulation_.stepper_->sampleContacts(from, to, visuals);
      return visuals;
    }

    //! Steps or times of the animation
    template<class T>
    std::vector<double> instants(T AnimationInstant::* member) const
    {
      std::vector<double> result;
      if (pictures_)
        for (const AnimationInstant& instant : pictures_->instants())
          result.push_back(double(instant.*member));
      return result;
    }

    //! Obstacles are shown around the place where the bodies are at the start
    void setStage()
    {
      const System& system = simulation_.scene_.system;
      const State initial = simulation_.initialState();
      std::vector<double> v(system.velocitySize(), 0);
      Vec3 low(std::numeric_limits<double>::infinity()),
        high(-std::numeric_limits<double>::infinity());
      for (std::size_t i = 0; i < system.bodyCount(); ++i) {
        VisualizationData visual;
        system.body(i).sample(system.configurationSlice(i, initial.q), system.velocitySlice(i, v),
                              visual);
        for (const Vec3& point : visual.points)
          for (int c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], point[c]);
            high[c] = std::max(high[c], point[c]);
          }
      }
      double distance = (high - low).two_norm();
      for (const auto& obstacle : simulation_.scene_.obstacles)
        distance =
          std::max(distance, std::abs(obstacle->distance(0, 0.5 * (low + high), Vec3(0)).gap));
      stageMiddle_ = 0.5 * (low + high);
      stageSize_ = distance > 0 ? distance : 1.0;
    }

    void addObstacles(double time, std::vector<VisualizationData>& visuals)
    {
      for (const auto& obstacle : simulation_.scene_.obstacles)
        visuals.push_back(
          obstacle->picture(time, stageMiddle_, stageSize_, simulation_.scene_.dimension));
    }

    void writeSummary(const State& state, const std::string& stopReason)
    {
      summary_.figure("no_root", state.ledger.noRoots);
      summary_.figure("landings", state.ledger.eventSteps);
      summary_.figure("contact_work", state.ledger.workOfContact());
      summary_.figure("friction_work", state.ledger.frictionWork);
      summary_.figure("bulk_work", state.ledger.stepWork);
      for (const MethodStatistic& figure : simulation_.stepper_->statistics(state))
        summary_.figure(figure.name, figure.value);
      std::vector<std::string> pairs;
      std::vector<std::array<std::string, 2>> sides;
      for (const Contact& contact : simulation_.scene_.contacts) {
        pairs.push_back(contact.name);
        sides.push_back({simulation_.scene_.sideName(contact.first),
                         simulation_.scene_.sideName(contact.second)});
      }
      summary_.writeJson(directory_ / "summary.json", {.title = simulation_.title_,
                                                       .method = simulation_.method_,
                                                       .units = simulation_.units_,
                                                       .stopReason = stopReason,
                                                       .wallSeconds = timer_.elapsed(),
                                                       .pairs = pairs,
                                                       .sides = sides});
    }

    void createDirectory() const
    {
      std::error_code error;
      std::filesystem::create_directories(directory_, error);
      if (error || !std::filesystem::is_directory(directory_))
        simulation_.file_.fail(fmt::format("output.directory: {} cannot be created: {}",
                                           directory_.string(),
                                           error ? error.message() : "it is not a folder"));
      if (::access(directory_.c_str(), W_OK) != 0)
        simulation_.file_.fail(
          fmt::format("output.directory: {} cannot be written to", directory_.string()));
    }

    //! One run per folder; a folder that does not exist has nobody
    void lock()
    {
      if (!std::filesystem::is_directory(directory_))
        return;
      lock_.emplace(directory_);
      if (lock_->result() == FolderLock::Result::busy)
        simulation_.file_.fail(fmt::format(
          "output.directory: another run is writing to {}, give this one a folder of its own",
          directory_.string()));
      if (lock_->result() == FolderLock::Result::unsupported)
        note(fmt::format("{} is on a file system without locks: no other run may write to it",
                         directory_.string()));
    }

    void note(const std::string& text) const
    {
      fmt::print(stderr, "{}: note: {}\n", simulation_.file_.ini().source(), text);
    }

    //! A scenario file that is replaced by its own effective form would lose its comments
    void keepInput() const
    {
      const std::filesystem::path source = simulation_.file_.ini().source();
      std::error_code missing;
      if (std::filesystem::equivalent(source, directory_ / "scenario.ini", missing) &&
          readFile(source) != effectiveScenario())
        simulation_.file_.fail(fmt::format("output.directory: the run would write its own "
                                           "scenario.ini over this one in {}, give another folder",
                                           directory_.string()));
    }

    //! A new run: results of an earlier one in the same folder would be mistaken for its own
    void begin()
    {
      keepInput();
      removeResults(directory_, name_);
      writeScenario();
      history_ = std::make_unique<HistoryWriter>(directory_, columns_);
      if (simulation_.vtkEvery_ > 0)
        pictures_ = std::make_unique<PvdWriter>(directory_, name_, parts_);
    }

    void load()
    {
      if (!findLatest(directory_))
        simulation_.file_.fail(
          fmt::format("there is no checkpoint in {} to resume from", directory_.string()));
      const System& system = simulation_.scene_.system;
      StepReport ignored;
      std::vector<std::string> damaged;
      loaded_ = loadLatest(
        directory_,
        {.scenarioHash = simulation_.hash(),
         .method = simulation_.method_,
         .qSize = system.configurationSize(),
         .pSize = system.velocitySize(),
         .history = simulation_.stepper_->start(simulation_.initialState(), ignored).history},
        damaged);
      for (const std::string& one : damaged)
        note(fmt::format("{}; the run goes on from the checkpoint of step {}", one,
                         loaded_->state.step));
      summary_.unpack(loaded_->extra.summary, loaded_->extra.summaryVersion);
      history_ = std::make_unique<HistoryWriter>(directory_, columns_, loaded_->extra.historyBytes);
      if (simulation_.vtkEvery_ > 0)
        pictures_ = std::make_unique<PvdWriter>(directory_, name_, parts_, loadedInstants(),
                                                loaded_->state.step);
      if (simulation_.report_ && std::filesystem::exists(directory_ / "film.h5")) {
        film_ = Animation::load(directory_ / "film.h5");
        film_.truncate(loaded_->state.step);
      }
      writeScenario();
    }

    std::vector<AnimationInstant> loadedInstants() const
    {
      std::vector<AnimationInstant> result;
      const auto& extra = loaded_->extra;
      for (std::size_t i = 0; i < std::min(extra.pictureSteps.size(), extra.pictureTimes.size());
           ++i)
        result.push_back({long(extra.pictureSteps[i]), extra.pictureTimes[i]});
      return result;
    }

    std::string effectiveScenario() const
    {
      std::ostringstream text;
      simulation_.file_.writeEffective(text, directory_);
      return text.str();
    }

    void writeScenario() const { replaceFile(directory_ / "scenario.ini", effectiveScenario()); }

    Simulation& simulation_;
    std::filesystem::path directory_;
    std::string name_;
    std::optional<FolderLock> lock_;
    std::vector<std::string> columns_, parts_;
    std::vector<ContactColumns> contactColumns_;
    std::vector<double> values_;
    std::optional<Checkpoint> loaded_;
    RunSummary summary_;
    std::unique_ptr<HistoryWriter> history_;
    std::unique_ptr<PvdWriter> pictures_;
    Animation film_;
    Vec3 stageMiddle_ = {0, 0, 0}; //!< where obstacles are shown
    double stageSize_ = 1;
    std::unique_ptr<Progress> progress_;
    Timer timer_;
  };

} // namespace Dune::Impact

#endif
