// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/crossing.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/crossing_finder.h"
#include "berth/integrate/methods.h"
#include "tests/integrate/problems.h"

namespace berth {
namespace {

TEST(FindCrossing, FindsTheFirstOfSeveral) {
  const auto g = [](double t) { return std::cos(t); };
  EXPECT_NEAR(*find_crossing(g, 0, 8, Way::either), M_PI / 2, 3e-16);
  EXPECT_NEAR(*find_crossing(g, 0, 8, Way::falling), M_PI / 2, 3e-16);
  EXPECT_NEAR(*find_crossing(g, 0, 8, Way::rising), 3 * M_PI / 2, 1e-15);
  EXPECT_FALSE(find_crossing(g, 0, 1.5, Way::either));
}

TEST(FindCrossing, ReturnsATimeOnTheFarSide) {
  const auto g = [](double t) { return 0.3 - t * t; };
  const double t = *find_crossing(g, 0, 1, Way::either);
  EXPECT_LE(g(t), 0);
  EXPECT_GT(g(std::nextafter(t, 0)), 0);
  // Continuing from there the crossing is over.
  EXPECT_FALSE(find_crossing(g, t, 1, Way::either));
}

TEST(FindCrossing, ZeroAtTheStartIsOverZeroAtTheEndIsNot) {
  const auto g = [](double t) { return t - 1; };
  EXPECT_FALSE(find_crossing(g, 1, 2, Way::either));
  EXPECT_EQ(*find_crossing(g, 0, 1, Way::either), 1);
  EXPECT_EQ(*find_crossing(g, 0, 1, Way::rising), 1);
  EXPECT_FALSE(find_crossing(g, 0, 1, Way::falling));
}

TEST(FindCrossing, FindsAVisitShorterThanTheSampling) {
  // Below zero for 2e-3 s, between samples 0.11 s apart, wherever it happens in the step.
  for (double centre = 0.02; centre < 1; centre += 0.0137) {
    const auto g = [&](double t) { return (t - centre) * (t - centre) - 1e-6; };
    const auto fall = find_crossing(g, 0, 1, Way::falling);
    const auto rise = find_crossing(g, 0, 1, Way::rising);
    ASSERT_TRUE(fall && rise) << centre;
    EXPECT_NEAR(*fall, centre - 1e-3, 1e-12);
    EXPECT_NEAR(*rise, centre + 1e-3, 1e-12);
    // The mirror image: above zero for a moment.
    const auto up = find_crossing([&](double t) { return -g(t); }, 0, 1, Way::rising);
    ASSERT_TRUE(up);
    EXPECT_NEAR(*up, centre - 1e-3, 1e-12);
  }
}

TEST(FindCrossing, FindsAGrazingVisitOfAFunctionThatIsNoParabola) {
  for (double phase = 0; phase < 6.2; phase += 0.1) {
    const auto g = [&](double t) { return 1.00001 + std::sin(4 * t + phase) * (1 + 0.00002); };
    // The dip reaches −1e-5: |4 t + phase + π/2| < 0.0045 beyond zero.
    const double bottom = std::fmod(3 * M_PI / 2 - phase + 4 * M_PI, 2 * M_PI) / 4;
    if (bottom < 0.01 || bottom > 0.99) continue;
    const auto t = find_crossing(g, 0, 1, Way::falling);
    ASSERT_TRUE(t) << phase;
    EXPECT_NEAR(*t, bottom, 2e-3);
  }
}

TEST(FindCrossing, SeesTheReturnOfAnEventJustHandled) {
  // A contact closed at t = 0 and opens again before the first sample.
  const auto g = [](double t) { return t * (t - 0.05); };
  ASSERT_EQ(g(0), 0);
  EXPECT_NEAR(*find_crossing(g, 0, 1, Way::rising), 0.05, 1e-15);
  EXPECT_FALSE(find_crossing(g, 0, 1, Way::falling));
}

TEST(FindCrossing, ReportsNoVisitThatStopsShort) {
  int evaluations = 0;
  const auto g = [&](double t) {
    ++evaluations;
    return (t - 0.43) * (t - 0.43) + 1e-9;
  };
  EXPECT_FALSE(find_crossing(g, 0, 1, Way::either));
  EXPECT_LT(evaluations, 30);
  // Nothing near zero: the samples and no more.
  evaluations = 0;
  const auto far = [&](double t) {
    ++evaluations;
    return 5 + std::sin(7 * t);
  };
  EXPECT_FALSE(find_crossing(far, 0, 1, Way::either));
  EXPECT_EQ(evaluations, 10);
}

TEST(FindCrossing, WorksWithoutInnerSamples) {
  const auto g = [](double t) { return t - 0.5; };
  EXPECT_EQ(*find_crossing(g, 0, 1, Way::either, {.samples = 0}), 0.5);
}

TEST(CrossingFinder, ReturnsTheEarliestAndEveryoneWhoFires) {
  CrossingFinder finder({Way::either, Way::falling, Way::either, Way::rising, Way::either});
  const auto g = [](double t, std::span<double> values) {
    values[0] = t - 0.7;
    values[1] = t - 0.2;                // rising: not asked for
    values[2] = 0.3 - t;                // first
    values[3] = std::exp(t - 0.3) - 1;  // in the same instant
    values[4] = 10 + t;
  };
  const auto t = finder.find(g, 0, 1);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, 0.3, 1e-15);
  ASSERT_EQ(finder.fired().size(), 2u);
  EXPECT_EQ(finder.fired()[0], 2u);
  EXPECT_EQ(finder.fired()[1], 3u);
  // The next one from there.
  const auto next = finder.find(g, *t, 1);
  EXPECT_NEAR(*next, 0.7, 1e-15);
  ASSERT_EQ(finder.fired().size(), 1u);
  EXPECT_EQ(finder.fired()[0], 0u);
  EXPECT_FALSE(finder.find(g, *next, 1));
  EXPECT_TRUE(finder.fired().empty());
}

TEST(CrossingFinder, WatchesNothingWithoutFunctions) {
  CrossingFinder finder({});
  EXPECT_FALSE(finder.find([](double, std::span<double>) { FAIL(); }, 0, 1));
}

// A ball dropped again and again: x = 1 − t²/2 between bounces, each at half the speed.
TEST(CrossingFinder, LocatesTheBouncesOfABall) {
  const auto f = [](double, std::span<const double> x, std::span<double> rate) {
    rate[0] = x[1];
    rate[1] = -1;
  };
  for (const Tableau* m : kExplicitMethods) {
    Adaptive<double> a(*m, 2, {{0, 1, 1.0}, {1, 1, 1.0}}, {.tolerance = 1e-12, .step = 0.7});
    a.start(0, std::vector<double>{1, 0});
    CrossingFinder finder({Way::falling});
    std::vector<double> x(2), bounces;
    const auto g = [&](double t, std::span<double> values) {
      a.interpolate(t, x);
      values[0] = x[0];
    };
    while (a.t() < 4.2) {
      ASSERT_EQ(a.step(f, 4.2), StepOutcome::accepted);
      a.prepare_dense(f);
      if (const auto t = finder.find(g, a.t_previous(), a.t())) {
        a.interpolate(*t, x);
        x[0] = 0;
        x[1] = -0.5 * x[1];
        a.restart(*t, x);
        bounces.push_back(*t);
      }
    }
    // √2, then flights of √2, √2/2, √2/4 …
    ASSERT_GE(bounces.size(), 5u) << m->name;
    for (std::size_t i = 0; i < bounces.size(); ++i) {
      const double expected = std::sqrt(2.0) * (3 - std::exp2(1.0 - double(i)));
      EXPECT_NEAR(bounces[i], expected, 1e-11) << m->name << " bounce " << i;
    }
  }
}

// On a real trajectory: the line of apsides, where r·v changes sign, every half period.
TEST(CrossingFinder, IsAsAccurateAsTheDenseOutput) {
  const problems::Kepler f;
  Adaptive<double> a(kDop853, 4, {{0, 2, 1.0}, {2, 2, 1.0}}, {.tolerance = 1e-13});
  a.start(0.5, problems::Kepler::exact(0.6, 0.5));
  CrossingFinder finder({Way::either});
  std::vector<double> x(4), times;
  const auto g = [&](double t, std::span<double> values) {
    a.interpolate(t, x);
    values[0] = x[0] * x[2] + x[1] * x[3];
  };
  while (a.t() < 13) {
    ASSERT_EQ(a.step(f, 13.0), StepOutcome::accepted);
    a.prepare_dense(f);
    if (const auto t = finder.find(g, a.t_previous(), a.t())) times.push_back(*t);
  }
  ASSERT_EQ(times.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(times[i], M_PI * double(i + 1), 1e-10);
}

RC_GTEST_PROP(FindCrossing, FindsTheRootOfAnyMonotoneFunction, ()) {
  const double root = *rc::gen::inRange(1, 1000000) * 1e-6;
  const double bend = *rc::gen::inRange(-99, 100) * 0.01;
  const bool up = *rc::gen::arbitrary<bool>();
  const auto g = [&](double t) {
    const double x = t - root;
    return (up ? 1 : -1) * x * (1 + bend * x / 2);
  };
  const auto t = find_crossing(g, 0, 1, up ? Way::rising : Way::falling);
  RC_ASSERT(t.has_value());
  RC_ASSERT(std::fabs(*t - root) < 1e-15);
  RC_ASSERT(!find_crossing(g, 0, 1, up ? Way::falling : Way::rising));
}

}  // namespace
}  // namespace berth
