// SPDX-License-Identifier: Apache-2.0

// Contours of probabilities that are known: circles, straight lines, nothing at all; with counts that are
// exact, and with counts that are drawn.

#include "berth/search/boundary.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::boundary_test {
namespace {

using Probability = std::function<double(PlanePoint)>;

double logistic(double x) { return 1 / (1 + exp(-x)); }
// Good inside of a circle of radius 0.3; the probability falls from 0.99 to 0.01 over 9.2 widths.
Probability circle(double width) {
  return
      [width](PlanePoint p) { return logistic((0.3 - hypot(p[0] - 0.52, p[1] - 0.47)) / width); };
}
// The radius at which it has this value.
double radius(double level, double width) { return 0.3 - width * log(level / (1 - level)); }

constexpr std::uint64_t kMany = 1u << 30;

// Counts of as many trials as asked: rounded, or drawn one by one.
std::vector<BoundaryCount> evaluate(const Boundary& search, const Probability& p, bool is_drawn) {
  std::vector<BoundaryCount> counts;
  for (const BoundaryNode& node : search.ask()) {
    BoundaryCount c{0, node.trials};
    if (!is_drawn)
      c.good = static_cast<std::uint64_t>(p(node.at) * static_cast<double>(node.trials));
    for (std::uint64_t i = 0; is_drawn && i < node.trials; ++i)
      c.good += find_uniform(node.number, i, 0) < p(node.at);
    counts.push_back(c);
  }
  return counts;
}

Boundary run(const BoundaryOptions& options, const Probability& p, bool is_drawn = false) {
  Boundary search(options);
  while (!search.is_done()) search.record(evaluate(search, p, is_drawn));
  return search;
}

TEST(Boundary, OfASmoothCircleLiesWithinHalfACell) {
  const double width = 0.02;
  const Boundary search = run({.trials = kMany}, circle(width));
  const double half = search.finest_cell()[0] / 2;
  EXPECT_EQ(half, 1.0 / 128);
  for (const double level : {0.5, 0.95, 0.99}) {
    const std::vector<Polyline> lines = search.find_contours(level);
    ASSERT_EQ(lines.size(), 1u) << level;
    EXPECT_TRUE(lines[0].is_closed);
    EXPECT_GT(lines[0].points.size(), 40u);
    for (const PlanePoint& p : lines[0].points)
      EXPECT_NEAR(std::hypot(p[0] - 0.52, p[1] - 0.47), radius(level, width), half) << level;
  }
  EXPECT_LT(search.evaluated(), 65u * 65 / 2);
}

// From 0 to 1 within a cell: no interpolation helps, the middle of an edge is the best guess.
TEST(Boundary, OfASharpCircleLiesWithinHalfACell) {
  const Boundary search = run({.levels = {0.5}, .depth = 5, .trials = kMany}, circle(1e-6));
  const std::vector<Polyline> lines = search.find_contours(0.5);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].is_closed);
  const double half = search.finest_cell()[0] / 2;
  double most = 0;
  for (const PlanePoint& p : lines[0].points)
    most = std::max(most, std::abs(std::hypot(p[0] - 0.52, p[1] - 0.47) - 0.3));
  EXPECT_LE(most, half);
  EXPECT_LT(search.evaluated() * 20, 257u * 257);
}

// Two hundred trials a node: the contour moves as far as the noise moves it.
TEST(Boundary, OfDrawnCountsIsWhereTheNoiseLeavesIt) {
  const double width = 0.03;
  const Boundary search = run({.levels = {0.5}, .trials = 200}, circle(width), true);
  double most = 0;
  std::size_t longest = 0;
  for (const Polyline& line : search.find_contours(0.5)) {
    longest = std::max(longest, line.points.size());
    for (const PlanePoint& p : line.points)
      most = std::max(most, std::abs(std::hypot(p[0] - 0.52, p[1] - 0.47) - 0.3));
  }
  // p̂ has a deviation of 0.035 at 0.5, where it falls by 1/4 per width: 0.14 widths; four of them.
  EXPECT_LT(most, 4 * 0.14 * width + search.finest_cell()[0] / 2);
  EXPECT_GT(longest, 100u);
  EXPECT_LT(search.evaluated() * 2, 65u * 65);
}

TEST(Boundary, ThatLeavesTheRectangleEndsAtItsEdge) {
  const Probability half_plane = [](PlanePoint p) { return logistic((p[0] + 2 * p[1] - 30) / 2); };
  const Boundary search = run(
      {.low = {0, 0}, .high = {20, 20}, .levels = {0.5}, .depth = 2, .trials = kMany}, half_plane);
  const std::vector<Polyline> lines = search.find_contours(0.5);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_FALSE(lines[0].is_closed);
  for (const PlanePoint& p : lines[0].points) EXPECT_NEAR(p[0] + 2 * p[1], 30, 0.05);
  for (const PlanePoint& end : {lines[0].points.front(), lines[0].points.back()})
    EXPECT_TRUE(end[0] == 0 || end[0] == 20 || end[1] == 0 || end[1] == 20);
  EXPECT_NEAR(std::abs(lines[0].points.front()[0] - lines[0].points.back()[0]), 20, 1e-9);
}

