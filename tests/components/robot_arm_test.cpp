// SPDX-License-Identifier: Apache-2.0
#include "berth/components/robot_arm.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/runs.h"

namespace berth::robot_arm_test {
namespace {

using test::tight;
using V = Vec3<double>;

ArmLink<double> plain_link(double mass = 4, double length = 1.2) {
  ArmLink<double> l;
  l.axis = {0, 0, 1};
  l.mass = mass;
  l.centre_of_mass = {0.5 * length, 0, 0};
  l.inertia =
      Sym3<double>::diagonal(0.01, mass * length * length / 12, mass * length * length / 12);
  return l;
}

JointPd<double> rate_control(const std::string& joint, double rate, double gain) {
  JointPd<double> c;
  c.joints = {joint};
  c.damping = gain;
  Profile<double> ramp;
  ramp.type = "table";
  ramp.times = {0, 1e6};
  ramp.values = {0, 1e6 * rate};
  c.reference = {ramp};
  return c;
}

TEST(RobotArm, IsAChainOfLinksOnRevoluteJoints) {
  RobotArm<double> arm;
  arm.link = {plain_link(4, 1.2), plain_link(3, 1.0), plain_link(2, 0.8)};
  arm.link[0].position = {1, 2, 3};
  arm.link[0].axis = {0, 0, 2};
  arm.link[1].position = {1.2, 0, 0};
  arm.link[1].axis = {0, 1, 0};
  arm.link[1].angle = 0.3;
  arm.link[2].position = {1.0, 0, 0};
  arm.link[2].rate = -0.7;
  Model<double> model;
  const int hub = model.add_body(test::hub_spec<double>("hub"));
  arm.build(model, hub, "arm");
  ASSERT_EQ(model.body_count(), 5);
  EXPECT_EQ(model.find_body("arm.link1"), 2);
  EXPECT_EQ(model.find_body("arm.link2"), 3);
  EXPECT_EQ(model.find_body("arm.link3"), 4);
  EXPECT_EQ(arm.last_body(), 4);
  EXPECT_EQ(model.body(2).parent, hub);
  EXPECT_EQ(model.body(3).parent, 2);
  EXPECT_EQ(model.body(4).parent, 3);
  for (int i = 2; i < 5; ++i) {
    EXPECT_EQ(model.body(i).joint, JointType::revolute);
    EXPECT_EQ(model.body(i).R_PF, Mat3<double>::identity());
    EXPECT_EQ(arm.link[static_cast<std::size_t>(i - 2)].joint, model.body(i).v);
  }
  EXPECT_EQ(model.body(2).r_FP_P, (V{1, 2, 3}));
  EXPECT_EQ(model.body(2).axis_P, (V{0, 0, 1}));
  EXPECT_EQ(model.body(3).axis_P, (V{0, 1, 0}));
  EXPECT_EQ(model.body(3).mass, 3);
  EXPECT_EQ(model.body(4).r_CB_B, (V{0.4, 0, 0}));
  EXPECT_EQ(model.q0, (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 0, 0.3, 0}));
  EXPECT_EQ(model.v0.back(), -0.7);
}

TEST(RobotArm, WithoutLinksItIsTheBodyThatCarriesIt) {
  RobotArm<double> arm;
  Model<double> model;
  const int hub = model.add_body(test::hub_spec<double>("hub"));
  arm.build(model, hub, "arm");
  EXPECT_EQ(arm.last_body(), hub);
  EXPECT_EQ(model.body_count(), 2);
}

TEST(RobotArm, MotorObeysUpToItsLimit) {
  ArmLink<double> l = plain_link();
  EXPECT_EQ(RobotArm<double>::motor_torque(l, 1e6), 1e6);
  l.max_torque = 3;
  EXPECT_EQ(RobotArm<double>::motor_torque(l, 2), 2);
  EXPECT_EQ(RobotArm<double>::motor_torque(l, 5), 3);
  EXPECT_EQ(RobotArm<double>::motor_torque(l, -5), -3);
}

TEST(RobotArm, UnderAConstantMotorTorqueOneLinkSpeedsUpSteadily) {
  RobotArm<double> arm;
  arm.link = {plain_link()};
  arm.link[0].max_torque = 2;
  System<double> system;
  system.add_component(arm, kGround, "arm");
  system.add_control(rate_control("arm.link1", 1e4, 100));  // asks for far more than the limit
  HybridRun run(system, tight());
  const double I = 4 * 1.2 * 1.2 / 3;
  ASSERT_TRUE(run.advance(3).completed());
  EXPECT_NEAR(run.x()[0], 0.5 * 2 / I * 9, 1e-10);
  EXPECT_NEAR(run.x()[1], 2 / I * 3, 1e-10);
}

TEST(RobotArm, FrictionLimitsTheRate) {
  RobotArm<double> arm;
  arm.link = {plain_link()};
  arm.link[0].max_torque = 2;
  arm.link[0].friction = 5;
  System<double> system;
  system.add_component(arm, kGround, "arm");
  system.add_control(rate_control("arm.link1", 1e4, 100));
  HybridRun run(system, tight());
  const double I = 4 * 1.2 * 1.2 / 3;
  for (double t : {0.1, 0.5, 3.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_NEAR(run.x()[1], 2.0 / 5 * (1 - std::exp(-5 / I * t)), 1e-11);
  }
  EXPECT_LT(run.audit().energy, 1e-11);
}

// The mass matrix of the planar two-link arm as every textbook has it.
TEST(RobotArm, OfTwoLinksHasTheMassMatrixOfTheTextbook) {
  const double m1 = 4, m2 = 3, l1 = 1.2, l2 = 1.0, q2 = 0.9;
  RobotArm<double> arm;
  arm.link = {plain_link(m1, l1), plain_link(m2, l2)};
  arm.link[1].position = {l1, 0, 0};
  arm.link[0].angle = -0.4;
  arm.link[1].angle = q2;
  System<double> system;
  system.add_component(arm, kGround, "arm");
  HybridRun run(system, {});
  std::vector<double> M(4);
  find_mass_matrix<double>(system.model, run.observe().motion, M);
  const double I1 = m1 * l1 * l1 / 12, I2 = m2 * l2 * l2 / 12, c1 = l1 / 2, c2 = l2 / 2;
  const double M22 = m2 * c2 * c2 + I2;
  const double M12 = M22 + m2 * l1 * c2 * std::cos(q2);
  const double M11 = I1 + m1 * c1 * c1 + m2 * l1 * l1 + 2 * M12 - M22;
  EXPECT_NEAR(M[0], M11, 1e-13);
  EXPECT_NEAR(M[1], M12, 1e-13);
  EXPECT_NEAR(M[2], M12, 1e-13);
  EXPECT_NEAR(M[3], M22, 1e-13);
}

// Its free motion by the textbook's Coriolis term h = −m₂ l₁ c₂ sin q₂.
TEST(RobotArm, OfTwoLinksMovesAsTheTextbookSays) {
  const double m2 = 3, l1 = 1.2, l2 = 1.0, q2 = 0.9, r1 = 1.5, r2 = -2.0;
  RobotArm<double> arm;
  arm.link = {plain_link(4, l1), plain_link(m2, l2)};
  arm.link[1].position = {l1, 0, 0};
  arm.link[1].angle = q2;
  arm.link[0].rate = r1;
  arm.link[1].rate = r2;
  System<double> system;
  system.add_component(arm, kGround, "arm");
  HybridRun run(system, {});
  const Workspace<double>& now = run.observe();
  std::vector<double> M(4);
  find_mass_matrix<double>(system.model, now.motion, M);
  const double h = -m2 * l1 * l2 / 2 * std::sin(q2);
  const double a1 = now.v_dot[0], a2 = now.v_dot[1];
  EXPECT_NEAR(M[0] * a1 + M[1] * a2 + h * (2 * r1 * r2 + r2 * r2), 0, 1e-12);
  EXPECT_NEAR(M[2] * a1 + M[3] * a2 - h * r1 * r1, 0, 1e-12);
}

TEST(RobotArm, OnAFreeHubItsMotorsKeepTheMomentum) {
  System<double> system;
  const int hub = system.model.add_body(test::hub_spec<double>("hub", 60, {8, 9, 10, 0, 0, 0}));
  RobotArm<double> arm;
  arm.link = {plain_link(), plain_link()};
  arm.link[0].position = {0.5, 0.2, 0};
  arm.link[1].position = {1.2, 0, 0};
  arm.link[1].axis = {0, 1, 0};
  system.add_component(arm, hub, "arm");
  system.add_control(rate_control("arm.link1", 0.5, 20));
  system.add_control(rate_control("arm.link2", -0.8, 20));
  HybridRun run(system, tight());
  ASSERT_TRUE(run.advance(5).completed());
  const Momentum<double> p = find_momentum(system.model, run.observe().motion);
  EXPECT_LT(norm(p.linear), 1e-10);
  EXPECT_LT(norm(p.angular), 1e-10);
  EXPECT_GT(std::fabs(run.x()[7]), 1.0);
  EXPECT_LT(run.audit().energy, 1e-10);
}

TEST(RobotArm, PowerIsMotorTorqueTimesRate) {
  RobotArm<double> arm;
  arm.link = {plain_link(), plain_link()};
  arm.link[0].rate = 2;
  arm.link[1].rate = -3;
  arm.link[0].friction = 0.5;
  arm.link[1].max_torque = 1;
  System<double> system;
  const RobotArm<double> built = system.add_component(arm, kGround, "arm");
  Workspace<double> w(system);
  const std::vector<double> x = find_initial_state(system);
  motion_stage<double>(system, 0, x, {}, w);
  w.command.joint = {10, 10};
  const Instant<double> now{system.model, w.motion, w.command};
  EXPECT_DOUBLE_EQ(built.power_supplied(now), 10 * 2 + 1 * -3.0);
  EXPECT_DOUBLE_EQ(built.power_lost(now), 0.5 * 4);
  effort_stage(system, w);
  EXPECT_DOUBLE_EQ(w.internal.tau[0], 10 - 0.5 * 2);
  EXPECT_DOUBLE_EQ(w.internal.tau[1], 1);
}

}  // namespace
}  // namespace berth::robot_arm_test
