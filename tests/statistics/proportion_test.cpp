// SPDX-License-Identifier: Apache-2.0

// The exact interval of a proportion.

#include "berth/statistics/proportion.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace berth::statistics_proportion_test {
namespace {

bool holds(const Proportion& i, double p) { return i.low <= p && p <= i.high; }

// Sums of binomial terms set to (1 − c)/2 and solved with 40 digits (mpmath).
TEST(Proportion, HasTheIntervalOfClopperAndPearson) {
  const struct {
    std::uint64_t successes, trials;
    double confidence, low, high;
  } known[] = {
      {5, 10, 0.95, 0.1870860284473986, 0.8129139715526014},
      {1, 10, 0.95, 0.002528578544461787, 0.4450161170281954},
      {196, 200, 0.95, 0.9495863909101037, 0.9945244341204435},
      {3, 50, 0.99, 0.006872485332951645, 0.2027062694686432},
      {40, 120, 0.90, 0.2621184346003872, 0.4108574892743719},
      {0, 10, 0.95, 0, 0.3084971078187608},
  };
  for (const auto& k : known) {
    const Proportion p = find_proportion(k.successes, k.trials, k.confidence);
    EXPECT_EQ(p.fraction, static_cast<double>(k.successes) / static_cast<double>(k.trials));
    EXPECT_NEAR(p.low, k.low, 1e-14);
    EXPECT_NEAR(p.high, k.high, 1e-14);
    const Proportion other = find_proportion(k.trials - k.successes, k.trials, k.confidence);
    EXPECT_NEAR(other.low, 1 - p.high, 1e-14);
    EXPECT_NEAR(other.high, 1 - p.low, 1e-14);
  }
}

// scipy 1.17: beta.ppf.
TEST(Proportion, OfMillionsOfTrials) {
  const Proportion half = find_proportion(500'000, 1'000'000);
  EXPECT_NEAR(half.low, 0.49901951919531184, 1e-13);
  EXPECT_NEAR(half.high, 0.5009804808046882, 1e-13);
  const Proportion few = find_proportion(7, 1'000'000);
  EXPECT_NEAR(few.low, 2.81436753430222e-06, 1e-17);
  EXPECT_NEAR(few.high, 1.4422621834331028e-05, 1e-16);
}

TEST(Proportion, OfAllAndOfNoTrials) {
  const Proportion nothing = find_proportion(0, 0);
  EXPECT_EQ(nothing.low, 0);
  EXPECT_EQ(nothing.high, 1);
  const Proportion all = find_proportion(1000, 1000);
  EXPECT_EQ(all.high, 1);
  EXPECT_NEAR(all.low, std::pow(0.025, 1.0 / 1000), 1e-14);
  EXPECT_NEAR(find_proportion(0, 1).high, 0.975, 1e-14);
}

// Not by draws but in full: the probability of all counts whose interval holds p.
TEST(Proportion, CoversEveryProbability) {
  for (const std::uint64_t n : {1u, 5u, 30u, 100u}) {
    std::vector<Proportion> intervals;
    for (std::uint64_t s = 0; s <= n; ++s) intervals.push_back(find_proportion(s, n));
    for (double p = 0.002; p < 0.98; p += 0.00399) {
      double term = std::pow(1 - p, static_cast<double>(n)), covered = 0;
      for (std::uint64_t s = 0; s <= n; ++s) {
        if (holds(intervals[s], p)) covered += term;
        term *= static_cast<double>(n - s) / static_cast<double>(s + 1) * p / (1 - p);
      }
      EXPECT_GE(covered, 0.95 - 1e-12) << n << " " << p;
    }
  }
}

}  // namespace
}  // namespace berth::statistics_proportion_test
