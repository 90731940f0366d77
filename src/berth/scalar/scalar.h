// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a number is.
//
// All mechanics is written once as `template <Scalar T>`. Three types are numbers:
//
//   double   one simulation
//   Dual     a value with four directional slopes: exact Jacobians and sensitivities
//   Trace    records what is done with it: the program of one scenario, operation by operation
//
// Generic code never branches on a value: a Dual would lose the slope of the road not taken, and a
// Trace has no value yet. It writes `select(mask, a, b)` instead of `mask ? a : b`.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>

#include "berth/scalar/elementary.h"
#include "berth/scalar/inline.h"

namespace berth {

// --- the number double; sin_cos, exp, log and atan2 are those of elementary.h ---------------------

BERTH_INLINE double select(bool mask, double a, double b) { return mask ? a : b; }

BERTH_INLINE double sqrt(double x) { return std::sqrt(x); }
BERTH_INLINE double abs(double x) { return std::fabs(x); }
BERTH_INLINE double copysign(double size, double sign) { return std::copysign(size, sign); }

// value: the number as a double. plain: the number without its slopes, for a place that is found and
// then kept; that of a Trace is recorded like any other.
BERTH_INLINE double value(double x) { return x; }
BERTH_INLINE double plain(double x) { return x; }
BERTH_INLINE bool is_finite(double x) { return std::isfinite(x); }

// A Trace records functions that decide on values as a whole (record_call).
template <class T>
inline constexpr bool records = false;

// --- the contract --------------------------------------------------------------------------------

template <class T>
concept Scalar = std::regular<T> && std::constructible_from<T, double> &&
    requires(T a, T b, double s) {
  { a + b } -> std::same_as<T>;
  { a - b } -> std::same_as<T>;
  { a* b } -> std::same_as<T>;
  { a / b } -> std::same_as<T>;
  { s* a } -> std::same_as<T>;
  { -a } -> std::same_as<T>;
  { select(a < b, a, b) } -> std::same_as<T>;
  { sqrt(a) } -> std::same_as<T>;
  { abs(a) } -> std::same_as<T>;
  { sin_cos(a).sin } -> std::convertible_to<T>;
  { value(a) } -> std::same_as<double>;
  plain(a);
  { is_finite(a) } -> std::same_as<bool>;
};

template <class T>
using Plain = std::remove_cvref_t<decltype(plain(T()))>;

// --- small functions every number shares ---------------------------------------------------------

template <class T>
BERTH_INLINE T square(const T& x) {
  return x * x;
}

template <class T>
BERTH_INLINE T min(const T& a, const T& b) {
  return select(a < b, a, b);
}

template <class T>
BERTH_INLINE T max(const T& a, const T& b) {
  return select(a > b, a, b);
}

template <class T>
BERTH_INLINE T clamp(const T& x, const T& low, const T& high) {
  return min(max(x, low), high);
}

}  // namespace berth
