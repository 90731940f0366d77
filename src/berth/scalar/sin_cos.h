// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sine and cosine of one angle, the same bits on every processor.
//
//   x = n π/2 + r,  |r| ≤ π/4         n to the nearest, π/2 in two pieces of 33 and 53 bits      (1)
//   sin r, cos r                      minimax polynomials, error below 0.6 ulp                   (2)
//   (sin x, cos x)                    swapped and signed by the quadrant n mod 4                 (3)
//
// Absolute error below 2.5e-16 for |x| < 2^20 π/2 (1.6e6 rad: a wheel at 6000 rpm for 43 minutes);
// larger angles go to the C library. Its own sine was not used: its last bits differ from processor
// to processor and between its scalar and its vector code.

#include <bit>
#include <cmath>
#include <cstdint>

#include "berth/scalar/inline.h"

namespace berth {

template <class T>
struct SinCos {
  T sin, cos;
};

namespace detail {

inline constexpr double kTwoOverPi = 6.36619772367581382433e-01;
inline constexpr double kHalfPiHigh = 1.57079632673412561417e+00;  // first 33 bits of π/2
inline constexpr double kHalfPiLow = 6.07710050650619224932e-11;   // π/2 − kHalfPiHigh
inline constexpr double kRoundToInteger = 6755399441055744.0;      // 1.5·2^52: adding it rounds
inline constexpr double kLargestReduced = 1.6e6;                   // [rad]

// (2) on |r| ≤ π/4.
template <class R>
BERTH_INLINE R sin_polynomial(const R& r) {
  const R z = r * r;
  const R p = 8.33333333332248946124e-03 +
              z * (-1.98412698298579493134e-04 +
                   z * (2.75573137070700676789e-06 +
                        z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return r + r * z * (-1.66666666666666324348e-01 + z * p);
}

template <class R>
BERTH_INLINE R cos_polynomial(const R& r) {
  const R z = r * r;
  const R p = 4.16666666666666019037e-02 +
              z * (-1.38888888888741095749e-03 +
                   z * (2.48015872894767294178e-05 +
                        z * (-2.75573143513906633035e-07 +
                             z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  // 1 − z/2 first, then its rounding error with the rest: keeps the last bit near π/4.
  const R half = 0.5 * z;
  const R w = 1.0 - half;
  return w + (((1.0 - w) - half) + z * z * p);
}

}  // namespace detail

BERTH_INLINE SinCos<double> sin_cos(double x) {
  if (!(std::fabs(x) < detail::kLargestReduced)) [[unlikely]]
    return {std::sin(x), std::cos(x)};
  const double shifted = x * detail::kTwoOverPi + detail::kRoundToInteger;
  const auto quadrant = std::bit_cast<std::uint64_t>(shifted);
  const double n = shifted - detail::kRoundToInteger;
  const double r = (x - n * detail::kHalfPiHigh) - n * detail::kHalfPiLow;
  const double s = detail::sin_polynomial(r);
  const double c = detail::cos_polynomial(r);
  const bool swap = quadrant & 1;
  const double sin_x = swap ? c : s;
  const double cos_x = swap ? s : c;
  return {(quadrant & 2) ? -sin_x : sin_x, ((quadrant + 1) & 2) ? -cos_x : cos_x};
}

template <class T>
BERTH_INLINE T sin(const T& x) {
  return sin_cos(x).sin;
}

template <class T>
BERTH_INLINE T cos(const T& x) {
  return sin_cos(x).cos;
}

}  // namespace berth
