// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is random in a facility: functions of seed and tick (math/philox.h), whatever was asked before.

#include <cstdint>

#include "berth/math/philox.h"

namespace berth {

enum class Chance : std::uint32_t { dead_time, answer, force, torque };

// Between 0 and 1.
inline double find_chance(Chance what, std::uint64_t seed, std::uint64_t tick) {
  return find_uniform(seed, tick, 4 * static_cast<std::uint32_t>(what));
}
// Mean 0, standard deviation 1, of axis k.
inline double find_chance_normal(Chance what, int k, std::uint64_t seed, std::uint64_t tick) {
  return find_normal(seed, tick,
                     4 * static_cast<std::uint32_t>(what) + static_cast<std::uint32_t>(k));
}

}  // namespace berth
