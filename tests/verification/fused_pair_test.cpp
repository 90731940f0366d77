// SPDX-License-Identifier: Apache-2.0

// Two docked craft as one tree, one on a fixed joint of the other, against the reference states of
// theory/post_docking.md §7: twenty minutes in low orbit, quadruple precision, two other codes.

#include <gtest/gtest.h>

#include "tests/support/craft.h"
#include "tests/support/reference.h"
#include "tests/support/runs.h"

namespace berth::fused_pair_test {
namespace {

const Vec3<double> kOrbitPosition{-5.7874158943712397e6, 1.3157053000720485e6,
                                  3.2735193517710271e6};
const Vec3<double> kOrbitVelocity{-2.2216239079130748e3, -7.2728926431384180e3,
                                  -9.8869130869506983e2};

// Ports at +1 m and −1 m along x with an arm of 0.1 m between them: craft 2 stands 2.1 m along x.
// Either craft may be the root of the tree; bodies 1 and 2 are then the root and its child.
const Vec3<double> kOffset{2.1, 0, 0};

System<double> fused_pair(bool gravity_gradient, bool second_is_root) {
  Vec3<double> rho{-8.9654658688146468e-1, 2.0381999801823510e-1, 5.0711105880176085e-1};
  Vec3<double> rate{-3.4314431049943484e-4, -1.1268970102526289e-3, -1.5373499085945246e-4};
  const Vec3<double> omega{0, 0, 1.1314026520034970e-3};
  const Quaternion<double> q = quaternion_from_mrp<double>(
      {5.0593897504879037e-2, 1.2214447352959327e-1, -6.4402643249395653e-2});
  if (second_is_root) {
    const Mat3<double> R = rotation_matrix(q);
    rho += R * kOffset;
    rate += R * cross(omega, kOffset);
  }
  System<double> system;
  BodySpec<double> root = test::hub_spec<double>("root");
  root.q = {rho.x, rho.y, rho.z, q.w, q.x, q.y, q.z};
  root.v = {rate.x, rate.y, rate.z, omega.x, omega.y, omega.z};
  BodySpec<double> child = test::hub_spec<double>("child");
  child.parent = system.model.add_body(root);
  child.joint = JointType::fixed;
  child.r_FP_P = second_is_root ? -kOffset : kOffset;
  system.model.add_body(child);
  system.set_orbit(test::earth_gravity(gravity_gradient), kOrbitPosition, kOrbitVelocity);
  return system;
}

void expect_reference_state(bool gravity_gradient) {
  const test::Reference ref("post_docking");
  const std::string state = gravity_gradient ? "nadir." : "no_gradient.";
  for (const bool second_is_root : {false, true}) {
    const System<double> system = fused_pair(gravity_gradient, second_is_root);
    HybridRun run(system, test::with_tolerance(1e-13));
    ASSERT_TRUE(run.advance(1200).completed());
    const BodyMotion<double>& one = run.observe().motion.body(second_is_root ? 2 : 1);
    const test::OrbitState o = test::orbit_state(run);
    EXPECT_LT(norm(one.r_BN_N - ref.vector(state + "rho")), 1e-12);
    EXPECT_LT(norm(mrp(one.R_NB) - ref.vector(state + "sigma")), 1e-12);
    const Vec3<double> omega_B = transposed_times(one.R_NB, one.omega_BN_N);
    EXPECT_LT(norm(omega_B - Vec3<double>{0, 0, ref(state + "omega_z")}), 1e-14);
    EXPECT_LT(norm(o.r_OE_N + (o.r_CO_N + one.r_BN_N) - ref.vector(state + "r")), 1e-7);
    EXPECT_LT(run.audit().energy, 1e-13);
    EXPECT_LT(run.audit().linear_momentum, 1e-13);
    EXPECT_LT(run.audit().angular_momentum, 1e-13);

    // What the joint carries: on the child, about its origin. The reference is the load on craft 2,
    // its torque about the port P2, which is 1 m towards craft 1.
    Workspace<double> w(system);
    std::vector<double> x_dot(run.x().size());
    find_derivative<double>(system, 1200, run.x(), run.mode(), w, x_dot);
    Wrench<double> load = find_joint_wrench(system.model, w.motion, w.articulated, 2);
    if (second_is_root) load = -load;
    const double from_port = second_is_root ? -1.1 : 1;
    load = shift(load, one.R_NB * Vec3<double>{from_port, 0, 0});
    EXPECT_LT(norm(load.force - ref.vector(state + "force")), 1e-15);
    const Vec3<double> torque_B = transposed_times(one.R_NB, load.torque);
    EXPECT_LT(norm(torque_B - Vec3<double>{0, 0, ref(state + "torque_z")}), 1e-15);
  }
}

TEST(FusedPair, ReproducesTheReferenceStateWithGravityGradient) { expect_reference_state(true); }

TEST(FusedPair, ReproducesTheReferenceStateWithoutGravityGradient) {
  expect_reference_state(false);
}

}  // namespace
}  // namespace berth::fused_pair_test
