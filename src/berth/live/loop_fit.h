// SPDX-License-Identifier: Apache-2.0
#pragma once

// Least squares of a loop's stages against a record, by variable projection.
//
//   min over θ = (h, ln ω, ln ζ, ln τ), k, b ≥ 0, f₀ of  Σ (f_j − f₀ + k y_j(θ) + b ẏ_j(θ))²      (1)
//
// For given θ the problem is linear in (k, b, f₀) and solved exactly; what is left is a function of θ alone.
// Its Gauss-Newton step (Kaufman's form) is that of the columns ∂f/∂θ with their parts in the span of
// (y, ẏ, 1) taken off; Levenberg and Marquardt's damping, θ held between limits.

#include <cstddef>

#include <Eigen/Core>

#include "berth/live/loop_response.h"

namespace berth {

// θ, then what (1) is linear in.
enum LoopParameter : int {
  kDelay,
  kLogFrequency,
  kLogDamping,
  kLogFilter,  // of h, ω, ζ, τ
  kStiffness,
  kDamping,
  kOffset,  // k, b, f₀
  kParameterCount
};

struct LoopLimits {
  double most_delay;                       // [ticks]
  double least_frequency, most_frequency;  // [rad/tick]
  double least_damping = 0.1, most_damping = 5;
  double least_filter, most_filter;  // [ticks]
};

struct LoopFit {
  LoopStages stages;
  double k = 0, b = 0, f0 = 0;  // [N/m], [N/m per 1/tick], [N]
  bool has_damper = false;      // b is above its limit, 0
  double squares = 0;           // [N²] the sum of (1)
  double force_squares = 0;     // [N²] Σ f_j²
  std::size_t rows = 0;
  // Columns ∂f/∂parameter in the coordinates of the triangle, zero where a stage is not there, and the
  // residual.
  Eigen::MatrixXd slopes;
  Eigen::VectorXd residual;

  int parameters() const;
  bool has(int parameter) const;
  // (JᵀJ)⁻¹ over all parameters; zero rows where a stage is not there. Times the variance of the noise it is
  // their covariance. Infinite where columns depend on one another, as those of h and b do at b = 0.
  Eigen::MatrixXd find_covariance_factor() const;
};

// The linear part of (1) at these stages; b = 0 without a damper.
LoopFit find_loop_fit(const LoopRecord& record, const LoopStages& stages, bool damper);

struct LoopFitOptions {
  LoopLimits limits;
  bool damper = true;
  int most_iterations = 30;
  double tolerance = 1e-8;  // ends when a step takes less than this share of the squares
};
// The minimum of (1) near `start`, with the stages that `start` has.
LoopFit solve_loop_fit(const LoopRecord& record, const LoopStages& start,
                       const LoopFitOptions& options);

}  // namespace berth
