// SPDX-License-Identifier: Apache-2.0

// Noise of a ranking: none, some, nothing but noise; and the order of scores.

#include "berth/search/rank_noise.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::rank_noise_test {
namespace {

TEST(RankScore, RanksFeasibleByValueThenByViolation) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const RankScore good(1, 0), worse(2, 0), outside(-5, 0.1), far(-9, 0.2), undefined(nan, 0),
      other(0, nan);
  EXPECT_LT(good, worse);
  EXPECT_LT(worse, outside);
  EXPECT_LT(outside, far);
  EXPECT_LT(far, undefined);
  EXPECT_FALSE(undefined < other || other < undefined);
}

// Ten values i + noise, of which the first four, in random order, are evaluated again.
double find_mean_noise(double deviation) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::vector<RankScore> first, second;
    for (std::uint64_t i = 0; i < 10; ++i) {
      const double place = static_cast<double>((7 * i + seed) % 10);
      first.emplace_back(place + deviation * find_normal(seed, i, 0), 0);
      if (i < 4) second.emplace_back(place + deviation * find_normal(seed, i, 1), 0);
    }
    sum += find_rank_noise(first, second) / 200;
  }
  return sum;
}

TEST(RankNoise, GrowsWithTheNoise) {
  EXPECT_LT(find_mean_noise(0), 0);
  EXPECT_LT(find_mean_noise(0), find_mean_noise(1));
  EXPECT_LT(find_mean_noise(1), find_mean_noise(5));
  EXPECT_GT(find_mean_noise(50), 5);
}

// By hand. λ = 2, first 1 and 2, second of the first 3: together 1 2 2 3, ranks 1 and 4.
//   Δ = 4 − 1 − 1 = 2;  limit(4 − 1): least of |1−3| |2−3| |3−3| = 0;  limit(1): least of 0 1 2 = 0
TEST(RankNoise, OfTwoByHand) {
  const RankScore first[] = {{1, 0}, {2, 0}}, second[] = {{3, 0}};
  EXPECT_EQ(find_rank_noise(first, second), 4);
  EXPECT_EQ(find_rank_noise(first, {}), 0);
}

}  // namespace
}  // namespace berth::rank_noise_test
