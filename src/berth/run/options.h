// SPDX-License-Identifier: Apache-2.0
#pragma once

// RunOptions — how a run is integrated, and what it may cost.

#include <cstdint>
#include <limits>
#include <string>

#include "berth/integrate/integrator.h"

namespace berth {

// Steps of a run, tried ones included, unless the scenario says otherwise.
inline constexpr int kMostStepsTried = 20'000'000;
// Events of a run: of contacts, impacts and the scenario.
inline constexpr int kMaxEvents = 100'000;

// A run brings quaternions back to unit length when |q|² is farther from 1 than this.
inline constexpr double kQuaternionDrift = 1e-9;

struct RunOptions {
  std::string method = "dop853";  // any of list_methods()
  IntegratorOptions integrator = {.max_steps = kMostStepsTried};
  std::uint64_t max_events = kMaxEvents;
  // [s] of the clock; a run that takes longer ends as out_of_time.
  double max_wall_time = std::numeric_limits<double>::infinity();
  // The frame is moved to the craft when they are farther than this from its origin [m].
  double recentre_beyond = 1000;
  // Peaks are followed inside steps; without, they are those of accepted states. For measuring what it
  // costs.
  bool follow_peaks = true;
};

}  // namespace berth
