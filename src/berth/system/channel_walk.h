// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every channel there is, owner by owner.
//
//   list_owners(system)                     orbit, bodies, components, forces, sensors,
//                                           controllers, docks,
//                                           measures, contacts, the ledger: in this order, always
//   walk_owner(owner, system, x, w, emit)   calls for each channel of one owner
//
//     emit(quantity, unit, frame, description, Kind, Needs, value)
//     emit(quantity, unit, frame, description, Kind::clipped, Needs, value, value_before_the_cut)
//
// `quantity` is text or a function that makes it, `value` a function. Nothing is computed before a
// value is asked for, and what several channels of an owner share is computed once.

#include <cmath>
#include <type_traits>

#include "berth/system/docks.h"
#include "berth/system/ledger.h"
#include "berth/system/system.h"

namespace berth {

struct Owner {
  enum class Group : unsigned char {
    orbit,
    body,
    component,
    force,
    sensor,
    control,
    dock,
    measure,
    contact,
    ledger
  };
  Group group;
  int index;         // in its list
  std::string name;  // what its channels begin with
};

namespace channel_walk {

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

// Where the frame is: positions are counted from O and, in an orbit, from the Earth's centre too.
template <Scalar T>
struct Frame {
  Vec3<T> r_OE{}, v_OE{}, r_CO{}, v_CO{};

