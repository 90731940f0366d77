// SPDX-License-Identifier: Apache-2.0
#pragma once

// What both sides of a session share beside the datagrams.

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include <sys/random.h>

namespace berth {

inline constexpr std::int64_t kLongestWait =
    100'000'000;  // [ns] between two questions whether to end

inline std::int64_t to_ns(double seconds) { return std::llround(seconds * 1e9); }

// By which a session is known: not 0, and not to be guessed.
inline std::uint64_t draw_session_number() {
  std::uint64_t out = 0;
  while (out == 0)
    if (::getrandom(&out, sizeof out, 0) != static_cast<ssize_t>(sizeof out))
      throw std::runtime_error("the system has no random numbers");
  return out;
}

}  // namespace berth
