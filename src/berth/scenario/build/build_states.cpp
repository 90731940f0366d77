// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build/build_states.h"

#include <set>

#include "berth/scenario/build/build_docks.h"

namespace berth {
namespace {

std::string craft_of(const std::string& port) { return port.substr(0, port.find('.')); }

// Axes at the start, and how they turn.
struct TurningAxes {
  Mat3<double> R_NA = Mat3<double>::identity();
  Vec3<double> omega_N;
};

// Hill: radial, along-track, normal. LVLH: along-track, minus normal, down.
TurningAxes find_orbit_axes(const OrbitState& orbit, bool lvlh) {
  const Vec3<double> radial = normalised(orbit.r_N);
  const Vec3<double> h = cross(orbit.r_N, orbit.v_N), normal = normalised(h);
  const Vec3<double> along = cross(normal, radial);
  return {lvlh ? Mat3<double>::columns(along, -normal, -radial)
               : Mat3<double>::columns(radial, along, normal),
          (1 / norm_squared(orbit.r_N)) * h};
}

bool is_relative(const SpacecraftSpec& craft) { return craft.state && craft.state->is_relative(); }

Quaternion<double> attitude_of(const StateSpec& state) {
  if (state.sigma_BN) return quaternion_from_mrp(*state.sigma_BN);
  if (state.euler)
    return quaternion(rotation_about(Vec3<double>{0, 0, 1}, state.euler->x) *
                      rotation_about(Vec3<double>{0, 1, 0}, state.euler->y) *
                      rotation_about(Vec3<double>{1, 0, 0}, state.euler->z));
  return state.quaternion_BN.value_or(Quaternion<double>{});
}

// Axes that take no other craft.
TurningAxes find_axes(StateAxes axes, const OrbitState* orbit) {
  if (!orbit || axes == StateAxes::inertial) return {};
  return find_orbit_axes(*orbit, axes == StateAxes::lvlh);
}
TurningAxes find_axes(StateAttitude attitude, const OrbitState* orbit) {
  if (!orbit || attitude == StateAttitude::inertial) return {};
  return find_orbit_axes(*orbit, attitude == StateAttitude::lvlh);
}

void place_by_other(const SpacecraftSpec& craft, const OrbitState* orbit, const Ports& ports,
                    Model<double>& model) {
  const StateSpec& state = *craft.state;
  const std::string own_name = state.port.empty() ? craft.name : craft.name + "." + state.port.name;
  const Port<double>*other = &ports.find(state.relative_to.name)->second,
        *own = &ports.find(own_name)->second;
  const BodyMotion<double> b2 = find_start(model).body(other->body);
  const Vec3<double> lever_2 = b2.R_NB * other->r_PB_B;

  const bool is_mated = state.attitude == StateAttitude::mated;
  const TurningAxes axes = state.axes == StateAxes::port
                               ? TurningAxes{b2.R_NB * other->R_BP, b2.omega_BN_N}
                               : find_axes(state.axes, orbit);
  const TurningAxes base = is_mated
                               ? TurningAxes{b2.R_NB * mated_attitude(*other, *own), b2.omega_BN_N}
                               : find_axes(state.attitude, orbit);
  const Vec3<double> r = axes.R_NA * state.position;
  const Vec3<double> v = axes.R_NA * state.velocity + cross(axes.omega_N, r);
  const Mat3<double> R_NB = base.R_NA * rotation_matrix(attitude_of(state));
  const Vec3<double> omega = base.omega_N + R_NB * state.omega_BN_B;
  const Vec3<double> r_P = b2.r_BN_N + lever_2 + r, v_P = b2.velocity_at(lever_2) + v;
  const int hub = model.find_body(craft.name);
  if (is_mated) {
    const Vec3<double> lever_1 = R_NB * own->r_PB_B;
    return place_hub(model, hub, own->body, R_NB, r_P - lever_1, omega,
                     v_P - cross(omega, lever_1));
  }
  // The attitude is the hub's, whichever of its bodies carries the port.
  place_hub(model, hub, hub, Mat3<double>::identity(), {}, {}, {});
  const BodyMotion<double> in_hub = find_start(model).body(own->body);
  const Vec3<double> lever_B = in_hub.R_NB * own->r_PB_B;
  const Vec3<double> lever_1 = R_NB * (in_hub.r_BN_N + lever_B);
  place_hub(model, hub, hub, R_NB, r_P - lever_1, omega,
            v_P - cross(omega, lever_1) - R_NB * in_hub.velocity_at(lever_B));
}

}  // namespace

void place_hub_alone(const SpacecraftSpec& craft, const OrbitState* orbit, BodySpec<double>& hub) {
  const StateSpec state = craft.state.value_or(StateSpec{});
  hub.q = {0, 0, 0, 1, 0, 0, 0};
  hub.v.assign(6, 0.0);
  if (is_relative(craft)) return;
  const TurningAxes axes = find_axes(state.axes, orbit);
  const TurningAxes base = find_axes(state.attitude, orbit);
  Vec3<double> r = axes.R_NA * state.position;
  Vec3<double> v = axes.R_NA * state.velocity + cross(axes.omega_N, r);
  if (state.relative_to == "earth" && orbit) {
    r = r - orbit->r_N;
    v = v - orbit->v_N;
  }
  Quaternion<double> q = attitude_of(state);
  Vec3<double> w = state.omega_BN_B;
  if (state.attitude != StateAttitude::inertial) {
    q = canonical(quaternion(base.R_NA) * q);
    w += transposed_times(rotation_matrix(q), base.omega_N);
  }
  hub.q = {r.x, r.y, r.z, q.w, q.x, q.y, q.z};
  hub.v = {v.x, v.y, v.z, w.x, w.y, w.z};
}

void place_craft_by_others(const Scenario& s, const OrbitState* orbit, const Ports& ports,
                           Model<double>& model, Problems& problems) {
  std::set<std::string> waiting;
  for (const SpacecraftSpec& c : s.spacecraft)
    if (is_relative(c)) waiting.insert(c.name);
  for (bool moved = true; moved;) {
    moved = false;
    for (const SpacecraftSpec& c : s.spacecraft) {
      if (!waiting.contains(c.name)) continue;
      if (waiting.contains(craft_of(c.state->relative_to.name))) continue;
      place_by_other(c, orbit, ports, model);
      waiting.erase(c.name);
      moved = true;
    }
  }
  for (const std::string& name : waiting)
    problems.add("spacecraft." + name + ".state.relative_to",
                 "goes round in a circle: one craft needs a state of its own");
}

}  // namespace berth
