// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dune/impact/scenario/simulation.hh>
#include <dune/impact/scenario/simulationoutput.hh>
#include <dune/impact/scenario/unheld.hh>
#include <dune/impact/timestep/explicit/criticalstep.hh>

namespace Dune::Impact {

  Simulation::Simulation(const std::filesystem::path& file,
                         const std::vector<std::string>& overrides, const Registry& registry,
                         StopToken stop)
    : table_(std::make_unique<KeyTable>(registry.table()))
    , file_(file, overrides, *table_)
    , stop_(stop)
  {
    const Section top = file_.top();
    scene_.dimension = file_.dimension();
    scene_.gravity = top.vector("gravity");
    title_ = top.text("title");
    units_ = top.text("units");
    checkBodies(registry);
    scene_.explicitMethod = registry.method(file_.section("time").type()).conditionallyStable;
    buildScene(registry);
    buildMethod(registry);
    for (const std::string& name : file_.names("probe"))
      probes_.emplace_back(file_.section("probe." + name), scene_);
    readOutput();
    file_.finish();
    checkStart();
  }

  //! Before they are built: a mesh that is of no use is not read
  void Simulation::checkBodies(const Registry& registry) const
  {
    const MethodType& method = registry.method(file_.section("time").type());
    for (const std::string& name : file_.names("body")) {
      const Section body = file_.section("body." + name);
      if (std::find(method.bodies.begin(), method.bodies.end(), body.type()) == method.bodies.end())
        body.fail("type", fmt::format("{} cannot be used with method = {}, which can handle {}",
                                      body.type(), method.name, fmt::join(method.bodies, ", ")));
      if (method.inertia)
        continue;
      for (const char* key : {"velocity", "spin"})
        if (body.has(key) && std::ranges::any_of(body.reals(key), [](double x) { return x != 0; }))
          body.fail(
            key, fmt::format("must be zero with method = {}, which has no inertia", method.name));
      if (body.has("mass") && body.word("mass") != "consistent")
        body.fail("mass",
                  fmt::format("has no effect with method = {}, which has no inertia", method.name));
    }
  }

  void Simulation::buildScene(const Registry& registry)
  {
    // solids come first: contact of surfaces counts the nodes of the system from the first number
    // on
    for (const bool solids : {true, false})
      for (const std::string& name : file_.names("body"))
        if (const Section section = file_.section("body." + name);
            (section.type() == "solid") == solids)
          registry.body(section.type()).build(section, scene_);
    if (scene_.bodies.empty())
      file_.fail("no body that can move: at least one section [body.NAME] is needed");
    for (const SectionType& type : registry.sections())
      for (const std::string& name : file_.names(type.name))
        type.build(file_.section(type.name + "." + name), scene_);
  }

  void Simulation::buildMethod(const Registry& registry)
  {
    const Section time = file_.section("time");
    method_ = time.type();
    const MethodType& method = registry.method(method_);
    if (!method.prescribedDofs && !scene_.system.motions().empty())
      time.fail("method",
                fmt::format("{} cannot move bodies by [motion], only obstacles", method_));
    checkLaws(registry, method);
    if (!method.joints && !scene_.system.constraints().empty())
      time.fail(
        "method",
        fmt::format(
          "{} cannot handle joints, moved frames and clamped beams with formulation = exponential",
          method_));
    gapTolerance_ = time.real("gap-tolerance", std::ldexp(scene_.length(), -40));
    readPlan(time, method);
    if (!method.inertia)
      if (const std::string unheld = unheldBodies(scene_, std::array{step_, endTime()});
          !unheld.empty())
        file_.fail(unheld);
    try {
      stepper_ = method.build(
        {time, file_.section("solver"), scene_, step_, criticalStep_, gapTolerance_, stop_});
    }
    catch (const ContactRefused& error) {
      file_.section("contact." + error.contact).fail(error.key, error.what());
    }
    if (stepper_->variableStep() && !stepsGiven_)
      steps_ = 0;
  }

