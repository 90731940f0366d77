// SPDX-License-Identifier: Apache-2.0
#pragma once

// StepFunctions — many functions of time inside one step, for the price of one state per sample.
//
//   f(times, values)      writes every function at every time, one time after the other: interpolate each
//                         state once, evaluate all
//   sample(t_0, t_1)      the 9 times shared by all functions; the 8 between them are shared too,
//                         once a function needs them
//   find_sign_changes(k)  refines function k where it needs it (step_function.h)
//   find_maximum(k)
//
// Values are kept in a memory that serves step after step: no allocation once it has its size.

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "berth/integrate/step_function.h"

namespace berth {

struct StepFunctionMemory {
  std::vector<double> some, values, between;
};

template <class F>
class StepFunctions {
 public:
  static constexpr std::size_t kSamples = 9;

  StepFunctions(F f, std::size_t functions, StepFunctionMemory& memory)
      : f_(std::move(f)), functions_(functions), memory_(memory) {
    memory.some.resize(functions * kSamples);
    memory.values.resize(functions * kSamples);
    memory.between.resize(functions * kBetween);
  }

  std::size_t size() const { return functions_; }

  // Values at the ends that are known already are not evaluated again.
  void sample(double t_0, double t_1, std::span<const double> values_0 = {},
              std::span<const double> values_1 = {}) {
    Walk::set_times(step_, t_0, t_1);
    has_between_ = false;
    if (size() == 0) return;
    const std::size_t first = values_0.empty() ? 0 : 1,
                      last = kSamples - (values_1.empty() ? 0 : 1);
    evaluate(std::span(step_.t).subspan(first, last - first));
    for (std::size_t k = 0; k < size(); ++k) {
      double* const values = memory_.values.data() + k * kSamples;
      if (!values_0.empty()) values[0] = values_0[k];
      for (std::size_t j = first; j < last; ++j) values[j] = memory_.some[(j - first) * size() + k];
      if (!values_1.empty()) values[kSamples - 1] = values_1[k];
    }
  }

  // The shared times, and the values of function k there.
  std::span<const double> times() const { return std::span(step_.t).first(kSamples); }
  std::span<const double> values(std::size_t k) const {
    return std::span(memory_.values).subspan(k * kSamples, kSamples);
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
    double operator()(double t) const {
      all.evaluate(std::span(&t, 1));
      return all.memory_.some[k];
    }
    void fill(std::span<const double> t, std::span<double> v) const { all.fill(k, t, v); }
  };
  using Walk = detail::PieceWalk<One>;

  detail::StepPiece piece(std::size_t k) const {
    detail::StepPiece step = step_;
    for (std::size_t j = 0; j < kSamples; ++j) step.v[j] = memory_.values[k * kSamples + j];
    return step;
  }

  // All functions at up to 9 times.
  void evaluate(std::span<const double> t) {
    f_(t, std::span(memory_.some).first(t.size() * size()));
  }

  void fill(std::size_t k, std::span<const double> t, std::span<double> v) {
    const bool is_between = t.size() == kBetween && t.front() == step_.time_between(0) &&
                            t.back() == step_.time_between(kBetween - 1);
    if (!is_between || !has_between_) evaluate(t);
    if (is_between && !has_between_) {
      std::copy_n(memory_.some.begin(), memory_.between.size(), memory_.between.begin());
      has_between_ = true;
    }
    const std::vector<double>& from = is_between ? memory_.between : memory_.some;
    for (std::size_t i = 0; i < t.size(); ++i) v[i] = from[i * size() + k];
  }

  static constexpr std::size_t kBetween = kSamples - 1;

  F f_;
  std::size_t functions_;
  StepFunctionMemory& memory_;
  detail::StepPiece step_{};
  bool has_between_ = false;
};

}  // namespace berth
