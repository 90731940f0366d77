// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a port P1 moves against a port P2 of another craft, in a frame F that turns with ω_F.
//
//   frame F     "lvlh" of the reference orbit, or "port": the axes of P2
//   position    ρ = r_P1 − r_P2                                      F axes                     (1)
//   velocity    ρ̇ = v_P1 − v_P2 − ω_F × ρ                            seen in F, F axes          (2)

#include "berth/model/elements.h"
#include "berth/model/keywords.h"

namespace berth {

enum class RelativeAxes : unsigned char { lvlh, port };
constexpr auto keywords_of(RelativeAxes) {
  return std::array{Keyword{"lvlh", "of the reference orbit: x V-bar, z nadir"},
                    Keyword{"port", "of the other craft's port"}};
}

template <Scalar T>
struct RelativeMotion {
  Mat3<T> R_NF;
  Vec3<T> omega_FN_N;
  Vec3<T> rho_F, rho_dot_F;
};

template <Scalar T>
RelativeMotion<T> find_relative_motion(const Instant<T>& now, const Port<T>& port_1,
                                       const Port<T>& port_2, RelativeAxes axes) {
  const BodyMotion<T>&b1 = now.body(port_1.body), &b2 = now.body(port_2.body);
  const bool by_orbit = axes == RelativeAxes::lvlh;
  RelativeMotion<T> r;
  r.R_NF = by_orbit ? now.motion.orbit.R_NL() : b2.R_NB * port_2.R_BP;
  r.omega_FN_N = by_orbit ? now.motion.orbit.omega_HN_N : b2.omega_BN_N;
  const Vec3<T> lever_1 = b1.R_NB * port_1.r_PB_B, lever_2 = b2.R_NB * port_2.r_PB_B;
  const Vec3<T> rho = (b1.r_BN_N - b2.r_BN_N) + lever_1 - lever_2;  // (1)
  const Vec3<T> v = b1.velocity_at(lever_1) - b2.velocity_at(lever_2);
  r.rho_F = transposed_times(r.R_NF, rho);
  r.rho_dot_F = transposed_times(r.R_NF, v - cross(r.omega_FN_N, rho));  // (2)
  return r;
}

}  // namespace berth
