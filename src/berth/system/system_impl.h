// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/system/contacts_impl.h"
#include "berth/system/docks_impl.h"
#include "berth/system/jumps_impl.h"
#include "berth/system/ledger_impl.h"
#include "berth/system/reduced_impl.h"
#include "berth/system/rests_impl.h"
#include "berth/system/system.h"

namespace berth {

// Controllers that want accelerations, to be turned into efforts here.
template <class P>
inline constexpr bool prescribes = P::prescribes_accelerations;

template <Scalar T>
Layout System<T>::layout() const {
  Layout at;
  at.v = model.coordinate_count();
  at.z = at.v + model.speed_count();
  at.docks = at.z;
  for_each_part(controls, [&](const auto& c) { at.docks += c.state_count(); });
  for_each_part(sensors, [&](const auto& s) { at.docks += s.state_count(); });
  at.contacts = at.docks;
  for (const Dock<T>& d : docks)
    if (d.first_state >= 0) at.contacts += d.row_count();
  at.orbit = at.contacts;
  for (const Contact<T>& c : contacts) at.orbit += c.state_count();
  at.ledger = at.orbit + (in_orbit ? kOrbitStates : 0);
  at.size = at.ledger + kLedgerStates;
  return at;
}

template <Scalar T>
Dock<T>& System<T>::add_dock(Dock<T> dock) {
  if (dock.integrates && dock.enforce == Enforce::penalty) {
    dock.first_state = 0;
    for (const Dock<T>& d : docks)
      if (d.first_state >= 0) dock.first_state += d.row_count();
  }
  if (dock.engaged && dock.enforce == Enforce::fused) weld(model, dock);
  docks.push_back(std::move(dock));
  return docks.back();
}

template <Scalar T>
Workspace<T>::Workspace(const System<T>& system) : layout(system.layout()) {
  const Model<T>& model = system.model;
  const auto bodies = static_cast<std::size_t>(model.body_count());
  const auto speeds = static_cast<std::size_t>(model.speed_count());
  motion.bodies.resize(bodies);
  internal.resize(model);
  external.resize(model);
  total.resize(model);
  articulated.resize(model);
  command.joint.assign(speeds, T(0.0));
  command.loads.assign(bodies, Wrench<T>{});
  const auto& sets = std::get<std::vector<ThrusterSet<T>>>(system.forces);
  command.thrusters.resize(sets.size());
  std::size_t levels = 0;
  for (const ThrusterSet<T>& s : sets) levels += s.thruster.size();
  command.levels.assign(levels, T(0.0));
  bool asks_levels = false;
  for_each_part(system.controls, [&](const auto& c) { asks_levels |= c.asks_levels(); });
  if (asks_levels) command.asked.assign(levels, T(0.0));
  std::size_t outputs_size = 0;
  for_each_part(system.controls,
                [&](const auto& c) { outputs_size += static_cast<std::size_t>(c.output_count()); });
  outputs.assign(outputs_size, T(0.0));
  std::size_t readings_size = 0;
  for_each_part(system.sensors, [&]<class Sensor>(const Sensor&) {
    readings_size += static_cast<std::size_t>(count_outputs<Sensor>());
  });
  readings.assign(readings_size, T(0.0));
  v_dot.assign(speeds, T(0.0));
  prescribed.is.assign(bodies, 0);
  prescribed.acceleration.assign(bodies, T(0.0));
  for_each_part(system.controls, [&](const auto& c) {
    pushes_from_outside = pushes_from_outside || c.pushes_from_outside();
  });
  computes_torque = !std::get<std::vector<ComputedTorque<T>>>(system.controls).empty();
  contacts.resize(system.contacts.size());
  arriving.resize(system.contacts.size());
  docks.resize(system.docks.size());
  rests.resize(system.rests.size());
  if (docks.empty() && rests.empty()) return;
  response.resize(model);
  const std::size_t rows = docks.size() * kMostRows + rests.size() * Rest<T>::most_rows;
  multipliers.S.assign(rows * rows, T(0.0));
  multipliers.lambda.assign(rows, T(0.0));
  if (std::any_of(system.rests.begin(), system.rests.end(),
                  [](const Rest<T>& r) { return r.rough; })) {
    multipliers.QR.assign(rows * (rows + 1), T(0.0));
    multipliers.diagonal.assign(rows, T(0.0));
  }
  if (std::none_of(system.docks.begin(), system.docks.end(),
                   [](const Dock<T>& d) { return d.enforce == Enforce::reduced; }))
    return;
  reduced.composite.resize(bodies);
  reduced.M.assign(speeds * speeds, T(0.0));
  reduced.C.assign(rows * (speeds + 1), T(0.0));
  reduced.diagonal.assign(rows, T(0.0));
  reduced.W.assign(rows * (speeds + 1), T(0.0));
  reduced.G.assign(speeds * speeds, T(0.0));
  reduced.delta.assign(speeds, T(0.0));
}

template <Scalar T>
std::vector<T> find_initial_state(const System<T>& system) {
  const Layout at = system.layout();
  std::vector<T> x(static_cast<std::size_t>(at.size), T(0.0));
  std::copy(system.model.q0.begin(), system.model.q0.end(), x.begin());
  std::copy(system.model.v0.begin(), system.model.v0.end(), x.begin() + at.v);
  for (const Dock<T>& d : system.docks)
    if (d.first_state >= 0)
      std::copy_n(d.integral_0.begin(), d.row_count(), x.begin() + at.docks + d.first_state);
  start_contacts(system, std::span<T>(x));
  if (system.in_orbit) {
    write_vector(x.data() + at.orbit, system.r_OE_N);
    write_vector(x.data() + at.orbit + 3, system.v_OE_N);
  }
  return x;
}

template <Scalar T>
void motion_stage(const System<T>& system, std::type_identity_t<T> t, std::span<const T> x,
                  const Mode<T>& mode, Workspace<T>& w) {
  const Layout& at = w.layout;
  w.motion.t = t;
  w.motion.t_from = mode.t_from;
  find_motion(system.model, x.subspan(0, static_cast<std::size_t>(at.v)),
              x.subspan(static_cast<std::size_t>(at.v), static_cast<std::size_t>(at.z - at.v)),
              w.motion);
  if (system.in_orbit) {
    const T* o = x.data() + at.orbit;
    const Vec3<T> r = vector_at(o), v = vector_at(o + 3);
    const Vec3<T> radial = normalised(r), h = cross(r, v), normal = normalised(h);
    w.motion.orbit.exists = true;
    w.motion.orbit.r_NE_N = r + vector_at(o + 6);
    w.motion.orbit.R_NH = Mat3<T>::columns(radial, cross(normal, radial), normal);
    w.motion.orbit.omega_HN_N = (1.0 / norm_squared(r)) * h;
  }
  closure_stage(system, x, mode, w);
  contact_stage(system, x, mode, w);
}

template <Scalar T>
void idle_dock_stage(const System<T>& system, std::span<const T> x, Workspace<T>& w) {
  if (w.sees_idle) return;
  for (std::size_t k = 0; k < system.docks.size(); ++k)
    if (!system.docks[k].engaged) find_dock_motion(system, x, k, w);
}

template <Scalar T>
void idle_contact_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                        Workspace<T>& w) {
  if (w.sees_idle) return;
  for (std::size_t k = 0; k < system.contacts.size(); ++k)
    if (is_idle(system.contacts[k], mode.contacts[k])) find_contact(system, x, mode, k, w);
}

