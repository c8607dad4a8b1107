// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <cstdio>

#include <unistd.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/checkpoint.hh>

#include "support.hh"

using namespace Dune::Impact;
using namespace Dune::Impact::Testing;

namespace {

  State makeState(long step)
  {
    State state;
    state.time = step / 3.;
    state.step = step;
    state.q = difficultNumbers();
    for (int i = 0; i < 1000; ++i)
      state.p.push_back(1. / (i + step + 1));
    state.history = {
      {"multipliers", 3, {0.1, 0.2}}, {"status", 1, {}}, {"multipliers", 4, difficultNumbers()}};
    state.ledger.contactWork = -1. / 3;
    state.ledger.externalWork = -0.;
    state.ledger.eventSteps = 5;
    return state;
  }

  const CheckpointExtra extra = {.scenarioHash = 0xfedcba9876543210,
                                 .method = "cd-lagrange",
                                 .version = "0.1",
                                 .historyBytes = 1ul << 40,
                                 .summary = {1, 2, 0.1},
                                 .summaryVersion = 5,
                                 .pictureSteps = {0, 10, 20},
                                 .pictureTimes = {0, 0.5, 1}};

  CheckpointDemand makeDemand(const State& state)
  {
    return {extra.scenarioHash, extra.method, state.q.size(), state.p.size(), state.history};
  }

  bool sameState(const State& a, const State& b)
  {
    bool same = a.step == b.step && sameBits(a.time, b.time) && sameBits(a.q, b.q) &&
                sameBits(a.p, b.p) && a.ledger == b.ledger && a.history.size() == b.history.size();
    for (std::size_t i = 0; same && i < a.history.size(); ++i)
      same = a.history[i].name == b.history[i].name &&
             a.history[i].version == b.history[i].version &&
             sameBits(a.history[i].values, b.history[i].values);
    return same;
  }

  // What a call prints on stderr
  template<class F>
  std::string printed(const std::filesystem::path& file, F&& call)
  {
    std::fflush(stderr);
    const int saved = ::dup(2);
    if (!std::freopen(file.c_str(), "w", stderr))
      throw std::runtime_error("cannot redirect stderr");
    call();
    std::fflush(stderr);
    ::dup2(saved, 2);
    ::close(saved);
    return slurp(file);
  }

} // namespace

Dune::TestSuite roundTripTest()
{
  Dune::TestSuite test("round trip");
  const TemporaryFolder folder;
  const auto state = makeState(123);
  const auto file = saveCheckpoint(folder.path(), state, extra);
  test.check(file == folder / "checkpoint-000000123.h5", "name") << file;
  test.check(!exists(folder / "checkpoint-000000123.h5.tmp"), "no temporary file");
  const auto loaded = loadCheckpoint(file, makeDemand(state));
  test.check(sameState(loaded.state, state), "state");
  test.check(std::signbit(loaded.state.ledger.externalWork), "signed zero in the ledger");
  test.check(loaded.extra == extra, "the rest");

  const auto empty = saveCheckpoint(folder.path(), State{}, CheckpointExtra{});
  const auto nothing = loadCheckpoint(empty, CheckpointDemand{});
  test.check(nothing == Checkpoint{}, "empty state");
  return test;
}

Dune::TestSuite mismatchTest()
{
  Dune::TestSuite test("mismatch");
  const TemporaryFolder folder;
  const auto state = makeState(7);
  const auto file = saveCheckpoint(folder.path(), state, extra);
  const auto refusal = [&](auto change) {
    auto demand = makeDemand(state);
    change(demand);
    return errorOf<InputError>([&] { loadCheckpoint(file, demand); });
  };
  test.check(refusal([](auto&) {}).empty(), "fits");
  const auto scenario = refusal([](auto& d) { ++d.scenarioHash; });
  test.check(scenario == file.string() + ": cannot resume: the file belongs to another scenario",
             "scenario")
    << scenario;
  const auto method = refusal([](auto& d) { d.method = "nsga"; });
  test.check(contains(method, "was written by the method cd-lagrange, the scenario uses nsga"),
             "method")
    << method;
  const auto q = refusal([](auto& d) { ++d.qSize; });
  test.check(contains(q, "has 12 and 1000 numbers"), "configuration") << q;
  const auto p = refusal([](auto& d) { --d.pSize; });
  test.check(contains(p, "the scenario has 12 and 999"), "momenta") << p;
  const std::string other = "was written by the version 0.1 of this program, whose method "
                            "cd-lagrange keeps another history";
  test.check(contains(refusal([](auto& d) { d.history.pop_back(); }), other), "a block too many");
  test.check(contains(refusal([](auto& d) { d.history.push_back({"new", 1, {}}); }), other),
             "a block too few");
  test.check(contains(refusal([](auto& d) { d.history[1].name = "else"; }), other),
             "another block");
  test.check(contains(refusal([](auto& d) { ++d.history[1].version; }), other),
             "a block of another version");
  test.check(refusal([](auto& d) { d.history[0].values.push_back(1); }).empty(),
             "blocks of other sizes fit");
  return test;
}

