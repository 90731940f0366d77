// SPDX-License-Identifier: Apache-2.0
#pragma once

// TruncatedNormal — a standard normal number z, given that it lies between two ends a and b.
//
//   probability    Z = Φ(b) − Φ(a)                                                          (1)
//   quantile       Φ(z) = Φ(a) (1 − u) + Φ(b) u                                             (2)
//   mean           μ = (φ(a) − φ(b)) / Z                                                    (3)
//   variance       σ² = 1 + (a φ(a) − b φ(b)) / Z − μ²                                      (4)
//
// (2) is taken of Φ or of 1 − Φ, whichever is smaller at z: both ends may lie far in one tail. (1),
// (3) and (4) are differences of almost equal numbers where b − a is small; up to 1 they are
// integrals about the middle m = (a + b)/2, with half the width h, by Gauss's rule of 16 points,
// which is exact to rounding there:
//
//   M_k = ∫ t^k exp(−m h t − h² t²/2) dt from −1 to 1
//   Z = h φ(m) M₀,      μ = m + h M₁/M₀,      σ² = h² (M₂/M₀ − (M₁/M₀)²)                      (5)

namespace berth {

// A cumulative probability and what is left to 1: each exact where it is small.
struct Tails {
  double below, above;
};

struct TruncatedNormal {
  double a, b;
  double width;  // b − a, more exact than the difference where both were rounded

  double probability() const;      // (1)
  double quantile(Tails u) const;  // (2)
  double mean() const;             // (3)
  double deviation() const;        // root of (4)
};

}  // namespace berth
