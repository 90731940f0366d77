// SPDX-License-Identifier: Apache-2.0
#include "berth/components/slosh_pendulum.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"

namespace berth::slosh_pendulum_test {
namespace {

using test::tight;
using V = Vec3<double>;

constexpr double kMass = 20, kLength = 0.8, kRadius = 0.2, kGravity = 9.81;
constexpr double kInertia = kMass * kLength * kLength + 0.4 * kMass * kRadius * kRadius;

// Hangs along −z.
SloshPendulum<double> plain_pendulum() {
  SloshPendulum<double> p;
  p.direction = {0, 0, -1};
  p.length = kLength;
  p.mass = kMass;
  p.radius = kRadius;
  return p;
}
System<double> hanging(const SloshPendulum<double>& p, double gravity = kGravity) {
  System<double> system;
  system.add_component(p, kGround, "bob");
  UniformGravity<double> g;
  g.uniform = {0, 0, -gravity};
  system.add_force(g);
  return system;
}
double angle_from_rest(HybridRun& run) {
  const V e = run.observe().motion.body(1).R_NB * V{0, 0, -1};
  return std::atan2(norm(cross(e, V{0, 0, -1})), dot(e, V{0, 0, -1}));
}

TEST(SloshPendulum, IsASolidSphereOnARod) {
  SloshPendulum<double> p = plain_pendulum();
  p.position = {0.1, 0.2, 0.3};
  p.direction = {0, 0, -5};
  p.deflection = {0, 0.5, 0};
  p.rate = {1, 2, 3};
  Model<double> model;
  const int hub = model.add_body(test::hub_spec<double>("hub"));
  p.build(model, hub, "bob");
  const Body<double>& b = model.body(p.last_body());
  EXPECT_EQ(model.names.back(), "bob");
  EXPECT_EQ(b.parent, hub);
  EXPECT_EQ(b.joint, JointType::spherical);
  EXPECT_EQ(b.mass, kMass);
  EXPECT_EQ(b.r_FP_P, (V{0.1, 0.2, 0.3}));
  EXPECT_LT(norm(b.r_CB_B - V{0, 0, -kLength}), 1e-16);
  EXPECT_DOUBLE_EQ(b.I_C_B.xx, 0.4 * kMass * kRadius * kRadius);
  EXPECT_EQ(b.I_C_B, Sym3<double>::diagonal(b.I_C_B.xx));
  EXPECT_DOUBLE_EQ(model.q0[7], std::cos(0.25));
  EXPECT_DOUBLE_EQ(model.q0[9], std::sin(0.25));
  EXPECT_EQ(model.v0[6], 1);
  EXPECT_EQ(model.v0[8], 3);
}

TEST(SloshPendulum, SmallSwingsHaveThePeriodOfTheCompoundPendulum) {
  SloshPendulum<double> p = plain_pendulum();
  const double small = 1e-5;
  p.deflection = {0, small, 0};
  const System<double> system = hanging(p);
  HybridRun run(system, tight());
  const double omega = std::sqrt(kMass * kGravity * kLength / kInertia);
  for (double turns : {0.5, 1.0, 4.0}) {
    ASSERT_TRUE(run.advance(turns * 2 * M_PI / omega).completed());
    EXPECT_NEAR(angle_from_rest(run), small, 1e-5 * small);
    EXPECT_NEAR(run.x()[2] / (0.5 * small), std::cos(turns * 2 * M_PI), 1e-4);
  }
}

// Large swings: a quarter period is K(sin(θ₀/2))/ω₀. Spring and gravity have the same shape.
TEST(SloshPendulum, LargeSwingsHaveThePeriodOfTheEllipticIntegral) {
  for (double stiffness : {0.0, 100.0}) {
    SloshPendulum<double> p = plain_pendulum();
    p.stiffness = stiffness;
    const double start = 2.0;
    p.deflection = {start, 0, 0};
    const double omega = std::sqrt((kMass * kGravity * kLength + stiffness) / kInertia);
    const double quarter = std::comp_ellint_1(std::sin(start / 2)) / omega;
    const System<double> system = hanging(p);
    HybridRun run(system, tight());
    ASSERT_TRUE(run.advance(quarter).completed());
    EXPECT_NEAR(angle_from_rest(run), 0, 1e-9);
    ASSERT_TRUE(run.advance(2 * quarter).completed());
    EXPECT_NEAR(angle_from_rest(run), start, 1e-9);
    ASSERT_TRUE(run.advance(4 * quarter).completed());
    EXPECT_NEAR(angle_from_rest(run), start, 1e-9);
    EXPECT_LT(run.audit().energy, 1e-10);
  }
}

// Turning about the vertical with the rod at α: m L² Ω² sin α cos α = m g L sin α. The ball, alike
// about all axes, adds nothing.
TEST(SloshPendulum, GoesRoundInACone) {
  const double alpha = 0.6;
  const double Omega = std::sqrt(kGravity / (kLength * std::cos(alpha)));
  SloshPendulum<double> p = plain_pendulum();
  p.deflection = {0, alpha, 0};
  // ω_SB = Ω ẑ, in bob axes.
  const Mat3<double> R = rotation_about(V{0, 1, 0}, alpha);
  p.rate = transposed_times(R, V{0, 0, Omega});
  const System<double> system = hanging(p);
  HybridRun run(system, tight());
  for (double t : {0.3, 1.0, 10.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_NEAR(angle_from_rest(run), alpha, 1e-9);
    const V r = run.observe().motion.body(1).r_CB_N;
    const V start = R * V{0, 0, -kLength};
    const V wanted = rotation_about(V{0, 0, 1}, Omega * t) * start;
    EXPECT_LT(norm(r - wanted), 1e-8);
  }
}

TEST(SloshPendulum, EnergyIsStiffnessTimesOneMinusCosine) {
  test::Random random(1);
  for (int i = 0; i < 20; ++i) {
    SloshPendulum<double> p = plain_pendulum();
    p.direction = random.direction();
    p.stiffness = 30;
    p.damping = 2;
    p.deflection = random.vector(1.5);
    p.rate = random.vector(2);
    System<double> system;
    BodySpec<double> hub = test::hub_spec<double>("hub");
    const Quaternion<double> q = random.quaternion();
    hub.q = {1, 2, 3, q.w, q.x, q.y, q.z};
    const int h = system.model.add_body(hub);
    const SloshPendulum<double> built = system.add_component(p, h, "bob");
    HybridRun run(system, {});
    const Workspace<double>& w = run.observe();
    const Instant<double> now{system.model, w.motion, w.command};
    const V e0 = p.direction;
    const V e = rotation_matrix(quaternion_from_rotation_vector(p.deflection)) * e0;
    EXPECT_NEAR(built.energy(now), 30 * (1 - dot(e, e0)), 1e-13);
    EXPECT_NEAR(built.power_lost(now), 2 * norm_squared(p.rate), 1e-13);
    // The torque in bob axes: k ê × ê₀ − c ω.
    const Mat3<double> R_BS = rotation_matrix(quaternion_from_rotation_vector(p.deflection));
    const V torque = transposed_times(R_BS, 30.0 * cross(e, e0)) - 2.0 * p.rate;
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(w.internal.tau[static_cast<std::size_t>(6 + k)], torque[k], 1e-12);
  }
}

TEST(SloshPendulum, TurningAboutTheRodStoresNothing) {
  SloshPendulum<double> p = plain_pendulum();
  p.stiffness = 50;
  p.rate = {0, 0, 3};  // about the rod
  System<double> system;
  system.add_component(p, kGround, "bob");
  HybridRun run(system, tight());
  ASSERT_TRUE(run.advance(5).completed());
  EXPECT_NEAR(angle_from_rest(run), 0, 1e-12);
  EXPECT_NEAR(run.x()[6], 3, 1e-12);
}

TEST(SloshPendulum, DampingBringsItToRestInTheRestDirection) {
  SloshPendulum<double> p = plain_pendulum();
  p.stiffness = 50;
  p.damping = 30;
  p.deflection = {0.7, -0.4, 0.2};
  p.rate = {0.5, 0.5, 0.5};
  System<double> system;
  system.add_component(p, kGround, "bob");
  HybridRun run(system, tight());
  ASSERT_TRUE(run.advance(60).completed());
  EXPECT_NEAR(angle_from_rest(run), 0, 1e-9);
  EXPECT_LT(run.audit().energy, 1e-10);
}

// In a tank under thrust, without any spring: acceleration a stands for gravity.
TEST(SloshPendulum, ThrustAloneMakesTheRestoringForce) {
  const double thrust = 5000, M = 1e6, small = 1e-4;
  System<double> system;
  const int hub =
      system.model.add_body(test::hub_spec<double>("hub", M, Sym3<double>::diagonal(1e9)));
  SloshPendulum<double> p = plain_pendulum();
  p.deflection = {0, small, 0};
  system.add_component(p, hub, "bob");
  ExternalLoad<double> load;
  load.body = "hub";
  load.force = {0, 0, thrust};
  system.add_force(load);
  HybridRun run(system, tight());
  const double a = thrust / (M + kMass);
  const double omega = std::sqrt(kMass * a * kLength / kInertia);
  const double period = 2 * M_PI / omega;
  ASSERT_TRUE(run.advance(period).completed());
  const V e = run.observe().motion.body(2).R_NB * V{0, 0, -1};
  EXPECT_NEAR(norm(cross(e, V{0, 0, -1})), small, 1e-4 * small);
}

}  // namespace
}  // namespace berth::slosh_pendulum_test
