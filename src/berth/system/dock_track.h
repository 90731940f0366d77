// SPDX-License-Identifier: Apache-2.0
#pragma once

// DockTrack — what one dock went through during a run: peak loads, largest violations, and the
// violation's root mean square over the second half,
//
//   rms² = ∫ψ² dt / T      by the trapezium rule over accepted steps                            (1)

#include <algorithm>
#include <cmath>

#include "berth/system/docks.h"

namespace berth {

class DockTrack {
 public:
  explicit DockTrack(double t_half = 0) : t_half_(t_half) {}

  // At an accepted step, docked.
  void add(double t, const Violation<double>& v, const Wrench<double>& load) {
    raise_force(norm(load.force), t);
    raise_torque(norm(load.torque), t);
    raise_violation(v);
    if (std::isfinite(last_t_) && t > last_t_ && last_t_ >= t_half_) {
      integral_ += 0.5 * (t - last_t_) * (square(last_) + square(v.position));  // (1)
      duration_ += t - last_t_;
    }
    last_t_ = t;
    last_ = v.position;
  }
  // Inside a step.
  void raise_force(double f, double t) {
    if (f > force_peak_) force_peak_ = f, force_t_ = t;
  }
  void raise_torque(double n, double t) {
    if (n > torque_peak_) torque_peak_ = n, torque_t_ = t;
  }
  void raise_violation(const Violation<double>& v) {
    violation_.position = std::max(violation_.position, v.position);
    violation_.attitude = std::max(violation_.attitude, v.attitude);
  }
  // Not docked: nothing is integrated until it is again.
  void pause() { last_t_ = INFINITY; }

  double force_peak() const { return force_peak_; }
  double torque_peak() const { return torque_peak_; }
  // [s] When; NaN where there was no load.
  double force_peak_time() const { return force_t_; }
  double torque_peak_time() const { return torque_t_; }
  const Violation<double>& violation() const { return violation_; }
  double position_rms() const { return duration_ > 0 ? std::sqrt(integral_ / duration_) : 0; }

  static void visit_state(auto& a, auto& self) {
    auto& [t_half, force, torque, force_t, torque_t, violation, last_t, last, integral, duration] =
        self;
    a(t_half, force, torque, force_t, torque_t, violation.position, violation.attitude, last_t,
      last, integral, duration);
  }

 private:
  double t_half_;
  double force_peak_ = 0, torque_peak_ = 0;
  double force_t_ = NAN, torque_t_ = NAN;
  Violation<double> violation_;
  double last_t_ = INFINITY, last_ = 0, integral_ = 0, duration_ = 0;
};

}  // namespace berth