  Frame() = default;
  Frame(const System<T>& system, std::span<const T> x, const Layout& at) {
    if (!system.in_orbit) return;
    r_OE = vector_in(x, at.orbit);
    v_OE = vector_in(x, at.orbit + 3);
    r_CO = vector_in(x, at.orbit + 6);
    v_CO = vector_in(x, at.orbit + 9);
  }
  // Of O from the Earth's centre, and of C from O.
  Vec3<T> find_a_OE(const System<T>& system) const {
    return system.in_orbit ? system.gravity().acceleration(r_OE) : Vec3<T>{};
  }
  Vec3<T> find_a_CO(const System<T>& system) const {
    if (!system.in_orbit) return {};
    return system.gravity().tidal(system.gravity().find_field(r_OE), r_CO);
  }
};

template <Scalar T, class Emit>
void walk_orbit(std::span<const T> x, const Workspace<T>& w, Emit&& emit) {
  using enum Kind;
  const int at = w.layout.orbit;
  emit("r_OE_N", unit::metre, "N", "reference orbit, position", smooth, Needs::motion,
       [&] { return vector_in(x, at); });
  emit("v_OE_N", unit::m_per_s, "N", "reference orbit, velocity", smooth, Needs::motion,
       [&] { return vector_in(x, at + 3); });
}

template <Scalar T, class Emit>
void walk_body(int i, const System<T>& system, std::span<const T> x, const Workspace<T>& w,
               Emit&& emit) {
  using enum Kind;
  using enum Needs;
  const Body<T>& b = system.model.body(i);
  const BodyMotion<T>& m = w.motion.body(i);
  const Motion6<T>& a = w.articulated.bodies[static_cast<std::size_t>(i)].a;
  Once frame([&] { return Frame<T>(system, x, w.layout); });
  const auto rho = [&] { return m.r_BN_N + frame().r_CO; };
  const auto rho_dot = [&] { return m.v_BN_N + frame().v_CO; };
  const auto rho_ddot = [&] { return a.linear + frame().find_a_CO(system); };
  const auto q = [&](int k) { return w.motion.q[static_cast<std::size_t>(b.q + k)]; };
  const auto v = [&](int k) { return w.motion.v[static_cast<std::size_t>(b.v + k)]; };
  const auto omega_B = [&] { return transposed_times(m.R_NB, m.omega_BN_N); };

  emit("rho_BO_N", unit::metre, "N", "position from the reference point", smooth, motion, rho);
  emit("quaternion_BN", unit::none, "", "attitude, scalar first", smooth, motion,
       [&] { return quaternion(m.R_NB); });
  if (b.hub) {
    emit("rhodot_BO_N", unit::m_per_s, "N", "velocity from the reference point", smooth, motion,
         rho_dot);
    emit("r_BN_N", unit::metre, "N", "position", smooth, motion,
         [&] { return frame().r_OE + rho(); });
    emit("v_BN_N", unit::m_per_s, "N", "velocity", smooth, motion,
         [&] { return frame().v_OE + rho_dot(); });
    emit("sigma_BN", unit::none, "", "attitude, MRP", smooth, motion,
         [&] { return mrp(quaternion(m.R_NB)); });
    emit("omega_BN_B", unit::rad_per_s, "B", "angular velocity", smooth, motion, omega_B);
    emit("rate", unit::rad_per_s, "", "size of the angular velocity", norm, motion,
         [&] { return berth::norm(omega_B()); });
    // The body's own a, not v̇ of its hub: a welded hub has no speeds.
    emit("rhoddot_BO_N", unit::m_per_s2, "N", "acceleration from the reference point", smooth,
         loads, rho_ddot);
    emit("a_BN_N", unit::m_per_s2, "N", "acceleration", smooth, loads,
         [&] { return frame().find_a_OE(system) + rho_ddot(); });
    emit("alpha_BN_B", unit::rad_per_s2, "B", "angular acceleration", smooth, loads,
         [&] { return transposed_times(m.R_NB, a.angular); });
  } else if (shape(b.joint).speeds == 1) {
    const bool turns = b.joint == JointType::revolute;
    const auto speed = static_cast<std::size_t>(b.v);
    emit(turns ? "angle" : "travel", turns ? unit::rad : unit::metre, "", "joint coordinate",
         smooth, motion, [&] { return q(0); });
    emit(turns ? "rate" : "speed", turns ? unit::rad_per_s : unit::m_per_s, "", "joint speed",
         smooth, motion, [&] { return v(0); });
    emit("acceleration", turns ? unit::rad_per_s2 : unit::m_per_s2, "", "rate of the joint speed",
         smooth, loads, [&] { return w.v_dot[speed]; });
    emit("effort", turns ? unit::N_m : unit::newton, "",
         "all that acts along the joint: springs, friction, motor", smooth, loads,
         [&] { return w.total.tau[speed]; });
  } else if (b.joint == JointType::spherical) {
    emit("omega_BF_B", unit::rad_per_s, "B", "angular velocity across the joint", smooth, motion,
         [&] {
           return Vec3<T>{v(0), v(1), v(2)};
         });
  } else if (b.joint == JointType::planar) {
    emit("pose", unit::none, "F", "x [m], y [m], angle [rad] in the plane", smooth, motion, [&] {
      return Vec3<T>{q(0), q(1), q(2)};
    });
  }
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

// What a sensor has read last, and whether its last sample gave anything.
template <class Sensor, Scalar T, class Emit>
void walk_sensor(const Sensor& sensor, const T* readings, Emit&& emit) {
  const std::string axes = sensor.axes_name();
  const T* at = readings;
  for (const Reading& r : Sensor::readings) {
    if (r.size == 3) {
      emit(r.name, r.unit, axes, r.about, Kind::smooth, Needs::loads, [at] {
        return Vec3<T>{at[0], at[1], at[2]};
      });
    } else {
      emit(r.name, r.unit, "", r.about, Kind::smooth, Needs::loads, [at] { return at[0]; });
    }
    at += r.size;
  }
  emit("valid", unit::none, "", "1 while the last sample gave a reading", Kind::flag, Needs::loads,
       [at] { return at[0]; });
}

template <Scalar T, class Emit>
void walk_ledger(const System<T>& system, std::span<const T> x, const Workspace<T>& w,
                 Emit&& emit) {
  constexpr Kind kind = Kind::smooth;
  constexpr Needs needs = Needs::motion;
  constexpr Unit p_unit{"kg·m/s", 1, 1, -1}, h_unit{"kg·m²/s", 1, 2, -1};
  Once b([&] { return find_balance(system, x, w); });
  emit("kinetic_energy", unit::joule, "", "of all bodies, seen from O", kind, needs,
       [&] { return b().kinetic; });
  emit("potential_energy", unit::joule, "", "in springs", kind, needs,
       [&] { return b().potential; });
  emit("energy_in", unit::joule, "", "work of motors and loads from outside", kind, needs,
       [&] { return b().supplied; });
  emit("energy_lost", unit::joule, "", "turned into heat", kind, needs, [&] { return b().lost; });
  emit("energy_balance", unit::joule, "", "kinetic + potential − in + lost: constant", kind, needs,
       [&] { return b().kinetic + b().potential - b().supplied + b().lost; });
  emit("linear_momentum", p_unit, "N", "of all bodies, seen from O", kind, needs,
       [&] { return b().linear; });
  emit("angular_momentum", h_unit, "N", "of all bodies, about O", kind, needs,
       [&] { return b().angular; });
  emit("impulse", unit::N_s, "N", "of loads from outside", kind, needs,
       [&] { return b().impulse; });
  emit("angular_impulse", unit::N_m_s, "N", "of loads from outside, about O", kind, needs,
       [&] { return b().angular_impulse; });
}

// How many numbers a value has, and each of them.
template <class V>
inline constexpr int kWidth = 1;
template <Scalar T>
inline constexpr int kWidth<Vec3<T>> = 3;
template <Scalar T>
inline constexpr int kWidth<Quaternion<T>> = 4;
template <class F>
using ValueOf = std::remove_cvref_t<std::invoke_result_t<const F&>>;

template <Scalar T>
const T& component(const T& v, int) {
  return v;
}
template <Scalar T>
const T& component(const Vec3<T>& v, int k) {
  return v[k];
}
template <Scalar T>
const T& component(const Quaternion<T>& q, int k) {
  const T* const all[] = {&q.w, &q.x, &q.y, &q.z};
  return *all[k];
}

}  // namespace channel_walk

// ReportedContact to walk_owner: writes every number, one after the other.
template <Scalar T>
struct ChannelWriter {
  T* out;

