// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the fit of a loop starts: a record thinned to what interpolation allows, and a search over whole
// ticks of delay for a few lags and filters, each with its best (k, b, f₀).

#include <vector>

#include "berth/live/loop_response.h"

namespace berth {

// Every `stride`-th tick of a record.
struct ThinnedRecord {
  std::vector<double> u, u_rate, force;
  double sample_time = 0;  // [s]
  std::size_t first = 0;
  int stride = 1;

  LoopRecord record() const { return {sample_time, u, u_rate, force, first}; }
};
// The greatest stride, a power of two, with which the cubic through what is left misses the ticks left out
// by less than 0.2 % of the command's range; 3000 ticks at least remain.
ThinnedRecord thin_record(const LoopRecord& record);

struct LoopStart {
  LoopStages stages;  // [ticks] of the record
  double k;           // [N/m] below zero: the force has the wrong sign
  double squares;     // [N²] that remain, per sample
};
// One for each lag and filter, the best first. Delays up to `most_delay` ticks.
std::vector<LoopStart> find_loop_starts(const LoopRecord& record, bool with_lag, bool with_filter,
                                        double most_delay);

}  // namespace berth
