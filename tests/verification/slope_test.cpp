// SPDX-License-Identifier: Apache-2.0

// Friction of probes at rest under the law impact: blocks and balls on an inclined plane, against the
// closed forms of the textbook.

#include "tests/run/slope.h"

namespace berth::slope_test {
namespace {

using namespace test;

TEST(Slope, ABlockStaysWhereTheSlopeIsGentle) {
  for (const int corners : {3, 4})
    for (const double part : {0.2, 0.9, 0.999}) {
      SCOPED_TRACE(fmt::format("{} corners, {} of the limit", corners, part));
      Slope s = block(corners);
      s.angle = std::atan(part * s.friction);
      HybridRun run(s.build(), with_tolerance(1e-10));
      advance(run, 5, false);
      const Moves m = motion_of(run, s);
      EXPECT_LT(norm(m.r - Vec3<double>{s.height, 0, 0}), 1e-10);
      EXPECT_LT(norm(m.v) + norm(m.omega), 1e-10);
      Vec3<double> sum{};
      for (const ContactMotion<double>& c : run.observe().contacts) sum += c.force_N();
      EXPECT_NEAR(norm(sum), kMass * kGravity, 1e-9);
    }
}

TEST(Slope, ABlockSlidesWhereItIsSteep) {
  for (const int corners : {3, 4})
    for (const double part : {1.001, 1.02, 1.5, 3.0}) {
      SCOPED_TRACE(fmt::format("{} corners, {} of the limit", corners, part));
      Slope s = block(corners);
      s.friction = 0.25;
      s.angle = std::atan(part * s.friction);
      const double a = kGravity * (std::sin(s.angle) - s.friction * std::cos(s.angle));
      HybridRun run(s.build(), with_tolerance(1e-10));
      advance(run, 2);
      const Moves m = motion_of(run, s);
      EXPECT_NEAR(m.v.y, 2 * a, 1e-8);
      EXPECT_NEAR(m.r.y, 2 * a, 1e-8);
      EXPECT_LT(norm(m.omega), 1e-8);
    }
}

TEST(Slope, ABallRollsWithFiveSeventhsOfTheSlope) {
  for (const double share : {1.01, 2.0}) {
    Slope s;
    s.angle = 0.5;
    s.friction = share * 2.0 / 7 * std::tan(s.angle);
    HybridRun run(s.build(), with_tolerance(1e-11));
    advance(run, 1);
    const Moves m = motion_of(run, s);
    EXPECT_NEAR(m.v.y, 5.0 / 7 * kGravity * std::sin(s.angle), 1e-8);
    EXPECT_NEAR(m.omega.z, m.v.y / kRadius, 1e-7);
    EXPECT_NEAR(x_of(run, run.system().layout().contacts + 1), 0, 1e-12) << "nothing slides";
  }
}

TEST(Slope, ABallSlipsWhereFrictionCannotHoldIt) {
  for (const double share : {0.3, 0.99}) {
    Slope s;
    s.angle = 0.5;
    s.friction = share * 2.0 / 7 * std::tan(s.angle);
    HybridRun run(s.build(), with_tolerance(1e-11));
    advance(run, 1);
    const Moves m = motion_of(run, s);
    const double load = s.friction * kGravity * std::cos(s.angle);
    EXPECT_NEAR(m.v.y, kGravity * std::sin(s.angle) - load, 1e-8);
    EXPECT_NEAR(m.omega.z, 2.5 * load / kRadius, 1e-7);
  }
}

TEST(Slope, ADroppedBallRollsFromWhereItMeetsTheSlope) {
  Slope s;
  s.angle = 0.3;
  s.height = kRadius + 0.05;
  HybridRun run(s.build(), with_tolerance(1e-11));
  advance(run, 1);
  const Moves a = motion_of(run, s);
  advance(run, 2);
  const Moves b = motion_of(run, s);
  EXPECT_NEAR(b.v.y - a.v.y, 5.0 / 7 * kGravity * std::sin(s.angle), 1e-8);
}

TEST(Slope, SlidingEndsInRolling) {
  const double v0 = 1;
  Slope s;
  s.v = {0, v0, 0};
  const double t = 2 * v0 / (7 * s.friction * kGravity);
  HybridRun run(s.build(), with_tolerance(1e-11));
  advance(run, 0.999 * t);
  EXPECT_GT(norm(run.observe().contacts[0].slip_N), 1e-4);
  EXPECT_NEAR(norm(run.observe().contacts[0].friction_N), s.friction * kMass * kGravity, 1e-9);
  advance(run, 1.001 * t);
  EXPECT_LT(norm(run.observe().contacts[0].slip_N), 1e-10);
  EXPECT_NEAR(motion_of(run, s).v.y, 5.0 / 7 * v0, 1e-8);
  advance(run, 3);
  EXPECT_NEAR(motion_of(run, s).v.y, 5.0 / 7 * v0, 1e-8);
  EXPECT_LT(norm(run.observe().contacts[0].friction_N), 1e-9) << "it rolls freely";
  EXPECT_NEAR(work_of(run), -kMass * v0 * v0 / 7, 1e-8);
}

TEST(Slope, ASpunBallCurves) {
  Slope s;
  s.v = {0, 1, 0};
  s.omega = {3, 20, -5};
  HybridRun run(s.build(), with_tolerance(1e-11));
  advance(run, 2);
  const Moves m = motion_of(run, s);
  const Vec3<double> wanted =
      (1.0 / 7) * (5.0 * s.v + 2 * kRadius * cross(s.omega, Vec3<double>{1, 0, 0}));
  EXPECT_NEAR(m.v.y, wanted.y, 1e-8);
  EXPECT_NEAR(m.v.z, wanted.z, 1e-8);
  EXPECT_NEAR(m.omega.x, 3, 1e-9) << "a point of contact takes no spin";
}

TEST(Slope, ABlockThatSlidesStopsAndStays) {
  const double v0 = 1.5;
  for (const int corners : {3, 4}) {
    Slope s = block(corners);
    s.v = {0, v0, 0};
    const double a = s.friction * kGravity, t = v0 / a;
    HybridRun run(s.build(), with_tolerance(1e-11));
    advance(run, 0.5 * t);
    EXPECT_NEAR(motion_of(run, s).v.y, 0.5 * v0, 1e-8);
    advance(run, t + 1e-6);
    EXPECT_LT(std::fabs(motion_of(run, s).v.y), 1e-10);
    EXPECT_NEAR(motion_of(run, s).r.y, v0 * v0 / (2 * a), 1e-8);
    advance(run, 5);
    const Moves m = motion_of(run, s);
    EXPECT_NEAR(m.r.y, v0 * v0 / (2 * a), 1e-8);
    EXPECT_LT(norm(m.v) + norm(m.omega), 1e-11);
    EXPECT_NEAR(work_of(run), -0.5 * kMass * v0 * v0, 1e-8);
  }
}

TEST(Slope, ABlockPushedUpStaysOrComesBack) {
  for (const double mu : {0.2, 0.6}) {
    Slope s = block();
    s.friction = mu;
    s.angle = std::atan(0.4);
    const double up = kGravity * (std::sin(s.angle) + mu * std::cos(s.angle));
    const double down = kGravity * (std::sin(s.angle) - mu * std::cos(s.angle));
    s.v = {0, -1, 0};
    HybridRun run(s.build(), with_tolerance(1e-11));
    advance(run, 2);
    const double left = 2 - 1 / up, a = std::max(down, 0.0);
    EXPECT_NEAR(motion_of(run, s).v.y, a * left, 1e-7);
    EXPECT_NEAR(motion_of(run, s).r.y, -0.5 / up + 0.5 * a * left * left, 1e-7);
  }
}

}  // namespace
}  // namespace berth::slope_test
