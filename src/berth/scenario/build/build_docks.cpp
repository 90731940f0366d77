// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build/build_docks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "berth/system/docks.h"
#include "berth/system/mass_properties.h"

namespace berth {
namespace {

std::string owner_of(const std::string& port) { return port.substr(0, port.find('.')); }

const DockSpec* find_dock_to(const Scenario& s, const std::string& craft, const std::string& port) {
  for (const DockSpec& d : s.dock) {
    const auto& b = d.between;
    if (b.size() != 2) continue;
    for (std::size_t k = 0; k < 2; ++k)
      if (b[k].name == port && owner_of(b[1 - k].name) == craft) return &d;
  }
  return nullptr;
}

void place_one(const Dock<double>& dock, bool second_moves, Model<double>& model, int hub) {
  const Motion<double> motion = find_start(model);
  const Port<double>& p1 = dock.port_1;
  const Port<double>& p2 = dock.port_2;
  if (second_moves) {
    const BodyMotion<double>& b1 = motion.body(p1.body);
    const Mat3<double> R_N2 = b1.R_NB * dock.R_12;
    const Vec3<double> lever_1 = b1.R_NB * (p1.r_PB_B + dock.arm), lever_2 = R_N2 * p2.r_PB_B;
    const Vec3<double> v_P2 = b1.velocity_at(lever_1);
    place_hub(model, hub, p2.body, R_N2, b1.r_BN_N + lever_1 - lever_2, b1.omega_BN_N,
              v_P2 - cross(b1.omega_BN_N, lever_2));
  } else {
    const BodyMotion<double>& b2 = motion.body(p2.body);
    const Mat3<double> R_N1 = b2.R_NB * transpose(dock.R_12);
    const Vec3<double> lever_1 = R_N1 * (p1.r_PB_B + dock.arm), lever_2 = b2.R_NB * p2.r_PB_B;
    const Vec3<double> v_P2 = b2.velocity_at(lever_2);
    place_hub(model, hub, p1.body, R_N1, b2.r_BN_N + lever_2 - lever_1, b2.omega_BN_N,
              v_P2 - cross(b2.omega_BN_N, lever_1));
  }
}

// 1/(1/a + 1/b), where 0 stands for something that cannot be moved.
double find_reduced(double a, double b) {
  if (a == 0 || b == 0) return a + b;
  return a * b / (a + b);
}

// The masses the joint has between its craft.
void find_reduced_masses(const Model<double>& model, Dock<double>& dock) {
  const Motion<double> motion = find_start(model);
  double mass[2]{}, moment[2]{};
  int k = 0;
  for (int body : {dock.port_1.body, dock.port_2.body}) {
    const int root = model.root_of(body);
    if (root != kGround) {
      const MassProperties m = find_mass_properties(model, motion, root);
      mass[k] = m.mass;
      moment[k] = find_largest_moment(m.inertia_N);
    }
    ++k;
  }
  dock.reduced_mass = find_reduced(mass[0], mass[1]);
  dock.reduced_inertia = find_reduced(moment[0], moment[1]);
}

// Springs, dampers and integrals on ψ [m] and on ψ = 4σ [rad].
void set_gains(const DockSpec& o, Dock<double>& dock) {
  const double a = o.alpha, b = o.beta.value_or(o.alpha);
  dock.alpha = a;
  dock.beta = b;
  dock.integrates = o.law == PenaltyLaw::pid;
  const Gains gains = o.find_gains();
  switch (gains) {
    case Gains::alpha_beta:
      dock.force_gains = {a * a, 2 * b, a * a / 10};
      dock.torque_gains = {a * a / 400, 2 * b / 10, a * a / 4000};
      break;
    case Gains::normalised: {
      const double m = dock.reduced_mass, J = dock.reduced_inertia;
      dock.force_gains = {m * a * a, 2 * m * b, m * a * a * a / 10};
      dock.torque_gains = {J * a * a, 2 * J * b, J * a * a * a / 10};
      break;
    }
    case Gains::physical:
      dock.force_gains = {o.stiffness.value_or(0), o.damping.value_or(0), o.integral.value_or(0)};
      dock.torque_gains = {o.stiffness_rotation.value_or(0), o.damping_rotation.value_or(0),
                           o.integral_rotation.value_or(0)};
  }
  dock.warm = o.warm_start.value_or(gains != Gains::alpha_beta);
}

// f(spec, name of its table) for every dock, then every loop.
template <class F>
void for_each_joint(const Scenario& s, F&& f) {
  for (const DockSpec& spec : s.dock) f(spec, "dock");
  for (const DockSpec& spec : s.loop) f(spec, "loop");
}

std::string path_of(const Dock<double>& dock) {
  return (dock.loop ? "loop." : "dock.") + dock.name;
}

}  // namespace

Motion<double> find_start(const Model<double>& model) {
  Motion<double> motion;
  motion.bodies.resize(model.bodies.size());
  find_motion<double>(model, model.q0, model.v0, motion);
  return motion;
}

// With the hub at the origin and
// at rest, that body's motion is what it does against the hub.
void place_hub(Model<double>& model, int hub, int body, const Mat3<double>& R_NB,
               const Vec3<double>& r_BN_N, const Vec3<double>& omega_N, const Vec3<double>& v_N) {
  const Body<double>& b = model.body(hub);
  double* q = model.q0.data() + b.q;
  double* v = model.v0.data() + b.v;
  std::fill_n(q, 7, 0.0);
  std::fill_n(v, 6, 0.0);
  q[3] = 1;
  const BodyMotion<double> in_hub = find_start(model).body(body);
  const Mat3<double> R_NH = R_NB * transpose(in_hub.R_NB);
  const Vec3<double> r_BH_N = R_NH * in_hub.r_BN_N;
  const Vec3<double> omega_H = omega_N - R_NH * in_hub.omega_BN_N;
  const Vec3<double> r = r_BN_N - r_BH_N;
  const Vec3<double> rate = v_N - cross(omega_H, r_BH_N) - R_NH * in_hub.v_BN_N;
  const Quaternion<double> a = quaternion(R_NH);
  const Vec3<double> omega_B = transposed_times(R_NH, omega_H);
  for (int k = 0; k < 3; ++k) {
    q[k] = r[k];
    v[k] = rate[k];
    v[3 + k] = omega_B[k];
  }
  q[3] = a.w, q[4] = a.x, q[5] = a.y, q[6] = a.z;
}

Dock<double> begin_dock(const DockSpec& spec, const Ports& ports, bool is_loop) {
  const Port<double>&p1 = ports.find(spec.between[0].name)->second,
        &p2 = ports.find(spec.between[1].name)->second;
  Dock<double> dock;
  dock.name = spec.name;
  dock.port_1 = p1;
  dock.port_2 = p2;
  dock.constraint = spec.part;
  dock.arm =
      std::visit([&](auto& c) { return c.bind(spec.arm, p1.R_BP.column_x()); }, dock.constraint);
  dock.loop = is_loop;
  dock.R_12 = is_loop ? p1.R_BP * transpose(p2.R_BP) : mated_attitude(p1, p2);
  dock.enforce = spec.enforce;
  dock.engaged = spec.engaged.value_or(true);
  dock.projected = spec.projection;
  dock.gap = spec.gap;
  dock.gap_angle = spec.gap_angle;
  return dock;
}

void place_docked_craft(const Scenario& s, const Ports& ports, Model<double>& model,
                        Problems& problems) {
  std::set<std::string> waiting;
  for (const SpacecraftSpec& c : s.spacecraft)
    if (c.placement) waiting.insert(c.name);
  // Whoever hangs on a craft that has its place gets one too.
  for (bool moved = true; moved;) {
    moved = false;
    for (const SpacecraftSpec& c : s.spacecraft) {
      if (!waiting.contains(c.name)) continue;
      const std::string path = "spacecraft." + c.name + ".placement.docked_to";
      const std::string& to = c.placement->docked_to.name;
      const auto give_up = [&](std::string why) {
        problems.add(path, std::move(why));
        waiting.erase(c.name);
        moved = true;
      };
      const DockSpec* spec = find_dock_to(s, c.name, to);
      if (!spec) {
        give_up(fmt::format("no [[dock]] joins {} to {}", to, c.name));
        continue;
      }
      if (waiting.contains(owner_of(to)) && owner_of(to) != c.name) continue;
      const Dock<double> dock = begin_dock(*spec, ports, false);
      place_one(dock, owner_of(spec->between[1].name) == c.name, model, model.find_body(c.name));
      waiting.erase(c.name);
      moved = true;
    }
  }
  for (const std::string& name : waiting)
    problems.add("spacecraft." + name + ".placement",
                 "goes round in a circle: one craft of a docked group needs a state");
}

void add_docks(const Scenario& s, const Ports& ports, System<double>& system, Problems& problems) {
  for_each_joint(s, [&](const DockSpec& spec, const std::string& table) {
    const std::string path = table + "." + spec.name;
    const std::size_t before = problems.list.size();
    Dock<double> dock = begin_dock(spec, ports, table == "loop");
    if (spec.lock == Lock::current) {
      System<double> as_it_stands;
      as_it_stands.model = system.model;
      as_it_stands.docks = {dock};
      Workspace<double> w(as_it_stands);
      motion_stage<double>(as_it_stands, 0.0, find_initial_state(as_it_stands), idle_mode(w), w);
      lock_here(dock, w.docks.front().pair);
    }
    find_reduced_masses(system.model, dock);
    set_gains(spec, dock);
    try {
      // A dock that starts open would be closed by force when welded: checked before.
      if (dock.enforce == Enforce::fused && dock.engaged) {
        System<double> open;
        open.model = system.model;
        dock.enforce = Enforce::exact;
        open.add_dock(dock);
        check_docks(open, problems);
        dock.enforce = Enforce::fused;
        if (problems.list.size() > before) return;
      }
      system.add_dock(std::move(dock));
    } catch (const std::bad_alloc&) {
      throw;  // no fault of the scenario
    } catch (const std::exception& e) {
      problems.add(path, e.what());
    }
  });
}

void assemble_loops(System<double>& system, Problems& problems) {
  if (std::none_of(system.docks.begin(), system.docks.end(),
                   [](const Dock<double>& d) { return d.loop && d.has_multipliers(); }))
    return;
  constexpr double closed = 1e-9;  // [m, rad, m/s, rad/s]
  Workspace<double> w(system);
  Mode<double> mode = idle_mode(w);
  std::vector<double> x = find_initial_state(system);
  // The largest that is open, in position and speed.
  const auto find_open = [&](bool rates) {
    motion_stage<double>(system, 0.0, x, mode, w);
    double most = 0;
    for (std::size_t k = 0; k < system.docks.size(); ++k) {
      if (!system.docks[k].has_multipliers()) continue;
      for (int r = 0; r < w.docks[k].count; ++r) {
        const Row<double>& row = w.docks[k].rows.row[static_cast<std::size_t>(r)];
        most = std::max(most, std::fabs(rates ? row.rate : row.violation));
      }
    }
    return most;
  };
  if (!(find_open(false) <= closed)) {
    double before = INFINITY;
    for (int tries = 0; tries < 60; ++tries) {
      close_gap(system, 0.0, x, mode, w);
      const double open = find_open(false);
      if (open <= 1e-13 || (tries > 20 && open > 0.999 * before)) break;
      before = open;
    }
  }
  if (!(find_open(false) <= closed)) {
    for (std::size_t k = 0; k < system.docks.size(); ++k) {
      const Dock<double>& d = system.docks[k];
      const Violation<double> off = find_violation(d, w.docks[k]);
      if (!d.loop || !d.has_multipliers() || (off.position <= closed && off.attitude <= closed))
        continue;
      std::string rows;
      for (int r = 0; r < w.docks[k].count; ++r)
        rows += fmt::format("{}{:.3g} {}", r ? ", " : "",
                            w.docks[k].rows.row[static_cast<std::size_t>(r)].violation,
                            r < w.docks[k].forces ? "m" : "rad");
      problems.add(path_of(d),
                   fmt::format("cannot be closed from this start: {:.6g} m and {:.3g} rad are left "
                               "(rows {}); check lengths and first angles",
                               off.position, off.attitude, rows));
    }
    return;
  }
  if (find_open(true) > closed) stop_rates(system, 0.0, x, mode, w);
  std::copy_n(x.begin(), system.model.q0.size(), system.model.q0.begin());
  std::copy_n(x.begin() + w.layout.v, system.model.v0.size(), system.model.v0.begin());
}

void check_docks(const System<double>& system, Problems& problems) {
  constexpr double most = 1e-6;  // [m, rad, m/s, rad/s] that projection may take away unsaid
  Workspace<double> w(system);
  Mode<double> mode = idle_mode(w);
  const std::vector<double> x = find_initial_state(system);
  motion_stage<double>(system, 0.0, x, mode, w);
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<double>& dock = system.docks[k];
    if (!dock.has_multipliers()) continue;
    const Violation<double> off = find_violation(dock, w.docks[k]);
    double rate = 0;
    for (int r = 0; r < w.docks[k].count; ++r)
      rate = std::max(rate, std::fabs(w.docks[k].rows.row[static_cast<std::size_t>(r)].rate));
    const std::string advice =
        "place one craft with placement = { docked_to = \"…\" }, take it as it stands with lock = "
        "\"current\", or latch it by an event";
    if (off.position > most || off.attitude > most) {
      problems.add(path_of(dock),
                   fmt::format("its ports start {:.3g} m and {:.3g} rad from mated; {}",
                               off.position, off.attitude, advice));
    } else if (rate > most) {
      problems.add(
          path_of(dock),
          fmt::format("its ports start moving against each other by {:.3g} m/s or rad/s; {}", rate,
                      advice));
    }
  }
}

}  // namespace berth
