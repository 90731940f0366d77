// SPDX-License-Identifier: Apache-2.0
#include "berth/control/profile.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/model/resolve.h"

namespace berth::profile_test {
namespace {

using Sample = Profile<double>::Sample;

void expect_sample(const Sample& s, double value, double rate, double acceleration,
                   double tolerance = 1e-14) {
  EXPECT_NEAR(s.value, value, tolerance);
  EXPECT_NEAR(s.rate, rate, tolerance);
  EXPECT_NEAR(s.acceleration, acceleration, tolerance);
}

Profile<double> quintic() {
  Profile<double> p;
  p.type = "quintic";
  p.from = 0.5;
  p.to = 2.5;
  p.start = 3;
  p.duration = 4;
  return p;
}
Profile<double> table() {
  Profile<double> p;
  p.type = "table";
  p.times = {1, 2, 4};
  p.values = {10, 12, 6};
  return p;
}

Profile<double> spin_down() {
  Profile<double> p;
  p.type = "rate";
  p.value = 0.2;
  p.rate_from = 0.5;
  p.rate_to = -0.1;
  p.start = 3;
  p.duration = 4;
  return p;
}
// Angles over a distance that shrinks.
Profile<double> mapped() {
  Profile<double> p = quintic();
  p.low = 0.5;
  p.high = 2.5;
  p.series = {0.3, -1.2, 0.4, 0.05, -0.02};
  return p;
}

TEST(Profile, AConstantStandsStill) {
  Profile<double> p;
  p.value = 0.7;
  for (double t : {-1e9, 0.0, 5.0}) expect_sample(p.at(t, t), 0.7, 0, 0);
  require_rules(p, "profile");
}

TEST(Profile, AStepChangesWhereTheSmoothStretchBegins) {
  Profile<double> p;
  p.type = "step";
  p.from = 1;
  p.to = 3;
  p.start = 2;
  EXPECT_EQ(p.at(1.9, 0).value, 1);
  EXPECT_EQ(p.at(2.0, 0).value, 1);  // last stage of the step that ends there
  EXPECT_EQ(p.at(2.0, 2.0).value, 3);
  EXPECT_EQ(p.at(9.0, 2.0).value, 3);
  EXPECT_EQ(p.at(2.5, 2.5).rate, 0);
}

TEST(Profile, AQuinticGoesFromRestToRest) {
  const Profile<double> p = quintic();
  expect_sample(p.at(0, 0), 0.5, 0, 0);
  expect_sample(p.at(3, 3), 0.5, 0, 0);
  expect_sample(p.at(7, 3), 2.5, 0, 0);  // its own formula at its end
  expect_sample(p.at(7, 7), 2.5, 0, 0);
  expect_sample(p.at(50, 7), 2.5, 0, 0);
  // Half way at half time, with 15/8 of the mean rate.
  expect_sample(p.at(5, 3), 1.5, 15.0 / 8 * 2 / 4, 0);
}

TEST(Profile, PeaksOfAQuinticAreThoseOnItsPage) {
  const Profile<double> p = quintic();
  double rate = 0, acceleration = 0;
  for (int i = 0; i <= 4000; ++i) {
    const Sample s = p.at(3 + 4 * i / 4000.0, 3);
    rate = std::max(rate, s.rate);
    acceleration = std::max(acceleration, s.acceleration);
  }
  EXPECT_NEAR(rate, 1.875 * 2 / 4, 1e-6);
  EXPECT_NEAR(acceleration, 5.774 * 2 / 16, 1e-4);
}

TEST(Profile, RatesAreTheSlopesOfValuesAndAccelerationsThoseOfRates) {
  for (const Profile<double>& p : {quintic(), table(), spin_down(), mapped()}) {
    for (double t : {0.5, 1.3, 1.9, 2.2, 3.1, 3.9, 4.5, 5.7, 6.9, 8.0}) {
      const double h = 1e-5;
      const double from = t;  // the same piece on both sides
      const Sample a = p.at(t - h, from), b = p.at(t + h, from), here = p.at(t, from);
      EXPECT_NEAR(here.rate, (b.value - a.value) / (2 * h), 1e-8) << p.type.keyword() << " " << t;
      EXPECT_NEAR(here.acceleration, (b.rate - a.rate) / (2 * h), 1e-8)
          << p.type.keyword() << " " << t;
    }
  }
}

TEST(Profile, ARateGoesFromOneToAnother) {
  const Profile<double> p = spin_down();
  expect_sample(p.at(1, 1), 0.2 - 2 * 0.5, 0.5, 0);
  expect_sample(p.at(3, 3), 0.2, 0.5, 0);
  expect_sample(p.at(5, 3), 0.2 + 4 * (0.25 - 0.6 * (2.5 / 16 - 3.0 / 32 + 1.0 / 64)), 0.2,
                -0.6 * 1.875 / 4);
  expect_sample(p.at(7, 3), 0.2 + 4 * 0.2, -0.1, 0);
  expect_sample(p.at(9, 7), 0.2 + 4 * 0.2 - 2 * 0.1, -0.1, 0);
}

TEST(Profile, ASeriesIsAFunctionOfTheValue) {
  const Profile<double> p = mapped();
  for (const double t : {0.0, 3.5, 5.0, 6.2, 9.0}) {
    const double from = t < 3 ? 0 : t < 7 ? 3 : 7, u = quintic().at(t, from).value - 1.5;
    EXPECT_NEAR(p.at(t, from).value,
                0.3 - 1.2 * u + 0.4 * std::cos(2 * std::acos(u)) +
                    0.05 * std::cos(3 * std::acos(u)) - 0.02 * std::cos(4 * std::acos(u)),
                1e-14);
  }
}

TEST(Profile, ATableIsStraightBetweenItsPointsAndHeldOutside) {
  const Profile<double> p = table();
  expect_sample(p.at(0, 0), 10, 0, 0);
  expect_sample(p.at(1, 1), 10, 2, 0);
  expect_sample(p.at(1.5, 1), 11, 2, 0);
  expect_sample(p.at(2, 1), 12, 2, 0);   // the piece that ends there
  expect_sample(p.at(2, 2), 12, -3, 0);  // the piece that begins there
  expect_sample(p.at(3, 2), 9, -3, 0);
  expect_sample(p.at(4, 4), 6, 0, 0);
  expect_sample(p.at(99, 4), 6, 0, 0);
}

TEST(Profile, ATableOfOnePointIsAConstant) {
  Profile<double> p;
  p.type = "table";
  p.times = {5};
  p.values = {3};
  require_rules(p, "profile");
  expect_sample(p.at(0, 0), 3, 0, 0);
  expect_sample(p.at(7, 7), 3, 0, 0);
}

TEST(Profile, ReportsItsCorners) {
  const auto corners = [](const Profile<double>& p) {
    std::vector<double> t;
    p.add_times(t);
    return t;
  };
  Profile<double> p;
  EXPECT_TRUE(corners(p).empty());
  p.type = "step";
  p.start = 2;
  EXPECT_EQ(corners(p), (std::vector<double>{2}));
  EXPECT_EQ(corners(quintic()), (std::vector<double>{3, 7}));
  EXPECT_EQ(corners(spin_down()), (std::vector<double>{3, 7}));
  EXPECT_EQ(corners(table()), (std::vector<double>{1, 2, 4}));
}

TEST(Profile, WhatCannotBeMeantIsRefused) {
  const auto refusal = [](const Profile<double>& p) -> std::string {
    try {
      require_rules(p, "reference profile");
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(quintic()), "");
  EXPECT_EQ(refusal(table()), "");
  Profile<double> p = quintic();
  for (const char* word : {"cubic", "", "stepp"})
    EXPECT_THROW(p.type = word, std::invalid_argument) << word;
  p.duration = 0;
  EXPECT_EQ(refusal(p), "reference profile: duration must be positive, not 0");
  p = mapped();
  p.low = p.high;
  EXPECT_EQ(refusal(p), "reference profile: a series needs low < high");
  p = table();
  p.values.pop_back();
  EXPECT_EQ(refusal(p), "reference profile: a table needs as many times as values");
  p.values.clear();
  p.times.clear();
  EXPECT_EQ(refusal(p), "reference profile: a table needs as many times as values");
  p = table();
  p.times = {1, 1, 2};
  EXPECT_EQ(refusal(p), "reference profile: table times must increase");
}

}  // namespace
}  // namespace berth::profile_test
