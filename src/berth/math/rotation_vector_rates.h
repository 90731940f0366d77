// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rates of a rotation vector, and the angular velocity and acceleration they stand for.
//
//   q = q_0 ⊗ exp(φ), a = |φ|; ω and α against q_0, in the axes of q
//
//   ω = φ̇ − A φ×φ̇ + B φ×(φ×φ̇)          A = (1 − cos a)/a²,  B = (a − sin a)/a³               (1)
//   φ̇ = ω + ½ φ×ω + D φ×(φ×ω)            D = (1 − (a/2) cot(a/2))/a²,  a < 2π                 (2)
//   α = d/dt of (1),  Ȧ = (sin a/a − 2A)/a² φ·φ̇,  Ḃ = (A − 3B)/a² φ·φ̇                        (3)
//
// All five factors are even in a and finite at zero; below a = 0.1 they are summed as series.

#include "berth/math/vec3.h"

namespace berth {

struct RotationFactors {
  double A, B, D;
  double dA, dB;  // Ȧ and Ḃ over φ·φ̇

  explicit RotationFactors(double a2) {
    if (a2 < 1e-2) {
      const auto sum = [a2](double c0, double c1, double c2, double c3) {
        return c0 + a2 * (c1 + a2 * (c2 + a2 * c3));
      };
      A = sum(1.0 / 2, -1.0 / 24, 1.0 / 720, -1.0 / 40320);
      B = sum(1.0 / 6, -1.0 / 120, 1.0 / 5040, -1.0 / 362880);
      D = sum(1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600);
      dA = sum(-1.0 / 12, 1.0 / 180, -1.0 / 6720, 1.0 / 453600);
      dB = sum(-1.0 / 60, 1.0 / 1260, -1.0 / 60480, 1.0 / 4989600);
      return;
    }
    const double a = sqrt(a2);
    const SinCos<double> whole = sin_cos(a), half = sin_cos(0.5 * a);
    A = 2.0 * square(half.sin) / a2;
    B = (a - whole.sin) / (a * a2);
    D = (1.0 - 0.5 * a * half.cos / half.sin) / a2;
    dA = (whole.sin / a - 2.0 * A) / a2;
    dB = (A - 3.0 * B) / a2;
  }
};

// (1)
inline Vec3<double> find_angular_velocity(const Vec3<double>& phi, const Vec3<double>& phi_dot) {
  const RotationFactors f(norm_squared(phi));
  const Vec3<double> once = cross(phi, phi_dot);
  return phi_dot - f.A * once + f.B * cross(phi, once);
}

// (2)
inline Vec3<double> find_rotation_vector_rate(const Vec3<double>& phi, const Vec3<double>& omega) {
  const RotationFactors f(norm_squared(phi));
  const Vec3<double> once = cross(phi, omega);
  return omega + 0.5 * once + f.D * cross(phi, once);
}

// (3)
inline Vec3<double> find_angular_acceleration(const Vec3<double>& phi, const Vec3<double>& phi_dot,
                                              const Vec3<double>& phi_ddot) {
  const RotationFactors f(norm_squared(phi));
  const double growth = dot(phi, phi_dot);
  const Vec3<double> once = cross(phi, phi_dot), bent = cross(phi, phi_ddot);
  return phi_ddot - (f.dA * growth) * once - f.A * bent + (f.dB * growth) * cross(phi, once) +
         f.B * (cross(phi_dot, once) + cross(phi, bent));
}

}  // namespace berth
