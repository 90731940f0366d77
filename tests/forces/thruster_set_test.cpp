// SPDX-License-Identifier: Apache-2.0
#include "berth/forces/thruster_set.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"

namespace berth::thruster_set_test {
namespace {

using test::Random;
using V = Vec3<double>;

// Two thrusters on each of six faces of a cube, twisted against each other: any small wrench can be
// made.
ThrusterSet<double> cube(double thrust = 10) {
  ThrusterSet<double> s;
  s.name = "rcs";
  s.body = "hub";
  const V x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const V n[3] = {x, y, z}, t[3] = {y, z, x};
  for (int k = 0; k < 3; ++k)
    for (double face : {1.0, -1.0})
      for (double side : {0.5, -0.5}) {
        Thruster<double> one;
        one.position = face * n[k] + side * t[k];
        one.direction = -face * n[k];
        one.thrust = thrust;
        s.thruster.push_back(one);
      }
  return s;
}

Model<double> hub_model() {
  Model<double> model;
  model.add_body(test::hub_spec<double>("hub"));
  return model;
}
void bind(ThrusterSet<double>& s) {
  Findings none;
  s.bind(hub_model(), none);
}

Wrench<double> wrench_of(const ThrusterSet<double>& s, const std::vector<double>& level) {
  Wrench<double> w{};
  for (std::size_t i = 0; i < level.size(); ++i) {
    const V f = level[i] * s.thruster[i].thrust * s.thruster[i].direction;
    w += Wrench<double>{cross(s.thruster[i].position, f), f};
  }
  return w;
}
std::vector<double> levels_of(const ThrusterSet<double>& s, const Wrench<double>& w) {
  std::vector<double> level(s.thruster.size());
  s.find_levels(w, level.data());
  return level;
}

RC_GTEST_PROP(ThrusterSet, AWrenchWithinItsPowersIsGivenExactly, (unsigned seed)) {
  Random random(seed);
  ThrusterSet<double> s = cube();
  bind(s);
  // What some thrusters make together can be made.
  std::vector<double> some(s.thruster.size());
  for (double& l : some) l = random.integer(0, 2) == 0 ? random.number(0, 0.2) : 0.0;
  const Wrench<double> w = wrench_of(s, some);
  const std::vector<double> level = levels_of(s, w);
  const Wrench<double> made = wrench_of(s, level);
  RC_ASSERT(norm(made.force - w.force) < 1e-11);
  RC_ASSERT(norm(made.torque - w.torque) < 1e-11);
  for (double l : level) RC_ASSERT(l >= -1e-15 && l <= 1);
}

RC_GTEST_PROP(ThrusterSet, BeyondItsPowersTheDirectionIsKept, (unsigned seed)) {
  Random random(seed);
  ThrusterSet<double> s = cube();
  bind(s);
  const Wrench<double> w{random.vector(200), random.vector(200)};
  RC_PRE(norm(w.force) > 30);
  const std::vector<double> level = levels_of(s, w);
  const Wrench<double> made = wrench_of(s, level);
  RC_ASSERT(*std::max_element(level.begin(), level.end()) <= 1);
  RC_ASSERT(*std::max_element(level.begin(), level.end()) > 1 - 1e-15);
  const double share = dot(made.force, w.force) / norm_squared(w.force);
  RC_ASSERT(share > 0 && share < 1);
  RC_ASSERT(norm(made.force - share * w.force) < 1e-9);
  RC_ASSERT(norm(made.torque - share * w.torque) < 1e-9);
}

TEST(ThrusterSet, WeakThrustersReachTheirLimitFirst) {
  ThrusterSet<double> s = cube();
  s.thruster[2].thrust = 1;  // one of the two that push along +x
  bind(s);
  const std::vector<double> level = levels_of(s, {{0, 0, 0}, {8, 0, 0}});
  EXPECT_NEAR(level[2], 1, 1e-14);
  EXPECT_NEAR(level[3], 0.1, 1e-13);
  EXPECT_NEAR(wrench_of(s, level).force.x, 2, 1e-13);
  EXPECT_LT(norm(wrench_of(s, level).torque), 1e-13);
}

TEST(ThrusterSet, WhatCannotBeMadeIsMadeAsNearAsPossible) {
  ThrusterSet<double> s;
  s.body = "hub";
  Thruster<double> one;
  one.position = {1, 0, 0};
  one.direction = {0, 1, 0};
  one.thrust = 100;
  s.thruster = {one};
  bind(s);
  EXPECT_EQ(levels_of(s, {{0, 0, 0}, {0, -5, 0}})[0], 0);  // it cannot pull
  // Force 5 along it asked, torque not: torque and force weigh alike, so half of it is given.
  EXPECT_NEAR(levels_of(s, {{0, 0, 0}, {0, 5, 0}})[0] * 100, 2.5, 1e-13);
}

TEST(ThrusterSet, NothingAskedNothingOpen) {
  ThrusterSet<double> s = cube();
  bind(s);
  for (double l : levels_of(s, {})) EXPECT_EQ(l, 0);
}

TEST(ThrusterSet, PulsesAreDroppedStretchedOrAsAsked) {
  ThrusterSet<double> s;
  s.sample_time = 0.5;
  s.minimum_on_time = 0.1;
  EXPECT_EQ(s.find_on_time(0), 0);
  EXPECT_EQ(s.find_on_time(0.05), 0);    // 25 ms: less than half of the shortest
  EXPECT_EQ(s.find_on_time(0.12), 0.1);  // 60 ms: stretched
  EXPECT_EQ(s.find_on_time(0.5), 0.25);  // as asked
  EXPECT_EQ(s.find_on_time(1), 0.5);     // the whole period
  EXPECT_EQ(s.find_on_time(-1e-17), 0);
  s.minimum_on_time = 0;
  EXPECT_EQ(s.find_on_time(1e-6), 0.5e-6);
}

TEST(ThrusterSet, WhatCannotBeMeantIsRefused) {
  System<double> system;
  system.model = hub_model();
  const auto refusal = [&](const ThrusterSet<double>& s) -> std::string {
    try {
      system.add_force(s);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  ThrusterSet<double> s = cube();
  EXPECT_EQ(refusal(s), "");
  s.body = "bus";
  EXPECT_EQ(refusal(s), "thruster_set: no body named bus; did you mean hub?");
  s = cube();
  s.thruster.resize(64);
  EXPECT_EQ(refusal(s), "");
  s.thruster.resize(65);
  EXPECT_EQ(refusal(s), "thruster_set: at most 64 thrusters, not 65");
}

// --- in a run ------------------------------------------------------------------------------------

constexpr double kInertia = 1e6;  // so heavy that its attitude hardly changes

// Two pairs about z: levels are (torque/2)/thrust each.
ThrusterSet<double> about_z(double thrust, double sample_time) {
  ThrusterSet<double> s;
  s.name = "rcs";
  s.body = "hub";
  for (double side : {1.0, -1.0})
    for (double turn : {1.0, -1.0}) {
      Thruster<double> one;
      one.position = {0, side, 0};
      one.direction = {-side * turn, 0, 0};
      one.thrust = thrust;
      s.thruster.push_back(one);
    }
  s.sample_time = sample_time;
  return s;
}

// Asks for a steady torque about +z: an error far away with the torque limit as the answer.
AttitudeControl<double> steady_torque(double torque) {
  AttitudeControl<double> c;
  c.body = "hub";
  c.thrusters = "rcs";
  c.K = 1e9;
  c.max_torque = torque;
  c.attitude = quaternion_from_rotation_vector(V{0, 0, 1.5});
  return c;
}

struct Case {
  System<double> system;
  Case(const ThrusterSet<double>& set, const AttitudeControl<double>& control) {
    system.model.add_body(test::hub_spec<double>("hub", 1e4, Sym3<double>::diagonal(kInertia)));
    system.add_force(set);
    system.add_control(control);
  }
  // Angular impulse about z given so far [N·m·s].
  static double impulse(const HybridRun& run) {
    return kInertia * run.x()[static_cast<std::size_t>(run.system().layout().v) + 5];
  }
};

TEST(ThrusterSet, ContinuousThrustIsTheTorqueAsked) {
  const Case c(about_z(10, 0), steady_torque(7));
  HybridRun run(c.system, {});
  const Workspace<double>& w = run.observe();
  EXPECT_LT(norm(w.external.body(1).torque - V{0, 0, 7}), 1e-13);
  EXPECT_LT(norm(w.external.body(1).force), 1e-13);
  ASSERT_TRUE(run.advance(10).completed());
  EXPECT_NEAR(Case::impulse(run), 70, 1e-8);
}

TEST(ThrusterSet, PulsesGiveTheImpulseAskedPeriodByPeriod) {
  const double T = 0.5, L = 7, F = 10;  // level 0.35, open for 0.175 s
  const Case c(about_z(F, T), steady_torque(L));
  HybridRun run(c.system, {});
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(run.advance(k * T + 0.1).completed());
    EXPECT_NEAR(Case::impulse(run), k * L * T + 2 * F * 0.1, 1e-8) << k;
    ASSERT_TRUE(run.advance(k * T + 0.3).completed());
    EXPECT_NEAR(Case::impulse(run), (k + 1) * L * T, 1e-8) << k;
  }
  EXPECT_LT(run.audit().angular_momentum, 1e-11);
}

TEST(ThrusterSet, PulsesShorterThanTheShortestAreStretchedOrDropped) {
  for (const auto& [L, on] :
       {std::pair{7.0, 0.2}, std::pair{3.0, 0.0}, std::pair{4.2, 0.2}, std::pair{9.0, 0.225}}) {
    ThrusterSet<double> s = about_z(10, 0.5);
    s.minimum_on_time = 0.2;
    const Case c(s, steady_torque(L));
    HybridRun run(c.system, {});
    ASSERT_TRUE(run.advance(5).completed());
    EXPECT_NEAR(Case::impulse(run), 10 * 20 * on, 1e-8) << L;
  }
}

TEST(ThrusterSet, AtFullLevelTheValvesStayOpen) {
  const Case c(about_z(10, 0.1), steady_torque(35));  // more than 20
  HybridRun run(c.system, {});
  ASSERT_TRUE(run.advance(3).completed());
  EXPECT_NEAR(Case::impulse(run), 60, 1e-8);
}

// A level one rounding below full: the valve closes at what is, to the rounding, the very moment of
// the next cycle. The cycle must win whatever the last bits of the two times say.
TEST(ThrusterSet, AlmostAtFullLevelNoPulseIsLost) {
  for (double T : {0.1, 0.07, 0.3, 0.7, 0.013}) {
    for (int ulps = 0; ulps <= 6; ++ulps) {
      const double L = 20 * (1 - ulps * 1.1102230246251565e-16);
      const Case c(about_z(10, T), steady_torque(L));
      HybridRun run(c.system, {});
      ASSERT_TRUE(run.advance(100.5 * T).completed());
      ASSERT_NEAR(Case::impulse(run), 20 * 100.5 * T, 1e-6 * T) << T << ", " << ulps << " ulps";
    }
  }
}

// A word that arrives at the moment of a cycle counts in that cycle.
TEST(ThrusterSet, ACommandThatArrivesWithTheCycleCountsInIt) {
  const double T = 0.1, latency = 0.2, L = 7;
  for (int k = 1; k <= 60; ++k) {
    AttitudeControl<double> control = steady_torque(L);
    control.attitude = {1, 0, 0, 0};
    control.angle.type = "step";
    control.angle.to = 1.5;
    control.angle.start = (k - 0.5) * T;  // sample k is the first to see it
    control.sample_time = T;
    control.latency = latency;
    const Case c(about_z(10, T), control);
    HybridRun run(c.system, {});
    ASSERT_TRUE(run.advance((k + 1.5) * T).completed());
    ASSERT_NEAR(Case::impulse(run), 0, 1e-9) << k;
    ASSERT_TRUE(run.advance((k + 2.9) * T).completed());
    ASSERT_NEAR(Case::impulse(run), L * T, 1e-8) << "sample " << k;
  }
}

TEST(ThrusterSet, TwoSetsEachGetTheirOwn) {
  System<double> system;
  system.model.add_body(test::hub_spec<double>("hub", 1e4, Sym3<double>::diagonal(kInertia)));
  ThrusterSet<double> a = about_z(10, 0), b = about_z(50, 0);
  a.name = "small";
  b.name = "large";
  system.add_force(a);
  system.add_force(b);
  AttitudeControl<double> control = steady_torque(30);
  control.thrusters = "large";
  system.add_control(control);
  HybridRun run(system, {});
  const Workspace<double>& w = run.observe();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(w.command.levels[i], 0);
  EXPECT_NEAR(w.external.body(1).torque.z, 30, 1e-12);
  control.thrusters = "medium";
  EXPECT_THROW(system.add_control(control), std::invalid_argument);
}

}  // namespace
}  // namespace berth::thruster_set_test
