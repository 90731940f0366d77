// SPDX-License-Identifier: Apache-2.0
#pragma once

// TimeWindow — the stretch of a run in which craft meet: what plots and timeline open on, and where
// every row is kept.

#include "berth/simulate/result_file.h"

namespace berth {

struct TimeWindow {
  double from = 0, to = -1;  // [s]; empty when to < from

  bool is_empty() const { return to < from; }
  bool contains(double t) const { return t >= from && t <= to; }
};

// From shortly before a capture touches until shortly after it is latched; without a capture, around the
// first contacts, impacts, latches and releases that follow one another closely.
TimeWindow find_meeting(const ResultFile& file, double end);

}  // namespace berth