// Sampled sensors hold what they read last; continuous ones read now.
template <Scalar T>
BERTH_INLINE void read_sensors(const System<T>& system, const Mode<T>& mode, Workspace<T>& w) {
  const Instant<T> now{system.model, w.motion, w.command, w.readings.data()};
  const auto held = mode.held.begin() + static_cast<std::ptrdiff_t>(w.outputs.size());
  for_each_sensor(system, w.layout, [&]<class Sensor>(const Sensor& s, int first, int) {
    T* const out = w.readings.data() + first;
    if (s.sample_time > 0) {
      std::copy_n(held + first, count_outputs<Sensor>(), out);
    } else if (s.enabled) {
      s.measure(now, out);
      out[count_numbers<Sensor>()] = T(1.0);
    } else {
      std::fill_n(out, count_outputs<Sensor>(), T(0.0));
    }
  });
}

// Loads of all elements for the commands as they stand.
template <Scalar T>
void effort_stage(const System<T>& system, Workspace<T>& w) {
  const Instant<T> now{system.model, w.motion, w.command, w.readings.data()};
  w.internal.clear();
  w.external.clear();
  const auto push = [&](const auto& part) {
    using P = std::remove_cvref_t<decltype(part)>;
    if (!part.enabled) return;
    if constexpr (Pushes<P, T>) part.add_effort(now, is_external<P>() ? w.external : w.internal);
  };
  for_each_part(system.components, push);
  for_each_part(system.forces, push);
  push_docks(system, w);
  push_contacts(system, w);
  // A joint without a motor of its own obeys its command exactly.
  for (int i = 1; i < system.model.body_count(); ++i) {
    const Body<T>& b = system.model.body(i);
    if (shape(b.joint).speeds == 1 && !b.motor) w.internal.joint(b.v) += now.commanded(b.v);
  }
  for (std::size_t i = 0; w.pushes_from_outside && i < w.command.loads.size(); ++i) {
    const Mat3<T>& R_NB = w.motion.bodies[i].R_NB;
    const Wrench<T>& load = w.command.loads[i];
    w.external.wrenches[i] += Wrench<T>{R_NB * load.torque, R_NB * load.force};
  }
  for (std::size_t i = 0; i < w.total.wrenches.size(); ++i)
    w.total.wrenches[i] = w.internal.wrenches[i] + w.external.wrenches[i];
  w.total.tau = w.internal.tau;
}

