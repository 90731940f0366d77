// SPDX-License-Identifier: Apache-2.0
#pragma once

// The delay that makes a spring and damper of delayed force neither lose nor gain energy.
//
//   loop       ẍ(t) = −b ẋ(t−h) − k x(t−h)            s² + e^{−sh} (b s + k) = 0     (1)
//   on s = iω  modulus  ω⁴ = b² ω² + k²               ω² = b²/2 + √(b⁴/4 + k²)       (2)
//              phase    ω h = angle of (k + i b ω)                                   (3)
//
// (2) has one positive solution, so roots cross the imaginary axis at one frequency only, and always
// to the right: beyond h the loop stays unstable.

#include <cmath>
#include <limits>

#include "berth/scalar/elementary.h"

namespace berth {

struct CriticalDelay {
  double delay;      // [s]
  double frequency;  // of the root on the imaginary axis [rad/s]
};

// k [1/s²] and b [1/s] per unit of effective mass, neither negative. Without damping every delay
// is too long: 0. Without damping and stiffness none is: infinite.
inline CriticalDelay find_critical_delay(double k, double b) {
  const double b2 = b * b;
  const double omega = std::sqrt(0.5 * b2 + std::sqrt(0.25 * b2 * b2 + k * k));  // (2)
  if (omega == 0) return {std::numeric_limits<double>::infinity(), 0};
  return {atan2(b * omega, k) / omega, omega};  // (3); atan2 holds for k → 0
}

}  // namespace berth
