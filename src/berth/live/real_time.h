// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a process does before it keeps time: memory stays where it is, and nobody less urgent is in the way.

#include <string>
#include <vector>

namespace berth {

// Locks all memory, keeps the heap from being given back, and asks for the scheduler SCHED_FIFO. A line for
// what was refused, with what would allow it; none where everything was granted.
std::vector<std::string> prepare_real_time();

}  // namespace berth
