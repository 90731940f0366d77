// SPDX-License-Identifier: Apache-2.0
#pragma once

// Response of a facility's loop to a commanded penetration u(t), exact for the interpolated command, and
// all that least squares needs of it.
//
//   robot      G = 1 / (1 + 2ζ/ω s + s²/ω²)        filter   F = 1 / (1 + τ s)        dead time   e^{−sh}
//   y = F G u                    response without dead time                                     (1)
//   q = G y,   r = F y           filtered once more, for the slopes below                       (2)
//   f(t) = f₀ − k y(t−h) − b ẏ(t−h)                                                             (3)
//
//   ∂f/∂h = k ẏ + b ÿ            ∂f/∂(2ζ/ω) = k q̇ + b q̈          at t − h
//   ∂f/∂(1/ω²) = k q̈ + b q⃛       ∂f/∂τ = k ṙ + b r̈                                              (4)
//
// since ∂G/∂a = −s G² for a = 2ζ/ω, and so on. Between the ticks u is the cubic with the given values and
// rates at both ends. (1), (2) and the derivatives of the cubic are one linear system, w' = M w; its states
// go from tick to tick, and to t − h in between, by matrix exponentials: a dead time of any fraction of a
// tick needs no approximation. Before the first tick everything rests at the first u.
//
// The columns of (4), a one and the measured force of all samples are condensed by Householder reflections
// to a triangle R: a least-squares problem in these columns has the same solution and residual in R.

#include <array>
#include <cstddef>
#include <span>

#include <Eigen/Core>

namespace berth {

// What was commanded and measured at the ticks; a missing force is NaN.
struct LoopRecord {
  double sample_time = 0;          // [s] T
  std::span<const double> u;       // [m] penetration, positive into the surface
  std::span<const double> u_rate;  // [m/s]
  std::span<const double> force;   // [N] on the probe along the normal into the surface, f_n
  std::size_t first = 0;           // the ticks before are not fitted: approach and settling
};

struct LoopStages {
  double delay = 0;      // [ticks] h
  double frequency = 0;  // [rad/tick] ω; 0 = no lag
  double damping = 1;    // ζ
  double filter = 0;     // [ticks] τ; 0 = no filter

  bool has_lag() const { return frequency > 0; }
  bool has_filter() const { return filter > 0; }
  double lag() const { return has_lag() ? 2 * damping / frequency : 0; }  // [ticks] 2ζ/ω
  double total() const { return delay + lag() + filter; }                 // [ticks]
};

// Columns of the table; derivatives by time in ticks.
enum LoopColumn : int {
  kColumnY,
  kColumnYRate,
  kColumnYSecond,  // of y
  kColumnQRate,
  kColumnQSecond,
  kColumnQThird,  // of q; none without a lag
  kColumnRRate,
  kColumnRSecond,  // of r; none without a filter
  kColumnOne,
  kColumnForce,
  kColumnCount
};

// A column for each tick, of it the rows up to kColumnRSecond; zero where there is no such stage.
using LoopResponse = Eigen::Matrix<double, kColumnOne, Eigen::Dynamic>;
LoopResponse find_loop_response(const LoopRecord& record, const LoopStages& stages);

// R of the columns that the stages have: Rᵀ R = tableᵀ table over the ticks that are fitted.
struct LoopTriangle {
  std::array<int, kColumnCount> place{};  // of a column in R; −1 where there is none
  Eigen::MatrixXd R;
  std::size_t rows = 0;  // of the table

  auto column(LoopColumn c) const { return R.col(place[static_cast<std::size_t>(c)]); }
};
LoopTriangle find_loop_triangle(const LoopRecord& record, const LoopStages& stages);

}  // namespace berth
