// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_PARALLEL_HH
#define DUNE_IMPACT_COMMON_PARALLEL_HH

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <thread>
#include <type_traits>
#include <vector>

/** \file
 * \ingroup impact_common
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

  namespace Impl {

    //! A function of chunk and worker, by its address
    struct ChunkTask
    {
      void (*call)(void*, std::size_t, int);
      void* function;
    };

    //! Call the task for all chunks on up to so many threads, one of which is the calling one
    void runChunks(std::size_t chunks, int threads, const ChunkTask& task);

  } // namespace Impl

  /** \brief Call body(begin, end, worker) for ranges that cover 0, ..., count - 1
   *
   * Ranges are runs of \a chunk numbers. Workers are counted from 0 to threads - 1, and no two
   * calls at the same time have the same one: it may choose memory to work in, but must not show in
   * the result.
   *
   * The helping threads stay and wait for the next loop: a loop costs a few microseconds. Threads
   * take the next chunk when they have done one, and one that is busy elsewhere is not waited for.
   * A loop inside a loop, or of a single chunk, runs on the calling thread. The exception of the
   * first failing chunk is thrown again.
   */
  template<class Body>
  void parallelRanges(std::size_t count, int threads, Body&& body, std::size_t chunk)
  {
    auto call = [&](std::size_t k, int worker) {
      body(k * chunk, std::min(count, (k + 1) * chunk), worker);
    };
    Impl::runChunks(
      (count + chunk - 1) / chunk, threads,
      {[](void* f, std::size_t k, int worker) { (*static_cast<decltype(call)*>(f))(k, worker); },
       &call});
  }

  /** \brief Call body(i) for all i below count, on several threads and in any order
   *
   * Calls must not depend on each other: where each writes to its own place and sums are made
   * afterwards, one after the other, results do not depend on the number of threads. See
   * parallelRanges().
   */
  template<class Body>
  void parallelFor(std::size_t count, int threads, Body&& body, std::size_t chunk = 64)
  {
    parallelRanges(
      count, threads,
      [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i)
          body(i);
      },
      chunk);
  }

  /** \brief Sum of body(begin, end) over ranges of a fixed length, in their order
   *
   * The number of threads does not change a bit.
   */
  template<class Number, class Body>
  Number parallelSum(std::size_t count, int threads, Body&& body, std::size_t chunk)
  {
    if (count <= chunk)
      return body(std::size_t(0), count);
    std::vector<Number> part((count + chunk - 1) / chunk);
    parallelRanges(
      count, threads,
      [&](std::size_t begin, std::size_t end, int) { part[begin / chunk] = body(begin, end); },
      chunk);
    Number sum = part[0];
    for (std::size_t i = 1; i < part.size(); ++i)
      sum += part[i];
    return sum;
  }

} // namespace Dune::Impact

#endif
