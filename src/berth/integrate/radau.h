// SPDX-License-Identifier: Apache-2.0
#pragma once

// Radau — drives the implicit method Radau IIA of order 5 forward in time, for stiff f: springs and
// dampers so strong that their own motion dies out at once. The length of its steps follows the
// motion that is left.
//
//   stages       z₁, z₂, z₃ by Newton's method                   radau_stages.h
//   first guess  the polynomial of the step before, continued    collocation_step.h
//   error        e = (γ/h − J)⁻¹ (f(t₀, x₀) + (1/h) Σⱼ eⱼ zⱼ)                                 (1)
//   again        e ← (γ/h − J)⁻¹ (f(t₀, x₀ + e) + (1/h) Σⱼ eⱼ zⱼ)                             (2)
//
// (1) compares with a formula of order 3 and decays as h⁴: it is the error of dense output rather
// than the smaller one at the end of a step. The factor (γ/h − J)⁻¹ keeps stiff components, which
// the method damps, from being taken for errors. (2) does so once more, where it may save a step
// from rejection: in the first step and after a rejection (Hairer and Wanner, Solving Ordinary
// Differential Equations II, IV.8). Filtering every time was tried: it hides the velocity along a
// stiff spring, which then oscillates from step to step and costs rejections.
//
// Steps are chosen and land on limits as those of Adaptive (step_loop.h, step_control.h).
// f(t, x, ẋ) may offer f.jacobian(t, x, J); otherwise differences serve (jacobian.h).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "berth/integrate/collocation_step.h"
#include "berth/integrate/error_norm.h"
#include "berth/integrate/integrator.h"
#include "berth/integrate/radau_stages.h"
#include "berth/integrate/radau_table.h"
#include "berth/integrate/rate_function.h"
#include "berth/integrate/starting_step.h"
#include "berth/integrate/step_loop.h"

namespace berth {

class Radau {
 public:
  Radau(std::size_t n, std::vector<Block> blocks, const IntegratorOptions& options)
      : norm_(std::move(blocks), options.tolerance, options.mean_error),
        loop_(StepController(kErrorOrder, 0, kShrink, kGrow), options),
        stages_(n, norm_.blocks(), options.tolerance),
        last_(n),
        x_(n),
        rate_(n),
        x_trial_(n),
        x_moved_(n),
        rate_moved_(n),
        z_(Eigen::Index(n), 3),
        defect_(Eigen::Index(n)),
        error_(Eigen::Index(n)) {
    for (const Block& b : norm_.blocks()) {
      if (b.first + b.size > n) throw std::invalid_argument("Radau: block beyond the state");
    }
  }

  double t() const { return t_; }
  double t_previous() const { return last_.t_begin(); }
  std::span<const double> x() const { return x_; }
  std::span<const double> x_previous() const { return last_.x_begin(); }
  StepCounters counters() const {
    StepCounters all = counters_;
    all.accepted = loop_.accepted();
    all.rejected = loop_.rejected();
    return all;
  }

  // The step the controller would take next if nothing were in the way; 0: not known yet.
  double natural_step() const { return loop_.natural_step(); }

  void start(double t, std::span<const double> x) {
    restart(t, x);
    loop_.start();
    stages_.forget();
    has_past_ = false;
    counters_ = {};
  }

  // After an event. The step length carries over as a guess, and so does the motion so far.
  void restart(double t, std::span<const double> x) {
    set_state(x);
    t_ = t;
    loop_.restart();
    first_ = true;
    can_interpolate_ = false;
  }

  void replace_state(std::span<const double> x) { set_state(x); }

  template <RateFunction<double> F>
  StepOutcome step(F&& f, double t_limit) {
    if (!(t_limit > t_)) throw std::invalid_argument("Radau::step: t_limit must lie ahead");
    if (loop_.exhausted()) return StepOutcome::too_many_steps;
    if (!know_slopes(f)) {
      loop_.count(false);
      return StepOutcome::non_finite;
    }
    if (!(natural_step() > 0)) choose_first_step(f, t_limit);
    estimate_twice_ = first_;
    const StepOutcome outcome =
        loop_.run(t_, t_limit, [&](double t_end) { return try_step(f, t_end); });
    if (outcome == StepOutcome::accepted) accept();
    return outcome;
  }

  // Nothing needs preparing; here as the contract of integrators has it.
  template <RateFunction<double> F>
  void prepare_dense(F&&) {
    if (!can_interpolate_) throw std::logic_error("Radau: no accepted step to interpolate");
  }
  void interpolate(double t, std::span<double> out) const { last_.interpolate(t, out); }

  static void visit_state(auto& a, auto& self) {
    auto& [norm, loop, stages, last, t, t_trial, x, rate, x_trial, x_moved, rate_moved, z, defect,
           error, counters, slopes_known, first, estimate_twice, has_past, can_interpolate] = self;
    a(loop, last, t, slopes_known, first, has_past, can_interpolate);
    a(counters.rhs, counters.jacobian, counters.factorisation);
    a.fixed(x);
    if (slopes_known) a.fixed(rate);
    RadauStages::visit_state(a, stages, slopes_known);
  }

