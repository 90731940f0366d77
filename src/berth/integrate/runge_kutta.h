// SPDX-License-Identifier: Apache-2.0
#pragma once

// RungeKutta — takes single steps with any table (equations in tableau.h).
//
//   t, x            where the solution stands
//   try_step        (t, x) => a trial end of step and its error ratio; t and x stay
//   prepare_trial   the trial as a polynomial, before it is accepted or not
//   accept          the trial becomes (t, x); the old pair is t_previous, x_previous
//   take_back       the step just accepted is undone
//   replace_state   puts another x at the same t (projection); the last step stays as it was
//   prepare_dense   stages of the last accepted step => polynomial; then interpolate
//
// The derivative is any callable f(t, x, ẋ) and is passed to each call that may evaluate it. It is
// evaluated only when a step, its error estimate or dense output needs the value. When f
// itself changes (a contact closes), call `start`.
//
// A derivative that is watched (Watched) is notified when a trial begins and where, of its stages,
// it may leave a sample of what it has just evaluated: a few, spread over the step, of the later
// and better ones. Counted as evaluations are those that make the solution; dense output and
// whoever evaluates it come on top, so that the count does not depend on them.
//
// All storage is made in the constructor. One step is h = t_end − t, with t_end given by the caller
// and kept bit for bit.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "berth/integrate/combine.h"
#include "berth/integrate/dense_step.h"
#include "berth/integrate/error_norm.h"
#include "berth/integrate/rate_function.h"
#include "berth/integrate/tableau.h"
#include "berth/integrate/trial.h"

namespace berth {

template <class F>
concept Watched = requires(F& f, double t) {
  f.begin_trial();
  f.sample(t);
};

template <Scalar T>
class RungeKutta {
 public:
  RungeKutta(const Tableau& method, std::size_t n)
      : method_(&method),
        n_(n),
        stride_(padded<T>(n)),
        x_(stride_, T(0.0)),
        x_begin_(x_),
        x_end_(x_),
        rate_(x_),
        argument_(x_),
        error_(method.error.empty() ? 0 : stride_, T(0.0)),
        error_2_(method.embedded_order_2 > 0 ? stride_ : 0, T(0.0)),
        k_(std::size_t(method.all_stages()) * stride_, T(0.0)),
        dense_(method, n) {
    for (int i = 0; i < method.all_stages(); ++i) a_[std::size_t(i)] = find_row(method.a, i);
    choose_samples();
  }

  const Tableau& method() const { return *method_; }
  std::size_t size() const { return n_; }
  double t() const { return t_; }
  double t_previous() const { return t_begin_; }
  std::span<const T> x() const { return {x_.data(), n_}; }
  std::span<const T> x_previous() const { return {x_begin_.data(), n_}; }
  std::uint64_t evaluations() const { return evaluations_; }

  void start(double t, std::span<const T> x) {
    t_ = t;
    set_state(x);
    dense_ready_ = can_interpolate_ = false;
  }

  void replace_state(std::span<const T> x) {
    set_state(x);
    replaced_ = true;
  }

  // ẋ at (t, x), evaluated when not known yet.
  template <RateFunction<T> F>
  std::span<const T> rate(F&& f) {
    if (!rate_known_) evaluate(f, t_, x_, rate_.data());
    rate_known_ = true;
    return {rate_.data(), n_};
  }
  bool rate_known() const { return rate_known_; }