// Turns the wanted accelerations of computed-torque controllers into motor efforts: one recursion
// with those joints prescribed and every other load acting. What a sampled one of them said last is
// taken out of the command first: its new value replaces the old, it does not add to it.
template <Scalar T, class Wants>
void solve_prescribed_efforts(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                              Wants&& wants) {
  const Model<T>& model = system.model;
  const Instant<T> now{model, w.motion, w.command, w.readings.data()};
  const auto body_of = [&](int speed) {
    for (int i = 1; i < model.body_count(); ++i)
      if (model.body(i).v == speed && shape(model.body(i).joint).speeds == 1) return i;
    return -1;
  };
  std::fill(w.prescribed.is.begin(), w.prescribed.is.end(), 0);
  for_each_control(system, w.layout, [&](const auto& c, int output, int) {
    if constexpr (prescribes<std::remove_cvref_t<decltype(c)>>) {
      if (!c.enabled || !wants(c)) return;
      T* out = w.outputs.data() + output;
      c.find_accelerations(now, out);
      for (std::size_t i = 0; i < c.driven.at.size(); ++i) {
        const auto b = static_cast<std::size_t>(body_of(c.driven.at[i].v));
        w.prescribed.is[b] = 1;
        w.prescribed.acceleration[b] = out[i];
        if (c.sample_time > 0)
          w.command.joint[static_cast<std::size_t>(c.driven.at[i].v)] -=
              mode.held[static_cast<std::size_t>(output) + i];
      }
    }
  });
  effort_stage(system, w);
  solve_accelerations<T>(model, w.motion, w.total, w.articulated, w.v_dot, &w.prescribed);
  solve_multipliers<T>(system, mode, w, w.v_dot, true);
  for_each_control(system, w.layout, [&](const auto& c, int output, int) {
    if constexpr (prescribes<std::remove_cvref_t<decltype(c)>>) {
      if (!c.enabled || !wants(c)) return;
      for (std::size_t i = 0; i < c.driven.at.size(); ++i) {
        const int b = body_of(c.driven.at[i].v);
        const Wrench<T> load = find_joint_wrench(model, w.motion, w.articulated, b);
        const Vec3<T>& a = w.motion.body(b).axis_N;
        const bool turns = model.body(b).joint == JointType::revolute;
        w.outputs[static_cast<std::size_t>(output) + i] =
            dot(a, turns ? load.torque : load.force) -
            w.total.tau[static_cast<std::size_t>(c.driven.at[i].v)];
      }
    }
  });
}

template <Scalar T>
void find_outputs(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                  Workspace<T>& w) {
  command_stage(system, x, mode, w);
  const Instant<T> now{system.model, w.motion, w.command, w.readings.data()};
  if (w.computes_torque)
    solve_prescribed_efforts(system, mode, w, [](const auto&) { return true; });
  for_each_control(system, w.layout, [&](const auto& c, int output, int state) {
    if constexpr (!prescribes<std::remove_cvref_t<decltype(c)>>)
      c.find_output(now, x.data() + state, w.outputs.data() + output);
  });
}

template <Scalar T>
void command_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                   Workspace<T>& w) {
  const Instant<T> now{system.model, w.motion, w.command, w.readings.data()};
  w.command.clear();
  read_sensors(system, mode, w);

  // Sampled controllers hold what they said last; continuous ones speak now.
  for_each_control(system, w.layout, [&](const auto& c, int output, int state) {
    if (!c.enabled) {
      std::fill_n(w.outputs.begin() + output, c.output_count(), T(0.0));
      return;
    }
    if (c.sample_time > 0) {
      std::copy_n(mode.held.begin() + output, c.output_count(), w.outputs.begin() + output);
      c.apply(mode.held.data() + output, w.command);
    } else if constexpr (!prescribes<std::remove_cvref_t<decltype(c)>>) {
      T* out = w.outputs.data() + output;
      c.find_output(now, x.data() + state, out);
      c.apply(out, w.command);
    }
  });

  // Thruster sets turn the wrench asked of them into levels, or keep their valves as they are.
  const auto& sets = std::get<std::vector<ThrusterSet<T>>>(system.forces);
  for (std::size_t k = 0; k < sets.size(); ++k) {
    T* levels = w.command.levels.data() + sets[k].first_level;
    if (sets[k].sample_time > 0) {
      for (std::size_t i = 0; i < sets[k].thruster.size(); ++i)
        levels[i] = mode.levels[static_cast<std::size_t>(sets[k].first_level) + i];
    } else {
      sets[k].find_levels(w.command.thrusters[k], levels);
      if (!w.command.asked.empty())
        sets[k].add_levels(w.command.asked.data() + sets[k].first_level, levels);
    }
    sets[k].hold_stuck(levels);
  }

  if (!w.computes_torque) return;
  const auto continuous = [](const auto& c) { return !(c.sample_time > 0); };
  solve_prescribed_efforts(system, mode, w, continuous);
  for_each_control(system, w.layout, [&](const auto& c, int output, int) {
    if constexpr (prescribes<std::remove_cvref_t<decltype(c)>>)
      if (c.enabled && continuous(c)) c.apply(w.outputs.data() + output, w.command);
  });
}

