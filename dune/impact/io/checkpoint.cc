// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/checkpoint.hh>
#include <dune/impact/io/file.hh>
#include <dune/impact/io/hdf5.hh>

namespace Dune::Impact {

  namespace {

    constexpr int formatVersion = 2;
    constexpr std::string_view signature = "dune-impact checkpoint";

    // The functions transfer() are the one description of the format, for writing and for
    // reading: `archive` either takes the values or gives them.

    // The ledger is a list of plain numbers, whatever their names are.
    template<class Archive>
    void transfer(Archive& archive, Ledger& ledger)
    {
      using Numbers = std::array<double, sizeof(Ledger) / sizeof(double)>;
      auto numbers = std::bit_cast<Numbers>(ledger);
      std::vector<double> list(numbers.begin(), numbers.end());
      archive.list("ledger", list);
      if (list.size() != numbers.size())
        throw Hdf5::Error(
          fmt::format("its ledger has {} numbers instead of {}", list.size(), numbers.size()));
      std::ranges::copy(list, numbers.begin());
      ledger = std::bit_cast<Ledger>(numbers);
    }

    template<class Archive>
    void transfer(Archive& archive, Block& block)
    {
      archive.text("name", block.name);
      archive.number("version", block.version);
      archive.list("values", block.values);
    }

    template<class Archive>
    void transfer(Archive& archive, State& state)
    {
      archive.number("time", state.time);
      archive.number("step", state.step);
      archive.list("q", state.q);
      archive.list("p", state.p);
      transfer(archive, state.ledger);
      archive.group("history", [&] {
        auto blocks = static_cast<long>(state.history.size());
        archive.number("blocks", blocks);
        state.history.resize(std::clamp(blocks, 0L, 1000000L));
        for (std::size_t i = 0; i < state.history.size(); ++i)
          archive.group(std::to_string(i), [&] { transfer(archive, state.history[i]); });
      });
    }

    template<class Archive>
    void transfer(Archive& archive, CheckpointExtra& extra)
    {
      archive.number("scenario_hash", extra.scenarioHash);
      archive.text("method", extra.method);
      archive.text("version", extra.version);
      archive.number("history_bytes", extra.historyBytes);
      archive.list("summary", extra.summary);
      archive.number("summary_version", extra.summaryVersion);
      archive.list("picture_steps", extra.pictureSteps);
      archive.list("picture_times", extra.pictureTimes);
    }

    template<class Archive>
    void transfer(Archive& archive, Checkpoint& checkpoint)
    {
      archive.group("state", [&] { transfer(archive, checkpoint.state); });
      archive.group("run", [&] { transfer(archive, checkpoint.extra); });
    }

    // The lines of text at the beginning, filled up with zeros
    std::string userBlock(std::string_view body)
    {
      auto text = fmt::format("{}\nformat {}\nbytes {}\nchecksum {:016x}\n", signature,
                              formatVersion, Hdf5::userBlockSize + body.size(), fingerprint(body));
      text.resize(Hdf5::userBlockSize, '\0');
      return text;
    }

    // The number behind a word of the user block, or nothing
    std::optional<std::uint64_t> blockNumber(std::string_view block, std::string_view word,
                                             int base = 10)
    {
      const auto place = block.find(word);
      if (place == std::string_view::npos)
        return {};
      std::uint64_t value = 0;
      const auto* begin = block.data() + place + word.size();
      const auto [end, error] = std::from_chars(begin, block.data() + block.size(), value, base);
      return error == std::errc() && end != begin ? std::optional(value) : std::nullopt;
    }

    // Why these bytes are no checkpoint, or an empty text
    std::string damage(std::string_view content)
    {
      if (!content.starts_with(signature))
        return signature.starts_with(content) ? "is cut off" : "is not a checkpoint of dune-impact";
      const auto block = content.substr(0, Hdf5::userBlockSize);
      const auto bytes = blockNumber(block, "\nbytes ");
      if (content.size() < Hdf5::userBlockSize || !bytes || content.size() < *bytes)
        return bytes ? fmt::format("is cut off: {} of {} bytes are left", content.size(), *bytes)
                     : "is cut off";
      if (content.size() > *bytes ||
          blockNumber(block, "\nchecksum ", 16) != fingerprint(content.substr(block.size())))
        return "is damaged: its content does not match its checksum";
      return "";
    }

    // Why a checkpoint does not belong to the run, or an empty text
    std::string mismatch(const Checkpoint& checkpoint, const CheckpointDemand& demand)
    {
      const auto& [state, extra] = checkpoint;
      if (extra.method != demand.method)
        return fmt::format("was written by the method {}, the scenario uses {}", extra.method,
                           demand.method);
      if (extra.scenarioHash != demand.scenarioHash)
        return "belongs to another scenario";
      if (state.q.size() != demand.qSize || state.p.size() != demand.pSize)
        return fmt::format(
          "has {} and {} numbers in its configuration and momenta, the scenario has {} and {}",
          state.q.size(), state.p.size(), demand.qSize, demand.pSize);
      if (!std::ranges::equal(state.history, demand.history, [](const Block& a, const Block& b) {
            return a.name == b.name && a.version == b.version;
          }))
        return fmt::format(
          "was written by the version {} of this program, whose method {} keeps another history",
          extra.version, extra.method);
      return "";
    }

