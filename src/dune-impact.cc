// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <dune/common/exceptions.hh>
#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/common/singleprocess.hh>
#include <dune/impact/common/version.hh>
#include <dune/impact/io/html/report.hh>
#include <dune/impact/scenario/simulation.hh>

/** \file
 * \brief The program: run, check, list and explain scenario files
 */

using namespace Dune::Impact;

namespace {

  //! What the command line says
  struct Arguments
  {
    std::string file, topic;
    std::optional<std::string> output;
    std::vector<std::string> overrides;
    bool resume = false, quiet = false;
  };

  //! The signal that has asked the run to stop, or zero
  std::atomic<int> received = 0;
  static_assert(std::atomic<int>::is_always_lock_free);

  //! The first signal stops the run inside its step, with results that are complete up to the
  //! step before; a second one ends the program at once, and so does any before the run begins
  void stopOnSignals()
  {
    for (const int signal : {SIGINT, SIGTERM})
      std::signal(signal, [](int number) {
        received = number;
        std::signal(number, SIG_DFL);
      });
  }

  //! What is not used of the input is said, also with --quiet
  void printNotes(const Simulation& simulation)
  {
    for (const std::string& note : simulation.notes())
      fmt::print(stderr, "{}\n", note);
  }

  int run(const Arguments& arguments)
  {
    if (arguments.output && arguments.output->empty())
      throw InputError("--output: must name a folder");
    Simulation simulation(arguments.file, arguments.overrides, makeRegistry(), StopToken(received));
    RunOptions options{.resume = arguments.resume, .quiet = arguments.quiet};
    printNotes(simulation);
    stopOnSignals();
    if (arguments.output)
      options.output = *arguments.output;
    simulation.run(options);
    if (!arguments.quiet)
      fmt::print("results in {}\n", simulation.directory(options).string());
    return 0;
  }

  int check(const Arguments& arguments)
  {
    const Simulation simulation(arguments.file, arguments.overrides, makeRegistry());
    printNotes(simulation);
    fmt::print("{}: no errors; method {}, {} dofs, step {:.6g}", arguments.file,
               simulation.method(), simulation.scene().system.velocitySize(), simulation.step());
    if (std::isfinite(simulation.criticalStep()))
      fmt::print(" ({:.3g} of the critical step)", simulation.step() / simulation.criticalStep());
    if (simulation.steps() > 0)
      fmt::print(", {} steps", simulation.steps());
    fmt::print("\n");
    return 0;
  }

  //! Solids have grids, and grids need MPI. A file that cannot be read has none; check() says why.
  bool hasSolids(const Arguments& arguments)
  {
    try {
      const KeyTable table = makeRegistry().table();
      const ScenarioFile file(arguments.file, arguments.overrides, table);
      const std::vector<std::string> bodies = file.names("body");
      return std::any_of(bodies.begin(), bodies.end(), [&](const std::string& body) {
        return file.section("body." + body).type() == "solid";
      });
    }
    catch (const InputError&) {
      return false;
    }
  }

  int report(const Arguments& arguments)
  {
    writeReport(arguments.file);
    fmt::print("report in {}\n", (std::filesystem::path(arguments.file) / "report.html").string());
    return 0;
  }

  //! Folder of the shipped scenarios: of the source tree or of the installation, whichever exists
  std::filesystem::path scenarioFolder()
  {
    for (const char* folder : {DUNE_IMPACT_SCENARIOS_SOURCE, DUNE_IMPACT_SCENARIOS_INSTALLED})
      if (std::filesystem::is_directory(folder))
        return folder;
    throw InputError("the shipped scenarios are not where they were installed");
  }

