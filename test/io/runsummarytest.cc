// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/version.hh>
#include <dune/impact/io/runsummary.hh>

#include "support.hh"

using namespace Dune::Impact;
using namespace Dune::Impact::Testing;

namespace {

  // A row whose energy is `kinetic` + 2, and whose kinetic plus elastic energy is `kinetic` + 8;
  // 1 is dissipated from step 2 on
  Record row(long step, double kinetic, double work, const Vec3& linear, const Vec3& angular)
  {
    Record record;
    record.step = step;
    record.time = 0.5 * step;
    record.kinetic = kinetic;
    record.stored = {.elastic = 8, .potential = -7, .contact = 1};
    record.dissipated = step < 2 ? 0 : 1;
    record.externalWork = work;
    record.momenta = {linear, angular};
    return record;
  }

  StepReport report(std::vector<double> impulses, double gap, int iterations, bool converged = true)
  {
    StepReport result;
    result.solve = {
      .iterations = iterations, .residual = converged ? 0 : 0.25, .converged = converged};
    result.contact.resize(impulses.size());
    for (std::size_t pair = 0; pair < impulses.size(); ++pair)
      result.contact[pair].frictionWork = -0.5 * impulses[pair];
    result.pairImpulse = std::move(impulses);
    result.minGap = gap;
    result.weight = 0.5;
    return result;
  }

  // Two pairs over eight steps. Pair 0 touches in steps 2, 3 and 6, pair 1 in 3, 4, 5 and 8.
  const std::vector<StepReport> reports = {
    report({0, 0}, 0.5, 0),    report({2, 0}, 0.25, 4),
    report({1, 3}, -0.125, 6), report({0, 1}, -0.25, 2, false),
    report({0, 1}, 0, 3),      report({0.5, 0}, 0.125, 1),
    report({0, 0}, 1, 0),      report({0, 0.25}, 0, 2)};

  const std::vector<Record> rows = {
    row(0, 4, 0, {1, 2, 0}, {0, 0, 5}), row(1, 8, 4, {1, 2, 0}, {0, 0, 5}),
    row(2, 7, 4, {4, 2, 4}, {0, 0, 5}), row(3, 7.5, 4, {1, 2, 0}, {0, 0, 3}),
    row(4, 6, 4, {1, 2, 0}, {0, 2, 5}), row(5, 6, 4, {1, 2, 0}, {0, 0, 5}),
    row(6, 6, 4, {1, 2, 0}, {0, 0, 5}), row(7, 6.25, 4, {1, 2, 0}, {0, 0, 5}),
    row(8, 6, 4, {1, 2, 0}, {0, 0, 5})};

  void run(RunSummary& summary, long begin, long end)
  {
    if (begin == 0)
      summary.observe(rows[0]);
    for (long step = begin + 1; step <= end; ++step) {
      summary.observe(reports[step - 1], 0.5 * step, step);
      summary.observe(rows[step]);
      if (step == 4)
        summary.figure("half way", 1. / 3);
    }
  }

  const SummaryInfo info = {.title = "Two \"balls\"",
                            .method = "midpoint",
                            .units = "mm ms g",
                            .stopReason = "end",
                            .wallSeconds = 1.5,
                            .pairs = {"left", "right"}};

} // namespace

// The largest kinetic plus elastic energy is 16, E - W is 6 6 5 5.5 4 4 4 4.25 4 and E + D - W is
// 6 6 6 6.5 5 5 5 5.25 5.
Dune::TestSuite energyTest()
{
  Dune::TestSuite test("energy and momentum");
  RunSummary summary;
  run(summary, 0, 4);
  test.check(summary.energyError() == 1. / 16, "current error") << summary.energyError();
  run(summary, 4, 8);
  const auto n = summary.numbers();
  test.check(n.steps == 8 && n.time == 4, "steps and time");
  test.check(n.energyInitial == 6 && n.energyFinal == 8, "energies")
    << n.energyInitial << " " << n.energyFinal;
  test.check(n.energyErrorMax == 1. / 16, "largest error") << n.energyErrorMax;
  test.check(n.energyGainMax == 0.5 / 16, "largest gain") << n.energyGainMax;
  test.check(n.energyLost == 1. / 16, "energy lost") << n.energyLost;
  test.check(n.linearDrift == 5, "linear momentum") << n.linearDrift;
  test.check(n.angularDrift == 2, "angular momentum") << n.angularDrift;
  test.check(n.momentumDrift == std::array<double, 6>{3, 0, 4, 0, 2, 2}, "components");

  RunSummary referred;
  referred.setReference(row(0, 0, 0, {}, {}));
  run(referred, 0, 8);
  test.check(referred.numbers().energyInitial == 2, "given reference");
  test.check(referred.numbers().energyErrorMax == 4.5 / 16, "error from the reference");
  return test;
}

