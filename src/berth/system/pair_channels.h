// SPDX-License-Identifier: Apache-2.0
#pragma once

// Channels of what stands between two bodies: docks, measures, contacts. channel_walk.h walks them.

#include <cmath>
#include <type_traits>

#include "berth/system/docks.h"
#include "berth/system/system.h"

namespace berth::channel_walk {

// Computed when first asked for.
template <class F>
class Once {
 public:
  explicit Once(F f) : f_(std::move(f)) {}
  const auto& operator()() {
    if (!known_) value_ = f_();
    known_ = true;
    return value_;
  }

 private:
  F f_;
  std::invoke_result_t<F> value_{};
  bool known_ = false;
};

// √(a² + b²)
template <Scalar T>
T find_size(const T& a, const T& b) {
  return sqrt(a * a + b * b);
}

template <Scalar T>
Vec3<T> vector_in(std::span<const T> x, int at) {
  const auto i = static_cast<std::size_t>(at);
  return {x[i], x[i + 1], x[i + 2]};
}

// The load on each port, and how the second body stands to the first.
template <Scalar T, class Emit>
void walk_dock(const Dock<T>& dock, const DockMotion<T>& m, const Model<T>& model,
               const Workspace<T>& w, Emit&& emit) {
  using enum Kind;
  using enum Needs;
  const BodyMotion<T>& b1 = w.motion.body(dock.port_1.body);
  const BodyMotion<T>& b2 = w.motion.body(dock.port_2.body);
  const auto R_NP1 = [&] { return b1.R_NB * dock.port_1.R_BP; };
  const auto R_NP2 = [&] { return b2.R_NB * dock.port_2.R_BP; };
  const auto on_1 = [&] { return -shift(m.wrench, m.lever_1 - b1.R_NB * dock.port_1.r_PB_B); };
  const auto r_21 = [&] { return b2.r_BN_N - b1.r_BN_N; };
  Once off([&] { return find_violation(dock, m); });
  emit("force_N", unit::newton, "N", "on the second port", smooth, loads,
       [&] { return m.wrench.force; });
  emit("torque_N", unit::N_m, "N", "on the second port, about it", smooth, loads,
       [&] { return m.wrench.torque; });
  emit("force_P2", unit::newton, "P2", "on the second port, its axes", smooth, loads,
       [&] { return transposed_times(R_NP2(), m.wrench.force); });
  emit("torque_P2", unit::N_m, "P2", "on the second port, about it, its axes", smooth, loads,
       [&] { return transposed_times(R_NP2(), m.wrench.torque); });
  emit("force_P1", unit::newton, "P1", "on the first port, its axes", smooth, loads,
       [&] { return transposed_times(R_NP1(), on_1().force); });
  emit("torque_P1", unit::N_m, "P1", "on the first port, about it, its axes", smooth, loads,
       [&] { return transposed_times(R_NP1(), on_1().torque); });
  emit("force", unit::newton, "", "size of the force", norm, loads,
       [&] { return berth::norm(m.wrench.force); });
  emit("torque", unit::N_m, "", "size of the torque about the second port", norm, loads,
       [&] { return berth::norm(m.wrench.torque); });
  emit("engaged", unit::none, "", "1 while joined", flag, motion,
       [&] { return T(dock.engaged ? 1.0 : 0.0); });
  emit("violation_position", unit::metre, "", "of the dock's geometry", norm, idle,
       [&] { return off().position; });
  emit("violation_attitude", unit::rad, "", "of the dock's geometry", norm, idle,
       [&] { return off().attitude; });
  emit("r_P2P1_B1", unit::metre, "B1", "second port from the first", smooth, idle,
       [&] { return m.pair.d; });
  emit("v_P2P1_B1", unit::m_per_s, "B1", "its rate, seen in B1", smooth, idle,
       [&] { return m.pair.d_dot; });
  emit("distance", unit::metre, "", "between the ports", norm, idle,
       [&] { return berth::norm(m.pair.d); });
  emit("sigma_error", unit::none, "B1", "attitude of B2 in B1 against the mated one, MRP", smooth,
       idle, [&] { return mrp(m.pair.R); });
  emit("omega_B2B1_B1", unit::rad_per_s, "B1", "angular velocity of B2 in B1", smooth, idle,
       [&] { return m.pair.omega; });
  emit("r_B2B1_B1", unit::metre, "B1", "second body from the first", smooth, idle,
       [&] { return transposed_times(b1.R_NB, r_21()); });
  emit("v_B2B1_B1", unit::m_per_s, "B1", "its rate, seen in B1", smooth, idle,
       [&] { return transposed_times(b1.R_NB, b2.v_BN_N - b1.velocity_at(r_21())); });
  if (!dock.loop) return;
  const auto R_NA = [&] { return find_load_axes(model, dock, w.motion).R_NA; };
  emit("force_A", unit::newton, "A", "on the second port, axes of the common ancestor", smooth,
       loads, [&] { return transposed_times(R_NA(), m.wrench.force); });
  emit("torque_A", unit::N_m, "A", "likewise, about the second port", smooth, loads,
       [&] { return transposed_times(R_NA(), m.wrench.torque); });
}

template <Scalar T, class Emit>
void walk_grasps(const Measure<T>& m, const System<T>& system, const Workspace<T>& w, Emit&& emit) {
  struct Grasp {
    Vec3<T> r, f;
  };
  const auto grasp = [&](int k) {
    const Dock<T>& dock = system.docks[static_cast<std::size_t>(k)];
    const DockMotion<T>& d = w.docks[static_cast<std::size_t>(k)];
    return Grasp{w.motion.body(dock.port_2.body).r_BN_N + d.lever_2,
                 dock.port_2.body == m.held ? d.wrench.force : -d.wrench.force};
  };
  emit("squeeze", unit::newton, "", "pressing of the grasps; below zero they pull", Kind::smooth,
       Needs::loads, [&] {
         const Grasp g1 = grasp(m.grasp_1), g2 = grasp(m.grasp_2);
         return 0.5 * dot(g1.f - g2.f, normalised(g2.r - g1.r));
       });
  emit("spread", unit::metre, "", "between the grasps", Kind::norm, Needs::idle,
       [&] { return norm(grasp(m.grasp_2).r - grasp(m.grasp_1).r); });
}

template <Scalar T, class Emit>
void walk_frames(const Measure<T>& m, const Workspace<T>& w, Emit&& emit) {
  using enum Kind;
  constexpr Needs needs = Needs::motion;
  const BodyMotion<T>& b1 = w.motion.body(m.port_1.body);
  const BodyMotion<T>& b2 = w.motion.body(m.port_2.body);
  Once R_NP1([&] { return b1.R_NB * m.port_1.R_BP; });
  Once R_12([&] { return transpose(R_NP1()) * (b2.R_NB * m.port_2.R_BP); });
  Once lever_2([&] { return b2.R_NB * m.port_2.r_PB_B; });
  Once r([&] {
    const Vec3<T> r_N = (b2.r_BN_N - b1.r_BN_N) + lever_2() - b1.R_NB * m.port_1.r_PB_B;
    return transposed_times(R_NP1(), r_N);
  });
  Once v([&] {
    const Vec3<T> v_N =
        b2.velocity_at(lever_2()) - b1.velocity_at((b2.r_BN_N - b1.r_BN_N) + lever_2());
    return transposed_times(R_NP1(), v_N);
  });
  Once q([&] { return quaternion(m.mating ? R_12() * face_to_face<T>() : R_12()); });
  emit("position", unit::metre, "P1", "of the second frame in the first", smooth, needs,
       [&] { return r(); });
  emit("velocity", unit::m_per_s, "P1", "its rate, seen in the first", smooth, needs,
       [&] { return v(); });
  emit("distance", unit::metre, "", "between the frames", norm, needs,
       [&] { return berth::norm(r()); });
  emit("gap", unit::metre, "", "along the first frame's x axis", smooth, needs,
       [&] { return r().x; });
  emit("lateral", unit::metre, "", "across it", norm, needs,
       [&] { return find_size(r().y, r().z); });
  emit("quaternion", unit::none, "P1",
       m.mating ? "attitude of the second port in the first, from the mated one"
                : "attitude of the second frame in the first",
       smooth, needs, [&] { return q(); });
  emit("angle", unit::rad, "",
       m.mating ? "of the rotation from the mated attitude" : "of the rotation between the frames",
       norm, needs, [&] { return berth::norm(rotation_vector(q())); });
  emit("closing", unit::m_per_s, "", "how fast the gap closes", smooth, needs,
       [&] { return -v().x; });
  emit("lateral_speed", unit::m_per_s, "", "across the first frame's x axis", norm, needs,
       [&] { return find_size(v().y, v().z); });
  emit("speed", unit::m_per_s, "", "of the second frame in the first", norm, needs,
       [&] { return berth::norm(v()); });
  // Of frames that are to face each other as mated ports do: x antiparallel, z parallel.
  emit("tilt", unit::rad, "", "between the x axis of one and minus that of the other", norm, needs,
       [&] { return atan2(find_size(R_12().yx, R_12().zx), -R_12().xx); });
  emit("roll", unit::rad, "", "of the second about the first's x axis, from mated", smooth, needs,
       [&] { return atan2(-R_12().yz, R_12().zz); });
  emit("rate", unit::rad_per_s, "", "of turning against each other", norm, needs,
       [&] { return berth::norm(b2.omega_BN_N - b1.omega_BN_N); });
}

// The force on the first member, and where and how they touch.
template <Scalar T, class Emit>
void walk_contact(int k, const System<T>& system, std::span<const T> x, const Workspace<T>& w,
                  Emit&& emit) {
  using enum Kind;
  using enum Needs;
  const Contact<T>& c = system.contacts[static_cast<std::size_t>(k)];
  const ContactMotion<T>& m = w.contacts[static_cast<std::size_t>(k)];
  const BodyMotion<T>& b2 = w.motion.body(c.port_2.body);
  const auto state = [&](int i) {
    return x[static_cast<std::size_t>(w.layout.contacts + c.first_state + i)];
  };
  // What is left of an impact is the load of a probe at rest, which multipliers know.
  const Needs force = c.is_impact() ? loads : motion;
  emit("gap", unit::metre, "", "between probe and surface, positive when free", smooth, idle,
       [&] { return m.gap; });
  emit(
      "penetration", unit::metre, "", "of the probe into the surface", clipped, idle,
      [&] { return select(-m.gap < 0.0, T(0.0), -m.gap); }, [&] { return -m.gap; });
  emit("penetration_rate", unit::m_per_s, "", "positive inwards", smooth, idle,
       [&] { return -m.gap_rate; });
  emit("slip", unit::m_per_s, "", "speed along the surface", norm, idle,
       [&] { return berth::norm(m.slip_N); });
  emit("force_N", unit::newton, "N", "on the first member", smooth, force,
       [&] { return m.force_N(); });
  emit("force", unit::newton, "", "size of the force", norm, force,
       [&] { return berth::norm(m.force_N()); });
  emit("normal_force", unit::newton, "", "along the normal into the wall, as measured", smooth,
       force, [&] { return m.signal.normal; });
  emit("friction_force", unit::newton, "", "size of the friction", norm, force,
       [&] { return berth::norm(m.friction_N); });
  emit("point_T", unit::metre, "T", "contact point from the second body's c.m., its axes", smooth,
       idle, [&] { return transposed_times(b2.R_NB, m.lever_2 - b2.r_CB_N); });
  emit("normal_work", unit::joule, "", "of the normal force on both", smooth, motion,
       [&] { return state(0); });
  emit("friction_work", unit::joule, "", "of friction on both", smooth, motion,
       [&] { return state(1); });
  emit("energy", unit::joule, "", "given to the bodies so far: below zero the contact is passive",
       smooth, motion, [&] { return state(0) + state(1); });
  emit("touching", unit::none, "", "1 while the contact is active", flag, motion,
       [&] { return T(m.touching ? 1.0 : 0.0); });
}

}  // namespace berth::channel_walk
