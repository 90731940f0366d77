// SPDX-License-Identifier: Apache-2.0
#include "berth/live/commanded_motion.h"

#include <algorithm>
#include <limits>

#include "berth/math/rotation_vector_rates.h"

namespace berth {

LabMotion CommandedMotion::Piece::find(double t) const {
  const double s = t - origin;
  const Vec3<double> phi_s = phi.value(s), phi_dot = phi.rate(s);
  LabMotion m;
  m.r_BL_N = r_BL_N.value(s);
  m.v_BL_N = r_BL_N.rate(s);
  m.a_BL_N = r_BL_N.acceleration(s);
  m.q_BN = canonical(q_ON * quaternion_from_rotation_vector(phi_s));
  m.omega_BN_B = find_angular_velocity(phi_s, phi_dot);
  m.alpha_BN_B = find_angular_acceleration(phi_s, phi_dot, phi.acceleration(s));
  return m;
}

void CommandedMotion::clear(std::size_t most) {
  pieces_.assign(std::max<std::size_t>(most, 2), Piece{});
  first_ = count_ = 0;
}

void CommandedMotion::add(double t, const LabMotion& m) {
  Piece fresh;
  if (count_ == 0) {  // (2)
    fresh = {-std::numeric_limits<double>::infinity(),
             t,
             t,
             {m.r_BL_N, m.v_BL_N, {}, {}},
             m.q_BN,
             {{}, m.omega_BN_B, {}, {}}};
  } else {  // (1)
    const double T = t - last_time_;
    const Vec3<double> phi = find_rotation(last_.q_BN, m.q_BN);
    fresh = {
        last_time_,
        t,
        last_time_,
        find_hermite(last_.r_BL_N, last_.v_BL_N, m.r_BL_N, m.v_BL_N, T),
        last_.q_BN,
        find_hermite({}, last_.omega_BN_B, phi, find_rotation_vector_rate(phi, m.omega_BN_B), T)};
  }
  if (count_ == pieces_.size()) {
    first_ = (first_ + 1) % pieces_.size();
    --count_;
  }
  pieces_[(first_ + count_++) % pieces_.size()] = fresh;
  last_time_ = t;
  last_ = m;
}

const CommandedMotion::Piece& CommandedMotion::piece_at(double t) const {
  // The first that ends at t or later.
  std::size_t low = 0, high = count_ - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (piece(middle).to >= t) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return piece(low);
}

LabMotion CommandedMotion::find(double t) const {
  if (t < last_time_) return piece_at(t).find(std::max(t, oldest()));
  // The numbers of the tick, not those of a polynomial that ends there.
  LabMotion m = piece(count_ - 1).find(last_time_);
  m.r_BL_N = last_.r_BL_N, m.v_BL_N = last_.v_BL_N;
  m.q_BN = last_.q_BN, m.omega_BN_B = last_.omega_BN_B;
  return m;
}

}  // namespace berth
