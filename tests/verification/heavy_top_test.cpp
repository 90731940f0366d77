// SPDX-License-Identifier: Apache-2.0

// The heavy top of Brüls and Cardona: a disc spinning at 150 rad/s on a ball joint at the origin.
// Their numbers, and the same Euler equations about the pivot in quadruple precision.

#include <gtest/gtest.h>

#include "tests/support/reference.h"
#include "tests/support/runs.h"
#include "tests/verification/quad.h"

namespace berth::heavy_top_test {
namespace {

using test::Quad;
using test::Quad3;

constexpr double kMass = 15, kGravity = 9.81, kEnergy = 5435.696790865547;
const Sym3<double> kInertia = Sym3<double>::diagonal(0.234375, 0.46875, 0.234375);
const Vec3<double> kCentre{0, 1, 0};
const Vec3<double> kSpin{0, 150, -4.61538};

System<double> heavy_top() {
  System<double> system;
  BodySpec<double> top;
  top.name = "top";
  top.joint = JointType::spherical;
  top.mass = kMass;
  top.r_CB_B = kCentre;
  top.I_C_B = kInertia;
  top.v = {kSpin.x, kSpin.y, kSpin.z};
  system.model.add_body(top);
  UniformGravity<double> gravity;
  gravity.uniform = {0, 0, -kGravity};
  system.add_force(gravity);
  return system;
}

Vec3<double> centre_of_mass(HybridRun& run) { return run.observe().motion.body(1).r_CB_N; }

TEST(HeavyTop, ReproducesBrulsAndCardona) {
  const System<double> system = heavy_top();
  HybridRun run(system, test::with_tolerance(1e-13));
  const auto expect_at = [&](double t, const Vec3<double>& printed) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_LT(norm(centre_of_mass(run) - printed), 2e-12) << "t = " << t;
  };
  const test::Reference ref("benchmarks");
  expect_at(0.2, ref.vector("top.0.2"));
  expect_at(1.0, ref.vector("top.1"));
}

TEST(HeavyTop, KeepsItsEnergyAndCountsTheReactionOfTheGround) {
  const System<double> system = heavy_top();
  HybridRun run(system, test::with_tolerance(1e-12));
  ASSERT_TRUE(run.advance(1.0).completed());
  // Height counts from the pivot, where the c.m. starts level.
  const Balance<double> b = test::balance(run);
  const double weight_energy = kMass * kGravity * centre_of_mass(run).z;
  EXPECT_NEAR(b.kinetic + weight_energy, kEnergy, 1e-11 * kEnergy);
  EXPECT_NEAR(b.supplied, -weight_energy, 1e-11 * kEnergy);
  // The pivot's force and the weight together are all that changes the momentum.
  EXPECT_LT(run.audit().energy, 1e-12);
  EXPECT_LT(run.audit().linear_momentum, 3e-11);
  EXPECT_LT(run.audit().angular_momentum, 3e-11);
}

TEST(HeavyTop, FollowsEulersEquationsInQuadruplePrecision) {
  // About the pivot: I_O ω̇ + ω × I_O ω = r_C × Rᵀ m g, all in body axes.
  const test::Quad33 I_O = test::symmetric(kInertia + point_inertia(kMass, kCentre));
  const Quad3 r_C(kCentre), weight(0, 0, -Quad(kMass) * Quad(kGravity));
  const auto f = [&](Quad, const Quad* x, Quad* rate) {
    const Quad3 omega(x + 4);
    test::quaternion_rate(x, omega, rate);
    const Quad3 torque = cross(r_C, transpose(test::turn(x)) * weight) - cross(omega, I_O * omega);
    solve(I_O, torque).write(rate + 4);
  };
  std::vector<Quad> x{1, 0, 0, 0, kSpin.x, kSpin.y, kSpin.z};
  const test::QuadSolution reference = test::solve_in_quad(f, x, 0, 1, 200);
  ASSERT_LT(reference.error, 1e-18);

  const System<double> system = heavy_top();
  HybridRun run(system, test::with_tolerance(1e-13));
  ASSERT_TRUE(run.advance(1.0).completed());
  const BodyMotion<double>& top = run.observe().motion.body(1);
  const test::Quad33 R = test::turn(reference.x.data());
  EXPECT_LT(test::distance(top.r_CB_N, R * r_C), 1e-11);
  // The spin angle is 150 rad by now, and its error that much larger.
  EXPECT_LT(test::distance(top.R_NB, R), 1e-11);
  EXPECT_LT(test::distance(top.omega_BN_N, R * Quad3(reference.x.data() + 4)), 1e-9);
}

}  // namespace
}  // namespace berth::heavy_top_test
