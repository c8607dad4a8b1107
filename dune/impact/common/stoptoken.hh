// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_STOPTOKEN_HH
#define DUNE_IMPACT_COMMON_STOPTOKEN_HH

#include <atomic>
#include <stdexcept>
#include <string>

/** \file
 * \ingroup impact_common
 * \brief How a long computation is asked to stop
 */

namespace Dune::Impact {

  /** \brief A computation was left because somebody asked for it
   *
   * Not a RunError: a step that was left is not tried again with half its length.
   */
  struct Interrupted : std::runtime_error
  {
    explicit Interrupted(int signal)
      : std::runtime_error("interrupted by signal " + std::to_string(signal))
    {}
  };

  /** \brief Whether to go on
   *
   * Refers to a number that is zero until somebody wants the computation to end, and outlives the
   * token; a handler of signals may set it. Settings of solvers and methods hold a token, and
   * every iteration looks at it: one load of a number, and an exception when it is set. Without a
   * number nothing ever stops.
   *
   * std::stop_token does not do here: its source must not be used in a handler of signals.
   */
  class StopToken
  {
  public:
    StopToken() = default;
    explicit StopToken(const std::atomic<int>& signal) : signal_(&signal) {}

    bool stopRequested() const { return signal_ && signal_->load(std::memory_order_relaxed) != 0; }

    //! Throws Interrupted if a stop was requested
    void check() const
    {
      if (stopRequested())
        throw Interrupted(signal_->load(std::memory_order_relaxed));
    }

  private:
    const std::atomic<int>* signal_ = nullptr;
  };

} // namespace Dune::Impact

#endif
