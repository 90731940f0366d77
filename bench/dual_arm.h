// SPDX-License-Identifier: Apache-2.0
//
// A servicer whose two arms hold one load: a free base, six revolute joints per arm, and a weld that
// closes the chain. 18 velocities, 6 rows. The numbers of papers/closed_chain/dual_arm_free.toml, for
// libraries that do not read it.
//
//   link k   frame at its joint, along +x; the next joint at its end; axes parallel to the base's at
//            zero
//   load     bolted to the left hand, and part of it here
//   weld     left hand to right hand, in the pose they have at the start
//   free space: no gravity, no actuators.
//
// C++17 on purpose, like stack.h.
#pragma once

#include <array>
#include <cstddef>

#include "stack.h"

namespace berth::bench {

inline constexpr std::size_t kArmJoints = 6;          // per arm
inline constexpr std::size_t kLeft = 0, kRight = 1;   // arms
inline constexpr std::size_t kHand = kArmJoints - 1;  // the last link

struct Lump {
  double mass;  // [kg]
  Vec cm;       // from the joint, link axes [m]
  Vec inertia;  // principal, about the c.m., link axes [kg m²]
};

inline constexpr double kBaseMass = 1000.0;                    // kg
inline constexpr Vec kBaseInertia = {590.83, 270.83, 486.67};  // kg m², about the base's origin
inline constexpr std::array<Vec, 2> kShoulder = {Vec{0.5, 1., 0.}, Vec{0.5, -1., 0.}};  // m
inline constexpr Vec kNextJoint = {0.5, 0., 0.};  // m, from the joint before
inline constexpr std::array<Vec, kArmJoints> kArmAxis = {kAxes[2], kAxes[1], kAxes[0],
                                                         kAxes[1], kAxes[0], kAxes[2]};
inline constexpr Lump kArmLink = {15., {0.25, 0., 0.}, {0.05, 1.3, 1.3}};
inline constexpr Lump kLoad = {100., {1.5, 0., 0.}, {40., 40., 40.}};  // on the left hand
inline constexpr Vec kGrip = {0.5, 0., 0.};  // m, of the weld, on the left hand

// Two lumps on the x axis of one link.
constexpr Lump join(const Lump& a, const Lump& b) {
  const double mass = a.mass + b.mass, apart = b.cm[0] - a.cm[0];
  const double far = a.mass * b.mass / mass * apart * apart;
  return {mass,
          {(a.mass * a.cm[0] + b.mass * b.cm[0]) / mass, 0., 0.},
          a.inertia + b.inertia + Vec{0., far, far}};
}

constexpr Lump arm_link(std::size_t arm, std::size_t joint) {
  return arm == kLeft && joint == kHand ? join(kArmLink, kLoad) : kArmLink;
}

// ----------------------------------------------------------------------- state and its rate

using ArmNumbers = std::array<std::array<double, kArmJoints>, 2>;  // left, right; base outwards

// The base at N's origin, axes parallel to N's. The right arm's rates go with the closed chain.
inline constexpr Vec kBaseVelocity = {0.1, -0.05, 0.02};  // m/s
inline constexpr Vec kBaseOmega = {0.05, -0.03, 0.08};    // rad/s, base axes
inline constexpr ArmNumbers kArmAngle = {
    {{0.3, -0.4, 0.2, 0.7, -0.3, 0.1}, {-0.2, 0.5, -0.1, -0.6, 0.4, 0.3}}};  // rad
inline constexpr ArmNumbers kArmRate = {
    {{0.3, -0.2, 0.25, -0.15, 0.1, -0.35},
     {1.126251049293, 0.682156607374, 3.182101320242, -0.577113257782, -2.389910682554,
      0.622137645558}}};  // rad/s

struct DualArmAcceleration {
  Vec v;           // base origin's acceleration, N axes [m/s²]
  Vec omega;       // base's angular acceleration, base axes [rad/s²]
  ArmNumbers xdd;  // joint accelerations [rad/s²]
};

}  // namespace berth::bench
