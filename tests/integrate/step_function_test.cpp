// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/step_function.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/integrate/step_functions.h"
#include "tests/integrate/at_each_time.h"
#include "tests/integrate/step_function_cases.h"

namespace berth::step_function_test {
namespace {

using namespace step_test;

// --- sign changes ---------------------------------------------------------------------------------

TEST(SignChanges, AreAllFoundInOrder) {
  const auto g = [](double t) { return std::cos(t); };
  const auto found = changes(g, 0, 40);
  ASSERT_EQ(found.size(), 13u);
  for (std::size_t i = 0; i < 13; ++i) {
    EXPECT_NEAR(found[i].after, M_PI * (double(i) + 0.5), 1e-14);
    EXPECT_EQ(found[i].rising, i % 2 == 1);
  }
  EXPECT_TRUE(are_sound(g, found));
}

TEST(SignChanges, AtTheStartAreOverAtTheEndAreNot) {
  const auto g = [](double t) { return t - 1; };
  EXPECT_TRUE(changes(g, 1, 2).empty());
  const auto found = changes(g, 0, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].after, 1);
  EXPECT_EQ(found[0].before, std::nextafter(1.0, 0.0));
  EXPECT_TRUE(changes(g, 1, 1).empty());
  EXPECT_TRUE(changes([](double) { return 0.0; }, 0, 1).empty());
}

TEST(SignChanges, AtTheStartCountAgainstTheSignThatIsGiven) {
  const auto g = [](double t) { return t - 1; };
  const auto left = changes(g, 1, 2, {.sign_0 = -1});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].before, 1);
  EXPECT_TRUE(left[0].rising);
  EXPECT_TRUE(changes(g, 1, 2, {.sign_0 = 1}).empty());
  // On the near side by rounding, of a change that was handled.
  const auto near = [](double t) { return t - 1 - 1e-15; };
  EXPECT_EQ(changes(near, 1, 2).size(), 1u);
  EXPECT_TRUE(changes(near, 1, 2, {.sign_0 = 1}).empty());
}

TEST(SignChanges, RightBehindTheStartAreFound) {
  for (const double end : {0.3, 0.03, 1e-3, 1e-5}) {
    const auto found = changes([&](double t) { return t * (t - end); }, 0, 1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].after, end, 1e-15);
    EXPECT_TRUE(found[0].rising);
  }
}

TEST(SignChanges, OfAZeroThatLastsAreItsEnds) {
  const auto g = [](double t) { return std::max(0.0, std::fabs(t - 0.43) - 0.21); };
  const auto found = changes(g, 0, 1);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0].after, 0.22, 1e-15);
  EXPECT_NEAR(found[1].after, 0.64, 1e-15);
  EXPECT_FALSE(found[0].rising);
  EXPECT_TRUE(found[1].rising);
}

TEST(SignChanges, OfAJumpAreNeighbouringDoubles) {
  const auto g = [](double t) { return t < 0.3 ? -1.0 : t < 0.302 ? 2.0 : -0.5; };
  const auto found = changes(g, 0, 1);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].after, 0.3);
  EXPECT_EQ(found[1].after, 0.302);
  EXPECT_TRUE(are_sound(g, found));
}

TEST(SignChanges, AreSoughtUpToAnEarlierEvent) {
  const auto g = [](double t) { return std::cos(t); };
  EXPECT_EQ(changes(g, 0, 40, {.stop_after = 10}).size(), 3u);
  EXPECT_TRUE(changes(g, 0, 40, {.stop_after = 1}).empty());
}

TEST(SignChanges, AreAsCloseAsTheTolerance) {
  int count = 0;
  const auto g = counted([](double t) { return std::cos(t); }, count);
  const auto found = changes(g, 0, 3, {.tolerance = 1e-3});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE(found[0].after - found[0].before, 1e-3);
  EXPECT_LE(found[0].before, M_PI / 2);
  EXPECT_GE(found[0].after, M_PI / 2);
}