  // Returns the error ratio: ≤ 1 acceptable, 0 without an estimate, NaN when a number was lost.
  template <RateFunction<T> F>
  double try_step(F&& f, double t_end, const ErrorNorm& norm) {
    rate(f);
    if constexpr (Watched<F>) f.begin_trial();
    if (!std::exchange(rate_counted_, true)) ++evaluations_;
    evaluations_ += std::uint64_t(method_->stages - 1) + (method_->error_needs_end() ? 1 : 0);
    dense_ready_ = can_interpolate_ = false;
    h_ = t_end - t_;
    t_end_ = t_end;
    // (1): the stages; k₀ is the slope at x.
    std::ranges::copy(rate_, k_.begin());
    if constexpr (MakesTrials<F>) {
      end_known_ = method_->error_needs_end();
      const Trial trial{*method_,           norm,       t_,        t_end_,  x(),
                        {rate_.data(), n_}, is_sample_, k_.data(), stride_, {x_end_.data(), n_}};
      if (const std::optional<double> ratio = f.try_step(trial)) return *ratio;
    }
    for (int i = 1; i < method_->stages; ++i) {
      run_stage(f, i, t_, h_, x_);
      if constexpr (Watched<F>)
        if (is_sample_[std::size_t(i)]) f.sample(t_ + method_->c[std::size_t(i)] * h_);
    }
    // (2): the trial end, and its slope where the estimate needs it.
    combine(a_[std::size_t(method_->stages)], h_, x_.data(), k_.data(), stride_, x_end_.data(),
            stride_);
    end_known_ = method_->error_needs_end();
    if (end_known_) evaluate(f, t_end_, x_end_, row(method_->stages));
    for (std::size_t i = 0; i < n_; ++i) {
      if (!is_finite(x_end_[i])) return std::numeric_limits<double>::quiet_NaN();
    }
    return find_error(norm);
  }

  // The trial step as `dense`. For a derivative with a delay shorter than the step.
  template <RateFunction<T> F>
  void prepare_trial(F&& f) {
    const int last = method_->stages;
    if (!end_known_) evaluate(f, t_end_, x_end_, row(last));
    evaluations_ += std::uint64_t(method_->dense_stages) + (end_known_ ? 0 : 1);
    end_known_ = true;
    for (int i = last + 1; i < method_->all_stages(); ++i) run_stage(f, i, t_, h_, x_);
    dense_.build(*method_, t_, t_end_, x_.data(), x_end_.data(), k_.data());
    dense_ready_ = true;
  }

  // Where the trial ends.
  std::span<const T> x_trial() const { return {x_end_.data(), n_}; }

  void accept() {
    std::swap(x_begin_, x_);
    std::ranges::copy(x_end_, x_.begin());
    t_begin_ = t_;
    t_ = t_end_;
    rate_known_ = rate_counted_ = end_known_;
    if (end_known_) std::copy_n(row(method_->stages), stride_, rate_.begin());
    replaced_ = false;
    can_interpolate_ = true;
  }

  // Undoes the last `accept`: back where the step began, to make another one.
  void take_back() {
    if (!can_interpolate_) throw std::logic_error("RungeKutta: no accepted step to take back");
    std::ranges::copy(x_begin_, x_.begin());
    t_ = t_begin_;
    std::copy_n(row(0), stride_, rate_.begin());
    rate_known_ = rate_counted_ = true;
    dense_ready_ = can_interpolate_ = false;
  }

  // Makes the last accepted step ready for `interpolate`; f must be what the step was made with.
  template <RateFunction<T> F>
  void prepare_dense(F&& f) {
    if (dense_ready_) return;
    if (!can_interpolate_) throw std::logic_error("RungeKutta: no accepted step to interpolate");
    const int last = method_->stages;
    if (!end_known_ && replaced_) evaluate(f, t_end_, x_end_, row(last));
    if (!end_known_ && !replaced_) std::ranges::copy(rate(f), row(last));
    end_known_ = true;
    if (method_->dense_stages > 0 && !is_extended(f))
      for (int i = last + 1; i < method_->all_stages(); ++i)
        run_stage(f, i, t_begin_, h_, x_begin_);
    dense_.build(*method_, t_begin_, t_end_, x_begin_.data(), x_end_.data(), k_.data());
    dense_ready_ = true;
  }

  // Valid after prepare_dense and until the next try_step, for t_previous ≤ t ≤ t.
  void interpolate(double t, std::span<T> out) const { dense_.interpolate(t, out); }
  void interpolate_rate(double t, std::span<T> out) const { dense_.interpolate_rate(t, out); }
  const DenseStep<T>& dense() const { return dense_; }