  int list()
  {
    const std::filesystem::path folder = scenarioFolder();
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".ini")
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::size_t width = 0;
    for (const auto& file : files)
      width = std::max(width, file.filename().string().size());
    for (const auto& file : files) {
      const IniFile scenario = IniFile::read(file);
      const IniEntry* title = scenario.find("", "title");
      fmt::print("{:{}}  {}\n", file.filename().string(), width, title ? title->value : "");
    }
    fmt::print("in {}\n", folder.string());
    return 0;
  }

  int help(const Arguments& arguments)
  {
    const Registry registry = makeRegistry();
    if (arguments.topic == "markdown") {
      std::cout
        << "# Scenario files\n\n"
           "All sections and keys, as `dune-impact help` prints them. Units are any that fit "
           "together: L, M and\n"
           "T are those of length, mass and time, d is the dimension.\n\n";
      registry.table().printMarkdown(std::cout);
      std::cout << "\n## Methods and bodies\n\n";
      registry.printPairings(std::cout);
    }
    else
      registry.table().printHelp(std::cout, arguments.topic);
    return 0;
  }

  void addScenarioArguments(CLI::App& command, Arguments& arguments)
  {
    command.add_option("FILE", arguments.file, "the scenario file")->required();
    command
      .add_option("--set", arguments.overrides,
                  "section.key=value: instead of what the file says; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  //! The commands of the program with their options
  struct Commands
  {
    CLI::App *run, *check, *list, *report, *help;
  };

  Commands addCommands(CLI::App& app, Arguments& arguments)
  {
    const Commands commands{
      .run = app.add_subcommand("run", "run a scenario"),
      .check = app.add_subcommand("check", "check a scenario without running it"),
      .list = app.add_subcommand("list", "list the shipped scenarios"),
      .report = app.add_subcommand("report", "make the page with plots and motion anew"),
      .help = app.add_subcommand("help", "explain the keys of scenario files")};
    addScenarioArguments(*commands.run, arguments);
    commands.run->add_option("--output", arguments.output,
                             "folder for the results, instead of output.directory");
    commands.run->add_flag("--resume", arguments.resume,
                           "continue from the latest checkpoint in the folder of the results");
    commands.run->add_flag("--quiet", arguments.quiet, "no progress and no closing line");
    addScenarioArguments(*commands.check, arguments);
    commands.report->add_option("DIR", arguments.file, "the folder with the results of a run")
      ->required();
    commands.help->add_option(
      "TOPIC", arguments.topic,
      "a section, section.key, section.type, or markdown for the whole page");
    return commands;
  }

  //! The exit status: 2 for what the user has written, 1 for a run that fails
  int execute(const Commands& commands, const Arguments& arguments)
  {
    try {
      const int status = *commands.run      ? run(arguments)
                         : *commands.check  ? check(arguments)
                         : *commands.list   ? list()
                         : *commands.report ? report(arguments)
                                            : help(arguments);
      if (std::fflush(stdout) != 0 || !std::cout.flush())
        throw RunError("dune-impact: cannot write to standard output");
      return status;
    }
    catch (const InputError& error) {
      std::cerr << error.what() << std::endl;
      return 2;
    }
    catch (const RunError& error) {
      std::cerr << error.what() << std::endl;
    }
    catch (const Dune::Exception& error) {
      std::cerr << "dune-impact: " << error.what() << std::endl;
    }
    catch (const std::exception& error) {
      std::cerr << "dune-impact: " << error.what() << std::endl;
    }
    return 1;
  }

} // namespace

int main(int argc, char** argv)
{
  // A limit of file sizes is then an error of the write, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Dynamics of contact and impact that keeps momentum, energy and non-penetration",
               "dune-impact");
  Arguments arguments;
  app.set_version_flag("--version", "dune-impact " + version());
  app.require_subcommand(1);
  const Commands commands = addCommands(app, arguments);
  if (argc == 1) {
    std::cerr << app.help();
    return 2;
  }
  try {
    app.parse(argc, argv);
  }
  catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  // It takes as long to start MPI as to explain a key.
  if (*commands.run || (*commands.check && hasSolids(arguments))) {
    skipNetworkSearch();
    Dune::MPIHelper::instance(argc, argv);
  }
  return execute(commands, arguments);
}
