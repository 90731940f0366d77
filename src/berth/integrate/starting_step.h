// SPDX-License-Identifier: Apache-2.0
#pragma once

// A first step, from the state and the derivative at the start (Hairer, Nørsett and Wanner, II.4).
//
//   h₀ = 0.01 ‖x‖/‖ẋ‖                            a step that changes x by a hundredth           (1)
//   ẍ ≈ (f(t + h₀, x + h₀ẋ) − ẋ)/h₀              what an Euler step of that length reveals      (2)
//   h₁ᵖ max(‖ẋ‖, ‖ẍ‖) = 0.01                     p: order of the method                         (3)
//   h = min(100 h₀, h₁)
//
// Norms are error ratios (error_norm.h), so the tolerance is in them.

#include <algorithm>
#include <cmath>
#include <span>

#include "berth/integrate/error_norm.h"

namespace berth {

// At most `longest`; x_euler and rate_euler are scratch of the size of x. Calls f once.
template <Scalar T, class F>
double find_starting_step(F& f, double t, std::span<const T> x, std::span<const T> rate,
                          const ErrorNorm& norm, int order, double longest, std::span<T> x_euler,
                          std::span<T> rate_euler) {
  constexpr double kNoIdea = 1e-6;  // [s], where the state or its rate is zero or not finite
  const double size = norm.ratio(x, x);
  const double speed = norm.ratio(rate, x);
  double h_0 = 0.01 * size / speed;  // (1)
  if (!(size > 1e-5 && speed > 1e-5) || !std::isfinite(h_0)) h_0 = kNoIdea;
  h_0 = std::min(h_0, 0.5 * longest);

  // (2), with the difference written over the Euler slope.
  for (std::size_t i = 0; i < x.size(); ++i) x_euler[i] = x[i] + h_0 * rate[i];
  f(t + h_0, std::span<const T>(x_euler), rate_euler);
  for (std::size_t i = 0; i < x.size(); ++i) rate_euler[i] = rate_euler[i] - rate[i];
  const double bend = norm.ratio(std::span<const T>(rate_euler), x) / h_0;

  const double fastest = std::max(speed, bend);
  if (!std::isfinite(fastest)) return std::min(h_0, kNoIdea);
  const double h_1 = fastest > 1e-15 ? pow(0.01 / fastest, 1.0 / order)  // (3)
                                     : std::max(kNoIdea, 1e-3 * h_0);
  return std::min({100 * h_0, h_1, longest});
}

}  // namespace berth
