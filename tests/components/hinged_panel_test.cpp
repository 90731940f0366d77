// SPDX-License-Identifier: Apache-2.0
#include "berth/components/hinged_panel.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/dense.h"
#include "tests/support/runs.h"

namespace berth::hinged_panel_test {
namespace {

using test::tight;
using V = Vec3<double>;

// Along the hub's x, hinged about its y.
HingedPanel<double> plain_panel() {
  HingedPanel<double> p;
  p.axis = {0, 1, 0};
  p.outward = {1, 0, 0};
  p.mass = 12;
  p.centre_of_mass = {1.5, 0, 0};
  p.inertia = Sym3<double>::diagonal(1, 9, 9.5);
  p.stiffness = 40;
  return p;
}

TEST(HingedPanel, IsOneBodyWithTheMassPropertiesItWasGiven) {
  HingedPanel<double> p = test::panel<double>();
  p.inertia = {150, 300, 160, 1, 2, 3};
  p.angle = 0.25;
  Model<double> model;
  const int hub = model.add_body(test::hub_spec<double>("hub"));
  p.build(model, hub, "panel");
  const Body<double>& b = model.body(p.last_body());
  EXPECT_EQ(model.names.back(), "panel");
  EXPECT_EQ(b.parent, hub);
  EXPECT_EQ(b.joint, JointType::revolute);
  EXPECT_FALSE(b.spins);
  EXPECT_EQ(b.mass, 100);
  EXPECT_EQ(b.r_FP_P, (V{0, 1, 1}));
  EXPECT_EQ(model.q0.back(), 0.25);
  EXPECT_DOUBLE_EQ(model.v0.back(), 7 * M_PI / 180);
  // Panel x is hub y, panel y is hub x, so panel z is −hub z.
  EXPECT_EQ(b.R_PF * b.r_CB_B, (V{0, 1, 0}));
  EXPECT_EQ(rotate(b.R_PF, b.I_C_B), (Sym3<double>{300, 150, 160, 1, -3, -2}));
}

TEST(HingedPanel, OutwardIsMadeNormalToTheAxis) {
  HingedPanel<double> p = plain_panel();
  p.axis = {0, 2, 0};
  p.outward = {3, 4, 0};
  Model<double> model;
  p.build(model, kGround, "panel");
  const Body<double>& b = model.body(p.last_body());
  EXPECT_EQ(b.R_PF, Mat3<double>::identity());
}

TEST(HingedPanel, TurnsRightHandedAboutItsAxis) {
  HingedPanel<double> p = test::panel<double>();  // about hub x, outward along hub y
  p.angle = M_PI / 2;
  System<double> system;
  const int hub = system.model.add_body(test::hub_spec<double>("hub"));
  const int body = system.add_component(p, hub, "panel").last_body();
  HybridRun run(system, {});
  const BodyMotion<double>& m = run.observe().motion.body(body);
  // y turns towards z.
  EXPECT_LT(norm(m.r_BN_N + m.r_CB_N - V{0, 1, 2}), 1e-15);
}

TEST(HingedPanel, SpringAndDamperFollowTheirLaw) {
  HingedPanel<double> p = plain_panel();
  p.damping = 3;
  p.rest_angle = 0.1;
  EXPECT_DOUBLE_EQ(p.torque(0.1, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(p.torque(0.3, 0.0), -40 * 0.2);
  EXPECT_DOUBLE_EQ(p.torque(0.1, 2.0), -6.0);
  EXPECT_DOUBLE_EQ(p.torque(-0.1, -1.0), 8.0 + 3.0);
}

TEST(HingedPanel, AtItsRestAngleItStays) {
  HingedPanel<double> p = plain_panel();
  p.rest_angle = p.angle = 0.3;
  System<double> system;
  const int hub = system.model.add_body(test::hub_spec<double>("hub"));
  system.add_component(p, hub, "panel");
  HybridRun run(system, {});
  ASSERT_TRUE(run.advance(100).completed());
  EXPECT_EQ(run.x()[7], 0.3);
}

TEST(HingedPanel, OnTheGroundItSwingsWithItsOwnFrequency) {
  HingedPanel<double> p = plain_panel();
  p.angle = 0.4;  // a torsion spring is linear at any angle
  System<double> system;
  system.add_component(p, kGround, "panel");
  HybridRun run(system, tight());
  const double omega = std::sqrt(40 / (9 + 12 * 1.5 * 1.5));
  for (double t : {1.0, 7.3, 50.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_NEAR(run.x()[0], 0.4 * std::cos(omega * t), 1e-9);
  }
}

TEST(HingedPanel, DampedItDiesOutAsTheTextbookSays) {
  HingedPanel<double> p = plain_panel();
  p.damping = 5;
  p.angle = 0.2;
  System<double> system;
  system.add_component(p, kGround, "panel");
  HybridRun run(system, tight());
  const double I = 9 + 12 * 1.5 * 1.5, decay = 5 / (2 * I);
  const double omega = std::sqrt(40 / I - decay * decay);
  for (double t : {1.0, 5.0, 20.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    const double wanted =
        0.2 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
    EXPECT_NEAR(run.x()[0], wanted, 1e-10);
  }
  EXPECT_LT(run.audit().energy, 1e-11);
}

// Hub (M, J) and panel (m, I_s about its c.m.), hinge b from the hub's c.m., panel c.m. d farther.
// Free in the plane, translation eliminated with the reduced mass μ:
//   T = ½ J φ̇² + ½ I_s (φ̇ + θ̇)² + ½ μ ((b + d) φ̇ + d θ̇)²,   ω² = k / (C − B²/A).
struct PlanarPair {
  double M, J, b;
  HingedPanel<double> panel = plain_panel();

  double frequency() const {
    const double m = panel.mass, d = panel.centre_of_mass.x, mu = M * m / (M + m);
    const double A = J + panel.inertia.yy + mu * (b + d) * (b + d);
    const double B = panel.inertia.yy + mu * d * (b + d);
    const double C = panel.inertia.yy + mu * d * d;
    return std::sqrt(panel.stiffness / (C - B * B / A));
  }
  System<double> system(double angle) const {
    System<double> s;
    BodySpec<double> hub = test::hub_spec<double>("hub", M, Sym3<double>::diagonal(J));
    const int h = s.model.add_body(hub);
    HingedPanel<double> p = panel;
    p.position = {b, 0, 0};
    p.angle = angle;
    s.add_component(p, h, "panel");
    return s;
  }
};

TEST(HingedPanel, OnAFreeHubItSwingsWithTheFrequencyOfTheTwoBodies) {
  for (const auto& [M, J, b] :
       {std::array{750.0, 800.0, 1.0}, std::array{30.0, 15.0, 0.4}, std::array{5.0, 2.0, 2.0}}) {
    const PlanarPair pair{M, J, b};
    const double omega = pair.frequency(), small = 1e-5;
    const System<double> system = pair.system(small);
    HybridRun run(system, tight());
    for (double turns : {0.25, 1.0, 7.6}) {
      const double t = turns * 2 * M_PI / omega;
      ASSERT_TRUE(run.advance(t).completed());
      EXPECT_NEAR(run.x()[7] / small, std::cos(omega * t), 1e-5) << "M = " << M;
    }
  }
}

TEST(HingedPanel, OnAHeavyHubTheHubHardlyMatters) {
  const PlanarPair heavy{1e9, 1e9, 1.0};
  const double alone = std::sqrt(40 / (9 + 12 * 1.5 * 1.5));
  EXPECT_NEAR(heavy.frequency(), alone, 1e-6 * alone);
  HybridRun run(heavy.system(1e-3), tight());
  const double t = 3 * 2 * M_PI / alone;
  ASSERT_TRUE(run.advance(t).completed());
  EXPECT_NEAR(run.x()[7], 1e-3, 1e-9);
}

// Two hinges in a row against the modes of the linear pair M θ̈ + K θ = 0.
TEST(HingedPanel, InSeriesTheySwingInTheModesOfTheChain) {
  HingedPanel<double> inner = plain_panel(), outer = plain_panel();
  const double L = 3.0, small = 1e-6;
  inner.angle = small;
  outer.angle = -0.5 * small;
  outer.position = {L, 0, 0};
  outer.mass = 7;
  outer.centre_of_mass = {1.2, 0, 0};
  outer.inertia = Sym3<double>::diagonal(0.5, 4, 4.2);
  outer.stiffness = 25;
  System<double> system;
  const int first = system.add_component(inner, kGround, "inner").last_body();
  system.add_component(outer, first, "outer");
  EXPECT_EQ(system.model.body(system.model.find_body("outer")).parent, first);

  Eigen::Matrix2d M, K;
  const double I1 = 9 + 12 * 1.5 * 1.5, d = 1.2, m = 7, I2 = 4;
  M << I1 + I2 + m * (L + d) * (L + d), I2 + m * d * (L + d), I2 + m * d * (L + d), I2 + m * d * d;
  K << 40, 0, 0, 25;
  const test::Modes modes = test::find_modes(K, M);
  const Eigen::Vector2d start(small, -0.5 * small);
  const Eigen::Vector2d share =
      test::product(modes.shapes.transpose(), test::product(M, start)).col(0);
  HybridRun run(system, tight());
  for (double t : {2.0, 11.0, 30.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    Eigen::Vector2d wanted = Eigen::Vector2d::Zero();
    for (int k = 0; k < 2; ++k)
      wanted += share[k] * std::cos(std::sqrt(modes.squares[k]) * t) * modes.shapes.col(k);
    EXPECT_NEAR(run.x()[0] / small, wanted[0] / small, 1e-5);
    EXPECT_NEAR(run.x()[1] / small, wanted[1] / small, 1e-5);
  }
}

TEST(HingedPanel, DirectionsThatMakeNoFrameAreRefused) {
  HingedPanel<double> p = plain_panel();
  p.outward = p.axis;
  System<double> system;
  EXPECT_THROW(system.add_component(p, kGround, "panel"), std::invalid_argument);
}

}  // namespace
}  // namespace berth::hinged_panel_test