template <Scalar T>
void acceleration_stage(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                        std::span<T> v_dot, bool with_loads) {
  solve_accelerations<T>(system.model, w.motion, w.total, w.articulated, v_dot);
  if (mode.speeds.empty()) {
    solve_multipliers<T>(system, mode, w, v_dot);
  } else {
    solve_reduced<T>(system, mode, w, v_dot, with_loads);
  }
}

template <Scalar T>
void find_state_rates(const System<T>& system, std::span<const T> x, const Workspace<T>& w,
                      std::span<T> x_dot) {
  const Layout& at = w.layout;
  const Instant<T> now{system.model, w.motion, w.command, w.readings.data()};
  for_each_control(system, at, [&](const auto& c, int, int state) {
    T* z_dot = x_dot.data() + state;
    if (c.sample_time > 0 || !c.enabled) {
      for (int k = 0; k < c.state_count(); ++k) z_dot[k] = T(0.0);
    } else {
      c.find_state_rate(now, x.data() + state, z_dot);
    }
  });
  for_each_sensor(system, at, [&](const auto& s, int, int state) {
    for (int k = 0; k < s.state_count(); ++k) x_dot[static_cast<std::size_t>(state + k)] = T(0.0);
  });

  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<T>& dock = system.docks[k];
    if (dock.first_state < 0) continue;
    const bool runs = dock.engaged && dock.enforce == Enforce::penalty;
    T* out = x_dot.data() + at.docks + dock.first_state;
    for (int r = 0; r < dock.row_count(); ++r)
      out[r] = runs ? w.docks[k].rows.row[static_cast<std::size_t>(r)].violation : T(0.0);
  }

  find_contact_rates(system, x, w, x_dot.data() + at.contacts);

  Vec3<T> a_CO_N{};
  if (system.in_orbit) {
    const OrbitalGravity<T>& g = system.gravity();
    const T* o = x.data() + at.orbit;
    T* o_dot = x_dot.data() + at.orbit;
    const Vec3<T> r_OE = vector_at(o);
    a_CO_N = g.tidal(g.find_field(r_OE), vector_at(o + 6));
    write_vector(o_dot, vector_at(o + 3));
    write_vector(o_dot + 3, g.acceleration(r_OE));
    write_vector(o_dot + 6, vector_at(o + 9));
    write_vector(o_dot + 9, a_CO_N);
  }
  find_ledger_rates(system, x, w, a_CO_N, x_dot.data() + at.ledger);
}

template <Scalar T>
void find_derivative(const System<T>& system, std::type_identity_t<T> t, std::span<const T> x,
                     const Mode<T>& mode, Workspace<T>& w, std::span<T> x_dot) {
  const Layout& at = w.layout;
  motion_stage(system, t, x, mode, w);
  command_stage(system, x, mode, w);
  effort_stage(system, w);

  const auto nv = static_cast<std::size_t>(at.z - at.v);
  find_rates(system.model, w.motion.q, w.motion.v,
             x_dot.subspan(0, static_cast<std::size_t>(at.v)));
  // The ledgers need the loads only where the ground takes some.
  acceleration_stage<T>(system, mode, w, x_dot.subspan(static_cast<std::size_t>(at.v), nv),
                        mode.grounded || w.sees_loads);

  find_state_rates<T>(system, x, w, x_dot);
}

template <Scalar T>
void recentre(const System<T>& system, const Vec3<T>& shift_N, const Vec3<T>& shift_rate_N,
              std::span<T> x) {
  const Layout at = system.layout();
  for (const Body<T>& b : system.model.bodies) {
    if (b.joint != JointType::free) continue;
    T* q = x.data() + at.q + b.q;
    T* v = x.data() + at.v + b.v;
    write_vector(q, vector_at(q) - shift_N);
    write_vector(v, vector_at(v) - shift_rate_N);
  }
  T* o = x.data() + at.orbit;
  write_vector(o + 6, vector_at(o + 6) + shift_N);
  write_vector(o + 9, vector_at(o + 9) + shift_rate_N);
}

}  // namespace berth
