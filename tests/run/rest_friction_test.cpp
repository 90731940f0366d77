// SPDX-License-Identifier: Apache-2.0

// Friction of probes at rest in a run: pulls, pairs in space, methods, any orientation of the world. Its
// closed forms: tests/verification/slope_test.cpp.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/run/slope.h"

namespace berth::rest_friction_test {
namespace {

using namespace test;

// Dropped, it is stopped by the impact and goes on from there.
// A spin across the way: the ball goes round a parabola until it rolls, v = (5 v₀ + 2 R ω₀ × n̂)/7.
// Up the slope, it stops; then it stays or slides back.
// Pulled off it lets go; pulled along the floor it holds, slides, and holds again.
TEST(RestFriction, APullLiftsItOffAllTheSame) {
  Slope s = block();
  System<double> system = s.build();
  ExternalLoad<double> pull;
  pull.body = "body";
  pull.force = {2 * kMass * kGravity, 0, 0};
  pull.schedule = {{1, 100}};
  system.add_force(pull);
  HybridRun run(system, with_tolerance(1e-11));
  ASSERT_TRUE(run.advance(1.5).completed());
  std::size_t lifted = 0;
  for (const EventRecord& h : run.event_records()) lifted += h.kind == "lift_off";
  EXPECT_EQ(lifted, 3u);
  EXPECT_NEAR(motion_of(run, s).r.x, s.height + 0.5 * kGravity * 0.25, 1e-8);
  EXPECT_LT(norm(run.observe().contacts[0].force_N()), 1e-12);
}
TEST(RestFriction, APullAlongTheFloorMovesItWhileItIsStrongEnough) {
  Slope s = block();
  System<double> system = s.build();
  const double limit = s.friction * kMass * kGravity;
  for (const double part : {0.9, 0.6}) {  // one after the other, then both
    ExternalLoad<double> pull;
    pull.body = "body";
    pull.force = {0, 0, part * limit};
    pull.point = {-0.079, 0, 0};
    pull.schedule = {{1, part > 0.8 ? 3.0 : 2.0}};
    system.add_force(pull);
  }
  HybridRun run(system, with_tolerance(1e-11));
  advance(run, 1, false);
  EXPECT_LT(norm(motion_of(run, s).v), 1e-11);
  advance(run, 2);
  EXPECT_NEAR(motion_of(run, s).v.z, 0.5 * limit / kMass, 1e-7);
  advance(run, 4);
  EXPECT_LT(norm(motion_of(run, s).v), 1e-9);
}

TEST(RestFriction, WithoutItNothingIsHeld) {
  Slope s = block();
  s.friction = 0;
  s.angle = 0.3;
  HybridRun run(s.build(), with_tolerance(1e-11));
  advance(run, 1);
  EXPECT_NEAR(motion_of(run, s).v.y, kGravity * std::sin(0.3), 1e-9);
  EXPECT_EQ(work_of(run), 0);
}

// Two craft in space, one pressed on the other: friction between them takes none of their momentum.
TEST(RestFriction, APairInSpaceKeepsItsMomentum) {
  System<double> s;
  const int lower = add_craft(s, "lower", {}, {}, 5, 0.4);
  const int upper = add_craft(s, "upper", {kRadius, 0, 0}, {0, 0.3, 0.1}, 1, 0.4 * 0.01);
  Contact<double> c = touching(upper, {}, lower);
  c.probe = SphereProbe<double>{kRadius};
  Impact<double> law;
  law.friction = 0.3;
  c.law = law;
  s.add_contact(c);
  ExternalLoad<double> press;
  press.body = "upper";
  press.force = {-2, 0, 0};
  press.schedule = {{0, 100}};
  s.add_force(press);
  HybridRun run(s, with_tolerance(1e-11));
  advance(run, 0.3);
  EXPECT_LT(work_of(run), -1e-3);
}

// Every method: the stiff one differentiates it, the variational ones take it in steps.
TEST(RestFriction, EveryMethodTakesIt) {
  for (const char* method : {"dopri5", "radau", "variational2", "variational4"}) {
    SCOPED_TRACE(method);
    RunOptions options = with_tolerance(1e-10, method);
    options.integrator.step = 1e-3;
    Slope ball;
    ball.angle = 0.5;
    HybridRun rolls(ball.build(), options);
    ASSERT_TRUE(rolls.advance(1).completed());
    EXPECT_NEAR(motion_of(rolls, ball).v.y, 5.0 / 7 * kGravity * std::sin(0.5), 1e-6);
    Slope s = block();
    s.v = {0, 1, 0};
    HybridRun stops(s.build(), options);
    ASSERT_TRUE(stops.advance(1).completed());
    EXPECT_NEAR(motion_of(stops, s).r.y, 0.5 / (s.friction * kGravity), 1e-6);
    EXPECT_LT(norm(motion_of(stops, s).v), 1e-9);
    EXPECT_LT(stops.audit().energy, 1e-5);
  }
}

// The same in any orientation of the world.
RC_GTEST_PROP(RestFriction, KnowsNoDirection, ()) {
  Random random(static_cast<unsigned>(*rc::gen::inRange(0, 100000)));
  Slope s;
  if (random.integer(0, 1) == 0) s = block(3);
  s.angle = random.number(0, 0.8);
  s.friction = random.number(0.05, 0.8);
  s.v = {0, random.number(-1, 1), random.number(-1, 1)};
  if (s.radius > 0) s.omega = random.vector(10);
  HybridRun straight(s.build(), with_tolerance(1e-10));
  Slope t = s;
  t.R = random.rotation();
  HybridRun turned(t.build(), with_tolerance(1e-10));
  for (HybridRun* run : {&straight, &turned}) {
    RC_ASSERT(run->advance(0.7).completed());
    RC_ASSERT(run->audit().energy < 1e-8);
    RC_ASSERT(work_of(*run) <= 0);
  }
  const Moves a = motion_of(straight, s), b = motion_of(turned, t);
  RC_ASSERT(norm(a.r - b.r) < 1e-6);
  RC_ASSERT(norm(a.v - b.v) < 1e-6);
  RC_ASSERT(norm(a.omega - b.omega) < 1e-5);
}

// Dropped anyhow, bodies of several probes come to lie, and the run to its end.
TEST(RestFriction, WhateverIsDroppedComesToLie) {
  std::size_t held = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    System<double> s;
    BodySpec<double> body = hub_spec<double>("body", random.number(0.5, 5), random.inertia(0.05));
    const Quaternion<double> q = random.quaternion();
    const double n = 1 / std::sqrt(norm_squared(q));
    body.q = {random.number(0.4, 0.8), 0, 0, n * q.w, n * q.x, n * q.y, n * q.z};
    for (int k = 0; k < 6; ++k) body.v.push_back(random.number(-1, 1));
    const int b = s.model.add_body(body);
    Impact<double> law;
    law.restitution = random.number(0, 0.7);
    law.friction = random.number(0, 1.2);
    law.rest_speed = 1e-3;
    const bool round = random.integer(0, 1) == 1;
    for (int k = random.integer(1, 6); k > 0; --k) {
      Contact<double> c = touching(b, random.vector(0.2), kGround);
      c.name = fmt::format("probe{}", k);
      if (round) c.probe = SphereProbe<double>{random.number(0.01, 0.1)};
      c.law = law;
      s.add_contact(c);
    }
    UniformGravity<double> gravity;
    gravity.uniform = {-kGravity, random.number(-3, 3), 0};
    s.add_force(gravity);
    RunOptions options = with_tolerance(1e-9);
    options.integrator.max_steps = 20000;
    HybridRun run(s, options);
    struct Deepest : Observer {
      bool step(HybridRun& r) override {
        for (const ContactMotion<double>& m : r.observe().contacts) depth = std::max(depth, -m.gap);
        return true;
      }
      double depth = 0;
    } deepest;
    const Outcome end = run.advance(3, &deepest);
    EXPECT_TRUE(end.completed()) << seed << " " << end.reason << " at " << end.t;
    EXPECT_LT(run.audit().energy, 1e-8) << seed;
    EXPECT_LT(deepest.depth, 1e-9) << seed;
    for (const ContactMode<double>& c : run.mode().contacts) held += c.now.sticking;
  }
  EXPECT_GT(held, 50u);
}

// A rod pushed over its tip: beyond μ = 4/3 friction may press it on more than it takes off (Painlevé).
TEST(RestFriction, WhatJamsGoesOnWithoutFriction) {
  std::size_t jammed = 0;
  for (const double mu : {0.5, 1.4, 4.0})
    for (const double v : {-2.0, 2.0})
      for (const double lean : {0.5, 1.1}) {
        System<double> s;
        BodySpec<double> rod =
            hub_spec<double>("rod", 1, Sym3<double>::diagonal(1e-4, 1.0 / 3, 1.0 / 3));
        const Mat3<double> R = rotation_about(Vec3<double>{0, 0, 1}, lean);
        const Quaternion<double> q = quaternion(R);
        rod.q = {(R * Vec3<double>{1, 0, 0}).x, 0, 0, q.w, q.x, q.y, q.z};
        rod.v = {0, v, 0, 0, 0, 0};
        const int b = s.model.add_body(rod);
        for (const double end : {-1.0, 1.0}) {
          Contact<double> c = touching(b, {end, 0, 0}, kGround);
          Impact<double> law;
          law.friction = mu;
          c.law = law;
          s.add_contact(c);
        }
        UniformGravity<double> gravity;
        gravity.uniform = {-kGravity, 0, 0};
        s.add_force(gravity);
        HybridRun run(s, with_tolerance(1e-9));
        EXPECT_TRUE(run.advance(2).completed());
        EXPECT_LT(run.audit().energy, 1e-9);
        EXPECT_TRUE(mu > 4.0 / 3 || run.warnings().empty());
        jammed += run.warnings().size();
      }
  EXPECT_GT(jammed, 0u);
}

}  // namespace
}  // namespace berth::rest_friction_test
