// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/scalar/dual.h"

namespace berth::scalar_dual_test {
namespace {

// A number of moderate size, from any 32 bits.
double moderate(std::int32_t bits, double size = 3) { return size * bits / 2147483648.0; }

Dual seeded(double v, std::array<double, 4> slopes) {
  return {v, Slopes{slopes[0], slopes[1], slopes[2], slopes[3]}};
}

// Slopes of f at (a, b) along four directions of the plane against central differences.
template <class F>
void expect_slopes(double a, double b, F&& f) {
  constexpr std::array<double, 4> da = {1, 0, 0.7, -2}, db = {0, 1, -0.3, 0.5};
  const Dual y = f(seeded(a, da), seeded(b, db));
  RC_ASSERT(y.v == f(a, b));
  for (int i = 0; i < 4; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto along = [&](double h) { return f(a + h * da[k], b + h * db[k]); };
    // Fourth order: f(±h), f(±2h).
    const double h = 1e-3;
    const double difference =
        (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h);
    RC_ASSERT(std::fabs(slope(y, i) - difference) < 1e-8 * (1 + std::fabs(difference)));
  }
}

RC_GTEST_PROP(ScalarDual, ArithmeticFollowsTheRulesOfDifferentiation,
              (std::int32_t i, std::int32_t j)) {
  const double a = moderate(i), b = moderate(j);
  expect_slopes(a, b, [](const auto& x, const auto& y) { return x + y; });
  expect_slopes(a, b, [](const auto& x, const auto& y) { return x - y; });
  expect_slopes(a, b, [](const auto& x, const auto& y) { return x * y; });
  expect_slopes(a, 1.5 + std::fabs(b), [](const auto& x, const auto& y) { return x / y; });
  expect_slopes(a, b, [](const auto& x, const auto&) { return -x; });
  expect_slopes(a, b, [](auto x, const auto& y) { return x += y, x *= y, x -= y, x; });
  expect_slopes(a, 1.5 + std::fabs(b), [](auto x, const auto& y) { return x /= y, x; });
}

RC_GTEST_PROP(ScalarDual, FunctionsFollowTheRulesOfDifferentiation,
              (std::int32_t i, std::int32_t j)) {
  const double a = moderate(i), b = moderate(j);
  expect_slopes(a, b, [](const auto& x, const auto&) { return square(x); });
  expect_slopes(a, 0.5 + std::fabs(b), [](const auto&, const auto& y) { return sqrt(y); });
  expect_slopes(a, b, [](const auto& x, const auto& y) { return exp(x * 0.5 + y); });
  expect_slopes(a, b, [](const auto& x, const auto&) { return sin_cos(x).sin; });
  expect_slopes(a, b, [](const auto& x, const auto&) { return sin_cos(x).cos; });
  expect_slopes(a, b, [](const auto& x, const auto& y) { return sin(x) * cos(y); });
  expect_slopes(a + (a < 0 ? -0.1 : 0.1), b, [](const auto& x, const auto&) { return abs(x); });
  // All four quadrants, away from the cut along −x and from the origin.
  const double angle = moderate(j, 3.0), r = 1 + std::fabs(a);
  expect_slopes(r * std::sin(angle), r * std::cos(angle),
                [](const auto& y, const auto& x) { return atan2(y, x); });
}

RC_GTEST_PROP(ScalarDual, ChainsOfFunctionsFollowTheChainRule, (std::int32_t i, std::int32_t j)) {
  const double a = moderate(i, 1), b = moderate(j, 1);
  expect_slopes(a, b, [](const auto& x, const auto& y) {
    const auto sc = sin_cos(x * y + 2.0 * x);
    return sqrt(2.0 + sc.sin * exp(-(x * x))) / (3.0 + y * sc.cos);
  });
}

RC_GTEST_PROP(ScalarDual, MixingWithADoubleIsMixingWithAConstant,
              (std::int32_t i, std::int32_t j)) {
  const double a = moderate(i), b = moderate(j);
  expect_slopes(a, b, [](const auto& x, const auto& y) { return 2.0 * x - y * 3.0 + 0.5; });
  expect_slopes(a, 1.5 + std::fabs(b), [](const auto&, const auto& y) { return 1.0 / y; });
}

TEST(ScalarDual, MinMaxClampAndSelectCarryTheSlopeOfTheOneTaken) {
  const Dual a = seeded(1, {1, 2, 3, 4}), b = seeded(2, {5, 6, 7, 8});
  EXPECT_EQ(min(a, b), a);
  EXPECT_EQ(min(b, a), a);
  EXPECT_EQ(max(a, b), b);
  EXPECT_EQ(max(b, a), b);
  EXPECT_EQ(select(true, a, b), a);
  EXPECT_EQ(select(false, a, b), b);
  EXPECT_EQ(clamp(a, Dual(0.0), Dual(3.0)), a);
  EXPECT_EQ(clamp(a, Dual(-3.0), Dual(0.5)), Dual(0.5));
  EXPECT_EQ(clamp(a, b, Dual(3.0)), b);
}

TEST(ScalarDual, OrderComparesValuesEqualitySlopesToo) {
  const Dual a = seeded(1, {9, 9, 9, 9}), b = seeded(2, {0, 0, 0, 0});
  EXPECT_TRUE(a < b && a <= b && b > a && b >= a);
  EXPECT_FALSE(b < a || a > b);
  EXPECT_TRUE(a <= Dual(1.0) && a >= Dual(1.0));
  EXPECT_FALSE(a == Dual(1.0));
  for (int i = 0; i < 4; ++i) {
    Dual c = a;
    set_slope(c, i, 8);
    EXPECT_FALSE(c == a) << i;
  }
}

TEST(ScalarDual, ANumberHasNoSlope) {
  const Dual x = 3.0;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(slope(x, i), 0.0);
  EXPECT_EQ(value(x), 3.0);
  EXPECT_EQ(Dual(), Dual(0.0));
}

TEST(ScalarDual, RootOfZeroAtRestKeepsZeroSlope) {
  const Dual r = sqrt(Dual(0.0));
  EXPECT_EQ(r, Dual(0.0));
  const Dual moving = seeded(0, {0, 0, 0, 0});
  EXPECT_EQ(sqrt(moving * moving), Dual(0.0));
}

TEST(ScalarDual, SineAndCosineOfLargeAnglesKeepTheirSlopes) {
  const double x = 3e6;
  const SinCos<Dual> sc = sin_cos(seeded(x, {1, 0, 0, 0}));
  EXPECT_EQ(slope(sc.sin), sin_cos(x).cos);
  EXPECT_EQ(slope(sc.cos), -sin_cos(x).sin);
}

TEST(ScalarDual, ALostValueIsNotFinite) {
  EXPECT_TRUE(is_finite(Dual(1.0)));
  EXPECT_FALSE(is_finite(Dual(std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(is_finite(Dual(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace berth::scalar_dual_test
