// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_PARALLEL_HH
#define DUNE_IMPACT_COMMON_PARALLEL_HH

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

/** \file
 * \brief Loops on several threads
 */

namespace Dune::Impact {

  /** \brief Threads to use: the wanted number, or OMP_NUM_THREADS, or one per core
   *
   * \param wanted 0 leaves the choice to the environment
   */
  inline int threadCount(int wanted = 0)
  {
    if (wanted > 0)
      return wanted;
    if (const char* text = std::getenv("OMP_NUM_THREADS"))
      if (const long number = std::strtol(text, nullptr, 10); number > 0)
        return int(std::min(number, 1024L));
    return std::max(1, int(std::thread::hardware_concurrency()));
  }

  /** \brief Call body(i) for all i below count, on several threads and in any order
   *
   * Calls must not depend on each other: where each writes to its own place and sums are made
   * afterwards, one after the other, results do not depend on the number of threads. Threads
   * take the next chunk when they have done one; loops of a single chunk start no thread. The
   * exception of the first failing chunk is thrown again.
   */
  template<class Body>
  void parallelFor(std::size_t count, int threads, Body&& body, std::size_t chunk = 64)
  {
    const std::size_t chunks = (count + chunk - 1) / chunk;
    std::atomic<std::size_t> next = 0;
    std::vector<std::exception_ptr> errors(chunks);
    const auto work = [&] {
      for (std::size_t k; (k = next++) < chunks;)
        try {
          for (std::size_t i = k * chunk; i < std::min(count, (k + 1) * chunk); ++i)
            body(i);
        }
        catch (...) {
          errors[k] = std::current_exception();
        }
    };
    {
      std::vector<std::jthread> helpers;
      for (std::size_t t = 1; t < std::min(chunks, std::size_t(threads)); ++t)
        helpers.emplace_back(work);
      work();
    }
    for (const auto& error : errors)
      if (error)
        std::rethrow_exception(error);
  }

} // namespace Dune::Impact

#endif
