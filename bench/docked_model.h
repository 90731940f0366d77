// SPDX-License-Identifier: Apache-2.0
//
// The stack of stack.h in low Earth orbit, docked.
#pragma once

#include "bench/stack_model.h"
#include "bench/tide.h"

namespace berth::bench {

template <Scalar T>
void put_in_orbit(System<T>& system) {
  system.set_orbit(OrbitalGravity<T>{}, vector_of<T>(kOrbitR), vector_of<T>(kOrbitV));
}

// Two craft in orbit, joined by a rigid dock.
inline System<double> build_docked(const StackState& state, Outfit outfit, Enforce enforce) {
  System<double> system = build_stack<double>(state, Docking::none, outfit);
  put_in_orbit(system);
  Dock<double> dock;
  dock.name = "joint";
  dock.port_1 = {system.model.find_body("servicer"), vector_of<double>(kPort[0]), {}};
  dock.port_2 = {system.model.find_body("target"), vector_of<double>(kPort[1]), {}};
  dock.port_1.R_BP = dock.port_2.R_BP = Mat3<double>::identity();
  dock.arm = vector_of<double>(kArm);
  dock.enforce = enforce;
  system.add_dock(dock);
  return system;
}
inline System<double> docked_pair(Enforce enforce) {
  return build_docked(nadir_state(stack_numbers()), Outfit::bare, enforce);
}
inline System<double> docked_stack(Enforce enforce) {
  return build_docked(resting_state(stack_numbers()), Outfit::complete, enforce);
}

}  // namespace berth::bench
