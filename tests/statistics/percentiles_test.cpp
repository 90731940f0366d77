// SPDX-License-Identifier: Apache-2.0

// Percentiles and tolerance bounds that hold whatever the distribution is.

#include "berth/statistics/percentiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::statistics_percentiles_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> count_up(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

std::vector<double> draw_sorted(std::uint64_t seed, std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(find_uniform(seed, i, 0));
  std::ranges::sort(values);
  return values;
}

// Values are their own ranks. Those of the median of 10, 50 and 100 values are known from the sign test:
// P(K ≤ 1 of 10) = 11/1024 is below 0.025, P(K ≤ 2 of 10) = 56/1024 is not.
TEST(Percentile, OfTheMedianHasTheRanksOfTheSignTest) {
  const struct {
    std::size_t n;
    double low, high;
  } known[] = {{10, 2, 9}, {50, 18, 33}, {100, 40, 61}};
  for (const auto& k : known) {
    const Interval i = find_percentile(count_up(k.n), 0.5);
    EXPECT_EQ(i.low, k.low) << k.n;
    EXPECT_EQ(i.high, k.high) << k.n;
    EXPECT_EQ(i.value, static_cast<double>(k.n) / 2);
  }
}

TEST(Percentile, HasNoEndWhereValuesAreTooFew) {
  const Interval five = find_percentile(count_up(5), 0.5);
  EXPECT_EQ(five.low, -infinity);
  EXPECT_EQ(five.high, infinity);
  const Interval top = find_percentile(count_up(100), 0.99);
  EXPECT_EQ(top.value, 99);
  EXPECT_EQ(top.low, 97);
  EXPECT_EQ(top.high, infinity);
  EXPECT_EQ(find_percentile(count_up(1), 0.05).value, 1);
  EXPECT_TRUE(std::isnan(find_percentile({}, 0.5).value));
}

TEST(Percentile, IsTheFirstThatHasTheShare) {
  const std::vector<double> hundred = count_up(100);
  for (int k = 1; k < 100; ++k) EXPECT_EQ(find_percentile(hundred, k / 100.0).value, k);
  EXPECT_EQ(find_percentile(hundred, 0.951).value, 96);
}

TEST(Percentile, IsCoveredWhateverTheDistribution) {
  for (const double share : {0.05, 0.5, 0.95, 0.99}) {
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      const Interval i = find_percentile(draw_sorted(seed, 200), share);
      covered += i.low <= share && share <= i.high;
    }
    EXPECT_GE(covered, 936) << share;  // 950 less two deviations of the count
  }
}

// --- tolerance bounds ------------------------------------------------------------------------------

TEST(ToleranceBound, NeedsTheKnownNumbersOfSamples) {
  EXPECT_EQ(find_least_samples(0.95, 0.95), 59u);
  EXPECT_EQ(find_least_samples(0.99, 0.95), 299u);
  EXPECT_EQ(find_least_samples(0.999, 0.95), 2995u);
  EXPECT_EQ(find_least_samples(0.9973, 0.90), 852u);
  EXPECT_EQ(find_least_samples(0.5, 0.75), 2u);  // equal on the spot
  EXPECT_EQ(find_least_samples(0.5, 0.1), 1u);
  for (const double share : {0.3, 0.95, 0.9987})
    for (const double confidence : {0.5, 0.9, 0.99}) {
      const double n = static_cast<double>(find_least_samples(share, confidence));
      EXPECT_GE(1 - std::pow(share, n), confidence);
      EXPECT_LT(1 - std::pow(share, n - 1), confidence);
    }
}

// scipy 1.17: binom.ppf(0.95, n, share) + 1.
TEST(ToleranceBound, HasKnownRanks) {
  const struct {
    std::uint64_t n, of_95, of_99, of_999;
  } known[] = {
      {59, 59, 0, 0},
      {299, 291, 299, 0},
      {1000, 962, 996, 0},
      {10'000, 9537, 9917, 9996},
      {1'000'000, 950'359, 990'164, 999'053},
      {10'000'000, 9'501'134, 9'900'518, 9'990'165},
  };
  for (const auto& k : known) {
    EXPECT_EQ(find_tolerance_rank(k.n, 0.95), k.of_95) << k.n;
    EXPECT_EQ(find_tolerance_rank(k.n, 0.99), k.of_99) << k.n;
    EXPECT_EQ(find_tolerance_rank(k.n, 0.999), k.of_999) << k.n;
  }
  EXPECT_EQ(find_tolerance_rank(2, 0.5, 0.75), 2u);
  EXPECT_EQ(find_tolerance_rank(58, 0.95), 0u);
}

TEST(ToleranceBound, IsAValueOrNothing) {
  EXPECT_EQ(find_tolerance_bound(count_up(298)), std::nullopt);
  EXPECT_EQ(find_tolerance_bound(count_up(299)), 299);
  EXPECT_EQ(find_tolerance_bound(count_up(1000)), 996);
}

// 99/95: in 95 % of all studies, 99 % of all cases lie below.
TEST(ToleranceBound, CoversAsStated) {
  for (const std::size_t n : {299u, 1000u}) {
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed)
      covered += *find_tolerance_bound(draw_sorted(seed, n)) >= 0.99;
    EXPECT_GE(covered, 936) << n;
    EXPECT_LE(covered, 985) << n;
  }
}

}  // namespace
}  // namespace berth::statistics_percentiles_test
