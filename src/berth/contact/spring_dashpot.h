// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpringDashpot — f_n = −k d − b ḋ.

#include "berth/contact/law.h"

namespace berth {

template <Scalar T>
struct SpringDashpot {
  static constexpr std::string_view type = "spring_dashpot";

  T stiffness{};
  T damping{};

  static constexpr auto fields() {
    using P = SpringDashpot;
    return Schema{
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::positive, "k, along the normal",
              required},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative, "b, likewise"},
    };
  }

  void settle() {}
  T find_force(const Penetration<T>& p) const { return -(stiffness * p.depth) - damping * p.rate; }
  T find_stiffness() const { return stiffness; }
  T find_press(const Penetration<T>&, const T& force) const { return -force; }
};

static_assert(ContactLaw<SpringDashpot<double>, double>);

}  // namespace berth
