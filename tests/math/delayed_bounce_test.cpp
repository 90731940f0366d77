// SPDX-License-Identifier: Apache-2.0
#include "berth/math/delayed_bounce.h"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "berth/math/critical_delay.h"
#include "tests/support/reference.h"

namespace berth::test::delayed_bounce_test {
namespace {

const Reference ref("contact");
const double k = 1000 * ref("base.inverse_mass"), b = 200 * ref("base.inverse_mass");

TEST(DelayedBounce, NeutralDelaysOfTheTheoryPage) {
  EXPECT_NEAR(find_neutral_delay(k, b, true), ref("bounce.adhesive"), 1e-10);
  EXPECT_NEAR(find_neutral_delay(k, b, false), ref("bounce.repulsive"), 1e-10);
}

TEST(DelayedBounce, NeutralDelayChangesTheSignOfTheGain) {
  for (bool adhesive : {true, false})
    for (double damping : {.02, .4, 1.6, 2., 5.}) {
      const double h = find_neutral_delay(1, damping, adhesive);
      EXPECT_NEAR(find_delayed_bounce(1, damping, h, adhesive).energy_ratio, 0, 1e-13);
      EXPECT_LT(find_delayed_bounce(1, damping, h * (1 - 1e-6), adhesive).energy_ratio, 0);
      EXPECT_GT(find_delayed_bounce(1, damping, h * (1 + 1e-6), adhesive).energy_ratio, 0);
      const double linear = find_critical_delay(1, damping).delay;
      if (adhesive)
        EXPECT_GT(h, linear);
      else
        EXPECT_LT(h, linear);
    }
}

TEST(DelayedBounce, WithoutDampingEveryDelayGains) {
  EXPECT_EQ(find_neutral_delay(2, 0, true), 0);
  EXPECT_EQ(find_neutral_delay(2, 0, false), 0);
  EXPECT_GT(find_delayed_bounce(2, 0, .01, false).energy_ratio, 0);
}

TEST(DelayedBounce, NoNeutralDelayWithoutForceOrForAnAdhesiveDamper) {
  EXPECT_EQ(find_neutral_delay(0, 0, true), std::numeric_limits<double>::infinity());
  EXPECT_EQ(find_neutral_delay(0, 1, true), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(find_delayed_bounce(0, 1, 3, true).energy_ratio, 0, 1e-13);
}

TEST(DelayedBounce, WithoutDelayAsTheDampedOscillator) {
  const double a = b / 2, omega = std::sqrt(k - a * a);
  const DelayedBounce adhesive = find_delayed_bounce(k, b, 0, true);
  EXPECT_DOUBLE_EQ(adhesive.duration, std::numbers::pi / omega);
  EXPECT_DOUBLE_EQ(adhesive.energy_ratio, std::expm1(-b * std::numbers::pi / omega));
  // Repulsive contact ends with no force: k x + b ẋ = 0.
  for (double damping : {.3, 1.99999999, 2., 2.00000001, 7.}) {
    const double t = find_delayed_bounce(1, damping, 0, false).duration;
    const double shift = std::abs(damping - 2) < 1e-6 ? 1e-6 : 1e-10;
    EXPECT_NEAR(find_delayed_bounce(1, damping, 1e-4, false).duration, t, 2e-3 * t + shift);
  }
}

// Two delays and their difference: the error left is of second order in h.
TEST(DelayedBounce, TendsToTheUndelayedOne) {
  for (bool adhesive : {true, false}) {
    const DelayedBounce none = find_delayed_bounce(k, b, 0, adhesive);
    const DelayedBounce one = find_delayed_bounce(k, b, 1e-4, adhesive);
    const DelayedBounce two = find_delayed_bounce(k, b, 2e-4, adhesive);
    EXPECT_NEAR(2 * one.energy_ratio - two.energy_ratio, none.energy_ratio, 2e-7);
    EXPECT_NEAR(2 * one.duration - two.duration, none.duration, 2e-7);
  }
}

// By hand: with h longer than the contact the force begins when x = h and brakes from there. A damper
// alone, repulsive: ẋ = 1 − b (t − h) on [h, 2h], zero at t₀ = h + 1/b, contact lost there; the force
// of the time after h is still to come.
TEST(DelayedBounce, RepulsiveDamperByHand) {
  const double damping = 1, h = 3, t0 = h + 1 / damping;
  // ∫ ẋ over the contact is h + 1/(2b): the impulse of the delayed force is b times that.
  const double v = 1 - damping * (h + 0.5 / damping);
  const DelayedBounce found = find_delayed_bounce(0, damping, h, false);
  EXPECT_TRUE(found.ended);
  EXPECT_NEAR(found.duration, t0, 1e-14);
  EXPECT_NEAR(found.energy_ratio, v * v - 1, 1e-13);
}

// Only k h² and b h matter.
TEST(DelayedBounce, SameInAnotherUnitOfTime) {
  for (bool adhesive : {true, false}) {
    const DelayedBounce one = find_delayed_bounce(k, b, .15, adhesive);
    const DelayedBounce other = find_delayed_bounce(k * 1e4, b * 1e2, .15e-2, adhesive);
    EXPECT_NEAR(one.energy_ratio, other.energy_ratio, 1e-13);
    EXPECT_NEAR(one.duration, other.duration * 1e2, 1e-13);
    EXPECT_TRUE(one.ended);
  }
}

// A second road: the same motion by small explicit steps of second order.
TEST(DelayedBounce, MatchesSmallSteps) {
  constexpr int steps = 20000, most = 16 * steps;
  const double h = .15, dt = h / steps;
  std::vector<double> x(most + 1), v(most + 1);
  for (bool adhesive : {true, false}) {
    const auto force = [&](int j) {
      return k * x[static_cast<std::size_t>(j)] + b * v[static_cast<std::size_t>(j)];
    };
    v[0] = 1;
    int off = most;
    std::size_t at = 0;
    for (int i = 0; i < most && i < off + steps; ++i) {
      const double f0 = i < steps ? 0 : force(i - steps);
      const double f1 = i + 1 < steps || i + 1 - steps > off ? 0 : force(i + 1 - steps);
      v[at + 1] = v[at] - 0.5 * dt * (f0 + f1);
      x[at + 1] = x[at] + dt * v[at] - dt * dt * (2 * f0 + f1) / 6;
      ++at;
      if (off == most && (x[at] <= 0 || (!adhesive && force(i + 1) < 0))) off = i;
    }
    const DelayedBounce found = find_delayed_bounce(k, b, h, adhesive);
    EXPECT_NEAR(found.duration, off * dt, 2 * dt);
    EXPECT_NEAR(found.energy_ratio, v[at] * v[at] - 1, 2e-5);
  }
}

TEST(DelayedBounce, OverdampedAdhesiveContactNeverEnds) {
  for (double h : {0., .01}) {
    const DelayedBounce found = find_delayed_bounce(1, 4, h, true);
    EXPECT_FALSE(found.ended);
    EXPECT_NEAR(found.energy_ratio, -1, 1e-12);
    EXPECT_TRUE(find_delayed_bounce(1, 4, h, false).ended);
  }
}

}  // namespace
}  // namespace berth::test::delayed_bounce_test
