// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <nlohmann/json.hpp>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/version.hh>
#include <dune/impact/io/file.hh>
#include <dune/impact/io/runsummary.hh>

namespace Dune::Impact {

  namespace {

    // Largest value so far. A nan is larger than everything and stays.
    void raise(double& maximum, double value)
    {
      if (value > maximum || std::isnan(value))
        maximum = value;
    }

    // Quotient with 0 / 0 = 0: no error on no scale.
    double relative(double value, double scale)
    {
      return value == 0 ? 0 : value / scale;
    }

    // std::hypot does not underflow, so the length of a tiny drift is not zero.
    double length(const Vec3& x)
    {
      return std::hypot(x[0], x[1], x[2]);
    }

    // Reads packed numbers one after the other.
    class Unpacker
    {
    public:
      explicit Unpacker(std::span<const double> numbers) : numbers_(numbers) {}

      std::span<const double> take(std::size_t size)
      {
        check(size <= numbers_.size());
        const auto result = numbers_.first(size);
        numbers_ = numbers_.subspan(size);
        return result;
      }

      double number() { return take(1)[0]; }

      void check(bool condition) const
      {
        if (!condition)
          throw InputError("the summary in the checkpoint is damaged");
      }

      // A count of things that follow, each at least one number long.
      std::size_t count()
      {
        const double n = number();
        check(n >= 0 && n <= numbers_.size() && n == std::floor(n));
        return n;
      }

      void finish() const { check(numbers_.empty()); }

    private:
      std::span<const double> numbers_;
    };

    nlohmann::ordered_json eventList(const std::vector<ContactEvent>& events,
                                     const std::vector<std::string>& names)
    {
      auto list = nlohmann::ordered_json::array();
      for (const auto& event : events) {
        nlohmann::ordered_json entry;
        if (static_cast<std::size_t>(event.pair) < names.size())
          entry["pair"] = names[event.pair];
        else
          entry["pair"] = event.pair;
        entry["begin"] = event.begin;
        entry["end"] = event.end;
        list.push_back(std::move(entry));
      }
      return list;
    }

    nlohmann::ordered_json overlapList(const std::vector<DeepOverlap>& overlaps,
                                       const SummaryInfo& info)
    {
      auto list = nlohmann::ordered_json::array();
      for (const auto& [pair, time, depth, size] : overlaps) {
        const auto number = static_cast<std::size_t>(pair);
        nlohmann::ordered_json entry;
        entry["pair"] = number < info.pairs.size() ? info.pairs[number] : std::to_string(pair);
        if (number < info.sides.size()) {
          entry["first"] = info.sides[number][0];
          entry["second"] = info.sides[number][1];
        }
        entry["time"] = time;
        entry["depth"] = depth;
        entry["size"] = size;
        list.push_back(std::move(entry));
      }
      return list;
    }

    nlohmann::ordered_json figureList(const SummaryNumbers& n,
                                      const std::map<std::string, double>& special)
    {
      nlohmann::ordered_json list = {
        {"first_contact", n.firstContact},     {"last_contact", n.lastContact},
        {"total_impulse", n.totalImpulse},     {"peak_force", n.peakForce},
        {"max_penetration", n.maxPenetration}, {"active_steps", n.activeSteps}};
      const auto components = {"px_drift", "py_drift", "pz_drift",
                               "lx_drift", "ly_drift", "lz_drift"};
      for (std::size_t i = 0; const auto* name : components)
        list[name] = n.momentumDrift[i++];
      for (const auto& [name, value] : special)
        list[name] = value;
      return list;
    }

  } // namespace

  //! With the impulse r of the pairs and the time h = weight over which it acts: sum of r, largest
  //! r/h, smallest gap
  void RunSummary::observe(const StepReport& report, double time, long step)
  {
    double impulse = 0;
    bool active = false;
    if (pairs_.size() < report.pairImpulse.size())
      pairs_.resize(report.pairImpulse.size());
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const double r = pair < report.pairImpulse.size() ? report.pairImpulse[pair] : 0;
      impulse += r;
      active = active || r > 0;
      observePair(pair, r > 0, time);
      if (pair < report.contact.size())
        observeFriction(pairs_[pair], report.contact[pair].frictionWork, report.workFollows);
      if (pair < report.contact.size() && pair < sizes_.size())
        observeOverlap(pairs_[pair], -report.contact[pair].gap, sizes_[pair], time);
    }
    if (active) {
      ++sums_.activeSteps;
      sums_.lastContact = time;
      if (std::isnan(sums_.firstContact))
        sums_.firstContact = time;
    }
    sums_.totalImpulse += impulse;
    if (impulse != 0 && report.weight > 0)
      raise(sums_.peakForce, impulse / report.weight);

