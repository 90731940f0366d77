// SPDX-License-Identifier: Apache-2.0
#include "berth/live/robot.h"

#include <algorithm>

#include "berth/math/rotation_vector_rates.h"

namespace berth {

void Robot::clear(std::size_t most_ticks) {
  past_.clear(most_ticks);
  moved_ = slides_ = turns_ = false;
}

void Robot::command(double t, const LabMotion& commanded, double dead_time) {
  past_.add(t, commanded);
  commanded_ = commanded;
  dead_time_ = dead_time;
}

void Robot::move_to(double t) {
  const double last = t_;
  t_ = t;
  if (!moved_ || !lag_.exists()) {
    lagged_ = past_.find(t - dead_time_);
  } else {
    lagged_ = find_lagged(last - dead_time_, t - dead_time_);
  }
  LabMotion wanted = lagged_;
  if (moved_) limit(wanted, t - last);
  moved_ = true;
  motion_ = wanted;
}

// (2), piece by piece.
LabMotion Robot::find_lagged(double from, double to) {
  LabMotion m = lagged_;
  from = std::max(from, past_.oldest());
  for (double t = from; t < to;) {
    // The piece that begins at t, not the one that ends there.
    const auto& piece = past_.piece_at(std::nextafter(t, to));
    const double end = std::min(piece.to, to), s = t - piece.origin;
    const Cubic r = piece.r_BL_N.from(s), phi = piece.phi.from(s);
    const SecondOrderLag::State x = lag_.advance({m.r_BL_N, m.v_BL_N}, r, end - t);
    const Vec3<double> theta = find_rotation(piece.q_ON, m.q_BN);
    const SecondOrderLag::State turned =
        lag_.advance({theta, find_rotation_vector_rate(theta, m.omega_BN_B)}, phi, end - t);
    m.r_BL_N = x.x, m.v_BL_N = x.v;
    m.a_BL_N = lag_.find_acceleration(x, r.value(end - t));
    m.q_BN = canonical(piece.q_ON * quaternion_from_rotation_vector(turned.x));
    m.omega_BN_B = find_angular_velocity(turned.x, turned.v);
    m.alpha_BN_B = find_angular_acceleration(turned.x, turned.v,
                                             lag_.find_acceleration(turned, phi.value(end - t)));
    t = end;
  }
  return m;
}

// (3). Accelerations of what is limited, or was until now, are differences of its rates.
void Robot::limit(LabMotion& m, double dt) {
  const bool was_sliding = slides_, was_turning = turns_;
  slides_ = turns_ = false;
  if (limits_.max_speed > 0) {
    const Vec3<double> d = m.r_BL_N - motion_.r_BL_N;
    const double way = norm(d), speed = norm(m.v_BL_N), most = limits_.max_speed * dt;
    if (way > most) {
      m.r_BL_N = motion_.r_BL_N + (most / way) * d;
      m.v_BL_N = (limits_.max_speed / way) * d;
      slides_ = true;
    } else if (speed > limits_.max_speed) {
      m.v_BL_N = (limits_.max_speed / speed) * m.v_BL_N;
      slides_ = true;
    }
    if (slides_ || was_sliding) m.a_BL_N = (1 / dt) * (m.v_BL_N - motion_.v_BL_N);
  }
  if (limits_.max_rate > 0) {
    const Vec3<double> d = find_rotation(motion_.q_BN, m.q_BN);
    const double way = norm(d), rate = norm(m.omega_BN_B), most = limits_.max_rate * dt;
    if (way > most) {
      m.q_BN = canonical(motion_.q_BN * quaternion_from_rotation_vector((most / way) * d));
      m.omega_BN_B = (limits_.max_rate / way) * d;
      turns_ = true;
    } else if (rate > limits_.max_rate) {
      m.omega_BN_B = (limits_.max_rate / rate) * m.omega_BN_B;
      turns_ = true;
    }
    if (turns_ || was_turning) m.alpha_BN_B = (1 / dt) * (m.omega_BN_B - motion_.omega_BN_B);
  }
}

}  // namespace berth
