// SPDX-License-Identifier: Apache-2.0
#include "berth/report/decimate.h"

#include <algorithm>
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

bool has_row(const Decimation::Points& points, std::uint64_t row) {
  return std::binary_search(points.rows.begin(), points.rows.end(), row);
}

TEST(Decimation, LeavesAShortSeriesAsItIs) {
  const FakeGroup group(even_times(20), even_times(20));
  const Decimation d(group, {}, {}, 20);
  const Decimation::Points points = d.find_points(0);
  EXPECT_EQ(d.find_times(points.rows), even_times(20));
  EXPECT_EQ(points.parts[0], even_times(20));
}

// Whatever the length, every point is a row of the series: its time, and all its numbers.
TEST(Decimation, KeepsRowsAsTheyAre) {
  for (const std::size_t n : {21u, 1000u, 16384u, 16385u, 65537u, 200000u}) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
      const double t = static_cast<double>(i);
      values.insert(values.end(), {std::sin(t / 17), std::cos(t * t / 1e5), t});
    }
    const FakeGroup group(even_times(n), values, 3);
    const Decimation d(group, {}, {}, 300);
    const Decimation::Points points = d.find_points(0);
    ASSERT_LE(points.rows.size(), std::max<std::size_t>(300, 2)) << n;
    EXPECT_EQ(points.rows.front(), 0u);
    EXPECT_EQ(points.rows.back(), n - 1);
    const std::vector<double> t = d.find_times(points.rows);
    for (std::size_t i = 0; i < points.rows.size(); ++i) {
      EXPECT_EQ(t[i], static_cast<double>(points.rows[i]));
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(points.parts[k][i], values[3 * points.rows[i] + k]);
    }
  }
}

TEST(Decimation, MissesNoNeedle) {
  for (const std::size_t n : {10000u, 100000u}) {
    std::vector<double> y(n, 0.0);
    y[n / 8 + 3] = 7;
    y[n - 5] = -3;
    const FakeGroup group(even_times(n), y);
    const Decimation::Points points = Decimation(group, {}, {}, 100).find_points(0);
    EXPECT_TRUE(has_row(points, n / 8 + 3));
    EXPECT_TRUE(has_row(points, n - 5));
    EXPECT_LE(points.rows.size(), 100u);
  }
}

// What jumps at an event is drawn as a jump: the rows before and after it stay.
TEST(Decimation, KeepsTheRowsAroundInstants) {
  std::vector<double> t = even_times(5000), y(5001, 0.0);
  t.insert(t.begin() + 2501, 2500);  // before and after, at one time
  for (std::size_t i = 2501; i < y.size(); ++i) y[i] = 1e-9 * static_cast<double>(i % 3);
  y[0] = 1;
  const FakeGroup group(t, y);
  const std::vector<double> instants{2500, 2500, 4000.5};
  const Decimation::Points points = Decimation(group, instants, {}, 200).find_points(0);
  for (const std::uint64_t row : {2498u, 2499u, 2500u, 2501u, 2502u, 2503u})
    EXPECT_TRUE(has_row(points, row)) << row;
  for (const std::uint64_t row : {4000u, 4001u, 4002u}) EXPECT_TRUE(has_row(points, row)) << row;
}

TEST(Decimation, KeepsEveryRowOfTheWindow) {
  const FakeGroup group(even_times(5000), std::vector<double>(5000, 1.0));
  const Decimation::Points points =
      Decimation(group, {}, TimeWindow{1000, 1050}, 300).find_points(0);
  for (std::uint64_t row = 1000; row <= 1050; ++row) EXPECT_TRUE(has_row(points, row)) << row;
  EXPECT_EQ(points.rows.size(), 53u);  // and the ends: nothing else happens
}

// A straight line needs its ends; a wave needs points where it bends.
TEST(Decimation, SpendsPointsWhereThingsChange) {
  std::vector<double> y = even_times(8000);
  for (std::size_t i = 6000; i < 7000; ++i) y[i] += 500 * std::sin(static_cast<double>(i) / 9);
  const FakeGroup group(even_times(y.size()), y);
  const Decimation::Points points = Decimation(group, {}, {}, 500).find_points(0);
  const auto first = std::lower_bound(points.rows.begin(), points.rows.end(), 5990u),
             last = std::lower_bound(points.rows.begin(), points.rows.end(), 7010u);
  EXPECT_GT(last - first,
            static_cast<std::ptrdiff_t>(0.9 * static_cast<double>(points.rows.size())));
}

TEST(Decimation, CountsWhatIsNoNumberAndKeepsItsEdges) {
  for (const std::size_t n : {10000u, 100000u}) {
    std::vector<double> y(n, 1.0);
    for (std::size_t i = 0; i < n / 2; ++i) y[i] = NAN;
    y[7 * n / 10] = INFINITY;
    const FakeGroup group(even_times(n), y);
    const Decimation::Points points = Decimation(group, {}, {}, 50).find_points(0);
    EXPECT_EQ(points.missing[0], n / 2 + 1);
    EXPECT_TRUE(std::isnan(points.parts[0].front()));
    EXPECT_EQ(points.parts[0].back(), 1.0);
    EXPECT_TRUE(has_row(points, n / 2 - 1));
    EXPECT_TRUE(has_row(points, n / 2));
    EXPECT_TRUE(has_row(points, 7 * n / 10));
  }
}

TEST(Decimation, OfNothingIsNothing) {
  const FakeGroup group({}, {});
  const Decimation d(group, {}, {}, 10);
  EXPECT_TRUE(d.find_points(0).rows.empty());
  EXPECT_TRUE(d.find_times({}).empty());
}

}  // namespace
}  // namespace berth::test::decimate_test
