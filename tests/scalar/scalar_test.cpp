// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/scalar.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::scalar_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ScalarDouble, SelectTakesTheFirstWhereTrue) {
  EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
  EXPECT_EQ(select(false, 1.0, 2.0), 2.0);
}

RC_GTEST_PROP(ScalarDouble, MinMaxAndClampAreThoseOfTheStandardLibrary,
              (double a, double b, double c)) {
  RC_ASSERT(min(a, b) == std::min(a, b));
  RC_ASSERT(max(a, b) == std::max(a, b));
  const double low = std::min(a, b), high = std::max(a, b);
  RC_ASSERT(clamp(c, low, high) == std::clamp(c, low, high));
}

TEST(ScalarDouble, InfinitiesAreHeldByTheBounds) {
  EXPECT_EQ(clamp(kInfinity, -2.0, 3.0), 3.0);
  EXPECT_EQ(clamp(-kInfinity, -2.0, 3.0), -2.0);
}

TEST(ScalarDouble, SquareRootAndSizeAreThoseOfTheLibrary) {
  for (double x : {0.0, 0.5, 2.0, 1e-300, 1e300}) {
    EXPECT_EQ(berth::sqrt(x), std::sqrt(x));
    EXPECT_EQ(berth::abs(-x), x);
    EXPECT_EQ(square(x), x * x);
  }
  EXPECT_FALSE(std::signbit(berth::abs(-0.0)));
  EXPECT_TRUE(std::isnan(berth::sqrt(-1.0)));
}

TEST(ScalarDouble, IsItsOwnValue) {
  EXPECT_EQ(value(4.0), 4.0);
  EXPECT_TRUE(is_finite(4.0));
  EXPECT_FALSE(is_finite(kInfinity));
  EXPECT_FALSE(is_finite(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace berth::scalar_test
