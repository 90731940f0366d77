// SPDX-License-Identifier: Apache-2.0

// A long body hanging towards the Earth swings about the orbit normal (pitch), the gravity-gradient
// torque pulling it back. On a circular orbit, with x along-track, y the orbit normal, z radial,
//
//   θ̈ + (3/2) n² (I_x − I_z)/I_y sin 2θ = 0                                                    (1)
//   period 2π / (n √(3 (I_x − I_z)/I_y))                      small swings                      (2)
//          the same / agm(1, cos θ₀)                          any: (1) is a pendulum in 2θ      (3)

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/runs.h"
#include "tests/verification/closed_forms.h"

namespace berth::libration_test {
namespace {

constexpr double kMu = 3.986004415e14, kRadius = 6.878e6;
const double n = std::sqrt(kMu / kRadius) / kRadius;
const Sym3<double> kRod = Sym3<double>::diagonal(950, 1000, 100);

const double kSmallPeriod =
    2 * std::numbers::pi / (n * std::sqrt(3 * (950 - 100) / 1000.0));  // (2)

// At rest in the turning orbital frame, pitched by θ₀. The orbit lies in the xz plane of N, runs
// from z to x, and the body starts with its z axis up.
System<double> rod(double pitch) {
  System<double> system;
  BodySpec<double> b;
  b.name = "rod";
  b.mass = 200;
  b.I_C_B = kRod;
  b.q = {0, 0, 0, std::cos(pitch / 2), 0, std::sin(pitch / 2), 0};
  b.v = {0, 0, 0, 0, n, 0};
  system.model.add_body(b);
  system.set_orbit({}, {0, 0, kRadius}, {n * kRadius, 0, 0});
  return system;
}

// Angle from the local vertical to the body's z axis, and out of the plane.
struct Swing {
  double pitch, out_of_plane;
};
Swing swing(HybridRun& run) {
  const Vec3<double> z = run.observe().motion.body(1).R_NB.column_z();
  const Vec3<double> up = normalised(test::orbit_state(run).r_OE_N);
  return {std::atan2(z.x * up.z - z.z * up.x, z.x * up.x + z.z * up.z), z.y};
}

TEST(Libration, SmallPitchSwingHasThePeriodOfTheTextbook) {
  const double amplitude = 1e-4;  // the formula neglects a part θ₀²/4 of the period
  const System<double> system = rod(amplitude);
  HybridRun run(system, test::with_tolerance(1e-13));
  run.advance(0.25 * kSmallPeriod);
  EXPECT_LT(std::fabs(swing(run).pitch), 1e-8 * amplitude);
  run.advance(0.5 * kSmallPeriod);
  EXPECT_LT(std::fabs(swing(run).pitch + amplitude), 1e-8 * amplitude);
  run.advance(0.75 * kSmallPeriod);
  EXPECT_LT(std::fabs(swing(run).pitch), 3e-8 * amplitude);
  run.advance(kSmallPeriod);
  EXPECT_LT(std::fabs(swing(run).pitch - amplitude), 1e-8 * amplitude);
  EXPECT_LT(std::fabs(swing(run).out_of_plane), 1e-12);
}

TEST(Libration, WidePitchSwingHasThePeriodOfTheEllipticIntegral) {
  for (const double pitch : {0.2, 0.7, 1.2, 1.5}) {
    const System<double> system = rod(pitch);
    HybridRun run(system, test::with_tolerance(1e-13));
    const double period = kSmallPeriod / test::agm(1, std::cos(pitch));  // (3)
    run.advance(0.25 * period);
    EXPECT_LT(std::fabs(swing(run).pitch), 1e-9);
    run.advance(0.5 * period);
    EXPECT_LT(std::fabs(swing(run).pitch + pitch), 1e-9);
    run.advance(0.75 * period);
    EXPECT_LT(std::fabs(swing(run).pitch), 1e-9);
    run.advance(period);
    EXPECT_LT(std::fabs(swing(run).pitch - pitch), 1e-9);
  }
}

TEST(Libration, StopsWithTheTorqueSwitchedOff) {
  System<double> system = rod(0.2);
  std::get<std::vector<OrbitalGravity<double>>>(system.forces).front().gravity_gradient = false;
  HybridRun run(system, test::with_tolerance(1e-13));
  run.advance(0.5 * kSmallPeriod);
  // At rest in the turning frame it stays there.
  EXPECT_LT(std::fabs(swing(run).pitch - 0.2), 1e-12);
}

}  // namespace
}  // namespace berth::libration_test