Dune::TestSuite contactTest()
{
  Dune::TestSuite test("contact and solver");
  RunSummary summary;
  run(summary, 0, 8);
  const std::vector<ContactEvent> expected = {{0, 1, 1.5}, {1, 1.5, 2.5}, {0, 3, 3}, {1, 4, 4}};
  test.check(summary.events() == expected, "events") << summary.events().size();
  const auto n = summary.numbers();
  test.check(n.impacts == 4, "impacts") << n.impacts;
  test.check(n.activeSteps == 6, "active steps") << n.activeSteps;
  test.check(n.firstContact == 1 && n.lastContact == 4, "times")
    << n.firstContact << " " << n.lastContact;
  test.check(n.totalImpulse == 8.75, "impulse") << n.totalImpulse;
  test.check(n.peakForce == 8, "force") << n.peakForce;
  test.check(summary.frictionWork(0) == -1.75 && summary.frictionWork(1) == -2.625,
             "work of friction")
    << summary.frictionWork(0) << " " << summary.frictionWork(1);
  StepReport late = report({1, 0}, 0, 0);
  late.workFollows = true;
  summary.observe(late, 4.5, 9);
  test.check(summary.frictionWork(0) == -1.75, "the work of impulses at the row comes after it");
  summary.observe(report({0, 0}, 0, 0), 5, 10);
  test.check(summary.frictionWork(0) == -2.25, "in the next one");
  test.check(n.minGap == -0.25 && n.maxPenetration == 0.25, "gap")
    << n.minGap << " " << n.maxPenetration;
  test.check(n.solvedSteps == 6 && n.iterationsMean == 3 && n.iterationsMax == 6, "iterations")
    << n.iterationsMean;
  test.check(n.failures == 1 && n.residualMax == 0.25, "failures")
    << n.failures << " " << n.residualMax;
  return test;
}

// The elastic energy is the scale; cycles are counted over steps with iterations.
Dune::TestSuite staticTest()
{
  Dune::TestSuite test("statics");
  RunSummary summary;
  summary.observe(Record{});
  for (int step : {1, 2}) {
    StepReport report;
    report.solve.iterations = step;
    report.solve.cycles = 5 * step * step;
    summary.observe(report, step, step);
    summary.observe(Record{.step = step,
                           .time = double(step),
                           .stored = {.elastic = 1.0 * step},
                           .externalWork = 1.5 * step});
  }
  const auto n = summary.numbers();
  test.check(n.energyErrorMax == 0.5, "error in units of the elastic energy") << n.energyErrorMax;
  test.check(n.cyclesMean == 12.5 && n.cyclesMax == 20, "cycles")
    << n.cyclesMean << " " << n.cyclesMax;
  return test;
}

// A body at rest far above the origin: motion and error are the rounding of its potential energy
Dune::TestSuite restTest()
{
  Dune::TestSuite test("at rest");
  RunSummary still, far;
  still.observe(Record{});
  still.observe(Record{.step = 1, .time = 1});
  test.check(still.numbers().energyErrorMax == 0 && still.numbers().energyLost == 0, "no energy");
  far.observe(Record{.stored = {.potential = 1024}});
  far.observe(Record{.step = 1, .time = 1, .kinetic = 1e-30, .stored = {.potential = 1025}});
  test.check(far.numbers().energyErrorMax == 1. / 1025, "the scale is the potential energy")
    << far.numbers().energyErrorMax;
  return test;
}

