// SPDX-License-Identifier: Apache-2.0

// Fronts of two goals against the definition, and weights that lead to their points.

#include "berth/search/front.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::front_test {
namespace {

using Places = std::vector<std::size_t>;

TEST(Front, OfAFewByHand) {
  const TwoGoals results[] = {{3, 1}, {1, 3}, {2, 2}, {2.5, 2.5}, {1, 4}, {3, 1}};
  EXPECT_EQ(find_front(results), (Places{1, 2, 0, 5}));
  EXPECT_TRUE(find_front({}).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const TwoGoals undefined[] = {{nan, 0}, {5, 5}, {0, nan}};
  EXPECT_EQ(find_front(undefined), (Places{1}));
}

// Every pair compared, as the definition says.
TEST(Front, IsWhatNothingDominates) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<TwoGoals> results;
    for (std::uint64_t i = 0; i < 100; ++i)  // few values, many equal ones
      results.push_back(
          {std::floor(8 * find_uniform(seed, i, 0)), std::floor(8 * find_uniform(seed, i, 1))});
    const Places front = find_front(results);
    for (std::size_t i = 0; i < results.size(); ++i) {
      bool is_dominated = false;
      for (const TwoGoals& other : results) is_dominated |= dominates(other, results[i]);
      EXPECT_EQ(is_dominated, std::find(front.begin(), front.end(), i) == front.end());
    }
    for (std::size_t k = 1; k < front.size(); ++k)
      EXPECT_LE(results[front[k - 1]][0], results[front[k]][0]);
  }
}

// On a concave front a weighted sum finds the ends alone; Chebyshev's scalar finds the point where
// w f₁ = (1 − w) f₂.
TEST(Front, WeightsReachConcaveStretches) {
  for (const double weight : {0.2, 0.5, 0.7}) {
    double least = 1e9;
    TwoGoals best{};
    for (int i = 0; i <= 10000; ++i) {
      const double angle = 1.5707963 * i / 10000;
      const TwoGoals f{std::cos(angle), std::sin(angle)};
      const double value = find_chebyshev(f, {.weight = weight, .augmentation = 1e-6});
      if (value < least) least = value, best = f;
    }
    EXPECT_NEAR(weight * best[0], (1 - weight) * best[1], 1e-3);
  }
  EXPECT_EQ(
      find_chebyshev({3, 8}, {.weight = 0.25, .ideal = {1, 2}, .scale = {2, 3}, .augmentation = 0}),
      1.5);
  EXPECT_TRUE(std::isnan(find_chebyshev({std::numeric_limits<double>::quiet_NaN(), 0}, {})));
}

}  // namespace
}  // namespace berth::front_test