  //! What the law of each contact asks for, the method must have
  void Simulation::checkLaws(const Registry& registry, const MethodType& method) const
  {
    for (const Contact& contact : scene_.contacts) {
      const Section section = file_.section("contact." + contact.name);
      const ContactLaw& law = contact.law;
      if (law.stiffness > 0 && !method.penaltyContact)
        section.fail("law", fmt::format("penalty cannot be used with method = {}", method_));
      if (law.restitutionLaw && !(method.restitutionLaws &&
                                  contact.geometry.offers<ImpulseGeometry>() && law.stiffness == 0))
        section.fail(
          "restitution",
          fmt::format("a law of restitution has no effect here with method = {}", method_));
      if (law.restitution != 0 && !method.impacts)
        section.fail("restitution",
                     fmt::format("must be 0 with method = {}, which has no impacts", method_));
      if (law.friction != 0 && law.slip == Slip::midStep && !method.impacts)
        section.fail(
          "slip",
          fmt::format("must be post-impact with method = {}, which has no impacts", method_));
      if (law.friction != 0)
        checkFriction(registry, method, contact);
    }
  }

  //! Friction of a method is friction of some types of bodies; the sentence names the methods that
  //! have it
  void Simulation::checkFriction(const Registry& registry, const MethodType& method,
                                 const Contact& contact) const
  {
    const auto has = [](const MethodType& one, const std::string& type) {
      return std::ranges::find(one.friction, type) != one.friction.end();
    };
    for (const ContactSide* side : {&contact.first, &contact.second}) {
      if (!side->body)
        continue;
      const std::string type =
        file_.section("body." + scene_.system.body(*side->body).name()).type();
      if (has(method, type))
        continue;
      std::vector<std::string> methods;
      for (const MethodType& one : registry.methods())
        if (has(one, type))
          methods.push_back(one.name);
      file_.section("contact." + contact.name)
        .fail("friction",
              fmt::format("must be 0 for a {} with method = {}; methods with friction for it: {}",
                          type, method_,
                          methods.empty() ? "none" : fmt::to_string(fmt::join(methods, ", "))));
    }
  }

  std::vector<std::string> Simulation::notes() const
  {
    std::vector<std::string> notes;
    for (const std::string& note : scene_.notes)
      notes.push_back(fmt::format("{}: note: {}", file_.ini().source(), note));
    return notes;
  }

  //! The step is given, or courant times the critical step at the start. The number of steps is
  //! round(end/step): none is shortened to hit the end.
  void Simulation::readPlan(const Section& time, const MethodType& method)
  {
    const State initial = initialState();
    criticalStep_ = method.conditionallyStable
                      ? Impact::criticalStep(scene_.system, scene_.contacts, 0, initial.q)
                      : std::numeric_limits<double>::infinity();
    const bool courant = method.conditionallyStable && time.has("courant");
    if (courant && time.has("step"))
      time.fail("courant", "has no meaning together with `step`");
    if (courant) {
      const double fraction = time.real("courant");
      if (!(fraction > 0))
        time.fail("courant", fmt::format("must be positive, got {}", fraction));
      if (!std::isfinite(criticalStep_))
        time.fail("courant", "nothing here has a critical step, give `step`");
      step_ = fraction * criticalStep_;
    }
    else
      step_ = time.real("step");
    if (step_ > criticalStep_ * (1 + 1e-12))
      time.fail("step",
                fmt::format("{:.6g} is above the stability limit {:.6g}", step_, criticalStep_));

    stepsGiven_ = time.has("steps");
    if (stepsGiven_ && time.has("end"))
      time.fail("steps", "has no meaning together with `end`");
    if (stepsGiven_)
      steps_ = time.integer("steps");
    else {
      end_ = time.real("end");
      const double steps = std::round(end_ / step_);
      if (!(steps >= 1 && steps <= 1e15))
        time.fail("end", fmt::format("needs between 1 and 1e15 steps, got {:.6g}", end_ / step_));
      steps_ = long(steps);
    }
  }

  //! Bodies must have finite energies and must not overlap at the start
  void Simulation::checkStart() const
  {
    const System& system = scene_.system;
    const State initial = initialState();
    for (std::size_t i = 0; i < system.bodyCount(); ++i) {
      const ConstSpan q = system.configurationSlice(i, initial.q),
                      p = system.velocitySlice(i, initial.p);
      if (!std::isfinite(system.body(i).kinetic(q, p)) ||
          !std::isfinite(system.body(i).potentials(0, q).sum()))
        file_.fail(fmt::format("body.{}: its energy at the start is not a finite number, sizes or "
                               "masses are too small or too large",
                               system.body(i).name()));
    }
    const double tolerance = std::max(gapTolerance_, std::ldexp(scene_.length(), -40));
    for (std::size_t i = 0; i < scene_.contacts.size(); ++i)
      if (const auto [gap, place] = scene_.nearest(i); gap < -tolerance)
        file_.fail(fmt::format(
          "contact.{}: the sides overlap by {:.6g} at the start{}", scene_.contacts[i].name, -gap,
          place ? fmt::format(", at {:.6g} {:.6g} {:.6g}", (*place)[0], (*place)[1], (*place)[2])
                : ""));
  }

