// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ledger — what the library of faults (inject.cpp) is asked for, and what it has done: a small file that the
// test and the program under test, with every process it forks, have in memory together.
//
//   BERTH_FAULT_LEDGER=file     the ledger; without it the library does nothing
//   BERTH_FAULT_FOLDER=folder   files in it count; others, such as those of the loader, do not
//
// Calls are numbered from 1, for each kind apart, in the order they come. A ledger that asks for nothing counts.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace berth::test {

enum class Call : std::uint32_t {
  none,
  open_to_write,  // open, fopen, tmpfile, mkostemp
  open_to_read,
  write,  // write, pwrite, writev, fwrite
  read,   // read, pread
  rename,
  synchronise,  // fsync, fdatasync
  close,
  truncate,
  make_folder,
  remove,       // unlink
  map,          // mmap
  memory_file,  // memfd_create
  fork,         // and posix_spawn
  thread,       // pthread_create
  random,       // getrandom
  allocate,     // malloc, calloc, realloc, aligned_alloc; operator new by these
  wall_clock,   // clock_gettime, CLOCK_REALTIME
  steady_clock  // likewise, CLOCK_MONOTONIC
};
inline constexpr std::size_t kCalls = 19;

// In place of an errno: half of what should be written is.
inline constexpr std::int32_t kShortWrite = -1;

struct Ledger {
  // Asked for.
  Call call = Call::none;
  std::int32_t cause = 0;    // errno, or kShortWrite
  std::uint64_t first = 0;   // the call of this number fails; clocks are wrong from it on
  std::uint64_t count = 1;   // and so many in all
  std::int64_t seconds = 0;  // a wall clock is put forward by this; a steady one stands still
  // Done.
  std::array<std::atomic<std::uint64_t>, kCalls> calls{};
  std::atomic<std::uint64_t> injected = 0;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace berth::test
