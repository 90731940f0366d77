// SPDX-License-Identifier: Apache-2.0

// Friction that sticks lets a body roll: accelerations and final speeds of the textbook, in any
// orientation of the world.

#include "tests/run/contact_runs.h"

namespace berth::contact_rolling_test {
namespace {

using namespace test;

constexpr double kMass = 2, kRadius = 0.1, kGravity = 9.81, kStiffness = 2e4;

// A round body on an inclined plane, x up from it and y down the slope, all of it turned by R. Its
// axis is z, and it touches at places along it.
struct Roller {
  double inertia = 0.4 * kMass * kRadius * kRadius;  // about z
  double across = inertia;
  std::vector<double> places{0};
  double angle = 0, v = 0, omega = 0;  // along y, about z
  double coefficient = 0.4;
  Mat3<double> R = Mat3<double>::identity();

  System<double> build() const {
    System<double> s;
    BodySpec<double> body = hub_spec<double>(
        "roller", kMass, rotate(R, Sym3<double>::diagonal(across, across, inertia)));
    const double load = kMass * kGravity * std::cos(angle) / static_cast<double>(places.size());
    const Vec3<double> r = R * Vec3<double>{kRadius - load / kStiffness, 0, 0};
    const Vec3<double> v_N = R * Vec3<double>{0, v, 0}, w_N = R * Vec3<double>{0, 0, omega};
    body.q = {r.x, r.y, r.z, 1, 0, 0, 0};
    body.v = {v_N.x, v_N.y, v_N.z, w_N.x, w_N.y, w_N.z};
    const int roller = s.model.add_body(body);
    for (const double z : places) {
      Contact<double> c = touching(roller, R * Vec3<double>{0, 0, z}, kGround);
      c.port_2.R_BP = R;
      c.probe = SphereProbe<double>{kRadius};
      c.law = SpringDashpot<double>{kStiffness, 1.5 * std::sqrt(kStiffness * kMass)};
      c.friction = Stick<double>{coefficient};
      s.add_contact(c);
    }
    UniformGravity<double> gravity;
    gravity.uniform = R * Vec3<double>{-kGravity * std::cos(angle), kGravity * std::sin(angle), 0};
    s.add_force(gravity);
    return s;
  }
};

// Down the slope, and over the plane.
double speed_of(HybridRun& run, const Roller& roller) {
  return transposed_times(roller.R, run.observe().motion.body(1).v_BN_N).y;
}
double find_acceleration(const Roller& roller) {
  HybridRun run(roller.build(), with_tolerance(1e-10));
  EXPECT_TRUE(run.advance(1).completed());
  const double before = speed_of(run, roller);
  EXPECT_TRUE(run.advance(2).completed());
  return speed_of(run, roller) - before;
}

// Friction takes at all times, and the energy of the ledger is that of the motion.
double find_final_speed(const Roller& roller) {
  HybridRun run(roller.build(), with_tolerance(1e-10));
  double last = 0;
  for (int i = 1; i <= 150; ++i) {
    EXPECT_TRUE(run.advance(0.01 * i).completed());
    const double work = x_of(run, run.system().layout().contacts + 1);
    EXPECT_LE(work, 1e-12) << run.t();
    last = work;
  }
  EXPECT_LT(last, 0);
  EXPECT_LT(run.audit().energy, 1e-9);
  return speed_of(run, roller);
}

TEST(ContactRolling, ABallRollsDownWithFiveSeventhsOfTheSlope) {
  const double slope = kGravity * std::sin(M_PI / 18);
  Roller ball;
  ball.angle = M_PI / 18;
  EXPECT_NEAR(find_acceleration(ball) / (5.0 / 7 * slope), 1, 1e-4);
  Random random(1);
  for (int i = 0; i < 3; ++i) {
    ball.R = random.rotation();
    EXPECT_NEAR(find_acceleration(ball) / (5.0 / 7 * slope), 1, 1e-4);
  }
}

// A shaft on its side touches at both ends.
TEST(ContactRolling, AShaftOnItsSideRollsByItsInertia) {
  Random random(2);
  for (const double share : {0.3, 0.5, 1.0}) {
    Roller shaft;
    shaft.angle = M_PI / 18;
    shaft.places = {-0.2, 0.2};
    shaft.inertia = share * kMass * kRadius * kRadius;
    shaft.across = 0.05;
    const double wanted = kGravity * std::sin(shaft.angle) / (1 + share);
    EXPECT_NEAR(find_acceleration(shaft) / wanted, 1, 1e-4) << share;
    shaft.R = random.rotation();
    EXPECT_NEAR(find_acceleration(shaft) / wanted, 1, 1e-4) << share;
  }
}

// Steeper than tan α = 7/2 μ it slips, and friction only turns it.
TEST(ContactRolling, OnASteepSlopeABallSlips) {
  Roller ball;
  ball.angle = 1.0;
  ball.coefficient = 0.2;
  const double wanted = kGravity * (std::sin(1.0) - 0.2 * std::cos(1.0));
  EXPECT_NEAR(find_acceleration(ball) / wanted, 1, 1e-4);
}

TEST(ContactRolling, ABallThatSlidesEndsRollingWithFiveSeventhsOfItsSpeed) {
  Random random(3);
  for (int i = 0; i < 3; ++i) {
    Roller ball;
    ball.v = 1;
    if (i > 0) ball.R = random.rotation();
    EXPECT_NEAR(find_final_speed(ball), 5.0 / 7, 1e-4);
  }
}

// v = (5 v₀ − 2 r ω₀)/7: it goes on, or comes back.
TEST(ContactRolling, ABallWithBackspinEndsByItsMomentumAboutTheGround) {
  Random random(4);
  for (const double spin : {10.0, 25.0, 40.0}) {
    Roller ball;
    ball.v = 1;
    ball.omega = -spin;
    ball.R = random.rotation();
    EXPECT_NEAR(find_final_speed(ball), (5 - 2 * kRadius * spin) / 7, 1e-4) << spin;
  }
}

// What rolls without slipping goes on for ever: nothing is gained, next to nothing lost.
TEST(ContactRolling, RollingKeepsItsEnergy) {
  Roller ball;
  ball.v = 1;
  ball.omega = 1 / kRadius;
  HybridRun run(ball.build(), with_tolerance(1e-11));
  ASSERT_TRUE(run.advance(20).completed());
  EXPECT_NEAR(speed_of(run, ball), 1, 1e-8);
  EXPECT_LE(work_of(run), 1e-12);
}

}  // namespace
}  // namespace berth::contact_rolling_test
