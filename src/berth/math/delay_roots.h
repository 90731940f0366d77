// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stability of a linear system with one delay,
//
//   ẋ(t) = A x(t) + B C x(t−h)            F(s) x = 0,   F(s) = s I − A − e^{−sh} B C     (1)
//
// n states, r channels of delayed feedback. Most states of a spacecraft pair are not touched by the
// loop; the part that B reaches and C sees is split off first (minimal_loop.h) and (1) is solved for
// that part alone. The roots of the rest are eigenvalues of A.

#include <complex>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "berth/math/critical_delay.h"

namespace berth {

struct DelayLoop {
  Eigen::MatrixXd A, B, C;  // n×n, n×r, r×n
  double delay;             // h ≥ 0 [s]
};

struct DelayRoots {
  int zero_roots;                           // roots at s = 0, with multiplicity, coupled or not
  std::vector<std::complex<double>> roots;  // [rad/s] the others, rightmost first
};

// The `count` rightmost roots of (1), one more where that would part a pair, fewer where there are
// fewer. Multiple roots are repeated; of a complex pair the positive imaginary part comes first.
DelayRoots find_rightmost_roots(const DelayLoop& loop, int count = 10);

// The smallest delay at which a root of the coupled part goes from the left half plane to the right;
// `loop.delay` is not used. Nothing when no root ever does. Delay 0 when the coupled part is
// unstable without delay, or has roots on the axis that every small delay sends to the right.
// Roots that stay at zero for every delay do not count.
std::optional<CriticalDelay> find_critical_delay(const DelayLoop& loop);

}  // namespace berth
