// SPDX-License-Identifier: Apache-2.0
#include "berth/live/real_time.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>

namespace berth {

std::vector<std::string> prepare_real_time() {
  constexpr std::size_t kHeap = 64u << 20;  // bytes touched beforehand
  constexpr int kPriority = 50;
  std::vector<std::string> notes;
  // What is freed stays with the process, and large pieces come from the heap too.
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_MMAP_MAX, 0);
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
    notes.push_back(
        fmt::format("memory is not locked ({}): a page fault may delay a tick; "
                    "ulimit -l unlimited, or CAP_IPC_LOCK, would allow it",
                    std::strerror(errno)));
  {
    const std::unique_ptr<char[]> pages(new char[kHeap]);
    for (std::size_t i = 0; i < kHeap; i += 4096) const_cast<volatile char*>(pages.get())[i] = 0;
  }
  sched_param how{};
  how.sched_priority = kPriority;
  if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &how) != 0)
    notes.push_back(
        fmt::format("the scheduler stays the ordinary one ({}): others may delay a tick; "
                    "ulimit -r {}, or CAP_SYS_NICE, would allow SCHED_FIFO",
                    std::strerror(errno), kPriority));
  prctl(PR_SET_TIMERSLACK, 1UL);
  return notes;
}

}  // namespace berth
