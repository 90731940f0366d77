// SPDX-License-Identifier: Apache-2.0
#include "berth/system/contacts.h"

#include <algorithm>

namespace berth {

Contact<double> without_loop(Contact<double> c) {
  c.delay = c.sample_time = c.jitter = 0;
  c.robot_frequency = c.filter_time = 0;
  c.compensation = NoCompensation<double>{};
  return c;
}

double find_press_margin(const Contact<double>&, const ContactMotion<double>& m) {
  return -m.law_force;
}

bool can_stick(const Contact<double>& contact) {
  return std::holds_alternative<Stick<double>>(contact.friction);
}

double find_stick_margin(const Contact<double>& contact, const ContactMotion<double>& m,
                         const Grip& grip) {
  const auto* s = std::get_if<Stick<double>>(&contact.friction);
  if (!s || !grip.touching) return 1;
  if (!grip.sticking) return norm(m.slip_S) - s->speed;
  return s->coefficient * std::fabs(m.law_force) - norm(m.raw.friction_N);
}

}  // namespace berth
