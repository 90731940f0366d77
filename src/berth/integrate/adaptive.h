// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adaptive — drives a Runge–Kutta method forward in time with steps as long as the tolerance
// allows (step_loop.h); methods without error estimate take the fixed step of the options:
//
//   ⌈r/h⌉ equal steps          r = t_limit − t left, h the step of the options               (1)
//
// A derivative with a delay shorter than the step needs the step while it is being made. The past
// is first carried on by the polynomial of the step before; the trial then takes its place, and the
// step is made again until the past it was made with and the past it makes agree:
//
//   |x_new − x_used| at t_end − delay ≤ 0.1 of the tolerance                                 (2)

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "berth/integrate/integrator.h"
#include "berth/integrate/past.h"
#include "berth/integrate/runge_kutta.h"
#include "berth/integrate/starting_step.h"
#include "berth/integrate/step_control.h"
#include "berth/integrate/step_loop.h"

namespace berth {

// (1): where the next of them ends.
inline double find_fixed_step_end(double t, double t_limit, double step) {
  const double left = t_limit - t;
  const double steps = std::ceil(left / step * (1 - 1e-12));
  const double h = std::isfinite(left) ? left / steps : step;
  return steps <= 1 ? t_limit : t + h;
}

template <Scalar T>
class Adaptive {
 public:
  Adaptive(const Tableau& method, std::size_t n, std::vector<Block> blocks,
           const IntegratorOptions& options)
      : stepper_(method, n),
        norm_(std::move(blocks), options.tolerance, options.mean_error),
        loop_(StepController(method), options),
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
    return {loop_.accepted(), loop_.rejected(),
            stepper_.evaluations() + starting_evaluations_ - before_};
  }

  // The step the controller would take next if nothing were in the way; 0: not known yet.
  double natural_step() const { return loop_.natural_step(); }

  void start(double t, std::span<const T> x) {
    restart(t, x);
    loop_.start();
    before_ = stepper_.evaluations() + starting_evaluations_;
  }

  // After an event. The step length carries over as a guess; if it is now too long, it is rejected.
  void restart(double t, std::span<const T> x) {
    stepper_.start(t, x);
    loop_.restart();
  }

  void replace_state(std::span<const T> x) { stepper_.replace_state(x); }

  template <RateFunction<T> F>
  StepOutcome step(F&& f, double t_limit) {
    if (!(t_limit > t())) throw std::invalid_argument("Adaptive::step: t_limit must lie ahead");
    return method().adaptive() ? adaptive_step(f, t_limit) : fixed_step(f, t_limit);
  }

  // Back to where the last step began. The next one may end elsewhere.
  void take_back() {
    stepper_.take_back();
    loop_.take_back();
  }

  template <RateFunction<T> F>
  std::span<const T> rate(F&& f) {
    return stepper_.rate(f);
  }
  bool rate_known() const { return stepper_.rate_known(); }
  template <RateFunction<T> F>
  void prepare_dense(F&& f) {
    stepper_.prepare_dense(f);
  }
  void interpolate(double t, std::span<T> out) const { stepper_.interpolate(t, out); }
  void interpolate_rate(double t, std::span<T> out) const { stepper_.interpolate_rate(t, out); }
  const DenseStep<T>& dense() const { return stepper_.dense(); }

  static void visit_state(auto& a, auto& self) {
    auto& [stepper, norm, loop, scratch, starting_evaluations, before] = self;
    a(stepper, loop, starting_evaluations, before);
  }

 private:
  template <class F>
  StepOutcome adaptive_step(F& f, double t_limit) {
    if (!(natural_step() > 0)) choose_first_step(f, t_limit);
    const StepOutcome outcome = loop_.run(
        t(), t_limit, [&](double t_end) { return try_step(f, t_end); }, find_longest(f));
    if (outcome == StepOutcome::accepted) stepper_.accept();
    return outcome;
  }

  // The step before can be carried on some way, not any.
  template <class F>
  double find_longest(F& f) const {
    if constexpr (HasDelay<F, T>) {
      const Past<T>* past = f.past();
      if (past && !past->empty()) return f.shortest_delay() + kCarry * past->last_length();
    }
    return INFINITY;
  }

  template <class F>
  double try_step(F& f, double t_end) {
    if constexpr (HasDelay<F, T>) {
      Past<T>* past = f.past();
      // By rounding alone a step of one delay reaches beyond; so short a way any piece carries on.
      const double reach = past ? t_end - f.shortest_delay() - past->end() : 0;
      if (past && !past->empty() && reach > 1e-9 * f.shortest_delay())
        return try_overlapping(f, *past, t_end);
    }
    return stepper_.try_step(f, t_end, norm_);
  }

  template <class F>
  double try_overlapping(F& f, Past<T>& past, double t_end) {
    const std::size_t n = stepper_.size();
    const std::span<T> used = std::span(scratch_).first(n), made = std::span(scratch_).last(n);
    const double t_last = t_end - f.shortest_delay();
    past.drop_draft();
    double before = INFINITY;
    for (int pass = 1;; ++pass) {
      const double ratio = stepper_.try_step(f, t_end, norm_);
      if (!(ratio <= 1)) return ratio;
      past.find(t_last, used);  // the draft is the very polynomial that is made anew now
      stepper_.prepare_trial(f);
      stepper_.interpolate(t_last, made);
      for (std::size_t i = 0; i < n; ++i) used[i] = made[i] - used[i];
      past.set_draft(stepper_.dense());
      const double change = norm_.error<T>(used, {}, stepper_.x(), stepper_.x_trial());
      if (change <= kAgreement) return pass > 2 ? std::max(ratio, 0.5) : ratio;  // (2)
      // At this rate, will it ever?
      const double expected = change * pow(change / before, kMostPasses - pass);
      if (!(expected <= kAgreement) && pass > 1) return kNoAgreement;
      before = change;
    }
  }

  template <class F>
  StepOutcome fixed_step(F& f, double t_limit) {
    if (loop_.exhausted()) return StepOutcome::too_many_steps;
    const double t_end = find_fixed_step_end(t(), t_limit, loop_.options().step);
    if (!(t_end > t())) return StepOutcome::step_too_small;
    const double ratio = try_step(f, t_end);
    if (!std::isfinite(ratio) || ratio == kNoAgreement) {
      loop_.count(false);
      return StepOutcome::non_finite;
    }
    stepper_.accept();
    loop_.count(true);
    return StepOutcome::accepted;
  }

  template <class F>
  void choose_first_step(F& f, double t_limit) {
    const std::size_t n = stepper_.size();
    const std::span<T> all(scratch_);
    const double longest = std::min(loop_.options().max_step, t_limit - t());
    loop_.set_natural_step(find_starting_step<T>(
        f, t(), x(), stepper_.rate(f), norm_, method().order, longest, all.first(n), all.last(n)));
    ++starting_evaluations_;
  }

  static constexpr int kMostPasses = 4;
  static constexpr double kCarry = 4;  // lengths of a step
  static constexpr double kAgreement = 0.1;
  static constexpr double kNoAgreement = 1e3;  // as an error ratio: about half the step next

  RungeKutta<T> stepper_;
  ErrorNorm norm_;
  StepLoop loop_;
  std::vector<T> scratch_;
  std::uint64_t starting_evaluations_ = 0, before_ = 0;
};

}  // namespace berth
