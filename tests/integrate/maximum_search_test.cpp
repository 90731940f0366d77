// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/maximum_search.h"

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

namespace berth::maximum_search_test {
namespace {

using namespace step_test;

// --- maxima ---------------------------------------------------------------------------------------

TEST(Maximum, IsAtTheEndsOrInside) {
  EXPECT_EQ(find_maximum([](double t) { return t; }, 1, 3).t, 3);
  EXPECT_EQ(find_maximum([](double t) { return -t; }, 1, 3).t, 1);
  const Extremum top = find_maximum([](double t) { return std::sin(t); }, 1, 3);
  EXPECT_NEAR(top.t, M_PI / 2, 1e-8);
  EXPECT_EQ(top.value, 1);
  EXPECT_EQ(find_maximum([](double) { return 2.0; }, 1, 3).value, 2);
  EXPECT_EQ(find_maximum([](double t) { return 7 - t; }, 3, 3).value, 4);
}

TEST(Maximum, OfAKinkIsItsTip) {
  for (double a = 0.0123; a < 1; a += 0.0317) {
    const Extremum top = find_maximum([&](double t) { return 3 - std::fabs(t - a); }, 0, 1);
    EXPECT_NEAR(top.value, 3, 1e-12);
  }
}

TEST(Maximum, IsOfTheValuesThatAreFinite) {
  EXPECT_EQ(find_maximum([](double) { return kNaN; }, 0, 1).value, -INFINITY);
  const auto g = [](double t) { return t < 0.5 ? t * (0.6 - t) : kNaN; };
  EXPECT_NEAR(find_maximum(g, 0, 1).value, 0.09, 1e-15);
}

RC_GTEST_PROP(Maximum, IsNotExceededAnywhereOnATrajectory, ()) {
  Numbers number;
  const Trajectory trajectory(number);
  const Observed f(trajectory, number);
  const double t_0 = trajectory.t_0(), t_1 = trajectory.t_1();
  const Extremum top = find_maximum(f, t_0, t_1);
  RC_ASSERT(t_0 <= top.t && top.t <= t_1);
  RC_ASSERT(f(top.t) == top.value);
  double low = top.value, high = std::max(f(t_0), f(t_1));
  for (int i = 0; i < 1000; ++i) {
    const double v = f(number(t_0, t_1));
    low = std::min(low, v);
    high = std::max(high, v);
  }
  for (const Turn& turn : turns(f, t_0, t_1)) high = std::max(high, turn.value);
  RC_ASSERT(top.value >= high - 1e-12 * (top.value - low) - 1e-15 * std::fabs(high));
}

RC_GTEST_PROP(Maximum, OfWavesIsTheHighest, ()) {
  Numbers number;
  const double omega = number.logarithmic(0.1, 60), phase = number(0, 6.3), growth = number(-2, 2);
  const auto g = [&](double t) { return std::exp(growth * t) * std::sin(omega * t + phase); };
  const Extremum top = find_maximum(g, 0, 1);
  double low = g(0), high = std::max(g(0), g(1));
  for (int i = 0; i < 1000; ++i) {
    low = std::min(low, g(i * 1e-3));
    high = std::max(high, g(i * 1e-3));
  }
  for (const Turn& turn : turns(g, 0, 1)) high = std::max(high, turn.value);
  RC_ASSERT(top.value >= high - 1e-12 * (high - low));
}

// --- cost -----------------------------------------------------------------------------------------

TEST(StepFunctionCost, IsNineEvaluationsFarFromZero) {
  for (double omega = 0; omega < 6; omega += 0.1) {
    int count = 0;
    EXPECT_TRUE(
        changes(counted([&](double t) { return 2.5 + std::sin(omega * t); }, count), 0, 1).empty());
    EXPECT_EQ(count, 9) << omega;
  }
  int kink = 0;
  changes(counted([](double t) { return 1 + std::fabs(t - 0.37); }, kink), 0, 1);
  EXPECT_EQ(kink, 9);
}

TEST(StepFunctionCost, OfACrossingIsSmall) {
  for (double omega = 0.5; omega < 3; omega += 0.1) {
    int count = 0;
    const auto g = [&](double t) { return 0.5 - std::sin(omega * t); };
    const auto found = changes(counted(g, count), 0, 1);
    EXPECT_LE(count, 17 + 13 * int(found.size())) << omega;
  }
}

TEST(StepFunctionCost, DoesNotGrowWithTheRoundingOfTime) {
  const double t_0 = 1e4;
  for (const double h : {1e-3, 1e-7}) {
    for (double a = 0; a < 1; a += 0.002) {
      int count = 0;
      const auto g = [&](double t) {
        return std::sin(2 * (t - t_0) / h + 0.3) - std::sin(2 * a + 0.3);
      };
      changes(counted(g, count), t_0, t_0 + h);
      EXPECT_LE(count, 60) << h << " " << a;
    }
  }
}

TEST(StepFunctionCost, OfAMaximumIsOneMoreThanTheSamples) {
  int count = 0;
  find_maximum(counted([](double t) { return 1 - (t - 0.3) * (t - 0.3); }, count), 0, 1);
  EXPECT_EQ(count, 10);
  count = 0;
  find_maximum(counted([](double t) { return std::sin(3 * t); }, count), 0, 1);
  EXPECT_LE(count, 18);
}

TEST(StepFunctionCost, OfAMaximumThatIsNotWantedIsTheSamples) {
  int count = 0;
  const auto g = [](double t) { return std::sin(3 * t); };
  EXPECT_GT(find_maximum(counted(g, count), 0, 1, {.above = 1.1}).value, 0.9);
  EXPECT_EQ(count, 9);
  EXPECT_EQ(find_maximum(g, 0, 1, {.above = 0.99999}).value, 1);
  // One at a steep end needs no more either.
  count = 0;
  EXPECT_EQ(find_maximum(counted([](double t) { return std::exp(t); }, count), 0, 1).t, 1);
  EXPECT_EQ(count, 9);
}

RC_GTEST_PROP(StepFunctionCost, OfManyMaximaIsShared, ()) {
  Numbers number;
  int count = 0;
  const double omega = number(0.1, 3);
  const auto one = [&](std::size_t k, double t) { return std::sin(omega * t + double(k)); };
  const auto all = [&](double t, std::span<double> values) {
    ++count;
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = one(k, t);
  };
  StepFunctionMemory memory;
  StepFunctions functions(test::at_each_time(all, 10), 10, memory);
  functions.sample(0, 1);
  for (std::size_t k = 0; k < 10; ++k) {
    const Extremum top = functions.find_maximum(k);
    RC_ASSERT(top.value == find_maximum([&](double t) { return one(k, t); }, 0, 1).value);
  }
  RC_ASSERT(count <= 17 + 10);
}

TEST(StepFunctions, ShareTheSamples) {
  int count = 0;
  const auto f = [&](double t, std::span<double> values) {
    ++count;
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = 3 + std::sin(t + double(k));
    if (values.size() > 2) values[2] = t - 1.25;
  };
  StepFunctionMemory memory;
  StepFunctions functions(test::at_each_time(f, 20), 20, memory);
  functions.sample(1, 1.5);
  EXPECT_EQ(count, 9);
  std::vector<SignChange> found;
  for (std::size_t k = 0; k < 20; ++k) {
    if (k != 2) functions.find_sign_changes(k, found);
  }
  EXPECT_EQ(count, 9);
  EXPECT_TRUE(found.empty());
  functions.find_sign_changes(2, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].after, 1.25);
  EXPECT_NEAR(functions.find_maximum(0).value, 3 + std::sin(1.5), 1e-15);
  // The next step starts from values that are known.
  const std::vector<double> known(functions.size(), 1.0);
  count = 0;
  functions.sample(1.5, 2, known);
  EXPECT_EQ(count, 8);
  StepFunctions none(test::at_each_time(f, 0), 0, memory);
  none.sample(2, 3);
  EXPECT_EQ(count, 8);
}

}  // namespace
}  // namespace berth::maximum_search_test
