// SPDX-License-Identifier: Apache-2.0
#include "berth/live/mock_up_contact.h"

#include <algorithm>

namespace berth {
namespace {

BodyMotion<double> find_body_motion(const LabMotion& m) {
  BodyMotion<double> body;
  body.R_NB = rotation_matrix(m.q_BN);
  body.r_BN_N = m.r_BL_N;
  body.v_BN_N = m.v_BL_N;
  body.omega_BN_N = body.R_NB * m.omega_BN_B;
  return body;
}

}  // namespace

MockUpContact::MockUpContact(const Contact<double>& contact) : contact_(without_loop(contact)) {
  contact_.external = false;
  contact_.biased = false;
  contact_.first_state = 0;
  states_.assign(static_cast<std::size_t>(contact_.state_count()), 0.0);
  const int bodies = std::max(contact_.port_1.body, contact_.port_2.body) + 1;
  motion_.bodies.resize(static_cast<std::size_t>(bodies));
}

MockUpContact::Touch MockUpContact::find(const LabMotion& probe, const LabMotion& surface) {
  motion_.bodies[static_cast<std::size_t>(contact_.port_1.body)] = find_body_motion(probe);
  motion_.bodies[static_cast<std::size_t>(contact_.port_2.body)] = find_body_motion(surface);
  Grip grip;
  grip.touching = true;
  const ContactMotion<double> m = find_contact_motion(contact_, motion_, states_.data(), grip);
  Touch out;
  out.gap = m.gap;
  out.gap_rate = m.gap_rate;
  out.r_QB_N = m.lever_1;
  out.touching = m.gap <= 0 && (contact_.adhesive || find_press_margin(contact_, m) >= 0);  // (1)
  touched_ |= out.touching;
  out.touching |= contact_.bilateral && touched_;
  if (out.touching) out.force_N = m.signal.normal_N + m.signal.friction_N;
  return out;
}

}  // namespace berth
