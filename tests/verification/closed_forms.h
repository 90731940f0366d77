// SPDX-License-Identifier: Apache-2.0
#pragma once

// Elliptic integrals and functions, and the two-body problem, as formulas.

#include <cmath>

#include "berth/math/vec3.h"

namespace berth::test {

// Arithmetic–geometric mean; K(k) = π / (2 agm(1, √(1 − k²))).
inline double agm(double a, double b) {
  long double x = a, y = b;
  for (int i = 0; i < 8; ++i) {
    const long double mean = (x + y) / 2;
    y = std::sqrt(x * y);
    x = mean;
  }
  return static_cast<double>(x);
}

// sn, cn, dn of u with parameter m = k² in [0, 1): Gauss's descending transformation.
struct Jacobi {
  double sn, cn, dn;
};
inline Jacobi jacobi(double u, double m) {
  constexpr int kLevels = 9;
  long double a[kLevels + 1], c[kLevels + 1];
  a[0] = 1;
  long double b = std::sqrt(1 - static_cast<long double>(m));
  c[0] = std::sqrt(static_cast<long double>(m));
  for (int i = 0; i < kLevels; ++i) {
    a[i + 1] = (a[i] + b) / 2;
    c[i + 1] = (a[i] - b) / 2;
    b = std::sqrt(a[i] * b);
  }
  long double phi = std::ldexp(a[kLevels], kLevels) * u;
  for (int i = kLevels; i > 0; --i) phi = (phi + std::asin(c[i] / a[i] * std::sin(phi))) / 2;
  const long double s = std::sin(phi);
  return {static_cast<double>(s), static_cast<double>(std::cos(phi)),
          static_cast<double>(std::sqrt(1 - m * s * s))};
}

// The two-body orbit through (r, v), in the 19 digits of long double, by Lagrange's f and g:
//
//   n t = E − (1 − r₀/a) sin E + (σ₀/√a) (1 − cos E),   σ₀ = r₀·v₀/√μ,   E from the start       (1)
//   r = f r₀ + g v₀,   f = 1 − (a/r₀)(1 − cos E),   g = t − (E − sin E)/n                      (2)
//
// No apsides in it: a circle is nothing special.
class Kepler {
 public:
  using Real = long double;
  using Real3 = Vec3<Real>;

  Kepler(const Vec3<double>& r, const Vec3<double>& v, double mu)
      : Kepler(widen(r), widen(v), mu) {}
  Kepler(const Real3& r, const Real3& v, double mu)
      : mu_(mu),
        r_0_(r),
        v_0_(v),
        size_0_(std::sqrt(dot(r, r))),
        a_(1 / (2 / size_0_ - dot(v, v) / mu_)),
        n_(std::sqrt(mu_ / a_) / a_) {}

  struct State {
    Real3 r, v;
  };
  State at(double t) const {
    const Real c = 1 - size_0_ / a_, s = dot(r_0_, v_0_) / std::sqrt(mu_ * a_);
    const auto excess = [&](Real E) {
      return E - c * std::sin(E) + s * (1 - std::cos(E)) - n_ * t;
    };
    // (1) rises with E, and E is never farther than 2e < 2 from n t: bisect, then Newton.
    Real low = n_ * t - 2, high = n_ * t + 2;
    for (int i = 0; i < 20; ++i) {
      const Real mid = (low + high) / 2;
      (excess(mid) < 0 ? low : high) = mid;
    }
    Real E = (low + high) / 2;
    for (int i = 0; i < 6; ++i) E -= excess(E) / (1 - c * std::cos(E) + s * std::sin(E));
    // (2)
    const Real versine = 2 * std::pow(std::sin(E / 2), 2);
    const Real f = 1 - a_ / size_0_ * versine, g = t - (E - std::sin(E)) / n_;
    const Real3 r = f * r_0_ + g * v_0_;
    const Real size = std::sqrt(dot(r, r));
    const Real f_dot = -std::sqrt(mu_ * a_) / (size * size_0_) * std::sin(E);
    const Real g_dot = 1 - a_ / size * versine;
    return {r, f_dot * r_0_ + g_dot * v_0_};
  }

  double period() const { return static_cast<double>(2 * std::acos(Real(-1)) / n_); }
  Real semi_major_axis() const { return a_; }
  Real3 momentum() const { return cross(r_0_, v_0_); }
  Real3 eccentricity_vector() const {
    return (1 / mu_) * cross(v_0_, momentum()) - (1 / size_0_) * r_0_;
  }

  static Real3 widen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

 private:
  Real mu_;
  Real3 r_0_, v_0_;
  Real size_0_, a_, n_;
};

// Distance between berth's vector and the formula's, before anything is rounded to double.
inline double distance(const Vec3<double>& ours, const Vec3<long double>& theirs) {
  const Vec3<long double> d = Kepler::widen(ours) - theirs;
  return static_cast<double>(std::sqrt(dot(d, d)));
}

}  // namespace berth::test
