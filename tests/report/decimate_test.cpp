// SPDX-License-Identifier: Apache-2.0
#include "berth/report/decimate.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/report/fake_group.h"

namespace berth::test::decimate_test {
namespace {

std::vector<double> even_times(std::size_t n) {
  std::vector<double> t;
  for (std::size_t i = 0; i < n; ++i) t.push_back(static_cast<double>(i));
  return t;
}

TEST(Decimation, LeavesAShortSeriesAsItIs) {
  const FakeGroup group(even_times(20), even_times(20));
  const Decimation d(20, 10);
  EXPECT_TRUE(d.keeps_all());
  EXPECT_EQ(d.find_times(group), even_times(20));
  EXPECT_EQ(d.find_points(group, 0)[0].values, even_times(20));
}

TEST(Decimation, KeepsTheExtremesOfEveryBucketInTheOrderTheyCame) {
  // One needle up and one down, in different buckets.
  std::vector<double> y(100000, 0.0);
  y[12345] = 7;
  y[98765] = -3;
  const FakeGroup group(even_times(y.size()), y);
  const Decimation d(y.size(), 100);
  const std::vector<double> t = d.find_times(group), v = d.find_points(group, 0)[0].values;
  ASSERT_EQ(t.size(), 200u);
  ASSERT_EQ(v.size(), 200u);
  EXPECT_EQ(*std::max_element(v.begin(), v.end()), 7);
  EXPECT_EQ(*std::min_element(v.begin(), v.end()), -3);
  EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
  EXPECT_EQ(t.front(), 0);
  EXPECT_EQ(t.back(), 99999);
  // A rise is drawn as a rise, a fall as a fall.
  const FakeGroup rising(even_times(100000), even_times(100000));
  const std::vector<double> up = d.find_points(rising, 0)[0].values;
  EXPECT_TRUE(std::is_sorted(up.begin(), up.end()));
}

TEST(Decimation, CountsWhatIsNoNumberAndLeavesItOut) {
  std::vector<double> y(10000, 1.0);
  for (std::size_t i = 0; i < 5000; ++i) y[i] = NAN;
  y[7000] = INFINITY;
  const FakeGroup group(even_times(y.size()), y);
  const Decimation::Part part = Decimation(y.size(), 10).find_points(group, 0)[0];
  EXPECT_EQ(part.missing, 5001u);
  EXPECT_TRUE(std::isnan(part.values[0]));
  EXPECT_EQ(part.values[19], 1.0);
}

TEST(Decimation, OfNothingIsNothing) {
  const FakeGroup group({}, {});
  EXPECT_TRUE(Decimation(0, 10).find_times(group).empty());
  EXPECT_TRUE(Decimation(0, 10).find_points(group, 0)[0].values.empty());
}

// A bucket for every number of rows that there may be: none is empty, none is lost.
TEST(Decimation, ReachesEveryRowWhateverTheirNumber) {
  for (const std::size_t n : {21u, 22u, 99u, 1000u, 65536u, 65537u, 131073u}) {
    std::vector<double> y = even_times(n);
    const FakeGroup group(y, y);
    const Decimation::Part part = Decimation(n, 10).find_points(group, 0)[0];
    ASSERT_EQ(part.values.size(), 20u) << n;
    EXPECT_EQ(part.values.front(), 0) << n;
    EXPECT_EQ(part.values.back(), static_cast<double>(n - 1)) << n;
  }
}

}  // namespace
}  // namespace berth::test::decimate_test