    if (report.minGap < sums_.minGap || std::isnan(report.minGap))
      sums_.minGap = report.minGap;
    observeSolver(report.solve);
    sums_.step = step;
    sums_.time = time;
  }

  // A running event grows by this step, or ends with the one before, or a new one begins.
  void RunSummary::observePair(std::size_t pair, bool touching, double time)
  {
    double& event = pairs_[pair].event;
    if (!touching) {
      event = -1;
      return;
    }
    if (event < 0) {
      event = sums_.impacts++;
      if (events_.size() < maxEvents)
        events_.push_back({static_cast<long>(pair), time, time});
    }
    if (event < events_.size())
      events_[static_cast<std::size_t>(event)].end = time;
  }

  // Work of impulses at the instant of a row belongs to the next one.
  void RunSummary::observeFriction(Pair& pair, double work, bool follows)
  {
    if (follows)
      pair.shownFrictionWork = pair.frictionWork;
    pair.frictionWork += work;
    if (!follows)
      pair.shownFrictionWork = pair.frictionWork;
  }

  void RunSummary::observeOverlap(Pair& pair, double depth, double size, double time)
  {
    constexpr double part = 0.1;
    if (!(depth > part * size && depth > pair.depth))
      return;
    pair.depth = depth;
    pair.depthTime = time;
  }

  std::vector<DeepOverlap> RunSummary::overlaps() const
  {
    std::vector<DeepOverlap> result;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair)
      if (pairs_[pair].depth > 0)
        result.push_back({static_cast<long>(pair), pairs_[pair].depthTime, pairs_[pair].depth,
                          pair < sizes_.size() ? sizes_[pair] : 0});
    return result;
  }

  void RunSummary::observeSolver(const SolveReport& solve)
  {
    if (solve.iterations > 0)
      ++sums_.solvedSteps;
    sums_.iterations += solve.iterations;
    raise(sums_.iterationsMax, solve.iterations);
    sums_.cycles += solve.cycles;
    raise(sums_.cyclesMax, solve.cycles);
    if (!solve.converged) {
      ++sums_.failures;
      raise(sums_.residualMax, solve.residual);
    }
  }

  void RunSummary::setReference(const Record& row)
  {
    sums_.exchanged = row.total() - row.externalWork;
    sums_.energyInitial = row.total() + row.dissipated - row.externalWork;
  }

  //! The distance of the balance E + D - W from E_0 is the energy error, the rise of E - W since
  //! the last row the energy gain.
  void RunSummary::observe(const Record& row)
  {
    if (std::isnan(sums_.energyInitial) && sums_.rows == 0)
      setReference(row);
    const double energy = row.total(), exchanged = energy - row.externalWork;
    sums_.balance = energy + row.dissipated - row.externalWork;
    raise(sums_.gainMax, exchanged - sums_.exchanged);
    raise(sums_.errorMax, std::abs(sums_.balance - sums_.energyInitial));
    raise(sums_.motionMax, row.kinetic + row.stored.elastic);
    for (double part : {energy, row.dissipated, row.externalWork})
      raise(sums_.energyMax, std::abs(part));
    observeMomenta(row.momenta);

    sums_.energyFinal = energy;
    sums_.exchanged = exchanged;
    sums_.dissipated = row.dissipated;
    sums_.step = row.step;
    sums_.time = row.time;
    ++sums_.rows;
  }

  //! P - P_0 and L - L_0, by components and as lengths; the first row is the reference
  void RunSummary::observeMomenta(const Momenta& momenta)
  {
    std::array<Vec3, 2> drift = {momenta.linear, momenta.angular};
    for (std::size_t i = 0; i < 6; ++i) {
      double& component = drift[i / 3][i % 3];
      if (sums_.rows == 0)
        sums_.momenta[i] = component;
      component -= sums_.momenta[i];
      raise(sums_.momentumDrift[i], std::abs(component));
    }
    raise(sums_.linearDrift, length(drift[0]));
    raise(sums_.angularDrift, length(drift[1]));
  }

  //! S = max (T + U). If this is only the rounding of the energies, as for bodies at rest,
  //! S = max (|E|, |D|, |W|).
  double RunSummary::energyScale() const
  {
    constexpr double roundOff = 1e-14;
    return sums_.motionMax <= roundOff * sums_.energyMax ? sums_.energyMax : sums_.motionMax;
  }

  double RunSummary::energyError() const
  {
    return relative(std::abs(sums_.balance - sums_.energyInitial), energyScale());
  }

  SummaryNumbers RunSummary::numbers() const
  {
    const auto& s = sums_;
    const auto count = [](double x) { return static_cast<long>(x); };
    return {.steps = count(s.step),
            .time = s.time,
            .energyInitial = s.energyInitial,
            .energyFinal = s.energyFinal,
            .energyErrorMax = relative(s.errorMax, energyScale()),
            .energyLost = relative(s.dissipated, energyScale()),
            .energyGainMax = relative(s.gainMax, energyScale()),
            .linearDrift = s.linearDrift,
            .angularDrift = s.angularDrift,
            .momentumDrift = s.momentumDrift,
            .minGap = std::isinf(s.minGap) ? nan : s.minGap,
            .maxPenetration = s.minGap < 0           ? -s.minGap
                              : std::isnan(s.minGap) ? nan
                                                     : 0.,
            .firstContact = s.firstContact,
            .lastContact = s.lastContact,
            .totalImpulse = s.totalImpulse,
            .peakForce = s.peakForce,
            .impacts = count(s.impacts),
            .activeSteps = count(s.activeSteps),
            .solvedSteps = count(s.solvedSteps),
            .iterationsMean = relative(s.iterations, s.solvedSteps),
            .iterationsMax = count(s.iterationsMax),
            .cyclesMean = relative(s.cycles, s.solvedSteps),
            .cyclesMax = count(s.cyclesMax),
            .failures = count(s.failures),
            .residualMax = s.residualMax};
  }

  std::string RunSummary::json(const SummaryInfo& info) const
  {
    const auto n = numbers();
    nlohmann::ordered_json solver = {{"steps", n.solvedSteps},
                                     {"iterations_mean", n.iterationsMean},
                                     {"iterations_max", n.iterationsMax},
                                     {"cycles_mean", n.cyclesMean},
                                     {"cycles_max", n.cyclesMax},
                                     {"failures", n.failures},
                                     {"residual_max", n.residualMax}};
    for (const auto& [name, value] : figures_) // how many steps were solved in another way
      if (name.starts_with("steps_with_"))
        solver[name] = value;
    nlohmann::ordered_json summary = {{"title", info.title},
                                      {"method", info.method},
                                      {"version", version()},
                                      {"units", info.units},
                                      {"stop_reason", info.stopReason},
                                      {"steps", n.steps},
                                      {"time", n.time},
                                      {"wall_seconds", info.wallSeconds},
                                      {"energy_initial", n.energyInitial},
                                      {"energy_final", n.energyFinal},
                                      {"energy_error_max", n.energyErrorMax},
                                      {"energy_lost", n.energyLost},
                                      {"energy_gain_max", n.energyGainMax},
                                      {"linear_momentum_drift", n.linearDrift},
                                      {"angular_momentum_drift", n.angularDrift},
                                      {"min_gap", n.minGap},
                                      {"impacts", n.impacts},
                                      {"contact_events", eventList(events_, info.pairs)},
                                      {"overlaps", overlapList(overlaps(), info)},
                                      {"solver", solver},
                                      {"figures", figureList(n, figures_)}};
    // names in the input may be in any encoding; what is not UTF-8 is replaced
    return summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  }

  void RunSummary::writeJson(const std::filesystem::path& file, const SummaryInfo& info) const
  {
    replaceFile(file, json(info));
  }

  // The sums, then three lists, each after its length: pairs, events, statistics. The
  // letters of a name are numbers, too.
  std::vector<double> RunSummary::pack() const
  {
    static_assert(sizeof(Sums) % sizeof(double) == 0);
    const auto sums = std::bit_cast<std::array<double, sizeof(Sums) / sizeof(double)>>(sums_);
    std::vector<double> packed(sums.begin(), sums.end());
    const auto add = [&](double x) { packed.push_back(x); };

    add(pairs_.size());
    for (const auto& [event, work, shown, depth, time] : pairs_)
      packed.insert(packed.end(), {event, work, shown, depth, time});
    add(events_.size());
    for (const auto& [pair, begin, end] : events_)
      packed.insert(packed.end(), {static_cast<double>(pair), begin, end});
    add(figures_.size());
    for (const auto& [name, value] : figures_) {
      add(name.size());
      packed.insert(packed.end(), name.begin(), name.end());
      add(value);
    }
    return packed;
  }

  //! All lengths and counts are checked before anything changes: damaged numbers leave the summary
  //! as it was.
  void RunSummary::unpack(std::span<const double> packed, int version)
  {
    if (version != packVersion)
      throw InputError("the summary in the checkpoint is of version " + std::to_string(version) +
                       ", this program knows version " + std::to_string(packVersion));
    Unpacker from(packed);
    std::array<double, sizeof(Sums) / sizeof(double)> sums;
    std::ranges::copy(from.take(sums.size()), sums.begin());

    RunSummary result;
    result.sums_ = std::bit_cast<Sums>(sums);
    for (auto n = from.count(); n > 0; --n) {
      const auto pair = from.take(5);
      result.pairs_.push_back({pair[0], pair[1], pair[2], pair[3], pair[4]});
    }
    for (auto n = from.count(); n > 0; --n) {
      const auto event = from.take(3);
      result.events_.push_back({static_cast<long>(event[0]), event[1], event[2]});
    }
    for (auto n = from.count(); n > 0; --n) {
      const auto name = from.take(from.count());
      result.figures_[std::string(name.begin(), name.end())] = from.number();
    }
    from.finish();
    for (const Pair& pair : result.pairs_)
      from.check(pair.event == -1 || (pair.event >= 0 && pair.event < result.sums_.impacts));
    result.sizes_ = sizes_;
    from.check(result.events_.size() == std::min<double>(result.sums_.impacts, maxEvents));
    *this = std::move(result);
  }

} // namespace Dune::Impact
