// SPDX-License-Identifier: Apache-2.0

// Clohessy and Wiltshire's linear motion about a circular orbit, in Hill axes: x radial, y
// along-track, z normal; s = sin nt, c = cos nt:
//
//   x = (4 − 3c) x₀ + s/n ẋ₀ + 2(1 − c)/n ẏ₀
//   y = 6(s − nt) x₀ + y₀ − 2(1 − c)/n ẋ₀ + (4s − 3nt)/n ẏ₀                                    (1)
//   z = c z₀ + s/n ż₀
//
// What it leaves out is of second order in ρ/R, so halving ρ must quarter the deviation.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/support/runs.h"

namespace berth::clohessy_wiltshire_test {
namespace {

constexpr double kMu = 3.986004415e14, kRadius = 6.878e6;
const double n = std::sqrt(kMu / kRadius) / kRadius;

Vec3<double> clohessy_wiltshire(const Vec3<double>& r, const Vec3<double>& v, double t) {  // (1)
  const double s = std::sin(n * t), c = std::cos(n * t);
  return {(4 - 3 * c) * r.x + s / n * v.x + 2 * (1 - c) / n * v.y,
          6 * (s - n * t) * r.x + r.y - 2 * (1 - c) / n * v.x + (4 * s - 3 * n * t) / n * v.y,
          c * r.z + s / n * v.z};
}

// The relative position in Hill axes at t, started with (r, v) in those rotating axes.
Vec3<double> simulate(const Vec3<double>& r, const Vec3<double>& v, double t) {
  System<double> system;
  BodySpec<double> craft;
  craft.name = "craft";
  craft.mass = 100;
  craft.I_C_B = Sym3<double>::diagonal(10);
  craft.q = {r.x, r.y, r.z, 1, 0, 0, 0};
  craft.v = {v.x - n * r.y, v.y + n * r.x, v.z, 0, 0, 0};
  system.model.add_body(craft);
  system.set_orbit({}, {kRadius, 0, 0}, {0, n * kRadius, 0});
  HybridRun run(system, test::with_tolerance(1e-13));
  run.advance(t);
  const Vec3<double> rho = run.observe().motion.body(1).r_BN_N + test::orbit_state(run).r_CO_N;
  const double s = std::sin(n * t), c = std::cos(n * t);
  return {c * rho.x + s * rho.y, c * rho.y - s * rho.x, rho.z};
}

TEST(ClohessyWiltshire, DeviationShrinksWithTheSquareOfTheDistance) {
  test::Random random(1);
  for (int i = 0; i < 6; ++i) {
    const Vec3<double> r = random.vector(), v = random.vector(n);
    for (const double t : {600.0, 2700.0, 5676.0}) {
      const auto deviation = [&](double size) {
        return norm(simulate(size * r, size * v, t) - clohessy_wiltshire(size * r, size * v, t));
      };
      const double far = deviation(80), near = deviation(40), nearer = deviation(20);
      // Of the order ρ²/R, with ρ as far as the drift has carried it.
      const double reach = 40 * (1 + norm(clohessy_wiltshire(r, v, t)));
      EXPECT_LT(near, 5 * reach * reach / kRadius);
      EXPECT_NEAR(far / near, 4, 2e-3) << "case " << i << ", t = " << t;
      EXPECT_NEAR(near / nearer, 4, 1e-3) << "case " << i << ", t = " << t;
    }
  }
}

}  // namespace
}  // namespace berth::clohessy_wiltshire_test
