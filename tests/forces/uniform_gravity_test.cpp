// SPDX-License-Identifier: Apache-2.0
#include "berth/forces/uniform_gravity.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"

namespace berth::uniform_gravity_test {
namespace {

using V = Vec3<double>;

UniformGravity<double> gravity() {
  UniformGravity<double> g;
  g.uniform = {0.3, -0.1, -9.81};
  return g;
}

TEST(UniformGravity, AThrownBodyDrawsAParabola) {
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub");
  hub.q = {1, 2, 3, 1, 0, 0, 0};
  hub.v = {4, 5, 6, 0, 0, 0};
  system.model.add_body(hub);
  system.add_force(gravity());
  HybridRun run(system, {});
  const double t = 12.5;
  ASSERT_TRUE(run.advance(t).completed());
  const V g = gravity().uniform, r = V{1, 2, 3} + t * V{4, 5, 6} + (0.5 * t * t) * g;
  EXPECT_LT(norm(V{run.x()[0], run.x()[1], run.x()[2]} - r), 1e-10);
  EXPECT_LT(run.audit().energy, 1e-12);
}

// What falls with its tank does not slosh: everything inside moves as without gravity.
TEST(UniformGravity, NothingInsideAFallingCraftNoticesIt) {
  System<double> floating = test::complete_craft<double>(true);
  System<double> falling = floating;
  falling.add_force(gravity());
  RunOptions tight;
  tight.integrator.tolerance = 1e-12;
  HybridRun a(floating, tight), b(falling, tight);
  const double t = 2.0;
  ASSERT_TRUE(a.advance(t).completed());
  ASSERT_TRUE(b.advance(t).completed());
  const Layout at = floating.layout();
  const V fall = (0.5 * t * t) * gravity().uniform;
  for (int k = 0; k < at.z; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double extra = k < 3                       ? fall[k]
                         : k >= at.v && k < at.v + 3 ? t * gravity().uniform[k - at.v]
                                                     : 0;
    // Rotor angles are left out of step control.
    const bool rotor = k >= 7 && k < 10;
    EXPECT_NEAR(b.x()[i] - extra, a.x()[i], rotor ? 1e-6 : 1e-9) << k;
  }
}

TEST(UniformGravity, PullsEveryBodyAtItsCentreOfMass) {
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub", 20);
  hub.r_CB_B = {0, 0.5, 0};
  const int body = system.model.add_body(hub);
  system.add_force(gravity());
  HybridRun run(system, {});
  const Workspace<double>& w = run.observe();
  const V f = 20.0 * gravity().uniform;
  EXPECT_LT(norm(w.external.body(body).force - f), 1e-13);
  EXPECT_LT(norm(w.external.body(body).torque - cross(V{0, 0.5, 0}, f)), 1e-13);
  EXPECT_EQ(w.external.body(kGround).force, V{});
}

}  // namespace
}  // namespace berth::uniform_gravity_test