  template <class Quantity, class Value, class... Uncut>
  void operator()(const Quantity&, const Unit&, std::string_view, std::string_view, Kind, Needs,
                  const Value& value, const Uncut&...) {
    using namespace channel_walk;
    const ValueOf<Value> v = value();
    for (int k = 0; k < kWidth<ValueOf<Value>>; ++k) *out++ = component(v, k);
  }
};

std::vector<Owner> list_owners(const System<double>& system);

template <Scalar T, class Emit>
void walk_owner(const Owner& owner, const System<T>& system, std::span<const T> x,
                const Workspace<T>& w, Emit&& emit) {
  using namespace channel_walk;
  const int i = owner.index;
  const auto at = static_cast<std::size_t>(i);
  // The part of this index; of controllers with their outputs.
  const Instant<T> now{system.model, w.motion, w.command, w.readings.data()};
  int part_index = 0, output = 0;
  const auto ask = [&](const auto& part) {
    if (part_index++ == i) part.channels(now, emit);
  };
  const auto ask_control = [&](const auto& part) {
    if (part_index++ == i) part.channels(now, w.outputs.data() + output, emit);
    output += part.output_count();
  };
  int reading = 0;
  const auto ask_sensor = [&]<class Sensor>(const Sensor& part) {
    if (part_index++ == i) walk_sensor(part, w.readings.data() + reading, emit);
    reading += count_outputs<Sensor>();
  };
  switch (owner.group) {
    case Owner::Group::orbit: return walk_orbit(x, w, emit);
    case Owner::Group::body: return walk_body(i, system, x, w, emit);
    case Owner::Group::component: return for_each_part(system.components, ask);
    case Owner::Group::force: return for_each_part(system.forces, ask);
    case Owner::Group::sensor: return for_each_part(system.sensors, ask_sensor);
    case Owner::Group::control: return for_each_part(system.controls, ask_control);
    case Owner::Group::dock: return walk_dock(system.docks[at], w.docks[at], system.model, w, emit);
    case Owner::Group::measure:
      if (const Measure<T>& m = system.measures[at]; m.grasp_1 >= 0) {
        walk_grasps(m, system, w, emit);
      } else {
        walk_frames(m, w, emit);
      }
      return;
    case Owner::Group::contact: return walk_contact(i, system, x, w, emit);
    case Owner::Group::ledger: return walk_ledger(system, x, w, emit);
  }
}

}  // namespace berth
