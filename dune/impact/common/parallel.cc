// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <dune/impact/common/parallel.hh>

namespace Dune::Impact::Impl {

  namespace {

    // looks before a waiting thread goes to sleep: loops often follow each other
    constexpr int patience = 2000;

    void relax()
    {
#if defined(__x86_64__)
      _mm_pause();
#endif
    }

    //! The chunks of a loop, and the first exception
    struct Work
    {
      std::size_t chunks = 0;
      const ChunkTask* task = nullptr;
      std::atomic<std::size_t> next = 0;
      std::mutex mutex;
      std::size_t failed = std::numeric_limits<std::size_t>::max();
      std::exception_ptr error;

      void run(int worker)
      {
        for (std::size_t k; (k = next.fetch_add(1, std::memory_order_relaxed)) < chunks;)
          try {
            task->call(task->function, k, worker);
          }
          catch (...) {
            const std::lock_guard lock(mutex);
            if (k < failed) {
              failed = k;
              error = std::current_exception();
            }
          }
      }
    };

    /* Threads that wait for work. The state is one number: how many loops there have been, whether
     * the last one is open, how many helpers are in it. Helpers come in while it is open; the
     * thread that opened it closes it when no chunk is left, and waits for the helpers in it. */
    class Team
    {
    public:
      ~Team()
      {
        stop_ = true;
        state_.fetch_add(loop);
        state_.notify_all();
        for (auto& thread : threads_)
          thread.join();
      }

      //! False if the team works already
      bool run(std::size_t chunks, int threads, const ChunkTask& task)
      {
        const std::unique_lock owner(owner_, std::try_to_lock);
        if (!owner)
          return false;
        while (int(threads_.size()) < threads - 1)
          threads_.emplace_back([this] { help(); });
        work_.chunks = chunks;
        work_.task = &task;
        work_.next.store(0, std::memory_order_relaxed);
        limit_.store(threads - 1, std::memory_order_relaxed);
        state_.store((state_.load(std::memory_order_relaxed) & ~(loop - 1)) + loop + open,
                     std::memory_order_release);
        state_.notify_all();
        work_.run(0);
        state_.fetch_and(~open);
        for (int looks = 0; (state_.load(std::memory_order_acquire) & helpers) != 0; ++looks)
          looks < patience ? relax() : std::this_thread::yield();
        work_.failed = std::numeric_limits<std::size_t>::max();
        if (auto error = std::exchange(work_.error, nullptr))
          std::rethrow_exception(error);
        return true;
      }

    private:
      static constexpr std::uint64_t helpers = (1 << 16) - 1, open = 1 << 16, loop = 1 << 17;

      void help()
      {
        std::uint64_t seen = 0; // loop that this thread has worked in
        int looks = 0;
        while (!stop_) {
          std::uint64_t state = state_.load(std::memory_order_acquire);
          const bool wanted = (state & open) && state / loop != seen &&
                              int(state & helpers) < limit_.load(std::memory_order_relaxed);
          if (!wanted) {
            if (++looks < patience)
              relax();
            else
              state_.wait(state);
            continue;
          }
          if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel))
            continue;
          seen = state / loop;
          looks = 0;
          work_.run(int(state & helpers) + 1);
          state_.fetch_sub(1, std::memory_order_acq_rel);
        }
      }

      std::mutex owner_;
      std::atomic<std::uint64_t> state_ = 0;
      std::atomic<int> limit_ = 0;
      std::atomic<bool> stop_ = false;
      Work work_;
      std::vector<std::thread> threads_;
    };

    Team& team()
    {
      static Team instance;
      return instance;
    }

  } // namespace

  //! By the team of threads; by this thread alone if the team is at work already, as in nested
  //! loops
  void runChunks(std::size_t chunks, int threads, const ChunkTask& task)
  {
    if (threads > 1 && chunks > 1 &&
        team().run(chunks, std::min<std::size_t>(threads, chunks), task))
      return;
    Work work;
    work.chunks = chunks;
    work.task = &task;
    work.run(0);
    if (work.error)
      std::rethrow_exception(work.error);
  }

} // namespace Dune::Impact::Impl
