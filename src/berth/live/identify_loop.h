// SPDX-License-Identifier: Apache-2.0
#pragma once

// Identification of a facility's loop from what it was commanded and what its force sensor answered: the
// numbers of a contact's loop block, with their standard deviations.
//
//   x = G(s) e^{−sh} u       G = 1/(1 + 2ζ/ω s + s²/ω²)       robot: dead time and lag          (1)
//   f = f₀ − (k x + b ẋ) / (1 + τ s)                          mock-up and sensor                (2)
//
// Four models are fitted (loop_fit.h): with and without the lag, with and without the filter. That with the
// least  N ln(S/N) + p ln N  (Bayesian information criterion; N samples, p parameters, sum of squares S)
// stands; a stage that does not improve the fit by more is left out, with a note.
//
// Dead time and lag act alike at low frequency. Their sum as a delay of phase,
//
//   total = h + 2ζ/ω + τ                                                                        (3)
//
// is known far better than h alone, and `correlation` says how much they are exchanged. The deviation of h
// also covers a stage too fast to be noticed, whose delay h would contain.
//
// f₀ contains the sensor's bias and k times the error of the surface's place: they act alike in contact. An
// overdamped lag and a filter are three first-order lags in a row, whose order cannot be measured: the
// fastest of them is called the filter.

#include <cstddef>
#include <string>
#include <vector>

#include "berth/live/loop_response.h"

namespace berth {

struct LoopIdentifyOptions {
  double most_delay = 0.5;  // [s] searched up to here; below what the record settles before `first`
  double least_explained = 0.9;  // share of the force's variance without which there is no result
};

struct LoopEstimate {
  double value = 0, deviation = 0;
};

struct LoopIdentification {
  std::string fault;               // why there is no result, one sentence; empty: there is
  std::vector<std::string> notes;  // stages left out, what is not separated

  // NaN after a fault. Of a stage that is left out 0, of its damping 1.
  LoopEstimate delay;            // [s] h
  LoopEstimate robot_frequency;  // [rad/s] ω
  LoopEstimate robot_damping;    // ζ
  LoopEstimate filter_time;      // [s] τ
  LoopEstimate total_delay;      // [s] (3)
  LoopEstimate stiffness;        // [N/m] k
  LoopEstimate damping;          // [N·s/m] b
  LoopEstimate force_offset;     // [N] f₀
  double correlation = 0;        // of h and 2ζ/ω + τ; 0 without them

  double residual_rms = 0;          // [N]
  double residual_correlation = 0;  // of one residual with the next; near 0: noise
  double explained = 0;             // share of the variance of the force
  std::size_t samples = 0, missing = 0;

  bool found() const { return fault.empty(); }
  bool has_lag() const { return robot_frequency.value > 0; }
  bool has_filter() const { return filter_time.value > 0; }
};

// Throws std::invalid_argument where the record is none: spans of different lengths, no sample time, a
// command that is not finite.
LoopIdentification identify_loop(const LoopRecord& record, const LoopIdentifyOptions& options = {});

}  // namespace berth
