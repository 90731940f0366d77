// SPDX-License-Identifier: Apache-2.0

// Subset simulation against failures whose probability is known, and against values that a simulation
// may well return: none, infinite ones, the same ones.

#include "berth/search/subset_simulation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "berth/sampling/normal_distribution.h"
#include "tests/search/seeds.h"

namespace berth::subset_simulation_test {
namespace {

using Value = std::function<double(const SearchPoint&)>;

std::vector<double> evaluate(const std::vector<SearchPoint>& points, const Value& value) {
  std::vector<double> values;
  for (const SearchPoint& z : points) values.push_back(value(z));
  return values;
}

SubsetResult run(const SubsetOptions& options, const Value& value) {
  SubsetSimulation search(options);
  while (!search.is_done()) search.record(evaluate(search.ask(), value));
  return search.result();
}

double sum(const SearchPoint& z) {
  double s = 0;
  for (const double x : z) s += x;
  return s / std::sqrt(static_cast<double>(z.size()));
}
double branches(const SearchPoint& z) { return std::max(z[0], (z[1] + z[2]) / std::sqrt(2.0)); }
double parabola(const SearchPoint& z) { return z[0] + 0.25 * z[1] * z[1]; }

struct Known {
  const char* name;
  std::uint32_t inputs;
  Value value;
  double threshold, probability;
  int usual_seeds;
};
// Thresholds of `sum` are those of scipy.stats.norm.isf(p). q = norm.sf(4.5), 2q − q². The parabola: the integral of
// norm.pdf(u) norm.sf(5 − u²/4) over u, by scipy.integrate.quad to 1e-12.
const Known kKnown[] = {
    {"linear, 1e-3", 10, sum, -find_normal_quantile(1e-3), 1e-3, 3},
    {"linear, 1e-6", 10, sum, 4.753424308822899, 1e-6, 3},
    {"linear, 1e-8", 10, sum, 5.612001244174789, 1e-8, 3},
    {"two branches", 10, branches, 4.5, 6.795334705277445e-06, 3},
    {"parabola", 10, parabola, 5, 7.514777443163398e-05, 3},
    {"parabola in 50", 50, parabola, 5, kKnown[4].probability, 1},
    {"linear in 50", 50, sum, kKnown[1].threshold, 1e-6, 1},
};

// The interval of 95 % holds the truth in nine of ten seeds at the least; the means of the estimates lie
// near it.
TEST(SubsetSimulation, IntervalsHoldTheTruth) {
  int all = 0, all_held = 0;
  for (const Known& k : kKnown) {
    int held = 0;
    double mean = 0, width = 0;
    const int count = test::seeds(k.usual_seeds);
    for (int seed = 1; seed <= count; ++seed) {
      const SubsetResult r = run({.inputs = k.inputs,
                                  .threshold = k.threshold,
                                  .samples = 500,
                                  .seed = static_cast<std::uint64_t>(seed)},
                                 k.value);
      held += r.low <= k.probability && k.probability <= r.high;
      mean += r.probability / k.probability / count;
      EXPECT_LE(r.low, r.probability);
      EXPECT_GE(r.high, r.probability);
      width += std::log(r.high / r.low) / count;
    }
    if (count >= 50) {
      EXPECT_GE(held, 0.9 * count) << k.name;
    }
    EXPECT_LT(width, std::log(6.0)) << k.name << ": an interval that says something";
    EXPECT_NEAR(mean, 1, count >= 50 ? 0.15 : 0.6) << k.name;
    all += count, all_held += held;
  }
  EXPECT_GE(all_held, 0.85 * all);
}

TEST(SubsetSimulation, OfAFrequentFailureIsMonteCarlo) {
  const SubsetResult r = run({.inputs = 2, .threshold = 0, .samples = 400}, sum);
  EXPECT_EQ(r.levels, 1u);
  EXPECT_EQ(r.evaluations, 4000u);
  EXPECT_TRUE(r.thresholds.empty());
  EXPECT_NEAR(r.probability, 0.5, 0.03);
  EXPECT_EQ(static_cast<double>(r.failures.size()), std::round(r.probability * 4000));
}

TEST(SubsetSimulation, ThresholdsRiseByTenthsOfProbability) {
  const SubsetResult r = run({.inputs = 5, .threshold = kKnown[1].threshold, .samples = 1000}, sum);
  ASSERT_GE(r.thresholds.size(), 5u);
  EXPECT_EQ(r.levels, r.thresholds.size() + 1);
  // norm.isf of 0.1, 0.01, 0.001
  EXPECT_NEAR(r.thresholds[0], 1.2816, 0.05);
  EXPECT_NEAR(r.thresholds[1], 2.32635, 0.08);
  EXPECT_NEAR(r.thresholds[2], kKnown[0].threshold, 0.12);
  EXPECT_FALSE(r.failures.empty());
  for (const SearchPoint& z : r.failures) EXPECT_GT(sum(z), kKnown[1].threshold);
}

TEST(SubsetSimulation, FollowsFromSeedAndValuesAlone) {
  const SubsetOptions options{.inputs = 3, .threshold = 4, .samples = 100, .seed = 8};
  SubsetSimulation first(options);
  std::vector<std::vector<double>> recorded;
  while (!first.is_done()) {
    EXPECT_EQ(first.ask(), first.ask());
    recorded.push_back(evaluate(first.ask(), sum));
    first.record(recorded.back());
  }
  SubsetSimulation again(options);
  for (const auto& values : recorded) again.record(values);
  EXPECT_TRUE(again.is_done());
  EXPECT_EQ(again.result().probability, first.result().probability);
  EXPECT_EQ(again.result().low, first.result().low);
  EXPECT_EQ(again.result().failures, first.result().failures);
  SubsetOptions other = options;
  other.seed = 9;
  EXPECT_NE(SubsetSimulation(other).ask(), SubsetSimulation(options).ask());
}

// All replicates advance together: the first level at once, then nine steps a level.
TEST(SubsetSimulation, AsksForAllChainsAtOnce) {
  SubsetSimulation search({.inputs = 2, .threshold = 4, .samples = 100, .replicates = 4});
  EXPECT_EQ(search.ask().size(), 400u);
  search.record(evaluate(search.ask(), sum));
  for (int step = 0; step < 9; ++step) {
    EXPECT_EQ(search.ask().size(), 40u);
    search.record(evaluate(search.ask(), sum));
  }
  EXPECT_EQ(search.result().evaluations, 760u);
}

// A value that cannot exceed the threshold: the interval starts at 0 and ends above it.
TEST(SubsetSimulation, WithoutFailureSaysUpToWhere) {
  const SubsetResult r = run({.inputs = 2, .threshold = 40, .samples = 100, .most_levels = 4}, sum);
  EXPECT_EQ(r.probability, 0);
  EXPECT_EQ(r.low, 0);
  EXPECT_GE(r.high, 1e-3);
  EXPECT_LT(r.high, 1e-2);
  EXPECT_EQ(r.without_failure, 10u);
  EXPECT_TRUE(r.failures.empty());
}

// At a depth that some replicates reach failure at and others do not.
TEST(SubsetSimulation, ReplicatesWithoutFailureWidenTheInterval) {
  const SubsetOptions options{
      .inputs = 2, .threshold = kKnown[0].threshold + 0.6, .samples = 60, .most_levels = 3};
  const SubsetResult r = run(options, sum);  // norm.sf: 1.1e-4
  ASSERT_GT(r.without_failure, 0u);
  ASSERT_LT(r.without_failure, 10u);
  EXPECT_EQ(r.low, 0);
  EXPECT_GT(r.probability, 0);
  EXPECT_GT(r.high, 1.1e-4);
  EXPECT_EQ(r.estimates.size(), 10u);
}

// One case in five is refused, at random places: those count as not failed.
TEST(SubsetSimulation, RefusedCasesAreCountedAndDoNotFail) {
  const Value value = [](const SearchPoint& z) {
    return z[1] > 0.8416 ? std::numeric_limits<double>::quiet_NaN() : z[0];  // norm.isf(0.2)
  };
  const SubsetResult r =
      run({.inputs = 2, .threshold = kKnown[0].threshold, .samples = 1000}, value);
  EXPECT_GT(r.refused, 1000u);
  EXPECT_LE(r.low, 0.8e-3);
  EXPECT_GE(r.high, 0.8e-3);
  // Nineteen of twenty refused: fewer than a tenth have a value at all.
  const Value rare = [](const SearchPoint& z) {
    return z[1] < 1.6449 ? std::numeric_limits<double>::quiet_NaN() : z[0];
  };
  const SubsetResult s =
      run({.inputs = 2, .threshold = kKnown[0].threshold, .samples = 1000}, rare);
  EXPECT_LE(s.low, 0.05e-3);
  EXPECT_GE(s.high, 0.05e-3);
  EXPECT_GT(s.probability, 0.02e-3);
}

TEST(SubsetSimulation, InfiniteValuesFailOrNot) {
  const Value value = [](const SearchPoint& z) {
    return (sum(z) > kKnown[0].threshold ? 1 : -1) * std::numeric_limits<double>::infinity();
  };
  // No way leads from −∞ to ∞ but chance: ten thousand samples, ten of which fail.
  const SubsetResult r = run({.inputs = 4, .threshold = 0, .samples = 1000}, value);
  EXPECT_EQ(r.levels, 1u);
  EXPECT_NEAR(r.probability, 1e-3, 1e-3);
  EXPECT_LE(r.low, 1e-3);
  EXPECT_GE(r.high, 1e-3);
}

// Steps of 0.5: many samples share a value, and a level is a whole step.
TEST(SubsetSimulation, ValuesInStepsAreCountedWhole) {
  const Value steps = [](const SearchPoint& z) { return std::floor(2 * sum(z)) / 2; };
  constexpr double probability = 3.1671241833e-5;  // norm.sf(4)
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const SubsetResult r =
        run({.inputs = 4, .threshold = 3.9, .samples = 500, .seed = seed}, steps);
    held += r.low <= probability && probability <= r.high;
  }
  EXPECT_GE(held, 8);
}

TEST(SubsetSimulation, MistakesAreReported) {
  EXPECT_THROW(SubsetSimulation({.inputs = 0}), std::invalid_argument);
  EXPECT_THROW(SubsetSimulation({.replicates = 1}), std::invalid_argument);
  EXPECT_THROW(SubsetSimulation({.samples = 5}), std::invalid_argument);
  EXPECT_THROW(SubsetSimulation({.confidence = 1}), std::invalid_argument);
  SubsetSimulation search({.inputs = 2, .samples = 10});
  EXPECT_THROW(search.record(std::vector<double>(99)), std::invalid_argument);
}

}  // namespace
}  // namespace berth::subset_simulation_test
