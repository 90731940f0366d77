// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loop of a contact, linearised where it touches: the whole scenario as
//
//   ẏ = A y + B C y(t − h)                                                                        (1)
//
// y: small motions of all joints (a turn of a free body has three), speeds, states of controllers,
// docks, lag and filter. C gives the seven numbers of the force as it leaves the sensor, B what they
// do to the motion when they come back. All slopes are exact (Dual). The field of an orbit is not in
// it: A has no gravity gradient, so that every root that grows is of the contact or of a controller.

#include <span>

#include "berth/math/delay_roots.h"
#include "berth/scenario/scenario.h"

namespace berth {

// Stiffness and damping of a coordinate that follows the penetration, per unit effective mass.
struct LoopGain {
  double stiffness = 0, damping = 0;  // [1/s²], [1/s]
};

struct ContactLoop {
  DelayLoop loop;
  double stiffness = 0, damping = 0;  // [N/m], [N·s/m] of the law there
  double mass = 0;                    // [kg] m†, felt along the normal
  LoopGain normal, radial,
      tangential;        // the last two on cones only: along the wall, about the axis
  int translations = 0;  // states of (1) that are the motion of everything together
};

// Where and how a contact is linearised.
struct ContactState {
  std::vector<double> x;
  double t = 0;          // [s] of the first contact; 0 when it was put there
  Vec3<double> slip_N;   // direction of sliding at the first contact; zero = none
  Vec3<double> point_T;  // [m] from the second body's c.m., its axes
};

// Runs until contact k touches, or puts its probe where [stability] says; rates become zero. Adds a
// problem when there is no such place.
ContactState find_contact_state(const Scenario& scenario, const BuiltScenario& built, std::size_t k,
                                Problems& problems);

ContactLoop linearise_contact(const System<double>& system, const ContactState& state,
                              std::size_t k);

}  // namespace berth
