// SPDX-License-Identifier: Apache-2.0
#pragma once

// HuntCrossley — a spring that stiffens and a damper that grows with the penetration, so that the
// force begins and ends at zero:
//
//   f_n = −k dⁿ (1 + c ḋ)

#include <cmath>

#include "berth/contact/law.h"

namespace berth {

template <Scalar T>
struct HuntCrossley {
  static constexpr std::string_view type = "hunt_crossley";

  T stiffness{};
  T exponent{1.5};
  T damping{};

  static constexpr auto fields() {
    using P = HuntCrossley;
    return std::tuple{
        Field{"stiffness", &P::stiffness, unit::none, Range::positive, "k, in N/mⁿ", required},
        Field{"exponent", &P::exponent, unit::none, Range::positive,
              "n; 1.5 = a ball on a plane (Hertz)"},
        Field{"damping", &P::damping, unit::s_per_m, Range::not_negative,
              "c; with small c a hit at speed v comes back at v (1 − ⅔ c v)"},
    };
  }

  T find_force(const Penetration<T>& p) const {
    const T depth = select(p.depth > T(0.0), p.depth, T(1.0));
    const T force = -(stiffness * exp(exponent * log(depth)) * (1.0 + damping * p.rate));
    return select(p.depth > T(0.0), force, T(0.0));
  }
  // f_n is cut off at the surface.
  T find_press(const Penetration<T>& p, const T&) const { return 1.0 + damping * p.rate; }
  // −∂f_n/∂d = n k dⁿ⁻¹ at a depth of 1 mm.
  T find_stiffness() const {
    return exponent * stiffness * exp((exponent - 1.0) * T(std::log(1e-3)));
  }
};

static_assert(ContactLaw<HuntCrossley<double>, double>);

}  // namespace berth
