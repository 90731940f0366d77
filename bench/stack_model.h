// SPDX-License-Identifier: Apache-2.0
//
// The stack of stack.h as a berth system, on any scalar: the components a user would write.
#pragma once

#include "bench/chain.h"
#include "bench/stack.h"
#include "berth/system/system.h"

namespace berth::bench {

template <Scalar T>
Vec3<T> vector_of(const Vec& v) {
  return {T(v[0]), T(v[1]), T(v[2])};
}
template <Scalar T>
Sym3<T> diagonal_of(const Vec& v) {
  return Sym3<T>::diagonal(T(v[0]), T(v[1]), T(v[2]));
}

// One part of a craft at its joint coordinate and rate.
template <Scalar T>
void add_part(System<T>& system, int hub, const Part& part, const std::string& name, double x,
              double xd) {
  const Vec3<T> axis = vector_of<T>(part.axis);
  if (part.joint == JointKind::prismatic) {
    SloshMass<T> s;
    s.position = vector_of<T>(part.point);
    s.axis = axis;
    s.mass = part.mass;
    s.stiffness = part.stiffness;
    s.damping = part.damping;
    s.displacement = x;
    s.rate = xd;
    system.add_component(s, hub, name);
  } else if (part.stiffness == 0) {
    ReactionWheel<T> w;
    w.position = vector_of<T>(part.point);
    w.axis = axis;
    w.mass = part.mass;
    w.inertia_spin = kWheelSpin;
    w.inertia_transverse = kWheelTransverse;
    w.angle = x;
    w.speed = xd;
    system.add_component(w, hub, name);
  } else {
    // Panel axes: y along the hinge, x outward; the moment about the hinge-parallel axis is y's.
    HingedPanel<T> p;
    p.position = vector_of<T>(part.point);
    p.axis = axis;
    p.outward = vector_of<T>(part.cm);
    p.mass = part.mass;
    p.centre_of_mass = {T(kPanelReach), T(0.0), T(0.0)};
    p.inertia = Sym3<T>::diagonal(T(part.inertia[1]), T(part.inertia[0]), T(part.inertia[2]));
    p.stiffness = part.stiffness;
    p.damping = part.damping;
    p.angle = x;
    p.rate = xd;
    system.add_component(p, hub, name);
  }
}

// Two free craft (26 speeds) or, with Docking::one_tree, hub 2 bolted to hub 1 (20 speeds).
template <Scalar T>
System<T> build_stack(const StackState& state, Docking docking = Docking::none,
                      Outfit outfit = Outfit::complete) {
  constexpr StackNumbers numbers = stack_numbers();
  System<T> system;
  int hub_1 = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    const CraftNumbers& craft = numbers.craft[c];
    const CraftState& s = state.craft[c];
    const std::string name = c == 0 ? "servicer" : "target";
    BodySpec<T> hub;
    hub.name = name;
    hub.mass = craft.mass;
    hub.I_C_B = diagonal_of<T>(craft.inertia);
    if (c == 1 && docking == Docking::one_tree) {
      hub.parent = hub_1;
      hub.joint = JointType::fixed;
      hub.r_FP_P = vector_of<T>(dock_offset(numbers));
    } else {
      for (double r : s.r) hub.q.push_back(r);
      for (double q : s.q) hub.q.push_back(q);
      for (double v : s.v) hub.v.push_back(v);
      for (double w : s.omega) hub.v.push_back(w);
    }
    const int index = system.model.add_body(hub);
    if (c == 0) hub_1 = index;
    for (std::size_t i = 0; i < kParts && outfit == Outfit::complete; ++i)
      add_part(system, index, craft.parts[i], name + ".part" + std::to_string(i), s.x[i], s.xd[i]);
  }
  return system;
}

template <Scalar T>
System<T> build_chain(std::size_t links) {
  const ChainState state = nominal_chain_state(links);
  System<T> system;
  int parent = kGround;
  for (std::size_t i = 0; i < links; ++i) {
    BodySpec<T> link;
    link.name = "link" + std::to_string(i);
    link.parent = parent;
    link.joint = JointType::revolute;
    if (i > 0) link.r_FP_P = {T(kLinkLength), T(0.0), T(0.0)};
    link.axis = vector_of<T>(link_axis(i));
    link.mass = kLinkMass;
    link.r_CB_B = vector_of<T>(kLinkCm);
    link.I_C_B = diagonal_of<T>(kLinkInertia);
    link.q = {T(state.x[i])};
    link.v = {T(state.xd[i])};
    parent = system.model.add_body(link);
  }
  return system;
}

// One forward dynamics evaluation: everything from the state to the accelerations.
template <Scalar T>
void forward_dynamics(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                      Workspace<T>& w) {
  motion_stage(system, 0.0, x, mode, w);
  command_stage(system, x, mode, w);
  effort_stage(system, w);
  solve_accelerations<T>(system.model, w.motion, w.total, w.articulated, w.v_dot);
}

}  // namespace berth::bench