TEST(SignChanges, OfValuesThatAreNotFiniteAreNone) {
  EXPECT_TRUE(changes([](double) { return kNaN; }, 0, 1).empty());
  EXPECT_TRUE(changes([](double t) { return t < 0.5 ? -1 : kNaN; }, 0, 1).empty());
  EXPECT_TRUE(changes([](double t) { return 1 / (t - t); }, 0, 1).empty());
  // What is finite is found.
  const auto g = [](double t) { return t < 0.4 ? t - 0.2 : t < 0.6 ? kNaN : 0.8 - t; };
  const auto found = changes(g, 0, 1);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0].after, 0.2, 1e-15);
  EXPECT_NEAR(found[1].after, 0.8, 1e-15);
  // From one sign to the other through a gap: nobody saw it change.
  EXPECT_TRUE(changes([](double t) { return t < 0.4 ? -1 : t < 0.6 ? kNaN : 1; }, 0, 1).empty());
  int count = 0;
  changes(counted([](double t) { return std::fmod(t * 1e9, 2) < 1 ? kNaN : 1; }, count), 0, 1);
  EXPECT_LT(count, 10000);
}

TEST(SignChanges, OfNoiseEndAtTheBudget) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> noise(-1, 1);
  int count = 0;
  const auto g = counted([&](double) { return noise(engine); }, count);
  changes(g, 0, 1, {.max_evaluations = 500});
  EXPECT_LT(count, 25000);  // every change it sees is located
  // Noise that g carries is not chased where g crosses once and clearly.
  count = 0;
  const auto crossing = counted([&](double t) { return t - 0.4 + 1e-9 * noise(engine); }, count);
  EXPECT_GE(changes(crossing, 0, 1).size(), 1u);
  EXPECT_LT(count, 200);
}

TEST(SignChanges, InAStepOfAFewDoublesAreFound) {
  const double t_0 = 1e4;
  double t_1 = t_0;
  for (int i = 0; i < 5; ++i) t_1 = std::nextafter(t_1, INFINITY);
  const double middle = t_0 + 0.5 * (t_1 - t_0);
  const auto found = changes([&](double t) { return t - middle; }, t_0, t_1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].after, middle);
}

// t = t_0 + h x: x from t is as good as the doubles of t.
RC_GTEST_PROP(SignChanges, OfADipOfAQuarticAreBothFound, ()) {
  Numbers number;
  const double t_0 = number(0, 1) < 0.3 ? 0.0 : number(-1e4, 1e4);
  const double h = number.logarithmic(1e-3, 100);
  const double width = number.logarithmic(1e-4, 0.2);  // of the dip, in x
  RC_PRE(width * h > 64 * detail::spacing_of_doubles(std::fabs(t_0) + h));
  const double x_0 = number(width, 1 - width);  // its middle
  // ((x − x_0)² − w²/4) times a quadratic without a root in the step.
  const double a = number(-1, 2), b = number.logarithmic(0.01, 10);
  const double scale = number.sign() * number.logarithmic(1e-6, 1e6);
  const double s = scale > 0 ? 1 : -1;
  const auto g = [&](double t) {
    const double x = (t - t_0) / h, d = x - x_0;
    return scale * (d - 0.5 * width) * (d + 0.5 * width) * ((x - a) * (x - a) + b);
  };
  const auto found = changes(g, t_0, t_0 + h);
  RC_ASSERT(found.size() == 2u);
  RC_ASSERT(are_sound(g, found));
  RC_ASSERT(encloses(found, t_0 + h * x_0, s));
  const double close = 8 * detail::spacing_of_doubles(std::fabs(t_0) + h) + 1e-11 * h;
  RC_ASSERT(std::fabs(found[0].after - (t_0 + h * (x_0 - 0.5 * width))) < close);
  RC_ASSERT(std::fabs(found[1].after - (t_0 + h * (x_0 + 0.5 * width))) < close);
}

