// SPDX-License-Identifier: Apache-2.0
#pragma once

// for_each_in_threads — work(0), …, work(count − 1), each once, in any order, on several threads, of
// which the caller's is one.
//
//   for_each_in_threads(cases, 0, [&](std::size_t i) { results[i] = run(i); });
//
// Where the system gives fewer threads, these do it all. What one of them throws comes to the caller when all
// threads have returned; the rest is left out.

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace berth {

// `threads` = 0: as many as there are cores.
inline std::size_t count_threads(int threads) {
  return threads > 0 ? static_cast<std::size_t>(threads)
                     : std::max(std::size_t{1}, std::size_t{std::thread::hardware_concurrency()});
}

template <class Work>
void for_each_in_threads(std::size_t count, int threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr thrown;
  std::mutex throwing;
  const auto take_turns = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < count;) {
      try {
        work(i);
      } catch (...) {
        const std::scoped_lock lock(throwing);
        if (!thrown) thrown = std::current_exception();
        next = count;
      }
    }
  };
  const std::size_t wanted = count_threads(threads);
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t k = 1; k < std::min(wanted, count); ++k) others.emplace_back(take_turns);
    } catch (const std::system_error&) {  // the system has no more: those there are do the work
    } catch (const std::bad_alloc&) {
    }
    take_turns();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace berth
