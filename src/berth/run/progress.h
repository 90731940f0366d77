// SPDX-License-Identifier: Apache-2.0
#pragma once

// Progress — whether a run gets on, and what to say when it does not.
//
//   too_many_steps, too_many_events, out_of_time     a budget of the scenario is used up
//   stuck     100 000 steps in a row at a rate that would take a thousand million for the rest, or a
//             thousand rounds of events at one instant

#include <chrono>
#include <optional>

#include "berth/run/core.h"

namespace berth {

class Progress {
 public:
  Progress(const Core& core, double t_stop);

  // Before a step.
  std::optional<Outcome> check();
  // A step failed.
  Outcome explain(StepOutcome outcome) const;
  // What happens at this instant does not come to an end.
  Outcome stuck_at_instant() const;

 private:
  std::string find_culprit() const;
  std::string find_busiest_event() const;

  const Core& core_;
  double t_stop_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  // At the last milestone.
  std::uint64_t steps_;
  double t_;
  std::uint64_t calls_ = 0, standing_ = 0;
  double last_t_;
};

}  // namespace berth
