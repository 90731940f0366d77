// SPDX-License-Identifier: Apache-2.0
#pragma once

// From (t_0, x_0) to t_1 in one call, for tests and small problems.
//
//   const auto r = solve("dop853", f, 0.0, x_0, 10.0, {.tolerance = 1e-12});

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"

namespace berth {

template <Scalar T>
struct Solution {
  StepOutcome outcome;
  double t;          // t_1, or where a failed step began
  std::vector<T> x;  // the state there
  StepCounters counters;
};

// Without blocks the whole state is one block of scale 1.
template <Scalar T, RateFunction<T> F>
Solution<T> solve(const Tableau& method, F&& f, double t_0, const std::vector<T>& x_0, double t_1,
                  const IntegratorOptions& options = {}, std::vector<Block> blocks = {}) {
  if (blocks.empty()) blocks.push_back({0, x_0.size(), 1.0});
  Adaptive<T> integrator(method, x_0.size(), std::move(blocks), options);
  integrator.start(t_0, x_0);
  StepOutcome outcome = StepOutcome::accepted;
  while (integrator.t() < t_1 && outcome == StepOutcome::accepted) {
    outcome = integrator.step(f, t_1);
  }
  const std::span<const T> x = integrator.x();
  return {outcome, integrator.t(), std::vector<T>(x.begin(), x.end()), integrator.counters()};
}

template <Scalar T, RateFunction<T> F>
Solution<T> solve(std::string_view method, F&& f, double t_0, const std::vector<T>& x_0, double t_1,
                  const IntegratorOptions& options = {}, std::vector<Block> blocks = {}) {
  const Tableau* table = find_method(method);
  if (!table) throw std::invalid_argument("solve: no method " + std::string(method));
  return solve<T>(*table, f, t_0, x_0, t_1, options, std::move(blocks));
}

}  // namespace berth
