// SPDX-License-Identifier: Apache-2.0

// Force laws against their formulas, and friction against what it may not do.

#include <cmath>

#include <gtest/gtest.h>

#include "berth/contact/list.h"
#include "tests/support/random.h"

namespace berth::law_test {
namespace {

using test::Random;

TEST(SpringDashpot, PushesAgainstDepthAndRate) {
  const SpringDashpot<double> law{1000, 200};
  EXPECT_DOUBLE_EQ(law.find_force({0.01, 0.02, {}}), -14);
  EXPECT_DOUBLE_EQ(law.find_force({0, 0.02, {}}), -4);
  EXPECT_DOUBLE_EQ(law.find_force({0.01, -0.1, {}}), 10) << "would pull";
}

TEST(HuntCrossley, BeginsAndEndsAtZero) {
  const HuntCrossley<double> law{1e4, 1.5, 0.3};
  EXPECT_EQ(law.find_force({0, 0.5, {}}), 0);
  EXPECT_EQ(law.find_force({-0.01, 0.5, {}}), 0);
  // dⁿ as e^(n ln d), which has n |ln d| = 7 times the rounding error of an exponential.
  EXPECT_NEAR(law.find_force({0.01, 0, {}}), -1e4 * std::pow(0.01, 1.5), 10 * 2e-15);
  EXPECT_NEAR(law.find_force({0.01, 0.5, {}}), -1e4 * std::pow(0.01, 1.5) * 1.15, 11.5 * 2e-15);
  EXPECT_LT(std::fabs(law.find_force({1e-9, 0.5, {}})), 1e-9);
}

TEST(HuntCrossley, WithExponentOneAndNoDampingIsASpring) {
  const HuntCrossley<double> law{700, 1, 0};
  for (const double d : {1e-6, 1e-3, 0.1}) EXPECT_NEAR(law.find_force({d, 3, {}}), -700 * d, 1e-12);
}

// Table 2 of the paper.
ComplianceDevice<double> device() {
  const double c = 0.2 * std::cos(M_PI / 6);
  return {1000, 0.8, 1, {{0, 0, 0}, {0.2, 0, 0.2}, {0.2, c, -0.1}, {0.2, -c, -0.1}}};
}

// (2) of hil_contact.md once more, component by component.
double find_device_force(double k, double a, double l_0, const std::vector<Vec3<double>>& springs,
                         const double n[3], double d) {
  const double q[3] = {l_0 - d * n[0], -d * n[1], -d * n[2]};
  const double l = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  double sum_nn = 0, sum_nx = 0;
  for (const Vec3<double>& from : springs) {
    double s[3], size = 0;
    for (int i = 0; i < 3; ++i) {
      s[i] = (1 - a * l_0 / l) * q[i] - from[i];
      size += s[i] * s[i];
    }
    size = std::sqrt(size);
    const double along_n = (n[0] * s[0] + n[1] * s[1] + n[2] * s[2]) / size;
    sum_nn += k * along_n * along_n;
    sum_nx += k * along_n * s[0] / size;
  }
  return -(1 - a * l_0 / l) * sum_nn * d - a * l_0 * (l_0 / l - 1) * sum_nx;
}

TEST(ComplianceDevice, FollowsItsFormula) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    ComplianceDevice<double> law{
        random.number(100, 2000), random.number(0.1, 0.9), random.number(0.5, 2), {}};
    for (int k = random.integer(1, 6); k > 0; --k) law.springs.push_back(random.vector(0.4));
    const Vec3<double> n = random.direction();
    const double d = random.number(0, 0.05), three[3] = {n.x, n.y, n.z};
    const double wanted =
        find_device_force(law.stiffness, law.ratio, law.length, law.springs, three, d);
    EXPECT_NEAR(law.find_force({d, random.number(), n}), wanted, 1e-12 * (1 + std::fabs(wanted)));
  }
}

// hil_contact.md §4, point 5, for the wall of a 30° cone met head-on, at the azimuths of springs or not.
TEST(ComplianceDevice, IsAsStiffAtFirstAsThePageSays) {
  for (const double phi : {0.0, 0.4, 1.0, 2.5}) {
    // The chaser faces back: x̂_C = −x̂_T.
    const Vec3<double> n{0.5, std::cos(M_PI / 6) * std::sin(phi),
                         std::cos(M_PI / 6) * std::cos(phi)};
    const double d = 1e-7;
    EXPECT_NEAR(-device().find_force({d, 0, n}) / d, 475, 0.01) << phi;
  }
}

// [N/m] of the slope of the force, where it has one of its own; of one spring of the device.
TEST(ContactLaws, HaveAStiffness) {
  EXPECT_EQ((SpringDashpot<double>{1000, 200}.find_stiffness()), 1000);
  EXPECT_EQ(device().find_stiffness(), 1000);
  const HuntCrossley<double> law{3e4, 1.5, 0};
  const double h = 1e-7;
  const double slope =
      (law.find_force({1e-3 - h, 0, {}}) - law.find_force({1e-3 + h, 0, {}})) / (2 * h);
  EXPECT_NEAR(law.find_stiffness(), slope, 1e-6 * slope);
}

