// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_PROGRESS_HH
#define DUNE_IMPACT_IO_PROGRESS_HH

#include <chrono>
#include <string>

/** \file
 * \ingroup impact_io
 * \brief Tells the user how far the run is
 */

namespace Dune::Impact {

  /** \brief A progress bar on a terminal, plain lines otherwise
   *
   * On a terminal one line with the simulated time, percent, step rate, time to go and the
   * current energy error is redrawn at most ten times a second. Into a file or a pipe a line
   * is written about every ten percent.
   *
   * update() may be called after every step of a fast method: it counts down and looks at the
   * clock only about twenty times a second.
   */
  class Progress
  {
  public:
    enum class Mode {
      automatic, //!< bar if the file is a terminal, lines otherwise
      bar,
      lines,
      quiet
    };

    /** \param begin  simulated time at the start, later than zero when resuming
     *  \param end    simulated time at which the run is done
     *  \param file   file descriptor to write to; not owned
     */
    Progress(double begin, double end, Mode mode = Mode::automatic, int file = 2);

    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    //! Leaves the line of the bar, so that messages begin on a line of their own
    ~Progress() { leave(); }

    //! Tell the state after a step
    void update(long step, double time, double energyError)
    {
      if (mode_ != Mode::quiet && (mode_ == Mode::lines ? time >= nextLine_ : --countdown_ <= 0))
        show(step, time, energyError);
    }

    //! Draw the last state and leave the line; nothing is drawn afterwards
    void finish(long step, double time, double energyError);

  private:
    using Clock = std::chrono::steady_clock;

    // Where the run was at some moment; rates are differences to an earlier one
    struct Mark
    {
      Clock::time_point clock;
      long step;
      double time;
    };

    void show(long step, double time, double energyError);
    void showLine(const Mark& now, double energyError);
    void drawBar(const Mark& now, double energyError);
    void adapt(Clock::time_point now);
    void moveMarks(const Mark& now);
    void leave() noexcept;
    double fraction(double time) const;
    std::string facts(const Mark& now, double energyError) const;
    void print(const std::string& text) const;

    double begin_, end_;
    Mode mode_;
    int file_;
    long countdown_ = 1, stride_ = 1; // steps until, and between, looks at the clock
    double nextLine_;                 // simulated time of the next plain line
    Clock::time_point looked_, drawn_;
    bool started_ = false, lineOpen_ = false;
    Mark older_, newer_; // rates are over the last three to six seconds
  };

} // namespace Dune::Impact

#endif
