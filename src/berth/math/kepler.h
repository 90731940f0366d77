// SPDX-License-Identifier: Apache-2.0
#pragma once

// Orbital elements to position and velocity.
//
//   p = a (1 − e²),   r = p / (1 + e cos f)
//   perifocal  r (cos f, sin f, 0),   √(μ/p) (−sin f, e + cos f, 0)
//   to N by    R₃(Ω) R₁(i) R₃(ω)

#include "berth/math/rotation.h"

namespace berth {

struct OrbitElements {
  double semi_major_axis;                        // [m]
  double eccentricity;                           // below 1
  double inclination, node, periapsis, anomaly;  // [rad]; the true anomaly
};

struct OrbitState {
  Vec3<double> r_N;  // [m]
  Vec3<double> v_N;  // [m/s]
};

inline OrbitState find_orbit_state(const OrbitElements& o, double mu) {
  const double p = o.semi_major_axis * (1 - o.eccentricity * o.eccentricity);
  const SinCos<double> f = sin_cos(o.anomaly);
  const double r = p / (1 + o.eccentricity * f.cos);
  const double v = std::sqrt(mu / p);
  const Vec3<double> x{1, 0, 0}, z{0, 0, 1};
  const Mat3<double> R = rotation_about(z, o.node) *
                         (rotation_about(x, o.inclination) * rotation_about(z, o.periapsis));
  return {R * Vec3<double>{r * f.cos, r * f.sin, 0},
          R * Vec3<double>{-v * f.sin, v * (o.eccentricity + f.cos), 0}};
}

}  // namespace berth
