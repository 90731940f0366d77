// SPDX-License-Identifier: Apache-2.0
//
// A chain of n equal links on the ground, one revolute joint each, for cost against size: an
// articulated-body solver is linear in n, a factorised mass matrix of a chain is cubic.
//
//   link i   frame at its joint, along +x; axis y for even i, z for odd i; the next joint at its
//            end; straight along N's x at zero
//   free space, no springs.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "stack.h"

namespace berth::bench {

inline constexpr double kLinkLength = 1.0;                             // m
inline constexpr double kLinkMass = 1.0;                               // kg
inline constexpr Vec kLinkCm = {0.5, 0., 0.};                          // m, from the joint
inline constexpr Vec kLinkInertia = {0.01, 1.01 / 12.0, 1.01 / 12.0};  // kg m², about the c.m.

constexpr Vec link_axis(std::size_t i) { return i % 2 == 0 ? kAxes[1] : kAxes[2]; }

struct ChainState {
  std::vector<double> x;   // joint angles, from the ground outwards [rad]
  std::vector<double> xd;  // rates [rad/s]
};

// A snaking chain: sums of sines stay bounded, so neither the bend nor the tip speed grows with n.
inline ChainState nominal_chain_state(std::size_t n) {
  ChainState s{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    s.x[i] = 0.1 * std::sin(static_cast<double>(i));
    s.xd[i] = 0.1 * std::cos(static_cast<double>(i));
  }
  return s;
}

}  // namespace berth::bench
