// SPDX-License-Identifier: Apache-2.0

// Wanted forces, alone and through thrusters.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/control/two_craft.h"
#include "tests/support/runs.h"

namespace berth::thrust_test {
namespace {

using namespace two_craft;
using test::tight;

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
}  // namespace berth::thrust_test
