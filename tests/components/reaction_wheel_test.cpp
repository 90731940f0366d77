// SPDX-License-Identifier: Apache-2.0
#include "berth/components/reaction_wheel.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"

namespace berth::reaction_wheel_test {
namespace {

using test::tight;
using V = Vec3<double>;

ReactionWheel<double> plain_wheel(const V& axis = {0, 0, 1}) {
  ReactionWheel<double> w;
  w.axis = axis;
  w.mass = 10;
  w.inertia_spin = 0.2;
  w.inertia_transverse = 0.12;
  return w;
}

// A motor command of gain·(rate − Ω).
JointPd<double> speed_control(const std::string& wheel, double rate, double gain) {
  JointPd<double> c;
  c.joints = {wheel};
  c.damping = gain;
  Profile<double> ramp;  // a straight line has the wanted rate
  ramp.type = "table";
  ramp.times = {0, 1e6};
  ramp.values = {0, 1e6 * rate};
  c.reference = {ramp};
  return c;
}

double angular_momentum_error(HybridRun& run, const Momentum<double>& before) {
  const Momentum<double> h = find_momentum(run.system().model, run.observe().motion);
  return norm(h.angular - before.angular);
}

TEST(ReactionWheel, IsOneSpinningBodyWithTheMassPropertiesItWasGiven) {
  ReactionWheel<double> w = plain_wheel({0, 2, 0});
  w.position = {0.1, 0.2, 0.3};
  w.static_imbalance = 0.05;
  w.dynamic_imbalance = 0.003;
  w.speed = 40;
  w.angle = 0.5;
  Model<double> model;
  const int hub = model.add_body(test::hub_spec<double>("hub"));
  w.build(model, hub, "wheel");
  ASSERT_EQ(model.body_count(), 3);
  EXPECT_EQ(w.last_body(), model.find_body("wheel"));
  const Body<double>& b = model.body(w.last_body());
  EXPECT_EQ(b.parent, hub);
  EXPECT_EQ(b.joint, JointType::revolute);
  EXPECT_TRUE(b.spins);
  EXPECT_EQ(b.mass, 10);
  EXPECT_EQ(b.r_FP_P, (V{0.1, 0.2, 0.3}));
  EXPECT_EQ(b.r_CB_B, (V{0.005, 0, 0}));
  EXPECT_EQ(b.I_C_B, (Sym3<double>{0.12, 0.12, 0.2, 0, 0.003, 0}));
  EXPECT_LT(norm(b.axis_P - V{0, 1, 0}), 1e-15);
  EXPECT_EQ(model.v0.back(), 40);
  EXPECT_EQ(model.q0.back(), 0.5);
}

// A disc: J_t 1 + (J_s − J_t) ĝ ĝᵀ in the hub's axes, whatever frame the rotor chose for itself.
TEST(ReactionWheel, InTheHubsAxesItIsADiscAboutItsAxis) {
  test::Random random(1);
  std::vector<V> axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  axes.push_back(normalised(V{0.6, 0.8, 0}));
  for (int i = 0; i < 30; ++i) axes.push_back(random.direction());
  for (const V& g : axes) {
    ReactionWheel<double> w = plain_wheel(g);
    Model<double> model;
    w.build(model, kGround, "wheel");
    const Body<double>& b = model.body(w.last_body());
    EXPECT_LT(norm(b.axis_P - g), 1e-15);
    const Sym3<double> I_B = rotate(b.R_PF, b.I_C_B);
    const Sym3<double> wanted = Sym3<double>::diagonal(0.12) + (0.2 - 0.12) * outer(g);
    for (const V& e : {V{1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}})
      EXPECT_LT(norm((I_B - wanted) * e), 1e-16);
    // A proper frame: right-handed and orthogonal.
    EXPECT_LT(norm(cross(b.R_PF.column_x(), b.R_PF.column_y()) - b.R_PF.column_z()), 1e-15);
  }
}

TEST(ReactionWheel, MotorObeysUpToItsLimit) {
  ReactionWheel<double> w = plain_wheel();
  EXPECT_EQ(w.motor_torque(123.0, 0.0), 123.0);  // no limit
  w.max_torque = 0.5;
  EXPECT_EQ(w.motor_torque(0.3, 10.0), 0.3);
  EXPECT_EQ(w.motor_torque(0.7, 10.0), 0.5);
  EXPECT_EQ(w.motor_torque(-0.7, 10.0), -0.5);
}

TEST(ReactionWheel, MotorFadesOverTheLastHundredthBelowItsSpeedLimitAndBrakesInFull) {
  ReactionWheel<double> w = plain_wheel();
  w.max_speed = 200;
  for (double sign : {1.0, -1.0}) {
    EXPECT_DOUBLE_EQ(w.motor_torque(sign * 1.0, sign * 197.0), sign * 1.0);
    EXPECT_NEAR(w.motor_torque(sign * 1.0, sign * 199.0), sign * 0.5, 1e-12);
    EXPECT_EQ(w.motor_torque(sign * 1.0, sign * 200.0), 0.0);
    EXPECT_EQ(w.motor_torque(sign * 1.0, sign * 250.0), 0.0);
    EXPECT_EQ(w.motor_torque(-sign * 1.0, sign * 200.0), -sign * 1.0);
    EXPECT_EQ(w.motor_torque(-sign * 1.0, sign * 250.0), -sign * 1.0);
  }
}

TEST(ReactionWheel, FrictionIsViscousPlusSmoothedDry) {
  ReactionWheel<double> w = plain_wheel();
  w.viscous_friction = 0.01;
  w.coulomb_friction = 0.2;
  w.coulomb_speed = 0.5;
  EXPECT_DOUBLE_EQ(w.friction_torque(0.0), 0.0);
  EXPECT_DOUBLE_EQ(w.friction_torque(0.5), 0.005 + 0.2 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(w.friction_torque(-0.5), -w.friction_torque(0.5));
  EXPECT_NEAR(w.friction_torque(1000.0), 10.2, 1e-7);
}

// One axis, wheel on the hub's z axis: ω (I + J_s) + J_s Ω = 0 all the time.
TEST(ReactionWheel, SpinUpTurnsTheHubBackAndKeepsTheAngularMomentum) {
  System<double> system;
  const int hub = system.model.add_body(test::hub_spec<double>("hub", 100, {8, 9, 10, 0, 0, 0}));
  ReactionWheel<double> w = plain_wheel();
  w.position = {0, 0, 0.4};
  system.add_component(w, hub, "wheel");
  system.add_control(speed_control("wheel", 300, 0.05));
  HybridRun run(system, tight());
  ASSERT_TRUE(run.advance(60).completed());
  const double omega = run.x()[static_cast<std::size_t>(system.layout().v + 5)];
  const double Omega = run.x()[static_cast<std::size_t>(system.layout().v + 6)];
  EXPECT_GT(Omega, 290);
  EXPECT_NEAR(omega * (10 + 0.2) + 0.2 * Omega, 0, 1e-10);
  EXPECT_LT(angular_momentum_error(run, {}), 1e-10);
  EXPECT_LT(run.audit().energy, 1e-10);
}

TEST(ReactionWheel, ThreeDimensionalSpinUpOfATumblingCraftKeepsTheAngularMomentum) {
  System<double> system;
  BodySpec<double> spec = test::hub_spec<double>("hub", 100, {8, 9, 10, 0.5, -0.2, 0.3});
  spec.v = {0.1, 0, -0.2, 0.3, -0.2, 0.25};
  const int hub = system.model.add_body(spec);
  ReactionWheel<double> w = plain_wheel(normalised(V{1, 2, -1}));
  w.position = {0.3, -0.2, 0.4};
  w.static_imbalance = 0.01;
  w.dynamic_imbalance = 0.002;
  system.add_component(w, hub, "wheel");
  system.add_control(speed_control("wheel", 50, 0.05));
  HybridRun run(system, tight());
  const Momentum<double> before = find_momentum(system.model, run.observe().motion);
  ASSERT_TRUE(run.advance(10).completed());
  EXPECT_LT(angular_momentum_error(run, before), 1e-9);
  EXPECT_LT(run.audit().angular_momentum, 1e-11);
  EXPECT_LT(run.audit().energy, 1e-10);
}

// The bearing of a wheel on the ground carries U_s Ω² and U_d Ω², turning with the rotor.
TEST(ReactionWheel, ImbalanceLoadsItsBearingWithTheSquareOfTheSpeed) {
  for (double angle : {0.0, 0.7, 2.0, -3.0}) {
    ReactionWheel<double> w = plain_wheel(normalised(V{1, -1, 2}));
    w.static_imbalance = 4e-3;
    w.dynamic_imbalance = 1.5e-3;
    w.speed = 120;
    w.angle = angle;
    System<double> system;
    const int body = system.add_component(w, kGround, "wheel").last_body();
    HybridRun run(system, {});
    const Workspace<double>& now = run.observe();
    const Wrench<double> load = find_joint_wrench(system.model, now.motion, now.articulated, body);
    const Mat3<double>& R_NW = now.motion.body(body).R_NB;
    const double square_speed = 120.0 * 120.0;
    EXPECT_LT(norm(load.force - (-4e-3 * square_speed) * R_NW.column_x()), 1e-11);
    EXPECT_LT(norm(load.torque - (1.5e-3 * square_speed) * R_NW.column_y()), 1e-11);
  }
}

TEST(ReactionWheel, ImbalanceShakesAHeavyHubWithTheSquareOfTheSpeed) {
  const double M = 1e6, I = 1e6, Omega = 100;
  for (double angle : {0.0, 1.0, 2.5}) {
    ReactionWheel<double> w = plain_wheel();
    w.static_imbalance = 5e-3;
    w.dynamic_imbalance = 2e-3;
    w.speed = Omega;
    w.angle = angle;
    System<double> system;
    const int hub =
        system.model.add_body(test::hub_spec<double>("hub", M, Sym3<double>::diagonal(I)));
    const int wheel = system.add_component(w, hub, "wheel").last_body();
    HybridRun run(system, {});
    const Workspace<double>& now = run.observe();
    const Mat3<double>& R_NW = now.motion.body(wheel).R_NB;
    const V a{now.v_dot[0], now.v_dot[1], now.v_dot[2]};
    const V alpha{now.v_dot[3], now.v_dot[4], now.v_dot[5]};
    // The hub is pushed outward along the heavy side, and twisted against the rotor's product.
    EXPECT_LT(norm(M * a - (5e-3 * Omega * Omega) * R_NW.column_x()), 1e-3);
    EXPECT_LT(norm(I * alpha - (-2e-3 * Omega * Omega) * R_NW.column_y()), 1e-3);
  }
}

// Turning at constant speed the force averages out: the hub's c.m. circles with U_s/(M + m).
TEST(ReactionWheel, StaticImbalanceMakesTheHubCircle) {
  const double M = 50, Omega = 60;
  ReactionWheel<double> w = plain_wheel();
  w.static_imbalance = 0.02;
  w.speed = Omega;
  System<double> system;
  BodySpec<double> spec = test::hub_spec<double>("hub", M, Sym3<double>::diagonal(1e7));
  spec.v = {0, -0.02 * Omega / (M + 10), 0, 0, 0, 0};  // so that the whole is at rest
  const int hub = system.model.add_body(spec);
  system.add_component(w, hub, "wheel");
  HybridRun run(system, tight());
  const double radius = 0.02 / (M + 10);
  for (double t : {0.01, 0.03, 0.1, 0.35}) {
    ASSERT_TRUE(run.advance(t).completed());
    const double angle = run.x()[7];
    EXPECT_NEAR(angle, Omega * t, 1e-6);
    EXPECT_NEAR(run.x()[0], radius * (1 - std::cos(angle)), 1e-9);
    EXPECT_NEAR(run.x()[1], -radius * std::sin(angle), 1e-9);
  }
}

TEST(ReactionWheel, AtItsTorqueLimitItSpeedsUpSteadily) {
  ReactionWheel<double> w = plain_wheel();
  w.max_torque = 0.3;
  System<double> system;
  system.add_component(w, kGround, "wheel");
  system.add_control(speed_control("wheel", 1000, 50));
  HybridRun run(system, tight());
  for (double t : {1.0, 10.0, 100.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_NEAR(run.x()[1], 0.3 / 0.2 * t, 1e-9 * t);
    EXPECT_NEAR(run.x()[0], 0.5 * 0.3 / 0.2 * t * t, 1e-9 * t * t);
  }
}

struct LargestSpeed : Observer {
  double seen = 0;
  bool step(HybridRun& run) override {
    seen = std::max(seen, std::fabs(run.x()[1]));
    return true;
  }
};

TEST(ReactionWheel, NeverExceedsItsSpeedLimit) {
  for (double sign : {1.0, -1.0}) {
    for (double gain : {0.1, 1.0, 100.0}) {
      ReactionWheel<double> w = plain_wheel();
      w.max_speed = 100;
      w.max_torque = 5;
      System<double> system;
      system.add_component(w, kGround, "wheel");
      system.add_control(speed_control("wheel", sign * 500, gain));
      RunOptions options;
      options.integrator.tolerance = 1e-8;
      HybridRun run(system, options);
      LargestSpeed largest;
      ASSERT_TRUE(run.advance(100, &largest).completed());
      EXPECT_LE(largest.seen, 100.0 * (1 + 1e-8)) << gain;
      EXPECT_GT(largest.seen, 99.0) << gain;
    }
  }
}

// Ω̇ = −(τ_c/J) Ω/√(Ω² + Ω_c²) integrated by hand:  √(Ω²+Ω_c²) − Ω_c asinh(Ω_c/Ω) falls by τ_c t/J.
TEST(ReactionWheel, DryFrictionStopsIt) {
  ReactionWheel<double> w = plain_wheel();
  w.coulomb_friction = 0.05;
  w.coulomb_speed = 0.1;
  w.speed = 20;
  System<double> system;
  system.add_component(w, kGround, "wheel");
  HybridRun run(system, tight());
  const auto clock = [&](double Omega) {
    return std::sqrt(Omega * Omega + 0.01) - 0.1 * std::asinh(0.1 / Omega);
  };
  for (double t : {10.0, 40.0, 79.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_NEAR(clock(20) - clock(run.x()[1]), 0.05 / 0.2 * t, 1e-9);
  }
  // Stopped soon after J Ω₀/τ_c = 80 s; it does not turn back.
  ASSERT_TRUE(run.advance(100).completed());
  EXPECT_LT(std::fabs(run.x()[1]), 1e-9);
  EXPECT_GE(run.x()[1], -1e-12);
  const Layout at = system.layout();
  EXPECT_NEAR(run.x()[static_cast<std::size_t>(at.ledger) + 1], 0.5 * 0.2 * 20 * 20, 1e-8);
}

TEST(ReactionWheel, ViscousFrictionSlowsItExponentially) {
  ReactionWheel<double> w = plain_wheel();
  w.viscous_friction = 0.01;
  w.speed = -30;
  System<double> system;
  system.add_component(w, kGround, "wheel");
  HybridRun run(system, tight());
  ASSERT_TRUE(run.advance(25).completed());
  EXPECT_NEAR(run.x()[1], -30 * std::exp(-0.01 / 0.2 * 25), 1e-10);
}

}  // namespace
}  // namespace berth::reaction_wheel_test
