// SPDX-License-Identifier: Apache-2.0
#include "berth/math/rotation.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "berth/scalar/dual.h"
#include "tests/support/random.h"

namespace berth::rotation_dual_test {
namespace {

using test::Random;

// The slope of f(φ + s d) at s = 0, by Dual and by central differences.
template <class F>
void expect_slope(const Vec3<double>& phi, const Vec3<double>& d, F&& f, double tolerance) {
  Vec3<Dual> seeded{phi.x, phi.y, phi.z};
  for (int k = 0; k < 3; ++k) set_slope(seeded[k], 0, d[k]);
  const std::vector<Dual> exact = f(seeded);
  const double h = 1e-6;
  const std::vector<double> up = f(phi + h * d), down = f(phi - h * d);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_TRUE(std::isfinite(slope(exact[i])));
    EXPECT_NEAR(slope(exact[i]), (up[i] - down[i]) / (2 * h), tolerance) << "component " << i;
  }
}

// Rotation vectors on both sides of the hand-over to the series, and none at all.
std::vector<Vec3<double>> rotation_vectors() {
  Random random(1);
  std::vector<Vec3<double>> all = {{}};
  for (int i = 0; i < 40; ++i) all.push_back(random.number(0.01, 3.0) * random.direction());
  for (double a : {1e-3, 1.1e-4, 0.9e-4, 1e-6, 1e-12}) all.push_back(a * random.direction());
  return all;
}

TEST(RotationOfDuals, SlopesOfEveryConversionAreDifferences) {
  Random random(2);
  for (const Vec3<double>& phi : rotation_vectors()) {
    const Vec3<double> d = random.direction();
    expect_slope(
        phi, d,
        [](const auto& p) {
          const auto q = quaternion_from_rotation_vector(p);
          return std::vector{q.w, q.x, q.y, q.z};
        },
        1e-8);
    expect_slope(
        phi, d,
        [](const auto& p) {
          const auto s = mrp(rotation_matrix(quaternion_from_rotation_vector(p)));
          return std::vector{s.x, s.y, s.z};
        },
        1e-8);
    expect_slope(
        phi, d,
        [](const auto& p) {
          const auto q = quaternion_from_mrp(mrp(quaternion_from_rotation_vector(p)));
          const auto back = rotation_vector(q);
          return std::vector{back.x, back.y, back.z};
        },
        1e-7);
  }
}

// φ → q → φ is the identity; so is its slope, also at no rotation at all.
TEST(RotationOfDuals, ThereAndBackHasTheSlopeOne) {
  for (const Vec3<double>& phi : rotation_vectors()) {
    for (int k = 0; k < 3; ++k) {
      Vec3<Dual> p{phi.x, phi.y, phi.z};
      set_slope(p[k], 0, 1.0);
      const Vec3<Dual> back = rotation_vector(quaternion_from_rotation_vector(p));
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(slope(back[i]), i == k ? 1 : 0, 1e-11) << norm(phi);
    }
  }
}

TEST(RotationOfDuals, NormOfZeroHasNoLostSlope) {
  const Vec3<Dual> zero{0.0, 0.0, 0.0};
  EXPECT_EQ(norm(zero), Dual(0.0));
}

}  // namespace
}  // namespace berth::rotation_dual_test
