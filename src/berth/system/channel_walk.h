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
#include "berth/system/pair_channels.h"
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
  const auto a = [&] { return find_acceleration(system.model, w.motion, w.articulated, i); };
  Once frame([&] { return Frame<T>(system, x, w.layout); });
  const auto rho = [&] { return m.r_BN_N + frame().r_CO; };
  const auto rho_dot = [&] { return m.v_BN_N + frame().v_CO; };
  const auto rho_ddot = [&] { return a().linear + frame().find_a_CO(system); };
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
         [&] { return transposed_times(m.R_NB, a().angular); });
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

// An `emit` of walk_owner: writes every number, one after the other.
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
