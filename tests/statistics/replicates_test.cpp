// SPDX-License-Identifier: Apache-2.0

// Means and probabilities from independent randomisations.

#include "berth/statistics/replicates.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::statistics_replicates_test {
namespace {

// Student's sleep data (Biometrika 6, 1908), extra hours of the second drug: mean 2.33, deviation 2.0022;
// half a width of 2.262157 · 2.002249/√10.
TEST(MeanInterval, OfStudentsSleepers) {
  const std::vector<double> hours = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  const Interval i = find_mean_interval(hours);
  EXPECT_NEAR(i.value, 2.33, 1e-14);
  EXPECT_NEAR(i.low, 0.8976775, 1e-7);
  EXPECT_NEAR(i.high, 3.7623225, 1e-7);
}

TEST(MeanInterval, WeighsBySize) {
  const std::vector<double> means = {1, 2, 4}, weights = {2, 1, 1}, alike = {7, 7, 7};
  const Interval i = find_mean_interval(means, weights);
  EXPECT_EQ(i.value, 2);
  // Σ w² d² = 4 + 0 + 4, times 3/2, root over 4; t of 2 degrees is √(2 · 0.95²/(1 − 0.95²)).
  const double t = std::sqrt(2 * 0.95 * 0.95 / (1 - 0.95 * 0.95));
  EXPECT_NEAR(i.high - 2, t * std::sqrt(12.0) / 4, 1e-12);
  EXPECT_NEAR(2 - i.low, t * std::sqrt(12.0) / 4, 1e-12);
  const Interval plain = find_mean_interval(means), same = find_mean_interval(means, alike);
  EXPECT_NEAR(plain.low, same.low, 1e-14);
  EXPECT_NEAR(plain.high, same.high, 1e-14);
}

TEST(MeanInterval, OfOneHasNoEnd) {
  const double one = 3;
  const Interval i = find_mean_interval({&one, 1});
  EXPECT_EQ(i.value, 3);
  EXPECT_EQ(i.low, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(i.high, std::numeric_limits<double>::infinity());
}

TEST(ReplicatedProportion, FallsBackToTheExactInterval) {
  const std::vector<PieceCount> none(16, {64, 0}), same(16, {64, 16});
  EXPECT_EQ(find_replicated_proportion(none).high, find_proportion(0, 1024).high);
  EXPECT_EQ(find_replicated_proportion(same).low, find_proportion(256, 1024).low);
  EXPECT_EQ(find_replicated_proportion(same).high, find_proportion(256, 1024).high);
  std::vector<PieceCount> rare = none;
  rare[3].successes = 2;
  EXPECT_EQ(find_replicated_proportion(rare).high, find_proportion(2, 1024).high);
  EXPECT_EQ(find_replicated_proportion({}).high, 1);
}

TEST(ReplicatedProportion, IsThatOfTheMeansAndStaysBelowOne) {
  const std::vector<PieceCount> counts = {{100, 40}, {100, 50}, {200, 100}, {50, 30}};
  const std::vector<double> shares = {0.4, 0.5, 0.5, 0.6}, sizes = {100, 100, 200, 50};
  const Proportion p = find_replicated_proportion(counts, 0.9);
  const Interval t = find_mean_interval(shares, sizes, 0.9);
  EXPECT_EQ(p.fraction, 220.0 / 450);
  EXPECT_EQ(p.low, t.low);
  EXPECT_EQ(p.high, t.high);
  const std::vector<PieceCount> wide = {{100, 100}, {100, 60}, {100, 100}};
  EXPECT_EQ(find_replicated_proportion(wide).high, 1);
}

// One point in each of n strata of (0, 1), success below p: fewer come by chance than in random draws.
PieceCount count_stratified(std::uint64_t seed, std::uint64_t replicate, std::uint64_t n,
                            double p) {
  PieceCount c;
  for (std::uint64_t i = 0; i < n; ++i, ++c.trials) {
    const double size = static_cast<double>(n);
    const double x = (static_cast<double>(i) + find_uniform(seed, replicate * n + i, 0)) / size;
    const double y = find_uniform(seed, replicate * n + i, 1);
    c.successes += 0.9 * x + 0.1 * y < p;
  }
  return c;
}

// Of x stratified and y not, P(0.9 x + 0.1 y < p) = (p − 0.05)/0.9 for p from 0.1 to 0.9.
TEST(ReplicatedProportion, CoversAndIsNarrowerForDesigns) {
  for (const double p : {0.3, 0.7}) {
    int covered = 0;
    double width = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      std::vector<PieceCount> counts;
      for (std::uint64_t r = 0; r < 16; ++r) counts.push_back(count_stratified(seed, r, 32, p));
      const Proportion i = find_replicated_proportion(counts);
      const double truth = (p - 0.05) / 0.9;
      covered += i.low <= truth && truth <= i.high;
      width += (i.high - i.low) / 1000;
    }
    EXPECT_GE(covered, 930) << p;
    EXPECT_LE(covered, 985) << p;
    EXPECT_LT(width, 0.5 * (find_proportion(142, 512).high - find_proportion(142, 512).low));
  }
}

TEST(ReplicatedProportion, CoversForRandomDraws) {
  for (const double p : {0.002, 0.02, 0.1, 0.5}) {
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      std::vector<PieceCount> counts(16, {32, 0});
      for (std::uint64_t i = 0; i < 512; ++i)
        counts[i % 16].successes += find_uniform(seed, i, 2) < p;
      const Proportion i = find_replicated_proportion(counts);
      covered += i.low <= p && p <= i.high;
    }
    EXPECT_GE(covered, 930) << p;
  }
}

// Σ 1/k(k+1) = 1: what all checks leave together is what is stated.
TEST(CheckConfidence, SumsUp) {
  EXPECT_NEAR(find_check_confidence(1), 0.975, 1e-15);
  double left = 0;
  for (std::uint64_t k = 1; k <= 1000; ++k) left += 1 - find_check_confidence(k, 0.9);
  EXPECT_NEAR(left, 0.1 * (1 - 1.0 / 1001), 1e-12);
}

// Checked each time 32 draws have come to every one of 16 randomisations.
TEST(CheckConfidence, HoldsAtAllChecks) {
  int left = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    std::vector<PieceCount> counts(16);
    bool inside = true;
    for (std::uint64_t check = 1, i = 0; inside && check <= 6; ++check) {
      for (const std::uint64_t end = check * 256; i < end; ++i)
        ++counts[i % 16].trials, counts[i % 16].successes += find_uniform(seed, i, 4) < 0.4;
      const Proportion p = find_replicated_proportion(counts, find_check_confidence(check));
      inside = p.low <= 0.4 && 0.4 <= p.high;
    }
    left += !inside;
  }
  EXPECT_LE(left, 50);
  EXPECT_GE(left, 5) << "so wide an interval holds nothing";
}

}  // namespace
}  // namespace berth::statistics_replicates_test