  void Simulation::readOutput()
  {
    const Section output = file_.section("output");
    directory_ = output.text("directory",
                             "out/" + std::filesystem::path(file_.ini().source()).stem().string());
    if (directory_.empty())
      output.fail("directory", "must name a folder");
    historyEvery_ = output.integer("history-every");
    vtkEvery_ = output.integer("vtk-every");
    checkpointEvery_ = output.integer("checkpoint-every");
    report_ = output.flag("report");
    for (const auto& [key, value] :
         {std::pair("vtk-every", vtkEvery_), std::pair("checkpoint-every", checkpointEvery_)})
      if (value < 0)
        output.fail(key, fmt::format("must not be negative, got {}", value));
  }

  std::filesystem::path Simulation::directory(const RunOptions& options) const
  {
    return options.output ? *options.output : std::filesystem::path(directory_);
  }

  //! What defines the run; where it ends and where results go may change when it is resumed
  std::uint64_t Simulation::hash() const
  {
    return file_.hash({"title", "units", "time.end", "time.steps", "output.directory",
                       "output.checkpoint-every", "output.report"});
  }

  double Simulation::endTime() const
  {
    return stepsGiven_ || steps_ > 0 ? double(steps_) * step_ : end_;
  }

  /* A number of steps if they have one length, else a time; a rounding error before the end is the
   * end. */
  bool Simulation::finished(const State& state) const
  {
    return steps_ > 0 ? state.step >= steps_ : state.time >= end_ - 1e-9 * step_;
  }

  void Simulation::stop(const State& state, const std::string& reason) const
  {
    throw RunError(fmt::format("{}: stopped at time {:.6g} after {} steps: {}",
                               file_.ini().source(), state.time, state.step, reason));
  }

  void Simulation::checkFinite(const State& state, const Record& record) const
  {
    if (std::isfinite(record.total()))
      return;
    const System& system = scene_.system;
    for (std::size_t i = 0; i < system.bodyCount(); ++i) {
      const ConstSpan q = system.configurationSlice(i, state.q),
                      p = system.velocitySlice(i, state.p);
      if (!std::isfinite(system.body(i).kinetic(q, p)) ||
          !std::isfinite(system.body(i).potentials(state.time, q).sum()))
        throw RunError(fmt::format("{}: positions or velocities are no longer finite numbers",
                                   system.body(i).name()));
    }
    throw RunError("the energy is no longer a finite number");
  }

  /* Beams that cross at an angle can pass between the points where contact is looked for. Half of
   * the radii is far more than elements that are fine enough let them overlap, and less than would
   * exchange their sides. */
  void Simulation::checkCrossing(const State& state) const
  {
    for (const Contact& contact : scene_.contacts) {
      const auto* geometry = contact.geometry.find<GapSlipGeometry>();
      if (const double gap = geometry ? geometry->gapAnywhere(state.q) : 0;
          geometry && gap < -geometry->reach())
        throw RunError(fmt::format(
          "contact.{}: the beams cross and overlap by {:.3g} between the points where contact is "
          "looked for, at time {:.6g}; use elements that are not longer than the beams are thick",
          contact.name, -gap, state.time));
    }
  }

  //! The first row of a staggered method is made of the initial state, because its stepper knows
  //! momenta between instants only.
  void Simulation::run(const RunOptions& options)
  {
    const std::filesystem::path directory = this->directory(options);
    Output output(*this, directory, options);
    StepReport report;
    State state;
    if (output.loaded())
      state = output.loaded()->state;
    else {
      const State initial = initialState();
      state = stepper_->start(initial, report);
      Record record = stepper_->staggered()
                        ? Record{.step = 0,
                                 .time = 0,
                                 .kinetic = scene_.system.kinetic(initial.q, initial.p),
                                 .stored = scene_.system.potentials(0, initial.q),
                                 .momenta = scene_.system.momenta(initial.q, initial.p)}
                        : stepper_->record(state, state);
      const RecordedMomenta recordedMomenta = stepper_->staggered()
                                                ? RecordedMomenta{initial.q, initial.p}
                                                : stepper_->recordedMomenta(state, state);
      output.summary().observe(report, 0, 0);
      output.summary().observe(record);
      output.writeRow(record, report, initial.q, recordedMomenta);
      output.show(initial.q, recordedMomenta, state, state, false);
    }
    try {
      loop(state, report, output, options);
    }
    catch (const RunError& error) {
      try {
        output.finish(state, error.what());
      }
      catch (const RunError&) {
      } // the first reason is the one to tell
      stop(state, error.what());
    }
    output.finish(state, "end of the simulation");
    if (!options.quiet) {
      warnOfGain();
      warnOfResidual(output.summary().numbers());
      warnOfOverlap(output.summary().overlaps());
    }
  }

