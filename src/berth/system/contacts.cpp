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

Vec3<double> find_first_slip(const Contact<double>& contact, const ContactMotion<double>& m,
                             double taken) {
  Vec3<double> s;
  with_part(contact.friction, [&](const auto& friction) {
    if constexpr (std::remove_cvref_t<decltype(friction)>::sticks)
      s = friction.find_first_slip(find_law_stiffness(contact),
                                   transposed_times(m.R_NS, m.raw.friction_N), m.slip_S, taken);
  });
  return s;
}

}  // namespace berth
