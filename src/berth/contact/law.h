// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a contact law is asked for: the normal force f_n at a penetration, along the normal n̂ that
// points into the wall. Pushing apart is negative. And for one stiffness that stands for it, which
// friction along the wall takes where it is given none.

#include <concepts>

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct Penetration {
  T depth{};     // [m] d, positive inside
  T rate{};      // [m/s] ḋ
  Vec3<T> n_P1;  // n̂ in the axes of the probe's port
};

template <class L, class T>
concept ContactLaw = requires(L& own, const L& law, const Penetration<T>& p) {
  { L::type } -> std::convertible_to<std::string_view>;
  L::fields();
  own.settle();  // inputs that stand for others are worked out, once
  { law.find_force(p) } -> std::same_as<T>;
  { law.find_stiffness() } -> std::same_as<T>;  // [N/m]
  // Of the sign of −f_n inside, f_n being given; smooth across the surface.
  { law.find_press(p, p.depth) } -> std::same_as<T>;
};

}  // namespace berth