  //! Steps whose laws of contact hold less well than the tolerance asks for
  void Simulation::warnOfResidual(const SummaryNumbers& numbers) const
  {
    if (numbers.failures > 0)
      fmt::print(
        stderr,
        "{}: warning: the solver has missed its tolerance {} times in {} steps, its largest "
        "residual is {:.2g}; momenta and the balance of energy are exact all the same\n",
        file_.ini().source(), numbers.failures, numbers.steps, numbers.residualMax);
  }

  //! Contacts whose sides lay in each other by more than a tenth of a body or of a cell
  void Simulation::warnOfOverlap(const std::vector<DeepOverlap>& overlaps) const
  {
    for (const auto& [pair, time, depth, size] : overlaps) {
      const Contact& contact = scene_.contacts[std::size_t(pair)];
      fmt::print(stderr,
                 "{}: warning: contact.{}: {} overlaps {} by {:.3g} at time {:.6g}, more than a "
                 "tenth of the size {:.3g} of a body or cell; a smaller step overlaps less\n",
                 file_.ini().source(), contact.name, scene_.sideName(contact.first),
                 scene_.sideName(contact.second), depth, time, size);
    }
  }

  //! Friction on the slip after an impact is usual, but has no bound on the energy
  void Simulation::warnOfGain() const
  {
    if (!(contactGain_ > 0))
      return;
    for (const Contact& contact : scene_.contacts)
      if (contact.law.canGain())
        fmt::print(
          stderr,
          "{}: warning: contact.{}: impacts with friction on the slip after them have raised the "
          "energy, by {:.3g} in the step to time {:.6g}; with slip = mid-step they never do\n",
          file_.ini().source(), contact.name, contactGain_, contactGainTime_);
  }

  //! The largest work of contact and friction together in one step, as far as it is more than
  //! round-off
  void Simulation::observeGain(const State& before, const State& after)
  {
    constexpr double roundOff = 1e-9;
    const double normal = after.ledger.contactWork - before.ledger.contactWork,
                 tangential = after.ledger.frictionWork - before.ledger.frictionWork;
    const double gain = normal + tangential;
    if (gain > contactGain_ && gain > roundOff * (std::abs(normal) + std::abs(tangential))) {
      contactGain_ = gain;
      contactGainTime_ = after.time;
    }
  }

  //! The step that was left has changed nothing: the state is the last accepted one, and a run that
  //! has checkpoints gets one of it.
  void Simulation::interrupt(const State& state, Output& output, const char* reason) const
  {
    if (checkpointEvery_ > 0 && state.step % checkpointEvery_ != 0)
      output.writeCheckpoint(state);
    throw RunError(reason);
  }

  /* Steps from `state` to `next` and swaps them; `state` is always the last accepted state. */
  void Simulation::loop(State& state, StepReport& report, Output& output, const RunOptions& options)
  {
    State next;
    bool first = !options.resume;
    while (!finished(state)) {
      try {
        stop_.check();
        stepper_->step(state, next, report);
      }
      catch (const Interrupted& error) {
        interrupt(state, output, error.what());
      }
      checkCrossing(next);
      const bool last = finished(next);
      const bool row = next.step % historyEvery_ == 0 || last;
      Record record;
      if (row || (first && stepper_->staggered())) {
        record = stepper_->record(state, next);
        checkFinite(next, record);
        if (first && stepper_->staggered())
          output.summary().setReference(record);
      }
      first = false;
      output.summary().observe(report, next.time, next.step);
      if (row) {
        output.summary().observe(record);
        output.writeRow(record, report, next.q, stepper_->recordedMomenta(state, next));
      }
      observeGain(state, next);
      if (output.shows(next.step, last))
        output.show(next.q, stepper_->recordedMomenta(state, next), state, next, last);
      std::swap(state, next);
      if (checkpointEvery_ > 0 && state.step % checkpointEvery_ == 0)
        output.writeCheckpoint(state);
      output.progress().update(state.step, state.time, output.summary().energyError());
    }
    output.progress().finish(state.step, state.time, output.summary().energyError());
  }

} // namespace Dune::Impact
