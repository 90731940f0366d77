// SPDX-License-Identifier: Apache-2.0
#include "berth/system/impacts.h"

#include <gtest/gtest.h>

#include "tests/support/docked.h"

namespace berth::system_impacts_test {
namespace {

using test::Random;
using V = Vec3<double>;

// A ball of 2 kg without spin above the ground, moving as given.
struct Ball {
  explicit Ball(const V& velocity) {
    BodySpec<double> spec = test::hub_spec<double>("ball", 2, Sym3<double>{0.1, 0.1, 0.1});
    spec.q = {0, 0, 0, 1, 0, 0, 0};
    spec.v = {velocity.x, velocity.y, velocity.z, 0, 0, 0};
    system.model.add_body(spec);
  }
  // Hit at its centre by a floor below.
  ImpactResult hit(double e, double mu, const V& lever = {}) const {
    Workspace<double> w(system);
    Mode<double> mode = idle_mode(w);
    const std::vector<double> x = find_initial_state(system);  // the motion refers to it
    motion_stage<double>(system, 0.0, x, mode, w);
    return find_impact(system, mode, w, {{1, kGround, lever, lever, {0, 0, 1}, e, mu}}, false);
  }
  System<double> system;
};

TEST(Impact, ReflectsTheApproach) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const ImpactResult r = Ball({1, 0, -3}).hit(e, 0);
    EXPECT_NEAR(r.before[0], -3, 1e-15);
    EXPECT_NEAR(r.after[0], 3 * e, 1e-14);
    EXPECT_LT(norm(r.impulse_N[0] - V{0, 0, 2 * 3 * (1 + e)}), 1e-14);
    EXPECT_NEAR(r.v[0], 1, 1e-15) << "nothing slows the sliding";
  }
}

TEST(Impact, WhatGoesAwayIsNotHit) {
  const ImpactResult r = Ball({1, 0, 2}).hit(0.5, 0.5);
  EXPECT_EQ(norm(r.impulse_N[0]), 0);
  EXPECT_EQ(r.after[0], r.before[0]);
}

TEST(Impact, FrictionTakesOfTheSlidingWhatItCan) {
  // λ_n = 2·3·(1 + 0.5) = 9 N·s; sliding at 4 m/s needs 8 N·s to stop.
  const ImpactResult slides = Ball({4, 0, -3}).hit(0.5, 0.2);
  EXPECT_NEAR(slides.impulse_N[0].x, -0.2 * 9, 1e-13);
  EXPECT_NEAR(slides.v[0], 4 - 0.9, 1e-13);
  const ImpactResult sticks = Ball({4, 0, -3}).hit(0.5, 1.0);
  EXPECT_NEAR(sticks.impulse_N[0].x, -8, 1e-13);
  EXPECT_NEAR(sticks.v[0], 0, 1e-14);
}

// A solid ball that slides in and is held by friction leaves rolling, at 5/7 of its speed.
TEST(Impact, HeldByFrictionABallLeavesRolling) {
  const double r = 0.1, I = 0.4 * 2 * r * r;
  Ball ball({0.5, 0, -0.3});
  ball.system.model.bodies[1].I_C_B = Sym3<double>{I, I, I};
  const ImpactResult hit = ball.hit(0.4, 1, {0, 0, -r});
  EXPECT_NEAR(hit.v[0], 5.0 / 7 * 0.5, 1e-14);
  EXPECT_NEAR(hit.v[4], 5.0 / 7 * 0.5 / r, 1e-12);
}

// An impact beside the centre makes it spin: all that is lost goes through the point.
TEST(Impact, OffCentreKeepsWhatTheConeLeaves) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const V v{random.number(-2, 2), random.number(-2, 2), random.number(-3, -0.1)};
    const double e = random.number(0, 1), mu = random.number(0, 1.5);
    const ImpactResult r = Ball(v).hit(e, mu, random.vector(0.3));
    const V& j = r.impulse_N[0];
    EXPECT_GE(j.z, 0);
    EXPECT_LE(std::hypot(j.x, j.y), mu * j.z * (1 + 1e-12) + 1e-14);
    EXPECT_GE(r.after[0], -1e-13);
  }
}

double kinetic(const System<double>& s, const std::vector<double>& v) {
  std::vector<double> x = find_initial_state(s);
  Motion<double> motion;
  motion.bodies.resize(s.model.bodies.size());
  find_motion<double>(s.model, std::span(x).first(s.model.q0.size()), v, motion);
  return find_kinetic_energy(s.model, motion);
}

// Anything hit anywhere by several at once: no energy comes of it, nothing goes deeper, docks hold.
TEST(Impact, OfAnyKindBringsNoEnergy) {
  int hits = 0, lowered = 0;
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    const System<double> s =
        test::random_docked<Direction<double>>(seed, {Enforce::exact}, test::Ports::tip_hub, 0, 0);
    Workspace<double> w(s);
    Mode<double> mode = test::open_mode(w);
    std::vector<double> x = find_initial_state(s);
    choose_rows(s, 0.0, x, mode, w);
    stop_rates(s, 0.0, x, mode, w);
    choose_rows(s, 0.0, x, mode, w);
    std::vector<ImpactPoint> points;
    const int count = 1 + static_cast<int>(seed % 4);
    for (int k = 0; k < count; ++k) {
      const int b1 = 1 + static_cast<int>(random.number(0, 1) * (s.model.body_count() - 1.001));
      const int b2 = k % 2 ? kGround : 1 + (b1 + 2) % (s.model.body_count() - 1);
      if (b1 == b2) continue;
      const V lever = random.vector(0.5), r = w.motion.body(b1).r_BN_N + lever;
      points.push_back({b1, b2, lever, r - w.motion.body(b2).r_BN_N, random.direction(),
                        random.number(0, 1), seed % 3 ? random.number(0, 1) : 0.0});
    }
    const bool sequential = seed % 5 == 0;
    const ImpactResult r = find_impact(s, mode, w, points, sequential);
    const double before = kinetic(s, {w.motion.v.begin(), w.motion.v.end()});
    const double after = kinetic(s, r.v);
    EXPECT_LE(after, before * (1 + 1e-12)) << seed;
    lowered += after < before;
    for (std::size_t k = 0; k < points.size(); ++k) {
      hits += r.before[k] < 0;
      EXPECT_GE(r.after[k], -1e-9 * (1 + std::fabs(r.before[k]))) << seed;
      EXPECT_GE(dot(r.impulse_N[k], points[k].n_N), -1e-12) << seed;
    }
    // The dock between the craft does not notice.
    std::copy(r.v.begin(), r.v.end(), x.begin() + w.layout.v);
    motion_stage<double>(s, 0.0, x, mode, w);
    for (int row = 0; row < w.docks[0].count; ++row)
      EXPECT_LT(std::fabs(w.docks[0].rows.row[static_cast<std::size_t>(row)].rate), 1e-10) << seed;
  }
  EXPECT_GT(hits, 500);
  EXPECT_GT(lowered, 300);
}

}  // namespace
}  // namespace berth::system_impacts_test
