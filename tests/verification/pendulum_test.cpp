// SPDX-License-Identifier: Apache-2.0

// Pendulums on a hinge on the ground, swinging wide: the period is an elliptic integral,
//
//   T = 2π √(I_O / m g l) / agm(1, cos θ₀/2)          released at rest from θ₀                 (1)

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/support/runs.h"
#include "tests/verification/closed_forms.h"

namespace berth::pendulum_test {
namespace {

constexpr double kGravity = 9.81;

// A body hung from a hinge whose axis is level but otherwise askew in the world.
struct Pendulum {
  double mass, length, inertia;  // inertia about the hinge axis through the c.m.
  Vec3<double> axis;             // level
  double angle;
  double aside = 0;  // of the c.m. along the axis: loads the bearing, changes no swing

  double period() const {  // (1)
    const double omega = std::sqrt(mass * kGravity * length / (inertia + mass * length * length));
    return 2 * std::numbers::pi / omega / test::agm(1, std::cos(angle / 2));
  }
  System<double> system() const {
    System<double> s;
    BodySpec<double> bob;
    bob.name = "bob";
    bob.joint = JointType::revolute;
    bob.axis = axis;
    bob.mass = mass;
    bob.r_CB_B = Vec3<double>{0, 0, -length} + aside * axis;
    bob.I_C_B = inertia * outer(axis);
    bob.q = {angle};
    s.model.add_body(bob);
    UniformGravity<double> gravity;
    gravity.uniform = {0, 0, -kGravity};
    s.add_force(gravity);
    return s;
  }
};

void expect_period_of_the_elliptic_integral(const Pendulum& p) {
  const System<double> system = p.system();
  // From 3 rad, almost upright, rounding errors grow by thousands.
  HybridRun run(system, test::with_tolerance(1e-14));
  const double T = p.period();
  // Straight down after a quarter, on the other side after a half, home after a whole period.
  run.advance(0.25 * T);
  EXPECT_LT(std::fabs(run.x()[0]), 1e-12);
  run.advance(0.5 * T);
  EXPECT_LT(std::fabs(run.x()[0] + p.angle), 1e-12);
  run.advance(0.75 * T);
  EXPECT_LT(std::fabs(run.x()[0]), 1e-12);
  run.advance(T);
  EXPECT_LT(std::fabs(run.x()[0] - p.angle), 1e-12);
  EXPECT_LT(run.audit().energy, 1e-12);
  EXPECT_LT(run.audit().linear_momentum, 1e-12);
  EXPECT_LT(run.audit().angular_momentum, 1e-12);
}

TEST(Pendulum, SimpleOneHasThePeriodOfTheEllipticIntegral) {
  for (const double angle : {0.01, 0.5, 1.5, 2.5, 3.0})
    expect_period_of_the_elliptic_integral({2.0, 1.3, 0.0, {0, 1, 0}, angle});
}

TEST(Pendulum, PhysicalOneHasThePeriodOfTheEllipticIntegral) {
  test::Random random(12);
  for (int i = 0; i < 10; ++i) {
    const double heading = random.number(0, 6);
    expect_period_of_the_elliptic_integral({random.number(0.5, 20),
                                            random.number(0.1, 3),
                                            random.number(0.1, 5),
                                            {std::cos(heading), std::sin(heading), 0},
                                            random.number(0.1, 2.9),
                                            random.number()});
  }
}

// The same pendulum on a ball joint, and as the far end of a tree of welded pieces.
TEST(Pendulum, IsTheSameOnABallJointAndInPieces) {
  const Pendulum p{2.0, 0.7, 0.4, {0, 1, 0}, 2.0};
  UniformGravity<double> gravity;
  gravity.uniform = {0, 0, -kGravity};

  System<double> ball;
  BodySpec<double> bob;
  bob.name = "bob";
  bob.joint = JointType::spherical;
  bob.mass = p.mass;
  bob.r_CB_B = {0, 0, -p.length};
  bob.I_C_B = Sym3<double>::diagonal(0.9, p.inertia, 0.7);
  bob.q = {std::cos(p.angle / 2), 0, std::sin(p.angle / 2), 0};
  ball.model.add_body(bob);
  ball.add_force(gravity);

  // Mass 2 at 0.7 m is 1 at 0.3 m and 1 at 1.1 m; they bring 2 (0.4²) = 0.32 of the inertia along.
  System<double> pieces;
  BodySpec<double> upper;
  upper.name = "upper";
  upper.joint = JointType::revolute;
  upper.axis = p.axis;
  upper.mass = 1;
  upper.r_CB_B = {0, 0, -0.3};
  upper.I_C_B = Sym3<double>::diagonal(0.02, 0.05, 0.01);
  upper.q = {p.angle};
  BodySpec<double> lower;
  lower.name = "lower";
  lower.joint = JointType::fixed;
  lower.parent = pieces.model.add_body(upper);
  lower.r_FP_P = {0.2, 0, -1};
  lower.R_PF = rotation_about<double>({0, 1, 0}, 0.8);
  lower.mass = 1;
  lower.r_CB_B = transposed_times(lower.R_PF, Vec3<double>{-0.2, 0, -0.1});
  lower.I_C_B = Sym3<double>::diagonal(0.01, 0.03, 0.03);
  pieces.model.add_body(lower);
  pieces.add_force(gravity);

  for (const System<double>& system : {ball, pieces}) {
    HybridRun run(system, test::with_tolerance(1e-13));
    run.advance(0.25 * p.period());
    EXPECT_LT(std::fabs(run.observe().motion.body(1).R_NB.xz), 1e-12);
    run.advance(p.period());
    EXPECT_LT(std::fabs(run.observe().motion.body(1).R_NB.xz - std::sin(p.angle)), 1e-12);
    EXPECT_LT(run.audit().angular_momentum, 1e-12);
  }
}

}  // namespace
}  // namespace berth::pendulum_test
