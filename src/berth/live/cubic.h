// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cubic — a vector as a polynomial of the time since its origin: c0 + c1 s + c2 s² + c3 s³.

#include "berth/math/vec3.h"

namespace berth {

struct Cubic {
  Vec3<double> c0, c1, c2, c3;

  Vec3<double> value(double s) const { return c0 + s * (c1 + s * (c2 + s * c3)); }
  Vec3<double> rate(double s) const { return c1 + s * (2.0 * c2 + (3 * s) * c3); }
  Vec3<double> acceleration(double s) const { return 2.0 * c2 + (6 * s) * c3; }

  // The same with its origin at s.
  Cubic from(double s) const { return {value(s), rate(s), c2 + (3 * s) * c3, c3}; }
};

// From p_a with the rate v_a, in a time T, to p_b with v_b. The difference is formed first: far from the
// origin the higher coefficients are not made of cancelled digits.
inline Cubic find_hermite(const Vec3<double>& p_a, const Vec3<double>& v_a, const Vec3<double>& p_b,
                          const Vec3<double>& v_b, double T) {
  const Vec3<double> mean = (1 / T) * (p_b - p_a);
  return {p_a, v_a, (1 / T) * (3.0 * mean - 2.0 * v_a - v_b),
          (1 / (T * T)) * (v_a + v_b - 2.0 * mean)};
}

}  // namespace berth
