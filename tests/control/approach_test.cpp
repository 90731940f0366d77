// SPDX-License-Identifier: Apache-2.0

// Relative flight: the approach controller in both its axes, its navigation, glideslopes, attitudes
// that follow the orbit or another craft, and wanted forces, alone and through thrusters.

#include "berth/control/approach.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "berth/model/resolve.h"
#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"

namespace berth {
namespace {

using test::Random;
using V = Vec3<double>;

constexpr double kMu = 3.986004415e14, kRadius = 6.878e6, kDegree = 0.017453292519943295;
const double n = std::sqrt(kMu / kRadius) / kRadius;

RunOptions tight(double tolerance = 1e-12) {
  RunOptions o;
  o.integrator.tolerance = tolerance;
  return o;
}

// --- two craft -----------------------------------------------------------------------------------

// How a craft of these tests moves, all of it in N axes but the rate.
struct State {
  V r, v;
  Quaternion<double> q{1, 0, 0, 0};
  V omega_B;
  V r_CB_B{};
  Mat3<double> R() const { return rotation_matrix(q); }
  V omega() const { return R() * omega_B; }
};

State random_state(Random& random, double far, double fast) {
  return {random.vector(far), random.vector(fast), random.quaternion(), random.vector(0.05),
          random.vector(0.1)};
}

int add_craft(System<double>& system, const std::string& name, const State& s, double mass = 100,
              const Sym3<double>& inertia = Sym3<double>::diagonal(40)) {
  BodySpec<double> hub = test::hub_spec<double>(name, mass, inertia);
  hub.r_CB_B = s.r_CB_B;
  hub.q = {s.r.x, s.r.y, s.r.z, s.q.w, s.q.x, s.q.y, s.q.z};
  hub.v = {s.v.x, s.v.y, s.v.z, s.omega_B.x, s.omega_B.y, s.omega_B.z};
  return system.model.add_body(hub);
}

void add_port(System<double>& system, const std::string& name, int body, const V& position,
              const Mat3<double>& R_BP = Mat3<double>::identity()) {
  system.model.ports.push_back({name, {body, position, R_BP}});
}

// A circular orbit that starts above N's x axis and turns about its z axis. Hill axes at the start
// are those of N.
void set_circular_orbit(System<double>& system, bool gradient = false) {
  OrbitalGravity<double> gravity;
  gravity.mu = kMu;
  gravity.gravity_gradient = gradient;
  system.set_orbit(gravity, {kRadius, 0, 0}, {0, n * kRadius, 0});
}
V hill_from_lvlh(const V& x) { return {-x.z, x.x, -x.y}; }

Approach<double> approach(double K = 3, double P = 40) {
  Approach<double> a;
  a.name = "approach";
  a.between = {"chaser.probe", "target.cone"};
  a.K = K;
  a.P = P;
  return a;
}
const Approach<double>& bound(const System<double>& system) {
  return std::get<std::vector<Approach<double>>>(system.controls)[0];
}

// The outputs of the first controller, now.
V outputs(HybridRun& run, std::size_t from = 0) {
  const Workspace<double>& w = run.observe();
  return {w.outputs[from], w.outputs[from + 1], w.outputs[from + 2]};
}

// Moving along the line: −2 m/s² is the acceleration at the start.
Profile<double> moving() {
  Profile<double> p;
  p.type = "glideslope";
  p.from = 20;
  p.to = 2;
  p.rate_from = -6;
  p.rate_to = -0.5;
  return p;
}

// --- the law -------------------------------------------------------------------------------------

// By hand, from poses and rates in N.
TEST(Approach, ForceInPortAxesIsGainsTimesErrorsAndWhatTheTurnAsksFor) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const State a = random_state(random, 30, 0.5), b = random_state(random, 5, 0.5);
    const V p1 = random.vector(), p2 = random.vector(), d = random.direction();
    const Mat3<double> R_BP = random.rotation();
    System<double> system;
    add_port(system, "chaser.probe", add_craft(system, "chaser", a), p1, random.rotation());
    add_port(system, "target.cone", add_craft(system, "target", b), p2, R_BP);
    Approach<double> law = approach();
    law.axes = "port";
    law.direction = 3.0 * d;
    law.distance = moving();
    law.mass = 120;
    system.add_control(law);
    HybridRun run(system, {});

    const Mat3<double> F = b.R() * R_BP;
    const V w = b.omega(), rho = a.r + a.R() * p1 - b.r - b.R() * p2;
    const V v = a.v + cross(a.omega(), a.R() * p1) - b.v - cross(w, b.R() * p2);
    const V line = F * d, delta = a.r + a.R() * a.r_CB_B - b.r - b.R() * b.r_CB_B;
    const double s = 20, rate = -6, acceleration = (-6 + 0.5) / (20 - 2) * -6;
    const V e = rho - s * line, e_dot = v - cross(w, rho) - rate * line;
    const V feed = acceleration * line + 2 * rate * cross(w, line) + cross(w, cross(w, delta));
    const V wanted = transpose(a.R()) * (120.0 * feed - 3.0 * e - 40.0 * e_dot);
    EXPECT_LT(norm(outputs(run) - wanted), 1e-11 * norm(wanted));
    EXPECT_LT(norm(outputs(run, 3) - transpose(F) * rho), 1e-12);
    EXPECT_LT(norm(outputs(run, 6) - transpose(F) * (v - cross(w, rho))), 1e-12);
    // An ideal force from outside, through the body's origin.
    const Workspace<double>& at = run.observe();
    EXPECT_LT(norm(at.external.body(1).force - a.R() * wanted), 1e-10 * norm(wanted));
    EXPECT_EQ(at.external.body(1).torque, V{});
    EXPECT_EQ(at.external.body(2).force, V{}) << "nothing pushes the target";
  }
}