    template<class Error>
    void refuse(const std::filesystem::path& file, const std::string& why)
    {
      if (!why.empty())
        throw Error(fmt::format("{}: cannot resume: the file {}", file.string(), why));
    }

    // Why the format cannot be read, or an empty text
    std::string formatFault(std::string_view content)
    {
      const auto block = content.substr(0, Hdf5::userBlockSize);
      const auto format =
        content.starts_with(signature) ? blockNumber(block, "\nformat ") : std::nullopt;
      return format && *format != formatVersion
               ? fmt::format("has the format {}, this program reads the format {}", *format,
                             formatVersion)
               : "";
    }

    // The step number in a file name checkpoint-NUMBER.h5, or nothing
    std::optional<long> stepOf(const std::filesystem::path& file)
    {
      constexpr std::string_view prefix = "checkpoint-", suffix = ".h5";
      const auto name = file.filename().string();
      if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
          name.size() <= prefix.size() + suffix.size())
        return {};
      long step = 0;
      const auto* end = name.data() + name.size() - suffix.size();
      const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, step);
      return error == std::errc() && stop == end && step >= 0 ? std::optional(step) : std::nullopt;
    }

    // All checkpoints of a folder, by step
    std::vector<std::pair<long, std::filesystem::path>> checkpointsIn(
      const std::filesystem::path& directory)
    {
      std::vector<std::pair<long, std::filesystem::path>> result;
      std::error_code ignored;
      for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
        if (const auto step = stepOf(entry.path()))
          result.emplace_back(*step, entry.path());
      std::ranges::sort(result);
      return result;
    }

    // Keep the newest checkpoint and the one before it.
    void prune(const std::filesystem::path& directory, long newest)
    {
      const auto all = checkpointsIn(directory);
      const auto here =
        std::ranges::find(all, newest, [](const auto& entry) { return entry.first; });
      std::error_code ignored;
      for (auto i = all.begin(); i != all.end(); ++i)
        if (i > here || i + 1 < here)
          std::filesystem::remove(i->second, ignored);
    }

  } // namespace

  //! The hash FNV-1a of 64 bits
  std::uint64_t fingerprint(std::string_view text)
  {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (unsigned char c : text)
      hash = (hash ^ c) * 0x100000001b3;
    return hash;
  }

  //! The checksum in the user block is that of all bytes after it. When the file is complete, only
  //! the checkpoint before it is kept in addition.
  std::filesystem::path saveCheckpoint(const std::filesystem::path& directory, const State& state,
                                       const CheckpointExtra& extra)
  {
    const auto file = directory / fmt::format("checkpoint-{:09}.h5", state.step);
    Checkpoint checkpoint{state, extra};
    Hdf5::Writer writer;
    transfer(writer, checkpoint);
    auto image = writer.image();
    const auto block = userBlock(std::string_view(image).substr(Hdf5::userBlockSize));
    image.replace(0, block.size(), block);

    makeFolder(directory);
    replaceFile(file, image, true);
    prune(directory, state.step);
    return file;
  }

  Checkpoint loadCheckpoint(const std::filesystem::path& file, const CheckpointDemand& demand)
  {
    auto content = readFile(file);
    refuse<InputError>(file, formatFault(content));
    refuse<DamagedCheckpoint>(file, damage(content));
    Checkpoint checkpoint;
    try {
      Hdf5::Reader reader(std::move(content));
      transfer(reader, checkpoint);
    }
    catch (const Hdf5::Error& error) {
      refuse<DamagedCheckpoint>(file, fmt::format("is damaged: {}", error.what()));
    }
    refuse<InputError>(file, mismatch(checkpoint, demand));
    return checkpoint;
  }

  std::optional<std::filesystem::path> findLatest(const std::filesystem::path& directory)
  {
    const auto all = checkpointsIn(directory);
    return all.empty() ? std::nullopt : std::optional(all.back().second);
  }

  //! A damaged one is passed over only for an older one that is whole
  Checkpoint loadLatest(const std::filesystem::path& directory, const CheckpointDemand& demand,
                        std::vector<std::string>& damaged)
  {
    damaged.clear();
    auto all = checkpointsIn(directory);
    std::ranges::reverse(all);
    for (const auto& [step, file] : all)
      try {
        return loadCheckpoint(file, demand);
      }
      catch (const DamagedCheckpoint& error) {
        damaged.push_back(error.what());
      }
    if (damaged.empty())
      throw InputError(
        fmt::format("there is no checkpoint in {} to resume from", directory.string()));
    throw DamagedCheckpoint(damaged.front() +
                            (damaged.size() > 1 ? ", and no older one is whole" : ""));
  }

  //! Also one that was being written
  void removeCheckpoints(const std::filesystem::path& directory)
  {
    std::error_code ignored;
    for (const auto& [step, file] : checkpointsIn(directory))
      std::filesystem::remove(file, ignored);
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
      if (entry.path().extension() == ".tmp" && stepOf(entry.path().stem()))
        std::filesystem::remove(entry.path(), ignored);
  }

} // namespace Dune::Impact