RC_GTEST_PROP(SignChanges, OfADipShallowerThanTheErrorOfTheSeriesAreFound, ()) {
  Numbers number;
  const double omega = number(0.5, 8), a = number(0.01, 0.99), skew = number(-0.3, 0.3);
  // A series resolved to no more than 1e-7 is led to the bottom by g itself.
  const bool coarse = number.sign() > 0;
  const double depth = number.logarithmic(coarse ? 1e-10 : 1e-14, 1e-8);
  const auto g = [&](double t) {
    const double x = std::sinh(omega * (t - a) / 2);
    return x * x * (1 + skew * std::sin(omega * t)) - depth;
  };
  const auto found = changes(g, 0, 1, {.resolution = coarse ? 1e-7 : 1e-10});
  RC_ASSERT(found.size() == 2u);
  RC_ASSERT(are_sound(g, found));
  RC_ASSERT(encloses(found, a, 1));
}

RC_GTEST_PROP(SignChanges, OfAProductOfRootsAreAllFound, ()) {
  Numbers number;
  const int count = *rc::gen::inRange(1, 9);
  std::vector<double> roots;
  for (int i = 0; i < count; ++i) roots.push_back(number(0, 1));
  std::ranges::sort(roots);
  for (int i = 1; i < count; ++i) RC_PRE(roots[std::size_t(i)] - roots[std::size_t(i) - 1] > 1e-3);
  const auto g = [&](double t) {
    double product = 1;
    for (const double root : roots) product *= t - root;
    return product;
  };
  const auto found = changes(g, 0, 1);
  RC_ASSERT(found.size() == roots.size());
  RC_ASSERT(are_sound(g, found));
}

// --- on trajectories ------------------------------------------------------------------------------

RC_GTEST_PROP(SignChanges, OfADipOnATrajectoryAreBothFound, ()) {
  Numbers number;
  const Trajectory trajectory(number);
  const Observed f(trajectory, number);
  const double t_0 = trajectory.t_0(), t_1 = trajectory.t_1(), h = t_1 - t_0;
  const std::vector<Turn> candidates = turns(f, t_0, t_1);
  RC_PRE(!candidates.empty());
  const Turn turn = candidates[std::size_t(number(0, double(candidates.size())))];
  const double half = 0.5 * number.logarithmic(1e-4, 1e-2) * h;
  RC_PRE(turn.t - half > t_0 && turn.t + half < t_1);
  // The level is crossed this far from the turning point.
  const double level = turn.s * std::min(turn.s * f(turn.t - half), turn.s * f(turn.t + half));
  RC_PRE(turn.s * (level - turn.value) > 1e-13 * (1 + std::fabs(level)));
  const auto g = [&](double t) { return f(t) - level; };
  const auto found = changes(g, t_0, t_1);
  RC_ASSERT(are_sound(g, found));
  RC_ASSERT(encloses(found, turn.t, turn.s));
}

RC_GTEST_PROP(SignChanges, OfTwoConditionsShowTheirOverlap, ()) {
  // One holds until shortly after the other begins to: both hold for 1e-4 of the step.
  Numbers number;
  const Trajectory trajectory(number);
  const Observed f_1(trajectory, number), f_2(trajectory, number);
  const double t_0 = trajectory.t_0(), h = trajectory.t_1() - t_0;
  const double begin = t_0 + h * number(0.05, 0.94), end = begin + 1e-4 * h;
  const auto slope = [&](const Observed& f, double t) {
    return (f(t + 1e-4 * h) - f(t - 1e-4 * h)) / 2e-4;
  };
  const double rate_1 = slope(f_1, begin), rate_2 = slope(f_2, end);
  RC_PRE(std::fabs(rate_1) > 1e-3 && std::fabs(rate_2) > 1e-3);
  const double level_1 = f_1(begin), level_2 = f_2(end);
  const auto both = [&](double t, std::span<double> values) {
    values[0] = (rate_1 > 0 ? 1 : -1) * (f_1(t) - level_1);  // rises at `begin`
    values[1] = (rate_2 > 0 ? -1 : 1) * (f_2(t) - level_2);  // falls at `end`
  };
  StepFunctionMemory memory;
  StepFunctions functions(test::at_each_time(both, 2), 2, memory);
  functions.sample(t_0, trajectory.t_1());
  std::vector<double> times = {t_0, trajectory.t_1()};
  std::vector<SignChange> found;
  functions.find_sign_changes(0, found);
  functions.find_sign_changes(1, found);
  for (const SignChange& c : found) times.push_back(c.after);
  std::ranges::sort(times);
  std::array<double, 2> values;
  double overlap = 0;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const double l = times[i], r = times[i + 1], m = 0.5 * (l + r);
    values[0] = (rate_1 > 0 ? 1 : -1) * (f_1(m) - level_1);
    values[1] = (rate_2 > 0 ? -1 : 1) * (f_2(m) - level_2);
    const bool there = l < begin + 0.6e-4 * h && r > begin + 0.4e-4 * h;
    if (there && values[0] > 0 && values[1] > 0) overlap += r - l;
  }
  RC_ASSERT(overlap > 0.5e-4 * h);
}