  // Stages are kept for as long as dense output may still be made of them.
  static void visit_state(auto& a, auto& self) {
    auto& [method, rows, n, stride, t, t_begin, t_end, h, x, x_begin, x_end, rate, argument, error,
           error_2, k, dense, evaluations, is_sample, rate_known, rate_counted, end_known, replaced,
           can_interpolate, dense_ready] = self;
    a(t, t_begin, t_end, h, evaluations, rate_known, rate_counted, end_known, replaced,
      can_interpolate, dense_ready);
    for (auto* v : {&x, &x_begin, &x_end, &rate}) a.fixed(std::span(*v).first(n));
    if (dense_ready) a(dense);
    if (!can_interpolate || dense_ready) return;
    for (int i = 0; i < method->stages + (end_known ? 1 : 0); ++i)
      a.fixed(std::span(k).subspan(std::size_t(i) * stride, n));
  }

 private:
  T* row(int i) { return k_.data() + std::size_t(i) * stride_; }

  void set_state(std::span<const T> x) {
    if (x.size() != n_) throw std::invalid_argument("RungeKutta: state of the wrong size");
    std::ranges::copy(x, x_.begin());
    rate_known_ = rate_counted_ = false;
  }

  // From the last stage back, those that lie apart from one another.
  void choose_samples() {
    constexpr double apart = 0.2;
    std::array<double, kMaxStages> taken{};
    std::size_t count = 0;
    for (int i = method_->stages - 1; i > 0; --i) {
      const double c = method_->c[std::size_t(i)];
      const bool fits = c >= 0.1 && c <= 0.95 &&
                        std::none_of(taken.begin(), taken.begin() + std::ptrdiff_t(count),
                                     [&](double o) { return std::abs(o - c) < apart; });
      if (fits) taken[count++] = c;
      is_sample_[std::size_t(i)] = fits;
    }
  }

  template <class F>
  void evaluate(F& f, double t, const std::vector<T>& x, T* xdot) {
    f(t, std::span<const T>(x.data(), n_), std::span<T>(xdot, n_));
  }

  template <class F>
  void run_stage(F& f, int i, double t, double h, const std::vector<T>& x) {
    combine(a_[std::size_t(i)], h, x.data(), k_.data(), stride_, argument_.data(), stride_);
    // Rounding must not carry a stage beyond the end, where f may be another one.
    const double c = method_->c[std::size_t(i)];
    evaluate(f, c < 1 ? t + c * h : t_end_, argument_, row(i));
  }

  // Whether f has made the stages of dense output itself.
  template <class F>
  bool is_extended(F& f) {
    if constexpr (MakesTrials<F>)
      return f.extend({*method_, t_begin_, t_end_, {x_begin_.data(), n_}, k_.data(), stride_});
    return false;
  }

  double find_error(const ErrorNorm& norm) {  // (3)
    if (!method_->adaptive()) return 0;
    const T* zero = nullptr;
    combine(find_row(method_->error, 0), h_, zero, k_.data(), stride_, error_.data(), stride_);
    if (!error_2_.empty()) {
      combine(find_row(method_->error, 1), h_, zero, k_.data(), stride_, error_2_.data(), stride_);
    }
    return norm.error<T>(error_, error_2_, x_, x_end_);
  }

  const Tableau* method_;
  std::array<std::span<const Coefficient>, kMaxStages> a_;  // its rows
  std::size_t n_, stride_;
  double t_ = 0;                            // now
  double t_begin_ = 0, t_end_ = 0, h_ = 0;  // of the last trial; of the last step once accepted
  std::vector<T> x_, x_begin_, x_end_;      // now; the two ends of the last step
  std::vector<T> rate_;                     // ẋ at (t_, x_), if rate_known_
  std::vector<T> argument_, error_, error_2_;
  std::vector<T> k_;  // stages, one padded row each
  DenseStep<T> dense_;
  std::uint64_t evaluations_ = 0;
  std::array<bool, kMaxStages> is_sample_{};
  bool rate_known_ = false, rate_counted_ = false;
  bool end_known_ = false;  // the last stage row holds ẋ at (t_end_, x_end_)
  bool replaced_ = false;   // x_ is no longer x_end_
  bool can_interpolate_ = false, dense_ready_ = false;
};

}  // namespace berth
