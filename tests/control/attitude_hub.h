// SPDX-License-Identifier: Apache-2.0
#pragma once

// A free hub under attitude control.

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "berth/control/attitude_control.h"
#include "berth/run/run.h"
#include "tests/support/craft.h"

namespace berth::attitude_hub {

using V = Vec3<double>;

inline const Sym3<double> kInertia{90, 80, 60, 3, -2, 1};

inline AttitudeControl<double> control(double K = 20, double P = 80) {
  AttitudeControl<double> c;
  c.body = "hub";
  c.K = K;
  c.P = P;
  return c;
}

inline BodySpec<double> hub(const Quaternion<double>& q = {1, 0, 0, 0}, const V& omega = {}) {
  BodySpec<double> b = test::hub_spec<double>("hub", 100, kInertia);
  b.q = {0, 0, 0, q.w, q.x, q.y, q.z};
  b.v = {0, 0, 0, omega.x, omega.y, omega.z};
  return b;
}

inline V omega_of(const HybridRun& d) {
  const auto v = static_cast<std::size_t>(d.system().layout().v);
  return {d.x()[v + 3], d.x()[v + 4], d.x()[v + 5]};
}
inline std::string refusal(System<double> system, const AttitudeControl<double>& c) {
  try {
    system.add_control(c);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

// Three wheels along the axes, or four on a pyramid.
inline System<double> with_wheels(int count, const BodySpec<double>& body, std::vector<V>& axes) {
  System<double> system;
  const int h = system.model.add_body(body);
  axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (count == 4) {
    const double c = std::cos(0.6), s = std::sin(0.6);
    axes = {{c, 0, s}, {0, c, s}, {-c, 0, s}, {0, -c, s}};
  }
  for (std::size_t i = 0; i < axes.size(); ++i)
    system.add_component(test::wheel<double>(axes[i], 20), h, "wheel" + std::to_string(i + 1));
  return system;
}
inline std::vector<CarriedJointRef> wheel_names(int count) {
  std::vector<CarriedJointRef> names;
  for (int i = 1; i <= count; ++i) names.push_back("wheel" + std::to_string(i));
  return names;
}

}  // namespace berth::attitude_hub
