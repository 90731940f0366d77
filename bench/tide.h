// SPDX-License-Identifier: Apache-2.0
//
// Gravity around a point that flies a Kepler orbit, for libraries that know no orbits: the
// difference of the field at R + ρ and at R, and the gravity-gradient torque. Plain C++17.
#pragma once

#include <array>
#include <cmath>

#include "stack.h"

namespace berth::bench {

inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Low Earth orbit of the post-docking studies.
inline constexpr double kMu = 3.986004415e14;  // m³/s²
inline constexpr Vec kOrbitR = {-5.7874158943712397e6, 1.3157053000720485e6, 3.2735193517710271e6};
inline constexpr Vec kOrbitV = {-2.2216239079130748e3, -7.2728926431384180e3,
                                -9.8869130869506983e2};

class Tide {
 public:
  Tide() {
    const double r = std::sqrt(dot(kOrbitR, kOrbitR));
    a_ = 1 / (2 / r - dot(kOrbitV, kOrbitV) / kMu);
    n_ = std::sqrt(kMu / (a_ * a_ * a_));
    const double e_cos = 1 - r / a_, e_sin = dot(kOrbitR, kOrbitV) / std::sqrt(kMu * a_);
    e_ = std::hypot(e_cos, e_sin);
    E0_ = std::atan2(e_sin, e_cos);
    const double s = std::sqrt(1 - e_ * e_);
    // Position and velocity in the perifocal axes, turned round.
    const double c = std::cos(E0_), d = std::sin(E0_);
    const double x = a_ * (c - e_), y = a_ * s * d;
    const double rate = n_ / (1 - e_ * c), xd = -a_ * d * rate, yd = a_ * s * c * rate;
    const double det = x * yd - y * xd;
    p_ = (yd / det) * kOrbitR + (-y / det) * kOrbitV;
    q_ = (-xd / det) * kOrbitR + (x / det) * kOrbitV;
    b_ = a_ * s;
  }

  Vec reference(double t) const {
    const double M = E0_ - e_ * std::sin(E0_) + n_ * t;
    double E = M;
    for (int k = 0; k < 6; ++k) E -= (E - e_ * std::sin(E) - M) / (1 - e_ * std::cos(E));
    return (a_ * (std::cos(E) - e_)) * p_ + (b_ * std::sin(E)) * q_;
  }

  // [m/s²] at ρ from the reference point R.
  static Vec acceleration(const Vec& R, const Vec& rho) {
    const double R2 = dot(R, R), q = dot(rho, rho + 2.0 * R) / R2;
    const double w = std::pow(1 + q, 1.5);
    const double F = -q * (3 + 3 * q + q * q) / (w * (1 + w));
    return (-kMu / (R2 * std::sqrt(R2))) * (rho + F * (R + rho));
  }
  // [N·m] on a body whose I r is given, r from the Earth's centre.
  static Vec torque(const Vec& r, const Vec& I_r) {
    const double r2 = dot(r, r);
    return (3 * kMu / (r2 * r2 * std::sqrt(r2))) * cross(r, I_r);
  }

 private:
  double a_, b_, e_, n_, E0_;
  Vec p_, q_;
};

// The pair of the studies: nadir pointing, its centre of mass on the orbit.
inline StackState nadir_state(const StackNumbers& numbers) {
  StackState s{};
  CraftState& one = s.craft[0];
  one.r = {-8.9654658688146468e-1, 2.0381999801823510e-1, 5.0711105880176085e-1};
  one.v = {-3.4314431049943484e-4, -1.1268970102526289e-3, -1.5373499085945246e-4};
  const Vec sigma = {5.0593897504879037e-2, 1.2214447352959327e-1, -6.4402643249395653e-2};
  const double n = dot(sigma, sigma), k = 1 / (1 + n);
  one.q = {(1 - n) * k, 2 * k * sigma[0], 2 * k * sigma[1], 2 * k * sigma[2]};
  one.omega = {0, 0, 1.1314026520034970e-3};
  place_hub_2(numbers, s);
  return s;
}

// Docked and tumbling as nominal_state, but nothing turns or swings on the craft.
inline StackState resting_state(const StackNumbers& numbers) {
  StackState s = nominal_state(numbers);
  for (CraftState& c : s.craft) {
    c.x = {};
    c.xd = {};
  }
  return s;
}

}  // namespace berth::bench