// Clohessy and Wiltshire, in Hill axes: f/m = (ẍ − 2nẏ − 3n²x, ÿ + 2nẋ, z̈ + n²z).
TEST(Approach, ForceInLvlhFeedsForwardClohessyAndWiltshire) {
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const State a = random_state(random, 30, 0.1), b = random_state(random, 5, 0.1);
    const V p1 = random.vector(), p2 = random.vector(), d_L = random.direction();
    System<double> system;
    add_port(system, "chaser.probe", add_craft(system, "chaser", a), p1);
    add_port(system, "target.cone", add_craft(system, "target", b), p2);
    set_circular_orbit(system);
    Approach<double> law = approach();
    law.direction = d_L;
    law.distance = moving();
    law.mass = 120;
    law.bias = {0.5, -0.25, 0.75};
    system.add_control(law);
    HybridRun run(system, {});

    const V d = hill_from_lvlh(d_L), w{0, 0, n};
    const V rho = a.r + a.R() * p1 - b.r - b.R() * p2;
    const V rho_dot =
        a.v + cross(a.omega(), a.R() * p1) - b.v - cross(b.omega(), b.R() * p2) - cross(w, rho);
    const V x = a.r + a.R() * a.r_CB_B - b.r - b.R() * b.r_CB_B;
    const double s = 20, s_1 = -6, s_2 = (-6 + 0.5) / (20 - 2) * -6;
    const V feed{s_2 * d.x - 2 * n * s_1 * d.y - 3 * n * n * x.x, s_2 * d.y + 2 * n * s_1 * d.x,
                 s_2 * d.z + n * n * x.z};
    const V e = rho + hill_from_lvlh(law.bias) - s * d, e_dot = rho_dot - s_1 * d;
    const V wanted = transpose(a.R()) * (120.0 * feed - 3.0 * e - 40.0 * e_dot);
    EXPECT_LT(norm(outputs(run) - wanted), 1e-11 * norm(wanted));
    EXPECT_LT(norm(hill_from_lvlh(outputs(run, 3)) - rho - hill_from_lvlh(law.bias)), 1e-12);
    EXPECT_LT(norm(hill_from_lvlh(outputs(run, 6)) - rho_dot), 1e-12);
  }
}

TEST(Approach, VelocityIsTheRateOfPositionInItsAxes) {
  for (const bool in_lvlh : {false, true}) {
    Random random(3);
    const State a = random_state(random, 30, 0.5), b = random_state(random, 5, 0.5);
    System<double> system;
    add_port(system, "chaser.probe", add_craft(system, "chaser", a), random.vector());
    add_port(system, "target.cone", add_craft(system, "target", b), random.vector(),
             random.rotation());
    if (in_lvlh) set_circular_orbit(system);
    Approach<double> law = approach();
    law.axes = in_lvlh ? "lvlh" : "port";
    law.enabled = false;
    system.add_control(law);
    const double h = 0.01;
    V at[3], velocity;
    for (int k = 0; k < 3; ++k) {
      HybridRun run(system, tight(1e-13));
      run.advance(1 + (k - 1) * h);
      const Workspace<double>& w = run.observe();
      const auto r = bound(run.system()).find_relative({run.system().model, w.motion, w.command});
      at[k] = r.rho_F;
      if (k == 1) velocity = r.rho_dot_F;
    }
    EXPECT_LT(norm((0.5 / h) * (at[2] - at[0]) - velocity), 1e-6);
    EXPECT_GT(norm(velocity), 0.1);
  }
}

TEST(Approach, ForceIsCutWithoutTurning) {
  Random random(4);
  const State a = random_state(random, 30, 0.5), b = random_state(random, 5, 0.5);
  System<double> system;
  add_port(system, "chaser.probe", add_craft(system, "chaser", a), {1, 0, 0});
  add_port(system, "target.cone", add_craft(system, "target", b), {0, 1, 0});
  Approach<double> law = approach();
  law.axes = "port";
  law.mass = 100;
  const auto force = [&](double limit) {
    System<double> s = system;
    law.max_force = limit;
    s.add_control(law);
    HybridRun run(s, {});
    return outputs(run);
  };
  const V free = force(0);
  ASSERT_GT(norm(free), 10);
  EXPECT_LT(norm(force(2) - 2.0 * normalised(free)), 1e-13);
  EXPECT_EQ(force(norm(free) + 1), free);
}

TEST(Approach, ForceThroughAnotherCentreBringsItsTorque) {
  Random random(5);
  System<double> system;
  add_port(system, "chaser.probe", add_craft(system, "chaser", random_state(random, 20, 0.1)), {});
  add_port(system, "target.cone", add_craft(system, "target", random_state(random, 5, 0.1)), {});
  Approach<double> law = approach();
  law.axes = "port";
  law.centre = {0.3, -0.2, 0.1};
  system.add_control(law);
  HybridRun run(system, {});
  const V f = outputs(run);
  const Workspace<double>& w = run.observe();
  const V torque = w.motion.body(1).R_NB * cross(law.centre, f);
  EXPECT_LT(norm(w.external.body(1).torque - torque), 1e-12 * norm(torque));
}

