// SPDX-License-Identifier: Apache-2.0
#pragma once

// Outcome — how a run ended, and when. Returned, never thrown: what was computed is kept.

#include <string>
#include <string_view>

namespace berth {

enum class Ending {
  reached_end,
  stopped,         // an event said so
  interrupted,     // the user said so
  step_too_small,  // the integrator could not go on: a singularity, or a stiff force
  non_finite,      // infinities or NaN in the derivative
  too_many_steps,
  no_solution,  // of a step of the length that was asked for: shorten it
};

constexpr std::string_view name(Ending ending) {
  switch (ending) {
    case Ending::reached_end: return "reached_end";
    case Ending::stopped: return "stopped";
    case Ending::interrupted: return "interrupted";
    case Ending::step_too_small: return "step_too_small";
    case Ending::non_finite: return "non_finite";
    case Ending::too_many_steps: return "too_many_steps";
    case Ending::no_solution: return "no_solution";
  }
  return "unknown";
}

struct Outcome {
  Ending ending = Ending::reached_end;
  double t = 0;        // [s]
  std::string reason;  // one phrase for the reader; empty when there is nothing to add

  bool completed() const { return ending == Ending::reached_end || ending == Ending::stopped; }
};

}  // namespace berth
