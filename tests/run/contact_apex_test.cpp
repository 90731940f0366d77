// SPDX-License-Identifier: Apache-2.0

// A ball pressed into the apex of a cone, where the nearest point of the wall jumps from one side to
// the other.

#include "tests/run/contact_runs.h"

namespace berth::contact_apex_test {
namespace {

using namespace test;

// Two craft pressed together by 50 N each way, a ball of 5 cm before a cone of 30°.
System<double> pressed_ball(const VariantOf<Frictions<double>>::type& friction,
                            const Vec3<double>& v = {-0.02, 0.005, 0}) {
  System<double> s;
  const int target = add_craft(s, "target", {}, {});
  const int chaser = add_craft(s, "chaser", {3.2, 0, 0.01}, v);
  Contact<double> c = touching(chaser, {-2, 0, 0}, target, {1, 0, 0});
  c.surface = Cone<double>{M_PI / 6, 2, 0};
  c.probe = SphereProbe<double>{0.05};
  c.friction = friction;
  s.add_contact(c);
  for (const int body : {target, chaser}) {
    ExternalLoad<double> push;
    push.body = body == target ? "target" : "chaser";
    push.force = {body == target ? 50.0 : -50.0, 0, 0};
    s.add_force(push);
  }
  return s;
}

TEST(ContactApex, ABallPressedIntoItDoesNotStopTheRun) {
  for (const VariantOf<Frictions<double>>::type& friction :
       {VariantOf<Frictions<double>>::type(Coulomb<double>{0.3}),
        VariantOf<Frictions<double>>::type(Coulomb<double>{1}),
        VariantOf<Frictions<double>>::type(Stick<double>{0.3}),
        VariantOf<Frictions<double>>::type(NoFriction<double>{})}) {
    HybridRun run(pressed_ball(friction), with_tolerance(1e-9));
    ASSERT_TRUE(run.advance(60).completed());
    EXPECT_LT(run.counters().accepted, 20000u) << friction.index();
    EXPECT_LT(run.audit().energy, 1e-8);
    EXPECT_LT(run.audit().linear_momentum, 1e-10);
    EXPECT_LE(x_of(run, run.system().layout().contacts + 1), 1e-12) << "friction takes";
    EXPECT_LT(run.contact_tracks()[0].penetration_peak, 0.2);
  }
}

// On the axis, straight in: it comes to rest where the push of the wall is that of the load, 50 N =
// k d sin θ while the ball is before the apex.
TEST(ContactApex, ABallOnTheAxisRestsOnTheWallAllRound) {
  System<double> s = pressed_ball(NoFriction<double>{}, {-0.02, 0, 0});
  s.model.q0[9] = 0;  // z of the chaser
  s.contacts[0].law = SpringDashpot<double>{4000, 2000};
  HybridRun run(s, with_tolerance(1e-10));
  ASSERT_TRUE(run.advance(120).completed());
  const ContactMotion<double>& m = run.observe().contacts[0];
  EXPECT_NEAR(-m.gap, 50 / (4000 * 0.5), 1e-6);
  EXPECT_LT(std::hypot(m.centre_S.y, m.centre_S.z), 1e-12);
}

}  // namespace
}  // namespace berth::contact_apex_test
