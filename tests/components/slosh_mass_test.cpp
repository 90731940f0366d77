// SPDX-License-Identifier: Apache-2.0
#include "berth/components/slosh_mass.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/runs.h"

namespace berth::slosh_mass_test {
namespace {

using test::tight;
using V = Vec3<double>;

SloshMass<double> plain_slosh() {
  SloshMass<double> s;
  s.axis = {1, 0, 0};
  s.mass = 50;
  s.stiffness = 50 * std::pow(4 * M_PI, 2);  // 2 Hz
  return s;
}

TEST(SloshMass, IsAParticleOnASlider) {
  SloshMass<double> s = plain_slosh();
  s.position = {0.1, 0.2, 0.3};
  s.axis = {0, 3, 4};
  s.displacement = 0.02;
  s.rate = -0.01;
  Model<double> model;
  const int hub = model.add_body(test::hub_spec<double>("hub"));
  s.build(model, hub, "slosh");
  const Body<double>& b = model.body(s.last_body());
  EXPECT_EQ(model.names.back(), "slosh");
  EXPECT_EQ(b.parent, hub);
  EXPECT_EQ(b.joint, JointType::prismatic);
  EXPECT_TRUE(b.particle);
  EXPECT_EQ(b.mass, 50);
  EXPECT_EQ(b.r_FP_P, (V{0.1, 0.2, 0.3}));
  EXPECT_EQ(b.r_CB_B, V{});
  EXPECT_EQ(b.I_C_B, Sym3<double>{});
  EXPECT_LT(norm(b.axis_P - V{0, 0.6, 0.8}), 1e-15);
  EXPECT_EQ(model.q0.back(), 0.02);
  EXPECT_EQ(model.v0.back(), -0.01);
}

TEST(SloshMass, IsWhereItsDisplacementPutsIt) {
  SloshMass<double> s = plain_slosh();
  s.position = {0.1, 0.2, 0.3};
  s.axis = {0, 0.6, 0.8};
  s.displacement = 0.5;
  s.rate = 2;
  System<double> system;
  const int hub = system.model.add_body(test::hub_spec<double>("hub"));
  const int body = system.add_component(s, hub, "slosh").last_body();
  HybridRun run(system, {});
  const BodyMotion<double>& m = run.observe().motion.body(body);
  EXPECT_LT(norm(m.r_BN_N - V{0.1, 0.5, 0.7}), 1e-15);
  EXPECT_LT(norm(m.v_BN_N - V{0, 1.2, 1.6}), 1e-15);
}

TEST(SloshMass, SwingsTwiceASecondInATankOnTheGround) {
  SloshMass<double> s = plain_slosh();
  s.displacement = 0.03;
  System<double> system;
  system.add_component(s, kGround, "slosh");
  HybridRun run(system, tight());
  for (int quarters : {1, 2, 3, 4, 40}) {
    ASSERT_TRUE(run.advance(quarters / 8.0).completed());
    EXPECT_NEAR(run.x()[0], 0.03 * std::cos(quarters * M_PI / 2), 1e-10);
  }
}

// On a hub of mass M the reduced mass swings; the common centre of mass stays.
TEST(SloshMass, OnAFreeHubItSwingsFasterAndTheHubSwingsBack) {
  const double M = 200, omega = 4 * M_PI * std::sqrt(1 + 50.0 / M);
  SloshMass<double> s = plain_slosh();
  s.displacement = 0.03;
  System<double> system;
  const int hub = system.model.add_body(test::hub_spec<double>("hub", M));
  system.add_component(s, hub, "slosh");
  HybridRun run(system, tight());
  for (double t : {0.1, 1.0, 4.3}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_NEAR(run.x()[7], 0.03 * std::cos(omega * t), 1e-10);
    EXPECT_NEAR((M + 50) * run.x()[0] + 50 * (run.x()[7] - 0.03), 0, 1e-10);
  }
  EXPECT_LT(run.audit().energy, 1e-12);
}

TEST(SloshMass, DampedItDiesOutAsTheTextbookSays) {
  SloshMass<double> s = plain_slosh();
  const double zeta = 0.2, omega = 4 * M_PI;
  s.damping = 2 * zeta * 50 * omega;
  s.rate = 0.02;
  System<double> system;
  system.add_component(s, kGround, "slosh");
  HybridRun run(system, tight());
  const double omega_d = omega * std::sqrt(1 - zeta * zeta);
  for (double t : {0.1, 0.5, 2.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_NEAR(run.x()[0], 0.02 / omega_d * std::exp(-zeta * omega * t) * std::sin(omega_d * t),
                1e-12);
  }
}

TEST(SloshMass, EnergyAndPowerAreThoseOfTheSpringAndTheDamper) {
  SloshMass<double> s = plain_slosh();
  s.damping = 7;
  s.displacement = 0.2;
  s.rate = 3;
  System<double> system;
  const SloshMass<double> built = system.add_component(s, kGround, "slosh");
  HybridRun run(system, {});
  const Workspace<double>& w = run.observe();
  const Instant<double> now{system.model, w.motion, w.command};
  EXPECT_DOUBLE_EQ(built.energy(now), 0.5 * s.stiffness * 0.04);
  EXPECT_DOUBLE_EQ(built.power_lost(now), 63);
  EXPECT_DOUBLE_EQ(w.internal.tau[0], -s.stiffness * 0.2 - 21);
}

// Centrifugal force on a hub that spins: the spring gives way to k ρ = m Ω² (r + ρ).
TEST(SloshMass, OnASpinningHubItRestsFartherOut) {
  const double spin = 2, r = 0.5, k = 5000;
  const double out = 50 * spin * spin * r / (k - 50 * spin * spin);
  SloshMass<double> s = plain_slosh();
  s.stiffness = k;
  s.position = {r, 0, 0};
  s.displacement = out;
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub", 1e9, Sym3<double>::diagonal(1e9));
  hub.v = {0, 0, 0, 0, 0, spin};
  system.add_component(s, system.model.add_body(hub), "slosh");
  HybridRun run(system, tight());
  ASSERT_TRUE(run.advance(5).completed());
  EXPECT_NEAR(run.x()[7], out, 1e-7);
}

}  // namespace
}  // namespace berth::slosh_mass_test
