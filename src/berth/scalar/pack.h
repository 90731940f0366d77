// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pack — four simulations abreast.
//
// Every operation acts on the four lanes alone; lanes share the topology of the model, not its
// values. With contraction to fused multiply-add switched off (it is, everywhere), each lane gives
// the very bits that `double` gives.
//
// The copy constructor is written out on purpose. A class with a trivial one would travel in a
// 256-bit register in translation units built for AVX2 and in memory elsewhere, and the two could
// not call each other; this way a Pack always travels by address.

#include <cmath>

#include "berth/scalar/lanes.h"

namespace berth {

struct alignas(32) PackMask {
  LaneMask m;

  BERTH_INLINE PackMask(const LaneMask& mask) : m(mask) {}
  BERTH_INLINE PackMask(const PackMask& o) : m(o.m) {}
  BERTH_INLINE PackMask& operator=(const PackMask& o) {
    m = o.m;
    return *this;
  }
};

BERTH_INLINE PackMask operator&&(const PackMask& a, const PackMask& b) { return {a.m & b.m}; }
BERTH_INLINE PackMask operator||(const PackMask& a, const PackMask& b) { return {a.m | b.m}; }
BERTH_INLINE PackMask operator!(const PackMask& a) { return {~a.m}; }
BERTH_INLINE bool any(const PackMask& a) { return (a.m[0] | a.m[1] | a.m[2] | a.m[3]) != 0; }
BERTH_INLINE bool all(const PackMask& a) { return (a.m[0] & a.m[1] & a.m[2] & a.m[3]) != 0; }

struct alignas(32) Pack {
  Lanes v;

  BERTH_INLINE Pack() : v{} {}
  BERTH_INLINE Pack(double x) : v(fill_lanes(x)) {}
  BERTH_INLINE Pack(const Lanes& x) : v(x) {}
  BERTH_INLINE Pack(const Pack& o) : v(o.v) {}
  BERTH_INLINE Pack& operator=(const Pack& o) {
    v = o.v;
    return *this;
  }
  BERTH_INLINE Pack& operator+=(const Pack& b) { return v += b.v, *this; }
  BERTH_INLINE Pack& operator-=(const Pack& b) { return v -= b.v, *this; }
  BERTH_INLINE Pack& operator*=(const Pack& b) { return v *= b.v, *this; }
  BERTH_INLINE Pack& operator/=(const Pack& b) { return v /= b.v, *this; }
};

BERTH_INLINE Pack operator+(const Pack& a, const Pack& b) { return {a.v + b.v}; }
BERTH_INLINE Pack operator-(const Pack& a, const Pack& b) { return {a.v - b.v}; }
BERTH_INLINE Pack operator*(const Pack& a, const Pack& b) { return {a.v * b.v}; }
BERTH_INLINE Pack operator/(const Pack& a, const Pack& b) { return {a.v / b.v}; }
BERTH_INLINE Pack operator-(const Pack& a) { return {-a.v}; }
BERTH_INLINE PackMask operator<(const Pack& a, const Pack& b) { return {a.v < b.v}; }
BERTH_INLINE PackMask operator>(const Pack& a, const Pack& b) { return {a.v > b.v}; }
BERTH_INLINE PackMask operator<=(const Pack& a, const Pack& b) { return {a.v <= b.v}; }
BERTH_INLINE PackMask operator>=(const Pack& a, const Pack& b) { return {a.v >= b.v}; }
BERTH_INLINE bool operator==(const Pack& a, const Pack& b) {
  return all(PackMask(LaneMask(a.v == b.v)));
}

template <>
inline constexpr int lanes<Pack> = kLanes;

BERTH_INLINE Pack select(const PackMask& mask, const Pack& a, const Pack& b) {
  return {mask.m ? a.v : b.v};
}

BERTH_INLINE double lane(const Pack& x, int i) { return x.v[i]; }
BERTH_INLINE void set_lane(Pack& x, int i, double value) { x.v[i] = value; }
BERTH_INLINE double value(const Pack& x) { return x.v[0]; }
BERTH_INLINE double largest(const Pack& x) {
  // Written so that a NaN in any lane comes out as NaN.
  double m = x.v[0];
  for (int i = 1; i < kLanes; ++i) m = (x.v[i] > m || std::isnan(x.v[i])) ? x.v[i] : m;
  return m;
}
BERTH_INLINE bool is_finite(const Pack& x) {
  return std::isfinite(x.v[0]) && std::isfinite(x.v[1]) && std::isfinite(x.v[2]) &&
         std::isfinite(x.v[3]);
}

BERTH_INLINE Pack sqrt(const Pack& x) { return {sqrt_lanes(x.v)}; }
BERTH_INLINE Pack abs(const Pack& x) {
  return {reinterpret_cast<Lanes>(reinterpret_cast<LaneMask>(x.v) & 0x7fffffffffffffffLL)};
}
BERTH_INLINE Pack atan2(const Pack& y, const Pack& x) {
  return {Lanes{std::atan2(y.v[0], x.v[0]), std::atan2(y.v[1], x.v[1]), std::atan2(y.v[2], x.v[2]),
                std::atan2(y.v[3], x.v[3])}};
}
BERTH_INLINE Pack exp(const Pack& x) {
  return {each_lane(x.v, [](double a) { return std::exp(a); })};
}
BERTH_INLINE Pack log(const Pack& x) {
  return {each_lane(x.v, [](double a) { return std::log(a); })};
}

// The steps (1)–(3) of sin_cos.h on four lanes.
BERTH_INLINE SinCos<Pack> sin_cos(const Pack& x) {
  if (!all(abs(x) < Pack(detail::kLargestReduced))) [[unlikely]] {
    SinCos<Pack> out;
    for (int i = 0; i < kLanes; ++i) {
      const SinCos<double> one = sin_cos(lane(x, i));
      set_lane(out.sin, i, one.sin);
      set_lane(out.cos, i, one.cos);
    }
    return out;
  }
  const Lanes shifted = x.v * detail::kTwoOverPi + detail::kRoundToInteger;
  const LaneMask quadrant = reinterpret_cast<LaneMask>(shifted);
  const Lanes n = shifted - detail::kRoundToInteger;
  const Lanes r = (x.v - n * detail::kHalfPiHigh) - n * detail::kHalfPiLow;
  const Lanes s = detail::sin_polynomial(Pack(r)).v;
  const Lanes c = detail::cos_polynomial(Pack(r)).v;
  const LaneMask swap = (quadrant & 1) != 0;
  // The sign bit of the result is flipped where the quadrant asks for it.
  const LaneMask sin_sign = (quadrant & 2) << 62;
  const LaneMask cos_sign = ((quadrant + 1) & 2) << 62;
  const Lanes sin_x = swap ? c : s;
  const Lanes cos_x = swap ? s : c;
  return {Pack(reinterpret_cast<Lanes>(reinterpret_cast<LaneMask>(sin_x) ^ sin_sign)),
          Pack(reinterpret_cast<Lanes>(reinterpret_cast<LaneMask>(cos_x) ^ cos_sign))};
}

static_assert(Scalar<Pack>);

// True where the processor has what the translation units built for packs use.
inline bool packs_supported() { return __builtin_cpu_supports("avx2"); }

}  // namespace berth
