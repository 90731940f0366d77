// SPDX-License-Identifier: Apache-2.0

// Force laws against their formulas, and friction against what it may not do.

#include <cmath>

#include <gtest/gtest.h>

#include "berth/contact/list.h"
#include "tests/support/random.h"

namespace berth {
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
  EXPECT_DOUBLE_EQ(law.find_force({0.01, 0, {}}), -1e4 * std::pow(0.01, 1.5));
  EXPECT_DOUBLE_EQ(law.find_force({0.01, 0.5, {}}), -1e4 * std::pow(0.01, 1.5) * 1.15);
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
    // The chaser looks back: x̂_C = −x̂_T.
    const Vec3<double> n{0.5, std::cos(M_PI / 6) * std::sin(phi),
                         std::cos(M_PI / 6) * std::cos(phi)};
    const double d = 1e-7;
    EXPECT_NEAR(-device().find_force({d, 0, n}) / d, 475, 0.01) << phi;
  }
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

}  // namespace
}  // namespace berth