// Cut anywhere, with a changed byte anywhere, or not a checkpoint at all: one sentence, and
// nothing printed by HDF5.
Dune::TestSuite damageTest()
{
  Dune::TestSuite test("damage");
  const TemporaryFolder folder;
  const auto state = makeState(7);
  const auto good = slurp(saveCheckpoint(folder.path(), state, extra));
  const auto file = folder / "checkpoint-000000009.h5";
  const auto refusal = [&](const std::string& content) {
    spill(file, content);
    return errorOf<InputError>([&] { loadCheckpoint(file, makeDemand(state)); });
  };
  const auto changed = [&](std::size_t place, char flip) {
    auto content = good;
    content[place] ^= flip;
    return content;
  };

  std::string noise = printed(folder / "stderr", [&] {
    for (std::size_t i = 0; i < 20; ++i) {
      const auto error = refusal(good.substr(0, good.size() * i / 20));
      test.check(contains(error, "cannot resume: the file is cut off"), "cut off")
        << i << "/20: " << error;
    }
    for (std::size_t place = 512; place < good.size(); place += 37)
      test.check(contains(refusal(changed(place, 1)), "damaged"), "changed byte") << place;
    test.check(contains(refusal(good + "x"), "damaged"), "longer");
    test.check(contains(refusal("a text"), "is not a checkpoint of dune-impact"), "text file");
    test.check(contains(refusal(good.substr(512)), "is not a checkpoint of dune-impact"),
               "HDF5 of somebody else");
  });
  test.check(noise.empty(), "nothing is printed") << noise;

  auto future = good;
  future.replace(future.find("format 2"), 8, "format 3");
  const auto error = refusal(future);
  test.check(contains(error, "has the format 3, this program reads the format 2"), "unknown format")
    << error;
  std::filesystem::remove(file);
  const auto missing = errorOf<InputError>([&] { loadCheckpoint(file, makeDemand(state)); });
  test.check(contains(missing, "No such file"), "missing file") << missing;
  return test;
}

// A file that is not damaged but lacks something
Dune::TestSuite contentTest()
{
  Dune::TestSuite test("content");
  const TemporaryFolder folder;
  const auto state = makeState(7);
  auto content = slurp(saveCheckpoint(folder.path(), state, extra));
  const auto place = content.find("picture_times");
  test.require(place != std::string::npos, "name in the file");
  content.replace(place, 13, "picture_timez"); // in the same place of the sorted names
  char sum[17];
  std::snprintf(sum, sizeof(sum), "%016lx", fingerprint(std::string_view(content).substr(512)));
  content.replace(content.find("checksum ") + 9, 16, sum);
  spill(folder / "other.h5", content);
  const auto error =
    errorOf<InputError>([&] { loadCheckpoint(folder / "other.h5", makeDemand(state)); });
  test.check(contains(error, "is damaged: HDF5 fails on picture_times"), "sentence") << error;
  return test;
}

// The newest and the one before it are kept; those of a later step belong to an older run.
Dune::TestSuite keepTest()
{
  Dune::TestSuite test("keep two");
  const TemporaryFolder folder;
  test.check(!findLatest(folder.path()) && !findLatest(folder / "none"), "no checkpoint");
  for (const auto* name :
       {"checkpoint-abc.h5", "checkpoint-.h5", "checkpoint-99999.h5x", "other-000000999.h5"})
    spill(folder / name, "");
  test.check(!findLatest(folder.path()), "other files");

  const auto present = [&](long step) {
    return exists(folder / ("checkpoint-00000000" + std::to_string(step) + ".h5"));
  };
  for (long step : {2, 4, 6})
    saveCheckpoint(folder.path(), makeState(step), extra);
  test.check(!present(2) && present(4) && present(6), "last two");
  test.check(findLatest(folder.path()) == folder / "checkpoint-000000006.h5", "latest");
  saveCheckpoint(folder.path(), makeState(5), extra);
  test.check(present(4) && present(5) && !present(6), "a later one is removed");
  saveCheckpoint(folder.path(), makeState(1234567890), extra);
  test.check(findLatest(folder.path()) == folder / "checkpoint-1234567890.h5",
             "latest by number, not by letters");
  removeCheckpoints(folder.path());
  test.check(!findLatest(folder.path()) && exists(folder / "other-000000999.h5"),
             "all removed, nothing else");
  return test;
}

Dune::TestSuite fullDiskTest()
{
  Dune::TestSuite test("full disk");
  const TemporaryFolder folder;
  const auto state = makeState(4);
  saveCheckpoint(folder.path(), makeState(2), extra);
  const auto file = saveCheckpoint(folder.path(), state, extra);
  const auto size = file_size(file);
  for (std::uint64_t limit : {std::uintmax_t(0), std::uintmax_t(100), size / 2, size - 1}) {
    std::string error;
    {
      const FileSizeLimit full(limit);
      error = errorOf<RunError>([&] { saveCheckpoint(folder.path(), makeState(6), extra); });
    }
    test.check(contains(error, "checkpoint-000000006.h5: cannot write: File too large"), "sentence")
      << error;
    test.check(exists(folder / "checkpoint-000000002.h5") && findLatest(folder.path()) == file,
               "older ones stay");
    test.check(!exists(folder / "checkpoint-000000006.h5.tmp"), "no temporary file");
    test.check(sameState(loadCheckpoint(file, makeDemand(state)).state, state),
               "older one is intact");
  }
  if (std::filesystem::exists("/dev/full")) {
    std::filesystem::create_symlink("/dev/full", folder / "checkpoint-000000006.h5.tmp");
    const auto error =
      errorOf<RunError>([&] { saveCheckpoint(folder.path(), makeState(6), extra); });
    test.check(contains(error, "No space left on device"), "/dev/full") << error;
  }
  return test;
}

Dune::TestSuite fingerprintTest()
{
  Dune::TestSuite test("fingerprint");
  // published values of FNV-1a with 64 bits
  test.check(fingerprint("") == 0xcbf29ce484222325 && fingerprint("foobar") == 0x85944171f73967e8,
             "known values");
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  test.subTest(roundTripTest());
  test.subTest(mismatchTest());
  test.subTest(damageTest());
  test.subTest(contentTest());
  test.subTest(keepTest());
  test.subTest(fullDiskTest());
  test.subTest(fingerprintTest());
  return test.exit();
}
