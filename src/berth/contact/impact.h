// SPDX-License-Identifier: Apache-2.0
#pragma once

// Impact — no force but an impulse: the approach ends at once.
//
//   u⁺ = −e u⁻       normal speeds before and after, from  p⁺ = p⁻ + Gᵀλ,  λ ≥ 0               (1)
//   |λ_t| ≤ μ λ_n    friction takes of the sliding what it can                                 (2)
//
// `rule` paper: for steps of variational2 the energy of the steps is kept instead, which differs by
// O(h²) (run/paper_rule.h).
//
// Below `rest_speed` a bounce is over: the probe stays on the surface until it would have to be
// pulled, and sticks or slides there with the same μ (system/rest.h, run/resting.h).

#include "berth/contact/law.h"

namespace berth {

enum class Simultaneous : unsigned char { moreau, sequential };
constexpr auto keywords_of(Simultaneous) {
  return std::array{Keyword{"moreau", "all together"},
                    Keyword{"sequential", "one after the other"}};
}

enum class ImpactRule : unsigned char { reflect, paper };
constexpr auto keywords_of(ImpactRule) {
  return std::array{
      Keyword{"reflect", "the speed is reflected"},
      Keyword{"paper", "the energy of variational2 steps is kept; elastic impacts only"}};
}

template <Scalar T>
struct Impact {
  static constexpr std::string_view type = "impact";

  T restitution{};
  T friction{};
  T rest_speed{1e-5};
  OneOf<Simultaneous> simultaneous;
  OneOf<ImpactRule> rule;

  static constexpr auto fields() {
    using P = Impact;
    return Schema{
        Field{"restitution", &P::restitution, unit::none, Range::not_negative,
              "e, speed after by speed before: 0 plastic, 1 elastic", required},
        Field{"friction", &P::friction, unit::none, Range::not_negative,
              "coefficient of friction, along the surface"},
        Field{"rest_speed", &P::rest_speed, unit::m_per_s, Range::positive,
              "bounces slower than this are over"},
        Field{"simultaneous", &P::simultaneous, unit::none, Range::any, "several impacts at once"},
        Field{"rule", &P::rule, unit::none, Range::any, "what becomes of the normal speed"},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (restitution > 1.0)
      findings.add("restitution",
                   shown(value(restitution)) + " is above 1: a bounce gives nothing");
    if (rule == ImpactRule::paper && (restitution != T(1.0) || friction != T(0.0)))
      findings.add("rule", "paper keeps energy: it needs restitution = 1 and no friction");
  }

  bool has_friction() const { return value(friction) > 0; }
  void settle() {}
  T find_force(const Penetration<T>&) const { return T(0.0); }
  T find_stiffness() const { return T(0.0); }
  T find_press(const Penetration<T>&, const T& force) const { return -force; }
};

static_assert(ContactLaw<Impact<double>, double>);

}  // namespace berth
