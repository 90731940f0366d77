// SPDX-License-Identifier: Apache-2.0
#pragma once

// The smooth phases that a run goes through, recorded, and of each a stretch of its steps to repeat.
//
// A run takes fixed steps of the classical Runge–Kutta method (rk4.h). A phase is one structure: the same
// equations wherever it is met again. Steps in which something happens end a stretch.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "berth/export/recorded_phase.h"
#include "berth/export/recorded_transition.h"
#include "berth/run/event.h"
#include "berth/run/options.h"
#include "berth/run/outcome.h"

namespace berth {

// Steps towards t_limit, as many as are needed of equal length (adaptive.h), with the same inputs; of one
// step they may be others at its middle and at its end.
struct PhaseSegment {
  double t_limit = 0;
  int steps = 0;
  int u_begin = 0, u_middle = 0, u_end = 0;  // rows of PhaseStretch::u
};

// Consecutive steps of one phase: from (t, x) to (t_end, x_end) in the run.
struct PhaseStretch {
  double t = 0, t_end = 0;
  std::vector<double> x, x_end;
  std::vector<std::vector<double>> u;
  std::vector<PhaseSegment> segments;
  int steps = 0;
};

struct SmoothPhase {
  double t_first = 0;               // [s] when it is met first
  std::vector<std::string> joined;  // docks that are engaged, contacts that touch
  std::string obstacle;             // why it is not recorded; empty: it is
  RecordedPhase recorded;
  PhaseStretch stretch;  // the longest; no steps: none could be repeated
  std::string hindrance = "an event falls into every step of it";  // why none
  int steps = 0;                                                   // of the run in this phase

  void leave_out(std::string why) {
    obstacle = std::move(why);
    recorded = {};
    stretch = {};
  }
};

// Latches and releases at one instant.
struct Transition {
  double t = 0;                   // [s]
  std::vector<std::string> what;  // "latch joint"
  std::string obstacle;           // why it is not recorded; empty: it is
  bool is_frozen = false;         // ports are joined as they stand
  RecordedTransition recorded;
  std::vector<double> x, x_after;  // in the run
  // The phase that follows and its inputs; whether recorded and projected it is what the run did.
  int phase_after = -1;
  std::vector<double> u_after;
  bool is_repeated = false;
};

struct PhaseOptions {
  double t_stop = 0;     // [s]
  int most_phases = 16;  // that are recorded
  int most_transitions = 16;
  int most_steps = 20'000;           // of a stretch that is kept
  std::size_t most_numbers = 4'000;  // of the inputs of such a stretch
  std::function<bool()> interrupted = {};
};

struct SmoothPhases {
  std::vector<SmoothPhase> phases;
  std::vector<Transition> transitions;
  int left_out = 0;  // beyond most_phases
  double step = 0;   // [s]
  Outcome outcome;
};

// The method of `options` must be rk4.
SmoothPhases find_smooth_phases(const System<double>& system, const RunOptions& options,
                                const std::vector<Event>& events, const PhaseOptions& wanted);

}  // namespace berth
