// SPDX-License-Identifier: Apache-2.0

// Spearman's rank correlation.

#include "berth/statistics/ranks.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::statistics_ranks_test {
namespace {

using Column = std::vector<double>;

TEST(Ranks, OfEqualValuesAreAveraged) {
  EXPECT_EQ(find_ranks(Column{3, 1, 2}), (Column{3, 1, 2}));
  EXPECT_EQ(find_ranks(Column{5, 1, 5, 5, 9}), (Column{3, 1, 3, 3, 5}));
  EXPECT_EQ(find_ranks(Column{2, 2}), (Column{1.5, 1.5}));
  EXPECT_EQ(find_ranks(Column{}), Column{});
}

// Without ties ρ = 1 − 6 Σ d²/n(n² − 1); here Σ d² = 194, n = 10.
TEST(RankCorrelation, WithoutTiesIsThatOfDifferences) {
  const Column x = {86, 97, 99, 100, 101, 103, 106, 110, 112, 113};
  const Column y = {2, 20, 28, 27, 50, 29, 7, 17, 6, 12};
  EXPECT_NEAR(find_rank_correlation(x, y).value, 1 - 6 * 194.0 / 990, 1e-15);
}

// scipy 1.17: spearmanr; the interval from (2) and (3) with numpy's arctanh and tanh.
TEST(RankCorrelation, WithTies) {
  const Column x = {1, 2, 2, 3, 4, 4, 4, 5, 7, 9, 9, 12}, y = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
  const Interval i = find_rank_correlation(x, y);
  EXPECT_NEAR(i.value, 0.5392857142857144, 1e-14);
  EXPECT_NEAR(i.low, -0.0957686382522363, 1e-13);
  EXPECT_NEAR(i.high, 0.8623291420745938, 1e-13);
}

TEST(RankCorrelation, DependsOnTheOrderAlone) {
  Column x, cube, down;
  for (int i = 0; i < 50; ++i) {
    x.push_back(find_uniform(7, static_cast<std::uint64_t>(i), 0));
    cube.push_back(std::exp(5 * x.back()));
    down.push_back(-x.back());
  }
  const Interval up = find_rank_correlation(x, cube), fall = find_rank_correlation(x, down);
  EXPECT_EQ(up.value, 1);
  EXPECT_EQ(up.high, 1);
  EXPECT_LT(up.low, 1);
  EXPECT_GT(up.low, 0.999);
  EXPECT_EQ(fall.value, -1);
  EXPECT_EQ(fall.low, -1);
  EXPECT_EQ(fall.high, -up.low);
}

TEST(RankCorrelation, OfLittle) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Interval three = find_rank_correlation(Column{1, 2, 3}, Column{4, 5, 6});
  EXPECT_EQ(three.value, 1);
  EXPECT_EQ(three.low, -1);
  const Interval constant = find_rank_correlation(Column{1, 2, 3, 4, 5}, Column{7, 7, 7, 7, 7});
  EXPECT_EQ(constant.value, 0);
  EXPECT_EQ(constant.low, -1);
  EXPECT_EQ(constant.high, 1);
  EXPECT_EQ(find_rank_correlation(Column{1, nan, 2, 3, 4, 9}, Column{1, 2, 4, 3, 5, nan}).value,
            find_rank_correlation(Column{1, 2, 3, 4}, Column{1, 4, 3, 5}).value);
  EXPECT_EQ(find_rank_correlation({}, {}).value, 0);
  EXPECT_THROW(find_rank_correlation(Column{1}, {}), std::invalid_argument);
}

// Of two normal variables with correlation r it is 6/π asin(r/2).
TEST(RankCorrelation, IsCovered) {
  for (const double r : {0.0, 0.5, 0.9}) {
    const double truth = 6 / std::acos(-1.0) * std::asin(r / 2);
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      Column x, y;
      for (std::uint64_t i = 0; i < 60; ++i) {
        x.push_back(find_normal(seed, i, 0));
        y.push_back(r * x.back() + std::sqrt(1 - r * r) * find_normal(seed, i, 1));
      }
      const Interval i = find_rank_correlation(x, y);
      covered += i.low <= truth && truth <= i.high;
    }
    EXPECT_GE(covered, 930) << r;
    EXPECT_LE(covered, 980) << r;
  }
}

}  // namespace
}  // namespace berth::statistics_ranks_test