// Heights that are counted from another level change no energy error.
Dune::TestSuite levelTest()
{
  Dune::TestSuite test("level of heights");
  RunSummary here, there;
  for (long step = 0; step < 5; ++step) {
    Record record = row(step, 4 + 0.25 * step, 0, {}, {});
    here.observe(record);
    record.stored.potential += 65536;
    there.observe(record);
  }
  const auto a = here.numbers(), b = there.numbers();
  test.check(a.energyErrorMax > 0 && a.energyErrorMax == b.energyErrorMax &&
               a.energyLost == b.energyLost && a.energyGainMax == b.energyGainMax,
             "same errors")
    << a.energyErrorMax << " " << b.energyErrorMax;
  return test;
}

// What did not happen, what is tiny and what is not finite
Dune::TestSuite specialTest()
{
  Dune::TestSuite test("special values");
  RunSummary summary;
  const auto empty = summary.numbers();
  test.check(std::isnan(empty.energyInitial) && empty.energyErrorMax == 0, "no rows");
  summary.observe(row(0, 0, 0, {0, 0, 0}, {0, 0, 0}));
  summary.observe(report({}, std::numeric_limits<double>::infinity(), 0), 0.5, 1);
  summary.observe(row(1, 0, 0, {1e-200, 0, 0}, {0, 0, 0}));
  auto n = summary.numbers();
  test.check(std::isnan(n.minGap) && n.maxPenetration == 0, "no contact, no gap");
  test.check(std::isnan(n.firstContact) && std::isnan(n.lastContact), "no contact, no times");
  test.check(n.linearDrift == 1e-200, "a tiny drift is not zero") << n.linearDrift;
  test.check(n.angularDrift == 0, "no drift is zero") << n.angularDrift;

  summary.observe(row(2, std::nan(""), 0, {0, 0, 0}, {0, 0, 0}));
  summary.observe(row(3, 1, 0, {0, 0, 0}, {0, 0, 0}));
  n = summary.numbers();
  test.check(std::isnan(n.energyErrorMax) && std::isnan(n.energyGainMax), "a nan is not forgotten");
  const auto json = nlohmann::json::parse(summary.json({}));
  test.check(json["energy_error_max"].is_null() && json["min_gap"].is_null(), "null in the file");
  test.check(json["figures"]["first_contact"].is_null(), "null in the figures");
  test.check(json["contact_events"].is_array() && json["contact_events"].empty(), "empty list");
  return test;
}

// The file has the promised keys, all of them and no others.
Dune::TestSuite jsonTest()
{
  Dune::TestSuite test("json");
  const TemporaryFolder folder;
  const auto file = folder / "summary.json";
  RunSummary summary;
  run(summary, 0, 8);
  summary.writeJson(file, info);
  const auto json = nlohmann::json::parse(slurp(file));

  std::vector<std::string> keys, promised = {"title",
                                             "method",
                                             "version",
                                             "steps",
                                             "time",
                                             "wall_seconds",
                                             "energy_initial",
                                             "energy_final",
                                             "energy_error_max",
                                             "energy_lost",
                                             "energy_gain_max",
                                             "linear_momentum_drift",
                                             "angular_momentum_drift",
                                             "min_gap",
                                             "impacts",
                                             "contact_events",
                                             "overlaps",
                                             "solver",
                                             "figures",
                                             "units",
                                             "stop_reason"};
  for (const auto& [key, value] : json.items())
    keys.push_back(key);
  std::ranges::sort(promised);
  test.check(keys == promised, "keys");
  test.check(json["title"] == info.title && json["units"] == info.units &&
               json["method"] == "midpoint",
             "texts");
  test.check(json["version"] == version() && json["stop_reason"] == "end", "version and reason");
  test.check(json["steps"] == 8 && json["time"] == 4 && json["wall_seconds"] == 1.5, "numbers");
  test.check(json["energy_gain_max"] == 0.03125 && json["energy_lost"] == 0.0625 &&
               json["energy_initial"] == 6,
             "energies");
  test.check(json["contact_events"][1] ==
               nlohmann::json({{"pair", "right"}, {"begin", 1.5}, {"end", 2.5}}),
             "event");
  test.check(json["solver"]["iterations_max"] == 6 && json["solver"]["failures"] == 1, "solver");
  const auto& statistics = json["figures"];
  test.check(statistics["total_impulse"] == 8.75 && statistics["peak_force"] == 8 &&
               statistics["first_contact"] == 1 && statistics["last_contact"] == 4 &&
               statistics["max_penetration"] == 0.25 && statistics["active_steps"] == 6 &&
               statistics["lz_drift"] == 2,
             "figures");
  test.check(statistics["half way"].get<double>() == 1. / 3, "a special value has all its digits");

  std::string error;
  {
    const FileSizeLimit full(100);
    error = errorOf<RunError>([&] { RunSummary().writeJson(file, info); });
  }
  test.check(contains(error, "summary.json: cannot write: File too large"), "full disk") << error;
  test.check(nlohmann::json::parse(slurp(file)) == json, "the old file stays");
  return test;
}