 private:
  void set_state(std::span<const double> x) {
    if (x.size() != x_.size()) throw std::invalid_argument("Radau: state of the wrong size");
    std::ranges::copy(x, x_.begin());
    slopes_known_ = false;
  }

  // ẋ and J at (t, x), evaluated when not known yet; false: no step from there can succeed.
  template <class F>
  bool know_slopes(F& f) {
    if (slopes_known_) return true;
    evaluate(f, x_, rate_);
    const auto finite = [](double v) { return std::isfinite(v); };
    slopes_known_ =
        std::ranges::all_of(rate_, finite) && stages_.linearise(f, t_, x_, rate_, counters_);
    return slopes_known_;
  }

  template <class F>
  void evaluate(F& f, const std::vector<double>& x, std::vector<double>& rate) {
    f(t_, std::span<const double>(x), std::span<double>(rate));
    ++counters_.rhs;
  }

  // Returns the error ratio: ≤ 1 acceptable, NaN when a number was lost.
  template <class F>
  double try_step(F& f, double t_end) {
    using Solved = RadauStages::Solved;
    const double h = t_end - t_;
    t_trial_ = t_end;
    const bool second_estimate = std::exchange(estimate_twice_, true);
    guess_stages(h);
    const Solved solved = stages_.solve(f, t_, t_end, x_, norm_, z_, counters_);
    if (solved == Solved::lost_number) return std::numeric_limits<double>::quiet_NaN();
    if (solved == Solved::no) return kUnsolved;
    for (std::size_t i = 0; i < x_.size(); ++i) x_trial_[i] = x_[i] + z_(Eigen::Index(i), 2);

    const double ratio = find_error(h, rate_);  // (1)
    if (ratio <= 1 || !second_estimate) return ratio;
    for (std::size_t i = 0; i < x_.size(); ++i) x_moved_[i] = x_[i] + error_[Eigen::Index(i)];
    evaluate(f, x_moved_, rate_moved_);
    const double again = find_error(h, rate_moved_);  // (2)
    return std::isfinite(again) ? again : ratio;      // x + e may lie where f is not defined
  }

  // Zero without a past. An event between the ends of the last step leaves the past a guess.
  void guess_stages(double h) {
    if (has_past_ && last_.t_begin() <= t_ && t_ <= last_.t_end()) {
      last_.extrapolate(t_, h, z_);
    } else {
      z_.setZero();
    }
  }

  double find_error(double h, const std::vector<double>& rate) {
    const std::array<double, 3>& e = radau_table::e;
    defect_ = Eigen::Map<const Eigen::VectorXd>(rate.data(), defect_.size());
    defect_ += (e[0] * z_.col(0) + e[1] * z_.col(1) + e[2] * z_.col(2)) / h;
    stages_.filter(defect_, error_);
    const std::span<const double> error(error_.data(), x_.size());
    return norm_.error<double>(error, {}, x_, x_trial_);
  }

  void accept() {
    last_.build(t_, t_trial_, x_, x_trial_, z_);
    std::swap(x_, x_trial_);
    t_ = t_trial_;
    stages_.accept();
    has_past_ = can_interpolate_ = true;
    first_ = slopes_known_ = false;
  }

  template <class F>
  void choose_first_step(F& f, double t_limit) {
    const double longest = std::min(loop_.options().max_step, t_limit - t_);
    loop_.set_natural_step(find_starting_step<double>(f, t_, x_, rate_, norm_, kOrder, longest,
                                                      x_moved_, rate_moved_));
    ++counters_.rhs;
  }

  static constexpr int kOrder = 5;
  static constexpr int kErrorOrder = 4;
  static constexpr double kShrink = 0.125, kGrow = 8;
  // Stages that cannot be solved count as this error ratio: the step is cut to a quarter.
  static constexpr double kUnsolved = 168;

  ErrorNorm norm_;
  StepLoop loop_;
  RadauStages stages_;
  CollocationStep last_;          // the last accepted step
  double t_ = 0, t_trial_ = 0;    // now; the end of the last trial
  std::vector<double> x_, rate_;  // now, and ẋ there if slopes_known_
  std::vector<double> x_trial_;   // at t_trial_
  std::vector<double> x_moved_, rate_moved_;
  Stages z_;
  Eigen::VectorXd defect_, error_;
  StepCounters counters_;  // rhs, jacobian, factorisation
  bool slopes_known_ = false;
  bool first_ = true;  // no step since the start or an event
  bool estimate_twice_ = false;
  bool has_past_ = false;         // last_ holds a step
  bool can_interpolate_ = false;  // and nothing has happened since
};

}  // namespace berth
