// SPDX-License-Identifier: Apache-2.0
#pragma once

// A chaser and a target for tests of relative flight: free, in a circular orbit, or held at a
// station by the approach controller.

#include <cmath>
#include <string>
#include <vector>

#include "berth/control/approach.h"
#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"

namespace berth::two_craft {

using test::Random;
using V = Vec3<double>;

inline constexpr double kMu = 3.986004415e14, kRadius = 6.878e6, kDegree = 0.017453292519943295;
inline const double n = std::sqrt(kMu / kRadius) / kRadius;

// How a craft of these tests moves, all of it in N axes but the rate.
struct State {
  V r, v;
  Quaternion<double> q{1, 0, 0, 0};
  V omega_B;
  V r_CB_B{};
  Mat3<double> R() const { return rotation_matrix(q); }
  V omega() const { return R() * omega_B; }
};

inline State random_state(Random& random, double far, double fast) {
  return {random.vector(far), random.vector(fast), random.quaternion(), random.vector(0.05),
          random.vector(0.1)};
}

inline int add_craft(System<double>& system, const std::string& name, const State& s,
                     double mass = 100, const Sym3<double>& inertia = Sym3<double>::diagonal(40)) {
  BodySpec<double> hub = test::hub_spec<double>(name, mass, inertia);
  hub.r_CB_B = s.r_CB_B;
  hub.q = {s.r.x, s.r.y, s.r.z, s.q.w, s.q.x, s.q.y, s.q.z};
  hub.v = {s.v.x, s.v.y, s.v.z, s.omega_B.x, s.omega_B.y, s.omega_B.z};
  return system.model.add_body(hub);
}

inline void add_port(System<double>& system, const std::string& name, int body, const V& position,
                     const Mat3<double>& R_BP = Mat3<double>::identity()) {
  system.model.ports.push_back({name, {body, position, R_BP}});
}

// A circular orbit that starts above N's x axis and turns about its z axis. Hill axes at the start
// are those of N.
inline void set_circular_orbit(System<double>& system, bool gradient = false) {
  OrbitalGravity<double> gravity;
  gravity.mu = kMu;
  gravity.gravity_gradient = gradient;
  system.set_orbit(gravity, {kRadius, 0, 0}, {0, n * kRadius, 0});
}
inline V hill_from_lvlh(const V& x) { return {-x.z, x.x, -x.y}; }

inline Approach<double> approach(double K = 3, double P = 40) {
  Approach<double> a;
  a.name = "approach";
  a.between = {"chaser.probe", "target.cone"};
  a.K = K;
  a.P = P;
  return a;
}
inline const Approach<double>& bound(const System<double>& system) {
  return std::get<std::vector<Approach<double>>>(system.controls)[0];
}

// The outputs of the first controller, now.
inline V outputs(HybridRun& run, std::size_t from = 0) {
  const Workspace<double>& w = run.observe();
  return {w.outputs[from], w.outputs[from + 1], w.outputs[from + 2]};
}

// Moving along the line: −2 m/s² is the acceleration at the start.
inline Profile<double> moving() {
  Profile<double> p;
  p.type = "glideslope";
  p.from = 20;
  p.to = 2;
  p.rate_from = -6;
  p.rate_to = -0.5;
  return p;
}

// --- a station in orbit ----------------------------------------------------------------------------

inline constexpr double kMass = 500, kStiff = 0.2, kDamp = 20;  // 0.02 rad/s, damping ratio 1

// Two craft as points, the chaser `far` from the target along d̂, moving along it in LVLH.
inline System<double> station(const V& d_L, double far, double mass, double rate = 0) {
  const V d = hill_from_lvlh(d_L), v = rate * d + far * cross(V{0, 0, n}, d);
  System<double> system;
  add_port(system, "chaser.probe",
           add_craft(system, "chaser", {far * d, v, {1, 0, 0, 0}, {}, {}}, kMass), {});
  add_port(system, "target.cone", add_craft(system, "target", {}, 2000), {});
  set_circular_orbit(system);
  Approach<double> law = approach(kStiff, kDamp);
  law.direction = d_L;
  law.distance.value = far;
  law.mass = mass;
  system.add_control(law);
  return system;
}

inline RelativeMotion<double> relative_of(HybridRun& run) {
  const Workspace<double>& w = run.observe();
  return bound(run.system()).find_relative({run.system().model, w.motion, w.command});
}

// --- an attitude that follows ----------------------------------------------------------------------

inline const Sym3<double> kInertia{90, 80, 60, 3, -2, 1};

inline AttitudeControl<double> pointing(const std::string& follow) {
  AttitudeControl<double> c;
  c.body = "chaser";
  c.follow = follow;
  c.error = "quaternion";
  c.K = 5;
  c.P = 60;
  c.inertia = kInertia;
  return c;
}

// Attitude of LVLH in N at the start, and the rate of the orbit in its axes.
inline const Mat3<double> kLvlh = Mat3<double>::columns(V{0, 1, 0}, V{0, 0, -1}, V{-1, 0, 0});

}  // namespace berth::two_craft
