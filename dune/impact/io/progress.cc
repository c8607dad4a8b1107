// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <dune/impact/io/file.hh>
#include <dune/impact/io/progress.hh>

namespace Dune::Impact {

  namespace {

    using Seconds = std::chrono::duration<double>;

    constexpr double drawInterval = 0.1;
    constexpr double lookInterval = 0.05;
    constexpr double markInterval = 3;

    // 75 -> 1:15, 3675 -> 1:01:15
    std::string clockText(double seconds)
    {
      if (!(seconds >= 0 && seconds < 1e8))
        return "-:--";
      const long s = std::lround(seconds);
      if (s < 3600)
        return fmt::format("{}:{:02}", s / 60, s % 60);
      return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    }

    std::size_t columns(int file)
    {
      winsize size = {};
      return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    }

    std::string barText(double fraction, std::size_t width)
    {
      const auto done = static_cast<std::size_t>(fraction * width);
      std::string bar(width, ' ');
      std::fill_n(bar.begin(), done, '=');
      if (done < width)
        bar[done] = '>';
      return '[' + bar + ']';
    }

  } // namespace

  Progress::Progress(double begin, double end, Mode mode, int file)
    : begin_(begin)
    , end_(end)
    , mode_(mode)
    , file_(file)
    , nextLine_(begin)
    , looked_(Clock::now())
    , drawn_(looked_ - std::chrono::hours(1))
    , older_{looked_, 0, begin}
    , newer_(older_)
  {
    if (mode_ == Mode::automatic)
      mode_ = ::isatty(file_) ? Mode::bar : Mode::lines;
  }

  void Progress::show(long step, double time, double energyError)
  {
    const Mark now{Clock::now(), step, time};
    if (!started_) { // the steps before the start of this run were done by another one
      started_ = true;
      older_ = newer_ = now;
    }
    if (mode_ == Mode::lines)
      return showLine(now, energyError);
    adapt(now.clock);
    if (Seconds(now.clock - drawn_).count() >= drawInterval)
      drawBar(now, energyError);
  }

  // The lines come at the multiples of ten percent, the first one at the start.
  void Progress::showLine(const Mark& now, double energyError)
  {
    const double tenth = std::floor(10 * fraction(now.time) + 1e-9) + 1;
    nextLine_ =
      tenth > 10 ? std::numeric_limits<double>::infinity() : begin_ + tenth / 10 * (end_ - begin_);
    print(facts(now, energyError) + '\n');
    moveMarks(now);
  }

  // \r returns to the beginning of the line, \033[K erases what a longer line left behind. A
  // line as wide as the terminal would break.
  void Progress::drawBar(const Mark& now, double energyError)
  {
    const auto text = facts(now, energyError);
    const auto width = columns(file_) - 1;
    std::string line = text;
    if (width >= text.size() + 8)
      line = barText(fraction(now.time), std::min<std::size_t>(width - text.size() - 3, 40)) + ' ' +
             text;
    print('\r' + line.substr(0, width) + "\033[K");
    lineOpen_ = true;
    drawn_ = now.clock;
    moveMarks(now);
  }

  // The stride follows the speed of the steps, upwards by a factor two at most: a run that
  // becomes slow suddenly must not fall silent.
  void Progress::adapt(Clock::time_point now)
  {
    const double elapsed = Seconds(now - looked_).count();
    looked_ = now;
    const double wanted = elapsed > 0 ? stride_ * lookInterval / elapsed : 2. * stride_;
    stride_ = std::clamp<double>(wanted, 1, std::min(2. * stride_, 1e6));
    countdown_ = stride_;
  }

  //! Rates are measured from the older mark, which is at least one and mostly at most two mark
  //! intervals old: they are those of the last seconds.
  void Progress::moveMarks(const Mark& now)
  {
    if (Seconds(now.clock - newer_.clock).count() > markInterval)
      older_ = std::exchange(newer_, now);
  }

  double Progress::fraction(double time) const
  {
    return end_ > begin_ ? std::clamp((time - begin_) / (end_ - begin_), 0., 1.) : 1.;
  }

  std::string Progress::facts(const Mark& now, double energyError) const
  {
    const double seconds = Seconds(now.clock - older_.clock).count();
    const double steps = now.step - older_.step;
    const double speed = (now.time - older_.time) / seconds;
    const auto rate = steps > 0 && seconds > 0 ? fmt::format("{:.3g}", steps / seconds) : "-";
    const auto toGo = clockText(now.time >= end_ ? 0 : (end_ - now.time) / speed);
    return fmt::format("{:3.0f} %  t = {:.6g}  step {}  {} steps/s  to go {}  energy error {:.1e}",
                       std::floor(100 * fraction(now.time) + 1e-9), now.time, now.step, rate, toGo,
                       energyError);
  }

  void Progress::finish(long step, double time, double energyError)
  {
    const Mark now{Clock::now(), step, time};
    if (mode_ == Mode::bar)
      drawBar(now, energyError);
    else if (mode_ == Mode::lines && nextLine_ < std::numeric_limits<double>::infinity())
      showLine(now, energyError);
    leave();
    mode_ = Mode::quiet;
  }

  void Progress::leave() noexcept
  {
    std::size_t written;
    if (lineOpen_)
      writeAll(file_, "\n", written);
    lineOpen_ = false;
  }

  // That nobody reads the progress is no reason to stop a run.
  void Progress::print(const std::string& text) const
  {
    std::size_t written;
    writeAll(file_, text, written);
  }

} // namespace Dune::Impact