TEST(Boundary, WithoutContourNeedsTheStartGridAlone) {
  for (const double p : {0.0, 0.7, 1.0}) {
    const Boundary search = run({.trials = 100}, [&](PlanePoint) { return p; });
    EXPECT_EQ(search.evaluated(), 81u);
    EXPECT_EQ(search.mesh().size(), 64u);
    for (const double level : {0.5, 0.95, 0.99}) EXPECT_TRUE(search.find_contours(level).empty());
  }
}

// Two places, found by two nodes of the start grid.
TEST(Boundary, HasAPolylinePerPiece) {
  const Probability two = [](PlanePoint p) {
    const double near = std::min(hypot(p[0] - 0.25, p[1] - 0.25), hypot(p[0] - 0.75, p[1] - 0.7));
    return logistic((0.11 - near) / 0.01);
  };
  const Boundary search = run({.levels = {0.5}, .trials = kMany}, two);
  const std::vector<Polyline> lines = search.find_contours(0.5);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].is_closed && lines[1].is_closed);
}

// Where a fine cell meets a coarse one the contour has no gap: ends lie on the edge of the rectangle alone,
// whatever the counts; and points of a level lie between nodes above and below.
TEST(Boundary, ContoursOfNoiseHaveNoGaps) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Boundary search({.levels = {0.5}, .nodes = 4, .depth = 4, .trials = 10});
    while (!search.is_done()) {
      std::vector<BoundaryCount> counts;
      for (const BoundaryNode& n : search.ask()) {
        const double u = find_uniform(seed, n.number, 0);
        counts.push_back({static_cast<std::uint64_t>((n.at[0] > 0.5 ? 11 : 4.99) * u), 10});
      }
      search.record(counts);
    }
    for (const Polyline& line : search.find_contours(0.5)) {
      if (line.is_closed) continue;
      for (const PlanePoint& end : {line.points.front(), line.points.back()})
        EXPECT_TRUE(end[0] == 0 || end[0] == 1 || end[1] == 0 || end[1] == 1)
            << end[0] << ' ' << end[1];
    }
  }
}

// Around a spot that a single node of the start grid sees.
TEST(Boundary, CellsGrowByTwoAtMostFromOneToTheNext) {
  const Probability spot = [](PlanePoint p) {
    return hypot(p[0] - 0.5, p[1] - 0.5) < 0.01 ? 1.0 : 0.0;
  };
  const Boundary search = run({.levels = {0.5}, .nodes = 5, .depth = 6, .trials = 100}, spot);
  const std::vector<Boundary::Extent> mesh = search.mesh();
  EXPECT_EQ(search.find_contours(0.5).size(), 1u);
  double area = 0;
  for (const auto& a : mesh) {
    const double side = a.high[0] - a.low[0];
    area += side * side;
    for (const auto& b : mesh) {
      const bool is_right = a.high[0] == b.low[0] && a.low[1] < b.high[1] && b.low[1] < a.high[1];
      const bool is_above = a.high[1] == b.low[1] && a.low[0] < b.high[0] && b.low[0] < a.high[0];
      if (!is_right && !is_above) continue;
      EXPECT_LE(std::max(side, b.high[0] - b.low[0]), 2 * std::min(side, b.high[0] - b.low[0]));
    }
  }
  EXPECT_EQ(area, 1);
}

// 4 of 10 good outside, 6 of 10 inside: half may be the truth on either side. 4000 of 10000 leave no doubt.
TEST(Boundary, IsRefinedFurtherWhereFewTrialsLeaveItOpen) {
  const Probability step = [](PlanePoint p) {
    return hypot(p[0] - 0.52, p[1] - 0.47) < 0.3 ? 0.6 + 1e-9 : 0.4 + 1e-9;
  };
  const BoundaryOptions few{.levels = {0.5}, .trials = 10}, many{.levels = {0.5}, .trials = 10000};
  EXPECT_GT(run(few, step).evaluated(), 1.3 * static_cast<double>(run(many, step).evaluated()));
  EXPECT_LT(run(few, step).evaluated(), 65u * 65);
}

TEST(Boundary, FollowsFromCountsAlone) {
  const BoundaryOptions options{.trials = 50};
  Boundary first(options), again(options);
  while (!first.is_done()) {
    const std::vector<BoundaryCount> counts = evaluate(first, circle(0.05), true);
    first.record(counts);
    again.record(counts);
  }
  EXPECT_TRUE(again.is_done());
  const auto a = first.find_contours(0.5), b = again.find_contours(0.5);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].points, b[i].points);
  EXPECT_EQ(first.estimates().size(), first.evaluated());
  EXPECT_EQ(first.estimates().front().at, (PlanePoint{0, 0}));
  EXPECT_EQ(first.estimates().back().at, (PlanePoint{1, 1}));
}

TEST(Boundary, MistakesAreReported) {
  EXPECT_THROW(Boundary({.low = {0, 1}}), std::invalid_argument);
  EXPECT_THROW(Boundary({.levels = {1}}), std::invalid_argument);
  EXPECT_THROW(Boundary({.nodes = 1}), std::invalid_argument);
  Boundary search({});
  EXPECT_THROW(search.record(std::vector<BoundaryCount>(80)), std::invalid_argument);
  EXPECT_THROW(search.record(std::vector<BoundaryCount>(81, {2, 1})), std::invalid_argument);
  EXPECT_THROW(search.find_contours(0.5), std::logic_error);
}

}  // namespace
}  // namespace berth::boundary_test