// --- friction ------------------------------------------------------------------------------------

TEST(SlidingFriction, OpposesSlidingAndSaturates) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const double limit = random.number(0, 50), v_s = 5e-4;
    const Vec3<double> v = std::pow(10, random.number(-9, 1)) * random.direction();
    const Vec3<double> f = find_sliding_force(limit, v_s, v);
    EXPECT_LE(dot(f, v), 0) << "passive";
    EXPECT_LE(norm(f), limit * (1 + 1e-15));
    EXPECT_LT(norm(cross(f, v)), 1e-12 * norm(v) * limit + 1e-300);
    const double wanted = limit * std::tanh(norm(v) / v_s);
    EXPECT_NEAR(norm(f), wanted, 1e-12 * limit + 1e-9 * wanted);
    if (norm(v) > 20 * v_s) {
      EXPECT_NEAR(norm(f), limit, 1e-15 * limit);
    }
  }
}

TEST(SlidingFriction, IsNothingAtRest) {
  const Vec3<double> f = find_sliding_force(10.0, 5e-4, Vec3<double>{});
  EXPECT_EQ(norm(f), 0);
  const Vec3<double> small = find_sliding_force(10.0, 5e-4, Vec3<double>{1e-12, 0, 0});
  EXPECT_NEAR(small.x, -10 * 1e-12 / 5e-4, 1e-4 * 10 * 1e-12 / 5e-4);
}

TEST(SlidingFriction, IsItsLimitAtAnySpeed) {
  for (const double speed : {1.0, 1e10, 1e150}) {
    const Vec3<double> f = find_sliding_force(10.0, 1e-300, Vec3<double>{0, speed, 0});
    EXPECT_NEAR(f.y, -10, 1e-12) << speed;
  }
}

TEST(Stick, SlidesAsCoulombWithAFifthOfItsSpeed) {
  const Stick<double> stick{0.4, 5e-3};
  const Coulomb<double> coulomb{0.4, 1e-3};
  const Vec3<double> v{0, 2e-3, -1e-3};
  EXPECT_LT(norm(stick.find_sliding_force(-20, v) - coulomb.find_sliding_force(-20, v)), 1e-14);
}

// The spring's power is the rate of what it holds.
TEST(Stick, GivesBackWhatItTook) {
  Random random(3);
  const Stick<double> stick{0.4, 5e-3, 3000, 1e-300};
  for (int i = 0; i < 50; ++i) {
    const Vec3<double> n = random.direction(), s = random.vector(1e-3);
    Vec3<double> v = random.vector(1e-3);
    v -= dot(v, n) * n;
    EXPECT_NEAR(dot(stick.find_sticking_force(1000, s, n, v), v), -3000 * dot(s, v), 1e-15);
  }
}

TEST(Stick, BeginsWithTheForceItSlidWithOrWhatFrictionTook) {
  const Stick<double> stick{0.4, 5e-3, 2000, 1e-300};
  const Vec3<double> f{0, 6, -8};
  const Vec3<double> s = stick.find_first_slip(1000, f, {}, 1);
  EXPECT_LT(norm(s + 0.99 / 2000 * f), 1e-15);
  const Vec3<double> less = stick.find_first_slip(1000, f, {}, 1e-3);
  EXPECT_NEAR(0.5 * 2000 * norm_squared(less), 1e-3, 1e-15);
  EXPECT_EQ(norm(stick.find_first_slip(1000, f, {}, -1)), 0);
}

// --- compensation --------------------------------------------------------------------------------

TEST(Compensation, LeadCarriesOnTheLastTwoSamples) {
  const ContactSignal<double> before{1, {1, 0, 0}, {0, 2, 0}}, now{2, {2, 0, 0}, {0, 3, 0}};
  const auto ahead = LeadCompensation<double>{}.extrapolate(now, before, 0.02, 0.01);
  EXPECT_DOUBLE_EQ(ahead.normal, 4);
  EXPECT_DOUBLE_EQ(ahead.normal_N.x, 4);
  EXPECT_DOUBLE_EQ(ahead.friction_N.y, 5);
  EXPECT_DOUBLE_EQ(LeadCompensation<double>{0.01}.extrapolate(now, before, 0.02, 0.01).normal, 3);
}

TEST(Compensation, PassivityTakesWhatWouldBeGiven) {
  const PassivityCompensation<double> passivity;
  const Vec3<double> v{0.1, 0, -0.2};
  EXPECT_NEAR(dot(passivity.find_brake(3, v, 0.01), v) * 0.01, -3, 1e-14);
  EXPECT_EQ(norm(passivity.find_brake(-3, v, 0.01)), 0);
  EXPECT_EQ(norm(passivity.find_brake(3, {}, 0.01)), 0);
}

TEST(Compensation, ModelIsASpringAndDamper) {
  EXPECT_DOUBLE_EQ((ModelCompensation<double>{800, 160}.find_force({0.01, 0.02, {}})), -11.2);
}

}  // namespace
}  // namespace berth::law_test
