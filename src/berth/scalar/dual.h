// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dual — a number with four slopes.
//
//   x = value + Σᵢ slopeᵢ εᵢ,   εᵢ εⱼ = 0          f(x) = f(value) + f′(value) Σᵢ slopeᵢ εᵢ
//
// Seed the inputs with unit slopes, run any function written for a Scalar, and read exact
// derivatives: four columns of a Jacobian per pass.

#include <cmath>

#include "berth/scalar/scalar.h"

namespace berth {

// Four doubles side by side: pairs of SSE2 registers, or one of AVX where the translation unit
// allows it; the alignment is spelled out because it would follow the same difference.
inline constexpr int kSlopes = 4;
using Slopes [[gnu::vector_size(32), gnu::aligned(32)]] = double;

struct alignas(32) Dual {
  double v;  // value
  Slopes d;  // slopes

  BERTH_INLINE Dual() : v(0), d{} {}
  BERTH_INLINE Dual(double x) : v(x), d{} {}
  BERTH_INLINE Dual(double x, const Slopes& slopes) : v(x), d(slopes) {}
  // Written out on purpose: with a trivial one a Dual would travel in a register in translation units
  // built for AVX and in memory elsewhere, and the two could not call each other.
  BERTH_INLINE Dual(const Dual& o) : v(o.v), d(o.d) {}
  BERTH_INLINE Dual& operator=(const Dual& o) {
    v = o.v;
    d = o.d;
    return *this;
  }
  BERTH_INLINE Dual& operator+=(const Dual& b);
  BERTH_INLINE Dual& operator-=(const Dual& b);
  BERTH_INLINE Dual& operator*=(const Dual& b);
  BERTH_INLINE Dual& operator/=(const Dual& b);
};

BERTH_INLINE Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.d + b.d}; }
BERTH_INLINE Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.d - b.d}; }
BERTH_INLINE Dual operator*(const Dual& a, const Dual& b) {
  return {a.v * b.v, a.d * b.v + a.v * b.d};
}
BERTH_INLINE Dual operator/(const Dual& a, const Dual& b) {
  const double q = a.v / b.v;
  return {q, (a.d - q * b.d) / b.v};
}
BERTH_INLINE Dual operator-(const Dual& a) { return {-a.v, -a.d}; }

BERTH_INLINE Dual& Dual::operator+=(const Dual& b) { return *this = *this + b; }
BERTH_INLINE Dual& Dual::operator-=(const Dual& b) { return *this = *this - b; }
BERTH_INLINE Dual& Dual::operator*=(const Dual& b) { return *this = *this * b; }
BERTH_INLINE Dual& Dual::operator/=(const Dual& b) { return *this = *this / b; }

// Order compares values alone.
BERTH_INLINE bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
BERTH_INLINE bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
BERTH_INLINE bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
BERTH_INLINE bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }
BERTH_INLINE bool operator==(const Dual& a, const Dual& b) {
  return a.v == b.v && a.d[0] == b.d[0] && a.d[1] == b.d[1] && a.d[2] == b.d[2] && a.d[3] == b.d[3];
}

BERTH_INLINE Dual select(bool mask, const Dual& a, const Dual& b) { return mask ? a : b; }

BERTH_INLINE double value(const Dual& x) { return x.v; }
BERTH_INLINE double plain(const Dual& x) { return x.v; }
BERTH_INLINE bool is_finite(const Dual& x) { return std::isfinite(x.v); }

BERTH_INLINE double slope(const Dual& x, int i = 0) { return x.d[i]; }
BERTH_INLINE void set_slope(Dual& x, int i, double s) { x.d[i] = s; }

// Square root of zero with zero slope keeps zero slope (a norm at rest), not 0/0.
BERTH_INLINE Dual sqrt(const Dual& x) {
  const double r = std::sqrt(x.v);
  return {r, x.d * (r > 0 ? 0.5 / r : 0.0)};
}
BERTH_INLINE Dual abs(const Dual& x) { return x.v < 0 ? -x : x; }
BERTH_INLINE Dual atan2(const Dual& y, const Dual& x) {
  const double n = x.v * x.v + y.v * y.v;
  return {berth::atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / n};
}
BERTH_INLINE Dual exp(const Dual& x) {
  const double e = berth::exp(x.v);
  return {e, e * x.d};
}
BERTH_INLINE Dual log(const Dual& x) { return {berth::log(x.v), x.d / x.v}; }
BERTH_INLINE SinCos<Dual> sin_cos(const Dual& x) {
  const SinCos<double> sc = sin_cos(x.v);
  return {Dual(sc.sin, sc.cos * x.d), Dual(sc.cos, -sc.sin * x.d)};
}

static_assert(Scalar<Dual>);

}  // namespace berth
