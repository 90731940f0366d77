// SPDX-License-Identifier: Apache-2.0
#pragma once

// Elementary functions of double, the same bits on every processor (elementary.inc says how, and how
// exact they are). Code of this library calls these instead of those of <cmath>; what IEEE 754 rounds in one
// way may be taken from there: square roots, absolute values, rounding to integers, powers of 2.

#include <bit>
#include <cmath>
#include <cstdint>

#include "berth/scalar/inline.h"

namespace berth {

namespace elementary {

using berth_number = double;
using berth_bits = std::uint64_t;
using berth_mask = bool;

BERTH_INLINE double berth_select(bool mask, double a, double b) { return mask ? a : b; }
BERTH_INLINE std::uint64_t berth_to_bits(double x) { return std::bit_cast<std::uint64_t>(x); }
BERTH_INLINE double berth_from_bits(std::uint64_t x) { return std::bit_cast<double>(x); }
BERTH_INLINE double berth_sqrt(double x) { return std::sqrt(x); }
BERTH_INLINE double berth_splat(double x) { return x; }

#define BERTH_ELEMENTARY BERTH_INLINE
#define BERTH_ALL(mask) __builtin_expect((mask), 1)
#include "berth/scalar/elementary.inc"
#undef BERTH_ELEMENTARY
#undef BERTH_ALL

}  // namespace elementary

template <class T>
struct SinCos {
  T sin, cos;
};

BERTH_INLINE SinCos<double> sin_cos(double x) {
  const elementary::berth_sine_and_cosine both = elementary::berth_sin_cos(x);
  return {both.sin, both.cos};
}
template <class T>
BERTH_INLINE T sin(const T& x) {
  return sin_cos(x).sin;
}
template <class T>
BERTH_INLINE T cos(const T& x) {
  return sin_cos(x).cos;
}

double exp(double x);
double expm1(double x);
double tanh(double x);
double log(double x);
double log1p(double x);
double log10(double x);
double pow(double x, double y);
double cbrt(double x);
double hypot(double x, double y);
double atan2(double y, double x);

}  // namespace berth