// Interrupted after any step, also inside an event, the summary ends the same.
Dune::TestSuite packTest()
{
  Dune::TestSuite test("pack");
  RunSummary whole;
  run(whole, 0, 8);
  for (long stop = 1; stop < 8; ++stop) {
    RunSummary first, second;
    run(first, 0, stop);
    const auto packed = first.pack();
    second.unpack(packed, RunSummary::packVersion);
    test.check(sameBits(second.pack(), packed), "same numbers") << stop;
    run(second, stop, 8);
    test.check(sameBits(second.pack(), whole.pack()), "same end") << stop;
    test.check(second.json(info) == whole.json(info), "same text") << stop;
  }
  return test;
}

// A pair that touches in every second step: events beyond the limit are counted, and memory stays
// as it is
Dune::TestSuite manyEventsTest()
{
  Dune::TestSuite test("many events");
  const auto chatter = [](RunSummary& summary, long begin, long end) {
    for (long step = begin; step < end; ++step)
      summary.observe(report({step % 2 == 0 ? 1.0 : 0.0}, 0, 0), step, step);
  };
  const long limit = RunSummary::maxEvents;
  RunSummary whole, first, second;
  chatter(whole, 0, 4 * limit);
  test.check(whole.numbers().impacts == 2 * limit, "all are counted") << whole.numbers().impacts;
  test.check(long(whole.events().size()) == limit, "the first ones are kept")
    << whole.events().size();
  test.check(whole.events().back() == ContactEvent{0, 2.0 * (limit - 1), 2.0 * (limit - 1)},
             "the last one that is kept");
  test.check(whole.numbers().lastContact == 4 * limit - 2, "times go on");
  chatter(first, 0, 3 * limit + 1); // inside an event that is not kept
  test.check(first.pack().size() == whole.pack().size(), "the packed form does not grow");
  second.unpack(first.pack());
  chatter(second, 3 * limit + 1, 4 * limit);
  test.check(sameBits(second.pack(), whole.pack()), "interrupted: the same end");
  return test;
}

Dune::TestSuite refuseTest()
{
  Dune::TestSuite test("refuse");
  RunSummary whole, other;
  run(whole, 0, 8);
  auto packed = whole.pack();
  const auto refusal = [&] { return errorOf<InputError>([&] { other.unpack(packed); }); };
  const auto version = errorOf<InputError>([&] { other.unpack(packed, 77); });
  test.check(contains(version, "version 77"), "other version") << version;
  for (auto size = packed.size(); size > 0;) {
    packed.resize(--size);
    test.check(contains(refusal(), "damaged"), "cut off") << size;
  }
  packed = whole.pack();
  packed.push_back(0);
  test.check(contains(refusal(), "damaged"), "too long");
  test.check(sameBits(other.pack(), RunSummary().pack()), "a refused unpack changes nothing");
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  test.subTest(energyTest());
  test.subTest(contactTest());
  test.subTest(staticTest());
  test.subTest(restTest());
  test.subTest(levelTest());
  test.subTest(specialTest());
  test.subTest(jsonTest());
  test.subTest(packTest());
  test.subTest(manyEventsTest());
  test.subTest(refuseTest());
  return test.exit();
}
