// SPDX-License-Identifier: Apache-2.0
#pragma once

// lift_system — a system built in double, once more on another scalar: the same bodies in the same
// order, the same parts with the same names, the same docks, so that one state vector fits both.

#include "berth/model/lift.h"
#include "berth/system/system.h"

namespace berth {

template <Lifted T>
Vec3<T> lift_vector(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

template <Lifted T>
System<T> lift_system(const System<double>& from);

template <Lifted T>
Mode<T> lift_mode(const Mode<double>& from);

// The numbers of a mode that the derivative depends on, in order: f(number).
void for_each_number(auto& mode, auto&& f) {
  const auto vector = [&](auto& v) { f(v.x), f(v.y), f(v.z); };
  f(mode.t_from);
  for (auto& y : mode.held) f(y);
  for (auto& y : mode.levels) f(y);
  for (auto& c : mode.contacts) {
    f(c.held.normal);
    vector(c.held.normal_N), vector(c.held.friction_N), vector(c.heading), vector(c.torque);
  }
}

}  // namespace berth
