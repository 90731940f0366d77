// SPDX-License-Identifier: Apache-2.0
#pragma once

// TickSchedule — when ticks are due on the clock, and what becomes of those that are late.
//
//   due(k) = start + offset + k period / factor                                                  (1)
//
// A tick that leaves later than `late_after` periods after (1) is late. One that leaves a whole period late
// or more has overrun:
//
//   stop       the run ends
//   slip       the schedule is moved: offset grows by as much, and the lag behind simulated time with it
//   catch_up   the schedule stays; the next ticks follow as fast as they are computed, but never closer than
//              half a period, so that no robot gets two steps at once
//
// No robot is moved by two steps in one period without a flag in the datagram that says so.

#include <algorithm>
#include <cstdint>

#include "berth/scenario/spec/live_spec.h"

namespace berth {

class TickSchedule {
 public:
  struct Options {
    double period = 0.001;    // [s] simulated
    double factor = 1;        // simulated seconds in one of the clock
    double late_after = 0.1;  // periods
    Overrun overrun = Overrun::stop;
  };
  explicit TickSchedule(const Options& options)
      : options_(options), period_ns_(options.period * 1e9 / options.factor) {}

  void start(std::int64_t now_ns) { start_ns_ = last_ns_ = now_ns; }

  // [ns] (1), of any simulated time.
  std::int64_t find_time(double t) const {
    return start_ns_ + offset_ns_ + static_cast<std::int64_t>(t * 1e9 / options_.factor);
  }
  // The same of a tick: not closer to the last one than catching up allows.
  std::int64_t find_due(double t) const {
    const std::int64_t at = find_time(t);
    return has_left_ ? std::max(at, last_ns_ + static_cast<std::int64_t>(0.5 * period_ns_)) : at;
  }

  struct Leaving {
    std::int64_t late_ns = 0;  // after (1)
    bool late = false, overran = false, slipped = false, catching_up = false;
  };
  // The tick of simulated time t leaves now.
  Leaving leave(double t, std::int64_t now_ns) {
    Leaving out;
    out.late_ns = now_ns - find_time(t);
    out.late = static_cast<double>(out.late_ns) > options_.late_after * period_ns_;
    out.overran = static_cast<double>(out.late_ns) >= period_ns_;
    out.catching_up =
        has_left_ && static_cast<double>(now_ns - last_ns_) < 0.9 * period_ns_ && out.late;
    if (out.overran && options_.overrun == Overrun::slip) {
      out.slipped = true;
      offset_ns_ += out.late_ns;
    }
    last_ns_ = now_ns;
    has_left_ = true;
    return out;
  }

  // [ns] By which slipping has moved it in all.
  std::int64_t offset_ns() const { return offset_ns_; }
  double period_ns() const { return period_ns_; }

 private:
  Options options_;
  double period_ns_;
  std::int64_t start_ns_ = 0, offset_ns_ = 0, last_ns_ = 0;
  bool has_left_ = false;
};

}  // namespace berth
