// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adaptive — drives a Runge–Kutta method forward in time with steps as long as the tolerance
// allows; methods without error estimate take the fixed step of the options.
//
//   try; error ratio ≤ 1: accept and choose the next step (step_control.h); else shorten and retry.
//
// Landing on t_limit. With r = t_limit − t left and a natural step h:
//
//   r ≤ 1.01 h            one step of r: stretched a little rather than leaving a sliver     (1)
//   1.01 h < r < 2 h      two steps of r/2                                                   (2)
//   fixed step            ⌈r/h⌉ equal steps                                                  (3)
//
// A step cut short by t_limit does not shorten those after it: the natural step is remembered.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "berth/integrate/integrator.h"
#include "berth/integrate/runge_kutta.h"
#include "berth/integrate/starting_step.h"
#include "berth/integrate/step_control.h"

namespace berth {

template <Scalar T>
class Adaptive {
 public:
  Adaptive(const Tableau& method, std::size_t n, std::vector<Block> blocks,
           const IntegratorOptions& options)
      : stepper_(method, n),
        norm_(std::move(blocks), options.tolerance),
        controller_(method),
        options_(options),
        scratch_(2 * n, T(0.0)) {
    for (const Block& b : norm_.blocks()) {
      if (b.first + b.size > n) throw std::invalid_argument("Adaptive: block beyond the state");
    }
    if (!method.adaptive() && !(options.step > 0 && std::isfinite(options.step))) {
      throw std::invalid_argument(
          "Adaptive: this method takes fixed steps; options.step is needed");
    }
  }

  double t() const { return stepper_.t(); }
  double t_previous() const { return stepper_.t_previous(); }
  std::span<const T> x() const { return stepper_.x(); }
  std::span<const T> x_previous() const { return stepper_.x_previous(); }
  const Tableau& method() const { return stepper_.method(); }
  StepCounters counters() const {
    return {accepted_, rejected_, stepper_.evaluations() + starting_evaluations_ - before_};
  }

  // The step the controller would take next if nothing were in the way; 0: not known yet.
  double natural_step() const { return natural_; }

  void start(double t, std::span<const T> x) {
    restart(t, x);
    natural_ = options_.first_step;
    accepted_ = rejected_ = 0;
    before_ = stepper_.evaluations() + starting_evaluations_;
  }

  // After an event. The step length carries over as a guess; if it is now too long, it is rejected.
  void restart(double t, std::span<const T> x) {
    stepper_.start(t, x);
    controller_.forget();
  }

  void replace_state(std::span<const T> x) { stepper_.replace_state(x); }

  template <RateFunction<T> F>
  StepOutcome step(F&& f, double t_limit) {
    if (!(t_limit > t())) throw std::invalid_argument("Adaptive::step: t_limit must lie ahead");
    return method().adaptive() ? adaptive_step(f, t_limit) : fixed_step(f, t_limit);
  }

  template <RateFunction<T> F>
  std::span<const T> rate(F&& f) {
    return stepper_.rate(f);
  }
  template <RateFunction<T> F>
  void prepare_dense(F&& f) {
    stepper_.prepare_dense(f);
  }
  void interpolate(double t, std::span<T> out) const { stepper_.interpolate(t, out); }
  void interpolate_rate(double t, std::span<T> out) const { stepper_.interpolate_rate(t, out); }
  const DenseStep<T>& dense() const { return stepper_.dense(); }

 private:
  template <class F>
  StepOutcome adaptive_step(F& f, double t_limit) {
    const double shortest = find_shortest_step();
    if (!(natural_ > 0)) choose_first_step(f, t_limit);
    double h = std::max(std::min(natural_, options_.max_step), shortest);
    bool retry = false;
    bool lost_number = false;
    for (;;) {
      if (accepted_ + rejected_ >= options_.max_steps) return StepOutcome::too_many_steps;
      if (h < shortest) {
        return lost_number ? StepOutcome::non_finite : StepOutcome::step_too_small;
      }
      const double t_end = find_end(h, t_limit);
      const double taken = t_end - t();
      const double ratio = stepper_.try_step(f, t_end, norm_);

      if (ratio <= 1) {
        double next = taken * controller_.after_acceptance(ratio, taken);
        // No growth straight after a rejection; no lasting harm from a step cut short.
        if (retry) next = std::min(next, taken);
        // (t + h) − t may miss h by an ulp of t: that is not cut short.
        const bool cut = taken < (1 - 1e-6) * h;
        if (cut) next = std::max(next, h);
        if (!cut) controller_.remember(ratio, taken);
        natural_ = std::min(next, options_.max_step);
        stepper_.accept();
        ++accepted_;
        return StepOutcome::accepted;
      }

      ++rejected_;
      retry = true;
      lost_number = !std::isfinite(ratio);
      h = taken * (lost_number ? kAfterLostNumber : controller_.after_rejection(ratio));
    }
  }

  template <class F>
  StepOutcome fixed_step(F& f, double t_limit) {
    if (accepted_ + rejected_ >= options_.max_steps) return StepOutcome::too_many_steps;
    const double left = t_limit - t();
    const double steps = std::ceil(left / options_.step * (1 - 1e-12));  // (3)
    const double h = std::isfinite(left) ? left / steps : options_.step;
    const double t_end = steps <= 1 ? t_limit : t() + h;
    if (!(t_end > t())) return StepOutcome::step_too_small;
    if (!std::isfinite(stepper_.try_step(f, t_end, norm_))) {
      ++rejected_;
      return StepOutcome::non_finite;
    }
    stepper_.accept();
    ++accepted_;
    return StepOutcome::accepted;
  }

  double find_end(double h, double t_limit) const {
    const double left = t_limit - t();
    const double longest = std::max(h, std::min(1.01 * h, (1 + 1e-9) * options_.max_step));
    if (left <= longest) return t_limit;           // (1)
    return t() + (left < 2 * h ? 0.5 * left : h);  // (2)
  }

  // 16 ulps of t; at t = 0, where ulps vanish, the smallest normal number stands in.
  double find_shortest_step() const {
    const double ulp = std::nextafter(std::fabs(t()), INFINITY) - std::fabs(t());
    return std::max(options_.min_step, 16 * std::max(ulp, std::numeric_limits<double>::min()));
  }

  template <class F>
  void choose_first_step(F& f, double t_limit) {
    const std::size_t n = stepper_.size();
    const std::span<T> all(scratch_);
    natural_ = find_starting_step<T>(f, t(), x(), stepper_.rate(f), norm_, method().order,
                                     std::min(options_.max_step, t_limit - t()), all.first(n),
                                     all.last(n));
    ++starting_evaluations_;
  }

  static constexpr double kAfterLostNumber = 0.1;

  RungeKutta<T> stepper_;
  ErrorNorm norm_;
  StepController controller_;
  IntegratorOptions options_;
  std::vector<T> scratch_;
  double natural_ = 0;
  std::uint64_t accepted_ = 0, rejected_ = 0;
  std::uint64_t starting_evaluations_ = 0, before_ = 0;
};

}  // namespace berth
