// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/io/file.hh>
#include <dune/impact/io/progress.hh>

#include "support.hh"

using namespace Dune::Impact;
using namespace Dune::Impact::Testing;

namespace {

  // Both ends of a pipe or a pseudo terminal, and all that arrives
  class Channel
  {
  public:
    // A terminal with so many columns; zero for a pipe
    explicit Channel(unsigned short columns)
    {
      int ends[2] = {-1, -1};
      winsize size = {.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
      if ((columns > 0 ? ::openpty(&ends[0], &ends[1], nullptr, nullptr, &size) : ::pipe(ends)) !=
          0)
        throw std::runtime_error("cannot open a pipe or terminal");
      reader_ = FileDescriptor(ends[0]);
      writer_ = FileDescriptor(ends[1]);
      thread_ = std::thread([this] {
        char buffer[4096];
        for (ssize_t n; (n = ::read(reader_.get(), buffer, sizeof(buffer))) > 0;)
          text_.append(buffer, n);
      });
    }

    int file() const { return writer_.get(); }

    std::string close()
    {
      writer_.close();
      thread_.join();
      return text_;
    }

  private:
    FileDescriptor reader_, writer_;
    std::string text_;
    std::thread thread_;
  };

  void run(Progress& progress, long begin, long end, std::chrono::microseconds pause)
  {
    for (long step = begin; step <= end; ++step) {
      progress.update(step, 0.5 * step, 1.5e-14);
      std::this_thread::sleep_for(pause);
    }
  }

} // namespace

// One line that is redrawn in place, fits the terminal and ends with all that was promised.
Dune::TestSuite barTest()
{
  Dune::TestSuite test("bar");
  Channel terminal(120);
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress(0, 100, Progress::Mode::automatic, terminal.file());
    run(progress, 0, 200, std::chrono::milliseconds(4));
    progress.finish(200, 100, 1.5e-14);
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    run(progress, 201, 300, std::chrono::microseconds(0)); // draws nothing any more
  }
  const double seconds =
    std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto text = terminal.close();
  // the terminal adds one to the line feed
  const auto drawings = std::ranges::count(text, '\r') - 1;
  test.check(drawings >= 3 && drawings <= 10 * seconds + 3, "at most ten times a second")
    << drawings << " in " << seconds << " seconds";
  test.check(std::ranges::count(text, '\n') == 1 && text.ends_with('\n'),
             "one line, left at the end");
  auto lines = split(text, '\r');
  for (const auto& line : lines)
    test.check(line.size() <= 119 + 4, "no wider than the terminal") << line.size();
  const auto last =
    *std::find_if(lines.rbegin(), lines.rend(), [](const auto& line) { return line.size() > 2; });
  for (const auto* part : {"[====", "====]", "100 %", "t = 100 ", "step 200", "steps/s",
                           "to go 0:00", "energy error 1.5e-14", "\033[K"})
    test.check(contains(last, part), "last drawing") << part << " in " << last;
  test.check(contains(text, ">   "), "bar grows");
  return test;
}

Dune::TestSuite narrowTest()
{
  Dune::TestSuite test("narrow terminal");
  Channel terminal(30);
  {
    Progress progress(0, 100, Progress::Mode::automatic, terminal.file());
    run(progress, 0, 20, std::chrono::milliseconds(1));
  }
  const auto text = terminal.close();
  for (const auto& line : split(text, '\r'))
    test.check(line.size() <= 29 + 3, "no wider than the terminal") << line;
  test.check(contains(text, "  0 %  t = 0  step 0"), "content") << text;
  test.check(text.ends_with('\n'), "an aborted run leaves the line, too");
  return test;
}

// A line every ten percent, without control characters
Dune::TestSuite pipeTest()
{
  Dune::TestSuite test("pipe");
  Channel pipe(0);
  {
    Progress progress(0, 100, Progress::Mode::automatic, pipe.file());
    run(progress, 0, 200, std::chrono::microseconds(200));
    progress.finish(200, 100, 1.5e-14);
  }
  const auto text = pipe.close();
  test.check(!contains(text, "\r") && !contains(text, "\033"), "plain text");
  const auto lines = split(text, '\n');
  test.require(lines.size() == 11, "lines") << lines.size() << '\n' << text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    test.check(lines[i].starts_with((i == 0    ? "  "
                                     : i == 10 ? ""
                                               : " ") +
                                    std::to_string(10 * i) + " %  t = " + std::to_string(10 * i) +
                                    " "),
               "line")
      << lines[i];
  test.check(contains(lines[5], "step 100") && contains(lines[5], "energy error 1.5e-14"), "facts")
    << lines[5];
  test.check(contains(lines[10], "to go 0:00"), "done") << lines[10];
  return test;
}

// A resumed run that ends early tells its last state; steps before it do not count for the rate.
Dune::TestSuite resumeTest()
{
  Dune::TestSuite test("resume");
  Channel pipe(0);
  {
    Progress progress(50, 100, Progress::Mode::automatic, pipe.file());
    run(progress, 100, 112, std::chrono::milliseconds(10));
    progress.finish(112, 56, 0);
  }
  const auto lines = split(pipe.close(), '\n');
  test.require(lines.size() == 3, "lines") << lines.size();
  test.check(lines[0].starts_with("  0 %  t = 50 ") && contains(lines[0], " - steps/s  to go -:--"),
             "start")
    << lines[0];
  test.check(lines[2].starts_with(" 12 %  t = 56 "), "end") << lines[2];
  const double rate = std::stod(lines[1].substr(lines[1].find("step 110") + 8));
  test.check(rate > 1 && rate <= 101, "rate") << lines[1];
  return test;
}

Dune::TestSuite quietTest()
{
  Dune::TestSuite test("quiet");
  Channel terminal(80);
  {
    Progress progress(0, 100, Progress::Mode::quiet, terminal.file());
    run(progress, 0, 200, std::chrono::microseconds(0));
    progress.finish(200, 100, 0);
  }
  const auto text = terminal.close();
  test.check(text.empty(), "nothing") << text;
  return test;
}

// Updates cost next to nothing compared with a look at the clock or a drawing.
Dune::TestSuite costTest()
{
  Dune::TestSuite test("cost");
  Channel terminal(100);
  const long steps = 20000000;
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress(0, steps, Progress::Mode::automatic, terminal.file());
    for (long step = 0; step <= steps; ++step)
      progress.update(step, step, 0);
  }
  const double seconds =
    std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto text = terminal.close();
  const auto drawings = std::ranges::count(text, '\r');
  test.check(drawings <= 10 * seconds + 3, "drawings")
    << drawings << " in " << seconds << " seconds";
  test.check(seconds < 1e-7 * steps, "a tenth of a microsecond per step") << seconds;
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  test.subTest(barTest());
  test.subTest(narrowTest());
  test.subTest(pipeTest());
  test.subTest(resumeTest());
  test.subTest(quietTest());
  test.subTest(costTest());
  return test.exit();
}
