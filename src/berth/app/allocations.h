// SPDX-License-Identifier: Apache-2.0
#pragma once

// How often this thread has asked for memory so far: `berth live` states how many of its ticks did. Where
// there is none the program ends (berth/program/last_resort.h).

#include <cstdint>

namespace berth {

std::uint64_t count_allocations();

}  // namespace berth
