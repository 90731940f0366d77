// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/normal_distribution.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::normal_distribution_test {
namespace {

// Numbers of mpmath with 40 digits: erfc(−z/√2)/2, and its inverse by Newton's method.
constexpr std::pair<double, double> kCumulative[] = {
    {-37, 5.7255712225245768227e-300},  {-36.3, 8.08959065935084803e-289},
    {-31.7, 7.76834907435150551e-221},  {-22.9, 2.32308825522493766e-116},
    {-30, 4.9067139271481870595e-198},  {-20, 2.7536241186062336951e-89},
    {-12.5, 3.7325642988777133772e-36}, {-8, 6.2209605742717841235e-16},
    {-5.25, 7.6049605164887142511e-8},  {-3, 0.0013498980316300945267},
    {-1.5, 0.066807201268858066004},    {-0.75, 0.22662735237686819933},
    {-0.125, 0.45026177516988710702},   {0, 0.5},
    {0.3, 0.61791142218895263307},      {1, 0.84134474606854294859},
    {2.5, 0.99379033467422386483},      {4, 0.99996832875816688008},
};
constexpr std::pair<double, double> kQuantile[] = {
    {1e-300, -37.047096299361199237},   {1e-100, -21.273453560965324294},
    {1e-20, -9.2623400897984075796},    {1e-12, -7.0344838253011319326},
    {1e-5, -4.2648907939228246102},     {0.001, -3.0902323061678135354},
    {0.05, -1.644853626951472688},      {0.07, -1.4757910281791706856},
    {0.2, -0.84162123357291416552},     {0.45, -0.12566134685507400616},
    {0.5000001, 2.5066282733116483e-7}, {0.6, 0.25334710313579974132},
};

TEST(NormalDistribution, IsExactInBothTails) {
  for (const auto& [z, p] : kCumulative) {
    EXPECT_NEAR(find_normal_cumulative(z) / p, 1, 1e-14) << z;
    EXPECT_EQ(find_normal_complement(-z), find_normal_cumulative(z)) << z;
  }
}

TEST(NormalDistribution, HasItsQuantiles) {
  for (const auto& [u, z] : kQuantile) EXPECT_NEAR(find_normal_quantile(u) / z, 1, 1e-14) << u;
  EXPECT_EQ(find_normal_quantile(0.5), 0);
  EXPECT_EQ(find_normal_quantile(0.75), -find_normal_quantile(0.25));
}

TEST(NormalDistribution, HasEnds) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(find_normal_cumulative(-infinity), 0);
  EXPECT_EQ(find_normal_cumulative(infinity), 1);
  EXPECT_EQ(find_normal_complement(infinity), 0);
  EXPECT_EQ(find_normal_density(infinity), 0);
  EXPECT_EQ(find_normal_quantile(0), -infinity);
  EXPECT_EQ(find_normal_quantile(1), infinity);
  for (const double bad : {-0.1, 1.1, std::nan("")})
    EXPECT_TRUE(std::isnan(find_normal_quantile(bad))) << bad;
  EXPECT_TRUE(std::isnan(find_normal_cumulative(std::nan(""))));
  EXPECT_TRUE(std::isnan(find_normal_density(std::nan(""))));
}

// The slope of the cumulative probability, by differences of sixth order.
TEST(NormalDistribution, HasTheDensityThatItsCumulativeProbabilityGrowsBy) {
  for (double z = -6; z < 6; z += 0.37) {
    constexpr double h = 0.01;
    const auto step = [&](double n) {
      return find_normal_cumulative(z + n * h) - find_normal_cumulative(z - n * h);
    };
    const double slope = (45 * step(1) - 9 * step(2) + step(3)) / (60 * h);
    EXPECT_NEAR(slope, find_normal_density(z), 1e-11) << z;
  }
}

RC_GTEST_PROP(NormalDistribution, QuantilesComeBack, ()) {
  const double u = (*rc::gen::inRange(1, 1'000'000'000)) * 1e-9;
  const double z = find_normal_quantile(u);
  RC_ASSERT(std::abs(find_normal_cumulative(z) - u) < 1e-15);
  RC_ASSERT(std::abs(find_normal_complement(z) - (1 - u)) < 1e-15);
}

RC_GTEST_PROP(NormalDistribution, TailsComeBack, ()) {
  const double z = -0.01 * (*rc::gen::inRange(100, 3700));
  RC_ASSERT(std::abs(find_normal_quantile(find_normal_cumulative(z)) / z - 1) < 1e-14);
}

}  // namespace
}  // namespace berth::normal_distribution_test
