// SPDX-License-Identifier: Apache-2.0

// Attitudes that follow the orbit or another craft.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/control/two_craft.h"
#include "tests/support/runs.h"

namespace berth::follow_test {
namespace {

using namespace two_craft;
using test::attitude_error;
using test::tight;

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
      EXPECT_LT(norm(attitude_error(run).sigma), 1e-9) << t;
      EXPECT_LT(norm(attitude_error(run).omega_e), 1e-10) << t;
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
    EXPECT_LT(norm(attitude_error(run).sigma), 1e-9) << t;
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
  EXPECT_NEAR(norm(attitude_error(run).sigma), 2 * std::sin(0.3), 1e-12);
  ASSERT_TRUE(run.advance(400).completed());
  EXPECT_LT(norm(attitude_error(run).sigma), 1e-5);
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
      EXPECT_LT(norm(attitude_error(run).sigma), 1e-9) << t;
      EXPECT_LT(norm(attitude_error(run).omega_e), 1e-10) << t;
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

}  // namespace
}  // namespace berth::follow_test