TEST(Approach, WhatCannotBeMeantIsRefused) {
  System<double> system;
  const int a = add_craft(system, "chaser", {}), b = add_craft(system, "target", {});
  add_port(system, "chaser.probe", a, {});
  add_port(system, "chaser.other", a, {});
  add_port(system, "target.cone", b, {});
  const auto refusal = [&](const std::function<void(Approach<double>&)>& change) -> std::string {
    Approach<double> law = approach();
    change(law);
    System<double> s = system;
    try {
      s.add_control(law);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  using A = Approach<double>;
  EXPECT_EQ(refusal([](A&) {}), "");
  EXPECT_EQ(refusal([](A& l) { l.between.pop_back(); }), "approach: two ports are needed, not 1");
  EXPECT_EQ(refusal([](A& l) { l.between[1] = "target.con"; }),
            "approach: no port target.con; did you mean target.cone?");
  EXPECT_EQ(refusal([](A& l) { l.between[1] = "chaser.other"; }),
            "approach: both ports are on one craft");
  EXPECT_EQ(refusal([](A& l) { l.axes = "hill"; }), "\"hill\" is not one of lvlh, port");
  EXPECT_EQ(refusal([](A& l) { l.noise_velocity = 0.1; }), "approach: noise needs a sample_time");
  EXPECT_EQ(refusal([](A& l) { l.thrusters = "jets"; }),
            "approach: no thruster set named jets; there is none");
  EXPECT_EQ(refusal([](A& l) { l.distance.type = "glideslope"; }),
            "approach: a glideslope needs rates that lead from `from` to `to`");
}

// --- holding a place in orbit --------------------------------------------------------------------

constexpr double kMass = 500, kStiff = 0.2, kDamp = 20;  // 0.02 rad/s, damping ratio 1

// Two craft as points, the chaser `far` from the target along d̂, moving along it in LVLH.
System<double> station(const V& d_L, double far, double mass, double rate = 0) {
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

// Where the chaser comes to rest, against where it should be, in LVLH.
V find_rest(const V& d_L, double far, double mass) {
  HybridRun run(station(d_L, far, mass), tight());
  EXPECT_TRUE(run.advance(1500).completed());
  EXPECT_LT(norm(outputs(run, 6)), 1e-7) << "at rest";
  return outputs(run, 3) - far * d_L;
}

// With the feed-forward what is left is of second order in the distance: 3/2 n²ρ²/R · m/K at most.
TEST(ApproachInOrbit, HoldsItsPlaceWithTheFeedForward) {
  for (const V& d :
       {V{1, 0, 0}, V{-1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}, V{0, 0, -1}, normalised(V{1, 2, -2})})
    for (const double far : {50.0, 200.0}) {
      const double second = 3 * n * n * far * far / kRadius * kMass / kStiff;
      EXPECT_LT(norm(find_rest(d, far, kMass)), 1.5 * second) << far;
      EXPECT_LT(1.5 * second, 2e-4);
    }
}

// Without it the spring carries the load: K e = 3 n² m (s + e) on R-bar, −n² m (s + e) across, and
// nothing on V-bar.
TEST(ApproachInOrbit, WithoutItTheSpringIsStretched) {
  const double far = 100, up = 3 * n * n * kMass, across = -n * n * kMass;
  const double e_up = up * far / (kStiff - up), e_across = across * far / (kStiff - across);
  EXPECT_GT(e_up, 0.5);
  for (const double sign : {1.0, -1.0}) {
    EXPECT_LT(norm(find_rest({0, 0, sign}, far, 0) - V{0, 0, sign * e_up}), 1e-4);
    EXPECT_LT(norm(find_rest({0, sign, 0}, far, 0) - V{0, sign * e_across, 0}), 1e-4);
    EXPECT_LT(norm(find_rest({sign, 0, 0}, far, 0)), 1e-4);
  }
}

// Down a glideslope the turning of the axes pushes sideways: fed forward, it is not felt.
TEST(ApproachInOrbit, FliesDownTheGlideslope) {
  for (const V& d : {V{-1, 0, 0}, V{0, 0, 1}}) {
    for (const bool fed : {true, false}) {
      System<double> system = station(d, 100, fed ? kMass : 0, -0.5);
      Approach<double>& law = std::get<std::vector<Approach<double>>>(system.controls)[0];
      law.distance.type = "glideslope";
      law.distance.from = 100;
      law.distance.to = 20;
      law.distance.rate_from = -0.5;
      law.distance.rate_to = -0.1;
      HybridRun run(system, tight());
      double worst = 0;
      for (double t = 10; t <= 320; t += 10) {
        run.advance(t);
        worst = std::max(worst, norm(outputs(run, 3) - law.distance.at(t, t).value * d));
      }
      if (fed) {
        EXPECT_LT(worst, 1e-4);
      } else {
        EXPECT_GT(worst, 0.5);
      }
    }
  }
}

// --- a line that turns ---------------------------------------------------------------------------

// The target turns at 1 °/s about z and the chaser stands before its port, all on one line.
System<double> merry_go_round(double mass, double far, double K = 2, double P = 60) {
  const double w = kDegree;
  System<double> system;
  const double delta = 2 + far + 1.5;  // between the centres of mass
  const Quaternion<double> facing{0, 0, 0, 1};
  add_port(system, "chaser.probe",
           add_craft(system, "chaser", {{delta, 0, 0}, {0, w * delta, 0}, facing, {0, 0, w}, {}},
                     kMass, Sym3<double>::diagonal(300, 400, 500)),
           {1.5, 0, 0});
  add_port(system, "target.cone",
           add_craft(system, "target", {{}, {}, {1, 0, 0, 0}, {0, 0, w}, {}}, 2000,
                     Sym3<double>::diagonal(900, 800, 1000)),
           {2, 0, 0});
  Approach<double> law = approach(K, P);
  law.axes = "port";
  law.direction = {1, 0, 0};
  law.distance.value = far;
  law.mass = mass;
  system.add_control(law);
  AttitudeControl<double> pointing;
  pointing.body = "chaser";
  pointing.follow = "mated";
  pointing.ports = {"chaser.probe", "target.cone"};
  pointing.K = 20;
  pointing.P = 200;
  pointing.inertia = Sym3<double>::diagonal(300, 400, 500);
  system.add_control(pointing);
  return system;
}
AttitudeControl<double>::Error error_of(HybridRun& run) {
  const auto& c = std::get<std::vector<AttitudeControl<double>>>(run.system().controls)[0];
  const Workspace<double>& w = run.observe();
  return c.find_error({run.system().model, w.motion, w.command});
}
Approach<double>::Relative relative_of(HybridRun& run) {
  const Workspace<double>& w = run.observe();
  return bound(run.system()).find_relative({run.system().model, w.motion, w.command});
}

TEST(ApproachToATurningPort, FliesAroundWithIt) {
  HybridRun run(merry_go_round(kMass, 10), tight());
  for (const double t : {90.0, 200.0, 360.0, 720.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_LT(norm(relative_of(run).rho_F - V{10, 0, 0}), 1e-8) << t;
    EXPECT_LT(norm(relative_of(run).rho_dot_F), 1e-9);
    EXPECT_LT(norm(error_of(run).sigma), 1e-9);
  }
  // Once round and round again.
  const V r = run.observe().motion.body(1).r_BN_N;
  EXPECT_LT(norm(r - V{13.5, 0, 0}), 1e-8);
}

TEST(ApproachToATurningPort, WithoutFeedForwardItIsCarriedOutward) {
  HybridRun run(merry_go_round(0, 10), tight());
  run.advance(1000);
  const double load = kMass * kDegree * kDegree, e = load * 13.5 / (2 - load);
  ASSERT_GT(e, 1);
  EXPECT_LT(norm(relative_of(run).rho_F - V{10 + e, 0, 0}), 1e-6);
}

TEST(ApproachToATurningPort, ClosesInOnTheTurningLine) {
  System<double> system = merry_go_round(kMass, 10);
  Approach<double>& law = std::get<std::vector<Approach<double>>>(system.controls)[0];
  law.distance = {};
  law.distance.type = "quintic";
  law.distance.from = 10;
  law.distance.to = 1;
  law.distance.start = 20;
  law.distance.duration = 200;
  HybridRun run(system, tight());
  for (const double t : {60.0, 120.0, 180.0, 220.0, 300.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_LT(norm(relative_of(run).rho_F - law.distance.at(t, t).value * V{1, 0, 0}), 1e-8) << t;
  }
}

// --- navigation ----------------------------------------------------------------------------------

// What navigation says at sample number k, both craft at rest 10 m apart.
struct Measured {
  V position, velocity;
};
std::vector<Measured> measure(int count, int seed, double sigma = 0.02, double sigma_rate = 0.005) {
  System<double> system;
  add_port(system, "chaser.probe", add_craft(system, "chaser", {{10, 0, 0}, {}, {}, {}, {}}), {});
  add_port(system, "target.cone", add_craft(system, "target", {}), {});
  Approach<double> law = approach();
  law.axes = "port";
  law.sample_time = 0.2;
  law.noise_position = sigma;
  law.noise_velocity = sigma_rate;
  law.seed = seed;
  system.add_control(law);
  HybridRun run(system, {});
  const Workspace<double>& w = run.observe();
  Motion<double> motion = w.motion;
  std::vector<Measured> out;
  for (int k = 0; k < count; ++k) {
    double o[9];
    motion.t = 0.2 * k;
    bound(run.system()).find_output({run.system().model, motion, w.command}, nullptr, o);
    out.push_back({{o[3], o[4], o[5]}, {o[6], o[7], o[8]}});
  }
  return out;
}

TEST(Navigation, NoiseHasItsDeviationOnEveryAxis) {
  const int count = 20'000;
  const std::vector<Measured> all = measure(count, 7);
  const double one = 1 / std::sqrt(count);
  for (int k = 0; k < 3; ++k) {
    double sum = 0, squares = 0, sum_v = 0, squares_v = 0, both = 0, next = 0, last = 0;
    for (const Measured& m : all) {
      const double e = (m.position[k] - (k == 0 ? 10 : 0)) / 0.02, e_v = m.velocity[k] / 0.005;
      sum += e, squares += e * e;
      sum_v += e_v, squares_v += e_v * e_v;
      both += e * e_v;
      next += e * std::exchange(last, e);
    }
    EXPECT_NEAR(std::sqrt(squares / count), 1, 3 * one / std::sqrt(2.0)) << k;
    EXPECT_NEAR(std::sqrt(squares_v / count), 1, 3 * one / std::sqrt(2.0)) << k;
    EXPECT_LT(std::fabs(sum / count), 4 * one);
    EXPECT_LT(std::fabs(sum_v / count), 4 * one);
    EXPECT_LT(std::fabs(both / count), 4 * one) << "of position and velocity are independent";
    EXPECT_LT(std::fabs(next / count), 4 * one) << "and of one sample and the next";
  }
  double xy = 0;
  for (const Measured& m : all) xy += (m.position.x - 10) / 0.02 * m.position.y / 0.02;
  EXPECT_LT(std::fabs(xy / count), 4 * one) << "and of the axes";
}

TEST(Navigation, SameSeedSameNumbersOtherSeedOthers) {
  const std::vector<Measured> a = measure(50, 3), b = measure(50, 3), c = measure(50, 4);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].position, b[k].position);
    EXPECT_EQ(a[k].velocity, b[k].velocity);
    EXPECT_NE(a[k].position, c[k].position);
    EXPECT_NE(a[k].velocity, c[k].velocity);
  }
  // The noise grows with its deviation and with nothing else.
  const std::vector<Measured> twice = measure(50, 3, 0.04, 0.005);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_LT(norm(twice[k].position - V{10, 0, 0} - 2.0 * (a[k].position - V{10, 0, 0})), 1e-14);
    EXPECT_EQ(twice[k].velocity, a[k].velocity);
  }
}

// The craft drift apart at 0.1 m/s and nobody pushes: the word of t is spoken at t + latency.
TEST(Navigation, WordsArriveLate) {
  System<double> system;
  add_port(system, "chaser.probe",
           add_craft(system, "chaser", {{10, 0, 0}, {0.1, 0, 0}, {}, {}, {}}), {});
  add_port(system, "target.cone", add_craft(system, "target", {}), {});
  Approach<double> law = approach(0, 0);
  law.axes = "port";
  law.sample_time = 0.5;
  law.latency = 0.2;
  system.add_control(law);
  HybridRun run(system, tight());
  const auto heard = [&](double t) {
    run.advance(t);
    return run.mode().held[3];
  };
  EXPECT_EQ(heard(0.1), 0) << "nothing has arrived";
  EXPECT_NEAR(heard(0.3), 10, 1e-12);
  EXPECT_NEAR(heard(0.65), 10, 1e-12);
  EXPECT_NEAR(heard(0.75), 10.05, 1e-12);
  EXPECT_NEAR(heard(1.15), 10.05, 1e-12);
  EXPECT_NEAR(heard(1.25), 10.1, 1e-12);
}

TEST(Navigation, RunsAreRepeatedBySeed) {
  const auto end = [](int seed) {
    System<double> system = station({-1, 0, 0}, 50, kMass);
    Approach<double>& law = std::get<std::vector<Approach<double>>>(system.controls)[0];
    law.sample_time = 1;
    law.latency = 0.3;
    law.noise_position = 0.05;
    law.seed = seed;
    HybridRun run(system, tight(1e-10));
    run.advance(60);
    return run.observe().motion.body(1).r_BN_N;
  };
  EXPECT_EQ(end(1), end(1));
  EXPECT_NE(end(1), end(2));
}

// --- glideslope ----------------------------------------------------------------------------------

Profile<double> glide(double from, double to, double rate_from, double rate_to, double start = 3) {
  Profile<double> p;
  p.type = "glideslope";
  p.from = from;
  p.to = to;
  p.rate_from = rate_from;
  p.rate_to = rate_to;
  p.start = start;
  return p;
}
// start and end
std::vector<double> corners(const Profile<double>& p) {
  std::vector<double> times;
  p.add_times(times);
  return times;
}

TEST(Glideslope, TakesTheTimeThatItsRatesTake) {
  // The rate falls in proportion to the way: T = (to − from) ln(b/a)/(b − a).
  const std::vector<double> t = corners(glide(20, 2, -0.1, -0.05));
  ASSERT_EQ(t.size(), 2u);
  EXPECT_EQ(t[0], 3);
  EXPECT_NEAR(t[1], 3 + 18 * std::log(2.0) / 0.05, 1e-12);
  EXPECT_NEAR(corners(glide(0, 5, 0.2, 0.4))[1], 3 + 5 * std::log(2.0) / 0.2, 1e-12);
  // With one rate it is a straight line; nearly so, nearly as long.
  EXPECT_NEAR(corners(glide(20, 2, -0.1, -0.1))[1], 3 + 180, 1e-12);
  for (const double u : {1e-12, 1e-9, 1e-7, 1e-5})
    EXPECT_NEAR(corners(glide(20, 2, -0.1, -0.1 * (1 + u)))[1], 183 - 90 * u + 60 * u * u, 1e-11);
}

TEST(Glideslope, RateFollowsTheValue) {
  for (const Profile<double>& p : {glide(20, 2, -0.1, -0.05), glide(0, 5, 0.2, 0.4),
                                   glide(8, 0.2, -0.08, -0.0801), glide(1, 3, 0.5, 0.5)}) {
    require_rules(p, "profile");
    const std::vector<double> ends = corners(p);
    const double slope = (p.rate_from - p.rate_to) / (p.from - p.to), T = ends[1] - ends[0];
    for (int i = 0; i <= 40; ++i) {
      const double t = ends[0] + T * i / 40;
      const auto s = p.at(t, ends[0]);
      EXPECT_NEAR(s.rate, p.rate_from + slope * (s.value - p.from), 1e-12);
      EXPECT_NEAR(s.acceleration, slope * s.rate, 1e-14);
      const double h = 1e-3;
      const auto a = p.at(t - h, ends[0]), b = p.at(t + h, ends[0]);
      EXPECT_NEAR(s.rate, (b.value - a.value) / (2 * h), 1e-8);
      EXPECT_NEAR(s.acceleration, (b.rate - a.rate) / (2 * h), 1e-8);
    }
    // From the first value to the last, and on with the last rate.
    EXPECT_NEAR(p.at(ends[0], ends[0]).value, p.from, 1e-14);
    EXPECT_NEAR(p.at(ends[1], ends[0]).value, p.to, 1e-12);
    EXPECT_NEAR(p.at(ends[1], ends[0]).rate, p.rate_to, 1e-12);
    const auto before = p.at(1, 1), after = p.at(ends[1] + 7, ends[1]);
    EXPECT_EQ(before.value, p.from);
    EXPECT_EQ(before.rate, 0);
    EXPECT_NEAR(after.value, p.to + 7 * p.rate_to, 1e-12);
    EXPECT_EQ(after.rate, p.rate_to);
    EXPECT_EQ(after.acceleration, 0);
  }
}

// (e^y − 1)/y changes its form where |y| = 1e-3.
TEST(Glideslope, HasNoSeamWhereItsSeriesEnds) {
  const Profile<double> p = glide(20, 2, -0.1, -0.05, 0);
  const double k = 0.05 / 18, t = 1e-3 / k;
  for (const double x : {0.5 * t, 0.999999 * t, 1.000001 * t, 2 * t}) {
    const auto s = p.at(x, 0);
    EXPECT_NEAR(s.value, 20 - 0.1 * std::expm1(-k * x) / -k, 1e-13);
    EXPECT_NEAR(s.rate, -0.1 * std::exp(-k * x), 1e-15);
  }
}

TEST(Glideslope, RatesMustLeadToTheEnd) {
  for (const Profile<double>& p :
       {glide(20, 2, 0.1, -0.05), glide(20, 2, -0.1, 0.05), glide(20, 2, -0.1, 0),
        glide(20, 2, 0, -0.1), glide(2, 20, -0.1, -0.05), glide(5, 5, -0.1, -0.05)}) {
    std::string said;
    try {
      require_rules(p, "reference profile");
    } catch (const std::invalid_argument& e) {
      said = e.what();
    }
    EXPECT_EQ(said, "reference profile: a glideslope needs rates that lead from `from` to `to`");
  }
}

// --- attitudes that follow -----------------------------------------------------------------------

const Sym3<double> kInertia{90, 80, 60, 3, -2, 1};

AttitudeControl<double> pointing(const std::string& follow) {
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
const Mat3<double> kLvlh = Mat3<double>::columns(V{0, 1, 0}, V{0, 0, -1}, V{-1, 0, 0});

TEST(FollowTheOrbit, HoldsWhereItStartsWithoutError) {
  for (const bool turned : {false, true}) {
    const Quaternion<double> away = turned ? Random(5).quaternion() : Quaternion<double>{};
    const Quaternion<double> q = canonical(quaternion(kLvlh) * away);
    System<double> system;
    add_craft(system, "chaser", {{}, {}, q, transpose(rotation_matrix(q)) * V{0, 0, n}, {}}, 100,
              kInertia);
    set_circular_orbit(system);
    AttitudeControl<double> c = pointing("lvlh");
    c.attitude = away;
    system.add_control(c);
    HybridRun run(system, tight());
    for (const double t : {1.0, 700.0, 3000.0}) {
      ASSERT_TRUE(run.advance(t).completed());
      EXPECT_LT(norm(error_of(run).sigma), 1e-9) << t;
      EXPECT_LT(norm(error_of(run).omega_e), 1e-10) << t;
    }
  }
}

// In LVLH, a slew about an axis that turns with the orbit: all of (1) and (4) is in it.
TEST(FollowTheOrbit, SlewsAgainstItWithoutError) {
  const Quaternion<double> q = quaternion(kLvlh);
  System<double> system;
  add_craft(system, "chaser", {{}, {}, q, transpose(rotation_matrix(q)) * V{0, 0, n}, {}}, 100,
            kInertia);
  set_circular_orbit(system);
  AttitudeControl<double> c = pointing("lvlh");
  c.axis = {1, -2, 2};
  c.angle.type = "quintic";
  c.angle.to = 2.5;
  c.angle.start = 5;
  c.angle.duration = 60;
  system.add_control(c);
  HybridRun run(system, tight());
  for (const double t : {20.0, 35.0, 50.0, 65.0, 100.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_LT(norm(error_of(run).sigma), 1e-9) << t;
  }
  const Mat3<double> R_LB =
      transpose(rotation_about(V{0, 0, 1}, n * 100) * kLvlh) * run.observe().motion.body(1).R_NB;
  EXPECT_LT(norm(rotation_vector(quaternion(R_LB)) - 2.5 * normalised(c.axis)), 1e-8);
}

TEST(FollowTheOrbit, ComesBackWhenPushedAway) {
  const Quaternion<double> q =
      canonical(quaternion(kLvlh) * Quaternion<double>{std::cos(0.3), 0, std::sin(0.3), 0});
  System<double> system;
  add_craft(system, "chaser", {{}, {}, q, {}, {}}, 100, kInertia);
  set_circular_orbit(system);
  system.add_control(pointing("lvlh"));
  HybridRun run(system, tight());
  EXPECT_NEAR(norm(error_of(run).sigma), 2 * std::sin(0.3), 1e-12);
  ASSERT_TRUE(run.advance(400).completed());
  EXPECT_LT(norm(error_of(run).sigma), 1e-5);
}

// The target's moments are all the same: it keeps turning about whatever axis it turns about.
TEST(FollowAPort, StaysMatedWithoutError) {
  Random random(6);
  for (int i = 0; i < 5; ++i) {
    const State target{{}, {}, random.quaternion(), random.vector(0.05), {}};
    const Port<double> p1{1, random.vector(), random.rotation()},
        p2{2, random.vector(), random.rotation()};
    const Mat3<double> R = target.R() * mated_attitude(p2, p1);
    // x against x, z along z.
    EXPECT_LT(norm((R * p1.R_BP).column_x() + (target.R() * p2.R_BP).column_x()), 1e-14);
    EXPECT_LT(norm((R * p1.R_BP).column_z() - (target.R() * p2.R_BP).column_z()), 1e-14);
    System<double> system;
    add_craft(system, "chaser", {{9, 0, 0}, {}, quaternion(R), transpose(R) * target.omega(), {}},
              100, kInertia);
    add_craft(system, "target", target, 900);
    system.model.ports.push_back({"chaser.probe", p1});
    system.model.ports.push_back({"target.cone", p2});
    AttitudeControl<double> c = pointing("mated");
    c.ports = {"chaser.probe", "target.cone"};
    system.add_control(c);
    HybridRun run(system, tight());
    for (const double t : {0.0, 60.0, 200.0}) {
      ASSERT_TRUE(run.advance(t).completed());
      EXPECT_LT(norm(error_of(run).sigma), 1e-9) << t;
      EXPECT_LT(norm(error_of(run).omega_e), 1e-10) << t;
    }
  }
}

TEST(FollowAPort, WhatCannotBeMeantIsRefused) {
  System<double> system;
  add_port(system, "chaser.probe", add_craft(system, "chaser", {}), {});
  add_port(system, "target.cone", add_craft(system, "target", {}), {});
  const auto refusal = [&](const std::string& follow,
                           const std::vector<std::string>& ports) -> std::string {
    System<double> s = system;
    try {
      AttitudeControl<double> c = pointing(follow);
      c.ports = {ports.begin(), ports.end()};
      s.add_control(c);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  const std::string two = "attitude: follow = \"mated\" goes with two ports";
  EXPECT_EQ(refusal("mated", {"chaser.probe", "target.cone"}), "");
  EXPECT_EQ(refusal("mated", {}), two);
  EXPECT_EQ(refusal("mated", {"chaser.probe"}), two);
  EXPECT_EQ(refusal("lvlh", {"chaser.probe", "target.cone"}), two);
  EXPECT_EQ(refusal("mated", {"target.cone", "chaser.probe"}),
            "attitude: the first port must be on chaser");
  EXPECT_EQ(refusal("mated", {"chaser.probe", "target.con"}),
            "attitude: no port target.con; did you mean target.cone?");
  EXPECT_EQ(refusal("nadir", {}), "\"nadir\" is not one of attitude, lvlh, mated, rate");
}

// --- thrust --------------------------------------------------------------------------------------

Thrust<double> thrust(const std::string& axes, const V& direction) {
  Thrust<double> t;
  t.name = "burn";
  t.body = "chaser";
  t.axes = axes;
  t.direction = direction;
  t.force.value = 4;
  return t;
}

TEST(Thrust, PointsWhereItsAxesSay) {
  Random random(8);
  for (const std::string axes : {"body", "inertial", "lvlh"}) {
    const State a = random_state(random, 5, 0.1);
    const V d = random.direction();
    System<double> system;
    add_craft(system, "chaser", a);
    set_circular_orbit(system);
    Thrust<double> law = thrust(axes, 7.0 * d);
    law.centre = {0.2, 0.1, -0.3};
    system.add_control(law);
    HybridRun run(system, {});
    const V f_N = axes == "body" ? 4.0 * (a.R() * d) : axes == "lvlh" ? 4.0 * (kLvlh * d) : 4.0 * d;
    EXPECT_LT(norm(a.R() * outputs(run) - f_N), 1e-13) << axes;
    // The force, less gravity, and its torque about the body's origin.
    System<double> still = system;
    std::get<std::vector<Thrust<double>>>(still.controls)[0].enabled = false;
    HybridRun coasting(still, {});
    const Wrench<double> with = run.observe().external.body(1);
    const Wrench<double> without = coasting.observe().external.body(1);
    EXPECT_LT(norm(with.force - without.force - f_N), 1e-11);
    EXPECT_LT(norm(with.torque - without.torque - cross(a.R() * law.centre, f_N)), 1e-11);
  }
}

// A craft that turns: in its own axes the force turns along, in inertial ones it does not.
TEST(Thrust, GivesTheMomentumOfItsDirection) {
  const double w = 0.1, t = 20;
  const auto velocity = [&](const std::string& axes) {
    System<double> system;
    add_craft(system, "chaser", {{}, {}, {1, 0, 0, 0}, {0, 0, w}, {}});
    system.add_control(thrust(axes, {1, 0, 0}));
    HybridRun run(system, tight());
    run.advance(t);
    return run.observe().motion.body(1).v_BN_N;
  };
  const double a = 4.0 / 100;
  EXPECT_LT(norm(velocity("inertial") - V{a * t, 0, 0}), 1e-12);
  EXPECT_LT(norm(velocity("body") - V{a / w * std::sin(w * t), a / w * (1 - std::cos(w * t)), 0}),
            1e-11);
}

TEST(Thrust, FollowsItsProfileCornerByCorner) {
  System<double> system;
  add_craft(system, "chaser", {});
  Thrust<double> law = thrust("body", {0, 1, 0});
  law.force.type = "table";
  law.force.times = {1, 2, 4};
  law.force.values = {0, 10, 5};
  system.add_control(law);
  HybridRun run(system, tight());
  run.advance(6);
  EXPECT_LT(norm(run.observe().motion.body(1).v_BN_N - V{0, (5 + 15 + 10) / 100.0, 0}), 1e-13);
}

TEST(Thrust, WhatCannotBeMeantIsRefused) {
  System<double> system;
  add_craft(system, "chaser", {});
  EXPECT_THROW(thrust("hill", {1, 0, 0}), std::invalid_argument);
  Thrust<double> law = thrust("body", {1, 0, 0});
  law.body = "chasr";
  EXPECT_THROW(system.add_control(law), std::invalid_argument);
  law = thrust("body", {1, 0, 0});
  EXPECT_THROW(law.force.type = "ramp", std::invalid_argument);
  law.force.type = "table";
  EXPECT_THROW(system.add_control(law), std::invalid_argument);
}

// --- through thrusters ---------------------------------------------------------------------------

// Two in each direction: all forces, and torques about all axes.
ThrusterSet<double> jets() {
  ThrusterSet<double> set;
  set.name = "jets";
  set.body = "chaser";
  for (const double side : {1.0, -1.0})
    for (int k = 0; k < 3; ++k)
      for (const double arm : {0.5, -0.5}) {
        Thruster<double> t;
        t.direction = {};
        t.direction[k] = side;
        t.position[(k + 1) % 3] = arm;
        t.thrust = 2;
        set.thruster.push_back(t);
      }
  return set;
}

TEST(Jets, GiveWhatApproachThrustAndAttitudeAskForTogether) {
  Random random(9);
  for (int i = 0; i < 10; ++i) {
    const State a = random_state(random, 3, 0.02), b = random_state(random, 3, 0.02);
    System<double> system;
    add_port(system, "chaser.probe", add_craft(system, "chaser", a), random.vector());
    add_port(system, "target.cone", add_craft(system, "target", b), random.vector());
    system.add_force(jets());
    Approach<double> law = approach(0.1, 1);
    law.axes = "port";
    law.thrusters = "jets";
    law.centre = {0.05, 0, 0.02};
    law.distance.value = 2;
    system.add_control(law);
    Thrust<double> burn = thrust("body", {0, 1, 0});
    burn.thrusters = "jets";
    burn.force.value = 0.1;
    burn.centre = {0, 0, 0.1};
    system.add_control(burn);
    AttitudeControl<double> attitude = pointing("attitude");
    attitude.thrusters = "jets";
    attitude.K = 0.1;
    attitude.P = 1;
    attitude.inertia = {};
    system.add_control(attitude);
    HybridRun run(system, {});
    const Workspace<double>& w = run.observe();
    const auto output = [&]<class C>(const C& c) {
      std::vector<double> o(static_cast<std::size_t>(c.output_count())), z(3);
      c.find_output({run.system().model, w.motion, w.command}, z.data(), o.data());
      return V{o[0], o[1], o[2]};
    };
    const auto& controls = run.system().controls;
    const V f = output(std::get<std::vector<Approach<double>>>(controls)[0]);
    const V g = output(std::get<std::vector<Thrust<double>>>(controls)[0]);
    const V L = output(std::get<std::vector<AttitudeControl<double>>>(controls)[0]);
    ASSERT_LT(norm(f), 1.5) << "within what the jets can do";
    const V torque = cross(law.centre, f) + cross(burn.centre, g) + L;
    EXPECT_LT(norm(w.external.body(1).force - a.R() * (f + g)), 1e-12);
    EXPECT_LT(norm(w.external.body(1).torque - a.R() * torque), 1e-12);
    EXPECT_EQ(w.external.body(2).force, V{});
  }
}

// A pulse per second has the impulse that was asked for, or none below half the shortest.
TEST(Jets, PulsesHaveTheImpulseAskedForAndNoneTooShort) {
  const auto impulse = [](double force, double seconds) {
    System<double> system;
    add_craft(system, "chaser", {});
    ThrusterSet<double> set = jets();
    set.sample_time = 1;
    set.minimum_on_time = 0.02;
    system.add_force(set);
    Thrust<double> burn = thrust("body", {1, 0, 0});
    burn.thrusters = "jets";
    burn.force.value = force;
    system.add_control(burn);
    HybridRun run(system, tight());
    run.advance(seconds);
    return 100.0 * run.observe().motion.body(1).v_BN_N;
  };
  // Two jets of 2 N each.
  EXPECT_LT(norm(impulse(1, 7) - V{7, 0, 0}), 1e-11);
  EXPECT_LT(norm(impulse(4, 7) - V{28, 0, 0}), 1e-11);
  EXPECT_LT(norm(impulse(9, 7) - V{28, 0, 0}), 1e-11) << "no more than they have";
  EXPECT_LT(norm(impulse(1, 0.1) - V{0.4, 0, 0}), 1e-12) << "first of all they are open";
  EXPECT_LT(norm(impulse(0.039, 7)), 1e-12) << "9.75 ms are dropped";
  EXPECT_LT(norm(impulse(0.06, 7) - V{7 * 0.08, 0, 0}), 1e-11) << "15 ms are 20 ms";
}

// A sampled approach through pulsed thrusters comes to its place all the same.
TEST(Jets, HoldAStation) {
  System<double> system = station({0, 0, 1}, 20, kMass);
  system.add_force(jets());
  Approach<double> law = std::get<std::vector<Approach<double>>>(system.controls)[0];
  std::get<std::vector<Approach<double>>>(system.controls).clear();
  std::get<std::vector<ThrusterSet<double>>>(system.forces)[0].sample_time = 1;
  std::get<std::vector<ThrusterSet<double>>>(system.forces)[0].minimum_on_time = 0.002;
  law.thrusters = "jets";
  law.sample_time = 0.2;
  law.latency = 0.2;
  law.distance.value = 21;
  system.add_control(law);
  HybridRun run(system, tight(1e-9));
  ASSERT_TRUE(run.advance(600).completed());
  EXPECT_LT(norm(relative_of(run).rho_F - V{0, 0, 21}), 0.02);
}

}  // namespace
}  // namespace berth
