// SPDX-License-Identifier: Apache-2.0

// Relative flight: the approach controller in both its axes.

#include "berth/control/approach.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "tests/control/two_craft.h"
#include "tests/support/runs.h"

namespace berth::approach_test {
namespace {

using namespace two_craft;
using test::attitude_error;
using test::tight;

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
    EXPECT_LT(norm(relative_of(run).rho_F - transpose(F) * rho), 1e-12);
    EXPECT_LT(norm(relative_of(run).rho_dot_F - transpose(F) * (v - cross(w, rho))), 1e-12);
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
    const V e = rho - s * d, e_dot = rho_dot - s_1 * d;
    const V wanted = transpose(a.R()) * (120.0 * feed - 3.0 * e - 40.0 * e_dot);
    EXPECT_LT(norm(outputs(run) - wanted), 1e-11 * norm(wanted));
    EXPECT_LT(norm(hill_from_lvlh(relative_of(run).rho_F) - rho), 1e-12);
    EXPECT_LT(norm(hill_from_lvlh(relative_of(run).rho_dot_F) - rho_dot), 1e-12);
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
    System<double> s = system;
    try {
      change(law);
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
  EXPECT_EQ(refusal([](A& l) { l.thrusters = "jets"; }),
            "approach: no thruster set named jets; there is none");
  EXPECT_EQ(refusal([](A& l) { l.distance.type = "glideslope"; }),
            "approach: a glideslope needs rates that lead from `from` to `to`");
}

// --- holding a place in orbit --------------------------------------------------------------------

// Where the chaser comes to rest, against where it should be, in LVLH.
V find_rest(const V& d_L, double far, double mass) {
  HybridRun run(station(d_L, far, mass), tight());
  EXPECT_TRUE(run.advance(1500).completed());
  EXPECT_LT(norm(relative_of(run).rho_dot_F), 1e-7) << "at rest";
  return relative_of(run).rho_F - far * d_L;
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
        worst = std::max(worst, norm(relative_of(run).rho_F - law.distance.at(t, t).value * d));
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
TEST(ApproachToATurningPort, FliesAroundWithIt) {
  HybridRun run(merry_go_round(kMass, 10), tight());
  for (const double t : {90.0, 200.0, 360.0, 720.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_LT(norm(relative_of(run).rho_F - V{10, 0, 0}), 1e-8) << t;
    EXPECT_LT(norm(relative_of(run).rho_dot_F), 1e-9);
    EXPECT_LT(norm(attitude_error(run).sigma), 1e-9);
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

}  // namespace
}  // namespace berth::approach_test
