// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a program of berth does about the process it is, before anything else.

#include <atomic>

namespace berth {

// Standard streams that are closed are opened on /dev/null: the next file would become one of them, and be
// written into. The first SIGINT or SIGTERM is seen by is_asked_to_end() and stop_if_interrupted()
// (interruption.h), a second one kills. Without memory it ends with a sentence (last_resort.h). What is read is
// remembered (record/input_file.h).
void prepare_process();

// The first signal that asked for an end; 0: none.
extern std::atomic<int> g_signal;
static_assert(std::atomic<int>::is_always_lock_free);

// Asked by work that ends with what it has: once it knows, what is made of that is not stopped as well.
bool is_asked_to_end();

}  // namespace berth
