// SPDX-License-Identifier: Apache-2.0
#pragma once

// StepFunctions — many functions of time inside one step, for the price of one state per sample.
//
//   f(t, values)          writes every function at t: interpolate the state once, evaluate all
//   sample(t_0, t_1)      the 9 times shared by all functions; the 8 between them are shared too,
//                         once a function needs them
//   find_sign_changes(k)  refines function k where it needs it (step_function.h)
//   find_maximum(k)
//
// Vectors are kept from step to step: no allocation once they have their size.

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "berth/integrate/step_function.h"

namespace berth {

template <class F>
class StepFunctions {
 public:
  static constexpr std::size_t kSamples = 9;

  explicit StepFunctions(F f, std::size_t functions = 0) : f_(std::move(f)) { reset(functions); }
  StepFunctions(F f, std::size_t functions, double t_0, double t_1)
      : StepFunctions(std::move(f), functions) {
    sample(t_0, t_1);
  }

  void reset(std::size_t functions) {
    one_.resize(functions);
    values_.resize(functions * kSamples);
    between_.resize(functions * kBetween);
  }

  std::size_t size() const { return one_.size(); }

  // Values at the ends that are known already are not evaluated again.
  void sample(double t_0, double t_1, std::span<const double> values_0 = {},
              std::span<const double> values_1 = {}) {
    Walk::set_times(step_, t_0, t_1);
    for (std::size_t i = 0; i < kBetween; ++i) t_between_[i] = step_.time_between(i);
    known_.fill(false);
    if (size() == 0) return;
    for (std::size_t j = 0; j < kSamples; ++j) {
      const std::span<const double> known = j == 0              ? values_0
                                            : j == kSamples - 1 ? values_1
                                                                : std::span<const double>();
      if (known.empty()) f_(step_.t[j], std::span<double>(one_));
      const std::span<const double> values = known.empty() ? std::span<const double>(one_) : known;
      for (std::size_t k = 0; k < size(); ++k) values_[k * kSamples + j] = values[k];
    }
  }

  // The shared times, and the values of function k there.
  std::span<const double> times() const { return std::span(step_.t).first(kSamples); }
  std::span<const double> values(std::size_t k) const {
    return std::span(values_).subspan(k * kSamples, kSamples);
  }

  // Appended to `out`, in order of time.
  void find_sign_changes(std::size_t k, std::vector<SignChange>& out,
                         const StepFunctionOptions& options = {}) {
    One g{*this, k};
    detail::StepPiece step = piece(k);
    detail::find_sign_changes(g, step, out, options);
  }

  Extremum find_maximum(std::size_t k, const StepFunctionOptions& options = {}) {
    One g{*this, k};
    detail::StepPiece step = piece(k);
    return detail::find_maximum(g, step, options);
  }

 private:
  struct One {
    StepFunctions& all;
    std::size_t k;
    double operator()(double t) const { return all.evaluate(k, t); }
  };
  using Walk = detail::PieceWalk<One>;

  detail::StepPiece piece(std::size_t k) const {
    detail::StepPiece step = step_;
    for (std::size_t j = 0; j < kSamples; ++j) step.v[j] = values_[k * kSamples + j];
    return step;
  }

  double evaluate(std::size_t k, double t) {
    const auto at = std::ranges::find(t_between_, t);
    const std::size_t i = std::size_t(at - t_between_.begin());
    if (i == kBetween || !known_[i]) f_(t, std::span<double>(one_));
    if (i == kBetween) return one_[k];
    if (!known_[i]) {
      for (std::size_t m = 0; m < size(); ++m) between_[m * kBetween + i] = one_[m];
      known_[i] = true;
    }
    return between_[k * kBetween + i];
  }

  static constexpr std::size_t kBetween = kSamples - 1;

  F f_;
  detail::StepPiece step_{};
  std::array<double, kBetween> t_between_{};
  std::array<bool, kBetween> known_{};
  std::vector<double> one_, values_, between_;
};

}  // namespace berth
