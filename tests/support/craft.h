// SPDX-License-Identifier: Apache-2.0
#pragma once

// Spacecraft for tests, on any scalar.

#include <numbers>

#include "berth/system/system.h"

namespace berth::test {

template <Scalar T>
BodySpec<T> hub_spec(const std::string& name, double mass = 750,
                     const Sym3<double>& inertia = Sym3<double>::diagonal(900, 800, 600)) {
  BodySpec<T> hub;
  hub.name = name;
  hub.mass = mass;
  hub.I_C_B = {T(inertia.xx), T(inertia.yy), T(inertia.zz),
               T(inertia.xy), T(inertia.xz), T(inertia.yz)};
  return hub;
}

template <Scalar T>
ReactionWheel<T> wheel(const Vec3<T>& axis, double speed, bool imbalanced = false) {
  ReactionWheel<T> w;
  w.position = 0.3 * axis;
  w.axis = axis;
  w.mass = 10.0;
  w.inertia_spin = 0.159;
  w.inertia_transverse = 0.08;
  w.speed = speed;
  if (imbalanced) {
    w.static_imbalance = 4.8e-6;
    w.dynamic_imbalance = 1.5e-6;
  }
  return w;
}

// The component set of the field's docking studies; panels and fuel swing at 2 Hz.
inline constexpr double kFast = 4 * std::numbers::pi;  // [rad/s]

template <Scalar T>
HingedPanel<T> panel() {
  HingedPanel<T> p;
  p.position = {T(0.0), T(1.0), T(1.0)};
  p.axis = {T(1.0), T(0.0), T(0.0)};
  p.outward = {T(0.0), T(1.0), T(0.0)};
  p.mass = 100.0;
  p.centre_of_mass = {T(1.0), T(0.0), T(0.0)};
  p.inertia = Sym3<T>::diagonal(T(150.0), T(300.0), T(150.0));
  p.stiffness = 300 * kFast * kFast;
  p.damping = 300 * 2 * 0.2 * kFast;
  p.rate = 7 * 0.017453292519943295;  // 7°/s
  return p;
}

template <Scalar T>
SloshMass<T> slosh(int i) {
  const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double at[3][3] = {{.01, 0, .11}, {-.01, .01, .1}, {.01, 0, .11}};
  const double kick[3] = {0.02, -0.025, -0.015};
  SloshMass<T> s;
  s.position = {T(at[i][0]), T(at[i][1]), T(at[i][2])};
  s.axis = {T(axes[i][0]), T(axes[i][1]), T(axes[i][2])};
  s.mass = 50.0;
  s.stiffness = 50 * kFast * kFast;
  s.damping = 2 * 0.2 * 50 * kFast;
  s.rate = kick[i];
  return s;
}

// Hub, three wheels at ±100 rad/s, one panel, three slosh masses, tumbling slowly.
template <Scalar T>
System<T> complete_craft(bool imbalanced, const Vec3<double>& omega = {0.01, -0.02, 0.015}) {
  System<T> system;
  BodySpec<T> hub = hub_spec<T>("servicer");
  hub.v = {T(0.0), T(0.0), T(0.0), T(omega.x), T(omega.y), T(omega.z)};
  const int b = system.model.add_body(hub);
  system.add_component(wheel<T>({T(1.0), T(0.0), T(0.0)}, 100, imbalanced), b, "servicer.wheel1");
  system.add_component(wheel<T>({T(0.0), T(1.0), T(0.0)}, -100, imbalanced), b, "servicer.wheel2");
  system.add_component(wheel<T>({T(0.0), T(0.0), T(1.0)}, 100, imbalanced), b, "servicer.wheel3");
  system.add_component(panel<T>(), b, "servicer.panel");
  for (int i = 0; i < 3; ++i)
    system.add_component(slosh<T>(i), b, "servicer.slosh" + std::to_string(i + 1));
  return system;
}

}  // namespace berth::test
