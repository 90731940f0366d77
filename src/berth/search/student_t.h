// SPDX-License-Identifier: Apache-2.0
#pragma once

// Student's t — how far the mean of a few normal numbers may lie from the truth.
//
// P(|t| ≤ x) of ν degrees of freedom, θ = atan(x/√ν) (Abramowitz and Stegun, 26.7.3 and 26.7.4):
//   ν odd    2/π (θ + sin θ (cos θ + 2/3 cos³θ + … + 2·4…(ν−3)/3·5…(ν−2) cosᵛ⁻²θ))         (1)
//   ν even   sin θ (1 + 1/2 cos²θ + … + 1·3…(ν−3)/2·4…(ν−2) cosᵛ⁻²θ)                        (2)
//
// Ten numbers, 95 %: solve_student_t(0.95, 9) is 2.26.

#include <cmath>

#include "berth/scalar/elementary.h"

namespace berth {

// The share of a t distribution between −x and x.
inline double find_student_share(double x, int degrees) {
  constexpr double two_over_pi = 0.636619772367581343;
  const double root = std::sqrt(static_cast<double>(degrees));
  const double length = std::sqrt(static_cast<double>(degrees) + x * x);
  const double sine = x / length, cosine = root / length;
  const bool is_odd = degrees % 2 == 1;
  double term = is_odd ? cosine : 1, sum = 0;
  for (int k = is_odd ? 1 : 0; k <= degrees - 2; k += 2) {
    sum += term;
    term *= cosine * cosine * static_cast<double>(k + 1) / static_cast<double>(k + 2);
  }
  return is_odd ? two_over_pi * (atan2(x, root) + sine * sum) : sine * sum;  // (1), (2)
}

// The x that bounds this share, by bisection to the last bit.
inline double solve_student_t(double share, int degrees) {
  double low = 0, high = 1;
  while (find_student_share(high, degrees) < share && high < 1e12) high *= 2;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) return high;
    (find_student_share(middle, degrees) < share ? low : high) = middle;
  }
}

}  // namespace berth
