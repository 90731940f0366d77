// SPDX-License-Identifier: Apache-2.0

// Friction: stick and slide on an incline.

#include "tests/run/contact_runs.h"

namespace berth::contact_friction_test {
namespace {

using namespace test;

// A block on an incline, resting on it from the start; x of the incline is up from it.
System<double> incline(double angle, const VariantOf<Frictions<double>>::type& friction,
                       double slide = 0, double mass = 2) {
  System<double> s;
  const double k = 2e4, g = 9.81;
  const int block =
      add_craft(s, "block", {-mass * g * std::cos(angle) / k, 0, 0}, {0, slide, 0}, mass, 1);
  Contact<double> c = touching(block, {}, kGround);
  c.law = SpringDashpot<double>{k, 1.5 * std::sqrt(k * mass)};
  c.friction = friction;
  s.add_contact(c);
  UniformGravity<double> gravity;
  gravity.uniform = {-g * std::cos(angle), g * std::sin(angle), 0};
  s.add_force(gravity);
  return s;
}

// For a hundred seconds after it has settled.
double find_creep(const System<double>& s, double settled = 3) {
  HybridRun run(s, with_tolerance(1e-10));
  EXPECT_TRUE(run.advance(settled).completed());
  const double y = x_of(run, 1);
  EXPECT_TRUE(run.advance(settled + 100).completed());
  EXPECT_LE(run.contact_tracks()[0].touches, 1u);
  return std::fabs(x_of(run, 1) - y);
}

// atan 0.5 = 0.4636
TEST(ContactFriction, BelowTheFrictionAngleStickDoesNotCreep) {
  for (const double angle : {0.1, 0.3, 0.4})
    EXPECT_LT(find_creep(incline(angle, Stick<double>{0.5})), 1e-6) << angle;
}
// Once it slides, the smoothed friction holds it at v_s atanh(tan α / μ), above v_s: never anchored.
TEST(ContactFriction, CloseToTheFrictionAngleStickDoesNotCreep) {
  for (const double angle : {0.43, 0.45, 0.46})
    EXPECT_LT(find_creep(incline(angle, Stick<double>{0.5})), 1e-6) << angle;
  EXPECT_LT(find_creep(incline(0.4, Stick<double>{0.5}, 0.3)), 1e-6);
}
// An anchor that rings takes up to twice the load: it lets go, slides, takes hold and rings again.
TEST(ContactFriction, AHeavyBlockDoesNotCreepInJerks) {
  EXPECT_LT(find_creep(incline(std::atan(0.35), Stick<double>{0.5}, 0, 200), 60), 1e-6);
}

TEST(ContactFriction, StickHoldsWhatSlidesToRest) {
  for (const double angle : {0.0, 0.2, 0.35}) {
    const System<double> s = incline(angle, Stick<double>{0.5}, 0.5);
    EXPECT_LT(find_creep(s), 1e-6) << angle;
    // v² / 2a, and the little the spring gives.
    const double a = 9.81 * (0.5 * std::cos(angle) - std::sin(angle));
    HybridRun run(s, with_tolerance(1e-10));
    ASSERT_TRUE(run.advance(3).completed());
    EXPECT_NEAR(x_of(run, 1), 0.125 / a, 2e-3) << angle;
  }
}

TEST(ContactFriction, AboveTheFrictionAngleItSlidesAsItShould) {
  for (const bool stick : {false, true}) {
    const VariantOf<Frictions<double>>::type friction =
        stick ? VariantOf<Frictions<double>>::type(Stick<double>{0.5})
              : VariantOf<Frictions<double>>::type(Coulomb<double>{0.5});
    HybridRun run(incline(0.6, friction), with_tolerance(1e-10));
    ASSERT_TRUE(run.advance(1).completed());
    const double v = x_of(run, run.system().layout().v + 1);
    ASSERT_TRUE(run.advance(3).completed());
    const double later = x_of(run, run.system().layout().v + 1);
    EXPECT_NEAR((later - v) / 2, 9.81 * (std::sin(0.6) - 0.5 * std::cos(0.6)), 1e-6) << stick;
  }
}

TEST(ContactFriction, SlidingDissipatesForceTimesPath) {
  for (const bool stick : {false, true}) {
    const VariantOf<Frictions<double>>::type friction =
        stick ? VariantOf<Frictions<double>>::type(Stick<double>{0.3})
              : VariantOf<Frictions<double>>::type(Coulomb<double>{0.3});
    HybridRun run(incline(0, friction, 2.0), with_tolerance(1e-11));
    ASSERT_TRUE(run.advance(0.6).completed());
    const Layout at = run.system().layout();
    ASSERT_GT(x_of(run, at.v + 1), 20 * 5e-4);
    const double path = x_of(run, 1);
    const double lost = -x_of(run, at.contacts + 1);
    EXPECT_NEAR(lost, 0.3 * 2 * 9.81 * path, 1e-6 * lost) << stick;
    EXPECT_LT(run.audit().energy, 1e-11);
  }
}

// Both are passive: with no push from outside no motion of the probe is ever gained.
TEST(ContactFriction, TakesEnergyOnly) {
  for (const auto& friction : all_frictions()) {
    System<double> s = probe_in_cone(3);
    s.contacts[0].friction = friction;
    HybridRun run(s, with_tolerance(1e-11));
    ASSERT_TRUE(run.advance(30).completed());
    EXPECT_LT(run.contact_tracks()[0].energy_max, 1e-10);
    EXPECT_LE(x_of(run, run.system().layout().contacts + 1), 1e-12);
  }
}

}  // namespace
}  // namespace berth::contact_friction_test
