// SPDX-License-Identifier: Apache-2.0

// The reference orbit, and a craft beside it, against Kepler's equation.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/support/runs.h"
#include "tests/verification/closed_forms.h"

namespace berth::kepler_test {
namespace {

constexpr double kMu = 3.986004415e14, kPerigee = 6.678e6;

struct Start {
  Vec3<double> r, v;
};

// Any orientation, any place on an orbit of given perigee and eccentricity.
Start random_start(test::Random& random, double perigee, double e) {
  const double f = random.number(-3.1, 3.1), p = perigee * (1 + e), r = p / (1 + e * std::cos(f));
  const Mat3<double> R = random.rotation();
  const double k = std::sqrt(kMu / p);
  return {R * Vec3<double>{r * std::cos(f), r * std::sin(f), 0},
          R * Vec3<double>{-k * std::sin(f), k * (e + std::cos(f)), 0}};
}

System<double> one_craft(const Start& start, const Vec3<double>& rho = {},
                         const Vec3<double>& rho_dot = {}) {
  System<double> system;
  BodySpec<double> craft;
  craft.name = "craft";
  craft.mass = 500;
  craft.I_C_B = Sym3<double>::diagonal(100, 80, 60);
  craft.q = {rho.x, rho.y, rho.z, 1, 0, 0, 0};
  craft.v = {rho_dot.x, rho_dot.y, rho_dot.z, 0, 0, 0};
  system.model.add_body(craft);
  OrbitalGravity<double> gravity;
  gravity.mu = kMu;
  system.set_orbit(gravity, start.r, start.v);
  return system;
}

TEST(Kepler, ReferenceOrbitInLowEarthOrbitIsKnownToAMicrometre) {
  test::Random random(1);
  for (int i = 0; i < 10; ++i) {
    const Start start = random_start(random, kPerigee, random.number(0, 0.02));
    const test::Kepler kepler(start.r, start.v, kMu);
    const System<double> system = one_craft(start);
    HybridRun run(system, test::with_tolerance(1e-13));
    for (const double part : {0.1, 0.37, 0.6, 1.0}) {
      const double t = part * kepler.period();
      ASSERT_TRUE(run.advance(t).completed());
      EXPECT_LT(test::distance(test::orbit_state(run).r_OE_N, kepler.at(t).r), 1e-6);
      EXPECT_LT(test::distance(test::orbit_state(run).v_OE_N, kepler.at(t).v), 1e-9);
    }
    // A craft put at O with O's velocity never leaves it.
    EXPECT_EQ(norm(run.observe().motion.body(1).r_BN_N), 0.0);
  }
}

TEST(Kepler, ReferenceOrbitOfAnyEccentricityFollowsKeplersEquation) {
  test::Random random(2);
  for (int i = 0; i < 20; ++i) {
    const double e = 0.04 * (i + 1);  // up to 0.8
    const Start start = random_start(random, kPerigee, e);
    const test::Kepler kepler(start.r, start.v, kMu);
    const System<double> system = one_craft(start);
    HybridRun run(system, test::with_tolerance(1e-13));
    for (const double part : {0.31, 0.5, 1.0}) {
      const double t = part * kepler.period();
      ASSERT_TRUE(run.advance(t).completed());
      const test::OrbitState o = test::orbit_state(run);
      // Of its own size, which is up to 60 000 km at apogee.
      EXPECT_LT(test::distance(o.r_OE_N, kepler.at(t).r) / norm(o.r_OE_N), 1e-11) << "e = " << e;

      // Energy, momentum and the line of apsides are where they were.
      const test::Kepler now(o.r_OE_N, o.v_OE_N, kMu);
      const auto a = kepler.semi_major_axis();
      const auto dh = now.momentum() - kepler.momentum();
      const auto de = now.eccentricity_vector() - kepler.eccentricity_vector();
      EXPECT_LT(static_cast<double>(std::fabs(now.semi_major_axis() / a - 1)), 1e-12);
      EXPECT_LT(
          static_cast<double>(std::sqrt(dot(dh, dh) / dot(kepler.momentum(), kepler.momentum()))),
          1e-12);
      EXPECT_LT(static_cast<double>(std::sqrt(dot(de, de))), 2e-12);
    }
  }
}

// Two Kepler orbits and their difference: what the tidal force must make of the craft's motion.
TEST(Kepler, CraftBesideTheReferenceOrbitFliesAKeplerOrbitOfItsOwn) {
  test::Random random(3);
  for (int i = 0; i < 12; ++i) {
    const double e = i % 3 == 0 ? 0.0 : random.number(0, 0.7);
    const double size = std::pow(10.0, i % 4);  // 1 m … 1 km
    const Start start = random_start(random, kPerigee, e);
    const Vec3<double> rho = random.vector(size), rho_dot = random.vector(1e-3 * size);
    const test::Kepler of_O(start.r, start.v, kMu);
    const System<double> system = one_craft(start, rho, rho_dot);
    HybridRun run(system, test::with_tolerance(1e-13));
    const double t = 0.9 * of_O.period();
    ASSERT_TRUE(run.advance(t).completed());

    // The sums R + ρ in long double: a double would have rounded ρ away.
    const test::Kepler of_craft(test::Kepler::widen(start.r) + test::Kepler::widen(rho),
                                test::Kepler::widen(start.v) + test::Kepler::widen(rho_dot), kMu);
    const auto relative = of_craft.at(t).r - of_O.at(t).r;
    const Vec3<double> r = run.observe().motion.body(1).r_BN_N + test::orbit_state(run).r_CO_N;
    EXPECT_LT(test::distance(r, relative) / norm(r), 1e-10) << "e = " << e << ", " << size << " m";
  }
}

}  // namespace
}  // namespace berth::kepler_test
