// SPDX-License-Identifier: Apache-2.0

// Profiles whose rate follows their value.

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "berth/control/profile.h"
#include "berth/model/resolve.h"

namespace berth::glideslope_test {
namespace {

Profile<double> glide(double from, double to, double rate_from, double rate_to, double start = 3) {
  Profile<double> p;
  p.type = "glideslope";
  p.from = from;
  p.to = to;
  p.rate_from = rate_from;
  p.rate_to = rate_to;
  p.start = start;
  return p;
}
// start and end
std::vector<double> corners(const Profile<double>& p) {
  std::vector<double> times;
  p.add_times(times);
  return times;
}

TEST(Glideslope, TakesTheTimeThatItsRatesTake) {
  // The rate falls in proportion to the way: T = (to − from) ln(b/a)/(b − a).
  const std::vector<double> t = corners(glide(20, 2, -0.1, -0.05));
  ASSERT_EQ(t.size(), 2u);
  EXPECT_EQ(t[0], 3);
  EXPECT_NEAR(t[1], 3 + 18 * std::log(2.0) / 0.05, 1e-12);
  EXPECT_NEAR(corners(glide(0, 5, 0.2, 0.4))[1], 3 + 5 * std::log(2.0) / 0.2, 1e-12);
  // With one rate it is a straight line; nearly so, nearly as long.
  EXPECT_NEAR(corners(glide(20, 2, -0.1, -0.1))[1], 3 + 180, 1e-12);
  for (const double u : {1e-12, 1e-9, 1e-7, 1e-5})
    EXPECT_NEAR(corners(glide(20, 2, -0.1, -0.1 * (1 + u)))[1], 183 - 90 * u + 60 * u * u, 1e-11);
}

TEST(Glideslope, RateFollowsTheValue) {
  for (const Profile<double>& p : {glide(20, 2, -0.1, -0.05), glide(0, 5, 0.2, 0.4),
                                   glide(8, 0.2, -0.08, -0.0801), glide(1, 3, 0.5, 0.5)}) {
    require_rules(p, "profile");
    const std::vector<double> ends = corners(p);
    const double slope = (p.rate_from - p.rate_to) / (p.from - p.to), T = ends[1] - ends[0];
    for (int i = 0; i <= 40; ++i) {
      const double t = ends[0] + T * i / 40;
      const auto s = p.at(t, ends[0]);
      EXPECT_NEAR(s.rate, p.rate_from + slope * (s.value - p.from), 1e-12);
      EXPECT_NEAR(s.acceleration, slope * s.rate, 1e-14);
      const double h = 1e-3;
      const auto a = p.at(t - h, ends[0]), b = p.at(t + h, ends[0]);
      EXPECT_NEAR(s.rate, (b.value - a.value) / (2 * h), 1e-8);
      EXPECT_NEAR(s.acceleration, (b.rate - a.rate) / (2 * h), 1e-8);
    }
    // From the first value to the last, and on with the last rate.
    EXPECT_NEAR(p.at(ends[0], ends[0]).value, p.from, 1e-14);
    EXPECT_NEAR(p.at(ends[1], ends[0]).value, p.to, 1e-12);
    EXPECT_NEAR(p.at(ends[1], ends[0]).rate, p.rate_to, 1e-12);
    const auto before = p.at(1, 1), after = p.at(ends[1] + 7, ends[1]);
    EXPECT_EQ(before.value, p.from);
    EXPECT_EQ(before.rate, 0);
    EXPECT_NEAR(after.value, p.to + 7 * p.rate_to, 1e-12);
    EXPECT_EQ(after.rate, p.rate_to);
    EXPECT_EQ(after.acceleration, 0);
  }
}

// (e^y − 1)/y changes its form where |y| = 1e-3.
TEST(Glideslope, HasNoSeamWhereItsSeriesEnds) {
  const Profile<double> p = glide(20, 2, -0.1, -0.05, 0);
  const double k = 0.05 / 18, t = 1e-3 / k;
  for (const double x : {0.5 * t, 0.999999 * t, 1.000001 * t, 2 * t}) {
    const auto s = p.at(x, 0);
    EXPECT_NEAR(s.value, 20 - 0.1 * std::expm1(-k * x) / -k, 1e-13);
    EXPECT_NEAR(s.rate, -0.1 * std::exp(-k * x), 1e-15);
  }
}

TEST(Glideslope, RatesMustLeadToTheEnd) {
  for (const Profile<double>& p :
       {glide(20, 2, 0.1, -0.05), glide(20, 2, -0.1, 0.05), glide(20, 2, -0.1, 0),
        glide(20, 2, 0, -0.1), glide(2, 20, -0.1, -0.05), glide(5, 5, -0.1, -0.05)}) {
    std::string said;
    try {
      require_rules(p, "reference profile");
    } catch (const std::invalid_argument& e) {
      said = e.what();
    }
    EXPECT_EQ(said, "reference profile: a glideslope needs rates that lead from `from` to `to`");
  }
}

}  // namespace
}  // namespace berth::glideslope_test
