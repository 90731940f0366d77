// SPDX-License-Identifier: Apache-2.0
#include "berth/system/latch.h"

#include <algorithm>
#include <utility>

#include "berth/system/jumps.h"

namespace berth {
namespace {

std::size_t as_size(int i) { return static_cast<std::size_t>(i); }

// Coordinates and speeds of x.
std::span<double> coordinates(std::span<double> x, const Layout& at) {
  return x.first(as_size(at.v));
}
std::span<double> speeds(std::span<double> x, const Layout& at) {
  return x.subspan(as_size(at.v), as_size(at.z - at.v));
}

}  // namespace

Balance<double> find_balance_at(const System<double>& system, double t, std::span<const double> x,
                                const Mode<double>& mode, Workspace<double>& w) {
  motion_stage<double>(system, t, x, mode, w);
  command_stage<double>(system, x, mode, w);
  return find_balance<double>(system, x, w);
}

LatchResult latch(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                  Workspace<double>& w, int k, bool nominal) {
  LatchResult out;
  Dock<double>& dock = system.docks[as_size(k)];
  if (dock.engaged) return out;
  const Balance<double> before = find_balance_at(system, t, x, mode, w);
  out.off = find_violation(dock, w.docks[as_size(k)]);
  out.refused = nominal && (out.off.position > dock.gap || out.off.attitude > dock.gap_angle);
  if (out.refused) return out;
  out.joined = true;
  out.cannot_fuse = dock.enforce == Enforce::fused && find_weldable_hub(system.model, dock) < 0;
  if (out.cannot_fuse) dock.enforce = Enforce::exact;
  if (!nominal) lock_here(dock, w.docks[as_size(k)].pair);
  if (dock.first_state >= 0)
    std::fill_n(x.begin() + w.layout.docks + dock.first_state, dock.row_count(), 0.0);
  if (dock.enforce == Enforce::penalty) {
    // A spring that appears stretched brings its energy along.
    strike(system, t, x, mode, w, [&] { dock.engaged = true; });
  } else {
    dock.engaged = true;
    // Baumgarte and fused docks join like exact ones.
    const Enforce enforce = std::exchange(dock.enforce, Enforce::exact);
    std::vector<Wrench<double>> impulses;
    const Group<double> group = find_group(system, mode, k, w.motion);
    if (nominal) close_gap(system, t, x, mode, w);
    const double closed = find_balance_at(system, t, x, mode, w).kinetic;
    stop_rates(system, t, x, mode, w, &impulses);  // (1)
    out.impulse = impulses[as_size(k)];
    // Where a joint stands on the ground, the ground takes part of the impulse.
    const bool grounded = mode.grounded;
    out.energy_lost = closed - find_balance_at(system, t, x, mode, w).kinetic;
    // Closing the gap moved masses across their own velocities; the stack makes up for it.
    if (nominal)
      restore_momentum<double>(system, mode, k, group, w.motion, coordinates(x, w.layout),
                               speeds(x, w.layout));
    dock.enforce = enforce;
    if (enforce == Enforce::fused) weld(system.model, dock);
    const Balance<double> after = find_balance_at(system, t, x, mode, w);
    double* ledger = x.data() + w.layout.ledger;
    ledger[1] += (before.kinetic + before.potential) - (after.kinetic + after.potential);
    for (int i = 0; grounded && i < 3; ++i) {
      ledger[2 + i] += after.linear[i] - before.linear[i];
      ledger[5 + i] += after.angular[i] - before.angular[i];
    }
  }
  choose_rows(system, t, x, mode, w);
  return out;
}

ReleaseResult release(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                      Workspace<double>& w, int k) {
  ReleaseResult out;
  Dock<double>& dock = system.docks[as_size(k)];
  if (!dock.engaged) return out;
  motion_stage<double>(system, t, x, mode, w);
  out.released = true;
  out.energy_lost = find_energy(dock, w.docks[as_size(k)]);
  if (dock.enforce == Enforce::fused)
    cut(system.model, dock, w.motion, coordinates(x, w.layout), speeds(x, w.layout));
  dock.engaged = false;
  x[as_size(w.layout.ledger) + 1] += out.energy_lost;
  choose_rows(system, t, x, mode, w);
  return out;
}

void kick_joint(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                Workspace<double>& w, int body, double rate, bool add) {
  double& speed = x[as_size(w.layout.v + system.model.body(body).v)];
  strike(system, t, x, mode, w, [&] {
    speed = rate + (add ? speed : 0);
    stop_rates(system, t, x, mode, w);
  });
}

void strike_body(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                 Workspace<double>& w, int body, const Vec3<double>& impulse,
                 const Vec3<double>& point, const Vec3<double>& angular_impulse) {
  // An impulse is a force whose velocity-free acceleration is the jump of the speeds.
  strike(system, t, x, mode, w, [&] {
    Workspace<double> still(system);
    std::vector<double> rest(x.begin(), x.end());
    std::fill(rest.begin() + still.layout.v, rest.begin() + still.layout.z, 0.0);
    motion_stage<double>(system, t, rest, mode, still);
    still.total.clear();
    const Mat3<double>& R_NB = still.motion.body(body).R_NB;
    still.total.add_force_at(body, R_NB * point, R_NB * impulse);
    still.total.body(body).torque += R_NB * angular_impulse;
    solve_accelerations<double>(system.model, still.motion, still.total, still.articulated,
                                still.v_dot);
    for (std::size_t k = 0; k < still.v_dot.size(); ++k)
      x[as_size(still.layout.v) + k] += still.v_dot[k];
    stop_rates(system, t, x, mode, w);
  });
}

}  // namespace berth
