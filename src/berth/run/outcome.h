// SPDX-License-Identifier: Apache-2.0
#pragma once

// Outcome — how a run ended, and when. Returned, never thrown: what was computed is kept.

#include <array>
#include <string>
#include <string_view>

namespace berth {

enum class Ending {
  reached_end,
  stopped,          // an event said so
  interrupted,      // the user said so
  step_too_small,   // the integrator could not go on: a singularity, or a stiff force
  non_finite,       // infinities or NaN in the derivative
  too_many_steps,   // integrator.max_steps is used up
  too_many_events,  // integrator.max_events is used up
  stuck,            // steps or events without progress in time
  out_of_time,      // integrator.max_wall_time is used up
  no_solution,      // of a step of the length that was asked for: shorten it
  broken_off,       // who took part from outside failed
};

inline constexpr std::array<std::string_view, 11> kEndings{
    "reached_end",     "stopped", "interrupted", "step_too_small", "non_finite", "too_many_steps",
    "too_many_events", "stuck",   "out_of_time", "no_solution",    "broken_off"};
constexpr std::string_view name(Ending ending) { return kEndings[static_cast<unsigned>(ending)]; }

struct Outcome {
  Ending ending = Ending::reached_end;
  double t = 0;        // [s]
  std::string reason;  // one sentence for the reader; empty when there is nothing to add

  bool completed() const { return ending == Ending::reached_end || ending == Ending::stopped; }
};

}  // namespace berth
