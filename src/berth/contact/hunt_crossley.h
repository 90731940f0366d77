// SPDX-License-Identifier: Apache-2.0
#pragma once

// HuntCrossley — a spring that stiffens and a damper that grows with the penetration, so that the
// force begins and ends at zero:
//
//   f_n = −k dⁿ (1 + c ḋ)                                                                     (1)
//
// A hit at speed v comes back at e v with  y − ln(1 + y) = −e y − ln(1 − e y),  y = c v          (2)
// whatever masses, k and n: (2) gives c where e is given for one speed.

#include <cmath>

#include "berth/contact/law.h"

namespace berth {

template <Scalar T>
struct HuntCrossley {
  static constexpr std::string_view type = "hunt_crossley";

  T stiffness{};
  T exponent{1.5};
  T damping{};
  T restitution{};
  T speed{};

  static constexpr auto fields() {
    using P = HuntCrossley;
    return Schema{
        Field{"stiffness", &P::stiffness, unit::none, Range::positive, "k, in N/mⁿ", required},
        Field{"exponent", &P::exponent, unit::none, Range::positive,
              "n; 1.5 = a ball on a plane (Hertz)"},
        Field{"damping", &P::damping, unit::s_per_m, Range::not_negative,
              "c; with small c a hit at speed v comes back at v (1 − ⅔ c v)"},
        Field{"restitution", &P::restitution, unit::none, Range::not_negative,
              "e, instead of damping: speed after a hit over speed before it; 0 = not given"},
        Field{"speed", &P::speed, unit::m_per_s, Range::not_negative,
              "of the hit that restitution is given for"},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (restitution > 0.0 && damping > 0.0)
      findings.add("restitution", "restitution or damping, not both");
    if (restitution > 1.0) findings.add("restitution", "is not above 1");
    if ((restitution > 0.0) != (speed > 0.0))
      findings.add("speed", "restitution goes with the speed it is given for");
  }
  // (2), by bisection: its left side grows less than its right one with y < 1/e.
  void settle() {
    if (!(restitution > 0.0 && speed > 0.0)) return;
    const double e = value(restitution);
    double low = 0, high = 1 / e;
    for (int i = 0; i < 200 && e < 1; ++i) {
      const double y = 0.5 * (low + high);
      (y - log1p(y) > -e * y - log1p(-e * y) ? low : high) = y;
    }
    damping = low / speed;
    restitution = speed = T(0.0);
  }

  T find_force(const Penetration<T>& p) const {  // (1)
    const T depth = select(p.depth > T(0.0), p.depth, T(1.0));
    const T force = -(stiffness * exp(exponent * log(depth)) * (1.0 + damping * p.rate));
    return select(p.depth > T(0.0), force, T(0.0));
  }
  // f_n is cut off at the surface.
  T find_press(const Penetration<T>& p, const T&) const { return 1.0 + damping * p.rate; }
  // −∂f_n/∂d = n k dⁿ⁻¹ at a depth of 1 mm.
  T find_stiffness() const { return exponent * stiffness * exp((exponent - 1.0) * T(log(1e-3))); }
};

static_assert(ContactLaw<HuntCrossley<double>, double>);

}  // namespace berth
