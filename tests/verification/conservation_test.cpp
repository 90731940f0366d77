// SPDX-License-Identifier: Apache-2.0

// A craft with wheels at 100 rad/s, a panel and three slosh masses, left alone in free space: what
// physics conserves must still be there after a thousand seconds. Momentum is also added up here,
// body by body, beside the run's own ledger.

#include <gtest/gtest.h>

#include "tests/support/craft.h"
#include "tests/support/runs.h"

namespace berth::conservation_test {
namespace {

struct Totals {
  Vec3<double> p, h;
  double kinetic = 0;
};

// Straight from the definitions: p = Σ m v, h = Σ r × m v + R I Rᵀ ω, about the origin of N.
Totals add_up(HybridRun& run) {
  Totals sum;
  const Model<double>& model = run.system().model;
  const Workspace<double>& w = run.observe();
  for (int i = 1; i < model.body_count(); ++i) {
    const BodyMotion<double>& b = w.motion.body(i);
    const Body<double>& body = model.body(i);
    const Vec3<double> arm = b.R_NB * body.r_CB_B;
    const Vec3<double> v = b.v_BN_N + cross(b.omega_BN_N, arm);
    const Vec3<double> omega_B = transposed_times(b.R_NB, b.omega_BN_N);
    const Vec3<double> spin_B = body.I_C_B * omega_B;
    sum.p += body.mass * v;
    sum.h += cross(b.r_BN_N + arm, body.mass * v) + b.R_NB * spin_B;
    sum.kinetic += 0.5 * (body.mass * norm_squared(v) + dot(omega_B, spin_B));
  }
  return sum;
}

void expect_conservation(const System<double>& system, double t) {
  HybridRun run(system, test::with_tolerance(1e-12));
  const Totals before = add_up(run);
  ASSERT_TRUE(run.advance(t).completed());
  const Totals after = add_up(run);
  EXPECT_LT(run.audit().linear_momentum, 1e-11);
  EXPECT_LT(run.audit().angular_momentum, 1e-11);
  EXPECT_LT(run.audit().energy, 1e-10);
  EXPECT_LT(norm(after.h - before.h) / norm(before.h), 1e-10);
  EXPECT_LT(norm(after.p - before.p) / norm(before.p), 1e-10);
  // What kinetic energy has gone is in springs and dampers.
  const Balance<double> b = test::balance(run);
  EXPECT_NEAR(b.kinetic, after.kinetic, 1e-13 * after.kinetic);
  EXPECT_GT(b.lost, 0);
}

TEST(Conservation, BalancedCraftKeepsMomentumAndEnergyForAThousandSeconds) {
  expect_conservation(test::complete_craft<double>(false), 1000);
}

TEST(Conservation, CraftWithImbalancedWheelsDoesToo) {
  expect_conservation(test::complete_craft<double>(true), 1000);
}

// Without dampers nothing is lost at all.
TEST(Conservation, UndampedCraftKeepsItsMechanicalEnergy) {
  System<double> system = test::complete_craft<double>(true);
  for (auto& p : std::get<std::vector<HingedPanel<double>>>(system.components)) p.damping = 0;
  for (auto& s : std::get<std::vector<SloshMass<double>>>(system.components)) s.damping = 0;
  HybridRun run(system, test::with_tolerance(1e-12));
  const Balance<double> before = test::balance(run);
  ASSERT_TRUE(run.advance(100).completed());
  const Balance<double> after = test::balance(run);
  EXPECT_EQ(after.lost, 0.0);
  EXPECT_NEAR(after.kinetic + after.potential, before.kinetic + before.potential,
              1e-11 * before.kinetic);
  EXPECT_LT(run.audit().angular_momentum, 1e-11);
  EXPECT_LT(run.audit().linear_momentum, 1e-11);
}

}  // namespace
}  // namespace berth::conservation_test
