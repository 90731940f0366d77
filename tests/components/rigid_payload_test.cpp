// SPDX-License-Identifier: Apache-2.0
#include "berth/components/rigid_payload.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"

namespace berth::rigid_payload_test {
namespace {

using V = Vec3<double>;

TEST(RigidPayload, IsOneFixedBodyWithTheMassPropertiesItWasGiven) {
  RigidPayload<double> p;
  p.position = {1, 2, 3};
  p.rotation = {0, 0, M_PI / 2};
  p.mass = 7;
  p.centre_of_mass = {0.5, 0, 0.25};
  p.inertia = {1, 2, 2.5, 0.1, 0.2, 0.3};
  Model<double> model;
  const int hub = model.add_body(test::hub_spec<double>("hub"));
  p.build(model, hub, "box");
  const Body<double>& b = model.body(p.last_body());
  EXPECT_EQ(model.names.back(), "box");
  EXPECT_EQ(b.parent, hub);
  EXPECT_EQ(b.joint, JointType::fixed);
  EXPECT_EQ(b.mass, 7);
  EXPECT_EQ(model.coordinate_count(), 7);
  // Payload x is hub y, payload y is −hub x.
  EXPECT_LT(norm(b.r_FP_P + b.R_PF * b.r_CB_B - V{1, 2.5, 3.25}), 1e-15);
  const Sym3<double> I_B = rotate(b.R_PF, b.I_C_B), wanted{2, 1, 2.5, -0.1, -0.3, 0.2};
  for (const V& e : {V{1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}})
    EXPECT_LT(norm((I_B - wanted) * e), 1e-15);
}

// Hub and payload in one: mass, c.m. and inertia by the parallel-axis theorem.
BodySpec<double> merge(const BodySpec<double>& hub, const RigidPayload<double>& p) {
  const Mat3<double> R = rotation_matrix(quaternion_from_rotation_vector(p.rotation));
  const V c = p.position + R * p.centre_of_mass;
  BodySpec<double> both = hub;
  both.mass = hub.mass + p.mass;
  both.r_CB_B = (1 / both.mass) * (hub.mass * hub.r_CB_B + p.mass * c);
  both.I_C_B = hub.I_C_B + point_inertia(hub.mass, hub.r_CB_B - both.r_CB_B) +
               rotate(R, p.inertia) + point_inertia(p.mass, c - both.r_CB_B);
  return both;
}

TEST(RigidPayload, MovesWithTheHubAsOneRigidBody) {
  test::Random random(1);
  for (int i = 0; i < 5; ++i) {
    BodySpec<double> hub = test::hub_spec<double>("hub", 80, random.inertia(20));
    hub.r_CB_B = random.vector(0.2);
    hub.v = {0.1, -0.2, 0.3, random.number(), random.number(), random.number()};
    RigidPayload<double> p;
    p.position = random.vector();
    p.rotation = random.vector(2);
    p.mass = 30;
    p.centre_of_mass = random.vector(0.3);
    p.inertia = random.inertia(5);
    ExternalLoad<double> push;
    push.body = "hub";
    push.force = random.vector(20);
    push.point = random.vector();

    System<double> two, one;
    two.add_component(p, two.model.add_body(hub), "box");
    two.add_force(push);
    one.model.add_body(merge(hub, p));
    one.add_force(push);
    RunOptions tight;
    tight.integrator.tolerance = 1e-12;
    HybridRun a(two, tight), b(one, tight);
    ASSERT_TRUE(a.advance(20).completed());
    ASSERT_TRUE(b.advance(20).completed());
    for (std::size_t k = 0; k < 13; ++k) EXPECT_NEAR(a.x()[k], b.x()[k], 1e-7) << k;
  }
}

TEST(RigidPayload, OnTheGroundItStays) {
  RigidPayload<double> p;
  p.mass = 3;
  p.inertia = Sym3<double>::diagonal(1);
  System<double> system;
  const int body = system.add_component(p, kGround, "box").last_body();
  UniformGravity<double> g;
  g.uniform = {0, 0, -9.81};
  system.add_force(g);
  HybridRun run(system, {});
  ASSERT_TRUE(run.advance(5).completed());
  EXPECT_EQ(run.observe().motion.body(body).r_BN_N, V{});
  // The ground carries its weight.
  const Workspace<double>& now = run.observe();
  const Wrench<double> load = find_joint_wrench(system.model, now.motion, now.articulated, body);
  EXPECT_NEAR(load.force.z, 3 * 9.81, 1e-12);
}

}  // namespace
}  // namespace berth::rigid_payload_test
