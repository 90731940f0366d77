// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ledgers in the equations of motion: power and loads from outside, and what the bodies hold.

#include "berth/system/docks_impl.h"
#include "berth/system/ledger.h"

namespace berth {

template <Scalar T>
CentreOfMass<T> find_centre_of_mass(const Model<T>& model, const Motion<T>& motion) {
  CentreOfMass<T> sum{T(0.0), {}, {}};
  for (int i = 1; i < model.body_count(); ++i) {
    const BodyMotion<T>& b = motion.body(i);
    const T& m = model.body(i).mass;
    sum.mass += m;
    sum.r_N += m * (b.r_BN_N + b.r_CB_N);
    sum.v_N += m * b.velocity_at(b.r_CB_N);
  }
  const T inv = 1.0 / sum.mass;
  return {sum.mass, inv * sum.r_N, inv * sum.v_N};
}

// Rates of the ledger states: power and loads from outside, counted from O.
template <Scalar T>
void find_ledger_rates(const System<T>& system, std::span<const T> x, const Workspace<T>& w,
                       const Vec3<T>& a_CO_N, T* out) {
  const Model<T>& model = system.model;
  const Instant<T> now{model, w.motion, w.command, w.readings.data()};
  T supplied(0.0), lost(0.0);
  const auto count = [&](const auto& part) {
    using P = std::remove_cvref_t<decltype(part)>;
    if (!part.enabled) return;
    if constexpr (SuppliesPower<P, T>) supplied += part.power_supplied(now);
    if constexpr (LosesPower<P, T>) lost += part.power_lost(now);
  };
  for_each_part(system.components, count);
  for_each_part(system.forces, count);
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    supplied += find_power_supplied(system.docks[k], w.docks[k]);
    lost += find_power_lost(system.docks[k], w.docks[k]);
  }
  for (const ContactMotion<T>& m : w.contacts) supplied += m.power();
  for (const RestMotion<T>& m : w.rests) lost -= m.power;

  Vec3<T> force{}, torque{};
  for (int i = 1; i < model.body_count(); ++i) {
    const BodyMotion<T>& b = w.motion.body(i);
    const Body<T>& joint = model.body(i);
    if (shape(joint.joint).speeds == 1 && !joint.motor)
      supplied += now.commanded(joint.v) * now.v(joint.v);
    const Wrench<T>& e = w.external.body(i);
    force += e.force;
    torque += e.torque + cross(b.r_BN_N, e.force);
    supplied += power(e, b.rates());
    // Reaction of the ground through a joint that stands on it.
    if (model.body(i).parent == kGround && model.body(i).joint != JointType::free) {
      const Wrench<T> r = find_joint_wrench(model, w.motion, w.articulated, i);
      force += r.force;
      torque += r.torque + cross(b.r_BN_N, r.force);
    }
  }
  // What internal elements hang on the ground comes back as a load from outside.
  const Wrench<T>& ground = w.internal.body(kGround);
  force -= ground.force;
  torque -= ground.torque;

  if (system.in_orbit) {
    // The same loads seen from O, against which C itself may accelerate.
    const T* o = x.data() + w.layout.orbit;
    const Vec3<T> r_CO = vector_at(o + 6), v_CO = vector_at(o + 9);
    const CentreOfMass<T> cm = find_centre_of_mass(model, w.motion);
    const Vec3<T> drag = cm.mass * a_CO_N;
    supplied += dot(force, v_CO) + dot(cm.v_N + v_CO, drag);
    torque += cross(r_CO, force) + cross(cm.r_N + r_CO, drag);
    force += drag;
  }
  out[0] = supplied;
  out[1] = lost;
  write_vector(out + 2, force);
  write_vector(out + 5, torque);
}

template <Scalar T>
Balance<T> find_balance(const System<T>& system, std::span<const T> x, const Workspace<T>& w) {
  Balance<T> b;
  const Instant<T> now{system.model, w.motion, w.command, w.readings.data()};
  Vec3<T> r_CO{}, v_CO{};
  if (system.in_orbit) {
    const T* o = x.data() + w.layout.orbit;
    r_CO = vector_at(o + 6);
    v_CO = vector_at(o + 9);
  }
  for (int i = 1; i < system.model.body_count(); ++i) {
    const BodyMotion<T>& m = w.motion.body(i);
    const T& mass = system.model.body(i).mass;
    const Vec3<T> v = m.velocity_at(m.r_CB_N) + v_CO;
    const Vec3<T> r = m.r_BN_N + m.r_CB_N + r_CO;
    const Vec3<T> spin = m.I_C_N * m.omega_BN_N;
    const Vec3<T> p = mass * v;
    b.kinetic += 0.5 * (dot(p, v) + dot(m.omega_BN_N, spin));
    b.linear += p;
    b.angular += spin + cross(r, p);
    b.linear_scale += norm(p);
    b.angular_scale += norm(spin) + norm(cross(r, p));
  }
  const auto count = [&](const auto& part) {
    if (!part.enabled) return;
    if constexpr (StoresEnergy<std::remove_cvref_t<decltype(part)>, T>)
      b.potential += part.energy(now);
  };
  for_each_part(system.components, count);
  for_each_part(system.forces, count);
  for (std::size_t k = 0; k < system.docks.size(); ++k)
    b.potential += find_energy(system.docks[k], w.docks[k]);
  const T* l = x.data() + w.layout.ledger;
  b.supplied = l[0];
  b.lost = l[1];
  b.impulse = vector_at(l + 2);
  b.angular_impulse = vector_at(l + 5);
  return b;
}

}  // namespace berth
