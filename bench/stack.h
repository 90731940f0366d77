// SPDX-License-Identifier: Apache-2.0
//
// The stack every library simulates: two craft, nose to tail, each a hub with three reaction
// wheels, one hinged panel and three slosh masses. Plain numbers only; each library, and berth
// itself, builds its own model from them, so that all of them time the same work.
//
//   frames   N   inertial
//            B1  hub 1, origin at its centre of mass
//            B2  hub 2, origin at its centre of mass; axes parallel to B1 when docked
//   dock     r_B2B1_B1 = port_1 + arm − port_2 = (2.1, 0, 0) m
//   parts    0 1 2 wheels · 3 panel · 4 5 6 slosh masses, each on one joint of its own hub
//   free space: no gravity, no contact, no actuators. 6 + 7 velocities per free craft:
//     two free craft 26, one tree 20, two free craft and a rigid loop 26 with 6 rows.
//
// The component set is the one of theory/post_docking.md §6; the wheels' places are chosen.
// C++17 on purpose: Simbody's headers do not compile as C++20, and its peer reads this file too.
#pragma once

#include <array>
#include <cstddef>

namespace berth::bench {

using Vec = std::array<double, 3>;
using Quat = std::array<double, 4>;  // Hamilton, scalar first; v_N = q v_B q*

enum class JointKind { revolute, prismatic };

// A rigid part on one sprung, damped joint of its hub. The part's axes are parallel to the hub's
// at joint coordinate zero; its frame has its origin at the joint.
//   generalised force  −stiffness · q − damping · q̇        q in rad or m
struct Part {
  JointKind joint;
  Vec point;         // joint in the hub frame [m]
  Vec axis;          // unit vector, hub axes [-]
  double mass;       // [kg]
  Vec cm;            // centre of mass from the joint, hub axes, at q = 0 [m]
  Vec inertia;       // principal moments about the part's c.m., hub axes, at q = 0 [kg m²]
  double stiffness;  // [N m/rad] or [N/m]
  double damping;    // [N m s/rad] or [N s/m]
};

inline constexpr std::size_t kParts = 7;                          // per craft
inline constexpr std::size_t kWheel = 0, kPanel = 3, kSlosh = 4;  // first of its kind

struct CraftNumbers {
  double mass;                     // hub alone [kg]
  Vec inertia;                     // hub alone, principal, about its c.m. = frame origin [kg m²]
  Vec port;                        // docking port in the hub frame [m]
  std::array<Part, kParts> parts;  // in the order wheels, panel, slosh masses
};

struct StackNumbers {
  std::array<CraftNumbers, 2> craft;
  Vec arm;  // from port 1 to port 2 when docked, B1 axes [m]
};

// ---------------------------------------------------------------------------------- numbers

inline constexpr double kHubMass = 750.0;                                         // kg
inline constexpr Vec kHubInertia = {900., 800., 600.};                            // kg m²
inline constexpr std::array<Vec, 2> kPort = {Vec{1., 0., 0.}, Vec{-1., 0., 0.}};  // m
inline constexpr Vec kArm = {0.1, 0., 0.};                                        // m

inline constexpr std::array<double, 3> kWheelMass = {9., 10., 12.};  // kg
inline constexpr double kWheelSpin = 0.159;                          // kg m², about the spin axis
inline constexpr double kWheelTransverse = 0.08;                     // kg m², across it
inline constexpr std::array<Vec, 3> kWheelPoint = {Vec{0.8, 0.8, 1.79070}, Vec{0.8, -0.8, 1.79070},
                                                   Vec{-0.8, -0.8, 1.79070}};  // m

// The panel's "2 Hz, ζ = 0.2" is meant about its c.m.; on the hinge, clamped, it is 1.73 Hz.
inline constexpr double kPanelMass = 100.0;               // kg
inline constexpr Vec kPanelInertia = {300., 150., 150.};  // kg m², hub axes
inline constexpr Vec kPanelHinge = {0., 1., 1.};          // m, craft 2: the opposite
inline constexpr double kPanelReach = 1.0;                // m, hinge to c.m., along +y
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kOmega = 4.0 * kPi;                          // rad/s, 2 Hz
inline constexpr double kZeta = 0.2;                                 // -
inline constexpr double kPanelStiffness = 300. * kOmega * kOmega;    // N m/rad
inline constexpr double kPanelDamping = 300. * 2. * kZeta * kOmega;  // N m s/rad

inline constexpr double kSloshMass = 50.0;  // kg
inline constexpr std::array<Vec, 3> kSloshPoint = {Vec{0.01, 0., 0.11}, Vec{-0.01, 0.01, 0.1},
                                                   Vec{0.01, 0., 0.11}};  // m
// Slosh masses are points. MuJoCo refuses a moving body without rotary inertia, so every library
// gets this one: 1e-15 of a hub's, below what the comparison of accelerations can see.
inline constexpr double kSloshInertia = 1e-12;  // kg m²

inline constexpr std::array<Vec, 3> kAxes = {Vec{1., 0., 0.}, Vec{0., 1., 0.}, Vec{0., 0., 1.}};

constexpr Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
constexpr Vec operator+(const Vec& a, const Vec& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
constexpr Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
// Components in N of a vector given in B: v + 2 w (u × v) + 2 u × (u × v), q = (w, u).
constexpr Vec rotate(const Quat& q, const Vec& v) {
  const Vec u = {q[1], q[2], q[3]};
  const Vec t = 2.0 * cross(u, v);
  return v + q[0] * t + cross(u, t);
}

constexpr Part wheel(std::size_t i) {
  Part part{};
  part.joint = JointKind::revolute;
  part.point = kWheelPoint[i];
  part.axis = kAxes[i];
  part.mass = kWheelMass[i];
  part.inertia = {kWheelTransverse, kWheelTransverse, kWheelTransverse};
  part.inertia[i] = kWheelSpin;
  return part;
}

// side +1: as the numbers above say; −1: hinge, axis and reach reversed.
constexpr Part panel(double side) {
  Part part{};
  part.joint = JointKind::revolute;
  part.point = side * kPanelHinge;
  part.axis = side * kAxes[0];
  part.mass = kPanelMass;
  part.cm = side * kPanelReach * kAxes[1];
  part.inertia = kPanelInertia;
  part.stiffness = kPanelStiffness;
  part.damping = kPanelDamping;
  return part;
}

constexpr Part slosh_mass(std::size_t i) {
  Part part{};
  part.joint = JointKind::prismatic;
  part.point = kSloshPoint[i];
  part.axis = kAxes[i];
  part.mass = kSloshMass;
  part.inertia = {kSloshInertia, kSloshInertia, kSloshInertia};
  part.stiffness = kSloshMass * kOmega * kOmega;
  part.damping = 2. * kZeta * kSloshMass * kOmega;
  return part;
}

constexpr StackNumbers stack_numbers() {
  StackNumbers stack{};
  stack.arm = kArm;
  for (std::size_t c = 0; c < 2; ++c) {
    CraftNumbers& craft = stack.craft[c];
    craft.mass = kHubMass;
    craft.inertia = kHubInertia;
    craft.port = kPort[c];
    for (std::size_t i = 0; i < 3; ++i) {
      craft.parts[kWheel + i] = wheel(i);
      craft.parts[kSlosh + i] = slosh_mass(i);
    }
    craft.parts[kPanel] = panel(c == 0 ? 1. : -1.);
  }
  return stack;
}

// Hub 2's origin from hub 1's when docked, B1 axes [m].
constexpr Vec dock_offset(const StackNumbers& stack) {
  return stack.craft[0].port + stack.arm + -1.0 * stack.craft[1].port;
}

// ----------------------------------------------------------------------- state and its rate

struct CraftState {
  Vec r;                          // hub origin from N's, N axes [m]
  Quat q;                         // hub attitude, B to N [-]
  Vec v;                          // hub origin's velocity, N axes [m/s]
  Vec omega;                      // hub's angular velocity, B axes [rad/s]
  std::array<double, kParts> x;   // joint coordinates, order of the parts [rad or m]
  std::array<double, kParts> xd;  // joint rates [rad/s or m/s]
};

struct StackState {
  std::array<CraftState, 2> craft;
};

struct CraftAcceleration {
  Vec v;                           // hub origin's acceleration, N axes [m/s²]
  Vec omega;                       // hub's angular acceleration, B axes [rad/s²]
  std::array<double, kParts> xdd;  // joint accelerations [rad/s² or m/s²]
};

struct StackAcceleration {
  std::array<CraftAcceleration, 2> craft;
};

// Hub 2 placed by the dock, with the velocity that goes with it: v₂ = v₁ + ω × d.
constexpr void place_hub_2(const StackNumbers& stack, StackState& s) {
  const Vec d = dock_offset(stack);
  CraftState& one = s.craft[0];
  CraftState& two = s.craft[1];
  two.r = one.r + rotate(one.q, d);
  two.q = one.q;
  two.v = one.v + rotate(one.q, cross(one.omega, d));
  two.omega = one.omega;
}

// The rate of the same: a₂ = a₁ + α × d + ω × (ω × d), for models where hub 2 is part of hub 1.
constexpr void place_hub_2(const StackNumbers& stack, const StackState& s, StackAcceleration& a) {
  const Vec d = dock_offset(stack);
  const Vec omega = s.craft[0].omega;
  CraftAcceleration& one = a.craft[0];
  CraftAcceleration& two = a.craft[1];
  two.v = one.v + rotate(s.craft[0].q, cross(one.omega, d) + cross(omega, cross(omega, d)));
  two.omega = one.omega;
}

// The state at which forward dynamics is compared and timed: docked, turned, tumbling, wheels at
// speed, panels and slosh masses deflected and kicked. Nothing is zero or aligned by accident.
constexpr StackState nominal_state(const StackNumbers& stack) {
  constexpr double kick = 7.0 * kPi / 180.0;  // rad/s
  StackState s{};
  CraftState& one = s.craft[0];
  one.r = {0.3, -0.2, 0.5};            // m
  one.q = {0.8, 0.4, -0.2, 0.4};       // unit norm
  one.v = {0.02, -0.01, 0.03};         // m/s
  one.omega = {0.012, -0.018, 0.016};  // rad/s
  one.x = {0.7, -1.1, 2.3, 0.02, 0.003, -0.002, 0.004};
  one.xd = {100., -80., 60., kick, 0.02, -0.025, -0.015};
  s.craft[1].x = {-0.4, 1.9, 0.2, -0.03, -0.001, 0.005, 0.002};
  s.craft[1].xd = {100., -80., 60., kick, 0.02, -0.025, -0.015};
  place_hub_2(stack, s);
  return s;
}

// ------------------------------------------------------------------- how the two are joined

enum class Docking {
  none,      // two free craft: 26 velocities
  one_tree,  // hub 2 is part of hub 1's tree, its state follows from hub 1's: 20 velocities
  weld       // two free craft and a rigid loop constraint: 26 velocities, 6 rows
};

// With `bare` the hubs carry no parts (12, 6, 12 with 6 rows): the rigid pair. Joint entries of
// states are then ignored, and read back as zero like those of accelerations.
enum class Outfit { complete, bare };

}  // namespace berth::bench
