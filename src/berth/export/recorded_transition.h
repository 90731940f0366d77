// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecordedTransition — what latches and releases at one instant make of the state, as a function:
//
//   change      t | x⁻ => x⁺          as latch and release do it (system/latch.h), one after the other
//
// Behind it the state is projected onto the rows of the phase that follows. Which rows stop the ports was
// chosen where the transition was recorded.

#include <span>
#include <string>
#include <vector>

#include "berth/scalar/graph.h"
#include "berth/system/system.h"

namespace berth {

struct JointChange {
  int dock = 0;
  bool latches = true;   // else it lets go
  bool nominal = false;  // latched as designed, else as the ports stand
};

struct RecordedTransition {
  Graph change;
  std::vector<double> x_after;  // as latch and release give it, where it was recorded
};

// The system and its mode are those before. Throws CannotRecord (recorded_phase.h).
RecordedTransition record_transition(const System<double>& system, const Mode<double>& mode,
                                     std::span<const JointChange> changes, double t,
                                     std::span<const double> x);

}  // namespace berth
