// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "berth/scalar/elementary.h"
#include "tests/support/random.h"

namespace berth::sin_cos_test {
namespace {

using test::Random;

constexpr double kPromise = 2.5e-16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Largest absolute error of both against the 64-bit mantissa of long double.
double find_error(double x) {
  const SinCos<double> sc = sin_cos(x);
  const long double s = std::sin(static_cast<long double>(x));
  const long double c = std::cos(static_cast<long double>(x));
  return static_cast<double>(std::max(std::fabs(static_cast<long double>(sc.sin) - s),
                                      std::fabs(static_cast<long double>(sc.cos) - c)));
}

TEST(SinCos, AbsoluteErrorKeepsItsPromiseAllOverItsRange) {
  Random random(1);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    worst = std::max(worst, find_error(random.number(-1.6e6, 1.6e6)));
    worst = std::max(worst, find_error(random.number(-10, 10)));
    const double sign = random.number() < 0 ? -1 : 1;
    worst = std::max(worst, find_error(sign * std::exp(random.number(-40, std::log(1.6e6)))));
  }
  EXPECT_LE(worst, kPromise);
}

// Where the reduced angle is a difference of nearly equal numbers, and where the quadrant changes.
TEST(SinCos, AbsoluteErrorKeepsItsPromiseNextToMultiplesOfAnEighthTurn) {
  double worst = 0, at = 0;
  const auto check = [&](double x) {
    if (std::fabs(x) >= 1.6e6) return;
    const double e = find_error(x);
    if (e > worst) worst = e, at = x;
  };
  Random random(2);
  constexpr long double eighth = 0.785398163397448309615660845819875721L;
  for (int i = 0; i < 60000; ++i) {
    const int k = i < 4000 ? i : random.integer(0, 2037000);
    double x = static_cast<double>(static_cast<long double>(k) * eighth);
    x = std::nextafter(std::nextafter(x, -1.0), -1.0);
    for (int step = 0; step < 5; ++step) {
      check(x);
      check(-x);
      x = std::nextafter(x, kInfinity);
    }
  }
  EXPECT_LE(worst, kPromise) << "at x = " << at;
}

// Where π/2 is taken in more pieces.
TEST(SinCos, AbsoluteErrorKeepsItsPromiseForLargeAngles) {
  Random random(3);
  double worst = 0, at = 0;
  const auto check = [&](double x) {
    const double e = find_error(x);
    if (e > worst) worst = e, at = x;
  };
  for (const double x : {1.6e6, -1.6e6, std::nextafter(1.6e6, 0.0), 1e7, 3.4e9, 99999999999999.9})
    check(x);
  constexpr long double quarter = 1.570796326794896619231321691639751442L;
  for (int i = 0; i < 100000; ++i) {
    const double x = std::exp(random.number(std::log(1.6e6), std::log(1e14)));
    check(i % 2 ? x : -x);
    check(static_cast<double>(std::round(static_cast<long double>(x) / quarter) * quarter));
  }
  EXPECT_LE(worst, kPromise) << "at x = " << at;
}

TEST(SinCos, AnglesThatSayNothingAreTakenAsZero) {
  for (const double x : {1e14, -1e14, 1e22, -1e300, std::numeric_limits<double>::max()}) {
    EXPECT_EQ(sin_cos(x).sin, 0) << x;
    EXPECT_EQ(sin_cos(x).cos, 1) << x;
  }
}

TEST(SinCos, NoNumberGivesNoNumber) {
  for (double x : {kNaN, kInfinity, -kInfinity}) {
    EXPECT_TRUE(std::isnan(sin_cos(x).sin)) << x;
    EXPECT_TRUE(std::isnan(sin_cos(x).cos)) << x;
  }
}

TEST(SinCos, SineIsOddAndCosineIsEvenBitForBit) {
  Random random(4);
  for (int i = 0; i < 20000; ++i) {
    const double x = random.number(0.001, i % 2 ? 10 : 1.6e6);
    EXPECT_EQ(sin_cos(-x).sin, -sin_cos(x).sin);
    EXPECT_EQ(sin_cos(-x).cos, sin_cos(x).cos);
  }
}

TEST(SinCos, SmallAnglesAreTheirOwnSine) {
  for (double x : {0.0, 1e-310, 1e-300, 1e-20, 1e-9, -1e-9}) {
    EXPECT_EQ(sin_cos(x).sin, x);
    EXPECT_EQ(sin_cos(x).cos, 1.0);
  }
}

TEST(SinCos, SquaresAddUpToOne) {
  Random random(5);
  for (int i = 0; i < 20000; ++i) {
    const SinCos<double> sc = sin_cos(random.number(-1.6e6, 1.6e6));
    EXPECT_NEAR(sc.sin * sc.sin + sc.cos * sc.cos, 1.0, 6e-16);
    EXPECT_LE(std::fabs(sc.sin), 1.0);
    EXPECT_LE(std::fabs(sc.cos), 1.0);
  }
}

TEST(SinCos, NamedFunctionsAreItsTwoHalves) {
  for (double x : {0.3, -7.0, 12345.678, 1e9}) {
    EXPECT_EQ(berth::sin(x), sin_cos(x).sin);
    EXPECT_EQ(berth::cos(x), sin_cos(x).cos);
  }
}

}  // namespace
}  // namespace berth::sin_cos_test
