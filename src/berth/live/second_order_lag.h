// SPDX-License-Identifier: Apache-2.0
#pragma once

// SecondOrderLag — what follows u(t) with
//
//   ẍ = ω² (u − x) − 2ζω ẋ                                                                     (1)
//
// exactly, for a u that is a cubic: x = x_p + e, where x_p is the cubic that fulfils (1) and e dies away,
//
//   x_p = Σ d_i sⁱ    d_3 = c_3,  d_2 = c_2 − 3β d_3,  d_1 = c_1 − 2β d_2 − 6γ d_3,
//                     d_0 = c_0 − β d_1 − 2γ d_2        β = 2ζ/ω,  γ = 1/ω²                      (2)
//   e(s) = E_C e_0 + E_S (ė_0 + σ e_0)                  σ = ζω,  w² = σ² − ω²
//   ė(s) = −σ e + w² E_S e_0 + E_C (ė_0 + σ e_0)        E_C, E_S = e^(−σs) {cosh ws, sinh ws / w}  (3)
//
// with cos and sin where w² < 0. Where |ws| is small both are summed as series: ζ = 1 is no special case.

#include <cmath>

#include "berth/live/cubic.h"

namespace berth {

struct SecondOrderLag {
  double omega = 0;  // [rad/s]; 0 = none
  double zeta = 1;

  struct State {
    Vec3<double> x, v;
  };

  bool exists() const { return omega > 0; }

  // The state a time s later.
  State advance(const State& from, const Cubic& u, double s) const {
    const double beta = 2 * zeta / omega, gamma = 1 / (omega * omega);
    Cubic p;  // (2), counted from c_0
    p.c3 = u.c3;
    p.c2 = u.c2 - (3 * beta) * p.c3;
    p.c1 = u.c1 - (2 * beta) * p.c2 - (6 * gamma) * p.c3;
    p.c0 = -beta * p.c1 - (2 * gamma) * p.c2;
    const double sigma = zeta * omega;
    const Vec3<double> e = from.x - u.c0 - p.c0, rate = from.v - p.c1 + sigma * e;
    const auto [E_C, E_S, w2] = find_decay(s);
    const Vec3<double> e_s = E_C * e + E_S * rate;  // (3)
    const Vec3<double> e_dot = E_C * rate + (w2 * E_S) * e - sigma * e_s;
    return {u.c0 + (p.value(s) + e_s), p.rate(s) + e_dot};
  }

  Vec3<double> find_acceleration(const State& x, const Vec3<double>& u) const {  // (1)
    return (omega * omega) * (u - x.x) - (2 * zeta * omega) * x.v;
  }

 private:
  struct Decay {
    double E_C, E_S, w2;
  };
  Decay find_decay(double s) const {
    const double sigma = zeta * omega, w2 = (zeta * zeta - 1) * omega * omega, z = w2 * s * s;
    if (std::fabs(z) < 1e-2) {
      const double E = exp(-sigma * s);
      return {E * (1 + z / 2 * (1 + z / 12 * (1 + z / 30 * (1 + z / 56)))),
              E * s * (1 + z / 6 * (1 + z / 20 * (1 + z / 42 * (1 + z / 72)))), w2};
    }
    const double w = std::sqrt(std::fabs(w2));
    if (w2 < 0) {
      const double E = exp(-sigma * s);
      const SinCos<double> turn = sin_cos(w * s);
      return {E * turn.cos, E * turn.sin / w, w2};
    }
    // Both exponents are negative: neither overflows, however long s is.
    const double slow = exp(-square(omega) / (sigma + w) * s), fast = exp(-(w + sigma) * s);
    return {0.5 * (slow + fast), 0.5 * (slow - fast) / w, w2};
  }
};

}  // namespace berth
