// SPDX-License-Identifier: Apache-2.0
#pragma once

// An interval that would keep the run busy for ever; below a picosecond the clock stands still.

#include <fmt/format.h>

#include "berth/model/findings.h"

namespace berth {

inline constexpr double kMostSteps = 1e9, kMostRecorded = 1e8;

inline void check_interval(std::string_view input, double interval, double duration, double most,
                           const char* what, Findings& findings) {
  if (interval > 0 && duration > 0 && (duration / interval > most || interval < 1e-12))
    findings.add(input, fmt::format("{} s makes over {:g} {}", interval, most, what));
}

}  // namespace berth
