// SPDX-License-Identifier: Apache-2.0
#pragma once

// Probes of impacts at rest: who stays, who sticks, who slides and where to.
//
//   stays      while it is pressed on: λ_n > 0
//   sticks     slower than its rest speed along the surface, and |λ_t| ≤ μ λ_n
//   slides     else: on as it does, or, so slow, stopped first, where it is pulled to
//
// All are judged together: whoever would have to be pulled lifts off, whoever cannot be held slides,
// one after the other, until the loads of the others are such as they can be. Sliding against which
// no load is possible (Painlevé: friction would press it on more than it takes off) goes on without
// friction, with a warning.

#include <vector>

#include "berth/run/core.h"

namespace berth {

// [m/s] Sliding as slow as this has no direction but that in which it will go.
inline constexpr double kCreeping = 1e-9;
// Of the rest speed: slower, sliding has ended.
inline constexpr double kStopped = 1e-3;

inline bool is_resting(const Core& core, int contact) {
  return core.s.mode.contacts[index(contact)].now.touching;
}
std::size_t rest_of(const Core& core, int contact);

// Holds these probes on their surfaces, but for those that would have to be pulled there.
void rest(Core& core, std::vector<int> staying);
// Judges the friction of those at rest anew, where sticking or the sliding of some of them ends.
void judge_friction(Core& core, const std::vector<int>& switched);
void lift_off(Core& core, int contact);
// The speeds have jumped since then: what was lost, and what the ground took. [J] The loss.
double add_impulses(Core& core, const Balance<double>& before, bool grounded);

double find_press(const Core& core, int contact, const Workspace<double>& w);  // [N] λ_n

// Margins of friction:
//   stick     μ²λ_n² − |λ_t|²   [N²]       its zero ends sticking
//   slip      |u|² − v²         [m²/s²]    its fall below zero ends sliding, v a thousandth of the rest
//                                          speed: slower, friction turns faster than steps can follow
//   heading   ĥ · u             [m/s]      likewise: it turns back
void watch_friction(Core& core, int contact);
// Whether a value fits what is known of a margin, rounding aside.
bool friction_agrees(const Core& core, const Watch::ImpactMargin& margin, double value);

}  // namespace berth