// --- kinks ----------------------------------------------------------------------------------------

RC_GTEST_PROP(SignChanges, OfAKinkAreBothFound, ()) {
  Numbers number;
  const double t_0 = number(-1e3, 1e3), h = number.logarithmic(1e-2, 100);
  const double delta = number.logarithmic(1e-3, 0.1) * h;
  const double a = t_0 + number(0.001, 0.999) * h, slope = number.logarithmic(1e-3, 1e3);
  RC_PRE(a - delta > t_0 && a + delta < t_0 + h);
  const auto g = [&](double t) { return slope * (std::fabs(t - a) - delta); };
  const auto found = changes(g, t_0, t_0 + h);
  RC_ASSERT(found.size() == 2u);
  RC_ASSERT(are_sound(g, found));
  RC_ASSERT(encloses(found, a, 1));
}

RC_GTEST_PROP(SignChanges, OfAClippedForceAreFound, ()) {
  Numbers number;
  const double a = number(0, 0.99), delta = number.logarithmic(1e-3, 0.2);
  RC_PRE(a + delta < 1);
  const auto g = [&](double t) { return std::max(0.0, t - a) - delta; };
  const auto found = changes(g, 0, 1);
  RC_ASSERT(found.size() == 1u && found[0].rising);
  RC_ASSERT(are_sound(g, found));
  RC_ASSERT(std::fabs(found[0].after - a - delta) < 1e-14);
}

RC_GTEST_PROP(SignChanges, OfANormThatPassesNearZeroAreFound, ()) {
  Numbers number;
  const double a = number(0.01, 0.99), miss = number(0, 0.9), level = number.logarithmic(1e-3, 0.1);
  const double half = level * std::sqrt(1 - miss * miss);
  RC_PRE(a - half > 0 && a + half < 1);
  const double bend = number(-0.3, 0.3);
  const auto g = [&](double t) {
    const double d = t - a;
    return std::hypot(d, miss * level + bend * d * d) - level;
  };
  RC_PRE(g(0) > 0 && g(1) > 0);
  const auto found = changes(g, 0, 1);
  RC_ASSERT(found.size() == 2u);
  RC_ASSERT(are_sound(g, found));
  RC_ASSERT(encloses(found, a, 1));
}

RC_GTEST_PROP(SignChanges, OfTheNearestOfTwoFeaturesAreFound, ()) {
  Numbers number;
  const double a = number(0.1, 0.9), depth = number.logarithmic(1e-3, 0.05);
  const double slope_1 = number(0.5, 3), slope_2 = number(0.5, 3);
  // The distance to one feature shrinks until, at a, the other one is nearer: it has grown.
  const auto g = [&](double t) {
    return depth - std::min(depth + slope_1 * (a - t), slope_2 * (t - a) + depth) - 0.5 * depth;
  };
  const auto found = changes(g, 0, 1);
  RC_ASSERT(are_sound(g, found));
  RC_ASSERT(found.size() == (a - 0.5 * depth / slope_2 > 0) + (a + 0.5 * depth / slope_1 < 1));
}

}  // namespace
}  // namespace berth::step_function_test
