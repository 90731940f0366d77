// SPDX-License-Identifier: Apache-2.0
#pragma once

// StepLoop — tries steps until one is good enough, whatever makes them.
//
//   try; error ratio ≤ 1: accept and choose the next step (step_control.h); else shorten and retry.
//
// Landing on t_limit. With r = t_limit − t left and a natural step h:
//
//   r ≤ 1.01 h            one step of r: stretched a little rather than leaving a sliver     (1)
//   1.01 h < r < 2 h      two steps of r/2                                                   (2)
//
// A step cut short by t_limit does not shorten those after it: the natural step is remembered.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "berth/integrate/integrator.h"
#include "berth/integrate/step_control.h"

namespace berth {

class StepLoop {
 public:
  StepLoop(const StepController& controller, const IntegratorOptions& options)
      : controller_(controller), options_(options) {}

  const IntegratorOptions& options() const { return options_; }
  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t rejected() const { return rejected_; }
  // The step the controller would take next if nothing were in the way; 0: not known yet.
  double natural_step() const { return natural_; }
  void set_natural_step(double h) { natural_ = h; }

  void start() {
    natural_ = options_.first_step;
    accepted_ = rejected_ = 0;
    restart();
  }
  // The step length carries over as a guess; if it is now too long, it is rejected.
  void restart() { controller_.forget(); }

  bool exhausted() const { return accepted_ + rejected_ >= options_.max_steps; }
  void count(bool was_accepted) { ++(was_accepted ? accepted_ : rejected_); }

  // The step just accepted was made in vain.
  void take_back() {
    --accepted_;
    ++rejected_;
  }

  // try_step(t_end) gives the error ratio of a step from t: ≤ 1 acceptable, not finite when a
  // number was lost. The last one tried is the accepted one.
  // No step is tried that is longer than `longest`.
  template <class TryStep>
  StepOutcome run(double t, double t_limit, TryStep&& try_step, double longest = INFINITY) {
    const double shortest = find_shortest_step(t);
    double h = std::max(std::min({natural_, options_.max_step, longest}), shortest);
    bool retry = false;
    bool lost_number = false;
    for (;;) {
      if (exhausted()) return StepOutcome::too_many_steps;
      if (h < shortest) {
        return lost_number ? StepOutcome::non_finite : StepOutcome::step_too_small;
      }
      const double t_end = find_end(t, h, t_limit);
      const double taken = t_end - t;
      if (!std::isfinite(taken)) return StepOutcome::non_finite;  // no shorter step would be one
      const double ratio = try_step(t_end);

      if (ratio <= 1) {
        double next = taken * controller_.after_acceptance(ratio, taken);
        // No growth straight after a rejection; no lasting harm from a step cut short.
        if (retry) next = std::min(next, taken);
        // By t_limit, that is: (t + h) − t misses h by ulps of t, which is much of a short step.
        const bool cut = t_end < t + h;
        if (cut) next = std::max(next, h);
        if (!cut) controller_.remember(ratio, taken);
        natural_ = std::min(next, options_.max_step);
        count(true);
        return StepOutcome::accepted;
      }

      count(false);
      retry = true;
      lost_number = !std::isfinite(ratio);
      h = taken * (lost_number ? kAfterLostNumber : controller_.after_rejection(ratio));
    }
  }

  static void visit_state(auto& a, auto& self) {
    auto& [controller, options, natural, accepted, rejected] = self;
    a(controller, natural, accepted, rejected);
  }

 private:
  double find_end(double t, double h, double t_limit) const {
    const double left = t_limit - t;
    const double longest = std::max(h, std::min(1.01 * h, (1 + 1e-9) * options_.max_step));
    if (left <= longest) return t_limit;         // (1)
    return t + (left < 2 * h ? 0.5 * left : h);  // (2)
  }

  // 16 ulps of t; at t = 0, where ulps vanish, the smallest normal number stands in.
  double find_shortest_step(double t) const {
    const double ulp = std::nextafter(std::fabs(t), INFINITY) - std::fabs(t);
    return std::max(options_.min_step, 16 * std::max(ulp, std::numeric_limits<double>::min()));
  }

  static constexpr double kAfterLostNumber = 0.1;

  StepController controller_;
  IntegratorOptions options_;
  double natural_ = 0;
  std::uint64_t accepted_ = 0, rejected_ = 0;
};

}  // namespace berth
