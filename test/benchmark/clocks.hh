// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_BENCHMARK_CLOCKS_HH
#define DUNE_IMPACT_TEST_BENCHMARK_CLOCKS_HH

#include <ctime>

/** \file
 * \brief Clocks that other programs on the machine do not disturb
 */

namespace Dune::Impact {

  //! A clock of the system, in seconds
  inline double secondsOf(clockid_t clock)
  {
    timespec time;
    clock_gettime(clock, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }

  //! CPU time of the program, of all its threads together
  inline double processSeconds()
  {
    return secondsOf(CLOCK_PROCESS_CPUTIME_ID);
  }

  //! CPU time of the calling thread
  inline double threadSeconds()
  {
    return secondsOf(CLOCK_THREAD_CPUTIME_ID);
  }

} // namespace Dune::Impact

#endif
