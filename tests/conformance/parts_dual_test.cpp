// SPDX-License-Identifier: Apache-2.0

// The same examination on Dual numbers: exact time derivatives of energy and momentum, slopes
// against differences, values against double.

#include <gtest/gtest.h>

#include "berth/scalar/dual.h"
#include "berth/system/ledger.h"
#include "berth/system/linearised.h"
#include "tests/conformance/world.h"

namespace berth::test::parts_dual_test {
namespace {

// d/dt of the whole balance along the motion: x seeded with ẋ.
Balance<Dual> moving_balance(const ExaminedPart& part, unsigned seed) {
  Setting setting;
  setting.seed = seed;
  const System<Dual> system = lift_system<Dual>(build_world(part, setting));
  std::vector<Dual> x = state_of(system);
  const std::vector<Dual> x_dot = derivative_of(system, x);
  for (std::size_t i = 0; i < x.size(); ++i) set_slope(x[i], 0, value(x_dot[i]));
  Workspace<Dual> w(system);
  Mode<Dual> mode = mode_for(system);
  mode.t_from = kTime;
  motion_stage<Dual>(system, kTime, x, mode, w);
  command_stage<Dual>(system, x, mode, w);
  return find_balance<Dual>(system, x, w);
}

Vec3<double> slope(const Vec3<Dual>& v) {
  return {berth::slope(v.x), berth::slope(v.y), berth::slope(v.z)};
}

TEST(Conformance, NoPartTakesMomentumFromThePair) {
  for (const auto& part : read_examples()) {
    SCOPED_TRACE(part->type);
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const Balance<Dual> b = moving_balance(*part, seed);
      const Vec3<double> force = slope(b.impulse), torque = slope(b.angular_impulse);
      EXPECT_LT(norm(slope(b.linear) - force), 1e-11 * (1 + norm(force)));
      EXPECT_LT(norm(slope(b.angular) - torque), 1e-11 * (1 + norm(torque)));
      // Nothing but a part that says so pushes from outside.
      if (!part->from_outside) {
        EXPECT_LT(norm(force), 1e-12);
        EXPECT_LT(norm(torque), 1e-12);
      }
    }
  }
}

TEST(Conformance, EveryPartLosesExactlyThePowerItReports) {
  for (const auto& part : read_examples()) {
    SCOPED_TRACE(part->type);
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const Balance<Dual> b = moving_balance(*part, seed);
      const double kinetic = berth::slope(b.kinetic), potential = berth::slope(b.potential);
      const double in = berth::slope(b.supplied), lost = berth::slope(b.lost);
      const double size = std::fabs(kinetic) + std::fabs(potential) + std::fabs(in) + lost;
      EXPECT_LT(std::fabs(kinetic + potential - in + lost), 1e-11 * (1 + size)) << "seed " << seed;
      EXPECT_GE(lost, 0);
    }
  }
}

TEST(Conformance, EveryPartGivesTheSameNumberInDouble) {
  for (const auto& part : read_examples()) {
    SCOPED_TRACE(part->type);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      Setting setting;
      setting.seed = seed;
      const System<double> a = build_world(*part, setting);
      const System<Dual> b = lift_system<Dual>(a);
      const std::vector<double> wanted = derivative_of(a, state_of(a));
      const std::vector<Dual> got = derivative_of(b, state_of(b));
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_EQ(wanted[i], value(got[i])) << "entry " << i << ", seed " << seed;
    }
  }
}

TEST(Conformance, DualSlopesOfEveryPartAreDifferenceQuotients) {
  for (const auto& part : read_examples()) {
    SCOPED_TRACE(part->type);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      Setting setting;
      setting.seed = seed;
      const System<double> a = build_world(*part, setting);
      const System<Dual> b = lift_system<Dual>(a);
      const std::vector<double> x = state_of(a);
      std::vector<Dual> xd = state_of(b);
      // A random direction, of the size of the state where that is large.
      Random random(seed + 99);
      std::vector<double> direction(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        direction[i] = random.number() * (1 + std::fabs(x[i]));
        set_slope(xd[i], 0, direction[i]);
      }
      const std::vector<Dual> exact = derivative_of(b, xd);
      const auto along = [&](double h) {
        std::vector<double> y = x;
        for (std::size_t i = 0; i < x.size(); ++i) y[i] += h * direction[i];
        return derivative_of(a, y);
      };
      const double h = 1e-5;
      const std::vector<double> p1 = along(h), m1 = along(-h), p2 = along(2 * h),
                                m2 = along(-2 * h);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double d = (8 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12 * h);
        const double size = 1 + std::fabs(d) + std::fabs(p1[i]);
        EXPECT_NEAR(berth::slope(exact[i]), d, 1e-7 * size) << "entry " << i << ", seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace berth::test::parts_dual_test
